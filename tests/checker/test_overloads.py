"""The overload that a built-in call means, and the argument that is blamed when none fits."""

from __future__ import annotations

from pinebench.checker.builtins import OverloadSpec, Signature
from tests.checker.support import checked, codes, messages
from tests.tables import each


@each(
    ("call", "parameter", "given", "expected"),
    [
        ("ta.sma(close, 14.5)", "length", "literal float", "series int"),
        ("ta.ema(close, bar_index)", "length", "series int", "simple int"),
        ('ta.sma("a", 14)', "source", "literal string", "series float"),
        ("math.abs(true)", "number", "literal bool", "simple int"),
        ("nz(close > open)", "source", "series bool", "simple int"),
        ("plot(close, title = close)", "title", "series float", "const string"),
        ("array.push(array.new<int>(), 1.5)", "value", "literal float", "series int"),
        ("map.put(map.new<string, int>(), 1, 2)", "key", "literal int", "series string"),
        ("array.get(close, 0)", "id", "series float", "array<type>"),
        ('array.avg(array.from("a"))', "id", "array<string>", "array<float>"),
        ("matrix.rows(close)", "id", "series float", "matrix<type>"),
        ("map.size(close)", "id", "series float", "map<type, type>"),
        ("fill(hline(1), plot(close))", "plot1", "hline", "plot"),
        ('fill(plot(close), plot(open), "red")', "color", "literal string", "series color"),
        ("fill(plot(close), plot(open), color.red, 90)", "title", "literal int", "const string"),
        ("fill(plot(close), plot(open), true)", "color", "literal bool", "series color"),
        ("fill(plot(close), plot(open), 50)", "color", "literal int", "series color"),
        ('fill(plot(close), plot(open), 1, 2, "red")', "top_color", "literal string", "series color"),
        ('line.new("a", close, bar_index, open)', "x1", "literal string", "series int"),
        ('math.max(1, "a")', "number1", "literal string", "const int"),
        ("input.int(close)", "defval", "series float", "const int"),
        ("array.sort(array.new<color>())", "id", "array<color>", "array<float>"),
    ],
)
def test_the_argument_to_blame(call: str, parameter: str, given: str, expected: str) -> None:
    assert codes(call) == "CE10123"
    message = messages(call)[0]
    assert f'argument "{parameter}"=' in message
    assert f'of "{given}" type was used but a "{expected}"  is expected' in message


def test_the_chosen_overload_is_remembered_with_its_arguments() -> None:
    program = checked("x = math.round(close, precision = 2)")
    calls = program.frame.calls.values()
    chosen = next(call for call in calls if isinstance(call.target, Signature) and call.target.name == "math.round")
    assert isinstance(chosen.overload, OverloadSpec) and "precision" in chosen.overload.index
    assert list(chosen.arguments) == ["number", "precision"]


@each(
    ("call", "expected"),
    [
        ("array.from(1).sort(5)", "Possible values: [order.ascending, order.descending]"),
        ('x = str.format("{0}", matrix.new<int>())', 'one from "simple int/float/bool/string" is expected'),
        ("input.source(color.red)", 'but a "series float"  is expected.'),
        ('input.string("a", options = "a")', 'but a "tuple of const string"  is expected.'),
        ('x = str.tostring(true, "#")', 'type was used but a "simple float"  is expected.'),
    ],
)
def test_how_messages_name_what_is_expected(call: str, expected: str) -> None:
    assert expected in messages(call)[0]

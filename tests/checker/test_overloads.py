"""The overload that a built-in call means, and the argument that is blamed when none fits."""

from __future__ import annotations

from pinebench.checker.builtins import OverloadSpec, Signature
from tests.checker.support import checked, codes, messages, spans, type_of
from tests.tables import each


@each(
    ("expression", "expected"),
    [
        ("math.abs(bar_index)", "series int"),
        ("math.abs(close)", "series float"),
        ("math.round(close)", "series int"),
        ("math.round(close, 2)", "series float"),
        ("math.max(1, 2)", "const int"),
        ("math.max(1, 2.0)", "const float"),
        ("math.max(1, input.int(2))", "input int"),
        ("math.max(1, close)", "series float"),
        ("ta.sma(close, 5)", "series float"),
        ("ta.change(bar_index)", "series int"),
        ("ta.highest(5)", "series float"),
        ("nz(bar_index)", "series int"),
        ("fixnan(color.red)", "series color"),
        ("array.from(1, 2)", "array<int>"),
        ("array.from(1, 2.0)", "array<float>"),
        ("array.from(na, 2)", "array<int>"),
        ("array.from(na, na)", "array<int>"),
        ("array.new<line>().first()", "series line"),
        ("array.from(1, 2).max()", "series int"),
        ("map.new<string, float>().keys()", "array<string>"),
        ('map.new<string, float>().get("a")', "series float"),
        ("matrix.new<int>(2, 2).row(0)", "array<int>"),
        ('request.security("A", "D", bar_index)', "series int"),
        ('request.security("A", "D", [close, 1])', "[series float, series float]"),
        ('request.security_lower_tf("A", "1", close)', "array<float>"),
        ("input.int(5)", "input int"),
        ("input.source(close)", "series float"),
        ("input(true)", "input bool"),
        ("int(5.5)", "const int"),
        ("str.tostring(close)", "series string"),
        ("color.new(color.red, 50)", "const color"),
    ],
)
def test_the_result(expression: str, expected: str) -> None:
    script = f"x = {expression}" if not expected.startswith("[") else f"[a, b] = {expression}"
    assert codes(script) == ""
    if not expected.startswith("["):
        assert type_of(script, "x") == expected


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


@each(
    ("call", "expected"),
    [
        ("plot()", ["CE10165 plot()"]),
        ("x = ta.sma(close)", ["CE10165 ta.sma(close)"]),
        ("x = ta.sma()", ["CE10165 ta.sma()", "CE10165 ta.sma()"]),
        ("array.new<int>().push()", ["CE10165 array.new<int>().push()"]),
        ("x = color.rgb(1, 2)", ["CE10165 color.rgb(1, 2)"]),
        ("x = ta.sma(close, 1, 2)", ["CE10115 close, 1, 2"]),
        ("x = ta.sma(close, len = 2)", ["CE10120 len", "CE10165 len"]),
        ("x = ta.sma(close, 2, len = 2)", ["CE10115 close, 2, len = 2"]),
        ("x = math.acos(number = 0.5)", ["CE10120 number", "CE10165 number"]),
        ('input.bool(true, "a", active = timeframe.isdaily)', ["CE10123 timeframe.isdaily"]),
        ("plot(close, linewidth = timeframe.multiplier)", ["CE10123 timeframe.multiplier"]),
        ("hline(timeframe.isdaily ? 1 : 2)", []),
        ("hline(1, color = close > open ? color.red : color.blue)", ["CE10123 close > open ? color.red : color.blue"]),
        ("array.from(1).sort(5)", ["CE10068 5"]),
        ("x = ta.sma(close, length = 2, length = 3)", ["CE10115 close, length = 2, length = 3"]),
        ("x = ta.sma(close, 2, source = open)", ["CE10115 close, 2, source = open"]),
        ('plot(title = "a", close)', ["CE10157 close"]),
        ("x = math.max(1)", ["CE10118 math.max(1)"]),
        ("x = math.max(a = 1, b = 2)", ["CE10119 a = 1"]),
        ('x = array.from(1, "a", 2)', ['CE10122 "a"']),
        ("x = array.from(true, 1)", ["CE10122 1"]),
        ('x = str.format("{0}", line.new(1, 1, 1, 1))', ["CE10122 line.new(1, 1, 1, 1)"]),
        ('enum E\n    a\nx = str.format("{0}", E.a)', ["CE10124 E.a"]),
        ('log.info("{0}", color.red)', ["CE10122 color.red"]),
        ("plot(close, style = 5)", ["CE10068 5"]),
        ("if close > open\n    plot(close)", ["CE10188 plot(close)"]),
    ],
)
def test_what_is_wrong_with_a_call(call: str, expected: list[str]) -> None:
    assert spans(call) == expected


@each(
    "call",
    [
        "plot(close, display = 1)",
        "plot(close, style = close > open ? plot.style_line : plot.style_area)",
        'table.new("anywhere", 1, 1)',
        "label.new(chart.point.now(close))",
        "array.new<float>().push(1)",
        "array.new<color>(2, na)",
        "x = na(close) or na(color.red) or na(line.new(1, 1, 1, 1))",
        "f(bool b) => na(b)",
        "array.new<int>().insert(0, 1)",
        'log.info("{0} {1} {2}", close, "a", true)',
    ],
)
def test_what_is_accepted(call: str) -> None:
    assert codes(call) == ""


def test_na_of_a_bool_is_accepted_only_of_a_parameter() -> None:
    """Choices for the same types are remembered, but not this one."""
    function, call = "f(bool b) => na(b)", "b = close > open\nx = na(b)"
    assert codes(f"{function}\n{call}") == codes(f"{call}\n{function}") == "CE10123"


def test_an_unknown_argument_switches_off_the_checks_of_its_call() -> None:
    assert codes('import A/B/1\nx = ta.sma(B.f(), "a")') == ""
    assert codes('import A/B/1\nx = ta.sma(B.f(), "a", 1)') == "CE10115"


def test_the_result_is_known_where_all_overloads_agree() -> None:
    assert type_of("import A/B/1\nx = ta.sma(B.f(), 5)", "x") == "series float"
    assert type_of("import A/B/1\nx = math.abs(B.f())", "x") == "unknown"


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

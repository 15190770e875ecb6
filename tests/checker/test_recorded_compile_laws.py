"""Laws of the compiler that were read from recorded probes (round v52): words, nouns and second errors."""

from __future__ import annotations

import pytest

from pinebench.checker import open_changed, open_program
from pinebench.diagnostics import Edit, Severity, Span
from pinebench.syntax.changes import document_after
from tests.tables import each

_HEAD = '//@version=6\nindicator("t")\n'
_TYPED = "type T\n    int a\nreviews = array.new<T>()\n"
_PRINTED = "series int/float/bool/string/array<int/float/bool/string>"


def _errors(body: str) -> list[str]:
    found = open_program(f"{_HEAD}{body}\n").diagnostics
    return [f"{each.code} {each.message}" for each in found if each.severity is Severity.ERROR]


def _misfit(function: str, argument: str, shown: str, given: str, due: str) -> str:
    return (
        f'CE10123 Cannot call "{function}" with argument "{argument}"="{shown}". '
        f'An argument of "{given}" type was used but a "{due}"  is expected.'
    )


@pytest.mark.parametrize("call", ["array.sort_indices(reviews, ", "reviews.sort_indices("])
def test_a_sort_field_is_known_when_the_script_is_compiled(call: str) -> None:
    body = f"{_TYPED}fieldIndex = bar_index\nx = {call}order.ascending, fieldIndex)\nplot(1)"
    assert _errors(body) == [_misfit("array.sort_indices", "sort_field", "fieldIndex", "series int", "const int")]


@pytest.mark.parametrize("field", ["0", '"a"', "n", "2 - 2"])
def test_a_sort_field_is_a_constant_number_or_name(field: str) -> None:
    assert _errors(f"{_TYPED}n = 0\nx = reviews.sort_indices(order.ascending, {field})\nplot(x.size())") == []


_SHOWN = 'call "operator ?:" (series string)'


@each(
    ("call", "expected"),
    [
        ('plot("a")', _misfit("plot", "series", "a", "literal string", "series float")),
        *(
            (
                f"{name}format = close > open ? format.price : format.volume)",
                _misfit(name.partition("(")[0], "format", _SHOWN, "series string", "input string"),
            )
            for name in (
                *("plot(close, ", "plotarrow(close, ", "plotbar(open, high, low, close, "),
                *("plotcandle(open, high, low, close, ", "plotchar(true, ", "plotshape(true, "),
            )
        ),
        ("plotshape(true, location = 1)", _misfit("plotshape", "location", "1", "literal int", "input string")),
        ("plotchar(true, location = 1)", _misfit("plotchar", "location", "1", "literal int", "input string")),
        ("plotshape(true, style = 1)", _misfit("plotshape", "style", "1", "literal int", "input string")),
        (
            "plotshape(true, size = close > open ? size.tiny : size.small)",
            _misfit("plotshape", "size", _SHOWN, "series string", "const string"),
        ),
        ('plotchar("a")', _misfit("plotchar", "series", "a", "literal string", "series bool")),
        ("plot(ta.falling(close, 3.0) ? 1 : 0)", _misfit("ta.falling", "length", "3", "literal float", "series int")),
        ("plot(ta.kcw(close, bar_index, 2))", _misfit("ta.kcw", "length", "bar_index", "series int", "simple int")),
        ("plot(ta.kcw(close, 9, close))", _misfit("ta.kcw", "mult", "close", "series float", "simple float")),
        (
            "plot(ta.kcw(close, 9, 2, close > open))",
            _misfit("ta.kcw", "useTrueRange", 'call "operator >" (series bool)', "series bool", "simple bool"),
        ),
    ],
)
def test_a_misfit_names_the_recorded_type(call: str, expected: str) -> None:
    assert _errors(call) == [expected]


def test_a_format_may_be_an_input() -> None:
    assert _errors('plot(close, format = input.string(format.price, "Format"))') == []


def test_a_field_of_an_enum_is_not_printed() -> None:
    body = 'enum ReviewEnum\n    one\nx = str.format("{0}", ReviewEnum.one)\nplot(str.length(x))'
    assert _errors(body) == [
        'CE10124 Cannot call "str.format()" to collect the "one" field from an object of the "ReviewEnum" type. '
        'The field"s type is "const ReviewEnum", but the "simple int/float/bool/string" type is expected.'
    ]


@pytest.mark.parametrize("element", ["int", "float", "bool", "string"])
def test_a_matrix_is_not_printed(element: str) -> None:
    (error,) = _errors(f'x = str.format("{{0}}", matrix.new<{element}>(2, 2))\nplot(str.length(x))')
    assert error.startswith("CE10122")
    assert f'"call "matrix.new" (matrix<{element}>)"' in error


_REFUSED = "x = ta.sma(close > open, 3)\n"


@pytest.mark.parametrize("log", ["info", "warning", "error"])
def test_a_log_of_what_was_refused_is_refused_too(log: str) -> None:
    errors = _errors(f'{_REFUSED}log.{log}("{{0}}", x)\nplot(1)')
    assert [error[:7] for error in errors] == ["CE10123", "CE10122"]
    assert errors[1] == (
        f'CE10122 Cannot call "log.{log}" with argument "arg_1"="x". An argument of "unknown" type was used but one '
        f'from "{_PRINTED}" is expected'
    )


def test_what_is_unknown_for_another_reason_says_nothing_more() -> None:
    assert [error[:7] for error in _errors('x = missing\nlog.info("{0}", x)\nplot(1)')] == ["CE10272"]


def test_the_second_error_comes_and_goes_with_the_first() -> None:
    text = f'{_HEAD}x = ta.sma(close, 3)\nlog.info("{{0}}", x)\nplot(x)\n'
    program = open_program(text)
    place = text.index("close")
    refused = open_changed(program, document_after(program.document, [Edit(Span(place, place + 5), "true")]))
    mended = open_changed(refused, document_after(refused.document, [Edit(Span(place, place + 4), "close")]))
    assert [each.code for each in refused.diagnostics if each.severity is Severity.ERROR] == ["CE10123", "CE10122"]
    assert [each.code for each in mended.diagnostics if each.severity is Severity.ERROR] == []


_OVERLOADS = "f(simple int x) => 1\nf(series int x) => 'text'\n"


@each("order", [1, -1])
@each("value", ["3", "input.int(3)", "n"])
def test_of_overloads_that_differ_by_qualifier_the_closest_is_meant(order: int, value: str) -> None:
    overloads = "\n".join(_OVERLOADS.splitlines()[::order])
    assert _errors(f"{overloads}\nn = 3\nint a = f({value})\nstring b = f(bar_index)\nplot(a)\nlog.info(b)") == []


@pytest.mark.parametrize(
    "body",
    [
        "x = switch\n    close > open => y = 1, y + 1\n    => z = 2, z\nplot(x)",
        "var n = 0\n"
        "x = switch bar_index\n    1 => n += 1, n\n    2 => label.new(bar_index, close), 5\n    => 0\nplot(x)",
        "var n = 0\nif close > open\n    n += 1, n += 2\n"
        "x = if close > open\n    a = 1, a + 2\nelse\n    b = 3, b\nplot(x)",
    ],
)
def test_an_arm_may_hold_statements_with_commas(body: str) -> None:
    assert _errors(body) == []

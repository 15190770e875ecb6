"""User functions: qualifiers of parameters, instances by argument types, overloads, arguments that do not fit."""

from __future__ import annotations

import pytest

from tests.checker.support import checked, codes, messages, spans, type_of
from tests.tables import each


@each(
    ("script", "expected"),
    [
        ("f(int n) => ta.ema(close, n)\nx = f(5)", []),
        ("f(int n) => ta.ema(close, n)\nx = f(bar_index)", ["CE10123 bar_index"]),
        ("f(int a, int b) => ta.ema(close, a + b)\nx = f(5, 6)", []),
        ("f(int a, int b) => ta.ema(close, a + b)\nx = f(5, bar_index)", ["CE10123 bar_index"]),
        ("f(x, int n) => ta.ema(x, n)\nx = f(close, 5)", []),
        ("f(x, int n) => ta.ema(x, n)\nx = f(close, bar_index)", ["CE10123 bar_index"]),
        ("f(x, int a, int b) => ta.ema(x, a + b)\ng(x, int n) => f(x, n, 3)\ny = g(close, 5)", []),
        ("f(int n) => ta.ema(close, n)\ng(int n) => f(n)\nx = g(bar_index)", ["CE10123 bar_index"]),
        ("f(int n, float s) => ta.ema(s, n)\nx = f(5, close)", []),
        ("f(int n) => n + 1\nx = f(bar_index)", []),
        ("f(series int n) => ta.ema(close, n)", ["CE10123 n"]),
        ("f(simple int n) => n\nx = f(bar_index)", ["CE10123 bar_index"]),
        ("f(const int n) => n\nx = f(input.int(1))", ["CE10123 input.int(1)"]),
        ("f(n) => ta.ema(close, n)\nx = f(5)", []),
        ("f(n) => ta.ema(close, n)\nx = f(bar_index)", ["CE10123 n"]),
        ('f(x, int n) => ta.ema(x, n) + "a"\ny = f(close, 5)', ["CE10123 ta.ema(x, n)"]),
    ],
)
def test_a_typed_parameter_is_series_where_the_body_permits_it_else_simple(script: str, expected: list[str]) -> None:
    assert spans(script) == expected


@pytest.mark.parametrize("depth", [10, 40])
def test_a_chain_of_functions_settles_once(depth: int) -> None:
    chain = "".join(f"f{n}(x, int a, int b) => f{n - 1}(x, a, b)\n" for n in range(1, depth))
    assert codes(f'f0(x, int a, int b) => "a" + a\n{chain}y = f{depth - 1}(close, 1, 2)') == "CE10123"


@each(
    ("script", "expected"),
    [
        ("f(a) => a\nx = f(close)", "series float"),
        ("f(a) => a\nx = f(1)", "const int"),
        ('f(a) => a\nf(1)\nx = f("b")', "const string"),
        ("f(a) => a\nx = f(input.int(1))", "int"),
        ("f(int a) => a\nx = f(1)", "series int"),
        ("f(simple int a) => a\nx = f(1)", "simple int"),
        ("f(a, b = 2) => b\nx = f(1)", "const int"),
        ("f(float a) => a\nx = f(na)", "series float"),
        ("f() =>\n    v = close\n    v > 1\nx = f()", "series bool"),
        ("f(int a) => 1\nf(string a) => close\nx = f(syminfo.ticker)", "series float"),
        ('f(float a) => "s"\nf(int a) => 1\nx = f(1)', "const int"),
        ("import A/B/1\nf(int a) => 1\nf(string a) => close\nx = f(B.g())", "unknown"),
    ],
)
def test_the_result(script: str, expected: str) -> None:
    assert codes(script) == ""
    assert type_of(script, "x") == expected


@each(
    ("call", "expected"),
    [
        ("f()", ["CE10165 f()", "CE10165 f()"]),
        ("f(1)", ["CE10165 f(1)"]),
        ("f(1, 2, 3, 4)", ["CE10115 4"]),
        ("f(1, c = 2, 3)", ["CE10157 3"]),
        ("f(1, 2, d = 3)", ["CE10120 d"]),
        ("f(1, 2, a = 3)", ["CE10072 a = 3"]),
        ("f(1, b = 2, b = 3)", ["CE10072 b = 3"]),
        ('f("a", 2)', ['CE10123 "a"']),
        ("f(1.5, true)", ["CE10123 1.5", "CE10123 true"]),
        ("bar_index.f(2, 3, 4)", ["CE10115 4"]),
        ("bar_index.f(b = 2, b = 3)", ["CE10072 b = 3"]),
    ],
)
def test_arguments_that_do_not_fit(call: str, expected: list[str]) -> None:
    assert spans(f"method f(int a, float b, int c = 1) => a\nx = {call}") == expected


@each(
    ("declarations", "expected"),
    [
        ("f() => 1\nf() => 2", "CE10112"),
        ("f(a) => 1\nf(b) => 2", "CE10113"),
        ("f(int a) => 1\nf(int b) => 2", "CE10110"),
        ("f(int a) => 1\nf(int b, int c = 1) => 2", "CE10111"),
        ("f(int a) => 1\nf(a) => 2", ""),
        ("f(simple int a) => 1\nf(series int a) => 2", ""),
        ("f(int a) => 1\nf(float a) => 2", ""),
        ("f(int a) => 1\nf(int a, int b) => 2", ""),
        ("method f(a) => 1", "method-receiver"),
        ("f(simple a) => 1", "CE10147"),
    ],
)
def test_declarations(declarations: str, expected: str) -> None:
    assert codes(declarations) == expected


def test_the_body_is_reported_once_however_often_it_is_called() -> None:
    assert codes('f(a) => a + true\nx = f(1)\ny = f(2.0)\nz = f("c")') == "CE10123"
    assert messages('f(a) => 1 + true\nx = f(1)\ny = f("b")') == messages("f(a) => 1 + true")


def test_a_function_is_evaluated_once_per_argument_types() -> None:
    program = checked("f(a) => a\nx = f(1)\ny = f(2)\nz = f(3.0)")
    assert len(program.functions["f"][0].frames) == 2


@each(
    ("script", "expected"),
    [
        ("f(a, d) => nz(a, d)\nplot(f(close, na))", ["d"]),
        ("f(a, d) => nz(a, d)\nplot(f(d = (na), a = close))", ["d"]),
        ("f(a, b) => 1\nplot(f(na, na))", ["a", "b"]),
        ("f(a, float d) => nz(a, d)\nplot(f(close, na))", []),
        ("f(a, d = 1) => nz(a, d)\nplot(f(close))", []),
        ("f(a) => nz(a)\nplot(f(close > open ? close : na))", []),
        ("float none = na\nf(a) => nz(a)\nplot(f(none))", []),
        ("method f(float a, d) => nz(a, d)\nplot(close.f(na))", ["d"]),
    ],
)
def test_na_has_no_type_that_a_parameter_could_take(script: str, expected: list[str]) -> None:
    """Recorded message: the parameter is named that needs a type."""
    assert messages(script) == [
        'Cannot call "f" with "na" as a value for a non-typified argument. '
        f'The argument "{name}" should be explicitly typified.'
        for name in expected
    ]

"""User functions: qualifiers of parameters, instances by argument types, overloads, arguments that do not fit."""

from __future__ import annotations

import pytest

from tests.checker.support import checked, codes, messages
from tests.tables import each


@pytest.mark.parametrize("depth", [10, 40])
def test_a_chain_of_functions_settles_once(depth: int) -> None:
    chain = "".join(f"f{n}(x, int a, int b) => f{n - 1}(x, a, b)\n" for n in range(1, depth))
    assert codes(f'f0(x, int a, int b) => "a" + a\n{chain}y = f{depth - 1}(close, 1, 2)') == "CE10123"


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

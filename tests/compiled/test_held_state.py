"""State that machine code holds in registers while it runs over the bars."""

from __future__ import annotations

import ast

import pytest

from pinebench.compiled.held_state import held_functions, offset
from tests.compiled import same

FUNCTIONS = """
def plain(m: P, s: int, x: float) -> float:
    if x != m[s + 1]:
        change_slow(m, s, x)
    write_int(m, s + 2, read_int(m, s + 2) + 1)
    return inner(m, s + 3, x)

def inner(m: P, s: int, x: float) -> float:
    m[s] = m[s] + x
    return m[s]

def change_slow(m: P, s: int, x: float) -> None:
    m[s + 1] = x

def loops(m: P, s: int) -> float:
    for k in range(3):
        m[s + k] = 0.0
    return m[s]

def outer(m: P, s: int) -> float:
    return loops(m, s + 2)

def kept(m: P, s: int) -> int:
    return s + 1
"""


def test_a_state_is_held_if_its_places_are_known_in_each_use() -> None:
    functions = {each.name: each for each in ast.parse(FUNCTIONS).body if isinstance(each, ast.FunctionDef)}
    sizes = {"plain": 4, "inner": 1, "change_slow": 4, "loops": 3, "outer": 5, "kept": 1}
    assert held_functions(functions, sizes) == {"plain": 4, "inner": 1}


@pytest.mark.parametrize(("text", "places"), [("s", 0), ("s + 2", 2), ("s + 2 + 3", 5), ("s + k", None), ("2", None)])
def test_the_offset_of_a_place(text: str, places: int | None) -> None:
    assert offset(ast.parse(text, mode="eval").body) == places


def test_a_state_is_the_same_after_each_rare_path() -> None:
    same.both(
        "indicator('x')\n"
        "source = bar_index % 50 > 40 ? na : close\n"
        "n = bar_index < 100 ? 5 : bar_index % 60 < 30 ? 8 : 12\n"
        "f(x, k) => ta.ema(x, k) + ta.sma(x, 3)\n"
        "plot(ta.ema(source, 9))\n"
        "plot(ta.rma(source, 4) + f(source, 5))\n"
        "plot(ta.sma(source, n))\n"
        "plot(bar_index % 3 == 0 ? ta.rsi(source, 5) : f(close, 7))\n"
        "[a, b, c] = ta.macd(source, 5, 9, 4)\n"
        "plot(a + b + c)\n"
        "plot(ta.crossover(source, ta.sma(source, 5)) ? 1 : 0)\n"
        "plot(ta.crossunder(source, ta.sma(source, 5)) ? 1 : 0)\n"
        "plot(ta.ema(ta.change(source), 1))\n"
    )

"""`math.*` as recorded probes of TradingView have it."""

import math
import random
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.runtime.library import CONTEXT_FUNCTIONS, FUNCTIONS, numbers
from tests.runtime.library.drive import na, run, same

round_to, round_whole = FUNCTIONS["math.round#7"], FUNCTIONS["math.round#3"]


@pytest.mark.parametrize(
    ("number", "precision", "expected"),
    [
        pytest.param(2.125, 2, 2.13, id="law-16"),
        pytest.param(-2.125, 2, -2.13, id="law-16-negative"),
        pytest.param(13.887175, 5, 13.88718, id="tie-within-the-tolerance"),
        pytest.param(63.986275, 5, 63.98627, id="tie-beyond-the-tolerance"),
        pytest.param(1234.5678, -2, 1235.0, id="negative-precision-is-whole"),
        pytest.param(2.5, 0, 3.0, id="K9"),
        pytest.param(-0.00001, 2, 0.0, id="no-negative-zero"),
    ],
)
def test_round_with_a_precision(number: float, precision: int, expected: float) -> None:
    assert round_to(number, precision) == expected


@pytest.mark.parametrize(
    ("number", "expected"), [(2.5, 3), (-2.5, -3), (452523.49999999994, 452523), (2.0**52 + 1, 2**52 + 1)]
)
def test_k9_round_halves_away_from_zero(number: float, expected: int) -> None:
    assert round_whole(number) == expected


def test_what_is_missing_stays_missing() -> None:
    for name in ("abs", "ceil", "cos", "exp", "floor", "log", "log10", "sign", "sin", "sqrt", "tan", "asin", "acos"):
        assert same(FUNCTIONS[f"math.{name}"](na), na), name
    assert same(round_to(na, 2), na)
    assert same(round_whole(na), na)
    assert same(FUNCTIONS["math.max"](1, na, 3), na)
    assert same(FUNCTIONS["math.min"](na, 3), na)
    assert same(FUNCTIONS["math.pow"](na, 2), na)


def test_p12_floor_of_an_infinity_is_an_infinity() -> None:
    assert FUNCTIONS["math.floor"](math.inf) == math.inf


def test_division_and_overflow_are_no_errors() -> None:
    assert same(FUNCTIONS["math.sqrt"](-1), na)
    assert same(FUNCTIONS["math.log"](-1), na)
    assert FUNCTIONS["math.log"](0) == -math.inf
    assert FUNCTIONS["math.exp"](77674) == math.inf
    assert FUNCTIONS["math.pow"](10, 400) == math.inf
    assert FUNCTIONS["math.pow"](0, -1) == math.inf
    assert same(FUNCTIONS["math.pow"](-8, 1 / 3), na)


@given(st.floats(-1e6, 1e6))
def test_squares_and_roots_are_products_and_roots(x: float) -> None:
    assert FUNCTIONS["math.pow"](x, 2) == x * x
    assert FUNCTIONS["math.pow"](abs(x), 0.5) == math.sqrt(abs(x))


def test_average_compensates_from_three_numbers_on() -> None:
    assert FUNCTIONS["math.avg"](1e16, 1.0) == 5e15
    assert FUNCTIONS["math.avg"](1e16, 1.0, 1.0, -1e16) == 0.5


@pytest.mark.parametrize(
    ("number", "mintick", "expected"),
    [
        (19999.585, 0.01, 19999.59),
        (16384.245, 0.01, 16384.24),
        (-1.075, 0.01, -1.08),
        (10.0125, 0.025, 10.025),
        (7.3, 5.0, 5.0),
    ],
)
def test_round_to_mintick_decides_ties_on_the_exact_product(number: float, mintick: float, expected: float) -> None:
    context = SimpleNamespace(symbol=SimpleNamespace(mintick=mintick))
    assert CONTEXT_FUNCTIONS["math.round_to_mintick"](context, number) == expected


@pytest.mark.parametrize("tick", [0.01, 0.05, 0.5, 0.25, 0.0005, 2.5, 5.0, 1 / 32, 0.3, 9765625.0])
def test_ties_between_two_ticks_are_decided_as_whole_numbers_decide_them(tick: float) -> None:
    chance = random.Random(1032)
    move, scale = numbers.tick_ratio(tick)
    for _ in range(400):
        tie = (chance.randrange(10 ** chance.randrange(1, 9)) + 0.5) * move / scale
        near = math.nextafter(tie, chance.choice([0.0, math.inf])) if chance.random() < 0.5 else tie
        number = chance.choice([-1.0, 1.0]) * (near + chance.choice([0.0, 0.0, 1e-10, -1e-10, 3e-12]) * tick)
        assert numbers.round_to_tick(number, move, scale) == numbers.exactly_rounded(number, move, scale)


@given(st.floats(2.0**-60, 2.0**60), st.floats(2.0**-60, 2.0**60))
def test_a_product_and_its_rest_are_the_exact_product(left: float, right: float) -> None:
    exact = Fraction(left) * Fraction(right)
    assert Fraction(left * right) + Fraction(numbers.rest_of_product(left, right)) == exact


def test_random_is_the_same_for_the_same_seed() -> None:
    first = run("math.random", 0.0, 10.0, [7] * 5)
    assert first == run("math.random", 0.0, 10.0, [7] * 5)
    assert first != run("math.random", 0.0, 10.0, [8] * 5)
    assert all(0 <= value < 10 for value in first)


def test_random_draws_the_numbers_of_javas_generator() -> None:
    assert run("math.random", 0.0, 1.0, [42] * 2) == [0.7275636800328681, 0.6832234717598454]


def _sums(source: list[float], n: int) -> list[float]:
    """The law of the rolling sum, step by step as it was measured, with the whole history at hand."""
    entries: list[float] = []
    shown: list[float] = []
    s = c = 0.0
    for i, x in enumerate(source):
        size = abs(c)
        if c and size - ((x + size) - x) > 0:
            s, c = 0.0, 0.0
            for value in reversed(source[max(0, i - n + 1) : i + 1]):
                s += value
            entries.append(x)
        elif i >= n:
            y1 = -entries[i - n] - c
            t = s + y1
            y2 = x - ((t - s) - y1)
            s = t + y2
            c = (s - t) - y2
            entries.append(y2)
        else:
            y = x - c
            t = s + y
            c = (t - s) - y
            s = t
            entries.append(y)
        shown.append(s if i >= n - 1 else na)
    return shown


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.integers(1, 6))
def test_k2_math_sum_corrects_itself_as_tradingviews_does(source: list[float], n: int) -> None:
    assert same(run("math.sum", source, n), _sums(source, n))
    assert same(run("math.sum", source, n, series_length=True), _sums(source, n))
    assert same(run("ta.sma", source, n), [value / n for value in _sums(source, n)])


def test_k2_math_sum_is_not_plain_addition() -> None:
    source = [0.1 * k for k in range(1, 40)]
    plain = [a + b + c for a, b, c in zip(source, source[1:], source[2:], strict=False)]
    assert run("math.sum", source, 3)[2:] != plain

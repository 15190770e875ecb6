"""Every built-in of `ta.*` gives a number or na on bars that strain its arithmetic; none stops with Python's errors."""

import math
import re
from pathlib import Path

import pytest

from tests.extreme_bars import KINDS, extreme_bars
from tests.runtime.library.drive import run
from tests.runtime.running import runtime_of, values
from tests.script_files import script_cases

na = float("nan")
SOURCES = ("close", "hl2", "close - open", "close * close * close", "bar_index % 40 < 20 ? 0.1 : close")
CALLS = [
    re.sub(r"\bn\b", "5", call)
    for case in script_cases(Path(__file__).parents[2] / "stateful_calls.txt")
    for call in case.script.split("\n")
]
TUPLES = {
    "ta.macd(source, 5, 9, 4)": 3,
    "ta.bb(source, 5, 2)": 3,
    "ta.kc(source, 5, 1.5)": 3,
    "ta.dmi(5, 5)": 3,
    "ta.supertrend(2, 5)": 2,
    'ta.vwap(source, timeframe.change("D"), 2)': 3,
}
ARRAYS = ("array.avg", "array.stdev", "array.variance", "array.range", "array.median", "array.mode", "array.sum")


def scripts(source: str) -> list[str]:
    """Scripts that plot every built-in of a source. One script has at most 64 plots."""
    lines = [f"source = {source}"]
    for number, (call, count) in enumerate(TUPLES.items()):
        names = [f"t{number}_{k}" for k in range(count)]
        lines += [f"[{', '.join(names)}] = {call}", *(f"plot({name})" for name in names)]
    parts = (CALLS[:50], CALLS[50:])
    return ["\n".join([f"source = {source}", *(f"plot({call})" for call in part)]) for part in parts] + [
        "\n".join(lines)
    ]


def array_script(source: str) -> str:
    """A script that plots functions of arrays and matrices with the last values of a source."""
    lines = [f"source = {source}", "kept = array.new<float>()", "other = array.new<float>()"]
    lines += ["kept.push(source)", "other.push(volume)", "if kept.size() > 6", "    kept.shift()", "    other.shift()"]
    lines += [f"plot({call}(kept))" for call in ARRAYS]
    lines += ["plot(array.covariance(kept, other))", "plot(array.standardize(kept).last())"]
    lines += ["plot(array.percentrank(kept, 0))", "plot(array.percentile_linear_interpolation(kept, 40))"]
    lines += ["table = matrix.new<float>(2, 2, source)", "table.set(0, 1, volume)", "table.set(1, 0, open)"]
    lines += ["plot(table.det())", "plot(table.inv().get(0, 0))", "plot(table.pinv().get(0, 0))"]
    lines += ["plot(table.eigenvalues().last())", "plot(table.eigenvectors().get(0, 0))", "plot(table.rank())"]
    return "\n".join(lines)


@pytest.mark.parametrize("kind", KINDS)
def test_every_built_in_gives_a_number_or_na(kind: str) -> None:
    for source in SOURCES:
        for script in scripts(source):
            result = runtime_of(script, extreme_bars(kind)).run()
            assert result.error is None, (source, result.error)


@pytest.mark.parametrize("kind", KINDS)
def test_functions_of_arrays_and_matrices_give_a_number_or_na(kind: str) -> None:
    for source in SOURCES:
        result = runtime_of(array_script(source), extreme_bars(kind, 150)).run()
        assert result.error is None, (source, result.error)


@pytest.mark.parametrize("kind", KINDS)
def test_a_money_flow_index_is_from_0_to_100(kind: str) -> None:
    for seed in range(6):
        for length in (2, 5, 14):
            for value in values(f"plot(ta.mfi(hl2, {length}))", extreme_bars(kind, seed=seed)):
                assert value is None or 0 <= value <= 100, (kind, seed, length, value)


def test_a_side_without_flow_is_exactly_0_in_the_money_flow_index() -> None:
    prices = [100.0, 100.1, 100.3, 100.2, *[100.2] * 8, 100.4, *[100.4] * 8, 100.1, *[100.1] * 8]
    volumes = [1e9 / (number + 3) for number in range(len(prices))]
    found = run("ta.mfi", prices, 3, read={"volume": volumes})
    assert found[7:12] == [100.0] * 5  # nothing flowed: no outflow either
    assert found[12:15] == [100.0] * 3
    assert found[21:24] == [0.0] * 3


def test_a_money_flow_of_equal_sides_with_other_signs_is_an_infinity_and_no_error() -> None:
    # Prices below 0 give flows below 0: 1 + inflow / outflow is 0, and 100 / 0 is infinite.
    found = run("ta.mfi", [-4.0, 2.0, -2.0], 2, read={"volume": [1.0, 1.0, 1.0]})
    assert found[2] == -math.inf


@pytest.mark.parametrize("kind", KINDS)
def test_a_chande_momentum_oscillator_is_from_minus_100_to_100_and_na_if_nothing_moved(kind: str) -> None:
    bars = extreme_bars(kind)
    length = 4
    found = values(f"plot(ta.cmo(close, {length}))", bars)
    for i in range(length + 1, len(bars)):
        window = bars.close[i - length : i + 1]
        value = found[i]
        if all(price == window[0] for price in window):
            assert value is None, (i, value)
        assert value is None or -100 <= value <= 100, (i, value)


def test_infinities_as_arguments_have_a_result() -> None:
    closes = [1.0, 2.0, 1.5, 3.0]
    assert values("plot(math.random(0, 1, int(1 / (close - close))))", closes)[0] is not None
    assert values("plot(ta.alma(close, 3, 1e300, 6, true))", closes)[-1] is None
    assert not math.isfinite(run("ta.linreg", closes, 3, math.inf)[-1])
    assert values("plot(math.round_to_mintick(close * 1e308))", [1.0])[0] == 1e308


def test_a_matrix_whose_squares_leave_the_range_of_numbers_has_a_rank() -> None:
    lines = ["table = matrix.new<float>(2, 2, 0)", "table.set(0, 0, 1e-200)", "table.set(1, 1, 1e200)"]
    found = values("\n".join([*lines, "table.pinv()", "plot(table.rank())"]), [1.0])
    assert found[0] in (0, 1, 2)

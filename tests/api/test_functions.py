"""Functions of Pine on whole columns are what a script computes."""

import numpy
import pytest

import pinebench as pb

BARS = pb.bars("sample:AAPL@60x300")
LIBRARY = """//@version=6
library("Means")
export twice(float source, simple int length = 2) =>
    2 * ta.sma(source, length)
export ends(int length) =>
    [ta.highest(length), close > open]
"""


def values(expression: str) -> numpy.ndarray:
    done = pb.run(f'//@version=6\nindicator("")\nplot({expression}, "x")', BARS)
    return done.to_numpy()["x"]


@pytest.mark.parametrize(
    ("function", "arguments", "expression"),
    [
        ("ta.rsi", ("close", 14), "ta.rsi(close, 14)"),
        ("ta.atr", (14,), "ta.atr(14)"),
        ("math.max", ("open", "close"), "math.max(open, close)"),
        ("nz", ("close[1]", -1), "nz(close[1], -1)"),
    ],
)
def test_a_built_in_is_called_as_in_a_script(function: str, arguments: tuple[object, ...], expression: str) -> None:
    numpy.testing.assert_array_equal(pb.indicator(function, BARS, *arguments), values(expression))


def test_numbers_of_numpy_are_numbers() -> None:
    number, length = numpy.array([0.5])[0], numpy.int64(14)
    numpy.testing.assert_array_equal(pb.indicator("ta.sma", BARS, "close", length), values("ta.sma(close, 14)"))
    numpy.testing.assert_array_equal(
        pb.indicator("math.max", BARS, number, "close - open"), values("math.max(0.5, close - open)")
    )


def test_tuples_give_tuples_and_truth_values_give_bools() -> None:
    line, direction = pb.indicator("ta.supertrend", BARS, factor=2, atrPeriod=5)
    assert set(direction.tolist()) <= {-1.0, 1.0} and numpy.isfinite(line[10:]).all()
    crossed = pb.indicator("ta.crossover", BARS, "close", "open")
    assert crossed.dtype == bool
    numpy.testing.assert_array_equal(crossed, values("ta.crossover(close, open) ? 1 : 0") == 1)


def test_a_series_of_ones_own_is_an_argument_na_and_all() -> None:
    rsi = pb.indicator("ta.rsi", BARS, "close", 14)
    assert numpy.isnan(rsi[0])
    for given in (rsi, list(rsi), [None if value != value else value for value in rsi]):
        numpy.testing.assert_array_equal(pb.indicator("ta.ema", BARS, given, 5), values("ta.ema(ta.rsi(close, 14), 5)"))
    both = pb.indicator("math.max", BARS, rsi, rsi + 1)
    numpy.testing.assert_array_equal(both, rsi + 1)
    with pytest.raises(pb.UsageError, match="a series has 3 values, and there are 300 bars"):
        pb.indicator("ta.ema", BARS, [1, 2, 3], 5)


def test_exported_functions_of_a_library() -> None:
    numpy.testing.assert_array_equal(
        pb.indicator("twice", BARS, "close", 3, library=LIBRARY), values("2 * ta.sma(close, 3)")
    )
    high, is_up = pb.indicator("ends", BARS, 5, library=LIBRARY)
    numpy.testing.assert_array_equal(high, values("ta.highest(5)"))
    numpy.testing.assert_array_equal(is_up, values("close > open ? 1 : 0") == 1)


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        ("ta.rsy", ("close", 14), "ta.rsy"),
        ("ta.rsi", ("close",), "length"),
        ("ta.rsi", ("close", "close"), "length"),
        ("ta.rsi(close, 14) + ta.rsi", ("close", 14), "is not the name of a function"),
        ("label.new", (1, 1), "label"),
    ],
)
def test_a_wrong_call_is_told(function: str, arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(pb.UsageError, match=words.replace("(", r"\(")):
        pb.indicator(function, BARS, *arguments)

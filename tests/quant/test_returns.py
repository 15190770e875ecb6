"""Statistics of returns, against values worked by hand and pandas."""

import math
import random

import pandas
import pytest

from pinebench.market import SymbolInfo
from pinebench.quant import returns
from pinebench.quant.figure import Statistic

NAN = math.nan
DAY = 86_400_000


def walk(count: int, seed: int = 1) -> list[float]:
    """Closes of a random walk."""
    draw, closes = random.Random(seed), [100.0]
    for _ in range(count - 1):
        closes.append(closes[-1] * (1 + draw.gauss(0.0003, 0.01)))
    return closes


def test_returns_by_hand() -> None:
    found = returns.returns_of([100, 110, 99, 99])
    assert found.values == pytest.approx([0.1, -0.1, 0.0])
    assert found.places == [1, 2, 3] and (found.na, found.gaps) == (0, 0)
    assert returns.returns_of([]).values == returns.returns_of([5]).values == []


def test_a_price_that_is_not_there_gives_no_return() -> None:
    found = returns.returns_of([100, NAN, 121, 0, 100, -5, math.inf, 100, 101])
    assert found.values == pytest.approx([0.01]) and found.places == [8]
    assert found.na == 7


def test_a_gap_gives_no_return() -> None:
    always = SymbolInfo(timeframe="1D", session="24x7")
    share = SymbolInfo(timeframe="1D", session="0930-1600:23456", type="stock")
    times = [0, DAY, 4 * DAY, 5 * DAY, 15 * DAY]
    closes = [1.0, 2.0, 4.0, 8.0, 16.0]
    over = returns.returns_of(closes, times, returns.longest_step(always))
    assert over.places == [1, 3] and over.gaps == 2
    assert returns.returns_of(closes, times, returns.longest_step(share)).places == [1, 2, 3]
    assert returns.longest_step(SymbolInfo(timeframe="1T")) is None
    month = returns.longest_step(SymbolInfo(timeframe="1M"))
    assert month is not None and 31 * DAY < month < 59 * DAY


def test_statistics_by_hand() -> None:
    told = returns.statistics([0.1, -0.1, 0.3])
    assert told["mean"].value == pytest.approx(0.1)
    assert told["deviation"].value == pytest.approx(0.2)  # the squares are 0, 0.04 and 0.04, and 0.08 / 2 is 0.04
    assert told["mean_to_deviation"].value == pytest.approx(0.5)
    assert told["t_of_mean"].value == pytest.approx(0.5 * math.sqrt(3))
    assert told["skewness"].value == pytest.approx(0, abs=1e-12)
    assert told["positive"].value == pytest.approx(2 / 3)
    assert (told["best"].value, told["worst"].value) == (0.3, -0.1)
    assert told["excess_kurtosis"] == Statistic(None, "needs 4 returns, and there are 3")


def test_statistics_as_pandas_has_them() -> None:
    values = returns.returns_of(walk(400)).values
    told, series = returns.statistics(values), pandas.Series(values)
    assert told["mean"].value == pytest.approx(series.mean())
    assert told["deviation"].value == pytest.approx(series.std())
    assert told["skewness"].value == pytest.approx(series.skew())
    assert told["excess_kurtosis"].value == pytest.approx(series.kurt())


@pytest.mark.parametrize("values", [[], [0.1], [0.1, 0.1], [0.0] * 50, [0.1] * 4])
def test_what_cannot_be_known_has_a_reason(values: list[float]) -> None:
    told = returns.statistics(values)
    unknown = {name for name, figure in told.items() if figure.value is None}
    assert {"skewness", "excess_kurtosis", "mean_to_deviation", "t_of_mean"} <= unknown
    assert all(told[name].why for name in unknown)


def test_autocorrelation_by_hand_and_as_numpy_has_it() -> None:
    values = [0.01, -0.01] * 10
    # Each of the 19 products is -0.0001, and the squares are 20 times 0.0001.
    found = returns.autocorrelation(returns.Returns(values, list(range(1, 21))))
    assert found.value == pytest.approx(-19 / 20)
    closes = walk(300)
    own = returns.returns_of(closes)
    series = pandas.Series(own.values) - pandas.Series(own.values).mean()
    for lag in (1, 2, 5):
        expected = (series * series.shift(-lag)).sum() / (series**2).sum()
        assert returns.autocorrelation(own, lag).value == pytest.approx(expected)
    assert returns.noise_band(100).value == pytest.approx(0.196)


def test_returns_on_both_sides_of_a_gap_are_no_pair() -> None:
    own = returns.Returns([0.01, -0.01] * 10, [2 * place for place in range(20)])
    assert returns.autocorrelation(own) == Statistic(None, "there are no two returns 1 bars apart")
    assert returns.autocorrelation(own, 2).value is not None
    few = returns.Returns([0.01] * 3, [1, 2, 3])
    assert returns.autocorrelation(few).why == "needs 20 returns, and there are 3"
    assert returns.autocorrelation(returns.Returns([0.01] * 30, list(range(30)))).why == "all returns are the same"


def test_z_score_by_hand_and_as_pandas_has_it() -> None:
    assert returns.z_score([9, 1, 2, 3], 3).value == pytest.approx(1)
    closes = walk(60)
    seen = pandas.Series(closes[-20:])
    expected = (closes[-1] - seen.mean()) / seen.std()
    assert returns.z_score(closes, 20).value == pytest.approx(expected)
    assert returns.z_score([1, 1, 1], 3).why == "all prices are the same"
    assert returns.z_score([1, NAN, 1], 3).why == "one of the last 3 values is na"
    assert returns.z_score([1, 2], 3).why == "needs 3 values, and there are 2"


def test_momentum() -> None:
    assert returns.momentum([100, 105, 110], 2).value == pytest.approx(0.1)
    assert returns.momentum([100, 105], 2).value is None
    assert returns.momentum([0, 105], 1).why == "a price is na or not positive"


def test_bars_that_rest_on_weekends_keep_their_mondays_whatever_the_session_says() -> None:
    monday = 4 * DAY  # 5 January 1970
    days = [monday + day * DAY for day in range(60) if day % 7 < 5]
    hours = [day + hour * DAY // 24 for day in days for hour in range(14, 21)]
    always = [monday + day * DAY for day in range(60)]
    cases = [("1D", days, True), ("60", hours, True), ("1D", always, False), ("1D", days[:5], False)]
    for frame, times, rests in cases:
        symbol = SymbolInfo(timeframe=frame)
        longest = returns.longest_step(symbol, times)
        found = returns.returns_of([100.0 + n for n in range(len(times))], times, longest)
        assert found.gaps == 0, frame
        assert (longest == returns.longest_step(symbol)) is not rests, frame
    gone = [time for time in always if time // DAY not in (30, 31, 32)]
    assert returns.returns_of([1.0] * len(gone), gone, returns.longest_step(SymbolInfo(timeframe="1D"), gone)).gaps == 1

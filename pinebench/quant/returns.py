"""Returns of bars, and their statistics: moments, autocorrelation, z-score, and momentum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.calendars.timeframes import timeframe
from pinebench.market import SymbolInfo
from pinebench.quant.figure import (
    Figures,
    Statistic,
    deviation,
    is_flat,
    known,
    mean,
    quotient,
    squares,
    standardized,
    too_few,
    total,
    unknown,
)
from pinebench.quant.weekdays import open_days, rests_against_its_session

_FLAT = "all returns are the same"
_NO_SCALE = "the numbers are too large or too small to compare"
_FLAT_PRICES = "all prices are the same"
_DAY_MS = 86_400_000
_CLOSED_MS = 5 * _DAY_MS
"""The longest time that a market is closed for a weekend and holidays next to it."""
LEAST_FOR_LAGS = 20


class Returns(NamedTuple):
    """Simple returns. `places` are the indexes of the bars at whose close they end, in ascending order.

    Some pairs of neighbouring bars have no return. `na` counts the pairs with a close that is na or not positive.
    `gaps` counts the pairs with more time between the bars than closed hours explain.
    """

    values: list[float]
    places: list[int]
    na: int = 0
    gaps: int = 0

    def last(self, count: int) -> list[float]:
        """Return the last `count` returns, or all if there are fewer."""
        return self.values[-count:] if count > 0 else []


def returns_of(closes: Sequence[float], times: Sequence[int] = (), longest: int | None = None) -> Returns:
    """Return the simple returns from each close to the next. A pair of closes has no return if one of them is na or not
    positive, or if more than `longest` milliseconds lie between their `times`."""
    values: list[float] = []
    places: list[int] = []
    na = gaps = 0
    for at in range(1, len(closes)):
        before, after = closes[at - 1], closes[at]
        if not (0 < before < math.inf and 0 < after < math.inf):
            na += 1
        elif longest is not None and times[at] - times[at - 1] > longest:
            gaps += 1
        else:
            values.append(after / before - 1)
            places.append(at)
    return Returns(values, places, na, gaps)


def longest_step(symbol: SymbolInfo, times: Sequence[int] = ()) -> int | None:
    """Return the longest time between two neighbouring bars without a gap, in milliseconds; None for bars of ticks.

    For a market that trades every day, it is the length of a bar. For other markets, it is five days longer, to allow
    for a weekend with holidays. Monthly bars may be a tenth longer than a month. `times` (opening times in milliseconds
    UTC) show whether a market rests on weekends although its session is said to be always open.
    """
    frame = timeframe(symbol.timeframe)
    if frame.unit == "T":
        return None
    step = frame.seconds * 1000
    if frame.unit == "M":
        return step * 11 // 10
    is_always_open = open_days(symbol) == 7 and not rests_against_its_session(symbol, times)
    return step if is_always_open else step + _CLOSED_MS


def statistics(values: Sequence[float]) -> Figures:
    """Return statistics of returns.

    `mean` and `deviation` are per bar. `skewness` and `excess_kurtosis` are the adjusted sample figures (a normal
    distribution has 0); they need 3 and 4 returns. `mean_to_deviation` is the mean divided by the deviation, and
    `t_of_mean` is the t-statistic of the mean: with |t| below 2 the mean does not differ significantly from 0. `best`,
    `worst` and `positive` (the share of returns above 0, 0 to 1) describe the sample.
    """
    count = len(values)
    if not count:
        nothing = unknown("there are no returns")
        names = ("mean", "deviation", "skewness", "excess_kurtosis", "mean_to_deviation", "t_of_mean")
        return dict.fromkeys((*names, "best", "worst", "positive"), nothing)
    middle = mean(values)
    spread = deviation(values) if count > 1 else 0.0
    few = too_few(count, 2, "returns")
    return {
        "mean": known(middle),
        "deviation": known(spread) if count > 1 else few,
        "skewness": _skewness(values),
        "excess_kurtosis": _kurtosis(values),
        "mean_to_deviation": quotient(middle, spread, _FLAT) if count > 1 else few,
        "t_of_mean": quotient(middle * math.sqrt(count), spread, _FLAT) if count > 1 else few,
        "best": known(max(values)),
        "worst": known(min(values)),
        "positive": known(len([each for each in values if each > 0]) / count),
    }


def _skewness(values: Sequence[float]) -> Statistic:
    count = len(values)
    if count < 3:
        return too_few(count, 3, "returns")
    if is_flat(values):
        return unknown(_FLAT)
    distances = standardized(values)
    if distances is None:
        return unknown(_NO_SCALE)
    return known(mean([each**3 for each in distances]) * math.sqrt(count * (count - 1)) / (count - 2))


def _kurtosis(values: Sequence[float]) -> Statistic:
    count = len(values)
    if count < 4:
        return too_few(count, 4, "returns")
    if is_flat(values):
        return unknown(_FLAT)
    distances = standardized(values)
    if distances is None:
        return unknown(_NO_SCALE)
    plain = mean([each**4 for each in distances]) - 3
    return known(((count + 1) * plain + 6) * (count - 1) / ((count - 2) * (count - 3)))


def autocorrelation(found: Returns, lag: int = 1) -> Statistic:
    """Return the correlation of the returns `found` with the returns `lag` bars later.

    It is the sum of the products of their distances from the mean, divided by the sum of the squares of all distances.
    Only returns that are exactly `lag` bars apart are paired. `lag` must be at least 1. The figure needs 20 returns,
    and at least `lag` + 2.
    """
    values = found.values
    if len(values) < max(LEAST_FOR_LAGS, lag + 2):
        return too_few(len(values), max(LEAST_FOR_LAGS, lag + 2), "returns")
    if is_flat(values):
        return unknown(_FLAT)
    middle = mean(values)
    at = dict(zip(found.places, values, strict=True))
    products = [(each - middle) * (at[place + lag] - middle) for place, each in at.items() if place + lag in at]
    if not products:
        return unknown(f"there are no two returns {lag} bars apart")
    return quotient(total(products), squares(values), _NO_SCALE)


def noise_band(count: int) -> Statistic:
    """Return the size below which an autocorrelation of `count` returns may be noise: 1.96 / √count."""
    return known(1.96 / math.sqrt(count)) if count >= LEAST_FOR_LAGS else too_few(count, LEAST_FOR_LAGS, "returns")


def z_score(values: Sequence[float], window: int) -> Statistic:
    """Return the distance of the last value from the mean of the last `window` values, in units of their standard
    deviation.

    The last value is one of them. The figure is unknown if there are too few values (at least 2 are needed), if one of
    the last `window` is na, or if all of them are equal.
    """
    if window < 2 or len(values) < window:
        return too_few(len(values), max(window, 2), "values")
    seen = values[-window:]
    if not all(map(math.isfinite, seen)):
        return unknown(f"one of the last {window} values is na")
    return quotient(seen[-1] - mean(seen), deviation(seen), _FLAT_PRICES)


def momentum(closes: Sequence[float], bars: int) -> Statistic:
    """Return the return from the close `bars` bars ago to the last close."""
    if bars < 1 or len(closes) <= bars:
        return too_few(len(closes), bars + 1, "bars")
    before, after = closes[-1 - bars], closes[-1]
    if not (0 < before < math.inf and 0 < after < math.inf):
        return unknown("a price is na or not positive")
    return known(after / before - 1)

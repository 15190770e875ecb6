"""Measures of variation: deviations, bands, regression, and true range."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import isfinite, sqrt, trunc
from operator import add, mul
from typing import Any

from pinebench.runtime.library.averages import Ema, Rma
from pinebench.runtime.library.kernel import HISTORY_LIMIT, NA, TOLERANCE, BarWindow, Kernel, Ring, checked_window
from pinebench.runtime.library.sums import Sma, Sum
from pinebench.runtime.library.windows import checked_or_1, distances, numpy_for, weighted
from pinebench.totals import total


class Variance(Kernel):
    """`ta.variance(source, length, biased)`: at least 0; na for the unbiased variance of a single value."""

    fixed = (1, 2)
    values: Sum
    squares: Sum

    def __call__(self, i: int, source: float, length: float, biased: bool = True) -> float:
        sum_ = self.values(i, source, length)
        squares = self.squares(i, source * source, length)
        if sum_ != sum_:
            return NA
        n = self.values.length
        mean = sum_ / n
        if biased:
            return max(0.0, squares / n - mean * mean)
        if n == 1:
            return NA
        return max(0.0, squares / (n - 1) - sum_ * mean / (n - 1))

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length, biased = series
        sums = self.values.column(bars, (source, length))
        squares = self.squares.column(bars, ([price * price for price in source[:bars]], length))
        n = self.values.length
        pairs = zip(sums, squares, strict=True)
        if biased:
            return [_variance(square / n - (sum_ / n) * (sum_ / n)) if sum_ == sum_ else NA for sum_, square in pairs]
        if n == 1:
            return [NA] * bars
        less = n - 1
        return [_variance(square / less - sum_ * (sum_ / n) / less) if sum_ == sum_ else NA for sum_, square in pairs]


def _variance(value: float) -> float:
    return max(0.0, value)


class Stdev(Variance):
    """`ta.stdev(source, length, biased)`: the square root of the variance."""

    def __call__(self, i: int, source: float, length: float, biased: bool = True) -> float:
        return sqrt(Variance.__call__(self, i, source, length, biased))

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        return list(map(sqrt, super().at_once(bars, series)))


class Dev(BarWindow):
    """`ta.dev(source, length)`: the mean distance from the average, summed from the newest bar to the oldest."""

    function = "dev"
    fixed = (1,)
    mean: Sma

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        mean = self.mean(i, source, length)
        values = self.write(i, source)
        n = self.length
        if mean != mean or len(values) < n:
            return NA
        return total([abs(value - mean) for value in reversed(values[-n:])]) / n

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        found = self.columns(bars, series)
        return None if found is None else found[1]

    def columns(self, bars: int, series: Sequence[Any]) -> tuple[list[float], list[float]] | None:
        """Return the averages and the mean distances from them, or None if they must be computed bar by bar."""
        numpy = not self.series_length and numpy_for(bars * checked_or_1(series[1]))
        if not numpy:
            return None
        source, length = series
        self.change_length(length)
        n = self.length
        means = self.mean.column(bars, series)
        away = [NA] * (n - 1) + (distances(source[:bars], means, n, numpy) / n).tolist()
        self.passed(bars, source)
        return means, away[:bars]


class Cci(Kernel):
    """`ta.cci(source, length)`: the distance from the average, divided by 0.015 times the mean distance. It is 0 if the
    mean distance is 0."""

    fixed = (1,)
    distance: Dev

    def __call__(self, i: int, source: float, length: float) -> float:
        distance = self.distance(i, source, length)
        if distance != distance:
            return NA
        mean = self.distance.mean
        below = 0.015 * distance
        return (source - mean.sum / mean.length) / below if below else 0.0

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        found = self.distance.columns(bars, series)
        if found is None:
            return None
        rows = zip(series[0], *found, strict=False)
        return [
            NA if away != away else (price - mean) / (0.015 * away) if 0.015 * away else 0.0
            for price, mean, away in rows
        ]


class Bb(Kernel):
    """`ta.bb(series, length, mult)`: the average, the upper and the lower band."""

    fixed = (1, 2)
    mean: Sma
    deviation: Stdev

    def __call__(self, i: int, source: float, length: float, mult: float) -> tuple[float, float, float]:
        mean = self.mean(i, source, length)
        width = mult * self.deviation(i, source, length)
        return mean, mean + width, mean - width

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length, mult = series
        means = self.mean.column(bars, (source, length))
        widths = [mult * deviation for deviation in self.deviation.column(bars, (source, length, True))]
        return [(mean, mean + width, mean - width) for mean, width in zip(means, widths, strict=True)]


class Bbw(Kernel):
    """`ta.bbw(series, length, mult)`: the width of the bands in percent of the average."""

    bands: Bb

    def __call__(self, i: int, source: float, length: float, mult: float) -> float:
        mean, upper, lower = self.bands(i, source, length, mult)
        return (upper - lower) / mean * 100 if mean else NA


def true_range(high: float, low: float, before: float) -> float:
    """Return the true range of a bar; `before` is the close of the bar before. The result is na if `before` is na."""
    if before != before:
        return NA
    widest = high - low
    up = high - before
    if up < 0:
        up = -up
    if up > widest:
        widest = up
    down = low - before
    if down < 0:
        down = -down
    return down if down > widest else widest


class Tr(Kernel):
    """`ta.tr(handle_na)`: the true range. With `handle_na`, it is high minus low if the close before is na."""

    reads = ("high", "low", "close[1]")

    def __call__(self, i: int, handle_na: bool, high: float, low: float, before: float) -> float:
        if handle_na and before != before:
            return high - low
        return true_range(high, low, before)


class TrVariable(Kernel):
    """The variable `ta.tr`: na on the first bar."""

    reads = ("high", "low", "close[1]")

    def __call__(self, i: int, high: float, low: float, before: float) -> float:
        return true_range(high, low, before)


class _AtrAverage(Rma):
    function = "atr"


class Atr(Kernel):
    """`ta.atr(length)`: the `ta.rma` average of the true range; on the first bar, this is high minus low."""

    reads = ("high", "low", "close[1]")
    fixed = (0,)
    mean: _AtrAverage

    def __call__(self, i: int, length: float, high: float, low: float, before: float) -> float:
        return self.mean(i, true_range(high, low, before) if before == before else high - low, length)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        length, highs, lows, befores = series
        ranges = [
            true_range(high, low, before) if before == before else high - low
            for high, low, before in zip(highs[:bars], lows, befores, strict=False)
        ]
        return self.mean.column(bars, (ranges, length))


class Kc(Kernel):
    """`ta.kc(series, length, mult, useTrueRange)`: the exponential average, the upper and the lower band."""

    reads = ("high", "low", "close[1]")
    mean: Ema
    width: Ema

    def __call__(
        self,
        i: int,
        source: float,
        length: float,
        mult: float,
        of_true_range: bool,
        high: float,
        low: float,
        before: float,
    ) -> tuple[float, float, float]:
        mean = self.mean(i, source, length)
        width = self.width(i, true_range(high, low, before) if of_true_range else high - low, length) * mult
        return mean, mean + width, mean - width


class Kcw(Kernel):
    """`ta.kcw(series, length, mult, useTrueRange)`: the width of the channel divided by the average."""

    reads = ("high", "low", "close[1]")
    channel: Kc

    def __call__(
        self,
        i: int,
        source: float,
        length: float,
        mult: float,
        of_true_range: bool,
        high: float,
        low: float,
        before: float,
    ) -> float:
        mean, upper, lower = self.channel(i, source, length, mult, of_true_range, high, low, before)
        return (upper - lower) / mean if mean else NA


class Correlation(Kernel):
    """`ta.correlation(source1, source2, length)`: computed from five sums, each over its own values that are not na.

    A covariance from -1e-10 to 1e-10 counts as 0, so that the result is 0 if a source does not change.
    """

    fixed = (2,)
    x: Sum
    y: Sum
    both: Sum
    squares_x: Sum
    squares_y: Sum

    def __call__(self, i: int, source1: float, source2: float, length: float) -> float:
        x = self.x(i, source1, length)
        y = self.y(i, source2, length)
        both = self.both(i, source1 * source2, length)
        squares_x = self.squares_x(i, source1 * source1, length)
        squares_y = self.squares_y(i, source2 * source2, length)
        return _correlated(x, y, both, squares_x, squares_y, self.x.length)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        x, y, length = series[0][:bars], series[1][:bars], series[2]
        columns = [
            self.x.column(bars, (x, length)),
            self.y.column(bars, (y, length)),
            self.both.column(bars, ([a * b for a, b in zip(x, y, strict=True)], length)),
            self.squares_x.column(bars, ([a * a for a in x], length)),
            self.squares_y.column(bars, ([b * b for b in y], length)),
        ]
        return list(map(_correlated, *columns, [self.x.length] * bars))


def _correlated(x: float, y: float, both: float, squares_x: float, squares_y: float, n: int) -> float:
    if x != x or y != y or both != both:
        return NA
    mean_x, mean_y = x / n, y / n
    covariance = both / n - mean_x * mean_y
    if -TOLERANCE <= covariance <= TOLERANCE:
        return 0.0
    spread = max(0.0, squares_x / n - mean_x * mean_x) * max(0.0, squares_y / n - mean_y * mean_y)
    return covariance / sqrt(spread) if spread else NA


class Linreg(Kernel):
    """`ta.linreg(source, length, offset)`: the regression line of the last `length` bars, `offset` bars back.

    It is summed again on every bar, oldest value first. It is na for a window with an na value, and for a window of one
    bar. The window is a ring if the length is known before the first bar; else it is a history, in which a skipped bar
    repeats the value before it.
    """

    fixed = (1, 2)
    series_length: bool
    given: float = NA
    length: int = 0
    ring: Ring
    history: BarWindow
    weights: list[float]
    sum_x: float = 0.0
    denominator: float = 0.0

    def __call__(self, i: int, source: float, length: float, offset: float) -> float:
        if length != self.given:
            self._change_length(i, length)
        n = self.length
        if self.series_length:
            values = self.history.write(i, source)
            if len(values) < n:
                return NA
            window = values[-n:]
        else:
            self.ring.write(i, source)
            if i < n - 1:
                return NA
            window = self.ring.window(i, n)
        if n == 1 or offset != offset:
            return NA
        sum_y = reduce(add, window, 0.0)
        sum_xy = reduce(add, map(mul, window, self.weights), 0.0)
        sum_x = self.sum_x
        slope = (n * sum_xy - sum_x * sum_y) / self.denominator
        intercept = sum_y / n - slope * sum_x / n + slope
        return intercept + slope * (n - 1 - (trunc(offset) if isfinite(offset) else offset))

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        numpy = isfinite(series[2]) and numpy_for(2 * bars * checked_or_1(series[1]))
        if not numpy or checked_or_1(series[1]) == 1:
            return None
        source, length, offset = series
        self._change_length(0, length)
        n, sum_x = self.length, self.sum_x
        with numpy.errstate(all="ignore"):
            sum_y = weighted(source[:bars], [1.0] * n, numpy)
            sum_xy = weighted(source[:bars], self.weights, numpy)
            slope = (n * sum_xy - sum_x * sum_y) / self.denominator
            lines = sum_y / n - slope * sum_x / n + slope + slope * (n - 1 - int(offset))
        for i in range(max(0, bars - self.ring.size), bars):
            self.ring.write(i, source[i])
        return ([NA] * (n - 1) + lines.tolist())[:bars]

    def _change_length(self, i: int, length: float) -> None:
        n = self.length = checked_window(length, "linreg")
        self.given = length
        if self.series_length:
            self.history.keep = max(HISTORY_LIMIT, n)
        else:
            self.ring.grow(i, n)
        self.weights = [float(k) for k in range(1, n + 1)]
        self.sum_x = total(self.weights)
        squares = total([k * k for k in self.weights])
        self.denominator = n * squares - self.sum_x * self.sum_x

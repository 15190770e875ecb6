"""Moving averages of `ta.*`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import islice
from math import exp, floor, isfinite, sqrt
from operator import add, mul
from typing import Any, ClassVar

from pinebench.runtime.library.kernel import NA, TOLERANCE, BarWindow, Kernel, checked_length
from pinebench.runtime.library.sums import Sum
from pinebench.runtime.library.windows import checked_or_1, numpy_for, weighted
from pinebench.totals import total


class _FeedbackAverage(Kernel):
    """An average that is computed from its last value. The first one is a simple average."""

    function: ClassVar[str] = ""
    fixed = (1,)
    given: float = NA
    length: int = 0
    value: float = NA
    seed: Sum

    def __init__(self, series_length: bool = False) -> None:
        super().__init__()  # the first average has one length, also if it changes later

    def _begin(self, i: int, source: float) -> float:
        """The average of the first values."""
        if self.value == self.value:  # an infinite number was added to another one
            self.value = NA
            return NA
        self.value = self.seed(i, source, self.length) / self.length
        return self.value


class Ema(_FeedbackAverage):
    """`ta.ema(source, length)`: begins with the simple average, then moves by 2 / (length + 1) of the distance to the
    source.

    An na or infinite source does not change it, and gives na. With length 1, the step is rounded as with other lengths,
    so the result is not always exactly the source.
    """

    function = "ema"
    alpha: float = 0.0

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        if source - source != 0:  # na or infinite
            return NA
        value = self.value
        found = value + self.alpha * (source - value)
        if found == found:
            self.value = found
            return found
        return self._begin(i, source)

    def change_length(self, length: float) -> None:
        """Set a length that differs from the last call's length."""
        self.length = checked_length(length, self.function)
        self.given = length
        self.alpha = 2 / (self.length + 1)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length = series
        found: list[Any] = []
        prices = islice(source, bars)
        for first in prices:
            found.append(self(len(found), first, length))
            value, alpha = self.value, self.alpha
            if value != value:
                continue
            for price in prices:
                if price - price != 0:
                    found.append(NA)
                    continue
                value = value + alpha * (price - value)
                found.append(value)
                if value != value:  # an infinite number was added to another one
                    break
            self.value = value
        return found


class Rma(_FeedbackAverage):
    """`ta.rma(source, length)`: begins with the simple average, then (value * (length - 1) + source) / length."""

    function = "rma"
    less: float = 0.0
    divisor: float = 0.0

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        if source - source != 0:  # na or infinite
            return NA
        found = (self.value * self.less + source) / self.divisor
        if found == found:
            self.value = found
            return found
        return self._begin(i, source)

    def change_length(self, length: float) -> None:
        """Set a length that differs from the last call's length."""
        self.length = checked_length(length, self.function)
        self.given = length
        self.less = float(self.length - 1)
        self.divisor = float(self.length)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length = series
        found: list[Any] = []
        prices = islice(source, bars)
        for first in prices:
            found.append(self(len(found), first, length))
            value, less, divisor = self.value, self.less, self.divisor
            if value != value:
                continue
            for price in prices:
                if price - price != 0:
                    found.append(NA)
                    continue
                value = (value * less + price) / divisor
                found.append(value)
                if value != value:  # an infinite number was added to another one
                    break
            self.value = value
        return found


class Wma(BarWindow):
    """`ta.wma(source, length)`: summed again on every bar, oldest value first. For an na source, the result is na, and
    the window repeats its last value.

    A partial sum is 0 if at most 1e-10 of its two parts, or of 1, is left of them. TradingView was recorded to do so.
    """

    function = "wma"
    fixed = (1,)
    weights: list[float]
    divisor: float = 0.0
    present: int = 0

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
            self.weights = [float(k) for k in range(1, self.length + 1)]
            self.divisor = total(self.weights)
        n = self.length
        if source != source:
            if self.values:
                self.write(i, self.values[-1])
            return NA
        values = self.values
        if i == self.bar + 1:
            self.bar = i
            values.append(source)
            if len(values) > 2 * self.keep:
                del values[: -self.keep]
        else:
            self.write(i, source)
        if self.present < n:
            self.present += 1
            if self.present < n:
                return NA
        window = values[-n:]
        low, high = min(window), max(window)
        if low > TOLERANCE or high < -TOLERANCE:  # nothing cancels
            return reduce(add, map(mul, window, self.weights), 0.0) / self.divisor
        sum_ = 0.0
        for part in map(mul, window, self.weights):
            limit = TOLERANCE * max(1.0, abs(sum_) + abs(part))
            sum_ += part
            if limit - abs(sum_) >= 0:  # false for infinite numbers
                sum_ = 0.0
        return sum_ / self.divisor

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        numpy = numpy_for(bars * checked_or_1(series[1]))
        source = series[0]
        first = next((i for i in range(bars) if source[i] == source[i]), bars)
        if not numpy or first == bars or any(source[i] != source[i] for i in range(first, bars)):
            return None
        found = [NA] * bars
        self(first, source[first], series[1])
        n = self.length
        present = source[first:bars]
        cancels = not (min(present) > TOLERANCE or max(present) < -TOLERANCE)
        sums = weighted(present, self.weights, numpy, TOLERANCE if cancels else 0.0) / self.divisor
        found[first + n - 1 :] = sums.tolist()
        self.passed(bars, source, first)
        self.present = min(n, bars - first)
        return found[:bars]


class Hma(Kernel):
    """`ta.hma(source, length)`: the wma, of length sqrt(length), of 2 * wma(length / 2) - wma(length)."""

    fixed = (1,)
    half: Wma
    whole: Wma
    outer: Wma

    def __call__(self, i: int, source: float, length: float) -> float:
        n = checked_length(length, "hma")
        inner = 2 * self.half(i, source, n // 2) - self.whole(i, source, n)
        return self.outer(i, inner, int(sqrt(n)))

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, n = series[0], checked_length(series[1], "hma")
        half, whole = self.half.column(bars, (source, n // 2)), self.whole.column(bars, (source, n))
        inner = [2 * a - b for a, b in zip(half, whole, strict=True)]
        return self.outer.column(bars, (inner, int(sqrt(n))))


class Swma(BarWindow):
    """`ta.swma(source)`: the last four bars, newest first, with the weights 1, 2, 2, 1."""

    keep: int = 4

    def __call__(self, i: int, source: float) -> float:
        values = self.write(i, source)
        if len(values) < 4:
            return NA
        return (values[-1] + 2 * values[-2] + 2 * values[-3] + values[-4]) / 6


class Alma(BarWindow):
    """`ta.alma(series, length, offset, sigma, floor)`: Gaussian weights that sum to one, summed oldest first."""

    function = "alma"
    fixed = (1, 2, 3, 4)
    weights: list[float]

    def __call__(
        self, i: int, source: float, length: float, offset: float, sigma: float, floored: bool = False
    ) -> float:
        if length != self.given:
            self.change_length(length)
            self._weigh(offset, sigma, floored)
        values = self.write(i, source)
        n = self.length
        if len(values) < n:
            return NA
        return reduce(add, map(mul, values[-n:], self.weights), 0.0)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        numpy = numpy_for(bars * checked_or_1(series[1]))
        if not numpy:
            return None
        source, rest = series[0], series[1:]
        self(0, source[0], *rest)
        n = self.length
        found = [NA] * (n - 1) + weighted(source[:bars], self.weights, numpy).tolist()
        self.passed(bars, source)
        return found[:bars]

    def _weigh(self, offset: float, sigma: float, floored: bool) -> None:
        """Make the weights."""
        n = self.length
        middle = offset * (n - 1)
        if floored and isfinite(middle):
            middle = float(floor(middle))
        width = n / sigma if sigma else NA
        below = 2 * width * width
        if not below:
            self.weights = [NA] * n
            return
        self.weights = [exp(-((k - middle) * (k - middle)) / below) for k in range(n)]
        norm = total(self.weights)
        for k in range(n):
            self.weights[k] = self.weights[k] / norm if norm else NA

"""Built-ins of `ta.*` that order or weigh the values of a window: percentiles, median, mode, ranks, and `ta.cog`."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from math import ceil, floor, sqrt
from typing import ClassVar

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.kernel import (
    HISTORY_LIMIT,
    NA,
    TOLERANCE,
    BarWindow,
    Kernel,
    Ring,
    checked_length,
    checked_window,
)
from pinebench.runtime.library.sums import Sum
from pinebench.totals import total


class _Percentile(BarWindow):
    """The window of the last values, one for each call, and the same values in order.

    A new value is inserted before the first element, from the left, that is not smaller. An na value is appended, and
    later values can be inserted after it. An na value from before the first bar is put first.
    """

    window: deque[float]
    order: list[float]
    missing: int = 0

    def step(self, i: int, source: float, length: float) -> bool:
        """Add one value. Return False for an na length, and while there are fewer bars than the length."""
        if length != self.given:
            if length != length:
                return False
            self.change_length(length)
        values = self.write(i, source)
        n = self.length
        window = self.window
        window.append(source)
        self._enter(source)
        if len(window) < n:
            self._fill(values, n)
        while len(window) > n:
            self._leave(window.popleft())
        return i >= n - 1

    def _enter(self, value: float) -> None:
        if value != value:
            self.order.append(value)
            self.missing += 1
        else:
            self.order.insert(_place(self.order, value, bool(self.missing)), value)

    def _leave(self, value: float) -> None:
        order = self.order
        if value != value:
            del order[next(k for k, other in enumerate(order) if other != other)]
            self.missing -= 1
        elif self.missing:
            order.remove(value)
        else:
            del order[bisect_left(order, value)]

    def _fill(self, values: list[float], n: int) -> None:
        """Add the source's values on earlier bars at the front of the window."""
        window = self.window
        older = [values[-1 - k] if k < len(values) else NA for k in range(len(window), n)]
        window.extendleft(older)
        for value in older:
            if value == value:
                self._enter(value)
            else:
                self.order.insert(0, value)
                self.missing += 1


class PercentileNearestRank(_Percentile):
    """`ta.percentile_nearest_rank(source, length, percentage)`; an na percentage counts as 0."""

    function = "percentile_nearest_rank"

    def __call__(self, i: int, source: float, length: float, percentage: float) -> float:
        if percentage != percentage:
            percentage = 0
        _check_percentage(percentage, self.function)
        if not self.step(i, source, length):
            return NA
        return self.order[max(ceil(percentage * self.length / 100), 1) - 1]


class PercentileLinearInterpolation(_Percentile):
    """`ta.percentile_linear_interpolation(source, length, percentage)`."""

    function = "percentile_linear_interpolation"

    def __call__(self, i: int, source: float, length: float, percentage: float) -> float:
        if percentage == percentage:
            _check_percentage(percentage, self.function)
        if not self.step(i, source, length) or percentage != percentage:
            return NA
        return interpolated(self.order, percentage)


def interpolated(order: list[float], percentage: float) -> float:
    """Return the value of `order` at `percentage` (0 to 100), interpolated between two neighbours if necessary. Both
    neighbours are always read, so the result is na if one of them is na, even one with the weight 0."""
    n = len(order)
    position = n * percentage / 100 - 0.5
    if position < 0:
        return order[0]
    if position >= n - 1:
        return order[-1]
    below = floor(position)
    return order[below] * (below + 1 - position) + order[below + 1] * (position - below)


def _check_percentage(percentage: float, function: str) -> None:
    if not 0 <= percentage <= 100:
        raise RuntimeFault("RE10002", argName="percentage", value=percentage, funName=function, min=0, max=100)


def _place(order: list[float], value: float, has_missing: bool) -> int:
    """The index at which `value` is inserted: before the first element from the left that is not smaller."""
    if has_missing:
        return next((k for k, other in enumerate(order) if other >= value), len(order))
    return bisect_left(order, value)


class _Present(Kernel):
    """The window of the last values that are not na. An na value or an na length does not change it."""

    function: ClassVar[str] = ""
    series_length: bool
    given: float = NA
    length: int = 0
    window: deque[float]
    history: deque[float]

    def __init__(self, series_length: bool = False) -> None:
        super().__init__(series_length)
        self.history = deque(maxlen=HISTORY_LIMIT)

    def step(self, source: float, length: float) -> bool:
        """Add one value, and return whether the window is full."""
        here = source == source
        if length != self.given:
            if length != length:
                if here and self.series_length:
                    self.history.append(source)
                return False
            self.length = checked_length(length, self.function)
            self.given = length
            self._begin(list(self.history)[-self.length :])
        n = self.length
        if here:
            if self.series_length:
                self.history.append(source)
            self.window.append(source)
            self._enter(source)
            if len(self.window) > n:
                self._leave(self.window.popleft())
        return len(self.window) >= n

    def _begin(self, values: list[float]) -> None:
        self.window = deque()
        for value in values:
            self.window.append(value)
            self._enter(value)

    def _enter(self, value: float) -> None:
        raise NotImplementedError

    def _leave(self, value: float) -> None:
        raise NotImplementedError


class _OrderedWindow(_Present):
    """A window of values that are not na, which are also kept in order."""

    order: list[float]

    def _begin(self, values: list[float]) -> None:
        self.order = []
        super()._begin(values)

    def _enter(self, value: float) -> None:
        insort(self.order, value)

    def _leave(self, value: float) -> None:
        del self.order[bisect_left(self.order, value)]


class Median(_OrderedWindow):
    """`ta.median(source, length)`: for an even number of values, the mean of the two in the middle, even for ints."""

    function = "median"

    def __call__(self, i: int, source: float, length: float) -> float:
        if not self.step(source, length):
            return NA
        order = self.order
        middle = len(order) // 2
        return order[middle] if len(order) & 1 else (order[middle - 1] + order[middle]) / 2


class Mode(_Present):
    """`ta.mode(source, length)`: the most frequent value; the smallest one if there are several."""

    function = "mode"
    counts: dict[float, int]

    def __call__(self, i: int, source: float, length: float) -> float:
        if not self.step(source, length):
            return NA
        most = max(self.counts.values())
        return min(value for value, count in self.counts.items() if count == most)

    def _begin(self, values: list[float]) -> None:
        self.counts = {}
        super()._begin(values)

    def _enter(self, value: float) -> None:
        self.counts[value] = self.counts.get(value, 0) + 1

    def _leave(self, value: float) -> None:
        self.counts[value] -= 1
        if not self.counts[value]:
            del self.counts[value]


class Range(_OrderedWindow):
    """`ta.range(source, length)`: the highest minus the lowest of the last values that are not na."""

    function = "range"

    def __call__(self, i: int, source: float, length: float) -> float:
        if not self.step(source, length):
            return NA
        return self.order[-1] - self.order[0]


class Cog(BarWindow):
    """`ta.cog(source, length)`: the centre of gravity; it is na while a value in the window is na.

    The newest value has the weight 1, the one before it 2, and so on. The divisor is the sum that `math.sum` computes.
    """

    function = "cog"
    sum: Sum

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        below = self.sum(i, source, length)
        values = self.write(i, source)
        n = self.length
        if len(values) < n or not below:
            return NA
        return -total([k * value for k, value in enumerate(reversed(values[-n:]), 1)]) / below


class PercentRank(BarWindow):
    """`ta.percentrank(source, length)`: the percentage of the previous `length` values that are not above the source.

    A comparison with na is false, so the rank of na is 0.
    """

    function = "percentrank"

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        values = self.write(i, source)
        n = self.length
        if i < n or len(values) <= n:
            return NA
        return 100.0 * len([1 for value in values[-1 - n : -1] if value - source <= TOLERANCE]) / n


class Rci(Kernel):
    """`ta.rci(source, length)`: the correlation between the order of the values and the order of time, in percent.

    An na value is not stored, and the result of the last bar is repeated. Values share a rank if they differ by less
    than 1e-10 from the smallest of them.
    """

    given: float = NA
    length: int = 0
    ring: Ring
    order: list[float]
    """The values of the window in order."""
    ranks: list[float]
    """The rank of each value in `order`."""
    value: float = NA

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.length = checked_window(length, "rci")
            self.given = length
            self.ring.grow(i, self.length)
        if source != source:
            return self.value
        ring = self.ring
        ring.write(i, source)
        if i >= self.length:
            window = ring.window(i, self.length)
            self.rank(window)
            self.value = self.correlation(window)
        return self.value

    def rank(self, window: list[float]) -> None:
        """Sort the values, and give each of them its rank: the newest value has rank 0 if the values rise."""
        n = len(window)
        self.order = [value for value in window]  # noqa: C416
        order = self.order
        order.sort()
        self.ranks = [0.0] * n
        ranks = self.ranks
        begin = 0
        while begin < n:
            smallest = order[begin]
            end = begin + 1
            while end < n and (order[end] == smallest or order[end] - smallest < TOLERANCE):
                end += 1
            rank = (n - 1) - (begin + end - 1) / 2.0
            for k in range(begin, end):
                ranks[k] = rank
            begin = end

    def correlation(self, window: list[float]) -> float:
        """Return the rank correlation in percent (-100 to 100)."""
        n = len(window)
        order = self.order
        ranks = self.ranks
        sum_x = sum_y = squares_x = squares_y = 0.0
        for k in range(n):
            x = float(k)
            y = ranks[bisect_left(order, window[n - 1 - k])]
            sum_x += x
            sum_y += y
            squares_x += x * x
            squares_y += y * y
        mean_x = sum_x / n
        mean_y = sum_y / n
        spread_x = squares_x / n - mean_x * mean_x
        spread_y = squares_y / n - mean_y * mean_y
        if spread_x <= 0 or spread_y <= 0:
            return NA
        covariance = 0.0
        for k in range(n):
            covariance += (k - mean_x) * (ranks[bisect_left(order, window[n - 1 - k])] - mean_y)
        return 100.0 * (covariance / n) / (sqrt(spread_x) * sqrt(spread_y))

"""Built-ins of `ta.*` that order or weigh the values of a window: percentiles, median, mode, ranks, gravity."""

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
    total,
)
from pinebench.runtime.library.sums import Sum


class _Percentile(BarWindow):
    """The window of the last bars, each call one step, and its values in order.

    A new value goes before those it ties with; nothing stops at a missing value: one from before the first bar stays in
    front, one that comes into a full window goes to the end, and an evicted one is the first that is there.
    """

    __slots__ = ("order", "window")

    def __init__(self, series_length: bool = False) -> None:
        super().__init__(series_length)
        self.window: deque[float] = deque()
        self.order: list[float] = []

    def step(self, i: int, source: float, length: float) -> bool:
        """Take in one value; false while there are fewer bars than the length, and for a missing length."""
        if length != self.given:
            if length != length:
                return False
            self.change_length(length)
        values = self.write(i, source)
        n = self.length
        window, order = self.window, self.order
        window.append(source)
        order.insert(_place(order, source), source)
        if len(window) < n:
            self._fill(values, n)
        while len(window) > n:
            del order[_place_of(order, window.popleft())]
        return i >= n - 1

    def _fill(self, values: list[float], n: int) -> None:
        """Put what the source was on the bars before in front of the window."""
        window, order = self.window, self.order
        older = [values[-1 - k] if k < len(values) else NA for k in range(len(window), n)]
        window.extendleft(older)
        for value in older:
            order.insert(_place(order, value) if value == value else 0, value)


class PercentileNearestRank(_Percentile):
    """`ta.percentile_nearest_rank(source, length, percentage)`; a missing percentage is 0."""

    __slots__ = ()

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

    __slots__ = ()

    function = "percentile_linear_interpolation"

    def __call__(self, i: int, source: float, length: float, percentage: float) -> float:
        if percentage == percentage:
            _check_percentage(percentage, self.function)
        if not self.step(i, source, length) or percentage != percentage:
            return NA
        return interpolated(self.order, percentage)


def interpolated(order: list[float], percentage: float) -> float:
    """The value of `order` at `percentage` (0 to 100), between two of them where need be."""
    n = len(order)
    position = n * percentage / 100 + 0.5
    whole = floor(position + 0.5)
    if abs(position - whole) < 1e-9:
        position = float(whole)
    if position <= 1:
        return order[0]
    if position >= n:
        return order[-1]
    below = int(position)
    part = position - below
    return order[below - 1] * (1 - part) + order[below] * part


def _check_percentage(percentage: float, function: str) -> None:
    if not 0 <= percentage <= 100:
        raise RuntimeFault("RE10002", argName="percentage", value=percentage, funName=function, min=0, max=100)


def _place(order: list[float], value: float) -> int:
    low, high = 0, len(order)
    if value != value:
        return high
    while low < high:
        middle = (low + high) // 2
        if order[middle] - value >= -TOLERANCE:
            high = middle
        else:
            low = middle + 1
    return low


def _place_of(order: list[float], value: float) -> int:
    """Where the evicted `value` is: the first of the missing, the last of its ties."""
    if value != value:
        return next(k for k, other in enumerate(order) if other != other)
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if value - order[middle] < -TOLERANCE:
            high = middle
        else:
            low = middle + 1
    if low and abs(order[low - 1] - value) <= TOLERANCE:
        return low - 1
    ties = [k for k, other in enumerate(order) if abs(other - value) <= TOLERANCE]
    return ties[-1] if ties else max(low - 1, 0)


class _Present(Kernel):
    """The window of the last present values; a missing value or length leaves it as it is."""

    __slots__ = ("given", "history", "length", "series_length", "window")

    function: ClassVar[str] = ""

    def __init__(self, series_length: bool = False) -> None:
        self.series_length = series_length
        self.given: float = NA
        self.length = 0
        self.window: deque[float] = deque()
        self.history: deque[float] = deque(maxlen=HISTORY_LIMIT)

    def step(self, source: float, length: float) -> bool:
        """Take in one value; whether the window is full."""
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


class Median(_Present):
    """`ta.median(source, length)`: of an even number the mean of the two in the middle, for whole numbers too."""

    __slots__ = ("order",)

    function = "median"

    def __init__(self, series_length: bool = False) -> None:
        super().__init__(series_length)
        self.order: list[float] = []

    def __call__(self, i: int, source: float, length: float) -> float:
        if not self.step(source, length):
            return NA
        order = self.order
        middle = len(order) // 2
        return order[middle] if len(order) & 1 else (order[middle - 1] + order[middle]) / 2

    def _begin(self, values: list[float]) -> None:
        self.order = []
        super()._begin(values)

    def _enter(self, value: float) -> None:
        insort(self.order, value)

    def _leave(self, value: float) -> None:
        del self.order[bisect_left(self.order, value)]


class Mode(_Present):
    """`ta.mode(source, length)`: the most frequent value, the smallest of several."""

    __slots__ = ("counts",)

    function = "mode"

    def __init__(self, series_length: bool = False) -> None:
        super().__init__(series_length)
        self.counts: dict[float, int] = {}

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


class Cog(_Present):
    """`ta.cog(source, length)`: the centre of gravity, the newest value counted once, the one before it twice ..."""

    __slots__ = ("sum",)

    function = "cog"

    def __init__(self, series_length: bool = False) -> None:
        super().__init__(series_length)
        self.sum = Sum(series_length)

    def __call__(self, i: int, source: float, length: float) -> float:
        full = self.step(source, length)
        below = self.sum(i, source, length)
        if not full or not below:
            return NA
        return -total([k * value for k, value in enumerate(reversed(self.window), 1)]) / below

    def _enter(self, value: float) -> None:
        pass

    def _leave(self, value: float) -> None:
        pass


class PercentRank(BarWindow):
    """`ta.percentrank(source, length)`: how many of the `length` bars before are not above the source, in percent."""

    __slots__ = ()

    function = "percentrank"

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.change_length(length)
        values = self.write(i, source)
        n = self.length
        if i < n or len(values) <= n or source != source:
            return NA
        return 100.0 * len([1 for value in values[-1 - n : -1] if value - source <= TOLERANCE]) / n


class Rci(Kernel):
    """`ta.rci(source, length)`: the correlation of the order of values with that of time, in percent.

    A missing value leaves the ring as it is and gives the value before again; values closer than the tolerance to the
    smallest of their group share a rank.
    """

    __slots__ = ("given", "length", "ring", "value")

    def __init__(self, series_length: bool = False) -> None:
        self.given: float = NA
        self.length = 0
        self.ring = Ring()
        self.value = NA

    def __call__(self, i: int, source: float, length: float) -> float:
        if length != self.given:
            self.length = checked_length(length, "rci")
            self.given = length
            self.ring.grow(i, self.length)
        if source != source:
            return self.value
        ring = self.ring
        ring.slots[i % ring.size] = source
        if i >= self.length:
            window = ring.window(i, self.length)
            window.reverse()
            self.value = _rank_correlation(window)
        return self.value


def _rank_correlation(values: list[float]) -> float:
    """The correlation of ranks in percent; `values` newest first."""
    n = len(values)
    order = sorted(range(n), key=values.__getitem__)
    ranks = [0.0] * n
    begin = 0
    while begin < n:
        smallest = values[order[begin]]
        end = begin + 1
        while end < n and values[order[end]] - smallest < TOLERANCE:
            end += 1
        rank = (n - 1) - (begin + end - 1) / 2.0
        for k in order[begin:end]:
            ranks[k] = rank
        begin = end
    sum_x = sum_y = squares_x = squares_y = 0.0
    for k in range(n):
        x, y = float(k), ranks[k]
        sum_x += x
        sum_y += y
        squares_x += x * x
        squares_y += y * y
    mean_x, mean_y = sum_x / n, sum_y / n
    spread_x = squares_x / n - mean_x * mean_x
    spread_y = squares_y / n - mean_y * mean_y
    if spread_x <= 0 or spread_y <= 0:
        return NA
    covariance = 0.0
    for k in range(n):
        covariance += (k - mean_x) * (ranks[k] - mean_y)
    return 100.0 * (covariance / n) / (sqrt(spread_x) * sqrt(spread_y))

"""Highest and lowest values of `ta.*`, built-ins that are computed from them, and pivots.

The extreme is kept until it leaves the window; then a queue has the candidates for the next one. After an na value, the
window begins again. If the length is known before the first bar, the window is a ring whose slots do not change on a
skipped bar. If the length can change from bar to bar, it is a history in which a skipped bar repeats the value before
it. Of equal values, the oldest counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, ClassVar

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.kernel import (
    HISTORY_LIMIT,
    NA,
    WINDOW_LIMIT,
    BarWindow,
    Kernel,
    Ring,
    checked_length,
    checked_window,
)

_WIDE = 200
"""A longer window is not searched again each time that its extreme leaves it."""


class _Extreme(Kernel):
    """The highest of the last values, and its bar."""

    __slots__ = (
        *("at", "bar", "given", "history", "kept", "length", "queue", "ring", "series_length", "since", "skipped"),
    )

    function: ClassVar[str] = "highest"
    side: ClassVar[int] = 1
    """-1 if the lowest value is wanted: then it is the highest of the negated values."""

    def __init__(self, series_length: bool = False) -> None:
        self.series_length = series_length
        self.given: float = NA
        self.length = 0
        self.ring = Ring()
        self.history: list[float] = []
        self.bar = -1
        self.kept = NA
        self.at = -1  # the bar of `kept`
        self.since = -1  # the first call or the last na value: earlier values do not count
        self.skipped = False
        self.queue: deque[tuple[int, float]] | None = None
        """Candidates for the next extreme, as falling values with their bars; None until it is needed."""

    def __call__(self, i: int, source: float, length: float) -> float:
        grown = length != self.given and self._change_length(i, length)
        n = self.length
        if i != self.bar + 1:
            self._skip(i)
        self.bar = i
        if self.series_length:
            self.history.append(source)
        else:
            ring = self.ring
            ring.slots[i % ring.size] = source
        if source != source:
            self.kept = NA
            self.at = self.since = i
            self.queue = None
            return NA
        if not grown and not source <= self.kept:
            self.kept = source
            self.at = i
            self.queue = None
            return source if i >= n - 1 else NA
        queue = self.queue
        if queue is not None:
            while queue and queue[-1][1] < source:
                queue.pop()
            queue.append((i, source))
        if grown or i - self.at >= n:
            self._look(i, n, grown)
        return self.kept if i >= n - 1 else NA

    def _change_length(self, i: int, length: float) -> bool:
        """Change the length, and return whether it is larger than before."""
        before = self.length
        if length != length and self.series_length:
            raise RuntimeFault("RE10001", argName="length", value=0, funName=self.function, op=">")
        n = self.length = (checked_length if self.series_length else checked_window)(length, self.function)
        self.given = length
        if not self.series_length:
            self.ring.grow(i, n)
        elif n > WINDOW_LIMIT + 1:
            raise RuntimeFault("history-limit", n=n - 1, limit=WINDOW_LIMIT)
        return n > before

    def _skip(self, i: int) -> None:
        if self.bar < 0:
            self.since = i
            return
        self.skipped = True
        self.queue = None
        history = self.history
        if i <= self.bar:
            del history[-1:]
        elif history:
            history.extend(history[-1:] * (i - self.bar - 1))

    def _look(self, i: int, n: int, grown: bool) -> None:
        """Find the extreme of the window; the oldest one of equal values."""
        queue = self.queue
        if queue is not None and not grown:
            while queue[0][0] <= i - n:
                queue.popleft()
            self.at, self.kept = queue[0]
            return
        reach = min(n, i - max(self.since, 0) + 1)
        window = self._window(i, reach)
        if self.skipped or window[0] != window[0]:
            window = _after_missing(window)
        if self.skipped:
            self.kept = max(window)
            self.at = i - len(window) + 1 + window.index(self.kept)
            return
        self.queue = _falling(window, i - len(window) + 1)
        self.at, self.kept = self.queue[0]

    def _window(self, i: int, reach: int) -> list[float]:
        if not self.series_length:
            return self.ring.window(i, reach)
        history = self.history
        if len(history) > 2 * HISTORY_LIMIT:
            del history[:-HISTORY_LIMIT]
        return history[-reach:]

    def over(self, bars: int, source: Any, length: Any, series: Sequence[Any]) -> list[Any]:
        """The extremes on the first `bars` bars. `series` are the source and the length in the order of a call.

        The steps are the same as in calls, but without the queue, which a later call makes again if it needs it.
        """
        side = self.side
        if isinstance(length, list) or not isinstance(source, list) or self.series_length or self.bar >= 0 or not bars:
            return Kernel.column(self, bars, series)
        self._change_length(0, length)
        n = self.length
        if n > _WIDE:
            return Kernel.column(self, bars, series)
        values: list[float] = [-value for value in source[:bars]] if side < 0 else source[:bars]
        found: list[float] = []
        kept, at = NA, -1
        for i, value in enumerate(values):
            if not value <= kept:
                kept, at = value, i  # also for na: values before it do not count
                if value != value:
                    self.since = i
            elif i - at >= n:
                window = values[i - n + 1 : i + 1]
                kept = max(window)
                at = i - n + 1 + window.index(kept)
            found.append(kept)
        found[: n - 1] = [NA] * min(n - 1, bars)
        self.kept, self.at, self.bar = kept, at, bars - 1
        ring = self.ring
        for i in range(max(0, bars - ring.size), bars):
            ring.slots[i % ring.size] = values[i]
        return [-value for value in found] if side < 0 else found


class Highest(_Extreme):
    """`ta.highest(source, length)`."""

    __slots__ = ()

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, length = series
        return self.over(bars, source, length, series)


def _falling(window: list[float], first: int) -> deque[tuple[int, float]]:
    """The values of a window that are at least as high as all later ones, with their bars. `first` is the first bar."""
    queue: deque[tuple[int, float]] = deque()
    for bar, value in enumerate(window, first):
        while queue and queue[-1][1] < value:
            queue.pop()
        queue.append((bar, value))
    return queue


class Lowest(Highest):
    """`ta.lowest(source, length)`."""

    __slots__ = ()

    function = "lowest"
    side = -1

    def __call__(self, i: int, source: float, length: float) -> float:
        return -Highest.__call__(self, i, -source, length)


class HighestBars(_Extreme):
    """`ta.highestbars(source, length)`: the offset of the highest value, 0 or negative; 0 if this value is na."""

    __slots__ = ()

    function = "highestbars"

    def __call__(self, i: int, source: float, length: float) -> float:
        _Extreme.__call__(self, i, source, length)
        return self.at - i if i >= self.length - 1 else NA


class LowestBars(HighestBars):
    """`ta.lowestbars(source, length)`."""

    __slots__ = ()

    function = "lowestbars"

    def __call__(self, i: int, source: float, length: float) -> float:
        return HighestBars.__call__(self, i, -source, length)


class HighestOfBars(Highest):
    """`ta.highest(length)`."""

    __slots__ = ()

    reads = ("high",)

    def __call__(self, i: int, length: float, high: float) -> float:
        return Highest.__call__(self, i, high, length)

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        length, source = series
        return self.over(bars, source, length, series)


class LowestOfBars(Lowest):
    """`ta.lowest(length)`."""

    __slots__ = ()

    reads = ("low",)

    def __call__(self, i: int, length: float, low: float) -> float:
        return Lowest.__call__(self, i, low, length)

    def column(self, bars: int, series: Sequence[Any]) -> list[Any]:
        length, source = series
        return self.over(bars, source, length, series)


class HighestBarsOfBars(HighestBars):
    """`ta.highestbars(length)`."""

    __slots__ = ()

    reads = ("high",)

    def __call__(self, i: int, length: float, high: float) -> float:
        return HighestBars.__call__(self, i, high, length)


class LowestBarsOfBars(LowestBars):
    """`ta.lowestbars(length)`."""

    __slots__ = ()

    reads = ("low",)

    def __call__(self, i: int, length: float, low: float) -> float:
        return LowestBars.__call__(self, i, low, length)


class Stoch(Kernel):
    """`ta.stoch(source, high, low, length)`: the position of the source between lowest and highest, in percent.

    It is not clipped. If an argument is na, or the range is 0, the value of the last bar is repeated.
    """

    __slots__ = ("high", "low", "value")

    def __init__(self, series_length: bool = False) -> None:
        self.high = Highest(series_length)
        self.low = Lowest(series_length)
        self.value = NA

    def __call__(self, i: int, source: float, high: float, low: float, length: float) -> float:
        top = self.high(i, high, length)
        bottom = self.low(i, low, length)
        width = top - bottom
        if source == source and width == width and width != 0:
            self.value = 100 * (source - bottom) / width
        return self.value


class Wpr(Kernel):
    """`ta.wpr(length)`: the distance of the close from the highest high, in percent of the range, 0 or negative."""

    __slots__ = ("high", "low")

    reads = ("high", "low", "close")

    def __init__(self, series_length: bool = False) -> None:
        self.high = Highest(series_length)
        self.low = Lowest(series_length)

    def __call__(self, i: int, length: float, high: float, low: float, close: float) -> float:
        top = self.high(i, high, length)
        bottom = self.low(i, low, length)
        if self.high.length == 1:
            return close
        width = top - bottom
        return 100 * (close - top) / width if width else NA


class PivotHigh(BarWindow):
    """`ta.pivothigh(source, leftbars, rightbars)`: the value `rightbars` back if it is a pivot, else na.

    No value before it may be higher, and all values after it must be lower. na values around it do not count.
    """

    __slots__ = ("left", "right")

    function = "pivothigh"

    def __init__(self, series_length: bool = False) -> None:
        super().__init__(series_length)
        self.left: float = -1
        self.right: float = -1

    def __call__(self, i: int, source: float, leftbars: float, rightbars: float) -> float:
        if leftbars != self.left or rightbars != self.right:
            self._change(leftbars, rightbars)
        values = self.write(i, source)
        n = self.length
        if len(values) < n:
            return NA
        window = values[-n:]
        left = n - 1 - int(rightbars)
        value = window[left]
        if value != value:
            return NA
        for other in window[left + 1 :]:
            if other >= value:
                return NA
        for other in window[:left]:
            if other > value:
                return NA
        return value

    def _change(self, leftbars: float, rightbars: float) -> None:
        for name, bars in (("leftbars", leftbars), ("rightbars", rightbars)):
            if bars != bars:
                raise RuntimeFault("RE10003", argName=name, funName=self.function)
            if int(bars) < 0:
                raise RuntimeFault("RE10001", argName=name, value=int(bars), funName=self.function, op=">=")
        self.left, self.right = leftbars, rightbars
        self.length = int(leftbars) + int(rightbars) + 1
        self.keep = max(self.keep, self.length)


class PivotLow(PivotHigh):
    """`ta.pivotlow(source, leftbars, rightbars)`."""

    __slots__ = ()

    function = "pivotlow"

    def __call__(self, i: int, source: float, leftbars: float, rightbars: float) -> float:
        return -PivotHigh.__call__(self, i, -source, leftbars, rightbars)


class PivotHighOfBars(PivotHigh):
    """`ta.pivothigh(leftbars, rightbars)`."""

    __slots__ = ()

    reads = ("high",)

    def __call__(self, i: int, leftbars: float, rightbars: float, high: float) -> float:
        return PivotHigh.__call__(self, i, high, leftbars, rightbars)


class PivotLowOfBars(PivotLow):
    """`ta.pivotlow(leftbars, rightbars)`."""

    __slots__ = ()

    reads = ("low",)

    def __call__(self, i: int, leftbars: float, rightbars: float, low: float) -> float:
        return PivotLow.__call__(self, i, low, leftbars, rightbars)


def _after_missing(window: list[float]) -> list[float]:
    """The part of `window` after its last na value. The last value of `window` must not be na."""
    for k in range(len(window) - 1, -1, -1):
        if window[k] != window[k]:
            return window[k + 1 :]
    return window

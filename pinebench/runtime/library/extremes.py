"""Highest and lowest values of `ta.*`, built-ins that are computed from them, and pivots.

The extreme is stored until it leaves the window. Then the window is searched again; for a wide window, the candidates
for the next extreme are stored in a queue as well. After an na value, the window begins again. If the length is known
before the first bar, the window is a ring whose slots do not change on a skipped bar. If the length can change from bar
to bar, it is a history in which a skipped bar repeats the value before it. Of equal values, the oldest counts.
"""

from __future__ import annotations

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
"""The largest window, in bars, that is searched again each time that its extreme leaves it."""


class _Extreme(Kernel):
    """The highest of the last values, and its bar."""

    function: ClassVar[str] = "highest"
    side: ClassVar[int] = 1
    """1 for the highest value; -1 for the lowest value, which is the highest of the negated values."""

    series_length: bool
    given: float = NA
    length: int = 0
    ring: Ring
    history: list[float]
    bar: int = -1
    kept: float = NA
    at: int = -1  # the bar of `kept`
    since: int = -1  # the first call or the last na value: earlier values do not count
    skipped: bool = False
    has_queue: bool = False
    queue: list[float]
    """Candidates for the next extreme of a wide window, in descending order from the item `first` on."""
    bars: list[float]
    """The bars of the candidates."""
    first: int = 0

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
            slot = ring.at + 1
            if slot >= ring.size:
                slot = 0
            ring.at = slot
            ring.slots[slot] = source
            ring.slots[slot + ring.size] = source
        if source != source:
            self.kept = NA
            self.at = self.since = i
            self.has_queue = False
            return NA
        if not grown and not source <= self.kept:
            self.kept = source
            self.at = i
            self.has_queue = False
            return source if i >= n - 1 else NA
        if self.has_queue:
            self._enter(i, source)
        if grown or i - self.at >= n:
            self._look(i, n, grown)
        return self.kept if i >= n - 1 else NA

    def _change_length(self, i: int, length: float) -> bool:
        """Change the length, and return whether it is larger than before."""
        before = self.length
        if length != length and self.series_length:
            raise RuntimeFault("RE10001", argName="length", value=0, funName=self.function, op=">")
        if self.series_length:
            self.length = checked_length(length, self.function)
            if self.length > WINDOW_LIMIT + 1:
                raise RuntimeFault("history-limit", n=self.length - 1, limit=WINDOW_LIMIT)
        else:
            self.length = checked_window(length, self.function)
            self.ring.grow(i, self.length)
        self.given = length
        return self.length > before

    def _skip(self, i: int) -> None:
        if not self.series_length:
            self.ring.go_before(i)
        if self.bar < 0:
            self.since = i
            return
        self.skipped = True
        self.has_queue = False
        history = self.history
        if i <= self.bar:
            del history[-1:]
        elif history:
            for _ in range(i - self.bar - 1):
                history.append(history[-1])

    def _look(self, i: int, n: int, grown: bool) -> None:
        """Find the extreme of the window; the oldest one of equal values."""
        if self.has_queue and not grown:
            while self.bars[self.first] <= i - n:
                self.first += 1
            self.kept = self.queue[self.first]
            self.at = int(self.bars[self.first])
            return
        reach = min(n, i - max(self.since, 0) + 1)
        window = self._window(i, reach)
        if self.skipped or window[0] != window[0]:
            window = _after_missing(window)
        self.kept = max(window)
        start = i - len(window) + 1
        self.at = start + window.index(self.kept)
        if n > _WIDE and not self.skipped:
            self._begin(start, window)

    def _begin(self, start: int, window: list[float]) -> None:
        """Begin the candidates with the values of a window that are at least as high as all later ones."""
        self.has_queue = True
        self.first = 0
        self.queue = []
        self.bars = []
        for k in range(len(window)):
            self._enter(start + k, window[k])

    def _enter(self, i: int, value: float) -> None:
        """Add a candidate, and remove the ones that are lower."""
        queue = self.queue
        while len(queue) > self.first and queue[-1] < value:
            queue.pop()
            self.bars.pop()
        if self.first > WINDOW_LIMIT:
            del queue[: self.first]
            del self.bars[: self.first]
            self.first = 0
        queue.append(value)
        self.bars.append(i)

    def _window(self, i: int, reach: int) -> list[float]:
        if not self.series_length:
            return self.ring.window(i, reach)
        history = self.history
        if len(history) > 2 * HISTORY_LIMIT:
            del history[:-HISTORY_LIMIT]
        return history[-reach:]


class Highest(_Extreme):
    """`ta.highest(source, length)`."""

    fixed = (1,)

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any] | None:
        if self.bar >= 0 or not bars:
            return None
        source, length = series
        self._change_length(0, length)
        side, n = self.side, self.length
        if n > _WIDE:  # it needs the queue
            return None
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
            ring.write(i, values[i])
        return [-value for value in found] if side < 0 else found


class Lowest(Highest):
    """`ta.lowest(source, length)`."""

    function = "lowest"
    side = -1

    def __call__(self, i: int, source: float, length: float) -> float:
        return -Highest.__call__(self, i, -source, length)


class HighestBars(_Extreme):
    """`ta.highestbars(source, length)`: the offset to the highest value, 0 or negative; 0 for a current value of na."""

    function = "highestbars"

    def __call__(self, i: int, source: float, length: float) -> float:
        _Extreme.__call__(self, i, source, length)
        return self.at - i if i >= self.length - 1 else NA


class LowestBars(HighestBars):
    """`ta.lowestbars(source, length)`."""

    function = "lowestbars"

    def __call__(self, i: int, source: float, length: float) -> float:
        return HighestBars.__call__(self, i, -source, length)


class Stoch(Kernel):
    """`ta.stoch(source, high, low, length)`: the position of the source between lowest and highest, in percent. It is
    not clipped to 0 to 100. If an argument is na, or the range is 0, the value of the last bar is repeated."""

    high: Highest
    low: Lowest
    value: float = NA

    def __call__(self, i: int, source: float, high: float, low: float, length: float) -> float:
        top = self.high(i, high, length)
        bottom = self.low(i, low, length)
        width = top - bottom
        if source == source and width == width and width != 0:
            self.value = 100 * (source - bottom) / width
        return self.value


class Wpr(Kernel):
    """`ta.wpr(length)`: the distance of the close from the highest high, in percent of the window's range; 0 or
    negative. With length 1, the result is the close."""

    reads = ("high", "low", "close")
    high: Highest
    low: Lowest

    def __call__(self, i: int, length: float, high: float, low: float, close: float) -> float:
        top = self.high(i, high, length)
        bottom = self.low(i, low, length)
        if self.high.length == 1:
            return close
        width = top - bottom
        return 100 * (close - top) / width if width else NA


class PivotHigh(BarWindow):
    """`ta.pivothigh(source, leftbars, rightbars)`: the value `rightbars` bars back if it is a pivot, else na. No value
    before it may be higher, and all values after it must be lower. On each side, an na value ends the search: values
    beyond it do not count (recorded)."""

    function = "pivothigh"
    fixed = (1, 2)
    left: float = -1.0
    right: float = -1.0

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
        return value if _is_pivot(window, left, 0, n) else NA

    def at_once(self, bars: int, series: Sequence[Any]) -> list[Any]:
        source, leftbars, rightbars = series
        return self._of_all(source[:bars], leftbars, rightbars)

    def _of_all(self, values: list[float], leftbars: float, rightbars: float) -> list[float]:
        """The results of calls on all bars with these values."""
        self._change(leftbars, rightbars)
        self.passed(len(values), values)
        left, right = int(leftbars), int(rightbars)
        found = [NA] * len(values)
        for k in range(left, len(values) - right):
            value = values[k]
            # The value before or after it is enough to exclude most values.
            if (right and values[k + 1] >= value) or (left and values[k - 1] > value) or value != value:
                continue
            if _is_pivot(values, k, k - left, k + 1 + right):
                found[k + right] = value
        return found

    def _change(self, leftbars: float, rightbars: float) -> None:
        left = _checked_bars(leftbars, "leftbars", self.function)
        self.length = left + _checked_bars(rightbars, "rightbars", self.function) + 1
        self.left = leftbars
        self.right = rightbars
        self.keep = max(self.keep, self.length)


def _is_pivot(values: list[float], at: int, first: int, end: int) -> bool:
    """Whether the value at the index `at` is a pivot among the values from `first` to before `end`."""
    value = values[at]
    k = at + 1
    while k < end and values[k] == values[k]:
        if values[k] >= value:
            return False
        k += 1
    k = at - 1
    while k >= first and values[k] == values[k]:
        if values[k] > value:
            return False
        k -= 1
    return True


def _checked_bars(bars: float, name: str, function: str) -> int:
    if bars != bars:
        raise RuntimeFault("RE10003", argName=name, funName=function)
    count = int(bars)
    if count < 0:
        raise RuntimeFault("RE10001", argName=name, value=count, funName=function, op=">=")
    return count


class PivotLow(PivotHigh):
    """`ta.pivotlow(source, leftbars, rightbars)`."""

    function = "pivotlow"

    def __call__(self, i: int, source: float, leftbars: float, rightbars: float) -> float:
        return -PivotHigh.__call__(self, i, -source, leftbars, rightbars)

    def _of_all(self, values: list[float], leftbars: float, rightbars: float) -> list[float]:
        return [-value for value in super()._of_all([-value for value in values], leftbars, rightbars)]


def _after_missing(window: list[float]) -> list[float]:
    """The part of `window` after its last na value. The last value of `window` must not be na."""
    for k in range(len(window) - 1, -1, -1):
        if window[k] != window[k]:
            return window[k + 1 :]
    return window

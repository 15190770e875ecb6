"""Bars that are made from other bars: bars of a longer timeframe, and Heikin Ashi bars."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from pinebench.calendars.aggregation import BEFORE, join
from pinebench.calendars.aggregation import BarColumns as BarColumns
from pinebench.calendars.timeframes import BarGrid


@dataclass(slots=True)
class GrowingColumns:
    """Bars in columns, to which bars can be added."""

    time: list[int] = field(default_factory=list)
    open: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    close: list[float] = field(default_factory=list)
    volume: list[float] = field(default_factory=list)

    def add(self, time: int, prices: tuple[float, float, float, float], volume: float) -> None:
        """Append a bar that opens at `time` (milliseconds UTC); `prices` are its open, high, low and close."""
        self.time.append(time)
        for column, price in zip((self.open, self.high, self.low, self.close), prices, strict=True):
            column.append(price)
        self.volume.append(volume)


_NAMES = ("time", "open", "high", "low", "close", "volume")


class LongerBars:
    """The bars of a longer timeframe. They are made from shorter bars, and grow with them."""

    def __init__(self, bars: BarColumns, grid: BarGrid) -> None:
        self.made = GrowingColumns()
        self._bars = bars
        self._grid = grid
        self._taken = 0
        """The number of shorter bars that are joined permanently: all except the last one, which can still change."""
        self._before: tuple[int, int, list[list[float]]] = BEFORE, 0, [[] for _ in _NAMES]
        """The state without the last shorter bar: the end of its period, the number of made bars, and the last made
        bar."""
        self.update()

    def update(self) -> int:
        """Join new or changed shorter bars, and return the index of the first longer bar that may have changed."""
        made, count = self.made, len(self._bars.time)
        end, length, last = self._before
        start = max(length - 1, 0)
        for name, value in zip(_NAMES, last, strict=True):
            getattr(made, name)[start:] = value
        if not count:
            return start
        end = join(self._bars, self._grid, made, self._taken, count - 1, end)
        self._before = end, len(made.time), [getattr(made, name)[-1:] for name in _NAMES]
        self._taken = count - 1
        join(self._bars, self._grid, made, count - 1, count, end)
        return start


class RecentBars:
    """The last `count` bars of a series of bars, and the bars that are added to it later."""

    def __init__(self, bars: BarColumns, count: int) -> None:
        self.bars = GrowingColumns()
        self._others = bars
        self._first = len(bars.time) - count
        self.update()

    def update(self) -> None:
        """Copy the bars that are new since the last update, and the bar that may have changed."""
        taken = max(len(self.bars.time) - 1, 0)
        for name in _NAMES:
            getattr(self.bars, name)[taken:] = getattr(self._others, name)[self._first + taken :]


class DerivedBars:
    """Bars that are made from other bars and grow with them. An update computes only the bars that change."""

    def __init__(
        self, bars: BarColumns, grid: BarGrid | None, earlier: BarColumns | None = None, *, averaged: bool = False
    ) -> None:
        """Make bars from `bars`.

        `grid` gives the periods of a longer timeframe; without it the bars keep their timeframe. `earlier` are bars of
        the same timeframe from another source, and come before the made bars. With `averaged` the result is Heikin Ashi
        bars.
        """
        self._joined = LongerBars(bars, grid) if grid is not None else None
        self._plain: BarColumns = bars if self._joined is None else self._joined.made
        self._earlier = earlier
        self._behind = GrowingColumns() if earlier is not None else None
        """The earlier bars followed by the made bars."""
        self._shift: int | None = None
        """The number of earlier bars before the first made bar; None until there is a made bar."""
        self._from = 0
        """The index, in all bars, of the first made bar. The earlier bars come before it."""
        self._averaged = GrowingColumns() if averaged else None
        self._count = 0
        self._take(0)

    @property
    def bars(self) -> BarColumns:
        return self._averaged or self._behind or self._plain

    def update(self) -> None:
        """Compute the bars that are new or changed."""
        self._take(max(self._count - 1, 0) if self._joined is None else self._joined.update())

    def _take(self, start: int) -> None:
        """Make the bars again from bar `start` of `_plain` on."""
        self._count = len(self._plain.time)
        bars = self._plain
        if self._behind is not None and self._earlier is not None:
            if not self._count:
                return
            if self._shift is None:
                self._begin(self._earlier, self._behind)
            first = max(start, self._from)
            start = first + (self._shift or 0)
            for name in _NAMES:
                getattr(self._behind, name)[start:] = getattr(self._plain, name)[first:]
            bars = self._behind
        if self._averaged is not None:
            average(bars, self._averaged, min(start, len(self._averaged.time)))

    def _begin(self, earlier: BarColumns, behind: GrowingColumns) -> None:
        """Copy the earlier bars that open before the made bars. If both have a bar that opens when the first made bar
        opens, take the earlier bar: it covers its whole period."""
        first = self._plain.time[0]
        self._shift = count = bisect_left(earlier.time, first)
        self._from = int(count > 0 and len(earlier.time) > count + 1 and earlier.time[count] == first)
        for name in _NAMES:
            getattr(behind, name)[:] = getattr(earlier, name)[: count + self._from]


def average(bars: BarColumns, into: GrowingColumns, start: int) -> None:
    """Recompute the Heikin Ashi bars of `bars` from index `start` on, and write them into `into`."""
    for name in _NAMES:
        del getattr(into, name)[start:]
    for number in range(start, len(bars.time)):
        first, high, low, last = bars.open[number], bars.high[number], bars.low[number], bars.close[number]
        open_ = (into.open[-1] + into.close[-1]) / 2 if number else (first + last) / 2
        close = (first + high + low + last) / 4
        prices = (open_, max(high, open_, close), min(low, open_, close), close)
        into.add(bars.time[number], prices, bars.volume[number])

"""Bars made of other bars: of a longer timeframe, or averaged."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from pinebench.calendars.aggregation import BEFORE, join
from pinebench.calendars.aggregation import Columns as BarColumns
from pinebench.calendars.timeframes import Grid


@dataclass(slots=True)
class Columns:
    """Bars that are being made."""

    time: list[int] = field(default_factory=list)
    open: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    close: list[float] = field(default_factory=list)
    volume: list[float] = field(default_factory=list)

    def add(self, time: int, prices: tuple[float, float, float, float], volume: float) -> None:
        """Append a bar of open, high, low and close."""
        self.time.append(time)
        for column, price in zip((self.open, self.high, self.low, self.close), prices, strict=True):
            column.append(price)
        self.volume.append(volume)


_NAMES = ("time", "open", "high", "low", "close", "volume")


class Joined:
    """The bars of a longer timeframe, which grow with those that they are made of."""

    def __init__(self, bars: BarColumns, grid: Grid) -> None:
        self.made = Columns()
        self._bars = bars
        self._grid = grid
        self._taken = 0
        """How many bars are taken for good: all but the last, which may change."""
        self._before: tuple[int, int, list[list[float]]] = BEFORE, 0, [[] for _ in _NAMES]
        """What there was without the last bar: the end of its period, how many bars, and the last of them."""
        self.update()

    def update(self) -> int:
        """Take what came or changed, and give the number of the first bar that is not as it was."""
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


class Latest:
    """The last `count` bars of others and what comes after them."""

    def __init__(self, bars: BarColumns, count: int) -> None:
        self.bars = Columns()
        self._others = bars
        self._first = len(bars.time) - count
        self.update()

    def update(self) -> None:
        """Take what came or changed."""
        taken = max(len(self.bars.time) - 1, 0)
        for name in _NAMES:
            getattr(self.bars, name)[taken:] = getattr(self._others, name)[self._first + taken :]


class Made:
    """Bars that are made of others and grow with them: an update costs what it changes, and no more."""

    def __init__(
        self, bars: BarColumns, grid: Grid | None, earlier: BarColumns | None = None, *, averaged: bool = False
    ) -> None:
        """`bars` in the periods of `grid`, or as they are; behind those of the same timeframe that are `earlier`; and
        `averaged` as Heikin Ashi are.
        """
        self._joined = Joined(bars, grid) if grid is not None else None
        self._plain: BarColumns = bars if self._joined is None else self._joined.made
        self._earlier = earlier
        self._behind = Columns() if earlier is not None else None
        """The bars behind the earlier ones."""
        self._shift: int | None = None
        """How many bars stand before the first of these, once there is one."""
        self._from = 0
        """The first of these that stands behind the earlier ones."""
        self._averaged = Columns() if averaged else None
        self._count = 0
        self._take(0)

    @property
    def bars(self) -> BarColumns:
        return self._averaged or self._behind or self._plain

    def update(self) -> None:
        """Take what came or changed."""
        self._take(max(self._count - 1, 0) if self._joined is None else self._joined.update())

    def _take(self, start: int) -> None:
        """Make what follows from bar `start` on."""
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
            average(bars, self._averaged, start)

    def _begin(self, earlier: BarColumns, behind: Columns) -> None:
        """Take those of the earlier bars that open before these; a first bar that both have is that of the earlier
        ones, which saw all of it.
        """
        first = self._plain.time[0]
        self._shift = count = bisect_left(earlier.time, first)
        self._from = int(count > 0 and len(earlier.time) > count + 1 and earlier.time[count] == first)
        for name in _NAMES:
            getattr(behind, name)[:] = getattr(earlier, name)[: count + self._from]


def average(bars: BarColumns, into: Columns, start: int) -> None:
    """Make the averaged bars of Heikin Ashi anew from bar `start` on."""
    for name in _NAMES:
        del getattr(into, name)[start:]
    for number in range(start, len(bars.time)):
        first, high, low, last = bars.open[number], bars.high[number], bars.low[number], bars.close[number]
        open_ = (into.open[-1] + into.close[-1]) / 2 if number else (first + last) / 2
        close = (first + high + low + last) / 4
        prices = (open_, max(high, open_, close), min(low, open_, close), close)
        into.add(bars.time[number], prices, bars.volume[number])

"""Bars made of other bars: of a longer timeframe, or averaged."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from pinebench.calendars import aggregation as calendars
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


def aggregate(bars: BarColumns, grid: Grid) -> Columns:
    """`bars` in the periods of `grid`, each with the time at which its period begins."""
    return calendars.aggregate(bars, grid, Columns())


def since(bars: BarColumns, time: int) -> Columns:
    """The bars that open at a time or later."""
    first = bisect_left(bars.time, time)
    columns = (bars.open, bars.high, bars.low, bars.close, bars.volume)
    return Columns(list(bars.time[first:]), *(list(column[first:]) for column in columns))


def continued(earlier: BarColumns, bars: BarColumns) -> BarColumns:
    """`bars` of one timeframe behind those of `earlier` that open before them; a first bar that both have is that of
    `earlier`, which saw all of it."""
    count = bisect_left(earlier.time, bars.time[0]) if bars.time else 0
    if not count:
        return bars
    whole = len(earlier.time) > count + 1 and earlier.time[count] == bars.time[0]
    made = Columns()
    for name in ("time", "open", "high", "low", "close", "volume"):
        getattr(made, name)[:] = [*getattr(earlier, name)[: count + whole], *getattr(bars, name)[whole:]]
    return made


def heikin_ashi(bars: BarColumns) -> Columns:
    """The averaged bars of Heikin Ashi."""
    made = Columns()
    open_, close = 0.0, 0.0
    rows = zip(bars.time, bars.open, bars.high, bars.low, bars.close, bars.volume, strict=True)
    for number, (time, first, high, low, last, volume) in enumerate(rows):
        open_ = (first + last) / 2 if not number else (open_ + close) / 2
        close = (first + high + low + last) / 4
        made.add(time, (open_, max(high, open_, close), min(low, open_, close), close), volume)
    return made

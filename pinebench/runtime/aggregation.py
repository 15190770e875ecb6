"""Bars of a longer timeframe made of shorter ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from pinebench.runtime.library.timeframes import Grid


class BarColumns(Protocol):
    """Bars in columns: times of opening in milliseconds UTC, prices and volume."""

    time: list[int]
    open: list[float]
    high: list[float]
    low: list[float]
    close: list[float]
    volume: list[float]


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

    def merge(self, prices: tuple[float, float, float, float], volume: float) -> None:
        """Let the last bar go on with the next shorter one."""
        self.high[-1] = max(self.high[-1], prices[1])
        self.low[-1] = min(self.low[-1], prices[2])
        self.close[-1] = prices[3]
        self.volume[-1] += volume


def aggregate(bars: BarColumns, grid: Grid) -> Columns:
    """`bars` in the periods of `grid`, each with the time at which its period begins."""
    made = Columns()
    rows = zip(bars.time, bars.open, bars.high, bars.low, bars.close, bars.volume, strict=True)
    end = -(1 << 62)
    for time, open_, high, low, close, volume in rows:
        if time >= end:
            start, end = grid.bar(time)
            made.add(start, (open_, high, low, close), volume)
        else:
            made.merge((open_, high, low, close), volume)
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

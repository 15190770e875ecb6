"""Builds bars of a longer timeframe from shorter bars."""

from __future__ import annotations

from typing import Protocol, TypeVar

from pinebench.calendars.timeframes import BarGrid


class BarColumns(Protocol):
    """Bars in columns: opening times in milliseconds UTC, prices, and volumes. An unknown volume is nan."""

    time: list[int]
    open: list[float]
    high: list[float]
    low: list[float]
    close: list[float]
    volume: list[float]


Made = TypeVar("Made", bound=BarColumns)


BEFORE = -(1 << 62)
"""The end of a period before any bar."""


def aggregate(bars: BarColumns, grid: BarGrid, into: Made) -> Made:
    """Combine `bars` into the longer bars of `grid`. Return them in `into`, whose columns must be empty. The time of
    each new bar is its opening time in `grid`."""
    join(bars, grid, into, 0, len(bars.time), BEFORE)
    return into


def join(bars: BarColumns, grid: BarGrid, into: BarColumns, first: int, stop: int, end: int) -> int:
    """Join the shorter bars with indices from `first` up to, but excluding, `stop`, and add the result to `into`.
    Return the end of the last period. `end` is the end of the last period that `into` already has (milliseconds UTC),
    or `BEFORE` if it has none."""
    columns = (bars.time, bars.open, bars.high, bars.low, bars.close, bars.volume)
    for time, open_, high, low, close, volume in zip(*(column[first:stop] for column in columns), strict=True):
        if time < end:
            _merge(into, high, low, close, volume)
            continue
        start, end = grid.bar(time)
        if into.time and start <= into.time[-1]:
            # a bar after the last run of its period, or before its first, still belongs to it
            _merge(into, high, low, close, volume)
            continue
        for column, value in zip((into.open, into.high, into.low, into.close), (open_, high, low, close), strict=True):
            column.append(value)
        into.time.append(start)
        into.volume.append(volume)
    return end


def _merge(into: BarColumns, high: float, low: float, close: float, volume: float) -> None:
    """Merge a shorter bar into the last bar. An unknown volume adds nothing to a known one."""
    if high > into.high[-1]:
        into.high[-1] = high
    if low < into.low[-1]:
        into.low[-1] = low
    into.close[-1] = close
    known = into.volume[-1]
    into.volume[-1] = volume if known != known else known if volume != volume else known + volume

"""Chooses the numbers of bars after which a chart is checked for repainting, and the live updates of a bar."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, Timeframe
from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.market import Bars
from pinebench.runtime import BarColumns, ChartSymbol, RequestSource

MOST_PREFIXES = 16
"""The largest number of runs on a first part of the history."""
_LONGER = ("5", "60", "240", "D", "W", "M")
_PLACES = (0.93, 0.71, 0.47)
"""The fractions of the bars near which boundaries of longer timeframes are chosen."""
_SPREAD = (0.983, 0.887, 0.809, 0.661, 0.563, 0.389, 0.271)
"""Fractions of the bars that are always chosen, whatever the timeframes are."""

_MOST_UPDATES = 8
"""The approximate largest number of updates of a live bar."""

Update = tuple[tuple[float, float, float, float, float], bool]
"""Open, high, low, close and volume so far, and whether it is the bar's last update."""


def prefixes(times: list[int], symbol: ChartSymbol) -> list[int]:
    """Return the numbers of bars after which the chart is checked, in ascending order. They lie before, within and
    after bars of longer timeframes, at a gap between sessions and before the last bar, and are spread over all bars."""
    count = len(times)
    spread = (round(part * count) for part in _SPREAD)
    chosen = dict.fromkeys((count - 1, *_boundaries(times, symbol), *spread))
    return sorted([each for each in chosen if 0 < each < count][:MOST_PREFIXES])


def _boundaries(times: list[int], symbol: ChartSymbol) -> Iterator[int]:
    """Yield numbers of bars just before the end of a longer timeframe's bar, in the middle of one, and at a gap. The
    longest timeframe comes first."""
    own = timeframe_of(symbol.timeframe)
    known = session(symbol.session, symbol.timezone)
    grids = [BarGrid(asked, known, not asked.is_intraday) for asked in _longer(own)]
    for part in _PLACES:
        for grid in grids[::-1]:
            found = grid.bar(times[min(round(part * len(times)), len(times) - 1)])
            first, behind = bisect_left(times, found.open), bisect_left(times, found.close)
            # One bar before the end: the live bars that follow close this period and begin the next one.
            yield behind - 1 if part == _PLACES[0] else (first + behind + 1) // 2
    gap = _gap(times)
    if gap is not None:
        yield gap


def _longer(own: Timeframe) -> list[Timeframe]:
    return [asked for asked in map(timeframe_of, _LONGER) if asked.seconds > own.seconds]


def _gap(times: list[int]) -> int | None:
    """The number of bars before the last gap that is longer than the shortest step; None if there is no gap."""
    steps = [later - before for before, later in pairwise(times)]
    usual = min(steps, default=0)
    return next((number for number in range(len(steps), 0, -1) if steps[number - 1] > usual), None)


def first(bars: BarColumns, count: int) -> Bars:
    """Return a copy of the first `count` bars."""
    return Bars(
        bars.time[:count],
        bars.open[:count],
        bars.high[:count],
        bars.low[:count],
        bars.close[:count],
        bars.volume[:count],
    )


def known(others: Mapping[str, RequestSource], moment: int) -> dict[str, RequestSource]:
    """Return the bars of other symbols (`others`, by ticker) that are known at `moment` (milliseconds UTC). If the last
    bar is still open, only its open is known."""
    found: dict[str, RequestSource] = {}
    for name, source in others.items():
        bars, symbol = source.bars, source.symbol
        asked = timeframe_of(symbol.timeframe)
        grid = BarGrid(asked, session(symbol.session, symbol.timezone), not asked.is_intraday)
        cut = first(bars, bisect_left(bars.time, moment))
        if cut.time and grid.bar(cut.time[-1]).close > moment:
            for column in (cut.high, cut.low, cut.close):
                column[-1] = cut.open[-1]
            cut.volume[-1] *= 0.0
        found[name] = RequestSource(cut, symbol)
    return found


def path(bars: BarColumns, number: int) -> list[Update]:
    """Return the live updates of bar `number`: its open, the extreme nearer to the open, the other extreme, and its
    close. The low comes first if both extremes are equally near. The last update closes the bar."""
    open_, high, low, close = bars.open[number], bars.high[number], bars.low[number], bars.close[number]
    volume = bars.volume[number]
    up = high - open_ < open_ - low
    second = (high, open_, high) if up else (open_, low, low)
    return [
        ((open_, open_, open_, open_, 0.0 * volume), False),
        ((open_, second[0], second[1], second[2], volume / 4), False),
        ((open_, high, low, low if up else high, volume / 2), False),
        ((open_, high, low, close, volume), True),
    ]


def inner_path(bars: BarColumns, number: int, lower: BarColumns, close_time: int) -> list[Update]:
    """Return the live updates of bar `number` at the closes of the shorter bars in it; some are left out if there are
    many.

    `close_time` is in milliseconds UTC. With fewer than two shorter bars, the updates are the same as from `path`.
    """
    begin, end = bisect_left(lower.time, bars.time[number]), bisect_left(lower.time, close_time)
    high, low, volume = -math.inf, math.inf, 0.0
    updates: list[Update] = []
    for each in range(begin, end):
        high, low = max(high, lower.high[each]), min(low, lower.low[each])
        volume += lower.volume[each]
        updates.append(((bars.open[number], high, low, lower.close[each], volume), False))
    if len(updates) < 2:
        return path(bars, number)
    step = math.ceil(len(updates) / _MOST_UPDATES)
    return [*updates[:-1][::step], path(bars, number)[-1]]


def lower_of(others: Mapping[str, RequestSource], symbol: ChartSymbol) -> Any:
    """Return the bars of the chart's symbol in `others` if their timeframe is shorter than the chart's, else None."""
    own = timeframe_of(symbol.timeframe)
    for name in (f"{symbol.prefix}:{symbol.symbol}", symbol.symbol):
        source = others.get(name)
        if source is not None and timeframe_of(source.symbol.timeframe).seconds < own.seconds:
            return source.bars
    return None

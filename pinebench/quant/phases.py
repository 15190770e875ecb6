"""Phases of the trading day, and the distribution of volume and range over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.calendars import sessions
from pinebench.calendars.timeframes import timeframe
from pinebench.calendars.zones import local
from pinebench.market import Bars, SymbolInfo
from pinebench.quant.figure import Statistic, known, mean, quotient, total, unknown

_SESSION = 390
"""The minutes of the session of US shares, by which the phases are named."""
_PHASES = (
    (30, "opening"),
    (120, "morning"),
    (210, "midday"),
    (300, "early afternoon"),
    (330, "late afternoon"),
    (360, "last hour"),
    (390, "close"),
)
"""The ends of the phases in minutes after the opening at 9:30: 10:00, 11:30, 13:00, 14:30, 15:00, 15:30 and 16:00."""
_CLOCK = ((7, "Asia"), (13, "Europe"), (21, "America"), (24, "between"))
"""The ends of the phases, in hours UTC, for a market that trades for more than half a day."""
_LONGEST = 12 * 60


class Phase(NamedTuple):
    """One phase: its number of bars, their share of all volume, and the mean of their ranges, (high - low) / close."""

    name: str
    bars: int
    volume_share: Statistic
    mean_range: Statistic


def phase_at(time: int, symbol: SymbolInfo) -> str | None:
    """Return the phase of the trading day at `time` (milliseconds UTC); None while the market is closed.

    A session of up to 12 hours has the phases of US shares, stretched to its length: opening, morning, midday, early
    afternoon, late afternoon, last hour, and close. A longer session has phases by the hour in UTC: Asia from 0, Europe
    from 7, America from 13, and `between` from 21.
    """
    session = sessions.session(symbol.session, symbol.timezone)
    run = session.at(time)
    if run is None:
        return None
    length = (run.close - run.open) / 60_000
    if length > _LONGEST:
        hour = local(time, "UTC").hour
        return next(name for end, name in _CLOCK if hour < end)
    since = (time - run.open) / 60_000 * _SESSION / length
    return next((name for end, name in _PHASES if since < end), _PHASES[-1][1])


def by_phase(bars: Bars, symbol: SymbolInfo) -> list[Phase] | str:
    """Return the phases in the order of the day, for the bars that open in each; or the reason why there are none. The
    bars must be shorter than a day. Bars outside the session are left out."""
    frame = timeframe(symbol.timeframe)
    if not frame.is_intraday:
        return "phases of the day need bars that are shorter than a day"
    places: dict[str, list[int]] = {}
    for at, time in enumerate(bars.time):
        name = phase_at(time, symbol)
        if name is not None:
            places.setdefault(name, []).append(at)
    if not places:
        return "no bar opens in the session of the symbol"
    order = [name for _, name in (*_PHASES, *_CLOCK)]
    whole = _volume(bars, [at for inside in places.values() for at in inside])
    return [_phase(bars, name, places[name], whole) for name in sorted(places, key=order.index)]


def _phase(bars: Bars, name: str, places: Sequence[int], whole: float) -> Phase:
    ranges = [
        (bars.high[at] - bars.low[at]) / bars.close[at]
        for at in places
        if math.isfinite(bars.high[at] - bars.low[at]) and 0 < bars.close[at] < math.inf
    ]
    return Phase(
        name,
        len(places),
        quotient(_volume(bars, places), whole, "the bars have no volume"),
        known(mean(ranges)) if ranges else unknown("the prices are na"),
    )


def _volume(bars: Bars, places: Sequence[int]) -> float:
    return total(bars.volume[at] for at in places if 0 < bars.volume[at] < math.inf)

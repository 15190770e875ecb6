"""Computes the number of bars in a year from the symbol's sessions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.calendars import sessions
from pinebench.calendars.timeframes import timeframe
from pinebench.calendars.zones import local
from pinebench.market import SymbolInfo
from pinebench.quant.weekdays import open_days, rests_against_its_session

_WEEKS, _MONTHS = 52, 12
_EXCHANGE_DAYS = 252
"""The trading days a year of an exchange that is open on five days; about nine weekdays are holidays."""
_OPEN_DAYS = {7: 365, 6: 312, 4: 208, 3: 156, 2: 104, 1: 52}
_CURRENCY_DAYS = 260


class Year(NamedTuple):
    """The number of bars in a year (None if it is not known), and a remark for people (empty if there is none)."""

    bars: float | None
    remark: str = ""


def bars_a_year(symbol: SymbolInfo, times: Sequence[int] = ()) -> Year:
    """Return the number of bars in a year of the symbol's timeframe.

    A month is a twelfth of a year and a week a 52nd. A year has 365 days for a market that trades every day. A market
    that trades on five days a week has 252 days a year on an exchange, and 260 for forex. The number of bars in a day
    comes from the session.

    `times` (opening times in milliseconds UTC) correct one mistake. If the symbol is said to trade around the clock,
    but no bar opens on a Saturday in at least two weeks, the market counts as trading on five days a week, and the
    remark says so.
    """
    frame = timeframe(symbol.timeframe)
    if frame.unit == "T":
        return Year(None, "bars of ticks have no fixed number in a year")
    if frame.unit == "M":
        return Year(_MONTHS / frame.multiplier)
    if frame.unit == "W":
        return Year(_WEEKS / frame.multiplier)
    session = sessions.session(symbol.session, symbol.timezone)
    if rests_against_its_session(symbol, times):
        days, bars = _five_days(symbol), float(_most_on_a_day(times, symbol.timezone))
        remark = (
            f"no bar opens on a Saturday, so a year has {days} days, although the session of the symbol is"
            f" {symbol.session}"
        )
    else:
        open_on = open_days(symbol)
        days = _five_days(symbol) if open_on == 5 else _OPEN_DAYS.get(open_on, 0)
        bars, remark = _bars_a_day(session, frame.seconds, open_on), ""
    if frame.unit == "D":
        return Year(days / frame.multiplier, remark)
    return Year(days * bars, remark) if days * bars else Year(None, "the session of the symbol is never open")


def _five_days(symbol: SymbolInfo) -> int:
    """The trading days a year of a market that trades on five days a week."""
    return _CURRENCY_DAYS if symbol.type == "forex" else _EXCHANGE_DAYS


def _most_on_a_day(times: Sequence[int], zone: str) -> int:
    return max(Counter(local(time, zone).date() for time in times).values())


def _bars_a_day(session: sessions.Session, seconds: int, days: int) -> float:
    """The mean number of bars on a trading day. Bars count from the opening of each run, the last one may be short."""
    if not seconds or not days:
        return 0.0
    count = 0
    for start, end, open_on in session.ranges:
        minutes = end - start if end > start else end - start + 24 * 60
        count += math.ceil(minutes * 60 / seconds) * len(open_on)
    return count / days

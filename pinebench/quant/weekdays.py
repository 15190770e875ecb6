"""Finds the days of the week on which a market is open, from its session and from its bars."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.calendars import sessions
from pinebench.calendars.zones import local
from pinebench.market import SymbolInfo

_SATURDAY = 5
_LEAST_DAYS = 14
_DAY_MS = 86_400_000


def open_days(symbol: SymbolInfo) -> int:
    """Return the number of days of the week on which the session of a symbol is open."""
    return len({day for each in sessions.session(symbol.session, symbol.timezone).ranges for day in each.days})


def rests_against_its_session(symbol: SymbolInfo, times: Sequence[int]) -> bool:
    """Return whether a market rests on weekends although its session says that it never closes.

    It rests if no bar opens on a Saturday in at least two weeks: the week of currencies begins on Sunday evening.
    `times` are opening times in milliseconds UTC. A symbol that is read from a file has such a session by default.
    """
    if open_days(symbol) < 7 or len(times) < 2 or times[-1] - times[0] < _LEAST_DAYS * _DAY_MS:
        return False
    return not any(local(time, symbol.timezone).weekday() == _SATURDAY for time in times)

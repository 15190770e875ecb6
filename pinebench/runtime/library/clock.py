"""The time zones, sessions and timeframes that a running script names. An invalid name stops the script."""

from __future__ import annotations

import datetime

from pinebench.calendars import sessions, timeframes, zones
from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import UsageError
from pinebench.runtime.faults import RuntimeFault

_LONG = 2.0**63


def zone(name: str) -> datetime.tzinfo:
    """Return the time zone with this name. Raises RuntimeFault for an unknown name."""
    try:
        return zones.zone(name)
    except UsageError:
        raise RuntimeFault("invalid-timezone", timezone=name) from None


def local(time: float, name: str) -> datetime.datetime:
    """Return `time` (milliseconds UTC) as a date and time in the zone `name`. Raises RuntimeFault if it is unknown."""
    try:
        return zones.local(time, name)
    except UsageError:
        raise RuntimeFault("invalid-timezone", timezone=name) from None


def is_moment(time: float) -> bool:
    """Return whether a number can be a time: it is not na, and fits into Java's long."""
    return -_LONG <= time < _LONG


def names_own_session(text: str | None) -> bool:
    """Return whether a session string contains no times, so that it means the symbol's own session."""
    try:
        return sessions.ranges(text or "") is None
    except UsageError:
        raise RuntimeFault("session-entry", n=text) from None


def timeframe(text: str) -> Timeframe:
    """Parse the timeframe `text`. Raises RuntimeFault if it is not valid."""
    try:
        return timeframes.timeframe(text)
    except UsageError:
        raise RuntimeFault("invalid-timeframe", timeframe=text) from None

"""Zones, sessions and timeframes as a running script names them: what is none stops it."""

from __future__ import annotations

import datetime

from pinebench.calendars import sessions, timeframes, zones
from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import UsageError
from pinebench.runtime.faults import RuntimeFault

_LONG = 2.0**63


def zone(name: str) -> datetime.tzinfo:
    """The time zone of a name."""
    try:
        return zones.zone(name)
    except UsageError:
        raise RuntimeFault("invalid-timezone", timezone=name) from None


def local(time: float, name: str) -> datetime.datetime:
    """The moment `time`, milliseconds UTC, on the clocks of the zone `name`."""
    try:
        return zones.local(time, name)
    except UsageError:
        raise RuntimeFault("invalid-timezone", timezone=name) from None


def is_moment(time: float) -> bool:
    """Whether a number can be a moment: it is there, and Java's long can hold it."""
    return -_LONG <= time < _LONG


def names_own_session(text: str | None) -> bool:
    """Whether a session string names no times: the symbol's own session is meant."""
    try:
        return sessions.ranges(text or "") is None
    except UsageError:
        raise RuntimeFault("session-entry", n=text) from None


def timeframe(text: str) -> Timeframe:
    """The timeframe that a text names."""
    try:
        return timeframes.timeframe(text)
    except UsageError:
        raise RuntimeFault("invalid-timeframe", timeframe=text) from None

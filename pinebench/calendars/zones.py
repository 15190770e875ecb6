"""Time zones by the names that scripts use, and times in them."""

from __future__ import annotations

import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from pinebench.errors import UsageError
from pinebench.patterns import lazy_pattern

UTC = datetime.UTC
GMT = datetime.timezone(datetime.timedelta(), "GMT")
"""UTC under the name GMT, which TradingView writes for `UTC`."""

_OFFSET = lazy_pattern(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?(?:(?<=\d\d:\d\d):00)?")
_LARGEST = datetime.timedelta(hours=18)
_REFUSED = ("EST", "MST", "HST")
"""Zones of the time zone database that TradingView does not know (recorded)."""


@lru_cache(64)
def zone(name: str) -> datetime.tzinfo:
    """Return the time zone for a name such as `UTC`, `UTC0`, `UTC+5:30`, `GMT-0400` or `America/New_York`. Raises
    UsageError for other names."""
    if name in ("", "UTC", "GMT", "UTC0"):
        return GMT
    if name == "Etc/UTC":
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        size = datetime.timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        if size <= _LARGEST:
            return datetime.timezone(size if offset[1] == "+" else -size)
    try:
        return ZoneInfo("" if name in _REFUSED else name)
    except (KeyError, OSError, ValueError) as error:
        raise UsageError(
            f'"{name}" is not a valid time zone', 'Time zones look like "America/New_York", "UTC" or "GMT+5:30".'
        ) from error


@lru_cache(4096)
def _quarter(quarter: int, name: str) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(quarter * 900, zone(name))


@lru_cache(4096)
def _is_steady(quarter: int, name: str) -> bool:
    """Whether the clocks of a zone do not change within a quarter of an hour."""
    return _quarter(quarter, name).utcoffset() == _quarter(quarter + 1, name).utcoffset()


def local(time: float, name: str) -> datetime.datetime:
    """Return `time` (milliseconds UTC) as a date and time in the zone `name`."""
    quarter, rest = divmod(int(time), 900_000)
    moment = _quarter(quarter, name)
    if not rest:
        return moment
    if not _is_steady(quarter, name):
        second, milliseconds = divmod(rest, 1000)
        moment = datetime.datetime.fromtimestamp(quarter * 900 + second, zone(name))
        rest = milliseconds
    # A sum forgets which of two equal hours it is in.
    return (moment + datetime.timedelta(milliseconds=rest)).replace(fold=moment.fold)


CYCLE = 146_097 * 86_400_000
"""400 years in milliseconds, after which dates and days of the week repeat."""
_FIRST, _LAST = -62_100_000_000_000, 253_300_000_000_000
"""The range of times within the years 2 to 9996, in any zone."""


def within(time: float) -> tuple[int, int]:
    """Shift `time` (milliseconds UTC) by 400-year cycles until `datetime` can hold it. Return the shifted time, and the
    number of cycles to add to the shifted time to get `time`."""
    moment = int(time)
    if _FIRST <= moment <= _LAST:
        return moment, 0
    cycles = (moment - _FIRST) // CYCLE if moment < _FIRST else -((_LAST - moment) // CYCLE)
    return moment - cycles * CYCLE, cycles


def milliseconds(moment: datetime.datetime) -> int:
    """Return `moment` in milliseconds UTC."""
    return round(moment.timestamp() * 1000)

"""Computes the hours, dates and other parts of many times in one time zone."""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from pinebench.calendars.zones import local, zone

_DAY = 86_400_000
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_NO_TIME = datetime.timedelta()

PARTS_OF_DAY: dict[str, tuple[int, int]] = {"hour": (3_600_000, 24), "minute": (60_000, 60), "second": (1_000, 60)}
"""The milliseconds of each part of a day, and the number of its values."""
PARTS_OF_DATE: dict[str, Callable[[datetime.date], int]] = {
    "year": lambda date: date.year,
    "month": lambda date: date.month,
    "weekofyear": lambda date: date.isocalendar()[1],
    "dayofmonth": lambda date: date.day,
    "dayofweek": lambda date: date.isoweekday() % 7 + 1,
}
"""The parts of a date. Days of the week count from Sunday, 1."""


def stretches(times: Sequence[int], name: str) -> Iterator[tuple[int, int, int]]:
    """Split ascending `times` (milliseconds UTC) into parts in which the zone `name` has a constant offset from UTC.

    Yield each part as its first index, the index after its last, and its offset in milliseconds. A part is at most one
    day long, unless the zone has a fixed offset.
    """
    fixed = zone(name).utcoffset(None)
    start, count = 0, len(times)
    while start < count:
        if fixed is not None:
            yield start, count, fixed // datetime.timedelta(milliseconds=1)
            return
        stop = bisect_left(times, (times[start] // _DAY + 1) * _DAY, start)
        offset = _offset(times[start], name)
        if _offset(times[stop - 1], name) != offset:
            stop = next(k for k in range(start, stop) if _offset(times[k], name) != offset)
        yield start, stop, offset
        start = stop


def _offset(time: int, name: str) -> int:
    return (local(time, name).utcoffset() or _NO_TIME) // datetime.timedelta(milliseconds=1)


def clock(part: str, times: Sequence[int], name: str) -> list[int]:
    """Return the hour, minute or second (`part`) of each of the ascending `times` (milliseconds UTC) in the zone
    `name`."""
    length, count = PARTS_OF_DAY[part]
    found: list[int] = []
    for start, stop, offset in stretches(times, name):
        stretch = times[start:stop]
        # bars without gaps have the same hours every day
        daily = _a_day(stretch)
        shown = [(time + offset) // length % count for time in stretch[:daily]]
        found += shown if daily == len(stretch) else (shown * (len(stretch) // daily + 1))[: len(stretch)]
    return found


def _a_day(times: Sequence[int]) -> int:
    """The number of `times` in one day, after which the same hours repeat; all of them if there are gaps."""
    count = len(times)
    step = times[1] - times[0] if count > 1 else 0
    if step <= 0 or _DAY % step or count * step <= _DAY:
        return count
    is_even = list(times) == list(range(times[0], times[0] + count * step, step))
    return _DAY // step if is_even else count


def dates(times: Sequence[int], name: str, read: Callable[[datetime.date], int]) -> list[int]:
    """Return `read(date)` for the date of each of the ascending `times` (milliseconds UTC) in the zone `name`."""
    found: list[int] = []
    for start, stop, offset in stretches(times, name):
        while start < stop:
            day = (times[start] + offset) // _DAY
            behind = bisect_left(times, (day + 1) * _DAY - offset, start, stop)
            found += [read(datetime.date.fromordinal(_EPOCH + day))] * (behind - start)
            start = behind
    return found

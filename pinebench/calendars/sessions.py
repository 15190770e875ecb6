"""Sessions: the hours in which a market trades, or in which a script is active.

A session string has time ranges (`0930-1600`, separated by commas) and, after a colon, digits for days (1 is Sunday).
It may have several such sections, separated by `|`. A range that does not end after its start continues on the next
day. Each opening of a range belongs to the day of its last minute, which is the day that the digits refer to.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import lru_cache

from pinebench.calendars.zones import local, milliseconds, zone
from pinebench.errors import UsageError
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple

_DAY = 24 * 60
_EVERY_DAY = frozenset(range(1, 8))
_WEEKDAYS = frozenset(range(2, 7))
_RANGE = lazy_pattern(r"(\d\d)(\d\d)-(\d\d)(\d\d)", re.ASCII)
_REACH = 60  # the largest number of days that are searched for a run


class ClockRange(NamedTuple):
    """A daily time range. It has a first minute and an end, in minutes from midnight, and the days on which it opens (1
    is Sunday)."""

    start: int
    end: int
    days: frozenset[int]


class SessionOpening(NamedTuple):
    """A period in which a session is open: its start and exclusive end in milliseconds UTC, and its trading day."""

    open: int
    close: int
    day: datetime.date


@lru_cache(128)
def ranges(text: str) -> tuple[ClockRange, ...] | None:
    """Parse the time ranges of a session string. Return None if it does not start with a digit: it then means the
    symbol's own session. Raises UsageError for an invalid string that starts with a digit."""
    text = text.strip()
    if not text or not text[0].isdigit():
        return None
    if text == "24x7":
        return (ClockRange(0, 0, _EVERY_DAY),)
    if not set(text) & set(":,|"):
        return tuple(ClockRange(start, end, _EVERY_DAY) for start, end in _clock(text, text))
    sections = text.split("|")
    if not sections[-1]:
        sections.pop()
    found = [_section(section, text) for section in sections]
    if len([1 for _, days in found if days is None]) > 1:
        raise _no_session(text)
    named: frozenset[int] = frozenset()
    result: list[ClockRange] = []
    for clock, days in reversed(found):  # a later section replaces an earlier one on its days
        if days is not None:
            result += [ClockRange(start, end, days - named) for start, end in clock]
            named |= days
    for clock, days in found:
        if days is None:
            result += [ClockRange(start, end, _WEEKDAYS - named) for start, end in clock]
    return tuple(range_ for range_ in result if range_.days)


def _section(section: str, text: str) -> tuple[list[tuple[int, int]], frozenset[int] | None]:
    clock, colon, days = section.partition(":")
    if days.strip("1234567"):
        raise _no_session(text)
    return _clock(clock, text), frozenset(map(int, days)) if colon and days else None


def _no_session(text: str) -> UsageError:
    return UsageError(
        f'"{text}" is not a valid session', 'Sessions look like "0930-1600:23456", "1700-1700:23456" or "24x7".'
    )


def _clock(entries: str, text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    parts = entries.split(",")
    if not parts[-1]:
        parts.pop()
    for part in parts:
        match = _RANGE.fullmatch(part)
        if match is None:
            raise _no_session(text)
        start, end = int(match[1]) * 60 + int(match[2]), int(match[3]) * 60 + int(match[4])
        if start >= _DAY and not start - _DAY < (end or _DAY) <= start < 2 * _DAY:
            raise _no_session(text)
        found.append((start % _DAY, end % _DAY))
    return found


class Session:
    """A session: its daily time ranges, and its time zone."""

    __slots__ = ("_cached", "_closed", "_day", "_opening", "_whole", "ranges", "zone")

    def __init__(self, ranges: tuple[ClockRange, ...], timezone: str) -> None:
        self.ranges = ranges
        self.zone = timezone
        self._opening: dict[datetime.date, list[SessionOpening]] = {}
        self._whole: dict[datetime.date, SessionOpening | None] = {}
        self._cached: SessionOpening | None = None
        self._closed = (0, 0)
        """The last interval between two openings that was looked up."""
        self._day = (0, 0, datetime.date.min)
        """The last trading day that was looked up: a time in it, its end, and its date."""

    def opening_on(self, day: datetime.date) -> list[SessionOpening]:
        """Return the openings that begin on the date `day`, in order of time."""
        known = self._opening.get(day)
        if known is None:
            known = self._opening[day] = sorted(self._runs(day))
        return known

    def _runs(self, day: datetime.date) -> Iterator[SessionOpening]:
        where = zone(self.zone)
        for start, end, days in self.ranges:
            closing = day if end > start else day + datetime.timedelta(days=1)
            begin = datetime.datetime.combine(day, datetime.time(start // 60, start % 60), where)
            # The end itself, and not a minute after the last one: the hour before it may be repeated.
            close = datetime.datetime.combine(closing, datetime.time(end // 60, end % 60), where)
            last = close - datetime.timedelta(minutes=1)
            if last.isoweekday() % 7 + 1 in days:
                yield SessionOpening(milliseconds(begin), milliseconds(close), last.date())

    def at(self, time: int) -> SessionOpening | None:
        """Return the opening at `time` (milliseconds UTC); the latest if several overlap, or None if the session is
        closed."""
        cached = self._cached
        if cached is not None and cached.open <= time < cached.close and len(self.ranges) == 1:
            return cached
        if self._closed[0] <= time < self._closed[1]:
            return None
        today = local(time, self.zone).date()
        found = None
        # Clocks that go back over midnight show a date again whose next one has already opened.
        for ahead in (-1, 0, 1):
            for run in self.opening_on(today + datetime.timedelta(days=ahead)):
                if run.open <= time < run.close and (found is None or run.open > found.open):
                    found = run
        if found is not None:
            self._cached = found
        elif len(self.ranges) == 1:
            before, after = self.before(time), self.after(time)
            if before is not None and after is not None and before.close <= time:
                self._closed = (before.close, after.open)
        return found

    def meeting(self, start: int, end: int) -> list[SessionOpening]:
        """Return the openings that overlap the time from `start` up to, but excluding, `end` (milliseconds UTC)."""
        today = local(start, self.zone).date()
        dates = (today + datetime.timedelta(days=ahead) for ahead in (-1, 0, 1, 2))
        return [run for date in dates for run in self.opening_on(date) if run.open < end and start < run.close]

    def before(self, time: int) -> SessionOpening | None:
        """Return the last opening that begins before `time` (milliseconds UTC), or None."""
        today = local(time, self.zone).date()
        for back in range(-1, _REACH):
            runs = [run for run in self.opening_on(today - datetime.timedelta(days=back)) if run.open < time]
            if runs:
                return runs[-1]
        return None

    def after(self, time: int) -> SessionOpening | None:
        """Return the first opening that begins after `time` (milliseconds UTC), or None."""
        today = local(time, self.zone).date()
        for ahead in range(-1, _REACH):
            for run in self.opening_on(today + datetime.timedelta(days=ahead)):
                if run.open > time:
                    return run
        return None

    def of_day(self, day: datetime.date) -> SessionOpening | None:
        """Return the time from the first opening to the last close of the trading day `day`, as one opening; None on a
        day without trading."""
        if day not in self._whole:
            runs = [
                run
                for opening in (day - datetime.timedelta(days=1), day)
                for run in self.opening_on(opening)
                if run.day == day
            ]
            whole = SessionOpening(min(run.open for run in runs), max(run.close for run in runs), day) if runs else None
            self._whole[day] = whole
        return self._whole[day]

    def day_at(self, time: int) -> datetime.date:
        """Return the trading day at `time` (milliseconds UTC), or the next trading day if the session is closed."""
        begin, end, known = self._day
        if begin <= time < end:
            return known
        today = local(time, self.zone).date()
        for ahead in range(_REACH):
            whole = self.of_day(today + datetime.timedelta(days=ahead))
            if whole is not None and time < whole.close:
                self._day = (time, whole.close, whole.day)
                return whole.day
        return today

    def trades_on(self, day: datetime.date) -> bool:
        """Return whether `day` is a trading day."""
        return day.isoweekday() % 7 + 1 in self._days()

    def next_day(self, day: datetime.date, steps: int) -> datetime.date:
        """Return the trading day that is `steps` trading days after `day`, or before it if `steps` is negative."""
        step = datetime.timedelta(days=1 if steps > 0 else -1)
        left = abs(steps)
        while left:
            day += step
            left -= self.trades_on(day)
        return day

    def _days(self) -> frozenset[int]:
        return frozenset().union(*(range_.days for range_ in self.ranges))


@lru_cache(64)
def session(text: str, timezone: str) -> Session:
    """Return the session for a session string. A string that does not start with a digit means around the clock. Raises
    UsageError for an invalid string."""
    return Session(ranges(text) or (ClockRange(0, 0, _EVERY_DAY),), timezone)

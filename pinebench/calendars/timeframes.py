"""Timeframes and their bars, which start at the symbol's sessions as on TradingView."""

from __future__ import annotations

import datetime
import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pinebench.amounts import counted
from pinebench.calendars.sessions import Session, SessionOpening
from pinebench.errors import UsageError
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple

_TEXT = lazy_pattern(r"(\d{0,9})([STDWM]?)", re.ASCII)
_SECOND_STEPS = (1, 5, 10, 15, 30, 45)
_MOST = {"": 1440, "D": 365, "W": 52, "M": 12}
"""The largest multiplier of each unit; seconds have only the multipliers of `_SECOND_STEPS` (TradingView's manual). No
limit is known for ticks."""
_SECONDS = {"T": 0, "S": 1, "": 60, "D": 86_400, "W": 604_800, "M": 2_628_003}


_NAMES = {"T": "tick", "S": "second", "": "minute", "D": "day", "W": "week", "M": "month"}


class Timeframe(NamedTuple):
    """A timeframe: a `multiplier` and a `unit`: T (ticks), S (seconds), empty (minutes), D, W or M (months)."""

    multiplier: int
    unit: str

    @property
    def text(self) -> str:
        """The timeframe in the format of `timeframe.period`, such as `15` or `1D`."""
        return f"{self.multiplier}{self.unit}"

    @property
    def seconds(self) -> int:
        """The length in seconds; 0 for ticks. A month counts as 2,628,003 seconds, about a twelfth of a year."""
        return self.multiplier * _SECONDS[self.unit]

    def in_words(self) -> str:
        """Describe the length for people: `15 minutes`, `4 hours`, `1 day`."""
        count, unit = self.multiplier, _NAMES[self.unit]
        if not self.unit and count % 60 == 0:
            count, unit = count // 60, "hour"
        return counted(count, unit)

    @property
    def is_intraday(self) -> bool:
        """Whether the unit is ticks, seconds or minutes, not days or longer."""
        return self.unit in ("", "S", "T")


_ELSEWHERE = lazy_pattern(
    r"(\d{0,3}) ?(?:(s|sec[a-z]*)|(m|min[a-z]*)|(h[a-z]*)|(d[a-z]*)|(w[a-z]*)|(mo[a-z]*))", re.IGNORECASE
)
"""A timeframe as other programs write it: `1h`, `15min`, `1 day`."""


_BY_WORD = {"hourly": "1h", "daily": "1d", "weekly": "1w", "monthly": "1mo", "quarterly": "3mo", "yearly": "12mo"}


def meant(text: str) -> str:
    """Convert another program's notation of a timeframe to Pine's: `1h` becomes `60`. Return an empty string for other
    text."""
    text = _BY_WORD.get(text.lower(), text)
    found = _ELSEWHERE.fullmatch(text)
    if found is None or found[1] == "0":
        return ""
    count, unit = int(found[1] or 1), (found.lastindex or 0) - 1
    own = {1: f"{count}S", 2: str(count), 3: str(60 * count), 4: f"{count}D", 5: f"{count}W", 6: f"{count}M"}[unit]
    return own if _read(own) else ""


@lru_cache(256)
def timeframe(text: str) -> Timeframe:
    """Parse a timeframe such as `15`, `D`, `1D`, `30S` or `3M`. Raises UsageError for anything else, including a
    multiplier that TradingView does not support."""
    found = _read(text)
    if found is not None:
        return found
    own = meant(text)
    asked = f'did you mean "{own}"? ' if own else ""
    raise UsageError(f'"{text}" is not a valid timeframe', f"{asked}{_limit(text)}")


def is_timeframe(text: str) -> bool:
    """Return whether `timeframe` can parse `text`."""
    return _read(text) is not None


def _read(text: str) -> Timeframe | None:
    found = _TEXT.fullmatch(text)
    if found is None or not text:
        return None
    read = Timeframe(int(found[1] or 1), found[2])
    return read if _has(read) else None


def _has(timeframe: Timeframe) -> bool:
    """Whether TradingView has the timeframe."""
    count, unit = timeframe
    return count in _SECOND_STEPS if unit == "S" else 1 <= count <= _MOST.get(unit, count)


def _limit(text: str) -> str:
    """A sentence about the form of timeframes, or about the multipliers of the unit of `text`."""
    found = _TEXT.fullmatch(text)
    unit = found[2] if found is not None and text else "T"
    if unit == "S":
        return f"Timeframes of seconds have the multipliers {', '.join(map(str, _SECOND_STEPS))}."
    if unit in _MOST:
        return f"{_NAMES[unit].capitalize()}s have the multipliers 1 to {_MOST[unit]}."
    return 'Timeframes look like "15", "240", "1D", "1W", "1M" or "30S".'


def of_seconds(seconds: float) -> str:
    """Return the timeframe that lasts `seconds`, in the longest unit that fits.

    If there is none, return the next longer timeframe: of seconds up to 30 seconds, of minutes up to a day, and of days
    above that. From a year of 365 days on, the result is the longest timeframe, `12M`. TradingView was recorded to
    return these, and not `45S` for 31 to 45 seconds.
    """
    if seconds >= _MOST["D"] * _SECONDS["D"]:
        return Timeframe(_MOST["M"], "M").text
    for unit in ("M", "W", "D"):
        if seconds > 0 and seconds % _SECONDS[unit] == 0:
            return Timeframe(int(seconds / _SECONDS[unit]), unit).text
    steps = [step for step in _SECOND_STEPS[:-1] if step >= seconds]
    if steps:
        return Timeframe(steps[0], "S").text
    unit = "" if seconds < _SECONDS["D"] else "D"
    return Timeframe(math.ceil(seconds / _SECONDS[unit]), unit).text


class BarTimes(NamedTuple):
    """The opening time and the closing time of one bar, in milliseconds UTC."""

    open: int
    close: int


class BarGrid:
    """The bars of one timeframe in one session.

    An opening is a period in which the session is open. Intraday bars are counted from the start of each opening, and
    the last one ends with the opening. A daily bar is a trading day, from its first opening to the end of its last one.
    Bars of several days, weeks or months are counted from the start of the year. A week or a month begins with its
    first opening and lasts until the next one begins. On daily and longer charts (`long_chart`), a week or a month
    ends with its own last opening.
    """

    __slots__ = ("_cached", "long_chart", "session", "timeframe")

    def __init__(self, timeframe: Timeframe, session: Session, long_chart: bool = False) -> None:
        self.timeframe = timeframe
        self.session = session
        self.long_chart = long_chart
        self._cached: BarTimes | None = None

    def bar(self, time: int) -> BarTimes:
        """Return the bar at `time` (milliseconds UTC). Outside the session, an intraday bar is counted from the end of
        the last opening, and a longer bar belongs to the next trading day."""
        cached = self._cached
        if cached is not None and cached.open <= time < cached.close:
            return cached
        found = self._intraday(time) if self.timeframe.is_intraday else self._days(time)
        self._cached = found
        return found

    def opens(self, times: Sequence[int], outside: float | None = None) -> list[float]:
        """Return the opening time of the bar at each of the ascending `times` (milliseconds UTC). If bars are counted
        (`is_counted`), `outside` replaces the opening times outside the session, unless it is None."""
        if not self.is_counted:
            return [self.bar(time).open for time in times]
        step = self.timeframe.seconds * 1000
        found: list[float] = []
        for part, begin, _, is_open in self._stretches(times):
            if is_open or outside is None:
                found += [time - (time - begin) % step for time in part]
            else:
                found += [outside] * len(part)
        return found

    def closes(self, times: Sequence[int], outside: float | None = None) -> list[float]:
        """Return the closing time of the bar at each of the ascending `times` (milliseconds UTC). `outside` is as for
        `opens`."""
        if not self.is_counted:
            return [self.bar(time).close for time in times]
        step = self.timeframe.seconds * 1000
        found: list[float] = []
        for part, begin, end, is_open in self._stretches(times):
            if is_open or outside is None:
                found += [min(time - (time - begin) % step + step, end) for time in part]
            else:
                found += [outside] * len(part)
        return found

    @property
    def is_counted(self) -> bool:
        """Whether the bar at a time can be found by counting bars from the opening of its session. Only intraday bars
        of a session with one time range can be counted so."""
        return bool(self.timeframe.seconds) and self.timeframe.is_intraday and len(self.session.ranges) == 1

    def _stretches(self, times: Sequence[int]) -> Iterator[tuple[Sequence[int], int, float, bool]]:
        """Split ascending `times` into the parts inside each opening and between two openings. Yield each part, the
        time from which its bars count, the end of its last bar, and whether the session is open."""
        first = 0
        while first < len(times):
            run = self.session.at(times[first])
            if run is not None:
                begin, end = run.open, run.close
            else:
                before, coming = self.session.before(times[first]), self.session.after(times[first])
                begin = 0 if before is None else before.close
                end = float("inf") if coming is None else coming.open
            behind = bisect_left(times, end, first)
            yield times[first:behind], begin, end, run is not None
            first = behind

    def _days(self, time: int) -> BarTimes:
        """Return the bar of days, weeks or months at `time`. Outside a trading day, it is the next day; a week or month
        lasts until the next one begins."""
        day = self.session.day_at(time)
        found = self._of(day)
        if found.open > time and self.timeframe.unit != "D":
            return self._of(self.session.next_day(day, -1))
        return found

    def back(self, time: int, bars: int) -> BarTimes | None:
        """Return the bar `bars` bars before the bar at `time` (milliseconds UTC), or after it if `bars` is negative.

        Outside the session, intraday bars are counted back from the last bar, or forward from the next one. The result
        is None if the bar is unknown.
        """
        found = self.bar(time)
        if bars and self.timeframe.is_intraday and self.session.at(time) is None:
            run = self.session.before(time + 1) if bars > 0 else self.session.after(time)
            if run is None:
                return None
            found = self.bar(run.close - 1 if bars > 0 else run.open)
            bars += bars < 0
        for _ in range(abs(bars)):
            other = self._previous(found) if bars > 0 else self._next(found)
            if other is None:
                return None
            found = other
        return found

    def _intraday(self, time: int) -> BarTimes:
        step = self.timeframe.seconds * 1000
        if not step:
            return BarTimes(time, time)
        run = self.session.at(time)
        if run is not None:
            start = run.open + (time - run.open) // step * step
            bar = BarTimes(start, min(start + step, run.close))
            return bar if len(self.session.ranges) == 1 else self._without_overlap(bar, run, time)
        before, coming = self.session.before(time), self.session.after(time)
        begin = 0 if before is None else before.close
        start = begin + (time - begin) // step * step
        return BarTimes(start, start + step if coming is None else min(start + step, coming.open))

    def _without_overlap(self, bar: BarTimes, own: SessionOpening, time: int) -> BarTimes:
        """Return the part of a bar of the opening `own` at `time` in which no later opening has begun. Ranges of a
        session may overlap. Then the bars belong to the latest opening."""
        start, end = bar
        for run in self.session.meeting(start, end):
            if own.open < run.open and run.close <= time:
                start = max(start, run.close)
            elif time < run.open:
                end = min(end, run.open)
        return BarTimes(start, end)

    def _previous(self, bar: BarTimes) -> BarTimes | None:
        if not self.timeframe.is_intraday:
            return self.bar(bar.open - 1) if self.timeframe.unit != "D" else self._of(self._day_before(bar))
        run = self.session.before(bar.open)
        if run is None:
            return None
        return self.bar(min(bar.open, run.close) - 1)

    def _day_before(self, bar: BarTimes) -> datetime.date:
        return self.session.next_day(self.session.day_at(bar.open), -1)

    def _next(self, bar: BarTimes) -> BarTimes | None:
        if self.session.at(bar.close) is not None:
            return self.bar(bar.close)
        run = self.session.after(bar.close - 1)
        return None if run is None else self.bar(run.open)

    def _of(self, day: datetime.date) -> BarTimes:
        first, behind = self._dates(day)
        begin = self._opening(first)
        if self.timeframe.unit == "D" or self.long_chart:
            last = self.session.of_day(self.session.next_day(behind, -1))
            assert last is not None
            return BarTimes(begin, last.close)
        return BarTimes(begin, self._opening(behind))

    def _opening(self, day: datetime.date) -> int:
        """The opening time of the first trading day on or after `day`."""
        while True:
            whole = self.session.of_day(day)
            if whole is not None:
                return whole.open
            day += datetime.timedelta(days=1)

    def _dates(self, day: datetime.date) -> tuple[datetime.date, datetime.date]:
        """The first date of the period that contains a trading day, and the first date of the next period."""
        count = self.timeframe.multiplier
        if self.timeframe.unit == "M":
            first = (day.month - 1) // count * count
            months = day.year * 12 + first + min(count, 12 - first)
            return datetime.date(day.year, first + 1, 1), datetime.date(months // 12, months % 12 + 1, 1)
        year = datetime.date(day.year, 1, 1)
        if self.timeframe.unit == "W":
            monday = day - datetime.timedelta(days=day.weekday())
            opening = _first_monday(monday.year)
            first = opening + datetime.timedelta(weeks=(monday - opening).days // 7 // count * count)
            return first, min(first + datetime.timedelta(weeks=count), _first_monday(monday.year + 1))
        if count == 1:
            return day, self.session.next_day(day, 1)
        number = len([1 for k in range((day - year).days) if self.session.trades_on(year + datetime.timedelta(days=k))])
        first = self.session.next_day(day, -(number % count)) if number % count else day
        behind = self.session.next_day(first, count)
        opening = self.session.next_day(datetime.date(day.year, 12, 31), 1)
        return first, min(behind, opening)


def _first_monday(year: int) -> datetime.date:
    first = datetime.date(year, 1, 1)
    return first + datetime.timedelta(days=-first.weekday() % 7)

"""The functions `time` and `timestamp`, the parts of a date, `timeframe.*` and `session.*`."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from pinebench.calendars import dates
from pinebench.calendars.timeframes import BarGrid, BarTimes, of_seconds
from pinebench.calendars.zones import CYCLE, UTC, milliseconds, within
from pinebench.errors import UnavailableError
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.clock import is_moment, local, names_own_session, timeframe, zone
from pinebench.runtime.library.context import BarContext, exchange, grid_of, opening

NA = float("nan")


# bars of other timeframes


def time(
    context: BarContext,
    timeframe: str | None,
    session: str | None = None,
    timezone: str | None = None,
    bars_back: float = 0,
    timeframe_bars_back: float = 0,
) -> float:
    """Implement `time(timeframe, session, timezone, bars_back, timeframe_bars_back)`. The result is na for a bar
    outside the session."""
    bar = _bar("time", context, timeframe, session, timezone, bars_back, timeframe_bars_back)
    return NA if bar is None else bar.open


def time_close(
    context: BarContext,
    timeframe: str | None,
    session: str | None = None,
    timezone: str | None = None,
    bars_back: float = 0,
    timeframe_bars_back: float = 0,
) -> float:
    """Implement `time_close(timeframe, session, timezone, bars_back, timeframe_bars_back)`."""
    bar = _bar("time_close", context, timeframe, session, timezone, bars_back, timeframe_bars_back)
    return NA if bar is None else bar.close


def _bar(
    function: str,
    context: BarContext,
    text: str | None,
    session: str | None,
    timezone: str | None,
    bars_back: float,
    timeframe_bars_back: float,
) -> BarTimes | None:
    for name, value in (("bars_back", bars_back), ("timeframe_bars_back", timeframe_bars_back)):
        if not -500 <= value <= 5000 and value == value:
            raise RuntimeFault("RE10002", argName=name, value=value, funName=function, min=-500, max=5000)
    _no_ticks(text, function)
    back = int(bars_back) if bars_back == bars_back else 0
    steps = int(timeframe_bars_back) if timeframe_bars_back == timeframe_bars_back else 0
    opened = _opened(context, back)
    if opened is None:
        return None
    own = names_own_session(session)
    grid = grid_of(context, text, None if own else session, None if own else timezone)
    if not own and not steps and grid.timeframe.unit not in ("W", "M") and _outside(grid, opened):
        return None
    return grid.back(opened, steps)


def _outside(grid: BarGrid, opened: int) -> bool:
    """Whether a bar opens outside the session; for a day, before its first opening or after its last close."""
    if grid.session.at(opened) is not None:
        return False
    if grid.timeframe.is_intraday:
        return True
    day = grid.session.of_day(grid.session.day_at(opened))
    return day is None or not day.open <= opened < day.close


def _opened(context: BarContext, back: int) -> int | None:
    """The opening time of the bar `back` bars ago; for a future bar, the expected time. None before the first bar."""
    index = context.bar_index - back
    if index < 0:
        return None
    if back >= 0 or (index < len(context.times) and back > 0):
        return context.times[index]
    bar = grid_of(context, None).back(opening(context), back)
    return None if bar is None else bar.open


def _no_ticks(text: str | None, function: str) -> None:
    if text and text[-1] == "T":
        raise RuntimeFault("RE10023", funName=function)


def timeframe_change(context: BarContext, text: str | None) -> bool:
    """Implement `timeframe.change(timeframe)`: whether the bar begins a new period; false on the first bar."""
    _no_ticks(text, "timeframe.change")
    index = context.bar_index
    if not index:
        return False
    grid = grid_of(context, text)
    before = grid.bar(context.times[index - 1])
    return not before.open <= context.times[index] < before.close and grid.bar(context.times[index]).open != before.open


def of_time(context: Any, name: str, arguments: Sequence[Any], bars: int) -> list[Any]:
    """Return the results of `time`, `time_close` or `timeframe.change` on the first `bars` bars. Within one bar of the
    timeframe the result is the same, so it is computed again only when the next bar of the timeframe begins."""
    if name == "timeframe.change":
        return _changes(context, arguments[0], bars)
    text, session, timezone, back, steps = arguments
    function = time if name == "time" else time_close
    found: list[Any] = []
    own = names_own_session(session)
    if not steps and bars:
        _no_ticks(text, name)
        grid = grid_of(context, text, None if own else session, None if own else timezone)
        opened = _all_opened(context, back, bars) if grid.is_counted else None
        if opened is not None:
            read = grid.opens if name == "time" else grid.closes
            return [NA] * (bars - len(opened)) + read(opened, None if own else NA)
    if back or steps:
        for index in range(bars):
            context.index = index
            found.append(function(context, *arguments))
        return found
    bar: BarTimes | None = None
    for index, moment in enumerate(context.times[:bars]):
        if bar is None or not bar.open <= moment < bar.close:
            context.index = index
            bar = _bar(name, context, text, session, timezone, 0, 0)
        found.append(NA if bar is None else bar.open if name == "time" else bar.close)
    return found


def _all_opened(context: BarContext, back: float, bars: int) -> Sequence[int] | None:
    """The opening times of the bars `back` bars before the first `bars` bars, without those before the first bar. None
    if they must be looked up one by one."""
    times = context.times[:bars]
    if not -500 <= back <= 5000:  # the script stops, or the number is na
        return None
    ahead = -int(back)
    if ahead <= 0:
        return times[: max(bars + ahead, 0)]
    grid = grid_of(context, None)
    step = grid.timeframe.seconds * 1000
    if not grid.is_counted:
        return None
    found: list[int] = []
    begin = end = 0
    for time in times:
        if not begin <= time < end:
            run = grid.session.at(time)
            begin, end = (0, 0) if run is None else (run.open, run.close)
        coming = time - (time - begin) % step + ahead * step
        if coming >= end:
            bar = grid.back(time, -ahead)
            if bar is None:
                return None
            coming = bar.open
        found.append(coming)
    return found


def last_bars(context: BarContext, first: int) -> list[bool]:
    """Return `session.islastbar` for the bars from `first` on."""
    times, where = context.times[first:], exchange(context)
    found: list[bool] = []
    begin = end = 0
    for time, close in zip(times, grid_of(context, None).closes(times), strict=True):
        if not begin <= time < end:
            day = where.of_day(where.day_at(time))
            if day is None:
                found.append(False)
                continue
            begin, end = time, day.close
        found.append(close >= end)
    return found


def _changes(context: Any, text: str | None, bars: int) -> list[bool]:
    _no_ticks(text, "timeframe.change")
    grid = grid_of(context, text)
    found: list[bool] = []
    bar: BarTimes | None = None
    for moment in context.times[:bars]:
        if bar is not None and bar.open <= moment < bar.close:
            found.append(False)
            continue
        before, bar = bar, grid.bar(moment)
        found.append(before is not None and before.open != bar.open)
    return found


def in_seconds(context: BarContext, text: str | None) -> float:
    """Implement `timeframe.in_seconds(timeframe)`. The result is na for ticks."""
    return timeframe(text or context.timeframe).seconds or NA


def from_seconds(seconds: float) -> str:
    """Implement `timeframe.from_seconds(seconds)`. Raises UnavailableError for na."""
    if not math.isfinite(seconds):
        raise UnavailableError("timeframe.from_seconds() of na is not computed by pinebench")
    return of_seconds(seconds)


# position in the session


def is_first_bar(context: BarContext) -> bool:
    """Implement `session.isfirstbar`: the first bar of its trading day, or the first bar of the chart."""
    index = context.bar_index
    if not index:
        return True
    where = exchange(context)
    return where.day_at(context.times[index]) != where.day_at(context.times[index - 1])


def is_last_bar(context: BarContext) -> bool:
    """Implement `session.islastbar`: the last bar of its trading day."""
    where = exchange(context)
    day = where.of_day(where.day_at(opening(context)))
    return day is not None and grid_of(context, None).bar(opening(context)).close >= day.close


def is_market(context: BarContext) -> bool:
    """Implement `session.ismarket`: whether the bar opens during the trading hours."""
    return not timeframe(context.timeframe).is_intraday or exchange(context).at(opening(context)) is not None


def is_premarket(context: BarContext) -> bool:
    """Implement `session.ispremarket`: whether the bar opens before the first trading hours of its date."""
    return not is_market(context) and _comes_today(context)


def is_postmarket(context: BarContext) -> bool:
    """Implement `session.ispostmarket`: whether the bar opens after the last trading hours of its date."""
    return not is_market(context) and not _comes_today(context)


def _comes_today(context: BarContext) -> bool:
    coming = exchange(context).after(opening(context))
    timezone = context.symbol.timezone
    return coming is not None and local(coming.open, timezone).date() == local(opening(context), timezone).date()


def trading_day(context: BarContext) -> int:
    """Implement `time_tradingday`: 00:00 UTC of the date of the bar's trading day."""
    day = exchange(context).day_at(opening(context))
    return milliseconds(datetime.datetime(day.year, day.month, day.day, tzinfo=UTC))


# parts of a date


def _part(read: Callable[[datetime.datetime], int]) -> Callable[[float, str | None], float]:
    def part(time: float, timezone: str | None) -> float:
        if not is_moment(time):
            return NA
        near, _ = within(time)
        return read(local(near, timezone or "UTC"))

    return part


def year(time: float, timezone: str | None) -> float:
    """Implement `year(time, timezone)`. For a year BC, the result is the number of that year, such as 1 for 1 BC."""
    if not is_moment(time):
        return NA
    near, cycles = within(time)
    found = local(near, timezone or "UTC").year + 400 * cycles
    return found if found > 0 else 1 - found


# dates


@lru_cache(256)
def timestamp_of_text(text: str | None) -> float:
    """Implement `timestamp(dateString)`. The text is in UTC if it has no time zone. Raises RuntimeFault if it is not a
    date."""
    try:
        return dates.timestamp(text or "")
    except dates.UnreadableDate:
        raise RuntimeFault("date-format", text=text or "") from None


def timestamp_in(
    timezone: str | None, year: float, month: float, day: float, hour: float = 0, minute: float = 0, second: float = 0
) -> float:
    """Implement `timestamp(timezone, year, month, ...)`. Parts that are too large or small carry over into the next
    larger part; na counts as 0. When the clocks are set back, a repeated time is the later one, and a time that is left
    out when they are set forward is after the gap (recorded)."""
    parts = [int(part) if part == part and part is not None else 0 for part in (year, month, day, hour, minute, second)]
    months = parts[0] * 12 + parts[1] - 1
    cycles = (months // 12 - 1970) // 400
    begin = datetime.datetime(months // 12 - 400 * cycles, months % 12 + 1, 1, tzinfo=UTC)
    seconds = (parts[2] - 1) * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5]
    near, cycles = within(milliseconds(begin) + cycles * CYCLE + seconds * 1000)
    wall = (datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=near)).replace(tzinfo=zone(timezone or ""))
    found = max(milliseconds(wall.replace(fold=fold)) for fold in (0, 1)) + cycles * CYCLE
    return found if is_moment(found) else NA


def timestamp(
    context: BarContext, year: float, month: float, day: float, hour: float = 0, minute: float = 0, second: float = 0
) -> float:
    """Implement `timestamp(year, month, day, hour, minute, second)` in the time zone of the exchange."""
    return timestamp_in(context.symbol.timezone, year, month, day, hour, minute, second)


day_of_month = _part(lambda moment: moment.day)
day_of_week = _part(lambda moment: moment.isoweekday() % 7 + 1)
hour = _part(lambda moment: moment.hour)
minute = _part(lambda moment: moment.minute)
month = _part(lambda moment: moment.month)
second = _part(lambda moment: moment.second)
week_of_year = _part(lambda moment: moment.isocalendar()[1])

"""Columns of clock and date are what the clocks show at every bar by itself."""

import random
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from pinebench.calendars.clocks import PARTS_OF_DATE, clock, dates, stretches
from pinebench.calendars.sessions import Session, session
from pinebench.calendars.timeframes import BarGrid, timeframe
from pinebench.calendars.zones import local
from tests.tables import each

MINUTE, DAY = 60_000, 86_400_000
SPRING = 1_710_028_800_000
"""2024-03-10, when New York's clocks go forward."""
ZONES = [
    "UTC",
    "Etc/UTC",
    "UTC+5:30",
    "GMT-3",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Africa/Monrovia",
    "America/St_Johns",
    "Pacific/Apia",
]


def moments(step: int, begin: int, count: int, seed: int) -> list[int]:
    """Bars with holes."""
    chance = random.Random(seed)
    return [begin + k * step for k in range(count) if chance.random() < 0.9]


@each("name", ZONES)
@each(
    ("step", "begin", "count"),
    [
        (47 * MINUTE, SPRING - 3 * DAY, 900),
        (DAY + 7 * MINUTE, SPRING - 400 * DAY, 800),
        (MINUTE // 2, SPRING + DAY // 4, 700),
        (31 * MINUTE + 500, 1_324_900_000_000, 900),  # Samoa leaves a day out
        (5 * DAY, -40_000 * DAY // 10, 300),
    ],
)
def test_columns_show_what_the_clocks_show(name: str, step: int, begin: int, count: int) -> None:
    times = moments(step, begin, count, step)
    there = [local(time, name) for time in times]
    for part in ("hour", "minute", "second"):
        assert clock(part, times, name) == [getattr(moment, part) for moment in there]
    for read in PARTS_OF_DATE.values():
        assert dates(times, name, read) == [read(moment.date()) for moment in there]


@each(
    ("name", "change"),
    [
        ("America/St_Johns", 1_112_499_060),  # 2005-04-03 0:01
        ("America/St_Johns", 1_130_639_460),  # 2005-10-30 0:01, and an hour again
        ("Africa/Monrovia", 63_593_070),  # 1972-01-07, forward by 44 minutes and 30 seconds
        ("America/New_York", 1_710_054_000),
        ("Pacific/Apia", 1_325_239_200),
    ],
)
def test_a_clock_that_changes_at_any_minute(name: str, change: int) -> None:
    there = ZoneInfo(name)
    before, after = (datetime.fromtimestamp(change + late, there).utcoffset() for late in (-1, 0))
    assert before != after
    for second in range(change - 2000, change + 2000, 7):
        shown = local(second * 1000 + 500, name)
        assert shown == datetime.fromtimestamp(second + 0.5, there)
        assert shown.utcoffset() == datetime.fromtimestamp(second, there).utcoffset()
    times = [1000 * second for second in range(change - 90_000, change + 90_000, 60)]
    shown = [datetime.fromtimestamp(time / 1000, there) for time in times]
    for part in ("hour", "minute", "second"):
        assert clock(part, times, name) == [getattr(moment, part) for moment in shown]
    assert dates(times, name, PARTS_OF_DATE["dayofmonth"]) == [moment.day for moment in shown]


@each("name", ["UTC", "UTC+5:30", "America/New_York"])
@each("step", [MINUTE, 15 * MINUTE, 7 * MINUTE, 8 * 60 * MINUTE, DAY, 2 * DAY])
@each("hole", [0, 1])
def test_bars_without_gaps_show_what_the_clocks_show(name: str, step: int, hole: int) -> None:
    """Also where one bar is missing among those that follow each other."""
    times = [SPRING - DAY + 5 * MINUTE + k * step for k in range(3000)]
    del times[1700 : 1700 + hole]
    there = [local(time, name) for time in times]
    for part in ("hour", "minute", "second"):
        assert clock(part, times, name) == [getattr(moment, part) for moment in there]


def test_a_zone_whose_clocks_are_never_changed_is_one_stretch() -> None:
    times = moments(15 * MINUTE, SPRING, 2000, 1)
    assert list(stretches(times, "UTC+5:30")) == [(0, len(times), 330 * MINUTE)]
    assert list(stretches([], "America/New_York")) == []


@each("text", ["24x7", "0930-1600:23456", "1700-1700:23456", "0900-1130,1230-1500", "1800-0200"])
@each("frame", ["15", "7", "240", "1D", "1W", "1T"])
def test_openings_and_closes_are_those_of_each_bar(text: str, frame: str) -> None:
    times = moments(25 * MINUTE, SPRING - 2 * DAY, 600, 3)
    where = session(text, "America/New_York")
    bars = [BarGrid(timeframe(frame), where).bar(time) for time in times]
    assert BarGrid(timeframe(frame), where).opens(times) == [bar.open for bar in bars]
    assert BarGrid(timeframe(frame), where).closes(times) == [bar.close for bar in bars]


@pytest.mark.parametrize("text", ["0930-1600:23456", "1800-0200", "0000-0000:4"])
def test_another_value_may_stand_where_the_session_is_closed(text: str) -> None:
    times = moments(25 * MINUTE, SPRING - 2 * DAY, 600, 6)
    where = session(text, "America/New_York")
    grid = BarGrid(timeframe("30"), where)
    expected = [grid.bar(time).open if where.at(time) is not None else -1 for time in times]
    assert grid.opens(times, -1) == expected
    assert -1 in expected
    closes = [grid.bar(time).close if where.at(time) is not None else -1 for time in times]
    assert grid.closes(times, -1) == closes


@pytest.mark.parametrize("text", ["24x7", "0930-1600:23456", "1700-1700:23456", "1800-0200:2|0900-1000:4"])
def test_the_trading_day_does_not_depend_on_what_was_asked_before(text: str) -> None:
    times = moments(25 * MINUTE, SPRING - 2 * DAY, 400, 4)
    fresh = [type(session(text, "UTC"))(session(text, "UTC").ranges, "America/New_York").day_at(time) for time in times]
    shuffled = session(text, "America/New_York")
    order = list(range(len(times)))
    random.Random(5).shuffle(order)
    found = {k: shuffled.day_at(times[k]) for k in [*order, *range(len(times))]}
    assert [found[k] for k in range(len(times))] == fresh


MARCH_2010 = 1_267_401_600_000


@pytest.mark.parametrize("name", ["America/New_York", "Pacific/Chatham", "Australia/Lord_Howe"])
def test_a_time_within_the_repeated_hour_keeps_its_offset(name: str) -> None:
    """Clocks that went back show an hour twice: what is read from one time alone must tell the two apart."""
    times = [MARCH_2010 + minute * 60_000 for minute in range(7, 400 * 1440, 31)]
    assert [round(local(time, name).timestamp() * 1000) for time in times] == times
    for time in times:
        assert clock("hour", [time], name) == [local(time, name).hour]


def test_bars_go_on_when_clocks_go_back_over_midnight() -> None:
    """In St. John's they went from 0:01 to 23:01 until 2011, so that the day before was shown once more."""
    times = range(1_130_641_200_000, 1_130_800_000_000, 600_000)
    around_the_clock = session("24x7", "UTC").ranges
    grid = BarGrid(timeframe("180"), Session(around_the_clock, "America/St_Johns"))
    bars = [grid.bar(time) for time in times]
    assert all(bar.open <= time < bar.close for bar, time in zip(bars, times, strict=True))
    assert all(one == other or one.close <= other.open for one, other in pairwise(bars))
    fresh = [BarGrid(timeframe("180"), Session(around_the_clock, "America/St_Johns")).bar(time) for time in times]
    assert fresh == bars


@pytest.mark.parametrize(
    ("name", "begin"), [("Asia/Beirut", 1_477_699_200_000), ("America/Asuncion", 1_458_950_400_000)]
)
def test_the_hour_before_midnight_is_open_when_it_is_repeated(name: str, begin: int) -> None:
    """Clocks went back from 24:00 to 23:00."""
    always = Session(session("24x7", "UTC").ranges, name)
    assert all(always.at(begin + minute * MINUTE) is not None for minute in range(48 * 60))

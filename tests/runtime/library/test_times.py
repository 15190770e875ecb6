"""Times, sessions and timeframes as recorded probes of TradingView have them."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import timeframe
from pinebench.errors import UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library import CONTEXT_FUNCTIONS, FUNCTIONS
from pinebench.runtime.library.context import exchange, grid_of
from pinebench.runtime.library.times import last_bars, of_time
from tests.runtime.library.drive import Surroundings, na, same
from tests.tables import each

NEW_YORK = "America/New_York"
CRYPTO = SymbolInfo()
STOCK = SymbolInfo(timezone=NEW_YORK, session="0930-1600:23456")
FOREX = SymbolInfo(timezone=NEW_YORK, session="1700-1700:23456")
EVENINGS = SymbolInfo(timezone="Asia/Kolkata", session="1900-0200:23456")
TWICE = SymbolInfo(timezone="UTC", session="0900-1200,1300-1700:23456")


def at(text: str, zone: str = "UTC") -> int:
    """A moment in milliseconds UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def ny(text: str) -> int:
    return at(text, NEW_YORK)


def on(symbol: SymbolInfo, chart: str, *times: int) -> Surroundings:
    """The last of some bars of a chart."""
    context = Surroundings(symbol, chart, list(times))
    context.bar_index = len(times) - 1
    return context


def time(context: Surroundings, *arguments: Any) -> float:
    return CONTEXT_FUNCTIONS["time"](context, *arguments)


def time_close(context: Surroundings, *arguments: Any) -> float:
    return CONTEXT_FUNCTIONS["time_close"](context, *arguments)


def bounds(context: Surroundings, *arguments: Any) -> tuple[float, float]:
    return time(context, *arguments), time_close(context, *arguments)


# bars of other timeframes


@each(
    ("chart", "wanted", "begin", "end"),
    [
        ("15", "", "2025-04-02T15:15", "2025-04-02T15:30"),
        ("15", "60", "2025-04-02T15:00", "2025-04-02T16:00"),
        ("15", "240", "2025-04-02T12:00", "2025-04-02T16:00"),
        ("15", "D", "2025-04-02T00:00", "2025-04-03T00:00"),
        ("15", "W", "2025-03-31T00:00", "2025-04-07T00:00"),
        ("15", "M", "2025-04-01T00:00", "2025-05-01T00:00"),
        ("15", "3M", "2025-04-01T00:00", "2025-07-01T00:00"),
        ("15", "12M", "2025-01-01T00:00", "2026-01-01T00:00"),
        ("15", "3D", "2025-04-01T00:00", "2025-04-04T00:00"),
        ("15", "2W", "2025-03-31T00:00", "2025-04-14T00:00"),
        ("15", "30S", "2025-04-02T15:15", "2025-04-02T15:15:30"),
    ],
)
def test_bars_around_the_clock(chart: str, wanted: str, begin: str, end: str) -> None:
    assert bounds(on(CRYPTO, chart, at("2025-04-02T15:15")), wanted) == (at(begin), at(end))


@pytest.mark.parametrize(
    ("wanted", "begin", "end"),
    [
        pytest.param("60", "2025-04-02T10:30", "2025-04-02T11:30", id="K7-60"),
        pytest.param("240", "2025-04-02T09:30", "2025-04-02T13:30", id="K7-240"),
        ("D", "2025-04-02T09:30", "2025-04-02T16:00"),
        ("W", "2025-03-31T09:30", "2025-04-07T09:30"),
        ("M", "2025-04-01T09:30", "2025-05-01T09:30"),
    ],
)
def test_bars_of_a_market_that_opens_in_the_morning(wanted: str, begin: str, end: str) -> None:
    assert bounds(on(STOCK, "5", ny("2025-04-02T11:00")), wanted) == (ny(begin), ny(end))


def test_the_last_bar_of_a_day_ends_with_the_session() -> None:
    assert bounds(on(STOCK, "5", ny("2025-04-02T15:45")), "60") == (ny("2025-04-02T15:30"), ny("2025-04-02T16:00"))


@pytest.mark.parametrize(
    ("wanted", "begin", "end"),
    [
        pytest.param("240", "2025-04-01T17:00", "2025-04-01T21:00", id="K7-240"),
        pytest.param("D", "2025-04-01T17:00", "2025-04-02T17:00", id="K7-D"),
        pytest.param("W", "2025-03-30T17:00", "2025-04-06T17:00", id="K7-W"),
        ("M", "2025-03-31T17:00", "2025-04-30T17:00"),
    ],
)
def test_bars_of_a_market_whose_day_begins_the_evening_before(wanted: str, begin: str, end: str) -> None:
    assert bounds(on(FOREX, "15", ny("2025-04-01T18:30")), wanted) == (ny(begin), ny(end))


def test_a_chart_of_days_ends_weeks_with_their_last_run() -> None:
    context = on(FOREX, "1D", ny("2025-04-01T17:00"))
    assert bounds(context, "W") == (ny("2025-03-30T17:00"), ny("2025-04-04T17:00"))
    assert bounds(context, "60") == (ny("2025-04-01T17:00"), ny("2025-04-02T17:00"))


def test_months_across_a_weekend_begin_with_their_first_session() -> None:
    assert time(on(STOCK, "1D", ny("2025-02-10T09:30")), "M") == ny("2025-02-03T09:30")


# sessions


@pytest.mark.parametrize(
    ("opens", "inside"), [("09:00", False), ("09:15", False), ("09:30", True), ("15:45", True), ("16:00", False)]
)
def test_a_bar_is_in_a_session_when_it_opens_in_it(opens: str, inside: bool) -> None:
    context = on(CRYPTO, "15", ny(f"2025-04-02T{opens}"))
    found = time(context, "", "0930-1600", NEW_YORK)
    assert same(found, context.times[0] if inside else na)


@each(
    ("text", "moment", "inside"),
    [
        ("1700-1700:23456", "2025-04-06T18:00", True),  # Sunday evening is Monday's
        ("1700-1700:23456", "2025-04-04T18:00", False),  # Friday evening is Saturday's
        ("1700-0200:23456", "2025-04-04T01:00", True),
        ("1700-0200:23456", "2025-04-05T01:00", False),
        ("0000-0000:23456", "2025-04-04T23:45", True),
        ("0000-0000:23456", "2025-04-05T00:00", False),
        ("0930-1600", "2025-04-05T12:00", True),  # alone it is of every day
        ("0930-1200,1300-1600", "2025-04-05T10:00", False),  # with a comma of weekdays
        ("0930-1200,1300-1600", "2025-04-04T12:30", False),
        ("0930-1200,1300-1600", "2025-04-04T13:30", True),
        ("24x7", "2025-04-05T12:00", True),
        ("1100-1400|1200-1300:7", "2025-04-05T11:30", False),
        ("1100-1400|1200-1300:7", "2025-04-05T12:30", True),
        ("1100-1400|1200-1300:7", "2025-04-04T11:30", True),
        ("0930-2500", "2025-04-04T00:30", True),
    ],
)
def test_the_days_of_a_session(text: str, moment: str, inside: bool) -> None:
    assert (session(text, "UTC").at(at(moment)) is not None) == inside


@each("text", ["0930", "0930-16", "0930-1600:8", "0930-abcd", "1100 -1400", "1100-1400|1200-1300", "4800-4800"])
def test_a_session_that_is_none_stops_the_script(text: str) -> None:
    with pytest.raises(RuntimeFault) as caught:
        time(on(CRYPTO, "15", 0), "", text, "")
    assert caught.value.message.startswith("bad session entry - ")


def test_e34_a_time_zone_in_the_place_of_the_session_is_ignored() -> None:
    context = on(CRYPTO, "15", at("2025-04-02T15:15"))
    assert time(context, "D", NEW_YORK) == time(context, "D") == at("2025-04-02T00:00")


def test_e34_time_close_is_the_next_opening() -> None:
    assert time_close(on(CRYPTO, "15", at("2025-04-02T15:15")), "15") == at("2025-04-02T15:30")


def test_a_session_makes_bars_of_its_own() -> None:
    context = on(CRYPTO, "15", ny("2025-04-02T11:15"))
    assert bounds(context, "60", "0930-1600", NEW_YORK) == (ny("2025-04-02T10:30"), ny("2025-04-02T11:30"))
    assert bounds(context, "D", "0930-1600", NEW_YORK) == (ny("2025-04-02T09:30"), ny("2025-04-02T16:00"))
    late = on(CRYPTO, "15", ny("2025-04-02T11:15"))
    assert bounds(late, "60", "0900-1130", NEW_YORK) == (ny("2025-04-02T11:00"), ny("2025-04-02T11:30"))


def test_a_day_of_several_ranges_lasts_from_the_first_to_the_last() -> None:
    context = on(CRYPTO, "10", at("2025-04-02T14:30"))
    assert bounds(context, "D", "1100-1400,1500-1600", "UTC") == (at("2025-04-02T11:00"), at("2025-04-02T16:00"))
    assert same(time(context, "60", "1100-1400,1500-1600", "UTC"), na)


def test_weeks_and_months_are_never_out_of_session() -> None:
    context = on(CRYPTO, "15", at("2025-04-05T03:00"))
    assert time(context, "W", "0930-1600:23456", "UTC") == at("2025-03-31T09:30")
    assert same(time(context, "D", "0930-1600:23456", "UTC"), na)


def test_bars_back() -> None:
    opens = [at("2025-04-02T00:00") + k * 900_000 for k in range(8)]
    context = on(CRYPTO, "15", *opens)
    assert time(context, "", None, None, 3) == opens[-4]
    assert same(time(context, "", None, None, 8), na)
    assert time(context, "", None, None, -2) == opens[-1] + 2 * 900_000
    assert time(context, "60", None, None, 0, 1) == at("2025-04-02T00:00")
    assert time(context, "60", None, None, 0, -1) == at("2025-04-02T02:00")
    outside = on(CRYPTO, "30", at("2025-04-02T20:00"))
    assert time(outside, "60", "0900-1130", "UTC", 0, 1) == at("2025-04-02T10:00")
    assert time(outside, "60", "0900-1130", "UTC", 0, 3) == at("2025-04-01T11:00")


def test_re10002_bars_back_beyond_their_limits() -> None:
    for value in (-501, 5001):
        with pytest.raises(RuntimeFault) as caught:
            time(on(CRYPTO, "15", 0), "", None, None, value)
        assert f"({value}) in the 'time' function. It must be in the range [-500..5000]." in caught.value.message


def test_the_clocks_change_within_a_session() -> None:
    spring = session("1900-0400", NEW_YORK).at(ny("2025-03-08T20:00"))
    autumn = session("1900-0400", NEW_YORK).at(ny("2025-11-01T20:00"))
    assert spring is not None and autumn is not None
    assert (spring.close - spring.open, autumn.close - autumn.open) == (8 * 3_600_000, 10 * 3_600_000)


@given(
    st.integers(0, 4_000_000_000_000),
    st.sampled_from([CRYPTO, STOCK, FOREX]),
    st.sampled_from("5 60 240 D 2D W 2W M 3M".split()),
)
def test_bars_follow_each_other_without_overlap(moment: int, symbol: SymbolInfo, wanted: str) -> None:
    context = on(symbol, "5", moment)
    grid = grid_of(context, wanted)
    here = grid.bar(moment)
    before, behind = grid.back(moment, 1), grid.back(moment, -1)
    if exchange(context).at(moment) is not None:
        assert here.open <= moment < here.close
    assert before is not None and before.open < before.close <= max(here.open, moment + 1)
    assert behind is not None and behind.open >= min(here.close, moment)


@given(
    st.integers(0, 2_000_000_000),
    st.lists(st.sampled_from([300, 300, 300, 420, 3600, 40_000, 90_000, 200_000]), min_size=1, max_size=60),
    st.sampled_from([CRYPTO, STOCK, FOREX, EVENINGS, TWICE]),
    st.sampled_from([("", None, None), ("60", "0930-1600:23456", None), ("5", "", "UTC"), ("D", "0930-1600", None)]),
    st.sampled_from([0, 0.5, 1, 3, 7, -0.5, -1, -2, -5, -100, na]),
    st.sampled_from([0, 1]),
)
def test_columns_have_the_values_of_the_bars(
    moment: int, gaps: list[int], symbol: SymbolInfo, given: tuple[Any, ...], back: float, steps: int
) -> None:
    opens = [sum(gaps[:number], moment // 300 * 300) * 1000 for number in range(len(gaps))]
    context = on(symbol, "5", *opens)
    for name, function in (("time", time), ("time_close", time_close)):
        whole = of_time(Running(context), name, (*given, back, steps), len(opens))
        alone = [function(on(symbol, "5", *opens[: number + 1]), *given, back, steps) for number in range(len(opens))]
        assert repr(whole) == repr(alone)
    is_last = CONTEXT_FUNCTIONS["session.islastbar"]
    assert last_bars(context, 0) == [is_last(on(symbol, "5", *opens[: number + 1])) for number in range(len(opens))]


class Running:
    """A context whose running bar is set as an execution's is."""

    def __init__(self, context: Surroundings) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    @property
    def index(self) -> int:
        return self._context.bar_index

    @index.setter
    def index(self, number: int) -> None:
        self._context.bar_index = number


# where in the session


def test_k6_no_change_on_the_first_bar() -> None:
    change = CONTEXT_FUNCTIONS["timeframe.change"]
    days = [at("2025-04-01T23:45"), at("2025-04-02T00:00"), at("2025-04-02T00:15")]
    assert [change(on(CRYPTO, "15", *days[:k]), "D") for k in (1, 2, 3)] == [False, True, False]
    assert change(on(CRYPTO, "15", *days), None)
    assert change(on(CRYPTO, "15", *days[:2]), "60")


def test_re10023_ticks() -> None:
    with pytest.raises(RuntimeFault) as caught:
        CONTEXT_FUNCTIONS["timeframe.change"](on(CRYPTO, "15", 0), "10T")
    assert caught.value.message == "Cannot call the 'timeframe.change' function with a tick-based 'timeframe' argument"


def _where(context: Surroundings) -> dict[str, bool]:
    names = "isfirstbar islastbar ismarket ispremarket ispostmarket".split()
    return {name: CONTEXT_FUNCTIONS[f"session.{name}"](context) for name in names}


def test_law_45_the_first_bar_of_a_chart_is_the_first_of_its_session() -> None:
    found = _where(on(CRYPTO, "15", at("2025-04-02T00:00")))
    assert [name for name, is_so in found.items() if is_so] == ["isfirstbar", "ismarket"]


def test_where_a_bar_is_in_its_session() -> None:
    first = _where(on(STOCK, "15", ny("2025-04-01T15:45"), ny("2025-04-02T09:30")))
    assert first["isfirstbar"] and not first["islastbar"] and first["ismarket"]
    last = _where(on(STOCK, "15", ny("2025-04-02T09:30"), ny("2025-04-02T15:45")))
    assert last["islastbar"] and not last["isfirstbar"]
    assert _where(on(STOCK, "15", ny("2025-04-02T08:00")))["ispremarket"]
    assert _where(on(STOCK, "15", ny("2025-04-02T16:00")))["ispostmarket"]


def test_the_trading_day_of_an_evening_is_the_next() -> None:
    assert CONTEXT_FUNCTIONS["time_tradingday"](on(FOREX, "15", ny("2025-04-06T18:00"))) == at("2025-04-07T00:00")


# timeframes


@each(
    ("text", "seconds"), [("15", 900), ("D", 86_400), ("1W", 604_800), ("M", 2_628_003), ("30S", 30), ("3M", 7_884_009)]
)
def test_timeframes_in_seconds(text: str, seconds: int) -> None:
    context = on(CRYPTO, "15", 0)
    assert CONTEXT_FUNCTIONS["timeframe.in_seconds"](context, text) == seconds
    assert timeframe(FUNCTIONS["timeframe.from_seconds"](seconds)) == timeframe(text)


def test_the_timeframe_of_the_chart_is_meant_by_none() -> None:
    assert CONTEXT_FUNCTIONS["timeframe.in_seconds"](on(CRYPTO, "240", 0), "") == 14_400


@pytest.mark.parametrize("text", ["", "0", "x", "15m", "-5"])
def test_what_is_no_timeframe(text: str) -> None:
    with pytest.raises(UsageError):
        timeframe(text)


# dates


@each(
    ("text", "moment"),
    [
        ("2020-02-20T15:30:00+02:00", "2020-02-20T13:30"),
        ("2011-10-10T14:48:00", "2011-10-10T14:48"),
        ("20 Feb 2020 15:30:00 GMT+0200", "2020-02-20T13:30"),
        ("20 Feb 2020", "2020-02-20T00:00"),
        ("Feb 01 2020 22:10:05", "2020-02-01T22:10:05"),
        ("01 Jan 2018 00:00 +0000", "2018-01-01T00:00"),
        ("2025", "2025-01-01T00:00"),
        ("2025-06", "2025-06-01T00:00"),
        ("2025-06-07 13:30", "2025-06-07T13:30"),
        ("2025-06-07T13:30:15.250+00:00", "2025-06-07T13:30:15.250"),
        ("1 September 2024 10:00 UTC-5", "2024-09-01T15:00"),
    ],
)
def test_dates_that_are_written(text: str, moment: str) -> None:
    assert FUNCTIONS["timestamp#1"](text) == at(moment)


@pytest.mark.parametrize("text", ["", "tomorrow", "2025-13-01", "32 Jan 2020", "Foo 01 2020"])
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(RuntimeFault):
        FUNCTIONS["timestamp#1"](text)


def test_dates_on_the_clocks_of_the_exchange_or_of_a_zone() -> None:
    assert CONTEXT_FUNCTIONS["timestamp#3"](on(STOCK, "5", 0), 2024, 1, 2, 3, 4, 5) == ny("2024-01-02T03:04:05")
    assert FUNCTIONS["timestamp#5"]("GMT+5:30", 2024, 1, 2, 0, 0, 0) == at("2024-01-01T18:30")
    assert FUNCTIONS["timestamp#5"]("UTC", 2024, 13, 0, 25, -1, na) == at("2025-01-01T00:59")


@given(
    st.integers(0, 4_102_444_800_000),
    st.sampled_from(["UTC", NEW_YORK, "Asia/Kolkata", "GMT-3", "Australia/Lord_Howe"]),
)
def test_the_parts_of_a_date_make_it_again(moment: int, zone: str) -> None:
    parts = [FUNCTIONS[name](moment, zone) for name in "year month dayofmonth hour minute second".split()]
    again = FUNCTIONS["timestamp#5"](zone, *parts)
    assert again == moment // 1000 * 1000 or abs(again - moment // 1000 * 1000) in (
        1_800_000,
        3_600_000,
    )  # an hour that comes twice


def test_e37_parts_of_a_date() -> None:
    sunday = at("2025-04-06T03:30")
    assert FUNCTIONS["dayofweek"](sunday, "UTC") == 1
    assert FUNCTIONS["dayofweek"](sunday, NEW_YORK) == 7
    assert FUNCTIONS["hour"](sunday, NEW_YORK) == 23
    assert FUNCTIONS["weekofyear"](sunday, "UTC") == 14
    assert same(FUNCTIONS["year"](na, "UTC"), na)


def test_days_are_counted_by_the_exchange() -> None:
    begin = datetime(2025, 1, 2, 12, tzinfo=ZoneInfo(NEW_YORK))
    opens = [round((begin + timedelta(days=k)).timestamp() * 1000) for k in range(8)]
    found = [time(on(STOCK, "60", moment), "2D") for moment in opens]
    # 1 January counts though nothing was traded: holidays are not known
    assert found[:2] == [ny("2025-01-01T09:30"), ny("2025-01-03T09:30")]
    assert found[4:7] == [ny("2025-01-03T09:30"), ny("2025-01-07T09:30"), ny("2025-01-07T09:30")]

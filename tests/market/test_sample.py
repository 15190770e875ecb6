"""The sample market: whoever asks for how much, a bar is the same, and no day is made twice."""

import pytest

from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import timeframe
from pinebench.calendars.zones import local
from pinebench.market import sample
from pinebench.market.aggregation import in_timeframe
from pinebench.market.bars import Bars
from pinebench.market.samples import SampleSymbol, find


@pytest.fixture(autouse=True)
def fresh() -> None:
    sample._history.cache_clear()  # pyright: ignore[reportPrivateUsage]


def symbol(name: str) -> SampleSymbol:
    found = find(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["AAPL", "BTCUSDT", "EURUSD"])
@pytest.mark.parametrize("resolution", ["1", "7", "45", "60", "240", "420", "1D", "1W", "1M"])
def test_bars_that_are_asked_for_bit_by_bit_are_those_of_one_request(name: str, resolution: str) -> None:
    wanted = timeframe(resolution)
    pieces = [sample.sample_bars(symbol(name), wanted, count) for count in (3, 2, 40, 100, 90)]
    sample._history.cache_clear()  # pyright: ignore[reportPrivateUsage]
    whole = sample.sample_bars(symbol(name), wanted, 100)
    assert [len(piece) for piece in pieces] == [3, 2, 40, min(100, len(whole)), min(90, len(whole))]
    for piece in pieces:
        assert piece == whole.last(len(piece))


@pytest.mark.parametrize("name", ["AAPL", "BTCUSDT", "EURUSD"])
@pytest.mark.parametrize("resolution", ["45", "240", "420"])
def test_days_that_are_joined_one_by_one_are_as_when_all_minutes_are(name: str, resolution: str) -> None:
    minutes = sample.sample_bars(symbol(name), timeframe("1"), 5 * symbol(name).session.minutes)
    joined = in_timeframe(minutes, symbol(name).info("1"), resolution)
    asked = [sample.sample_bars(symbol(name), timeframe(resolution), count) for count in (1, len(joined))]
    assert asked[-1] == joined


def test_no_day_is_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    minutes = sample._minutes  # pyright: ignore[reportPrivateUsage]

    def counted(of: SampleSymbol, day: sample._Day) -> list[sample._Day]:  # pyright: ignore[reportPrivateUsage]
        made.append(day.time)
        return minutes(of, day)

    monkeypatch.setattr(sample, "_minutes", counted)
    for count in (60, 120, 90, 120, 126):
        sample.sample_bars(symbol("BTCUSDT"), timeframe("240"), count)
    assert (len(made), len(set(made))) == (21, 21)


def test_there_is_an_oldest_bar() -> None:
    every = sample.sample_bars(symbol("AAPL"), timeframe("1D"), 100_000)
    assert len(every) == len(sample.sample_bars(symbol("AAPL"), timeframe("1D"), 1_000_000)) > 1000
    assert isinstance(every, Bars)


def test_shares_keep_the_clock_of_new_york_in_summer_too() -> None:
    info = symbol("AAPL").info("30")
    assert (info.timezone, info.session) == ("America/New_York", "0930-1600:23456")
    hours = session(info.session, info.timezone)
    minutes = sample.sample_bars(symbol("AAPL"), timeframe("30"), 13 * 10)
    days = sample.sample_bars(symbol("AAPL"), timeframe("1D"), 260)
    assert all(hours.at(time) is not None for time in (*minutes.time, *days.time))
    assert {f"{local(time, info.timezone):%H:%M}" for time in days.time} == {"09:30"}
    assert {f"{local(time, 'UTC'):%H:%M}" for time in days.time} == {"13:30", "14:30"}

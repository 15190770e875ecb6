"""Timeframes: which there are, how others write them, and the one for a number of seconds."""

import random
from itertools import pairwise

import pytest

from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, Timeframe, is_timeframe, meant, of_seconds, timeframe
from pinebench.errors import UsageError

VALID = ["1", "7", "240", "1440", "S", "1S", "5S", "10S", "15S", "30S", "45S", "D", "365D", "W", "52W", "M", "12M", "T"]
INVALID = [
    *["", "0", "0D", "1441", "10000", "366D", "53W", "13M", "2S", "7S", "20S", "60S"],
    *["4H", "1h", "15m", "1d", "D1", "-5", "1 D", "abc", "9" * 12],
]


def test_only_the_timeframes_of_tradingview_are_read() -> None:
    for text in VALID:
        assert is_timeframe(text), text
        assert timeframe(text).text.endswith(text), text
    for text in INVALID:
        assert not is_timeframe(text), text
        with pytest.raises(UsageError, match="is not a valid timeframe"):
            timeframe(text)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("4H", 'did you mean "240"? Timeframes look like "15", "240", "1D", "1W", "1M" or "30S".'),
        ("1441", "Minutes have the multipliers 1 to 1440."),
        ("366D", "Days have the multipliers 1 to 365."),
        ("15M", 'did you mean "15"? Months have the multipliers 1 to 12.'),
        ("7S", "Timeframes of seconds have the multipliers 1, 5, 10, 15, 30, 45."),
    ],
)
def test_the_hint_names_what_there_is(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as told:
        timeframe(text)
    assert told.value.hint == hint


def test_a_timeframe_of_other_programs_is_understood_if_tradingview_has_it() -> None:
    given = {"4H": "240", "1h": "60", "15m": "15", "1d": "1D", "1wk": "1W", "1mo": "1M", "30s": "30S", "1 day": "1D"}
    assert {text: meant(text) for text in given} == given
    assert [meant(text) for text in ("48h", "7s", "400d", "0h", "abc", "")] == [""] * 6


def test_seconds_give_the_next_longer_timeframe_that_there_is() -> None:
    """The examples of TradingView's reference, and recorded values."""
    told = {
        0: "1S",
        1: "1S",
        2: "5S",
        5: "5S",
        7: "10S",
        16: "30S",
        30: "30S",
        31: "1",
        45: "1",
        46: "1",
        60: "1",
        61: "2",
        900: "15",
        14_400: "240",
        86_399: "1440",
        86_400: "1D",
        86_401: "2D",
        604_799: "7D",
        604_800: "1W",
        2_592_000: "30D",
        2_628_000: "31D",
        2_628_003: "1M",
        2_628_004: "31D",
        26_280_000: "305D",
        26_280_030: "10M",
        31_449_600: "52W",
        31_535_999: "365D",
        31_536_000: "12M",
        31_536_036: "12M",
        31_622_400: "12M",
        10**9: "12M",
    }
    assert {seconds: of_seconds(seconds) for seconds in told} == told
    assert all(is_timeframe(of_seconds(seconds)) for seconds in range(1, 3_000_000, 997))


def test_every_timeframe_with_seconds_is_the_shortest_of_its_seconds() -> None:
    for count, unit in ((1, "S"), (30, "S"), (1, ""), (1439, ""), (6, "D"), (51, "W"), (11, "M")):
        one = Timeframe(count, unit)
        assert timeframe(of_seconds(one.seconds)).seconds == one.seconds


@pytest.mark.parametrize("text", ["0930-1300,1200-1600", "0930-1600,1200-1300,1240-1250", "2200-0400,0300-0800"])
@pytest.mark.parametrize("length", ["7", "60", "240"])
def test_bars_of_overlapping_ranges_are_apart_and_do_not_depend_on_what_was_asked_before(
    text: str, length: str
) -> None:
    hours = session(text, "America/New_York")
    times = [1_710_000_000_000 + minute * 60_000 for minute in range(0, 2 * 1440, 3)]
    bars = {time: BarGrid(timeframe(length), hours).bar(time) for time in times}
    assert all(bar.open <= time < bar.close for time, bar in bars.items())
    for bar, later in pairwise(sorted(set(bars.values()))):
        assert bar.close <= later.open, (bar, later)
    known = BarGrid(timeframe(length), hours)
    random.Random(1).shuffle(times)
    assert {time: known.bar(time) for time in times} == bars

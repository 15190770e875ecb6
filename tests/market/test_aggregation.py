"""Bars in longer timeframes, anchored to the symbol's sessions; and files of several symbols."""

import math
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.calendars.timeframes import timeframe
from pinebench.errors import UsageError
from pinebench.market.aggregation import in_timeframe
from pinebench.market.bar_loader import load, load_all
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.information import ASSUMED
from pinebench.market.sample import sample_bars
from pinebench.market.samples import SAMPLES

NEW_YORK = "America/New_York"
CRYPTO = SymbolInfo(timeframe="15")
STOCK = SymbolInfo(timeframe="15", timezone=NEW_YORK, session="0930-1600:23456")
FOREX = SymbolInfo(timeframe="15", timezone=NEW_YORK, session="1700-1700:23456")
QUARTER = 900_000


def at(text: str, zone: str = "UTC") -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def quarters(begin: int, count: int) -> Bars:
    bars = Bars()
    for k in range(count):
        bars.append(begin + k * QUARTER, k + 0.5, k + 2.0, float(k), k + 1.0, 10.0)
    return bars


def test_hours_of_a_market_around_the_clock() -> None:
    made = in_timeframe(quarters(at("2025-04-02T00:30"), 8), CRYPTO, "60")
    assert made.time == [at("2025-04-02T00:00"), at("2025-04-02T01:00"), at("2025-04-02T02:00")]
    assert (made.open, made.high, made.low) == ([0.5, 2.5, 6.5], [3.0, 7.0, 9.0], [0.0, 2.0, 6.0])
    assert (made.close, made.volume) == ([2.0, 6.0, 8.0], [20.0, 40.0, 20.0])


def test_k7_hours_are_counted_from_the_opening_of_the_session() -> None:
    made = in_timeframe(quarters(at("2025-04-02T09:30", NEW_YORK), 26), STOCK, "60")
    assert made.time == [at(f"2025-04-02T{hour:02d}:30", NEW_YORK) for hour in range(9, 16)]
    assert made.volume == [40.0] * 6 + [20.0]


def test_k7_a_day_may_begin_the_evening_before() -> None:
    made = in_timeframe(quarters(at("2025-04-01T16:30", NEW_YORK), 6), FOREX, "D")
    assert made.time == [at("2025-03-31T17:00", NEW_YORK), at("2025-04-01T17:00", NEW_YORK)]
    assert made.volume == [20.0, 40.0]


def test_volume_that_is_unknown_adds_nothing() -> None:
    bars = quarters(at("2025-04-02T00:00"), 8)
    bars.volume[1] = math.nan
    bars.volume[4:] = [math.nan] * 4
    made = in_timeframe(bars, CRYPTO, "60")
    assert made.volume[0] == 30.0
    assert math.isnan(made.volume[1])


def test_the_same_timeframe_changes_nothing() -> None:
    bars = quarters(0, 3)
    assert in_timeframe(bars, CRYPTO, "15") is bars
    assert in_timeframe(bars, replace(CRYPTO, timeframe="D"), "1D") is bars


@pytest.mark.parametrize("wanted", ["5", "30S", "10T", "15m"])
def test_a_shorter_timeframe_is_refused(wanted: str) -> None:
    with pytest.raises(UsageError):
        in_timeframe(quarters(0, 3), CRYPTO, wanted)


@given(
    st.integers(0, 2_000_000),
    st.integers(1, 200),
    st.sampled_from([CRYPTO, STOCK, FOREX]),
    st.sampled_from("30 60 240 D 3D W M".split()),
)
def test_nothing_is_lost_and_nothing_overlaps(begin: int, count: int, symbol: SymbolInfo, wanted: str) -> None:
    bars = quarters(begin * QUARTER, count)
    made = in_timeframe(bars, symbol, wanted)
    assert sum(made.volume) == sum(bars.volume)
    assert made.time == sorted(set(made.time))
    assert (made.open[0], made.close[-1]) == (bars.open[0], bars.close[-1])
    assert (max(made.high), min(made.low)) == (max(bars.high), min(bars.low))


@pytest.mark.parametrize("symbol", SAMPLES, ids=lambda symbol: symbol.ticker)
def test_the_sample_market_joins_to_itself(symbol: object) -> None:
    assert isinstance(symbol, tuple)
    sample = next(one for one in SAMPLES if one == symbol)
    hours = sample_bars(sample, timeframe("60"), 30)
    again = in_timeframe(sample_bars(sample, timeframe("15"), 200), sample.info("15"), "60")
    assert again.last(20) == hours.last(20)


CSV = "time,open,high,low,close,volume\n1700000000,1,3,0.5,2,10\n1700003600,2,4,1,3,20\n1700007200,3,5,2,4,30\n"


def test_a_file_is_loaded_with_what_is_known_of_it(tmp_path: Path) -> None:
    path = tmp_path / "BINANCE_ETHUSDT_60.csv"
    path.write_text(CSV)
    data = load(path, wanted="D")
    assert (data.times, data.symbol.symbol, data.symbol.timeframe) == ("seconds", "ETHUSDT", "1D")
    assert data.bars.time == [at("2023-11-14T00:00"), at("2023-11-15T00:00")]
    joined = load(path, wanted="1M")
    assert joined.aggregation == "3 bars of 1 hour were aggregated to 1 bar of 1 month"
    assert joined.summary.startswith("1 bar of 1 month; "), "the timeframe was asked for"
    (tmp_path / "other.toml").write_text('symbol = "X"\ntimeframe = "60"\nmintick = 0.5\n')
    known = load(path, tmp_path / "other.toml").symbol
    expected = SymbolInfo(symbol="X", prefix="BINANCE", timeframe="60", mintick=0.5, assumed=ASSUMED)
    assert known == expected, "the name tells the exchange"


def test_several_symbols_are_known_by_the_names_that_scripts_ask_for(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(CSV)
    found = load_all({"NASDAQ:AAPL": path, "ETH": path})
    assert {name: (data.symbol.prefix, data.symbol.symbol) for name, data in found.items()} == {
        "NASDAQ:AAPL": ("NASDAQ", "AAPL"),
        "ETH": ("PINEBENCH", "ETH"),
    }


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('timezone = "Mars/Olympus"', "is not a valid time zone"),
        ('session = "regular"', "is not a valid session"),
        ('session = "0930"', "is not a valid session"),
    ],
)
def test_zones_and_sessions_that_are_none_are_refused(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "a.toml").write_text(line)
    with pytest.raises(UsageError, match=words) as refused:
        load(tmp_path / "a.csv")
    assert "a.toml" in refused.value.message


def test_a_file_without_bars_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CSV.partition("\n")[0])
    with pytest.raises(UsageError, match="has no bars"):
        load(tmp_path / "a.csv")


@pytest.mark.parametrize(("count", "told"), [(77, ["2024-01-04 05:00"]), (96, []), (5, [])])
def test_a_last_bar_that_ends_early_is_told(tmp_path: Path, count: int, told: list[str]) -> None:
    """A signal on its close would be of the middle of a day."""
    path, begin = tmp_path / "x.csv", at("2024-01-01") // 1000
    rows = "\n".join(f"{begin + 3600 * k},{k + 1},{k + 3},{k + 0.5},{k + 2}" for k in range(count))
    path.write_text(f"time,open,high,low,close\n{rows}\n", encoding="utf-8")
    wanted = [f"the last bar of 1 day may not be complete: the data ends at {time} UTC" for time in told]
    assert [each for each in load(path, None, "1D").remarks if "complete" in each] == wanted


@pytest.mark.parametrize(("skipped", "told"), [(5, ["2024-01-01 05:00"]), (0, []), (43, [])])
def test_a_first_bar_that_begins_early_is_told(tmp_path: Path, skipped: int, told: list[str]) -> None:
    path, begin = tmp_path / "x.csv", at("2024-01-01") // 1000
    rows = "\n".join(f"{begin + 3600 * k},{k + 1},{k + 3},{k + 0.5},{k + 2}" for k in range(skipped, 48))
    path.write_text(f"time,open,high,low,close\n{rows}\n", encoding="utf-8")
    wanted = [f"the first bar of 1 day may not be complete: the data begins at {time} UTC" for time in told]
    assert [each for each in load(path, None, "1D").remarks if "complete" in each] == wanted


def test_days_that_never_reach_the_end_of_an_assumed_session_are_complete(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    times = [at(f"2024-01-{day:02} {hour}:30", NEW_YORK) // 1000 for day in (2, 3, 4) for hour in range(10, 16)]
    rows = "\n".join(f"{time},{k + 1},{k + 3},{k + 0.5},{k + 2}" for k, time in enumerate(times))
    path.write_text(f"time,open,high,low,close\n{rows}\n", encoding="utf-8")
    assert not [each for each in load(path, None, "1D").remarks if "complete" in each]

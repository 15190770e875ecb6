"""Sample bars that agree with each other, and CSV files."""

import hashlib
import itertools
from pathlib import Path

import pytest

from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import UsageError
from pinebench.market.sample import LAST_DAY
from pinebench.market.samples import SAMPLES, SampleSymbol, find, search
from pinebench.studio.bars import Bar, StudioBars, averaged
from pinebench.studio.resolutions import parse_resolution
from tests.sample import symbol as sample_symbol
from tests.tables import each


def resolution(text: str) -> Timeframe:
    parsed = parse_resolution(text)
    assert parsed is not None
    return parsed


def bars(name: str, text: str, count: int = 300) -> list[Bar]:
    return StudioBars().bars(sample_symbol(name), resolution(text), count)


@pytest.mark.parametrize(
    ("text", "name", "seconds"),
    [("5", "5", 300), ("D", "1D", 86400), ("4h", "240", 14400), ("1W", "1W", 604800), ("3m", "3M", 3 * 2_628_003)],
)
def test_resolutions_in_tradingviews_notation(text: str, name: str, seconds: int) -> None:
    assert (resolution(text).text, resolution(text).seconds) == (name, seconds)


@each("text", ["", " ", "0", "x", "1S", "9999", "D1", "-5", "1441", "53W", "٣"])
def test_what_is_no_resolution(text: str) -> None:
    assert parse_resolution(text) is None


@each("symbol", SAMPLES)
@each("text", ["1", "15", "60", "D", "W", "M"])
def test_every_bar_is_a_bar(symbol: SampleSymbol, text: str) -> None:
    found = StudioBars().bars(symbol, resolution(text), 200)
    assert found
    assert all(bar.low <= min(bar.open, bar.close) and bar.high >= max(bar.open, bar.close) > 0 for bar in found)
    assert all(before.time < after.time for before, after in itertools.pairwise(found))
    assert found[-1].close == symbol.price
    assert found[-1].time < LAST_DAY + 86400


def test_minutes_join_to_the_same_day() -> None:
    days, minutes = bars("AAPL", "D", 3), bars("AAPL", "1", 3 * 390)
    for number, day in enumerate(days):
        part = minutes[number * 390 : (number + 1) * 390]
        joined = (part[0].time, part[0].open, max(b.high for b in part), min(b.low for b in part), part[-1].close)
        assert joined == day[:5]
        assert sum(bar.volume for bar in part) == pytest.approx(day.volume, rel=1e-4)


def test_weeks_join_to_the_same_days() -> None:
    days, weeks = bars("BTCUSDT", "D", 14), bars("BTCUSDT", "W", 2)
    last = [day for day in days if day.time >= weeks[-1].time]
    assert weeks[-1] == Bar(
        last[0].time,
        last[0].open,
        max(day.high for day in last),
        min(day.low for day in last),
        last[-1].close,
        sum(day.volume for day in last),
    )


def test_hours_of_an_exchange_begin_with_its_session() -> None:
    opens = {bar.time % 86400 for bar in bars("MSFT", "60", 70)}
    assert opens == {13 * 3600 + 1800 + hour * 3600 for hour in range(7)}


def test_the_sample_market_is_the_same_on_every_machine() -> None:
    text = repr([bars(symbol.ticker, "D", 50) for symbol in SAMPLES[:8]])
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "06f236a870a3e64e"


@pytest.mark.parametrize("name", ["NASDAQ:AAPL", "nasdaq:aapl", "aapl", " AAPL "])
def test_symbols_are_found_with_or_without_exchange(name: str) -> None:
    assert sample_symbol(name).full_name == "NASDAQ:AAPL"


def test_search_looks_at_names_and_descriptions() -> None:
    assert [symbol.ticker for symbol in search("usd")] == ["BTCUSDT", "ETHUSDT", "EURUSD", "BTCUSDT.P"]
    assert [symbol.ticker for symbol in search("bitcoin")] == ["BTCUSDT", "BTCUSDT.P"]
    assert len(search("")) == len(SAMPLES) >= 4


CSV = "time,open,high,low,close,volume\n1700000000,1,3,0.5,2,10\n1700003600,2,4,1,3,20\n1700007200,3,5,2,4,30\n"


def test_csv_bars_replace_the_sample_and_add_symbols(tmp_path: Path) -> None:
    (tmp_path / "NASDAQ_AAPL_60.csv").write_text(CSV)
    (tmp_path / "XETR_MY_OWN_60.csv").write_text(CSV)
    market = StudioBars(tmp_path)
    own = find("XETR:MY_OWN", market.symbols)
    apple = find("AAPL", market.symbols)
    assert own is not None
    assert apple is not None
    assert [bar.close for bar in market.bars(apple, resolution("60"), 10)] == [2, 3, 4]
    assert market.bars(own, resolution("D"), 10) == [
        Bar(1699920000, 1, 4, 0.5, 3, 30),  # 22:13 and 23:13 of one day
        Bar(1700006400, 3, 5, 2, 4, 30),  # 00:13 of the next
    ]
    assert market.bars(own, resolution("5"), 10) == []
    assert own.decimals == 2


def test_a_csv_symbol_has_the_decimals_of_its_prices(tmp_path: Path) -> None:
    (tmp_path / "FX_ABC_60.csv").write_text("time,open,high,low,close\n1700000000,1.1,1.23456,1.0,1.2\n")
    symbol = find("FX:ABC", StudioBars(tmp_path).symbols)
    assert symbol is not None
    assert symbol.decimals == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time,open,high,low\n1700000001,1,1,1\n", "no column 'close'"),
        ("time,open,high,low,close\nyesterday,1,1,1,1\n", "line 2"),
        ("time,open,high,low,close\n1700000001,1,1,1,1\n1700000002,1,x,1,1\n", "line 3"),
        ("time,open,high,low,close\n1700000001,5,4,3,3\n", "do not enclose"),
        ("time,open,high,low,close\n1700000001,nan,nan,nan,nan\n", "line 2"),
    ],
)
def test_a_faulty_csv_file_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "NASDAQ_AAPL_60.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=words) as refused:
        StudioBars(tmp_path)
    assert str(path) in refused.value.message


def test_a_folder_or_name_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        StudioBars(tmp_path / "none")
    (tmp_path / "bars.csv").write_text(CSV)
    with pytest.raises(UsageError, match="does not say which bars the file has"):
        StudioBars(tmp_path)


@pytest.mark.parametrize(
    "time",
    ["1e300", "9" * 300, "0", "99999999999", "9998-12-30", "253402300800000", "0001-01-01", "9999-12-31", "1969-12-31"],
)
def test_a_time_that_no_calendar_has_is_named(tmp_path: Path, time: str) -> None:
    (tmp_path / "A_B_1D.csv").write_text(f"time,open,high,low,close\n{time},1,1,1,1\n")
    with pytest.raises(UsageError, match="line 2"):
        StudioBars(tmp_path)


@pytest.mark.parametrize("time", ["159780000", "1975-01-02", "1970-01-01T00:00:01", "2026-10-30"])
def test_the_first_and_the_last_times_can_be_charted(tmp_path: Path, time: str) -> None:
    (tmp_path / "A_B_60.csv").write_text(f"time,open,high,low,close\n{time},1,1,1,1\n")
    market = StudioBars(tmp_path)
    for text in ("1D", "1W", "12M", "1", "1440"):
        assert market.bars(market.symbols[-1], resolution(text), 5) is not None


def test_heikin_ashi_bars_do_not_depend_on_how_many_are_asked_for() -> None:
    symbol, daily = sample_symbol("AAPL"), resolution("D")
    few, many = (StudioBars().bars(symbol, daily, count, heikin_ashi=True) for count in (50, 400))
    assert [list(bar) for bar in few] == [pytest.approx(list(bar)) for bar in many[-50:]]
    chart = averaged(StudioBars().whole(symbol, daily, 50)[0], 50)
    assert chart.standard is not None
    assert chart.standard.close == StudioBars().chart(symbol, daily, 50).bars.close
    assert [bar.close for bar in few] == chart.bars.close
    assert [bar.open for bar in few] == pytest.approx(chart.bars.open)

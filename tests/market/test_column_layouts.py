"""Files of other programs are read as they are meant, or refused with a sentence; nothing is guessed in silence."""

import gzip
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas
import pytest

from pinebench.errors import UsageError
from pinebench.market import bar_files, bars_of, load
from pinebench.market.bar_files import BarsFile, read_csv
from tests.market.layouts import HOURS, LAYOUTS, Layout

HEAD = "time,open,high,low,close,volume\n"


def read(tmp_path: Path, text: str | bytes, name: str = "bars.csv") -> BarsFile:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_csv(path)


def assert_true(found: BarsFile, layout: Layout, name: str) -> None:
    bars = found.bars
    assert bars.time == [1000 * row.seconds for row in layout.rows], name
    for place, column in enumerate((bars.open, bars.high, bars.low, bars.close), 1):
        assert column == [row[place] for row in layout.rows], name
    if layout.has_volume:
        assert bars.volume == pytest.approx([row.volume for row in layout.rows]), name
    else:
        assert all(map(math.isnan, bars.volume)), name
    assert (found.columns or {}).get("volume") == layout.volume, name


def test_layouts_of_other_programs_are_read(tmp_path: Path) -> None:
    for name, layout in LAYOUTS.items():
        assert_true(read(tmp_path, layout.text), layout, name)


def test_rows_one_by_one_and_columns_at_once_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = {name: read(tmp_path, layout.text) for name, layout in LAYOUTS.items()}
    monkeypatch.setattr(bar_files._Reader, "_take_at_once", lambda *_: False)
    for name, layout in LAYOUTS.items():
        found = read(tmp_path, layout.text)
        assert (found.bars.columns()[:5], found[1:]) == (at_once[name].bars.columns()[:5], at_once[name][1:]), name


def test_a_packed_file_is_read_and_its_size_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = LAYOUTS["letters"]
    packed = gzip.compress(layout.text.encode())
    assert_true(read(tmp_path, packed, "bars.csv.gz"), layout, "packed")
    half = len(layout.text) // 2
    parts = b"".join(gzip.compress(part.encode()) for part in (layout.text[:half], layout.text[half:]))
    assert_true(read(tmp_path, parts, "bars.csv.gz"), layout, "packed in parts")
    with pytest.raises(UsageError, match="the gzip file is incomplete"):
        read(tmp_path, packed[:-20], "bars.csv.gz")
    with pytest.raises(UsageError, match="cannot be unpacked"):
        read(tmp_path, packed[:10] + b"\xff" * 50, "bars.csv.gz")
    monkeypatch.setattr(bar_files, "LARGEST_FILE", len(layout.text) - 1)
    with pytest.raises(UsageError, match="larger than 500 MB"):
        read(tmp_path, packed, "bars.csv.gz")


def test_what_was_changed_or_left_out_is_told(tmp_path: Path) -> None:
    told = {
        "CryptoDataDownload": ("the line above the titles was left out", "the newest bar came first"),
        "kraken's API, with an average price": ("column 6 is between low and high on all bars, so column 7",),
        "MetaTrader 5, volume unknown": ("the volume is <TICKVOL>, because <VOL> is 0 on all bars",),
    }
    for name, words in told.items():
        remarks = " | ".join(read(tmp_path, LAYOUTS[name].text).remarks)
        assert all(each in remarks for each in words), (name, remarks)


def test_dates_are_read_only_if_the_file_shows_whether_the_day_comes_first(tmp_path: Path) -> None:
    def file_of(*dates: str) -> str:
        return HEAD + "".join(f"{each},1,1,1,1,1\n" for each in dates)

    assert read(tmp_path, file_of("12/01/2024", "13/01/2024")).times == "DD/MM/YYYY"
    assert read(tmp_path, file_of("01/12/2024", "01/13/2024")).times == "MM/DD/YYYY"
    for mark in "/.-":
        with pytest.raises(UsageError, match=r"line 2: .* could be the day and month") as refused:
            read(tmp_path, file_of(*(f"0{n}{mark}0{n + 1}{mark}2024" for n in range(1, 5))))
        assert refused.value.hint
    with pytest.raises(UsageError, match=r"line 2: .*other dates have another order"):
        read(tmp_path, file_of("13/01/2024", "01/14/2024"))


def test_days_of_bars_follow_one_another_in_the_right_order_of_day_and_month(tmp_path: Path) -> None:
    hours = [
        f"{day} {hour:02d}:00,1,1,1,1,1" for day in ("01.03.2024", "04.03.2024", "05.03.2024") for hour in range(9)
    ]
    found = read(tmp_path, HEAD + "\n".join(hours))
    assert (found.times, found.bars.time[-1]) == ("DD.MM.YYYY", 1709625600_000)
    assert read(tmp_path, HEAD + "\n".join(each.replace(".03.", ".01.") for each in hours)).times == "DD.MM.YYYY"
    for days in (("03/04/2024",), ("01/02/2024", "02/02/2024", "01/03/2024", "02/03/2024")):
        with pytest.raises(UsageError, match="could be the day and month"):
            read(tmp_path, HEAD + "\n".join(f"{day} {hour:02d}:00,1,1,1,1,1" for day in days for hour in range(9)))


def test_years_of_two_digits_are_read_if_one_order_is_possible(tmp_path: Path) -> None:
    def times(*dates: str) -> tuple[str, int]:
        found = read(tmp_path, HEAD + "".join(f"{each},1,1,1,1,1\n" for each in dates))
        return found.times, found.bars.time[0]

    assert times("04/29/24", "04/30/24") == ("MM/DD/YY", 1714348800_000)
    assert times("29.04.98", "30.04.98") == ("DD.MM.YY", 893808000_000)
    assert times("98-04-29", "98-04-30") == ("YY-MM-DD", 893808000_000)
    for dates in (("15/04/24", "16/04/24"), ("01/02/03", "01/03/03"), ("32/04/24", "33/04/24")):
        with pytest.raises(UsageError, match=r"could be the day and month|other dates have another order"):
            times(*dates)


def test_words_below_the_bars_are_left_out_and_told(tmp_path: Path) -> None:
    bars = HEAD + "".join(f"2024-01-0{n},1,1,1,1,1\n" for n in range(1, 4))
    note = '"Downloaded from Example.com as of 01-04-2024 10:00am"\n'
    found = read(tmp_path, bars + note)
    assert len(found.bars) == 3 and "line 5: text below the bars was ignored: Downloaded from" in found.remarks[-1]
    for more in (note + "2024-01-04,1,1,1,1,1\n", note + note, "2024-01-04\n", "2024-01-04 10:00 UTC\n", "end\n"):
        with pytest.raises(UsageError, match="line 5: the row has 1 cells"):
            read(tmp_path, bars + more)


def test_dates_are_decided_by_the_whole_file(tmp_path: Path) -> None:
    minutes = [f"05/03/2024 {m // 60:02d}:{m % 60:02d},1,1,1,1,1" for m in range(1440)]
    minutes += [f"06/03/2024 {m // 60:02d}:{m % 60:02d},1,1,1,1,1" for m in range(1440)]
    minutes += [f"07/03/2024 {m // 60:02d}:{m % 60:02d},1,1,1,1,1" for m in range(1440)]
    late = [f"{day}/03/2024 00:00,1,1,1,1,1" for day in range(10, 15)]
    found = read(tmp_path, HEAD + "\n".join([*minutes, *late]))
    assert (found.times, len(found.bars)) == ("DD/MM/YYYY", 3 * 1440 + 5)


def test_ambiguous_numbers_and_mixed_symbols_are_refused(tmp_path: Path) -> None:
    refused = {
        "decimal comma": "time;open;high;low;close\n2024-01-01;1,095;1,097;1,093;1,096\n",
        "several values, such as A, B": "ticker,date,open,high,low,close\nA,2024-01-01,1,1,1,1\nB,2024-01-02,1,1,1,1\n",
        "bars of 2 symbols": "Price,Close,Close,High,High,Low,Low,Open,Open\nTicker,A,B,A,B,A,B,A,B\nDate,,,,,,,,\n"
        "2024-01-02,1,1,1,1,1,1,1,1\n",
        "there is no column 'time'": "[[1704067200000,1,1,1,1,1],[1704067260000,1,1,1,1,1]]\n",
        "there is no column 'close'": "date,open,high,low,adj close\n2024-01-01,1,1,1,1\n",
        "high and low do not enclose": "1704067200,1,3,2,2.5,7\n",  # time, low, high, open, close
    }
    for words, text in refused.items():
        with pytest.raises(UsageError, match=words) as error:
            read(tmp_path, text)
        assert error.value.hint, words


def test_a_point_that_may_mark_thousands_is_refused_in_a_german_file_and_told_in_others(tmp_path: Path) -> None:
    rows = "{0};100.000;101.000;99.000;100.500\n{1};100.000;101.000;99.000;100.500\n"
    german = "Zeit;Open;High;Low;Close\n" + rows.format("30.01.2024", "31.01.2024")
    iso = "Datum;Open;High;Low;Close\n" + rows.format("2024-01-30", "2024-01-31")
    for text in (german, german.replace("Zeit", "time"), german.replace(";", "\t"), iso):
        with pytest.raises(UsageError, match=r"line 2: .* whether the point in '100\.000' is a decimal point") as error:
            read(tmp_path, text)
        assert error.value.hint
    plain = read(tmp_path, "time;open;high;low;close\n" + rows.format("2024-01-30", "2024-01-31"))
    assert plain.bars.open == [100.0, 100.0]
    assert any("the point in '100.000' is taken as a decimal point" in each for each in plain.remarks)
    for text in (german.replace(";", ","), german.replace("100.500", "100.5"), german.replace("99.000", "99.000,5")):
        assert not any("point" in each for each in read(tmp_path, text).remarks)
    millions = german.replace("100.", "1.100.").replace("101.", "1.101.").replace("99.", "1.099.")
    assert read(tmp_path, millions).bars.open == [1_100_000.0] * 2


def test_thousands_with_a_point_are_read(tmp_path: Path) -> None:
    text = HEAD + '2024-01-01,"1,234.50","1,240.00","1,230.00","1,235.00","1,000"\n'
    bars = read(tmp_path, text).bars
    assert (bars.open, bars.volume) == ([1234.5], [1000.0])


def test_a_duplicate_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="line 3: it has the same time") as refused:
        read(tmp_path, HEAD + "1700000001,1,1,1,1,1\n1700000001,1,1,1,1,1\n")
    assert refused.value.hint == "remove one of the two rows"


def test_times_without_a_zone_are_told_from_others(tmp_path: Path) -> None:
    for name, has_zone in {
        "kraken, without titles": True,
        "FirstRate": False,
        "Dukascopy": True,
        "Nasdaq": False,
    }.items():
        assert read(tmp_path, LAYOUTS[name].text).has_zone is has_zone, name


def test_a_table_is_read_by_the_same_titles() -> None:
    from pinebench.market.data_frames import bars_of

    columns = {"o": 1, "h": 2, "l": 3, "c": 4}
    table = {"t": [row.seconds for row in HOURS], **{name: [row[at] for row in HOURS] for name, at in columns.items()}}
    titled = bars_of({**table, "v": [0] * len(HOURS), "tick_volume": [row.volume for row in HOURS]})
    assert titled.bars.volume == [row.volume for row in HOURS]
    assert "tick_volume" in titled.remarks[0]
    backward = bars_of({name: values[::-1] for name, values in table.items()})
    assert backward.bars.time == titled.bars.time and "newest" in backward.remarks[0]


def test_a_file_in_another_format_is_named(tmp_path: Path) -> None:
    for text, name in {
        '{"error": "not found"}\n': "JSON",
        "[[1704067200000,1,1,1,1]]\n": "JSON",
        "<html>404": "HTML",
    }.items():
        with pytest.raises(UsageError) as refused:
            read(tmp_path, text)
        assert f"this looks like {name}" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("title", "zone", "first"),
    [
        ("Time (UTC)", "", "2024-01-08 09:30"),
        ("date_utc", "", "2024-01-08 09:30"),
        ("Datetime (America/New_York)", "America/New_York", "2024-01-08 14:30"),
        ("Time [Europe/Berlin]", "Europe/Berlin", "2024-01-08 08:30"),
        ("Time (UTC+2)", "UTC+2", "2024-01-08 07:30"),
        ("Date (GMT-05:30)", "GMT-05:30", "2024-01-08 15:00"),
        ("Time (America/Port-au-Prince)", "America/Port-au-Prince", "2024-01-08 14:30"),
        ("Time (Etc/GMT+5)", "Etc/GMT+5", "2024-01-08 14:30"),
        ("time_(America/Argentina/Buenos_Aires)", "America/Argentina/Buenos_Aires", "2024-01-08 12:30"),
    ],
)
def test_a_zone_in_the_title_is_the_zone_of_the_times(tmp_path: Path, title: str, zone: str, first: str) -> None:
    text = f"{title},open,high,low,close\n" + "".join(f"{row.time:%Y-%m-%d %H:%M},1,1,1,1\n" for row in HOURS)
    found = read(tmp_path, text)
    assert found.has_zone
    assert f"{datetime.fromtimestamp(found.bars.time[0] / 1000, UTC):%Y-%m-%d %H:%M}" == first
    assert (f"the times are in {zone}, as the title '{title}' says" in " ".join(found.remarks)) == bool(zone)
    with pytest.raises(UsageError, match="have a time zone"):
        read_csv(tmp_path / "bars.csv", "Asia/Tokyo")
    unix = f"{title},open,high,low,close\n" + "".join(f"{row.seconds},1,1,1,1\n" for row in HOURS)
    assert read(tmp_path, unix).bars.time[0] == 1000 * HOURS[0].seconds


@pytest.mark.parametrize(
    "head",
    [
        *("Time (EST)", "Local time", "Time (ET)", "Date (CEST)", "Time,Timezone", "Date,GmtOffset"),
        *("Time (Exchange)", "Time (New York)", "Time (local)", "Time (CET/CEST)", "Date [Broker time]"),
        *("Timestamp (Tokyo)", "time (eastern time)", "Time (America/Nowhere)"),
    ],
)
def test_a_zone_that_is_not_clear_must_be_named(tmp_path: Path, head: str) -> None:
    more = ",EST" * head.count(",")
    text = f"{head},open,high,low,close\n" + "".join(f"{row.time:%Y-%m-%d %H:%M}{more},1,1,1,1\n" for row in HOURS)
    with pytest.raises(UsageError, match="and the time zone is not known") as refused:
        read(tmp_path, text)
    assert "--data-timezone" in (refused.value.hint or "")
    found = read_csv(tmp_path / "bars.csv", "America/New_York")
    assert found.bars.time[0] == 1000 * (HOURS[0].seconds + 5 * 3600)


FORMATS = ("Date (dd/mon/yyyy)", "Time (yyyy-mm-ddThh24:mi:ss)", "Date (mm/dd/yyyy)", "Time (HH:MM)")
"""Titles with a format of dates or times."""


def test_words_in_brackets_that_are_no_zone_change_nothing(tmp_path: Path) -> None:
    titles = ("Time (ms)", "Date/Time", "Time (open)", "date", "Date (start)", "timestamp", "Date (YYYY-MM-DD)")
    for title in (*titles, "Time (hh:mm:ss)", "Timestamp (unix seconds)", "Time (open time)", "Date (d/m/y)", *FORMATS):
        text = f"{title},open,high,low,close\n" + "".join(f"{row.time:%Y-%m-%d %H:%M},1,1,1,1\n" for row in HOURS)
        found = read(tmp_path, text)
        assert not found.has_zone and not found.remarks, title
        assert found.bars.time[0] == 1000 * HOURS[0].seconds


def test_words_in_brackets_that_may_be_a_zone_are_told(tmp_path: Path) -> None:
    for title in ("Time (NZST)", "Time (Somewhere/Else)", "Date [trading]"):
        text = f"{title},open,high,low,close\n" + "".join(f"{row.time:%Y-%m-%d %H:%M},1,1,1,1\n" for row in HOURS)
        found = read(tmp_path, text)
        assert not found.has_zone and found.bars.time[0] == 1000 * HOURS[0].seconds
        assert f"the title '{title}' may name a time zone" in " ".join(found.remarks)
        assert not read_csv(tmp_path / "bars.csv", "America/New_York").remarks
        unix = f"{title},open,high,low,close\n" + "".join(f"{row.seconds},1,1,1,1\n" for row in HOURS)
        assert not read(tmp_path, unix).remarks


def test_a_volume_whose_points_may_be_between_thousands_is_refused(tmp_path: Path) -> None:
    def file_of(price: str, *volumes: str) -> str:
        rows = (f"2024-01-{n:02d};{price};{price};{price};{price};{each}\n" for n, each in enumerate(volumes, 2))
        return "Date;Open;High;Low;Close;Volume\n" + "".join(rows)

    with pytest.raises(UsageError, match=r"whether the point in '2\.236' is a decimal point"):
        read(tmp_path, file_of("18700", "2.236", "987", "12.500"))
    assert read(tmp_path, file_of("18700.5", "2.236", "987", "12.500")).bars.volume == [2.236, 987, 12.5]
    assert read(tmp_path, file_of("18700,5", "2.236", "987", "12.500")).bars.volume == [2236, 987, 12500]
    assert read(tmp_path, file_of("18700", "2.236.100", "9870", "12.500")).bars.volume == [2236100, 9870, 12500]
    with pytest.raises(UsageError, match="whether the point"):
        read(tmp_path, file_of("18700", "2.236", "null", "N/A", "12.500"))
    assert read(tmp_path, file_of("18700", "2.236", "9870", "12.500")).bars.volume == [2.236, 9870, 12.5]
    assert read(tmp_path, file_of("18700.5", "2,236,000", "987", "12,500")).bars.volume == [2236000, 987, 12500]


def test_bars_of_several_symbols_are_refused_whatever_the_column_is_called(tmp_path: Path) -> None:
    for title in ("ticker", "pair", "#RIC", "act_symbol"):
        rows = "".join(f"{row.seconds},{('A', 'B')[n % 2]},1,1,1,1\n" for n, row in enumerate(HOURS))
        with pytest.raises(UsageError, match=f"the column '{title}' has several values, such as A, B"):
            read(tmp_path, f"time,{title},open,high,low,close\n" + rows)
    for title in ("code", "Name", "asset", "Security", "ISIN"):
        rows = "".join(f"{row.seconds},{symbol},1,1,1,1\n" for row in HOURS for symbol in "AB")
        with pytest.raises(UsageError, match="it has the same time") as refused:
            read(tmp_path, f"time,{title},open,high,low,close\n" + rows)
        assert f"the column '{title}' has several values, such as A, B" in (refused.value.hint or "")


def test_a_column_that_changes_while_times_rise_is_no_second_symbol(tmp_path: Path) -> None:
    half = len(HOURS) // 2
    for title, first, second in (
        ("Name", "Facebook", "Meta Platforms"),
        ("Code", "ESH4", "ESM4"),
        ("Stock", "120", "130"),
        ("Isin", "US0378331005", ""),
        ("Symbol", "AAPL", ""),
    ):
        values = [first] * half + [second] * half
        rows = "".join(f"{row.seconds},{value},1,1,1,1\n" for row, value in zip(HOURS, values, strict=True))
        assert len(read(tmp_path, f"time,{title},open,high,low,close\n" + rows).bars) == 2 * half, title
    prices = {name: [1.0] * (2 * half) for name in ("open", "high", "low", "close")}
    for title, values in {
        "symbol": ["AAPL"] * half + [None] * half,
        "name": ["AAPL"] * half + [math.nan] * half,
        "period": list(range(2 * half)),
    }.items():
        table = {"time": [row.seconds for row in HOURS], title: values, **prices}
        assert len(bars_of(table).bars) == 2 * half, title
        assert len(bars_of(pandas.DataFrame(table)).bars) == 2 * half, title


def test_an_index_of_dates_counts_before_a_column_that_may_be_another_thing() -> None:
    index = pandas.DatetimeIndex([row.time for row in HOURS])
    prices = {name: [1.0] * len(HOURS) for name in ("open", "high", "low", "close")}
    for title in ("data", "start", "ts"):
        found = bars_of(pandas.DataFrame({title: range(len(HOURS)), **prices}, index=index))
        assert found.bars.time == [1000 * row.seconds for row in HOURS], title
    later = [row.time + timedelta(hours=1) for row in HOURS]
    found = bars_of(pandas.DataFrame({"Date": later, **prices}, index=index))
    assert found.bars.time[0] == 1000 * (HOURS[0].seconds + 3600)
    texts = pandas.Index([f"{row.time}" for row in HOURS], name="Date")
    found = bars_of(pandas.DataFrame({"data": range(len(HOURS)), **prices}, index=texts))
    assert found.bars.time == [1000 * row.seconds for row in HOURS]


def test_date_and_time_count_unless_the_third_column_has_unix_times(tmp_path: Path) -> None:
    true = [1000 * row.seconds for row in HOURS]
    for title in ("Timestamp", "ts"):
        for other in ("17", "09:30:00.123", "1", "x"):
            rows = [f"{row.time:%Y-%m-%d,%H:%M},{other},1,1,1,1\n" for row in HOURS]
            assert read(tmp_path, f"Date,Time,{title},Open,High,Low,Close\n" + "".join(rows)).bars.time == true
        rows = [f"{row.time:%Y-%m-%d,%H:%M},{row.seconds + 3600},1,1,1,1\n" for row in HOURS]
        found = read(tmp_path, f"Date,Time,{title},Open,High,Low,Close\n" + "".join(rows))
        assert found.bars.time[0] == true[0] + 3600_000 and found.has_zone
    prices = {name: [1.0] * len(HOURS) for name in ("open", "high", "low", "close")}
    days = {"date": [row.time.date() for row in HOURS], "time": [row.time.time() for row in HOURS]}
    assert bars_of({**days, "ts": list(range(len(HOURS))), **prices}).bars.time == true
    later = [row.seconds + 3600 for row in HOURS]
    assert bars_of({**days, "ts": later, **prices}).bars.time[0] == true[0] + 3600_000


@pytest.mark.parametrize(
    ("head", "volume"),
    [
        ("Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke;Volumen", 7.0),
        ("Datum;Zuletzt;Eröffn.;Hoch;Tief;Vol.;Turnover", 7.0),
        ("日期;收盘;开盘;高;低;交易量;x", 7.0),
        ("Tarih;Şimdi;Açılış;Yüksek;Düşük;Hac.;x", 7.0),
    ],
)
def test_words_of_other_languages_are_read(tmp_path: Path, head: str, volume: float) -> None:
    found = read(tmp_path, f"{head}\n31.01.2024;1,5;1,5;1,5;1,5;7;99\n")
    assert (found.bars.close, found.bars.volume) == ([1.5], [volume])


def test_date_and_time_of_day_are_found_in_other_languages(tmp_path: Path) -> None:
    for pair in ("Datum,Zeit", "Fecha,Hora", "Data,Ora"):
        rows = "".join(f"{row.time:%Y-%m-%d,%H:%M},1,1,1,1\n" for row in HOURS)
        found = read(tmp_path, f"{pair},open,high,low,close\n" + rows)
        assert found.bars.time == [1000 * row.seconds for row in HOURS], pair


def test_a_column_with_one_clear_zone_is_the_zone(tmp_path: Path) -> None:
    prices = {name: [1.0] * len(HOURS) for name in ("open", "high", "low", "close")}
    for zone, hours in {"UTC": 0, "gmt": 0, "+00:00": 0, "0": 0, "America/New_York": 5, "-05:00": 5}.items():
        text = "Time,Timezone,open,high,low,close\n"
        text += "".join(f"{row.time:%Y-%m-%d %H:%M},{zone},1,1,1,1\n" for row in HOURS)
        found = read(tmp_path, text)
        assert found.bars.time[0] == 1000 * (HOURS[0].seconds + 3600 * hours) and found.has_zone, zone
        assert ("as the column 'Timezone' says" in " ".join(found.remarks)) == bool(hours)
        table = {"time": [f"{row.time}" for row in HOURS], "tz": [zone] * len(HOURS), **prices}
        assert bars_of(table).bars.time[0] == found.bars.time[0]
    zones = ["-05:00", "-04:00"] * len(HOURS)
    rows = "".join(f"{row.time:%Y-%m-%d %H:%M},{zone},1,1,1,1\n" for row, zone in zip(HOURS, zones, strict=False))
    with pytest.raises(UsageError, match="the time zone is not known"):
        read(tmp_path, "Time,Timezone,open,high,low,close\n" + rows)


def test_a_table_says_and_refuses_what_a_file_does(tmp_path: Path) -> None:
    prices = {name: [row[place] for row in HOURS] for place, name in enumerate(("open", "high", "low", "close"), 1)}
    true = [1000 * row.seconds for row in HOURS]
    with pytest.raises(UsageError, match="the column 'symbol' has several values, such as A, B"):
        bars_of({"time": [row.seconds for row in HOURS], "symbol": ["A", "B"] * (len(HOURS) // 2), **prices})
    days = [row.time.date() for row in HOURS]
    clocks = [row.time.time() for row in HOURS]
    for table in (
        {"date": days, "time": clocks},
        {"Date": [f"{day:%Y%m%d}" for day in days], "Time": [f"{clock:%H%M}" for clock in clocks]},
        {"date": days, "time": [row.seconds for row in HOURS]},
        {"Datetime (UTC+2)": [f"{row.time + timedelta(hours=2)}" for row in HOURS]},
    ):
        assert bars_of({**table, **prices}).bars.time == true, list(table)
    frame = pandas.DataFrame({"Datetime (UTC)": [row.time for row in HOURS], **prices})
    assert bars_of(frame).bars.time == true
    with pytest.raises(UsageError, match="the time zone is not known"):
        bars_of({"Time (EST)": [f"{row.time}" for row in HOURS], **prices})


def test_dates_of_the_ends_of_weeks_and_months_are_told(tmp_path: Path) -> None:
    def told(*dates: str, zone: str = "") -> str:
        path = tmp_path / "bars.csv"
        path.write_text("date,open,high,low,close\n" + "".join(f"{each},1,1,1,1\n" for each in dates))
        return " ".join(load(path, timezone=zone).remarks)

    fridays = [f"{datetime(2024, 1, 5) + timedelta(weeks=n):%Y-%m-%d}" for n in range(8)]
    mondays = [f"{datetime(2024, 1, 1) + timedelta(weeks=n):%Y-%m-%d}" for n in range(8)]
    ends = ["2024-01-31", "2024-02-29", "2024-03-28", "2024-04-30", "2024-05-31"]
    assert "8 of 8 dates are Thursdays or Fridays" in told(*fridays)
    assert "5 of 5 dates are at the end of the month" in told(*ends)
    for zone in ("America/New_York", "Europe/Berlin", "Asia/Tokyo"):
        assert "8 of 8 dates are Thursdays or Fridays" in told(*fridays, zone=zone)
        assert "5 of 5 dates are at the end of the month" in told(*ends, zone=zone)
        assert "assigns each bar" not in told(*mondays, zone=zone)
    assert "8 of 8 dates are Thursdays or Fridays" in told(*(f"{day}T14:30Z" for day in fridays))
    assert "assigns each bar" not in told(*(f"{day}T22:00Z" for day in ends)), "the evening before the first day"
    assert "assigns each bar" not in told(*mondays)
    assert "assigns each bar" not in told(*(f"2024-{month:02d}-01" for month in range(1, 9)))
    assert "assigns each bar" not in told(*(f"2024-01-{day:02d}" for day in range(20, 31)))


def test_the_file_of_a_program_that_writes_the_ends_of_bars_is_told(tmp_path: Path) -> None:
    assert "writes the end times of bars" in " ".join(read(tmp_path, LAYOUTS["TradeStation"].text).remarks)


def test_the_lines_above_the_titles_are_shown(tmp_path: Path) -> None:
    text = "Symbol: AAPL\nTime zone: America/New_York\n" + HEAD + "2024-01-08 09:30,1,1,1,1,1\n"
    (remark,) = read(tmp_path, text).remarks
    assert remark.endswith("the 2 lines above the titles were left out: Symbol: AAPL; Time zone: America/New_York")


@pytest.mark.parametrize("mark", [" ", "\u00a0", "\u202f", "'", "\u2019"])
def test_spaces_and_apostrophes_between_thousands_are_read(tmp_path: Path, mark: str) -> None:
    for point in ".,":
        prices = (f"27{mark}912{point}5", f"28{mark}000{point}0", f"1{mark}000{point}0", f"27{mark}950{point}25")
        text = HEAD.replace(",", ";") + ";".join(("2024-01-01", *prices, f"1{mark}234{mark}567")) + "\n"
        bars = read(tmp_path, text).bars
        assert (*bars.open, *bars.close, *bars.volume) == (27912.5, 27950.25, 1_234_567)


def test_a_zero_before_a_comma_is_not_thousands(tmp_path: Path) -> None:
    """0,123 was read as 123 in the volume of a file whose prices have decimal points, and 0.123 beside commas."""
    for prices, volume in (("100.5;110;90;100", "0,123"), ("100,5;110;90;100", "0.123")):
        with pytest.raises(UsageError, match=f"line 2: the volume '{volume}' is not a number"):
            read(tmp_path, HEAD.replace(",", ";") + f"2024-01-01;{prices};{volume}\n")


def test_small_prices_of_a_spreadsheet_are_read(tmp_path: Path) -> None:
    text = HEAD.replace(",", ";") + "2024-01-01;1,5E-08;2,0E-08;1,0E-08;1,5E-08;1,5E+08\n"
    bars = read(tmp_path, text).bars
    assert (bars.open, bars.volume) == ([1.5e-8], [1.5e8])

"""Files whose bars are not what they seem are refused with their line; honest files of every usual shape are read."""

import math
import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market import bar_files
from pinebench.market.bar_files import read_csv
from pinebench.market.bars import Bars
from pinebench.market.data_frames import bars_of
from tests.market.files import BARS, HEAD, HONEST_FORMS, REFUSED, File, Lie, Row, happened, market


def read(path: Path, text: File) -> Bars:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_csv(path).bars


def is_true(bars: Bars, rows: list[Row]) -> bool:
    """Whether these are the bars that are meant."""
    return bars.time == [round(row.time.timestamp() * 1000) for row in rows] and all(
        getattr(bars, name) == [getattr(row, name) for row in rows] for name in ("open", "high", "low", "close")
    )


def refused_or_true(lie: Lie, seed: int, path: Path) -> None:
    """A file that lies is refused with line and advice, or read as it is meant; never in silence as something else."""
    found = market(random.Random(seed))
    text = lie(found, random.Random(seed))
    try:
        assert is_true(read(path, text), found.rows), text
    except UsageError as refused:
        assert re.search(r", line \d+: |at offset \d+$", refused.message), refused.message
        assert refused.hint


def taken(form: Lie, seed: int, path: Path) -> None:
    """An honest file is read as it is meant."""
    found = market(random.Random(seed))
    text = form(found, random.Random(seed))
    assert is_true(read(path, text), found.rows), text


def happens(seed: int, path: Path) -> None:
    """What markets do is read."""
    _, text, closes = happened(random.Random(seed))
    assert read(path, text).close == closes


@pytest.mark.parametrize("lie", REFUSED, ids=lambda lie: lie.__name__)
def test_bars_that_lie_are_refused_or_read_as_they_are_meant(lie: Lie, tmp_path: Path) -> None:
    refused_or_true(lie, 1, tmp_path / "bars.csv")


@pytest.mark.parametrize("form", HONEST_FORMS, ids=lambda form: form.__name__)
def test_honest_forms_are_read(form: Lie, tmp_path: Path) -> None:
    taken(form, 1, tmp_path / "bars.csv")


@pytest.mark.parametrize("seed", range(12))
def test_what_markets_do_is_read(seed: int, tmp_path: Path) -> None:
    happens(seed, tmp_path / "bars.csv")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 210))
def test_200_seeds_of_every_kind(seed: int, tmp_path: Path) -> None:
    for lie in REFUSED:
        refused_or_true(lie, seed, tmp_path / "bars.csv")
    for form in HONEST_FORMS:
        taken(form, seed, tmp_path / "bars.csv")
    happens(seed, tmp_path / "bars.csv")


@pytest.mark.parametrize("form", HONEST_FORMS, ids=lambda form: form.__name__)
def test_rows_one_by_one_and_columns_at_once_give_the_same(
    form: Lie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = form(market(random.Random(5)), random.Random(5))
    at_once = read(tmp_path / "bars.csv", text)
    monkeypatch.setattr(bar_files._Reader, "_take_at_once", lambda *_: False)
    assert read(tmp_path / "bars.csv", text) == at_once


@pytest.mark.parametrize(
    "stamps",
    [
        ("2401030905", "2401030910", "2401030915", "2401030920"),
        ("0301202409", "0301202410", "0301202411", "0301202412"),
        ("970103000500", "970103001000", "970103001500", "970103002000"),
    ],
)
def test_dates_that_could_be_unix_times_are_refused(stamps: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="line 2: "):
        read(tmp_path / "bars.csv", "\n".join([HEAD, *(f"{stamp},1,1,1,1,1" for stamp in stamps)]))


def test_milliseconds_of_1976_are_no_dates(tmp_path: Path) -> None:
    stamps = [191_203_200_000 + 86_400_000 * n for n in range(9)]
    assert read(tmp_path / "bars.csv", "\n".join([HEAD, *(f"{s},1,1,1,1,1" for s in stamps)])).time == stamps


@pytest.mark.parametrize(
    ("volumes", "is_read"), [((1000, 9800), True), ((1000, 1100), False), ((math.nan, math.nan), False)]
)
def test_a_split_in_the_last_bar_is_known_by_its_volume(
    volumes: tuple[float, float], is_read: bool, tmp_path: Path
) -> None:
    prices = [400.0, 402.0, 399.0, 401.0, 40.3]
    rows = [f"2024-01-0{n + 1},{p},{p},{p},{p},{volumes[n == 4]}" for n, p in enumerate(prices)]
    if is_read:
        assert len(read(tmp_path / "bars.csv", "\n".join([HEAD, *rows]))) == 5
    else:
        with pytest.raises(UsageError, match="line 6: the prices are 1/10 of"):
            read(tmp_path / "bars.csv", "\n".join([HEAD, *rows]))


def file_of(lines: list[str], head: str = HEAD) -> str:
    return "\n".join([head, *lines]) + "\n"


FORMS = {"YYYYMMDD": "%Y%m%d", "YYYYMMDDhhmm": "%Y%m%d%H%M", "YYYYMMDDhhmmss": "%Y%m%d%H%M%S"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("table", [False, True])
def test_dates_written_as_numbers_are_read_as_dates(form: str, table: bool, tmp_path: Path) -> None:
    moments = [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(30)]
    stamps = [moment.strftime(FORMS[form]) for moment in moments]
    prices = [100.0 + n for n in range(30)]
    if table:
        columns = {"time": list(map(int, stamps)), **dict.fromkeys(("open", "high", "low", "close"), prices)}
        read = bars_of(columns)
    else:
        path = tmp_path / "bars.csv"
        path.write_text(file_of([f"{s},{p},{p},{p},{p},1" for s, p in zip(stamps, prices, strict=True)]))
        read = read_csv(path)
    assert read.times == form
    assert read.bars.time == [round(moment.timestamp() * 1000) for moment in moments]


@pytest.mark.parametrize("lie", ["days", "future", "slip", "interval"])
def test_tables_that_lie_are_refused_too(lie: str) -> None:
    rows = market(random.Random(7)).rows
    times: list[object] = [row.time for row in rows]
    prices = [row.prices for row in rows]
    columns = {name: [row[at] for row in prices] for at, name in enumerate(("open", "high", "low", "close"))}
    if lie == "days":
        times = [45_000 + n for n in range(BARS)]
    elif lie == "future":
        times = [row.time.timestamp() + 3e9 for row in rows]
    elif lie == "interval":
        times = [datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=86.4) * n for n in range(BARS)]
    else:
        columns = {name: [*values[:9], values[9] * 100, *values[10:]] for name, values in columns.items()}
    with pytest.raises(UsageError, match="row "):
        bars_of({"time": times, **columns})


HONEST = {
    "tradingview": "time,open,high,low,close,Volume,MA\n1700000000,1,3,0.5,2,10,NaN\n1700003600,2,4,1,3,12,2.5\n",
    "tradingview, since 1980": "time,open,high,low,close\n345459600,0.128,0.129,0.128,0.128\n345718800,0.122,0.122,"
    "0.121,0.121\n345805200,0.113,0.113,0.112,0.112\n",
    "yahoo": "Date,Open,High,Low,Close,Adj Close,Volume\n2024-01-02,187.1,188.4,183.9,185.6,184.9,82488700\n"
    "2024-01-03,null,null,null,null,null,null\n2024-01-04,182.1,183.1,180.9,181.9,181.2,71983600\n",
    "stooq": "Date,Open,High,Low,Close,Volume\n1985-01-02,1.2,1.3,1.1,1.2,1000\n1985-01-03,1.2,1.3,1.1,1.25,900\n",
    "stooq, archive": "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n"
    "AAPL.US,5,20240102,153000,187.1,187.5,186.9,187.2,1000,0\nAAPL.US,5,20240102,153500,187.2,187.6,187,187.3,900,0\n",
    "metatrader 5": "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n"
    "2024.01.02\t00:00:00\t1.10\t1.11\t1.09\t1.105\t100\t0\t2\n2024.01.02\t01:00:00\t1.105\t1.12\t1.1\t1.11\t90\t0\t2\n",
    "metatrader 4": "2024.01.02,00:00,1.10,1.11,1.09,1.105,100\n2024.01.02,01:00,1.105,1.12,1.10,1.11,90\n",
    "binance": "1704067200000,42283.5,42554.5,42261.0,42475.2,1271.6,1704070799999,53957248,47134,682.5,28957416.8,0\n"
    "1704070800000,42475.2,42775.0,42431.6,42613.5,1196.3,1704074399999,50984309,44123,654.6,27938482.6,0\n",
    "binance, since 2025": "1735689600000000,93576.0,94120.4,93554.1,94000.1,9.6,1735693199999999,1,1,1,1,0\n"
    "1735693200000000,94000.1,94500.0,93900.0,94100.2,8.1,1735696799999999,1,1,1,1,0\n",
}


@pytest.mark.parametrize("name", HONEST)
def test_files_of_usual_sources_are_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bars.csv"
    path.write_text(HONEST[name], encoding="utf-8")
    bars = read_csv(path).bars
    wanted = 3 if "1980" in name else 2
    assert len(bars) == wanted
    assert bars.time[0] % 1000 == 0


def test_skipped_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "bars.csv"
    path.write_text(HONEST["yahoo"], encoding="utf-8")
    assert read_csv(path).remarks == (f"{path}: 1 row without prices was skipped",)


def daily(prices: list[float], start: datetime = datetime(2020, 1, 1, tzinfo=UTC)) -> str:
    stamps = ((start + timedelta(days=n)).date().isoformat() for n in range(len(prices)))
    return file_of([f"{s},{p!r},{p!r},{p!r},{p!r},1" for s, p in zip(stamps, prices, strict=True)])


EVENTS = {
    "a split of ten for one": [400.0 + n for n in range(20)] + [42.0 + n / 10 for n in range(20)],
    "a reverse split": [1.03 + n / 100 for n in range(20)] + [123.0 + n for n in range(20)],
    "a crash": [80.0, 78.5, 61.2, 30.1, 17.0, 5.3, 1.0, 0.02, 0.0002, 0.00011, 0.00009, 0.00012, 0.0001],
    "a penny stock": [0.001, 0.01, 0.001, 0.001, 0.01, 0.01, 0.001, 0.002, 0.001, 0.01],
    "a rally of ten times": [10.0 * 1.1**n for n in range(60)],
}


@pytest.mark.parametrize("name", EVENTS)
def test_what_markets_really_do_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bars.csv"
    path.write_text(daily(EVENTS[name]), encoding="utf-8")
    assert read_csv(path).bars.close == EVENTS[name]


def test_irregular_bars_and_the_week_that_is_not_over_are_read(tmp_path: Path) -> None:
    dice = random.Random(1)
    moment, lines = datetime(2024, 1, 1, tzinfo=UTC), list[str]()
    for _ in range(50):
        moment += timedelta(seconds=dice.randint(1, 4000))
        lines.append(f"{moment.isoformat()},100,101,99,100,1")
    path = tmp_path / "renko.csv"
    path.write_text(file_of(lines), encoding="utf-8")
    assert len(read_csv(path).bars) == 50
    end = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=6)
    weeks = [(end - timedelta(weeks=20 - n)).isoformat() for n in range(21)]
    path.write_text(file_of([f"{stamp},100,101,99,100,1" for stamp in weeks]), encoding="utf-8")
    assert len(read_csv(path).bars) == 21


@pytest.mark.parametrize(
    "prices",
    [
        "1e308,1.7e308,1e308,1.7e308",
        "1e308,1.7e308,1e-308,1e308",
        "5e-324,1.7e308,5e-324,5e-324",
        "9e307,9e307,9e307,9e307",
    ],
)
def test_prices_at_the_ends_of_all_numbers_get_an_answer(prices: str, tmp_path: Path) -> None:
    path = tmp_path / "bars.csv"
    rows = "".join(f"{1_700_000_000 + 3600 * n},{prices}\n" for n in range(9))
    path.write_text(f"time,open,high,low,close\n{rows}", encoding="utf-8")
    try:
        assert len(read_csv(path).bars) == 9
    except UsageError as refused:
        assert f"{path}, line " in refused.message


@pytest.mark.parametrize("place", range(5))
def test_a_number_with_underlines_is_none(place: int, tmp_path: Path) -> None:
    path = tmp_path / "bars.csv"
    cells = ["1700000000", "100", "102", "99", "101"]
    rows = [[str(int(cells[0]) + 3600 * n), *cells[1:]] for n in range(9)]
    rows[4][place] = f"{rows[4][place][:1]}_{rows[4][place][1:]}"
    path.write_text("time,open,high,low,close\n" + "".join(f"{','.join(row)}\n" for row in rows), encoding="utf-8")
    with pytest.raises(UsageError, match="line 6: "):
        read_csv(path)

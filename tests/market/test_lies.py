"""Files whose bars are not what they seem are refused with their line; honest files of every usual shape are read."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market.frames import bars_of
from pinebench.market.reading import read_csv

Row = tuple[datetime, float, float, float, float, float]
HEAD = "time,open,high,low,close,volume"
BARS = 60


def market(seed: int) -> list[Row]:
    """Bars of a random walk: from minutes to days, from pennies to thousands, with nights and weekends left out."""
    dice = random.Random(seed)
    step = timedelta(minutes=dice.choice((1, 5, 15, 60, 240, 1440)))
    moment = datetime(dice.randint(1995, 2025), dice.randint(1, 12), 3, tzinfo=UTC)
    close, spread = dice.choice((7.0, 95.0, 410.0, 6100.0)), dice.choice((0.001, 0.01, 0.03))
    rows: list[Row] = []
    while len(rows) < BARS:
        moment += step
        if moment.weekday() >= 5:
            continue
        start = close
        close = start * math.exp(dice.gauss(0, spread))
        high = max(start, close) * (1 + abs(dice.gauss(0, spread)))
        low = min(start, close) / (1 + abs(dice.gauss(0, spread)))
        prices = [round(price, 4) for price in (start, high, low, close)]
        rows.append((moment, prices[0], max(prices), min(prices), prices[3], float(dice.randint(10, 10_000))))
    return rows


def line_of(row: Row, stamp: str | None = None) -> str:
    return ",".join([stamp or row[0].isoformat(), *(f"{value:.4f}" for value in row[1:])])


def file_of(lines: list[str], head: str = HEAD) -> str:
    return "\n".join([head, *lines]) + "\n"


def spreadsheet_days(rows: list[Row], dice: random.Random) -> str:
    origin = datetime(1899, 12, 30, tzinfo=UTC)
    return file_of([line_of(row, f"{(row[0] - origin).total_seconds() / 86400:.6f}") for row in rows])


def decimal_commas(rows: list[Row], dice: random.Random) -> str:
    return file_of([line_of(row).replace(".", ",") for row in rows])


def decimal_commas_between_semicolons(rows: list[Row], dice: random.Random) -> str:
    return file_of([line_of(row).replace(",", ";").replace(".", ",") for row in rows], HEAD.replace(",", ";"))


def thousands(rows: list[Row], dice: random.Random) -> str:
    lines = [",".join([row[0].isoformat(), *(f"{value * 1000:,.2f}" for value in row[1:])]) for row in rows]
    return file_of(lines)


def shortened(rows: list[Row], dice: random.Random) -> str:
    lines = [line_of(row) for row in rows]
    place = dice.randrange(len(lines))
    lines[place] = lines[place].rpartition(",")[0]
    return file_of(lines)


def lengthened(rows: list[Row], dice: random.Random) -> str:
    lines = [line_of(row) for row in rows]
    lines[dice.randrange(len(lines))] += ",1"
    return file_of(lines)


def seconds_as_milliseconds(rows: list[Row], dice: random.Random) -> str:
    moments = (datetime.fromtimestamp(row[0].timestamp() / 1000, UTC) for row in rows)
    return file_of([line_of(row, moment.isoformat()) for row, moment in zip(rows, moments, strict=True)])


def days_to_come(rows: list[Row], dice: random.Random) -> str:
    return file_of([line_of(row, (row[0] + timedelta(days=365 * 80)).isoformat()) for row in rows])


def odd_interval(rows: list[Row], dice: random.Random) -> str:
    start, step = rows[0][0], timedelta(seconds=dice.choice((86.4, 97, 1441.5, 0.9, 433)))
    return file_of([line_of(row, (start + step * n).isoformat()) for n, row in enumerate(rows)])


def slipped_point(rows: list[Row], dice: random.Random) -> str:
    place, power = dice.randrange(3, len(rows) - 3), 10.0 ** dice.choice((-2, -1, 1, 2, 3))
    time, *prices, volume = rows[place]
    o, h, low, c = (price * power for price in prices)
    changed = [*rows[:place], (time, o, h, low, c, volume), *rows[place + 1 :]]
    return file_of([",".join([row[0].isoformat(), *(f"{value:.8f}" for value in row[1:])]) for row in changed])


def slipped_high(rows: list[Row], dice: random.Random) -> str:
    place = dice.randrange(len(rows))
    time, o, _, low, c, volume = rows[place]
    changed = [*rows[:place], (time, o, max(o, c) * 10.0, low, c, volume), *rows[place + 1 :]]
    return file_of([line_of(row) for row in changed])


LIES: tuple[Callable[[list[Row], random.Random], str], ...] = (
    spreadsheet_days,
    decimal_commas,
    decimal_commas_between_semicolons,
    thousands,
    shortened,
    lengthened,
    seconds_as_milliseconds,
    days_to_come,
    odd_interval,
    slipped_point,
    slipped_high,
)


def lying() -> Iterator[tuple[str, str]]:
    """More than 200 files that lie, each with the name of its kind."""
    for seed in range(19):
        for lie in LIES:
            yield f"{lie.__name__}-{seed}", lie(market(seed), random.Random(seed))


FILES = dict(lying())


def test_there_are_200_files_that_lie() -> None:
    assert len(FILES) >= 200


@pytest.mark.parametrize("name", FILES)
def test_bars_that_lie_are_refused_with_line_and_advice(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bars.csv"
    path.write_text(FILES[name], encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        read_csv(path)
    assert f"{path}, line " in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize("seed", range(40))
def test_the_same_bars_without_the_lie_are_read(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "bars.csv"
    rows = market(seed)
    path.write_text(file_of([line_of(row) for row in rows]), encoding="utf-8")
    read = read_csv(path).bars
    assert read.time == [round(row[0].timestamp() * 1000) for row in rows]
    assert read.close == [row[4] for row in rows]


FORMS = {
    "YYYYMMDD": "%Y%m%d",
    "YYYYMMDDhhmm": "%Y%m%d%H%M",
    "YYYYMMDDhhmmss": "%Y%m%d%H%M%S",
}


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
    rows = market(7)
    times: list[object] = [row[0] for row in rows]
    prices = [row[1:] for row in rows]
    columns = {name: [row[at] for row in prices] for at, name in enumerate(("open", "high", "low", "close"))}
    if lie == "days":
        times = [45_000 + n for n in range(BARS)]
    elif lie == "future":
        times = [row[0].timestamp() + 3e9 for row in rows]
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

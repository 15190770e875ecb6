"""Reads bars from CSV files, TradingView's own chart export among them, and refuses by its line what cannot be bars."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.market.bars import Bars
from pinebench.market.plausible import judge
from pinebench.market.stamps import time_kind

LARGEST_FILE = 500_000_000
_LAST_TIME = 253_370_764_800_000
"""The end of the year 9998 in milliseconds: a year is left for periods to end in."""

_TIME_NAMES = ("time", "timestamp", "datetime", "date", "open time", "open_time", "opentime")
_VOLUME_NAMES = ("volume", "vol", "tickvol")
_PRICES = ("open", "high", "low", "close")
_FLOAT = re.compile(r"\d+(?:\.\d*)?", re.ASCII)
_EXPECTED = "expected the columns time, open, high, low, close and perhaps volume"


class BarsFile(NamedTuple):
    """The bars of a file, and what its times were taken for: `seconds`, `milliseconds` or `ISO 8601`."""

    bars: Bars
    times: str


def read_csv(path: Path) -> BarsFile:
    """The bars of a CSV file with the columns time, open, high, low, close and perhaps volume.

    Columns may stand in any order among others, between commas, semicolons or tabs; a date and a time of day may stand
    in two. Times are unix times, ISO 8601 or dates such as 20240131, in UTC where no zone is given, and all of one
    kind. A row whose prices are all `null` is no bar. Raises UsageError naming the line for what is no bar, for a time
    that was there before, for one that is earlier than the one before it, and for bars that no market has.
    """
    text = files.read(path, LARGEST_FILE).text
    try:
        rows = list(read_table(text))
    except csv.Error as error:
        raise UsageError(f"{path}: cannot be read: {error}", "expected a CSV file in UTF-8") from None
    if not rows:
        raise UsageError(f"{path}: is empty", _EXPECTED)
    head = _head_of(rows[0][1])
    if head is None:
        head, rows = rows[0][1], rows[1:]
    places = columns_of(path, head)
    bars, lines = Bars(), list[int]()
    kind, read_time = "", None
    for line, row in rows:
        place = f"{path}, line {line}"
        _check_length(row, len(head), place)
        if all(_is_missing(row, places[name]) for name in _PRICES):
            continue
        stamp = _stamp(row, places, place)
        if read_time is None:
            kind, read_time = time_kind(stamp, place)
        _add(bars, read_time, stamp, row, places, place)
        lines.append(line)
    judge(bars, lambda n: f"{path}, line {lines[n]}")
    return BarsFile(bars, kind)


def _head_of(first: list[str]) -> list[str] | None:
    """The names of the columns of a file that names none: MetaTrader's, and Binance's; None where there are names."""
    cells = [cell.strip() for cell in first]
    if len(cells) in (6, 7) and re.fullmatch(r"\d{4}\.\d\d\.\d\d", cells[0], re.ASCII) and ":" in cells[1]:
        return ["date", "time", *_PRICES, "volume"][: len(cells)]
    if len(cells) == 12 and all(_FLOAT.fullmatch(cell) for cell in cells):
        return ["open time", *_PRICES, "volume", *(f"more {n}" for n in range(6))]
    return None


def _check_length(row: list[str], length: int, where: str) -> None:
    """Raise UsageError for a row with fewer or more cells than the first; empty cells at its end do not count."""
    filled = len(row)
    while filled > length and not row[filled - 1].strip():
        filled -= 1
    if filled == length:
        return
    raise UsageError(
        f"{where}: the row has {filled} cells, and the first row has {length}",
        "write numbers with a decimal point and without marks between thousands, and a cell for each column",
    )


def _is_missing(row: list[str], place: int) -> bool:
    return row[place].strip().lower() == "null"


def _stamp(row: list[str], places: dict[str, int], where: str) -> str:
    """The time of a row; of a file with a date and a time of day both of them."""
    day = _cell(row, places["time"], "time", where)
    if "clock" not in places:
        return day
    clock = _cell(row, places["clock"], "time of day", where)
    if day.isdigit() and len(day) == 8:
        clock = clock.replace(":", "")
        return day + clock.zfill(6 if len(clock) > 4 else 4)
    return f"{day} {clock}"


def read_table(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty with the line on which each ends."""
    head = text.partition("\n")[0]
    separator = next((mark for mark in ",;\t" if mark in head), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    for row in reader:
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def columns_of(path: object, head: list[str]) -> dict[str, int]:
    """Where time, prices and volume stand among the names of columns. Raises UsageError for one that is missing."""
    names = [name.strip().strip("<>").lower() for name in head]
    places: dict[str, int] = {}
    twice = next((name for name in (*_PRICES, *_VOLUME_NAMES) if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{path}, line 1: the column '{twice}' comes twice", "name each column once")
    for wanted, known in (
        ("time", _TIME_NAMES),
        *((name, (name,)) for name in _PRICES),
        ("volume", _VOLUME_NAMES),
    ):
        place = next((names.index(name) for name in known if name in names), None)
        if place is None and wanted != "volume":
            raise UsageError(f"{path}, line 1: there is no column '{wanted}'", _EXPECTED)
        if place is not None:
            places[wanted] = place
    if "date" in names and "time" in names:
        places |= {"time": names.index("date"), "clock": names.index("time")}
    return places


def _cell(row: list[str], place: int, name: str, where: str) -> str:
    text = row[place].strip() if place < len(row) else ""
    if not text:
        raise UsageError(f"{where}: there is no {name}", _EXPECTED)
    return text


def _add(
    bars: Bars, read_time: Callable[[str], int], stamp: str, row: list[str], places: dict[str, int], where: str
) -> None:
    try:
        time = read_time(stamp)
    except (ValueError, OverflowError):
        raise UsageError(
            f"{where}: '{stamp}' is not a time of the kind that the file begins with",
            "expected unix seconds, milliseconds or ISO 8601 throughout",
        ) from None
    prices = [_number(_cell(row, places[name], name, where), name, where) for name in _PRICES]
    volume = row[places["volume"]].strip() if places.get("volume", len(row)) < len(row) else ""
    missing = volume.lower() in ("", "nan", "na", "null")
    add_bar(bars, time, prices, math.nan if missing else _number(volume, "volume", where), stamp, where)


def add_bar(bars: Bars, time: int, prices: list[float], volume: float, stamp: object, where: str) -> None:
    """Append a bar of open, high, low and close at `time`, in milliseconds UTC, which stands as `stamp` at `where`.

    Raises UsageError for a time that is none or not behind the bars so far, and for prices that are not those of a bar.
    """
    if not 0 <= time <= _LAST_TIME:
        raise UsageError(f"{where}: {stamp} is not a valid time", "expected a moment between the years 1970 and 9998")
    if bars.time and time <= bars.time[-1]:
        what = (
            "the time of the bar before comes again" if time == bars.time[-1] else "it is earlier than the bar before"
        )
        raise UsageError(f"{where}: {what} ({stamp})", "bars must be in order of time, each once")
    open_, high, low, close = prices
    if high < max(open_, low, close) or low > min(open_, close):
        raise UsageError(f"{where}: high and low do not enclose open and close", "expected the prices of one bar")
    bars.append(time, open_, high, low, close, volume)


def _number(text: str, name: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # Python reads 1_0 as ten, which no program writes into a file of prices.
    if not math.isfinite(value) or "_" in text:
        hint = "expected finite numbers with a decimal point"
        raise UsageError(f"{where}: the {name} '{text}' is not a number", hint)
    return value

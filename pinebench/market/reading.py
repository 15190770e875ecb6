"""Reads bars from CSV files, also from TradingView's export of a chart. Errors name the line that is not a bar."""

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
"""The end of the year 9998 in milliseconds. One year before the last possible date is left for the ends of periods."""

_TIME_NAMES = ("time", "timestamp", "datetime", "date", "open time", "open_time", "opentime")
_VOLUME_NAMES = ("volume", "vol", "tickvol")
_PRICES = ("open", "high", "low", "close")
_FLOAT = re.compile(r"\d+(?:\.\d*)?", re.ASCII)
_EXPECTED = "expected the columns time, open, high, low, close and perhaps volume"


class BarsFile(NamedTuple):
    """The bars of a file, and the format of its times, such as `seconds`, `milliseconds` or `ISO 8601`."""

    bars: Bars
    times: str


def read_csv(path: Path) -> BarsFile:
    """Read the bars of a CSV file with the columns time, open, high, low, close and optionally volume.

    The columns may have any order, and there may be other columns. The separator is a comma, a semicolon or a tab. Date
    and time of day may be two columns. Times are unix times, ISO 8601 or dates such as 20240131, all in one format, and
    in UTC if they do not have a time zone. A row whose prices are all `null` is left out. Raises UsageError with the
    line if a row is not a bar, if its time is not after the time of the bar before it, or if the bars cannot come from
    a market.
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
    """The names of the columns of a file of MetaTrader or Binance without a title row. None if it has a title row."""
    cells = [cell.strip() for cell in first]
    if len(cells) in (6, 7) and re.fullmatch(r"\d{4}\.\d\d\.\d\d", cells[0], re.ASCII) and ":" in cells[1]:
        return ["date", "time", *_PRICES, "volume"][: len(cells)]
    if len(cells) == 12 and all(_FLOAT.fullmatch(cell) for cell in cells):
        return ["open time", *_PRICES, "volume", *(f"more {n}" for n in range(6))]
    return None


def _check_length(row: list[str], length: int, where: str) -> None:
    """Raise UsageError if a row has not as many cells as the first row. Empty cells at its end do not count."""
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
    """The text of a row's time; date and time of day are joined if they are two columns."""
    day = _cell(row, places["time"], "time", where)
    if "clock" not in places:
        return day
    clock = _cell(row, places["clock"], "time of day", where)
    if day.isdigit() and len(day) == 8:
        clock = clock.replace(":", "")
        return day + clock.zfill(6 if len(clock) > 4 else 4)
    return f"{day} {clock}"


def read_table(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the number of the line on which it ends."""
    head = text.partition("\n")[0]
    separator = next((mark for mark in ",;\t" if mark in head), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    for row in reader:
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def columns_of(path: object, head: list[str]) -> dict[str, int]:
    """The indices of the columns for time, prices and volume. Raises UsageError if one is missing or a duplicate.

    The volume is optional. If date and time of day are two columns, `time` is the date and `clock` the time of day.
    """
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
            f"{where}: '{stamp}' is not a time in the format of the file's first time",
            "expected unix seconds, milliseconds or ISO 8601 in all rows",
        ) from None
    prices = [_number(_cell(row, places[name], name, where), name, where) for name in _PRICES]
    volume = row[places["volume"]].strip() if places.get("volume", len(row)) < len(row) else ""
    missing = volume.lower() in ("", "nan", "na", "null")
    add_bar(bars, time, prices, math.nan if missing else _number(volume, "volume", where), stamp, where)


def add_bar(bars: Bars, time: int, prices: list[float], volume: float, stamp: object, where: str) -> None:
    """Append a bar with the prices open, high, low and close at `time`, in milliseconds UTC.

    For messages, `stamp` is the time as it is written in the source, and `where` is the place. Raises UsageError if the
    time is not valid or not after the last bar, or if high and low do not enclose open and close.
    """
    if not 0 <= time <= _LAST_TIME:
        raise UsageError(f"{where}: {stamp} is not a valid time", "expected a moment between the years 1970 and 9998")
    if bars.time and time <= bars.time[-1]:
        what = "it is the same time as the bar before" if time == bars.time[-1] else "it is earlier than the bar before"
        raise UsageError(f"{where}: {what} ({stamp})", "bars must be in order of time, without duplicates")
    open_, high, low, close = prices
    if high < max(open_, low, close) or low > min(open_, close):
        raise UsageError(f"{where}: high and low do not enclose open and close", "expected the prices of one bar")
    bars.append(time, open_, high, low, close, volume)


def _number(text: str, name: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # Python reads 1_0 as ten, but no program writes that into a file of prices.
    if not math.isfinite(value) or "_" in text:
        hint = "expected finite numbers with a decimal point"
        raise UsageError(f"{where}: the {name} '{text}' is not a number", hint)
    return value

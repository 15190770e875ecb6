"""Reads bars from CSV files, also from TradingView's export of a chart. Errors name the line that is not a bar."""

from __future__ import annotations

import csv
import math
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from operator import ge, le, lt
from pathlib import Path
from typing import NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.market.bars import Bars
from pinebench.market.plausible import judge
from pinebench.market.stamps import time_kind
from pinebench.printable import printable

LARGEST_FILE = 500_000_000
_LAST_TIME = 253_370_764_800_000
"""The end of the year 9998 in milliseconds. One year before the last possible date is left for the ends of periods."""

_TIME_NAMES = ("time", "timestamp", "datetime", "date", "open time", "open_time", "opentime")
_VOLUME_NAMES = ("volume", "vol", "tickvol")
_PRICES = ("open", "high", "low", "close")
_FLOAT = re.compile(r"\d+(?:\.\d*)?", re.ASCII)
_MARKS = "write numbers with a decimal point and without marks between thousands, and a cell for each column"
_SHOWN = 60
"""The largest number of characters of a cell in a message."""
_BLOCK = 4096
"""The number of rows that are read at a time."""
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
        return _read(path, read_table(text))
    except BadTable as error:
        raise UsageError(f"{path}, line {error.line}: {error}", error.hint) from None


def _read(path: Path, rows: Iterator[tuple[int, list[str]]]) -> BarsFile:
    first = next(rows, None)
    if first is None:
        raise UsageError(f"{path}: is empty", _EXPECTED)
    head = _head_of(first[1])
    if head is None:
        head = _without_empty_end(first[1])
    else:
        rows = chain([first], rows)
    reader = _Reader(path, head)
    while block := list(islice(rows, _BLOCK)):
        reader.take(block)
    judge(reader.bars, lambda n: f"{path}, line {reader.lines[n]}")
    return BarsFile(reader.bars, reader.kind)


class _Reader:
    """Reads the bars of rows, a block of rows at a time."""

    def __init__(self, path: Path, head: list[str]) -> None:
        self.bars = Bars()
        self.lines = array("q")
        """The line of each bar."""
        self.kind = ""
        self._path = path
        self._length = len(head)
        self._places = columns_of(path, head)
        self._nameless = [n for n, name in enumerate(head) if n and not name.strip()]
        self._read_time: Callable[[str], int] | None = None

    def take(self, block: list[tuple[int, list[str]]]) -> None:
        """Add the bars of some rows. Raises UsageError for the first row that is not a bar."""
        if self._read_time is None:
            self._find_kind(block)
        if not self._take_at_once(block):
            for line, row in block:
                self._take_row(line, row)

    def _find_kind(self, block: list[tuple[int, list[str]]]) -> None:
        """Find the format of the times, from the first row that is not left out."""
        stamps: list[str] = []
        where = ""
        for line, row in block:
            place = f"{self._path}, line {line}"
            if not stamps:
                _check_length(row, self._length, place)
            elif len(row) < self._length:
                break
            if not self._is_left_out(row):
                where = where or place
                stamps.append(_stamp(row, self._places, place))
        if stamps:
            self.kind, self._read_time = time_kind(stamps[0], where, stamps[1:])

    def _is_left_out(self, row: list[str]) -> bool:
        return all(row[self._places[name]].strip().lower() == "null" for name in _PRICES)

    def _take_at_once(self, block: list[tuple[int, list[str]]]) -> bool:
        """Add the bars of a block column by column, which is faster. Does nothing and returns False unless each row is
        a bar without anything unusual.
        """
        if self._read_time is None or any(len(row) != self._length for _, row in block):
            return False
        columns = list(zip(*(row for _, row in block), strict=True))
        try:
            open_, high, low, close = (_numbers(columns[self._places[name]]) for name in _PRICES)
            if "clock" in self._places:
                stamps = [_stamp(row, self._places, "") for _, row in block]
            else:
                stamps = list(map(str.strip, columns[self._places["time"]]))
            times = list(map(self._read_time, stamps))
            volumes = self._volumes(columns)
        except (ValueError, OverflowError, UsageError):
            return False
        bars = Bars(times, open_, high, low, close, volumes)
        if not self._are_bars(bars) or any(any(map(str.strip, columns[n])) for n in self._nameless):
            return False
        for own, more in zip(self.bars.columns(), bars.columns(), strict=True):
            own.extend(more)  # pyright: ignore[reportArgumentType]  # both are times, or both are prices
        self.lines.extend(line for line, _ in block)
        return True

    def _volumes(self, columns: list[tuple[str, ...]]) -> list[float]:
        """The volumes of a block. Raises ValueError if one is not a number, is missing, or is negative."""
        if "volume" not in self._places:
            return [math.nan] * len(columns[0])
        volumes = _numbers(columns[self._places["volume"]])
        if min(volumes) < 0:
            raise ValueError
        return volumes

    def _are_bars(self, bars: Bars) -> bool:
        """Whether all are bars that follow each other and the last bar."""
        times = bars.time
        last = self.bars.time[-1] if self.bars.time else -1
        return (
            last < times[0]
            and times[-1] <= _LAST_TIME
            and all(map(lt, times, islice(times, 1, None)))
            and all(map(ge, bars.high, map(max, bars.open, bars.low, bars.close)))
            and all(map(le, bars.low, map(min, bars.open, bars.close)))
        )

    def _take_row(self, line: int, row: list[str]) -> None:
        where = f"{self._path}, line {line}"
        _check_length(row, self._length, where)
        for n in self._nameless:
            if row[n].strip():
                raise UsageError(f"{where}: '{row[n].strip()}' is below a column without a name", _MARKS)
        if self._is_left_out(row):
            return
        stamp = _stamp(row, self._places, where)
        if self._read_time is None:
            self.kind, self._read_time = time_kind(stamp, where)
        _add(self.bars, self._read_time, stamp, row, self._places, where)
        self.lines.append(line)


def _numbers(cells: Sequence[str]) -> list[float]:
    """The numbers in cells. Raises ValueError if one is not a finite number."""
    values = list(map(float, cells))
    if not all(map(math.isfinite, values)) or "_" in "".join(cells):
        raise ValueError
    return values


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
    filled = len(row) if len(row) <= length else max(length, len(_without_empty_end(row)))
    if filled == length:
        return
    raise UsageError(f"{where}: the row has {filled} cells, and the first row has {length}", _MARKS)


def _without_empty_end(row: list[str]) -> list[str]:
    """The cells up to the last one that is not empty."""
    filled = len(row)
    while filled and not row[filled - 1].strip():
        filled -= 1
    return row[:filled]


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


class BadTable(csv.Error):
    """Raised for a text that is not a table. `line` is the line, and `hint` says what to do."""

    def __init__(self, line: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.line = line
        self.hint = hint


def read_table(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the number of the line on which it ends.

    The first line may name the separator, as spreadsheets write it (`sep=;`). Raises BadTable if a row is not CSV, or
    if a quotation mark is not closed in its line, except in the first row.
    """
    if text.count("\r") != text.count("\r\n"):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = _lines(text)
    first = next(lines, "")
    named = re.fullmatch(r"sep=([,;\t])\s*", first)
    separator = named[1] if named else _separator(first)
    before = int(named is not None)
    reader = csv.reader(lines if named else chain([first], lines), delimiter=separator, strict=True)
    line, is_first = before, True
    while True:
        begin = line
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadTable(begin + 1, f"is not a row of a table: {error}", "expected CSV in UTF-8") from None
        line = before + reader.line_num
        if any(map(str.strip, row)):
            if not is_first and line > begin + 1:
                raise BadTable(begin + 1, "a quotation mark is not closed in this line", "close it, or leave it out")
            is_first = False
            yield line, row


def _lines(text: str) -> Iterator[str]:
    begin = 0
    while end := text.find("\n", begin) + 1:
        yield text[begin:end]
        begin = end
    if begin < len(text):
        yield text[begin:]


def _separator(head: str) -> str:
    """The separator of a file with this first line: the one that separates the names of most columns of bars."""

    def known(mark: str) -> tuple[int, int]:
        names = [name.strip().strip('"<>').lower() for name in head.split(mark)]
        return len([name for name in _PRICES if name in names]), len(names)

    return max(",;\t", key=known)


def columns_of(path: object, head: list[str]) -> dict[str, int]:
    """The indices of the columns for time, prices and volume. Raises UsageError if one is missing or a duplicate.

    The volume is optional. If date and time of day are two columns, `time` is the date and `clock` the time of day.
    """
    names = [name.strip().strip("<>").lower() for name in head]
    places: dict[str, int] = {}
    twice = next((name for name in (*_PRICES, *_VOLUME_NAMES, *_TIME_NAMES) if names.count(name) > 1), None)
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
        kind = " in the format of the file's first time" if bars.time else ""
        raise UsageError(
            f"{where}: '{printable(stamp[:_SHOWN])}' is not a time{kind}",
            "expected unix seconds, milliseconds or ISO 8601 in all rows, such as 2024-01-31T14:30",
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
        raise UsageError(
            f"{where}: {what} ({stamp})", "bars must be in order of time, without duplicates: sort the rows by time"
        )
    open_, high, low, close = prices
    if high < max(open_, low, close) or low > min(open_, close):
        raise UsageError(f"{where}: high and low do not enclose open and close", "expected the prices of one bar")
    if volume < 0:
        raise UsageError(f"{where}: the volume {volume:g} is negative", "expected the amount that was traded")
    bars.append(time, open_, high, low, close, volume)


def _number(text: str, name: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # Python reads 1_0 as ten, but no program writes that into a file of prices.
    if not math.isfinite(value) or "_" in text:
        hint = "expected finite numbers with a decimal point and without marks between thousands"
        raise UsageError(f"{where}: the {name} '{printable(text[:_SHOWN])}' is not a number", hint)
    return value

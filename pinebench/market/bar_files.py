"""Reads bars from CSV files, including TradingView's chart export. Errors name the line at fault."""

from __future__ import annotations

import csv
import gzip
import io
import math
import re
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import ge, gt, le
from pathlib import Path
from typing import NamedTuple

from pinebench import files
from pinebench.amounts import counted
from pinebench.errors import UsageError
from pinebench.market.bars import Bars
from pinebench.market.clocks import in_zone
from pinebench.market.column_layouts import (
    EXPECTED,
    PRICES,
    FileLayout,
    Row,
    check_volumes,
    is_clock,
    layout_of,
    plain,
    without_absent,
    without_end,
    words_of_columns,
)
from pinebench.market.numerals import ABSENT, AmbiguousNumbers, Numerals, numerals, perhaps_thousands, volume_numerals
from pinebench.market.numerals import volume as volume_of
from pinebench.market.plausible import judge
from pinebench.market.stamps import AmbiguousDates, TimeForm, looks_like_time, time_form
from pinebench.printable import printable

LARGEST_FILE = 500_000_000
"""The largest size of a file in bytes, also after it is unpacked."""
_GERMAN = ("datum", "zeit", "datum/zeit")
"""Titles of times in languages that write a decimal comma."""
_LAST_TIME = 253_370_764_800_000
"""The end of the year 9998 in milliseconds. One year before the last possible date is left for the ends of periods."""

_MARKS = "write numbers with a decimal point and without thousands separators, and a cell for each column"
_SHOWN = 60
"""The largest number of characters of a cell in a message."""
_BLOCK = 4096
"""The number of rows that are read at a time."""
_PACKED = b"\x1f\x8b"
_MOST_NAMES = 3
"""The number of a column's values that are kept if it may have several."""


class BarsFile(NamedTuple):
    """The bars of a file, and details of the file's format.

    `times` is the format of its times, such as `seconds`, `milliseconds` or `ISO 8601`. `has_zone` says whether they
    have a time zone; unix times are in UTC. `columns` maps `time`, `open` and so on to the titles of the columns that
    were read; None for a file without titles. `remarks` are sentences about rows that were skipped or changed.
    """

    bars: Bars
    times: str
    has_zone: bool = True
    columns: Mapping[str, str] | None = None
    remarks: tuple[str, ...] = ()


def read_csv(path: Path, timezone: str = "") -> BarsFile:
    """Read the bars of a CSV file, which may be compressed with gzip.

    Its columns are time, open, high, low, close and optionally volume, under their usual titles and in any order; other
    columns are ignored. Files without titles are read if their format is a common one. The separator is a comma, a
    semicolon, a tab or a vertical bar. Date and time of day may be two columns. Times are unix times, ISO 8601 or other
    dates, all in one format; times without a time zone are in `timezone`, or in UTC. Files with the newest bar first
    are reversed. A row whose prices are all `null` is skipped.

    Raises UsageError with the line if a row is not a bar, if bars are not in order, if the format of dates or numbers
    is ambiguous, or if the bars cannot come from a market.
    """
    try:
        text = _text(path)
        return _read(path, read_table(text), timezone, separator_of(text))
    except BadTable as error:
        raise UsageError(f"{path}, line {error.line}: {error}", error.hint) from None


def _text(path: Path) -> str:
    """Return the text of a file, which may be compressed."""
    content = files.read_named(path, LARGEST_FILE)
    if not content.startswith(_PACKED):
        return files.decode(content, str(path)).text
    hint = "expected a complete gzip file with the bars of one symbol"
    try:
        text = gzip.GzipFile(fileobj=io.BytesIO(content)).read(LARGEST_FILE + 1)  # all parts, if there are several
    except EOFError:
        raise UsageError(f"{path}: the gzip file is incomplete", hint) from None
    except (zlib.error, gzip.BadGzipFile) as error:
        raise UsageError(f"{path} cannot be unpacked: {error}", "expected a gzip file") from None
    if len(text) > LARGEST_FILE:
        raise UsageError(f"{path}: the unpacked file is larger than 500 MB", hint)
    return files.decode(text, str(path)).text


def _read(path: Path, rows: Iterator[Row], timezone: str, separator: str) -> BarsFile:
    first = list(islice(rows, _BLOCK))
    if not first:
        raise UsageError(f"{path} is empty", EXPECTED)
    layout = layout_of(path, first)
    reader = _Reader(path, layout, separator)
    block = first[layout.rows :]
    while block:
        reader.take(block, rows)
        block = list(islice(rows, _BLOCK))
    return reader.finish(timezone)


class _Reader:
    """Reads bars from rows, one block of rows at a time."""

    def __init__(self, path: Path, layout: FileLayout, separator: str) -> None:
        self.bars = Bars()
        self.lines = array("q")
        """The line of each bar."""
        self._path = path
        self._layout = layout
        self._separator = separator
        self._taken_point = ""
        """A price whose point may be a thousands separator, but is read as a decimal point."""
        self._length = len(layout.names)
        self._places = dict(layout.places)
        self._nameless = [n for n, name in enumerate(layout.names) if n and not name.strip()]
        self._form: TimeForm | None = None
        self._numerals: Numerals | None = None
        self._volume_numerals: Numerals | None = None
        self._volumes: list[array[float]] = [array("d") for _ in self._volume_places()]
        """The volumes of the bars in each column that may have them."""
        self._left_out = 0
        """The number of rows without prices, which are skipped."""
        self._footnote: tuple[int, list[str]] | None = None
        """The last row, if it has text instead of a bar: the source names itself below the bars."""
        self._same: dict[int, set[str]] = {}
        """The values of columns that must have one value, such as the symbol, or may explain what is wrong."""
        self._zones: set[str] = set()
        """The values of the time zone column."""

    def _volume_places(self) -> list[int]:
        """Return the columns that may have the volume. Without titles, an average price can come before it."""
        places = self._layout.volumes
        more = not self._layout.is_titled and places and places[0] + 1 < self._length
        return [*places, places[0] + 1] if more else places

    def take(self, block: list[Row], rest: Iterator[Row]) -> None:
        """Add the bars of the rows `block`. `rest` are the rows after them, for finding the order of day and month.

        Raises UsageError for the first row that is not a bar.
        """
        if self._footnote is not None:
            self._refuse(*self._footnote)
        if self._form is None:
            self._find_forms(block, rest)
        if not self._take_at_once(block):
            for line, row in block:
                if self._footnote is not None:
                    self._refuse(*self._footnote)
                self._take_row(line, row)

    def _refuse(self, line: int, row: list[str]) -> None:
        """Raise UsageError if a row of words is not the last row."""
        _check_length(row, self._length, f"{self._path}, line {line}")

    def _find_forms(self, block: list[Row], rest: Iterator[Row]) -> None:
        """Find the formats of times and numbers, from the first rows that are not skipped."""
        self._find_clock(block)
        stamps, where = self._stamps(block)
        if not stamps:
            return
        try:
            self._form = time_form(stamps[0], where, stamps[1:])
        except AmbiguousDates:
            block += rest
            stamps, where = self._stamps(block)
            self._form = time_form(stamps[0], where, stamps[1:])
        cells = [row[self._places[name]] for _, row in block if len(row) == self._length for name in PRICES]
        places = self._volume_places()
        amounts = [row[place] for _, row in block if len(row) == self._length for place in places]
        try:
            self._numerals = numerals(cells)
            self._volume_numerals = volume_numerals(amounts, self._numerals, any("." in cell for cell in cells))
        except AmbiguousNumbers as error:
            mark = "comma" if "," in str(error) else "point"
            what = f"{where}: it is not known whether the {mark} in '{error}' is a decimal {mark}"
            raise UsageError(what, _MARKS) from None
        self._find_point(cells, where)

    def _find_point(self, cells: list[str], where: str) -> None:
        """Check whether the point in the prices may separate thousands, as in 100.000.

        Raises UsageError if dates or titles show that a comma is the file's decimal mark. If columns are separated by
        commas, the point is a decimal point.
        """
        doubtful = perhaps_thousands(cells) if self._separator != "," else ""
        if not doubtful or self._form is None or self._numerals is not None:
            return
        title = self._layout.title_of_time
        signs = {
            f"dates are written as {self._form.name}": self._form.name.startswith("DD.MM."),
            f"the title of the time column is {title}": title.casefold() in _GERMAN,
        }
        told = [sign for sign, is_there in signs.items() if is_there]
        if told:
            raise UsageError(
                f"{where}: it is not known whether the point in '{doubtful}' is a decimal point: "
                f"{' and '.join(told)}, as in countries in which the point is a thousands separator",
                "if it is a decimal point, write dates as 2024-01-31 and columns between commas; otherwise remove it",
            )
        if self._separator == ";":
            self._taken_point = doubtful

    def _find_clock(self, block: list[Row]) -> None:
        """Drop the column of the time of day if another column has complete times: unix times, or dates with times."""
        unix = self._layout.unix
        if unix is not None and block and unix < len(block[0][1]):
            self._layout = self._layout.with_unix(block[0][1][unix])
            self._places = dict(self._layout.places)
        clock = self._places.get("clock")
        if clock is None or not block or clock >= len(block[0][1]) or is_clock(block[0][1][clock]):
            return
        if block[0][1][clock].strip():
            self._places["time"] = self._places.pop("clock")
            self._layout = self._layout._replace(places=dict(self._places))

    def _stamps(self, block: list[Row]) -> tuple[list[str], str]:
        """Return the times of rows as texts, and the place (file and line) of the first one."""
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
        return stamps, where

    def _is_left_out(self, row: list[str]) -> bool:
        return all(row[self._places[name]].strip().lower() == "null" for name in PRICES)

    def _take_at_once(self, block: list[Row]) -> bool:
        """Add the bars of a block column by column, for speed. If any row is unusual, do nothing and return False."""
        if self._form is None or not block or any(len(row) != self._length for _, row in block):
            return False
        columns = list(zip(*(row for _, row in block), strict=True))
        try:
            open_, high, low, close = (_numbers(columns[self._places[name]], self._numerals) for name in PRICES)
            if "clock" in self._places:
                stamps = [_stamp(row, self._places, "") for _, row in block]
            else:
                stamps = list(map(str.strip, columns[self._places["time"]]))
            times = list(map(self._form.read, stamps))
            volumes = [_numbers(columns[place], self._volume_numerals) for place in self._volume_places()]
        except (ValueError, OverflowError, UsageError):
            return False
        bars = Bars(times, open_, high, low, close, [])
        if not _are_bars(bars) or any(min(column) < 0 for column in volumes):
            return False
        if any(any(map(str.strip, columns[n])) for n in self._nameless) or not self._has_one_symbol(block):
            return False
        for own, more in zip(self.bars.columns(), bars.columns(), strict=True):
            own.extend(more)  # pyright: ignore[reportArgumentType]  # both are times, or both are prices
        for own, more in zip(self._volumes, volumes, strict=True):
            own.extend(more)
        self.lines.extend(line for line, _ in block)
        return True

    def _has_one_symbol(self, block: list[Row]) -> bool:
        """Record the values of columns such as the symbol. Raises UsageError if one that must be unique has several."""
        for place in (*self._layout.same, *self._layout.perhaps):
            kept = self._same.setdefault(place, set())
            if len(kept) >= _MOST_NAMES:
                continue
            kept |= without_absent(row[place] for _, row in block if place < len(row))
            if len(kept) > 1 and place in self._layout.same:
                title = self._layout.names[place].strip()
                raise several(f"{self._path}, line {block[0][0]}", title, sorted(kept))
        if self._layout.zones is not None:
            self._zones |= {row[self._layout.zones].strip() for _, row in block if self._layout.zones < len(row)}
        return True

    def _take_row(self, line: int, row: list[str]) -> None:
        where = f"{self._path}, line {line}"
        if self.lines and _is_footnote(row):
            self._footnote = line, row
            return
        _check_length(row, self._length, where)
        for n in self._nameless:
            if row[n].strip():
                raise UsageError(f"{where}: '{row[n].strip()}' is in a column without a title", _MARKS)
        if self._is_left_out(row):
            self._left_out += 1
            return
        self._has_one_symbol([(line, row)])
        stamp = _stamp(row, self._places, where)
        if self._form is None:
            self._form = time_form(stamp, where)
        time = self._time(stamp, where)
        cells = ((name, _cell(row, self._places[name], name, where)) for name in PRICES)
        prices = [_number(cell, name, where, self._numerals) for name, cell in cells]
        self._check(time, prices, stamp, where)
        self.bars.time.append(time)
        for column, price in zip((self.bars.open, self.bars.high, self.bars.low, self.bars.close), prices, strict=True):
            column.append(price)
        for column, place in zip(self._volumes, self._volume_places(), strict=True):
            column.append(_volume(row[place] if place < len(row) else "", where, self._volume_numerals))
        self.lines.append(line)

    def _check(self, time: int, prices: list[float], stamp: str, where: str) -> None:
        """Raise UsageError if time and prices are not valid for a bar."""
        try:
            check_bar(time, prices, stamp, where)
        except UsageError as error:
            if self._layout.is_titled:
                raise
            order = ", ".join(self._layout.names)
            raise UsageError(error.message, f"the file has no titles: its columns were assumed to be {order}") from None

    def _time(self, stamp: str, where: str) -> int:
        assert self._form is not None
        try:
            return self._form.read(stamp)
        except (ValueError, OverflowError):
            kind = " in the format of the file's first time" if self.bars.time else ""
            raise UsageError(
                f"{where}: '{printable(stamp[:_SHOWN])}' is not a time{kind}",
                "expected unix seconds, milliseconds or ISO 8601 in all rows, such as 2024-01-31T14:30",
            ) from None

    def finish(self, timezone: str) -> BarsFile:
        """Return the bars of all rows in order of time. Raises UsageError if their order or their prices are wrong."""
        bars, lines = self.bars, self.lines
        remarks = list(self._layout.remarks)
        if self._taken_point:
            taken_as = "is taken as a decimal point, not as a thousands separator"
            remarks.append(f"{self._path}: the point in '{self._taken_point}' {taken_as}")
        if self._left_out:
            were = "was" if self._left_out == 1 else "were"
            remarks.append(f"{self._path}: {counted(self._left_out, 'row')} without prices {were} skipped")
        if self._footnote is not None:
            line, row = self._footnote
            words = printable(row[0].strip()[:_SHOWN])
            remarks.append(f"{self._path}, line {line}: text below the bars was ignored: {words}")
        taken = self._taken(remarks)
        bars.volume = [math.nan] * len(bars) if taken is None else list(self._volumes[taken])
        is_zoned = self._form is not None and self._form.is_zoned
        self._layout = self._layout.with_zones(self._zones)
        timezone = zone_of_times(timezone, is_zoned, self._layout, self._path, remarks, bars.time) if len(bars) else ""

        def where(bar: int) -> str:
            return f"{self._path}, line {lines[bar]}"

        if is_newest_first(bars.time) or (timezone and len(bars) and bars.time[0] > bars.time[-1]):
            reverse(bars)
            lines.reverse()
            remarks.append(f"{self._path}: the newest bar came first, so the rows were reversed")
        if timezone:
            bars.time = in_zone(bars.time, timezone, where)
        check_order(bars.time, where, several_names(self._layout, self._same))
        judge(bars, where)
        place = None if taken is None else self._volume_places()[taken]
        columns = words_of_columns(self._layout, place) if self._layout.is_titled else None
        has_zone = is_zoned or bool(self._layout.zone)
        return BarsFile(bars, self._form.name if self._form else "", has_zone, columns, tuple(remarks))

    def _taken(self, remarks: list[str]) -> int | None:
        """Return the index of the volume column among the candidates, or None. If not the first, add a remark."""
        if not self._volumes:
            return None
        if not self._layout.is_titled:
            return self._after_average(remarks)
        names = [self._layout.names[place].strip() for place in self._volume_places()]
        check_volumes(names, self._volumes, self._path)
        known = [any(value > 0 for value in column) for column in self._volumes]
        if known[0] or not any(known):
            return 0
        taken = known.index(True)
        remarks.append(f"{self._path}: the volume is {names[taken]}, because {names[0]} is 0 on all bars")
        return taken

    def _after_average(self, remarks: list[str]) -> int:
        """Return 0 if the first volume column of a file without titles has the volume, 1 if it has an average price."""
        bars = self.bars
        inside = all(map(le, bars.low, self._volumes[0])) and all(map(ge, bars.high, self._volumes[0]))
        if len(self._volumes) == 1 or not inside or not any(map(gt, bars.high, bars.low)):
            return 0
        place = self._volume_places()[0] + 1
        remarks.append(
            f"{self._path}: column {place} is between low and high on all bars, so column {place + 1} is the volume"
        )
        return 1


class ZonedTimes(UsageError):
    """An error for a time zone that the user names although the times, or their title, already name one."""


def zone_of_times(
    timezone: str, is_zoned: bool, layout: FileLayout, source: object, remarks: list[str], times: Sequence[float]
) -> str:
    """Return the time zone in which to read times; "" if the times contain one (`is_zoned`), or if nothing names one.

    `timezone` is the zone that the user names, or "". If a title names the zone, `remarks` gets a sentence about it.
    Raises ZonedTimes if the user names a zone for times that contain one or whose title names another, and UsageError
    if the user names none although a title demands it.
    """
    if timezone and timezone == layout.zone and not is_zoned:
        return timezone
    if timezone and (is_zoned or layout.zone):
        what = f"{source}: data_timezone is {timezone}, but the times in the file already have a time zone"
        raise ZonedTimes(what, "leave data_timezone out")
    if timezone or is_zoned:
        return timezone
    has_clock = any(time % 86_400_000 for time in times)
    if layout.foreign and has_clock:
        hint = "name it with --data-timezone or data_timezone, such as America/New_York"
        raise UsageError(f"{source}: {layout.foreign}, and the time zone is not known", hint)
    if layout.unknown and has_clock:
        what = (
            f"{source}: the title '{layout.title_of_time}' may name a time zone that pinebench does not know; "
            "the times were"
        )
        remarks.append(f"{what} read as UTC; if they are in another time zone, name it with data_timezone")
    if layout.zone not in ("", "UTC", "GMT"):
        remarks.append(f"{source}: the times are in {layout.zone}, as {layout.place_of_zone} says")
    return layout.zone


def several(where: str, title: str, found: Sequence[str]) -> UsageError:
    """Return the error for the column `title` of the file `where`, which must have one value but has `found`."""
    shown = printable(", ".join(found[:3])[:_SHOWN])
    return UsageError(f"{where}: the column '{title}' has several values, such as {shown}", "use one file for each")


def several_names(layout: FileLayout, values: Mapping[int, set[str]]) -> str:
    """Return a hint that rows may be out of order because the file mixes several symbols; "" if no column suggests
    this. `values` maps the index of each column to its distinct values."""
    for place in layout.perhaps:
        known = sorted(values.get(place, ()))
        if len(known) > 1:
            title, shown = layout.names[place].strip(), printable(", ".join(known[:_MOST_NAMES])[:_SHOWN])
            return f"the column '{title}' has several values, such as {shown}: use one file for each symbol"
    return ""


def is_newest_first(times: Sequence[int]) -> bool:
    """Return whether the times descend from row to row."""
    return len(times) > 1 and all(map(gt, times, islice(times, 1, None)))


def reverse(bars: Bars) -> None:
    """Reverse the bars in place."""
    for column in bars.columns():
        column.reverse()


def check_order(times: Sequence[int], where: Callable[[int], str], hint: str = "") -> None:
    """Raise UsageError for the first time that is not after the time before it. `where(n)` names bar n's
    position in the file.

    `hint` tells the user what to do, if the caller knows the likely reason.
    """
    for bar in range(1, len(times)):
        if times[bar] == times[bar - 1]:
            raise UsageError(
                f"{where(bar)}: it has the same time as the bar before", hint or "remove one of the two rows"
            )
        if times[bar] < times[bar - 1]:
            raise UsageError(
                f"{where(bar)}: it is earlier than the bar before",
                hint or "bars must be in order of time, without duplicates: sort the rows by time",
            )


def _are_bars(bars: Bars) -> bool:
    return (
        min(bars.time) >= 0
        and max(bars.time) <= _LAST_TIME
        and all(map(ge, bars.high, map(max, bars.open, bars.low, bars.close)))
        and all(map(le, bars.low, map(min, bars.open, bars.close)))
    )


def _numbers(cells: Sequence[str], rewrite: Numerals | None) -> list[float]:
    """Convert cells to numbers. Raises ValueError if one is not a finite number."""
    values = list(map(float, cells if rewrite is None else map(rewrite, cells)))
    if not all(map(math.isfinite, values)) or "_" in "".join(cells):
        raise ValueError
    return values


def _check_length(row: list[str], length: int, where: str) -> None:
    """Raise UsageError if a row does not have as many cells as the first row. Empty cells at its end do not count."""
    filled = len(row) if len(row) <= length else max(length, len(without_end(row)))
    if filled == length:
        return
    raise UsageError(f"{where}: the row has {filled} cells, but the first row has {length}", _MARKS)


def _is_footnote(row: list[str]) -> bool:
    """Return whether a row is one cell of words, as some sources write below the bars."""
    cells = without_end(row)
    if len(cells) != 1 or looks_like_time(cells[0].strip()):
        return False  # such a row is a bar that was cut off after its time
    return " " in cells[0].strip() and any(map(str.isalpha, cells[0]))


def _stamp(row: list[str], places: dict[str, int], where: str) -> str:
    """Return the text of a row's time. Date and time of day are joined if they are two columns."""
    day = _cell(row, places["time"], "time", where)
    if "clock" not in places:
        return day
    return joined(day, _cell(row, places["clock"], "time of day", where))


def joined(day: str, clock: str) -> str:
    """Join the cells of a date and a time of day into one string."""
    if day.isdigit() and len(day) == 8:
        clock = clock.replace(":", "")
        return day + clock.zfill(6 if len(clock) > 4 else 4)
    return f"{day} {clock.zfill(4) if clock.isdigit() and len(clock) < 4 else clock}"


class BadTable(csv.Error):
    """An error for text that is not a CSV table. `line` is the number of the bad line, and `hint` says what to do."""

    def __init__(self, line: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.line = line
        self.hint = hint


def read_table(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the number of the line on which it ends.

    The first line may name the separator, as spreadsheets write it (`sep=;`). Raises BadTable if a row is not CSV, or
    if a quotation mark is not closed on its line (the first row may span lines).
    """
    if text.count("\r") != text.count("\r\n"):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    separator, lines = separator_of(text), _lines(text)
    first = list(islice(lines, 1))
    before = int(bool(first) and _SEPARATOR.fullmatch(first[0]) is not None)
    reader = csv.reader(chain(first[before:], lines), delimiter=separator, strict=True)
    line, is_first = before, True
    while True:
        begin = line
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadTable(begin + 1, f"this is not a row of a table: {error}", "expected CSV in UTF-8") from None
        line = before + reader.line_num
        if any(map(str.strip, row)):
            if not is_first and line > begin + 1:
                raise BadTable(begin + 1, "a quotation mark is not closed in this line", "close it, or remove it")
            is_first = False
            yield line, row


_SEPARATOR = re.compile(r"sep=([,;\t])\s*")
"""A first line that names the separator."""
_MOST_HEAD = 100_000
"""The number of first characters that are searched for the separator."""


def separator_of(text: str) -> str:
    """Return the separator of the columns of a table."""
    head = text[:_MOST_HEAD].replace("\r\n", "\n").replace("\r", "\n")
    first = list(islice(_lines(head), 12))
    named = _SEPARATOR.fullmatch(first[0]) if first else None
    return named[1] if named else _separator(first)


def _lines(text: str) -> Iterator[str]:
    begin = 0
    while end := text.find("\n", begin) + 1:
        yield text[begin:end]
        begin = end
    if begin < len(text):
        yield text[begin:]


def _separator(first: Sequence[str]) -> str:
    """Find the separator from the first lines of a file: the one between the titles of most columns of bars, or, in
    a file without titles, one that is not a decimal comma."""
    best, most = ",", 0
    for mark in ",;\t|":
        for line in first:
            names = {plain(cell.strip().strip('"')) for cell in line.split(mark)}
            known = len([1 for name in PRICES if name in names or name[0] in names])
            if known > most:
                best, most = mark, known
    if most > 1:
        return best
    line = next((each for each in first if each.strip() and not each.startswith("#")), "")
    return next((mark for mark in "\t;|" if line.count(mark) >= len(PRICES)), max(",;\t|", key=line.count))


def _cell(row: list[str], place: int, name: str, where: str) -> str:
    text = row[place].strip() if place < len(row) else ""
    if not text:
        raise UsageError(f"{where}: the cell of {name} is empty", EXPECTED)
    return text


def _volume(text: str, where: str, rewrite: Numerals | None) -> float:
    """Convert a cell to a volume; nan if it is unknown. Raises UsageError for anything that is not a volume."""
    if text.strip().lower() in ABSENT:
        return math.nan
    try:
        value = volume_of(text.strip(), rewrite)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        raise _no_number(text, "volume", where)
    if value < 0:
        raise UsageError(f"{where}: the volume {value:g} is negative", "expected the traded quantity")
    return value


def check_bar(time: int, prices: Sequence[float], stamp: object, where: str) -> None:
    """Raise UsageError if a time is not valid, or if high and low do not enclose open and close.

    `prices` are open, high, low and close. For messages, `stamp` is the time as written in the source, and `where`
    names the position there.
    """
    if not 0 <= time <= _LAST_TIME:
        raise UsageError(f"{where}: {stamp} is not a valid time", "expected a time between the years 1970 and 9998")
    open_, high, low, close = prices
    if high < max(open_, low, close) or low > min(open_, close):
        raise UsageError(f"{where}: high and low do not enclose open and close", "expected the prices of one bar")


def add_bar(bars: Bars, time: int, prices: list[float], volume: float, stamp: object, where: str) -> None:
    """Append a bar with the prices open, high, low and close at `time`, in milliseconds UTC.

    For messages, `stamp` is the time as written in the source, and `where` names the position there. Raises UsageError
    for an invalid time, a time not after the last bar, a negative volume, or if `check_bar` refuses the prices.
    """
    check_bar(time, prices, stamp, where)
    if bars.time:
        check_order([bars.time[-1], time], lambda _: where)
    if volume < 0:
        raise UsageError(f"{where}: the volume {volume:g} is negative", "expected the traded quantity")
    open_, high, low, close = prices
    bars.append(time, open_, high, low, close, volume)


def _number(text: str, name: str, where: str, rewrite: Numerals | None) -> float:
    try:
        value = float(text if rewrite is None else rewrite(text))
    except ValueError:
        value = math.nan
    # Python reads 1_0 as ten, but no program writes that into a file of prices.
    if not math.isfinite(value) or "_" in text:
        raise _no_number(text, name, where)
    return value


def _no_number(text: str, name: str, where: str) -> UsageError:
    hint = "expected finite numbers with a decimal point and without thousands separators"
    return UsageError(f"{where}: the {name} '{printable(text[:_SHOWN])}' is not a number", hint)

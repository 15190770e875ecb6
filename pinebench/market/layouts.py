"""Recognizes the columns of a file of bars, by their titles or, without titles, by their places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.errors import UsageError
from pinebench.market.stamps import looks_like_time

PRICES = ("open", "high", "low", "close")
EXPECTED = "expected the columns time, open, high, low, close and perhaps volume"
_OTHER_FORMATS = {"{": "JSON", "[": "JSON", "<": "HTML or XML"}
"""Formats of files that are not read, by their first character."""
_TIMES = (
    *("time", "timestamp", "unix", "unix timestamp", "unix time", "datetime", "date time", "date/time", "date"),
    *("open time", "opentime", "gmt time", "utc time", "local time", "start time", "starttime", "start"),
    *("window start", "begins at", "begin", "dtyyyymmdd", "datum", "ts"),
)
"""The titles of times, the preferred one first."""
_UTC_TITLES = ("gmt time", "utc time", "time (utc)", "time (gmt)", "date (utc)", "datetime (utc)", "timestamp (utc)")
"""Titles that say that the times are in UTC."""
_OTHER_PRICES = {
    "open": ("o", "open price", "opening price", "px open"),
    "high": ("h", "high price", "px high"),
    "low": ("l", "low price", "px low"),
    "close": ("c", "close price", "closing price", "px last", "close/last", "last", "last price", "price"),
}
"""Other titles of prices, the preferred one first."""
_VOLUMES = (
    *("volume", "vol", "vol.", "v", "real volume", "base volume", "volume base", "volumefrom", "total volume"),
    *("tick volume", "tickvolume", "tickvol"),
)
"""The titles of volumes, the preferred one first."""
_SYMBOLS = ("symbol", "ticker", "instrument", "pair")
_SPANS = ("per", "period", "interval", "timeframe")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AaPp][Mm])?|\d{3,6}", re.ASCII)
_NUMBER = re.compile(r"[-+$€£¥₹]*[\d.,]+(?:[eE][-+]?\d+)?", re.ASCII)
_LOOKED_AT = 12
"""The number of the first rows among which the titles are."""

Row = tuple[int, list[str]]
"""A row of a table with the number of its line."""


class FileLayout(NamedTuple):
    """The columns of a file.

    `names` are the titles as the file writes them. `places` are the indices of time, prices and, if date and time of
    day are two columns, `clock`. `volumes` are the indices of columns that may have the volume, the preferred one
    first. `same` are the indices of columns that must have one value, such as the symbol. `rows` is the number of
    rows above the first bar. `is_utc` says whether a title says that times are in UTC.
    """

    names: list[str]
    places: dict[str, int]
    volumes: list[int]
    same: list[int]
    rows: int = 0
    is_utc: bool = False
    is_titled: bool = True
    remarks: tuple[str, ...] = ()


def layout_of(path: object, rows: Sequence[Row]) -> FileLayout:
    """The layout of a file whose first rows are `rows`. Raises UsageError if a column is missing or a duplicate."""
    for number, (_, row) in enumerate(rows[:_LOOKED_AT]):
        if _has_prices(row):
            return _titled(path, rows, number)
        if number == len(rows) - 1 or _is_untitled(row):
            break
    for number, (_, row) in enumerate(rows[:_LOOKED_AT]):
        if _is_untitled(row):
            return _untitled(row, number)
        if len(_filled(row)) >= len(PRICES):
            break
    line, row = rows[0]
    return columns_of(path, _without_end(row), line)


def columns_of(path: object, head: Sequence[str], line: int = 1) -> FileLayout:
    """The layout of a table whose titles are `head`. Raises UsageError if a column is missing or a duplicate.

    The volume is optional. If date and time of day are two columns, `time` is the date and `clock` the time of day.
    """
    names = [plain(name) for name in head]
    where = f"{path}, line {line}"
    wanted = {name: (name, *others) for name, others in _OTHER_PRICES.items()}
    places: dict[str, int] = {}
    time = _place(names, _TIMES, where)
    if time is None and names and names[0] in ("", "unnamed: 0", "index") and "t" not in names:
        time = 0
    if time is None and "t" in names:
        time = names.index("t")
    if time is None:
        form = _OTHER_FORMATS.get(head[0].strip()[:1] if head else "")
        hint = f"this looks like {form}; {EXPECTED} of a CSV file" if form else EXPECTED
        raise UsageError(f"{where}: there is no column 'time'", hint)
    places["time"] = time
    for name, known in wanted.items():
        place = _place(names, known, where)
        if place is None:
            hint = EXPECTED
            if name == "close" and "adj close" in names:
                hint = "there is only an adjusted close: give the close of the market, or rename the column"
            raise UsageError(f"{where}: there is no column '{name}'", hint)
        places[name] = place
    if "date" in names and "time" in names:
        places |= {"time": names.index("date"), "clock": names.index("time")}
    volumes = _volume_places(names, where)
    same = [names.index(name) for name in (*_SYMBOLS, *_SPANS) if name in names]
    return FileLayout(list(head), places, volumes, same, is_utc=names[places["time"]] in _UTC_TITLES)


def plain(title: str) -> str:
    """A title without marks that programs add: `<OPEN>`, `1. open`, `Open_Price`."""
    found = " ".join(title.strip().strip("<>").lower().replace("_", " ").split())
    return re.sub(r"^\d+[a-z]?\. ", "", found)


def is_clock(text: str) -> bool:
    """Whether a cell is a time of day."""
    return _CLOCK.fullmatch(text.strip()) is not None


def _place(names: Sequence[str], known: Sequence[str], where: str) -> int | None:
    """The index of the first known title, which may be followed by a unit in brackets."""
    bare = [re.sub(r" ?\([^)]*\)$", "", name) for name in names]
    for titles in (names, bare):
        for name in known:
            if titles.count(name) > 1:
                raise UsageError(f"{where}: the column '{name}' comes twice", "name each column once")
            if name in titles:
                return titles.index(name)
    return None


def _volume_places(names: Sequence[str], where: str) -> list[int]:
    twice = next((name for name in _VOLUMES if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{where}: the column '{twice}' comes twice", "name each column once")
    found = [names.index(name) for name in _VOLUMES if name in names]
    return found or [n for n, name in enumerate(names) if re.fullmatch(r"(volume|vol) ?\(?[a-z0-9]{2,10}\)?", name)]


def _has_prices(row: Sequence[str]) -> bool:
    names = [re.sub(r" ?\([^)]*\)$", "", plain(cell)) for cell in row]
    return all(any(name in names for name in (each, *_OTHER_PRICES[each])) for each in PRICES)


def words_of_columns(layout: FileLayout, taken: int | None) -> dict[str, str]:
    """The titles of the columns that were taken, by what they were taken for; `taken` is the index of the volume."""
    names = layout.names
    time = names[layout.places["time"]].strip()
    if "clock" in layout.places:
        time += f" + {names[layout.places['clock']].strip()}"
    found = {"time": time, **{name: names[layout.places[name]].strip() for name in PRICES}}
    return found if taken is None else {**found, "volume": names[taken].strip()}


def _titled(path: object, rows: Sequence[Row], number: int) -> FileLayout:
    """The layout with the titles in row `number`. yfinance writes three rows of titles, one of them with symbols."""
    line, row = rows[number]
    head = _without_end(row)
    used = number + 1
    symbols: set[str] = set()
    for _, above in rows[:number]:
        if plain(above[0]) == "ticker":
            symbols |= {cell.strip() for cell in above[1:] if cell.strip()}
    if used < len(rows) and plain(rows[used][1][0]) == "ticker":
        symbols |= {cell.strip() for cell in rows[used][1][1:] if cell.strip()}
        used += 1
    if len(symbols) > 1:
        raise UsageError(f"{path}, line {line}: has bars of {len(symbols)} symbols", "write a file for each symbol")
    if used < len(rows):
        below = rows[used][1]
        if plain(below[0]) in _TIMES and not any(cell.strip() for cell in below[1:]):
            head = [below[0], *head[1:]]
            used += 1
    above = len([1 for _, each in rows[:number] if plain(each[0]) != "ticker"])
    words = "the line" if above == 1 else f"the {above} lines"
    remarks = (f"{path}: {words} above the titles {'was' if above == 1 else 'were'} left out",) if above else ()
    return columns_of(path, head, line)._replace(rows=used, remarks=remarks)


def _is_untitled(row: Sequence[str]) -> bool:
    """Whether a row is a bar, so that the file has no titles."""
    cells = _without_end([cell.strip() for cell in row])
    first = 2 if len(cells) > 1 and _is_day(cells[0]) and is_clock(cells[1]) else 1
    prices = cells[first : first + 4]
    return len(prices) == 4 and looks_like_time(cells[0]) and all(map(_NUMBER.fullmatch, prices))


def _is_day(text: str) -> bool:
    """Whether a cell is a date without a time of day."""
    return looks_like_time(text) and ":" not in text and (len(text) <= 10 and not (text.isdigit() and len(text) > 8))


def _untitled(row: Sequence[str], rows: int) -> FileLayout:
    cells = _without_end([cell.strip() for cell in row])
    has_clock = _is_day(cells[0]) and is_clock(cells[1]) and (":" in cells[1] or len(cells) > 6)
    names = ["date", "time"] if has_clock else ["time"]
    places = {"time": 0, "clock": 1} if has_clock else {"time": 0}
    for name in PRICES:
        places[name] = len(names)
        names.append(name)
    volume = len(names)
    names += [f"column {n + 1}" for n in range(volume, len(cells))]
    return FileLayout(names, places, [volume] if volume < len(cells) else [], [], rows, is_titled=False)


def _filled(row: Sequence[str]) -> list[str]:
    return [cell for cell in row if cell.strip()]


def _without_end(row: Sequence[str]) -> list[str]:
    """The cells up to the last one that is not empty."""
    filled = len(row)
    while filled and not row[filled - 1].strip():
        filled -= 1
    return list(row[:filled])

"""Recognizes the columns of a file of bars, by their titles or, without titles, by their positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pinebench.errors import UsageError
from pinebench.market.stamps import is_unix, looks_like_time
from pinebench.market.zone_titles import TitledZone, is_zone, titled_zone
from pinebench.printable import printable

PRICES = ("open", "high", "low", "close")
EXPECTED = "expected the columns time, open, high, low, close and, optionally, volume"
_OTHER_FORMATS = {"{": "JSON", "[": "JSON", "<": "HTML or XML"}
"""Formats of files that are not read, by their first character."""
_TIMES = (
    *(
        "open time",
        "opentime",
        "time",
        "timestamp",
        "unix",
        "unix timestamp",
        "unix time",
        "datetime",
        "date time",
        "date/time",
        "date",
    ),
    *("gmt time", "utc time", "local time", "start time", "starttime", "start"),
    *("window start", "begins at", "begin", "dtyyyymmdd", "date ymd", "ts"),
    *("datum", "zeit", "fecha", "data", "日付", "日付け", "日時", "日期", "时间", "дата", "날짜", "tarih"),
)
"""The titles of times, the preferred one first."""
_DAYS = (
    *(("date", "time"), ("dtyyyymmdd", "time"), ("date ymd", "time"), ("datum", "zeit"), ("datum", "uhrzeit")),
    *(("fecha", "hora"), ("data", "ora"), ("data", "hora")),
)
"""Titles of dates, each with the title of the column that may have the time of day."""
_UNIX_TITLES = ("timestamp", "unix", "unix timestamp", "unix time", "ts")
"""Titles of times that are clearer than a date and a time of day in two columns, if they are unix times."""
_CLEAR_TIMES = (*_TIMES[: _TIMES.index("date") + 1], "gmt time", "utc time")
"""Titles that only times have, so that a column with one of them counts before the index of a data frame."""
_LOCAL = "local time"
_ZONES = ("timezone", "time zone", "tz", "utc offset", "gmt offset", "gmtoffset", "utcoffset")
"""The titles of columns with the zones of times."""
_OTHER_PRICES = {
    "open": (
        *("o", "open price", "opening price", "px open", "eröffnung", "eröffn.", "erster", "ouv.", "ouverture"),
        *("apertura", "abertura", "始値", "开盘", "开盘价", "откр.", "открытие", "시가", "açılış"),
    ),
    "high": (
        *("h", "high price", "px high", "hoch", "plus haut", "+ haut", "máximo", "máxima", "massimo", "max"),
        *("高値", "最高", "最高价", "高", "макс.", "максимум", "고가", "yüksek"),
    ),
    "low": (
        *("l", "low price", "px low", "tief", "plus bas", "+ bas", "mínimo", "mínima", "minimo", "min"),
        *("安値", "最低", "最低价", "低", "мин.", "минимум", "저가", "düşük"),
    ),
    "close": (
        *("c", "close price", "closing price", "px last", "close/last", "last", "last price", "latest", "price"),
        *("schluss", "schlusskurs", "zuletzt", "letzter", "dernier", "clôture", "cierre", "último", "fechamento"),
        *("chiusura", "ultimo", "終値", "收盘", "收盘价", "закрытие", "цена", "종가", "kapanış", "fiyat", "şimdi"),
    ),
}
"""Other titles of prices, the preferred one first, also in the languages of banks and of investing.com."""
_VOLUMES = (
    *("stück", "stücke", "stuecke"),  # beside them, a bank's `Volumen` is a turnover in euro
    *("volume", "vol", "vol.", "v", "real volume", "base volume", "volume base", "volumefrom", "total volume"),
    *(
        "volumen",
        "出来高",
        "成交量",
        "交易量",
        "объём",
        "объем",
        "거래량",
        "hacim",
        "hac.",
        "tick volume",
        "tickvolume",
        "tickvol",
    ),
)
"""The titles of volumes, the preferred one first."""
_SYMBOLS = ("symbol", "ticker", "instrument", "pair", "ric", "#ric", "figi", "sym", "act symbol")
"""The titles of columns that must have one symbol."""
_NAMES = ("code", "name", "asset", "security", "stock", "coin", "isin")
"""The titles of columns that may have the symbol, but also a name that changed, or an amount."""
_NO_VALUES = ("", "nan", "NaN", "NaT", "None", "null", "NULL", "<NA>")
"""Cells that mean a missing value."""
_SPANS = ("per", "period", "interval", "timeframe")
_ENDS = "the times were read as the starts of the bars, so each bar is late by its length"
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AaPp][Mm])?|\d{3,6}", re.ASCII)
_NUMBER = re.compile(r"[-+$€£¥₹]*[\d.,]+(?:[eE][-+]?\d+)?", re.ASCII)
_SHOWN = 120
"""The largest number of characters that a remark shows of a file."""
_LOOKED_AT = 12
"""The number of rows at the top of a file that are searched for titles."""

Row = tuple[int, list[str]]
"""A row of a table with the number of its line."""


class FileLayout(NamedTuple):
    """The columns of a file.

    `names` are the titles in the file. `places` maps `time`, the prices and, if date and time of day are two columns,
    `clock` to column indices. `volumes` are the indices of columns that may have the volume, preferred one first.
    `same` are the indices of columns that must have one value in all rows, such as the symbol. `perhaps` are the
    indices of columns, such as the name, whose different values may explain rows out of order. `rows` is the number of
    rows above the first bar.

    `zone` is the time zone that a title names for times without one, or "". `foreign` is the reason why the user must
    name the zone of such times, or "". `unknown` are words in the title of times that may name a zone. `unix` is the
    index of a column of unix times, which replaces a date and a time of day. `zones` is the index of a column with the
    zone of each time.
    """

    names: list[str]
    places: dict[str, int]
    volumes: list[int]
    same: list[int]
    rows: int = 0
    zone: str = ""
    foreign: str = ""
    unknown: str = ""
    is_titled: bool = True
    remarks: tuple[str, ...] = ()
    perhaps: tuple[int, ...] = ()
    unix: int | None = None
    zones: int | None = None

    @property
    def title_of_time(self) -> str:
        """The title of the file's time column."""
        return self.names[self.places["time"]].strip()

    def is_span(self, column: int) -> bool:
        """Return whether the column with the index `column` contains the length of the bars."""
        return plain(self.names[column]) in _SPANS

    def with_unix(self, first: str | None) -> FileLayout:
        """Return the layout that reads times from the column of unix times, if its `first` cell is a unix time."""
        if self.unix is None or first is None or not is_unix(first):
            return self
        places = {name: place for name, place in self.places.items() if name != "clock"}
        return self._replace(places={**places, "time": self.unix})

    def with_zones(self, found: Iterable[str]) -> FileLayout:
        """Return the layout with the zone column's zone if its values `found` clearly name one, else the same
        layout."""
        known = {_zone_of_cell(each) for each in found}
        if len(known) != 1 or self.zones is None:
            return self
        (only,) = known
        return self._replace(zone=only, foreign="") if only else self

    @property
    def place_of_zone(self) -> str:
        """A phrase for messages that names the column or title from which the time zone comes."""
        if self.zones is not None:
            return f"the column '{self.names[self.zones].strip()}'"
        return f"the title '{self.title_of_time}'"


def layout_of(path: object, rows: Sequence[Row]) -> FileLayout:
    """Find the layout of a file from its first `rows`. Raises UsageError if a column is missing or occurs twice."""
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
    return columns_of(path, without_end(row), line)


def columns_of(path: object, head: Sequence[str], line: int = 1) -> FileLayout:
    """Find the layout of a table from its titles `head`. Raises UsageError if a column is missing or occurs twice.

    The volume is optional. If date and time of day are two columns, `time` is the column of the date, and `clock` is
    the column of the time of day.
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
                hint = "there is only an adjusted close: give the unadjusted close, or rename the column"
            raise UsageError(f"{where}: there is no column '{name}'", hint)
        places[name] = place
    unix = next((names.index(name) for name in _UNIX_TITLES if name in names), None)
    pair = next(((day, clock) for day, clock in _DAYS if day in names and clock in names), None)
    if pair is not None:
        places |= {"time": names.index(pair[0]), "clock": names.index(pair[1])}
    volumes = _volume_places(names)
    same = [names.index(name) for name in (*_SYMBOLS, *_SPANS) if name in names]
    named, foreign, unknown = _zone(head, names, places["time"])
    perhaps = tuple(names.index(name) for name in _NAMES if name in names)
    zones = next((n for n, name in enumerate(names) if name in _ZONES), None)
    found = FileLayout(list(head), places, volumes, same, zone=named, foreign=foreign, unknown=unknown)
    return found._replace(perhaps=perhaps, zones=zones, unix=None if pair is None else unix)


def has_time(head: Sequence[str], is_clear: bool = False) -> bool:
    """Return whether one of the titles names a time column. With `is_clear`, only unambiguous titles count."""
    known = _CLEAR_TIMES if is_clear else _TIMES
    return _place([plain(name) for name in head], known, "the table") is not None


def without_absent(values: Iterable[str]) -> set[str]:
    """Return the distinct values of a column, stripped, without placeholders for missing values."""
    return {each.strip() for each in values}.difference(_NO_VALUES)


def _zone_of_cell(text: str) -> str:
    """Return the zone that a cell of a column of zones clearly names; "" for abbreviations such as EST."""
    named = text.strip()
    if named.upper() in ("UTC", "GMT", "Z", "ETC/UTC") or re.fullmatch(r"(?:utc|gmt)?[+-]?0+(?::?0+)?", named.lower()):
        return "UTC"
    if re.fullmatch(r"[+-]\d\d:?\d\d", named):
        named = f"UTC{named}"
    if "/" not in named and not named.upper().startswith(("UTC", "GMT")):
        return ""
    return named if is_zone(named) else ""


def _zone(head: Sequence[str], names: Sequence[str], time: int) -> TitledZone:
    """Return the time zone of the times that the titles name, or why they name none."""
    column = next((head[n].strip() for n, name in enumerate(names) if name in _ZONES), None)
    if column is not None:
        return TitledZone(foreign=f"the column '{column}' has the time zones")
    title = " ".join(head[time].strip().strip("<>").replace("_", " ").split())
    if title.lower() == _LOCAL:
        return TitledZone(foreign=f"the title '{title}' says that the times are local")
    return titled_zone(title)


def plain(title: str) -> str:
    """Normalize a title: remove marks that programs add, as in `<OPEN>`, `1. open`, `Open_Price`."""
    found = " ".join(title.strip().strip("<>").rstrip("*").lower().replace("_", " ").split())
    return re.sub(r"^\d+[a-z]?\. ", "", found)


def is_clock(text: str) -> bool:
    """Return whether a cell is a time of day."""
    return _CLOCK.fullmatch(text.strip()) is not None


def _place(names: Sequence[str], known: Sequence[str], where: str) -> int | None:
    """Return the index of the first known title, which may be followed by a unit in brackets; None if there is none."""
    bare = [re.sub(r" ?[(\[][^)\]]*[)\]]$| (?:utc|gmt)$", "", name) for name in names]
    for titles in (names, bare):
        for name in known:
            if titles.count(name) > 1:
                raise UsageError(f"{where}: the column '{name}' occurs twice", "give each column a title of its own")
            if name in titles:
                return titles.index(name)
    return None


def _volume_places(names: Sequence[str]) -> list[int]:
    found = [place for name in _VOLUMES for place, title in enumerate(names) if title == name]
    return found or [n for n, name in enumerate(names) if re.fullmatch(r"(volume|vol) ?\(?[a-z0-9]{2,10}\)?", name)]


def check_volumes(titles: Sequence[str], columns: Iterable[Iterable[object]], source: object) -> None:
    """Raise UsageError if a volume title occurs twice with different values.

    TradingView's export of a chart repeats the column for each script that plots the volume.
    """
    if len({plain(title) for title in titles}) == len(titles):
        return
    known: dict[str, list[str]] = {}
    for title, column in zip(titles, columns, strict=True):
        values = list(map(str, column))
        if known.setdefault(plain(title), values) != values:
            what = f"{source}: the column '{plain(title)}' occurs twice, with different values"
            raise UsageError(what, "keep the column that has the volume")


def _has_prices(row: Sequence[str]) -> bool:
    names = [re.sub(r" ?\([^)]*\)$", "", plain(cell)) for cell in row]
    return all(any(name in names for name in (each, *_OTHER_PRICES[each])) for each in PRICES)


def words_of_columns(layout: FileLayout, taken: int | None) -> dict[str, str]:
    """Map `time`, the prices and `volume` to the titles of the columns that were read.

    `taken` is the index of the column with the volume; None if there is no volume.
    """
    names = layout.names
    time = names[layout.places["time"]].strip()
    if "clock" in layout.places:
        time += f" + {names[layout.places['clock']].strip()}"
    found = {"time": time, **{name: names[layout.places[name]].strip() for name in PRICES}}
    return found if taken is None else {**found, "volume": names[taken].strip()}


def _titled(path: object, rows: Sequence[Row], number: int) -> FileLayout:
    """Return the layout with the titles in row `number`. yfinance writes three rows of titles, one with symbols."""
    line, row = rows[number]
    head = without_end(row)
    used = number + 1
    symbols: set[str] = set()
    for _, above in rows[:number]:
        if plain(above[0]) == "ticker":
            symbols |= {cell.strip() for cell in above[1:] if cell.strip()}
    if used < len(rows) and plain(rows[used][1][0]) == "ticker":
        symbols |= {cell.strip() for cell in rows[used][1][1:] if cell.strip()}
        used += 1
    if len(symbols) > 1:
        raise UsageError(
            f"{path}, line {line}: the file has bars of {len(symbols)} symbols", "use one file for each symbol"
        )
    if used < len(rows):
        below = rows[used][1]
        if plain(below[0]) in _TIMES and not any(cell.strip() for cell in below[1:]):
            head = [below[0], *head[1:]]
            used += 1
    above = [each for _, each in rows[:number] if plain(each[0]) != "ticker"]
    remarks: list[str] = []
    if above:
        which = "the line above the titles was" if len(above) == 1 else f"the {len(above)} lines above the titles were"
        words = printable("; ".join(", ".join(_filled(row)) for row in above))
        remarks.append(f"{path}: {which} left out: {words if len(words) <= _SHOWN else words[:_SHOWN] + '…'}")
    if {"up", "down"} <= {plain(cell) for cell in head}:
        remarks.append(
            f"{path}: a file with the columns Up and Down is from TradeStation, which writes the end times of "
            f"bars: {_ENDS}"
        )
    return columns_of(path, head, line)._replace(rows=used, remarks=tuple(remarks))


def _is_untitled(row: Sequence[str]) -> bool:
    """Return whether a row is a bar, so that the file has no titles."""
    cells = without_end([cell.strip() for cell in row])
    first = 2 if len(cells) > 1 and _is_day(cells[0]) and is_clock(cells[1]) else 1
    prices = cells[first : first + 4]
    return len(prices) == 4 and looks_like_time(cells[0]) and all(map(_NUMBER.fullmatch, prices))


def _is_day(text: str) -> bool:
    return looks_like_time(text) and ":" not in text and (len(text) <= 10 and not (text.isdigit() and len(text) > 8))


def _untitled(row: Sequence[str], rows: int) -> FileLayout:
    cells = without_end([cell.strip() for cell in row])
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


def without_end(row: Sequence[str]) -> list[str]:
    """Return the cells up to the last one that is not empty."""
    filled = len(row)
    while filled and not row[filled - 1].strip():
        filled -= 1
    return list(row[:filled])

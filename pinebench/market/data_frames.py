"""Reads bars from tables: pandas or polars data frames, Arrow tables, Parquet files, or mappings of columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from datetime import time as time_of_day
from pathlib import Path
from typing import Any, NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.extras import missing
from pinebench.market.bar_files import (
    LARGEST_FILE,
    BarsFile,
    check_bar,
    check_order,
    is_newest_first,
    joined,
    reverse,
    several,
    several_names,
    zone_of_times,
)
from pinebench.market.bars import Bars
from pinebench.market.clocks import in_zone
from pinebench.market.column_layouts import (
    PRICES,
    FileLayout,
    check_volumes,
    columns_of,
    has_time,
    is_clock,
    without_absent,
    words_of_columns,
)
from pinebench.market.plausible import judge
from pinebench.market.stamps import time_form
from pinebench.totals import total

MOST_ROWS = 5_000_000
"""The largest number of rows of a Parquet file: nine years of minutes without a pause."""
_LONGEST_TEXT = 64
"""The largest number of characters of a time."""
_INDEX = "__index_level_0__"
"""The name that pandas gives to an index without a name in a Parquet file."""


class _TimeForm(NamedTuple):
    """The format of times: its name, its conversion to milliseconds, and whether times have a time zone."""

    name: str
    read: Callable[[Any], int]
    is_zoned: bool


def bars_of(table: Any, source: object = "the table", timezone: str = "") -> BarsFile:
    """Read the bars of a table with the columns time, open, high, low, close and optionally volume, in upper or lower
    case.

    The time is a column, or the index of a pandas data frame. It may contain dates with times, unix seconds or
    milliseconds, or ISO 8601; times without a time zone are in `timezone`, or in UTC. Tables with the newest bar first
    are reversed. `source` names the table in messages. Raises UsageError with the row's index (from 0) if a row is not
    a bar, if the rows are not in order, or if the bars cannot come from a market.
    """
    columns = _columns(table)
    names = list(columns)
    layout = columns_of(source, names)
    known = _check_same(columns, layout, source)
    times, layout = _times_of(columns, layout)
    if layout.zones is not None:
        layout = layout.with_zones({str(each) for each in columns[names[layout.zones]]})
    found = {name: columns[names[layout.places[name]]] for name in PRICES}
    form = _form(times, source)
    place, remarks = _volume_place(columns, names, layout.volumes, source)
    volume = [None] * len(times) if place is None else columns[names[place]]
    rows = list(range(len(times)))
    bars = _rows(found, times, volume, form, source)

    def where_is(bar: int) -> str:
        return f"{source}, row {rows[bar]}"

    if is_newest_first(bars.time):
        reverse(bars)
        rows.reverse()
        remarks.append(f"{source}: the newest bar came first, so the rows were reversed")
    timezone = zone_of_times(timezone, form.is_zoned, layout, source, remarks, bars.time) if times else ""
    if timezone:
        bars.time = in_zone(bars.time, timezone, where_is)
    check_order(bars.time, where_is, several_names(layout, known))
    judge(bars, where_is)
    has_zone = form.is_zoned or bool(layout.zone)
    return BarsFile(bars, form.name, has_zone, words_of_columns(layout, place), tuple(remarks))


def _volume_place(
    columns: Mapping[str, list[Any]], names: list[str], places: list[int], source: object
) -> tuple[int | None, list[str]]:
    """Return the index of the volume column or None, and a remark if the usual column is empty."""
    if not places:
        return None, []
    check_volumes([names[place] for place in places], (columns[names[place]] for place in places), source)
    known = [any(not _is_missing(each) and each for each in columns[names[place]]) for place in places]
    taken = 0 if known[0] or not any(known) else known.index(True)
    name = names[places[taken]]
    remark = f"{source}: the volume is {name}, because {names[places[0]]} is 0 on all bars"
    return places[taken], [remark] if taken else []


def read_parquet(path: Path, timezone: str = "") -> BarsFile:
    """Read the bars of a Parquet file; times without a time zone are in `timezone`, or in UTC.

    Raises UsageError like `bars_of`, and UnavailableError if pyarrow is not installed.
    """
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise missing("a Parquet file", "run") from None
    content = files.read_named(path, LARGEST_FILE)
    try:
        file = parquet.ParquetFile(arrow.BufferReader(content))
        names = _wanted(file, arrow, path)
        file = parquet.ParquetFile(arrow.BufferReader(content), read_dictionary=names)
        table = _without_long_texts(file.read(names), arrow)
    except (arrow.ArrowException, OSError) as error:
        said = str(error).partition("\n")[0]
        raise UsageError(f"{path} cannot be read: {said}", "expected a Parquet file") from None
    return bars_of(table, path, timezone)


def _wanted(file: Any, arrow: Any, path: Path) -> list[str]:
    """Return the columns to read: numbers, times and texts. Raises UsageError for too much data.

    A compressed file may become a thousand times larger when it is read, so its stated size is checked first.
    """
    told = file.metadata
    size = int(total(told.row_group(number).total_byte_size for number in range(told.num_row_groups)))
    if told.num_rows > MOST_ROWS or size > LARGEST_FILE:
        raise UsageError(
            f"{path} has {told.num_rows:,} rows with {size:,} bytes; the limits are {MOST_ROWS:,} rows and "
            f"{LARGEST_FILE:,} bytes",
            "use a part of the bars, or bars of a longer timeframe",
        )
    types = arrow.types
    odd = (types.is_nested, types.is_binary, types.is_large_binary, types.is_null)
    return [field.name for field in file.schema_arrow if not any(is_odd(field.type) for is_odd in odd)]


def _without_long_texts(table: Any, arrow: Any) -> Any:
    """Remove columns with texts longer than any time, because each row would get a copy of its text."""
    found = table
    for name in table.column_names:
        column = table[name]
        if not arrow.types.is_dictionary(column.type):
            continue
        texts = (text for chunk in column.chunks for text in chunk.dictionary)
        if any(text.is_valid and len(str(text)) > _LONGEST_TEXT for text in texts):
            found = found.drop_columns([name])
    return found


def _rows(found: Mapping[str, Any], times: list[Any], volume: Any, form: _TimeForm, source: object) -> Bars:
    """Return the bars of the rows, in their order. Raises UsageError for a row that is not a bar."""
    bars = Bars()
    for row, stamp in enumerate(times):
        where = f"{source}, row {row}"
        prices = [_number(found[name][row], name, where) for name in PRICES]
        known = math.nan if _is_missing(volume[row]) else _number(volume[row], "volume", where)
        time = _time(form.read, stamp, where)
        check_bar(time, prices, stamp, where)
        if known < 0:
            raise UsageError(f"{where}: the volume {known:g} is negative", "expected the traded quantity")
        open_, high, low, close = prices
        bars.append(time, open_, high, low, close, known)
    return bars


def _columns(table: Any) -> dict[str, list[Any]]:
    """Return the columns of a table of any supported kind, by name."""
    names = table if isinstance(table, Mapping) else getattr(table, "column_names", None)
    if names is None:
        names = list(getattr(table, "columns", ()))
    found = {("time" if name == _INDEX else _title(name, names)): _values(table[name]) for name in names}
    index = getattr(table, "index", None)
    if index is None or callable(index):
        return found
    stamps = _values(index)
    is_time = (bool(stamps) and isinstance(stamps[0], date)) or has_time([str(index.name)], is_clear=True)
    if not has_time(list(found), is_clear=is_time):
        found["time"] = stamps
    return found


def _title(name: Any, names: Iterable[Any]) -> str:
    """Return the title of a column. yfinance titles are tuples such as `("Close", "AAPL")`."""
    if not isinstance(name, tuple) or not name:
        return str(name)
    symbols = {each[1:] for each in names if isinstance(each, tuple)}
    if len(symbols) > 1:
        raise UsageError(f"the table has bars of {len(symbols)} symbols", "give the columns of one symbol")
    return str(name[0])


def _check_same(columns: Mapping[str, list[Any]], layout: FileLayout, source: object) -> dict[int, set[str]]:
    """Return the values of columns such as the symbol, by index. Raises UsageError if the symbol has several."""
    found: dict[int, set[str]] = {}
    for place in (*layout.same, *layout.perhaps):
        title = layout.names[place]
        found[place] = without_absent({str(each) for each in columns[title]})
        counts = layout.is_span(place) and _has_numbers(columns[title])
        if len(found[place]) > 1 and place in layout.same and not counts:
            raise several(str(source), title, sorted(found[place]))
    return found


def _has_numbers(values: list[Any]) -> bool:
    first = next((each for each in values if not _is_missing(each)), None)
    return isinstance(first, int | float)


def _times_of(columns: Mapping[str, list[Any]], layout: FileLayout) -> tuple[list[Any], FileLayout]:
    """Return the times, and the layout with their column. Date and time of day are joined to one text."""
    if layout.unix is not None:
        stamps = columns[layout.names[layout.unix]]
        is_number = bool(stamps) and isinstance(stamps[0], int | float | str)
        layout = layout.with_unix(_text(stamps[0]) if is_number else None)
    found = {
        name: list(columns[layout.names[layout.places[name]]]) for name in ("time", "clock") if name in layout.places
    }
    clocks = found.get("clock")
    if not clocks:
        return found["time"], layout
    if not isinstance(clocks[0], time_of_day) and not is_clock(str(clocks[0])):
        places = {name: place for name, place in layout.places.items() if name != "clock"}
        return clocks, layout._replace(places={**places, "time": layout.places["clock"]})
    return [joined(_day(day), _clock(clock)) for day, clock in zip(found["time"], clocks, strict=True)], layout


def _day(day: Any) -> str:
    return f"{day:%Y-%m-%d}" if isinstance(day, date) else str(day).strip()


def _clock(clock: Any) -> str:
    return clock.isoformat("seconds") if isinstance(clock, time_of_day) else str(clock).strip()


def _values(column: Any) -> list[Any]:
    for name in ("to_pylist", "to_list", "tolist"):
        read = getattr(column, name, None)
        if read is not None:
            return read()
    return list(column)


def _form(times: list[Any], source: object) -> _TimeForm:
    """Find the format of the times, from the first one."""
    if not times:
        return _TimeForm("moments", _moment, True)
    first = times[0]
    if isinstance(first, date):
        return _TimeForm("moments", _moment, isinstance(first, datetime) and first.tzinfo is not None)
    if isinstance(first, bool) or not isinstance(first, int | float | str):
        raise UsageError(f"{source}, row 0: {first!r} is not a time", "expected timestamps, Unix times or ISO 8601")
    found = time_form(_text(first), f"{source}, row 0", map(_text, times[1:]))
    return _TimeForm(found.name, lambda stamp: found.read(_text(stamp)), found.is_zoned)


def _text(stamp: Any) -> str:
    if isinstance(stamp, float):
        return str(int(stamp)) if stamp.is_integer() else f"{stamp:.3f}"
    return str(stamp)


def _moment(stamp: Any) -> int:
    if not isinstance(stamp, date) or stamp != stamp:  # the value of pandas for a missing time is not equal to itself
        raise ValueError(stamp)
    if not isinstance(stamp, datetime):
        stamp = datetime(stamp.year, stamp.month, stamp.day)
    return round((stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp() * 1000)


def _time(read: Callable[[Any], int], stamp: Any, where: str) -> int:
    try:
        return read(stamp)
    except (ValueError, OverflowError, TypeError):
        raise UsageError(
            f"{where}: '{stamp}' is not a time in the format of the table's first time",
            "expected one format in all rows",
        ) from None


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _number(value: Any, name: str, where: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise UsageError(f"{where}: the {name} {value!r} is not a number", "expected finite numbers")

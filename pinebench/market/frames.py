"""Reads bars from tables: data frames of pandas or polars, tables of Arrow, Parquet files, columns by their names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pinebench import files
from pinebench.errors import UsageError
from pinebench.extras import missing
from pinebench.market.bars import Bars
from pinebench.market.plausible import judge
from pinebench.market.reading import LARGEST_FILE, BarsFile, add_bar, columns_of
from pinebench.market.stamps import time_kind

_PRICES = ("open", "high", "low", "close")
_LOOKED_AT = 4096
"""The number of times that decide on their format."""
MOST_ROWS = 5_000_000
"""The largest number of rows of a Parquet file: nine years of minutes without a pause."""
_LONGEST_TEXT = 64
"""The largest number of characters of a time."""
_INDEX = "__index_level_0__"
"""The name that pandas gives to an index without a name in a Parquet file."""


def bars_of(table: Any, source: object = "the table") -> BarsFile:
    """Read the bars of a table with the columns time, open, high, low, close and optionally volume, in any case.

    The time is a column, or the index of a data frame of pandas. It has dates and times (UTC if they do not have a time
    zone), unix seconds or milliseconds, or ISO 8601. `source` names the table in messages. Raises UsageError with the
    row, from 0, if a row is not a bar, or if its time is not after the time of the row before it.
    """
    columns = _columns(table)
    places = columns_of(source, list(columns))
    names = list(columns)
    found = {wanted: columns[names[place]] for wanted, place in places.items()}
    bars = Bars()
    times = list(found["time"])
    kind, read = _reader(times, source)
    for row, stamp in enumerate(times):
        where = f"{source}, row {row}"
        prices = [_number(found[name][row], name, where) for name in _PRICES]
        volume = found["volume"][row] if "volume" in found else None
        known = math.nan if _is_missing(volume) else _number(volume, "volume", where)
        add_bar(bars, _time(read, stamp, where), prices, known, stamp, where)
    judge(bars, lambda row: f"{source}, row {row}")
    return BarsFile(bars, kind)


def read_parquet(path: Path) -> BarsFile:
    """Read the bars of a Parquet file. Raises UsageError like `bars_of`, and UnavailableError without pyarrow."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise missing("a Parquet file", "run") from None
    content = files.read_bytes(path, LARGEST_FILE)
    try:
        file = parquet.ParquetFile(arrow.BufferReader(content))
        names = _wanted(file, arrow, path)
        file = parquet.ParquetFile(arrow.BufferReader(content), read_dictionary=names)
        table = _without_long_texts(file.read(names), arrow)
    except (arrow.ArrowException, OSError) as error:
        said = str(error).partition("\n")[0]
        raise UsageError(f"{path}: cannot be read: {said}", "expected a Parquet file") from None
    return bars_of(table, path)


def _wanted(file: Any, arrow: Any, path: Path) -> list[str]:
    """The columns to read: numbers, times and texts. Raises UsageError for too much data.

    A compressed file may be a thousand times larger when it is read; how much there is, it tells before.
    """
    told = file.metadata
    size = sum(told.row_group(number).total_byte_size for number in range(told.num_row_groups))
    if told.num_rows > MOST_ROWS or size > LARGEST_FILE:
        raise UsageError(
            f"{path}: has {told.num_rows:,} rows with {size:,} bytes; {MOST_ROWS:,} rows and {LARGEST_FILE:,} bytes are"
            " the limits",
            "take a part of the bars, or bars of a longer timeframe",
        )
    types = arrow.types
    odd = (types.is_nested, types.is_binary, types.is_large_binary, types.is_null)
    return [field.name for field in file.schema_arrow if not any(is_odd(field.type) for is_odd in odd)]


def _without_long_texts(table: Any, arrow: Any) -> Any:
    """The table without columns of texts that are longer than a time is: each row would get a copy of its text."""
    found = table
    for name in table.column_names:
        column = table[name]
        if not arrow.types.is_dictionary(column.type):
            continue
        texts = (text for chunk in column.chunks for text in chunk.dictionary)
        if any(text.is_valid and len(str(text)) > _LONGEST_TEXT for text in texts):
            found = found.drop_columns([name])
    return found


def _columns(table: Any) -> dict[str, list[Any]]:
    """The columns of a table of any supported kind, by their names."""
    names = table if isinstance(table, Mapping) else getattr(table, "column_names", None)
    if names is None:
        names = list(getattr(table, "columns", ()))
    found = {("time" if name == _INDEX else str(name)): _values(table[name]) for name in names}
    index = getattr(table, "index", None)
    if index is not None and not callable(index) and not any(name.lower() in _TIMES for name in found):
        found["time"] = _values(index)
    return found


_TIMES = ("time", "timestamp", "datetime", "date", "open time", "open_time", "opentime")


def _values(column: Any) -> list[Any]:
    for name in ("to_pylist", "to_list", "tolist"):
        read = getattr(column, name, None)
        if read is not None:
            return read()
    return list(column)


def _reader(times: list[Any], source: object) -> tuple[str, Callable[[Any], int]]:
    """The kind of the times, found from the first one, and the function that converts a time to milliseconds UTC."""
    if not times:
        return "moments", _moment
    first = times[0]
    if isinstance(first, date):
        return "moments", _moment
    if isinstance(first, bool) or not isinstance(first, int | float | str):
        raise UsageError(f"{source}, row 0: {first!r} is not a time", "expected moments, unix times or ISO 8601")
    kind, read = time_kind(_text(first), f"{source}, row 0", map(_text, times[1:_LOOKED_AT]))
    return kind, lambda stamp: read(_text(stamp))


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

"""Bars from data frames, tables of Arrow and Parquet files: the same bars from each, and what is none refused."""

import math
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
from pyarrow import parquet

from pinebench.errors import UsageError
from pinebench.market import data_frames
from pinebench.market.bar_loader import load
from pinebench.market.data_frames import bars_of, read_parquet

START = 1_704_067_200_000
COLUMNS: dict[str, list[float]] = {
    "open": [1.0, 2.0, 3.0],
    "high": [3.0, 4.0, 5.0],
    "low": [0.5, 1.5, 2.5],
    "close": [2.0, 3.0, 4.0],
    "volume": [10.0, math.nan, 30.0],
}
TIMES = [START, START + 60_000, START + 120_000]
MOMENTS = [datetime.fromtimestamp(time / 1000, UTC) for time in TIMES]


def table(times: Any = TIMES, **changed: Any) -> dict[str, Any]:
    return {"time": times, **COLUMNS, **changed}


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (table(), "milliseconds"),
        (table([time // 1000 for time in TIMES]), "seconds"),
        (table(numpy.array(TIMES)), "milliseconds"),
        (table([moment.isoformat() for moment in MOMENTS]), "ISO 8601"),
        (pandas.DataFrame(table(MOMENTS)), "moments"),
        (pandas.DataFrame(COLUMNS, index=pandas.DatetimeIndex(MOMENTS)), "moments"),
        (pandas.DataFrame(COLUMNS, index=pandas.DatetimeIndex([m.replace(tzinfo=None) for m in MOMENTS])), "moments"),
        (pandas.DataFrame(table(MOMENTS)).rename(columns=str.title), "moments"),
        (polars.DataFrame(table(MOMENTS)), "moments"),
        (pyarrow.table(table(MOMENTS)), "moments"),
    ],
)
def test_every_kind_of_table_has_the_same_bars(given: Any, kind: str) -> None:
    read = bars_of(given)
    assert read.times == kind
    assert read.bars.time == TIMES
    assert (read.bars.open, read.bars.close) == (COLUMNS["open"], COLUMNS["close"])
    assert math.isnan(read.bars.volume[1]) and read.bars.volume[2] == 30


def test_days_begin_at_midnight_utc_and_volume_may_be_missing() -> None:
    days = [date(2024, 1, 1) + timedelta(days=number) for number in range(3)]
    given = table(days)
    del given["volume"]
    bars = bars_of(pyarrow.table(given)).bars
    assert bars.time == [START + number * 86_400_000 for number in range(3)]
    assert all(map(math.isnan, bars.volume))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (table([START, START, START + 60_000]), "row 1: it has the same time as the bar before"),
        (table([START, START - 60_000, START]), "row 1: it is earlier than the bar before"),
        (table(close=[2.0, None, 4.0]), "row 1: the close None is not a number"),
        (table(close=[2.0, "3", 4.0]), "row 1: the close '3' is not a number"),
        (table(high=[3.0, 4.0, 3.5]), "row 2: high and low do not enclose open and close"),
        (table([MOMENTS[0], pandas.NaT, MOMENTS[2]]), "row 1: 'NaT' is not a time"),
        (table([True, True, True]), "row 0: True is not a time"),
        ({name: values for name, values in table().items() if name != "low"}, "there is no column 'low'"),
        ({name: values for name, values in table().items() if name != "time"}, "there is no column 'time'"),
    ],
)
def test_what_is_no_bar_is_refused_by_its_row(given: Any, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        bars_of(given)
    assert words in caught.value.message


@pytest.mark.parametrize("named", [True, False])
def test_parquet_from_pandas_with_the_time_as_index_or_as_column(tmp_path: Path, named: bool) -> None:
    path = tmp_path / "EX_ABC_1.parquet"
    frame = (
        pandas.DataFrame(table(MOMENTS)) if named else pandas.DataFrame(COLUMNS, index=pandas.DatetimeIndex(MOMENTS))
    )
    frame.to_parquet(path)
    data = load(path)
    assert data.bars.time == TIMES
    assert (data.symbol.prefix, data.symbol.symbol, data.symbol.timeframe) == ("EX", "ABC", "1")


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bars.parquet"
    path.write_text("time,open,high,low,close\n")
    with pytest.raises(UsageError, match=r"bars\.parquet cannot be read"):
        read_parquet(path)
    parquet.write_table(pyarrow.table({"a": [1]}), path)
    with pytest.raises(UsageError, match="there is no column 'time'"):
        read_parquet(path)


def test_a_small_file_with_very_many_rows_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.parquet"
    count, step = 6_000_000, 60_000
    part = pyarrow.table({"time": pyarrow.array([step], pyarrow.int64()), "open": [1.0]})
    with parquet.ParquetWriter(path, part.schema, compression="zstd") as writer:
        writer.write_table(
            pyarrow.table(
                {
                    "time": pyarrow.repeat(pyarrow.scalar(step, pyarrow.int64()), count),
                    "open": pyarrow.repeat(pyarrow.scalar(1.0), count),
                }
            )
        )
    assert path.stat().st_size < 1_000_000
    with pytest.raises(UsageError, match=r"has 6,000,000 rows .* the limits are"):
        read_parquet(path)


LONG = "x" * 1_000_000
LIMIT, SAME = "the limits are", "it has the same time as the bar before"
LARGE: dict[str, tuple[int, dict[str, Any], dict[str, Any], str]] = {
    "rows": (5_001, {}, {}, LIMIT),
    "rows in many groups": (5_001, {}, {"row_group_size": 500}, LIMIT),
    "rows packed by brotli": (5_001, {}, {"compression": "brotli"}, LIMIT),
    "rows without dictionaries": (5_001, {}, {"use_dictionary": False}, LIMIT),
    "rows in small pages": (5_001, {}, {"data_page_size": 100}, LIMIT),
    "other columns": (5_000, {f"c{at}": 1.0 for at in range(20)}, {}, SAME),
    "lists": (5_000, {"list": [1.0] * 50}, {}, SAME),
    "long texts": (5_000, {"note": LONG}, {}, SAME),
    "times that are long texts": (5_000, {"time": LONG}, {}, "there is no column 'time'"),
    "prices that are long texts": (5_000, {"close": LONG}, {}, "there is no column 'close'"),
}
"""What makes a small file a large table: its rows, columns of one value, how the file is written, and what is said."""


def test_no_small_file_becomes_a_large_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_frames, "MOST_ROWS", 5_000)
    read: list[int] = []
    columns = data_frames._columns

    def counted(table: Any) -> dict[str, list[Any]]:
        read.append(table.nbytes)
        return columns(table)

    monkeypatch.setattr(data_frames, "_columns", counted)
    for number, (name, (rows, more, written, said)) in enumerate(LARGE.items()):
        path = tmp_path / f"{number}.parquet"
        one = {"time": START, "open": 1.0, "high": 1.0, "low": 1.0, "close": 1.0, "volume": 1.0, **more}
        same = pyarrow.array([0] * rows, pyarrow.int32())
        given = {
            each: pyarrow.DictionaryArray.from_arrays(same, pyarrow.array([value]))
            if isinstance(value, str)
            else pyarrow.array([value]).take(same)
            for each, value in one.items()
        }
        parquet.write_table(pyarrow.table(given), path, **{"compression": "zstd", **written})
        assert path.stat().st_size < 3_000_000, name
        with pytest.raises(UsageError) as caught:
            read_parquet(path)
        assert said in caught.value.message, name
    assert max(read) < 5_000_000


def test_columns_that_are_no_bars_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.parquet"
    rows = 1_000
    table = pyarrow.table(
        {
            "time": [f"2024-01-{1 + at // 1440:02}T{at // 60 % 24:02}:{at % 60:02}:00Z" for at in range(rows)],
            **{name: [1.0] * rows for name in ("open", "high", "low", "close")},
            "note": ["x" * 100_000] * rows,
            "list": [[1, 2]] * rows,
            "bytes": [b"x" * 1_000] * rows,
        }
    )
    parquet.write_table(table, path, compression="zstd")
    assert len(read_parquet(path).bars) == rows

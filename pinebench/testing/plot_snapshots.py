"""Snapshots: the plotted values of a script, stored in a file next to its test and compared value by value."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from pinebench import files
from pinebench.calendars.dates import iso_text
from pinebench.errors import UsageError
from pinebench.files import csv_text
from pinebench.runtime import Result, shown

_LARGEST_FILE = 100_000_000
Rows = list[list[str]]


def rows_of(result: Result) -> Rows:
    """Return the rows of a snapshot: a header with the titles of the plots, then each bar's time and exact values."""
    plots = result.plots
    head = ["time", *shown.titles_of(result)]
    body = ([iso_text(time), *(_cell(plot.values[n]) for plot in plots)] for n, time in enumerate(result.times))
    return [head, *body]


def write(path: Path, rows: Rows) -> None:
    """Write a snapshot. Raises UsageError if the file cannot be written."""
    files.write_atomically(path, csv_text.as_csv(rows).encode())


def read(path: Path) -> Rows | None:
    """Read a snapshot; None if there is no file. Raises UsageError if the file is not a snapshot."""
    try:
        text = files.read(path, _LARGEST_FILE).text
    except files.MissingFile:
        return None
    try:
        rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        return [[csv_text.original(cell) for cell in row] for row in rows]
    except csv.Error as error:
        raise UsageError(f"{path} is not a valid snapshot: {error}", "remove it, and use --update") from None


def differences(kept: Rows, now: Rows) -> list[str]:
    """Return at most one sentence: a difference between the stored snapshot `kept` and the new one `now`.

    It reports different plots, a different number of bars, or the first different value with the number of different
    values. The list is empty if the snapshots are the same.
    """
    before, after = kept[0] if kept else [], now[0]
    if before != after:
        return [f"the plots were {_named(before)}, and now they are {_named(after)}"]
    if len(kept) != len(now):
        return [f"there were {len(kept) - 1} bars, and now there are {len(now) - 1}"]
    found = [
        (bar, name, was, now_is)
        for bar, (old, new) in enumerate(zip(kept[1:], now[1:], strict=True))
        if old != new
        for name, was, now_is in zip(after, [*old, *[""] * len(new)], new, strict=False)
        if was != now_is
    ]
    if not found:
        return []
    bar, name, was, now_is = found[0]
    where = f"on bar {bar} ({now[bar + 1][0]})"
    more = f"; {len(found)} values differ" if len(found) > 1 else ""
    return [f"{where} {name} was {was or 'na'}, and now it is {now_is or 'na'}{more}"]


def _named(head: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in head[1:]) or "none"


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    return repr(value) if not isinstance(value, bool) else str(value).lower()

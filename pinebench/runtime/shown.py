"""Shows the report of a run to people and in spreadsheets: part of the bars, a table, CSV, and Parquet."""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from pinebench.amounts import aligned
from pinebench.calendars.dates import iso_text
from pinebench.extras import missing
from pinebench.files import csv_text
from pinebench.runtime.runtime import Result

_ROWS = 20
"""The number of last bars that the text shows."""
_SAID = 20
"""The number of last alerts, and of last logs, that the text shows."""


def cut(told: dict[str, Any], first: int | None, last: int | None) -> dict[str, Any]:
    """Return the report `told` without the bars, alerts and logs before `first` and from `last` on (milliseconds
    UTC)."""
    times = told["times"]
    begin = bisect_left(times, first) if first is not None else 0
    end = max(begin, bisect_left(times, last) if last is not None else len(times))
    return {
        **told,
        "bars": end - begin,
        "times": times[begin:end],
        "plots": [{**plot, "values": plot["values"][begin:end]} for plot in told["plots"]],
        "alerts": [alert for alert in told["alerts"] if begin <= alert["bar"] < end],
        "logs": [log for log in told["logs"] if begin <= log["bar"] < end],
    }


def as_csv(told: dict[str, Any]) -> str:
    """Return the report `told` as CSV: a row for each bar with its time and the value of each plot; na is an empty
    cell. If the prices are made up, a column at the end says so."""
    mark = _mark(told)
    rows = ([iso_text(time), *_row(told, row, "", repr), *mark] for row, time in enumerate(told["times"]))
    return csv_text.as_csv([["time", *titles(told), *mark.values()], *rows])


def _mark(told: dict[str, Any]) -> dict[str, str]:
    """The text of the cells that say that the prices are made up, with the title of their column. Empty for others."""
    return {"made up": "prices"} if told["data"]["made_up"] else {}


def as_parquet(told: dict[str, Any]) -> bytes:
    """Return the report `told` as a Parquet file: the times as UTC timestamps, and a column for each plot; na is null.

    If the prices are made up, a column at the end says so. Raises UnavailableError if pyarrow, which the extra `run`
    installs, is missing.
    """
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise missing("a Parquet file", "run") from None
    bars = len(told["times"])
    columns = [arrow.array(told["times"], arrow.timestamp("ms", tz="UTC"))]
    columns += [_column(plot["values"], bars, arrow) for plot in told["plots"]]
    columns += [arrow.array([word] * bars, arrow.string()) for word in _mark(told)]
    names = unique(["time", *titles(told), *_mark(told).values()])
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_arrays(columns, names=names), buffer)
    return buffer.getvalue()


def color_text(color: int) -> str:
    """Return a colour, 0xRRGGBBAA, as a script writes it: `#RRGGBB` if it is opaque, and `#RRGGBBAA` otherwise."""
    return f"#{color >> 8:06X}" if color & 0xFF == 0xFF else f"#{color:08X}"


def unique(names: list[str]) -> list[str]:
    """Return the names with a number after each duplicate, so that all of them are different."""
    found: list[str] = []
    for name in names:
        number, free = 2, name
        while free in found:
            free, number = f"{name} {number}", number + 1
        found.append(free)
    return found


def titles_of(result: Result) -> list[str]:
    """Return the titles of the plots. A plot without a title is called `Plot 1` and so on. Repeated titles get
    numbers."""
    return unique([plot.title or f"Plot {number}" for number, plot in enumerate(result.plots, 1)])


def _column(values: list[Any], bars: int, arrow: Any) -> Any:
    """A column of bools or of floats. If the script stopped, the column has only nulls."""
    if values and all(isinstance(value, bool) for value in values):
        return arrow.array(values, arrow.bool_())
    numbers = [None if value is None else float(value) for value in values]
    return arrow.array(numbers or [None] * bars, arrow.float64())


def as_text(told: dict[str, Any], safe: Callable[[str], str]) -> str:
    """Return the report `told` for people: a table of the last bars, the last alerts and logs, and the number of
    drawings. `safe` makes text of the script safe to print."""
    times = told["times"]
    lines: list[str] = []
    if told["plots"] and times and told["error"] is None:
        rows = [["time", *map(safe, titles(told))]]
        rows += [
            [iso_text(times[row]), *_row(told, row, "na", "{:.10g}".format)]
            for row in range(max(len(times) - _ROWS, 0), len(times))
        ]
        lines += aligned(rows, 0)
    alerts = [f"{iso_text(alert['time'])}  alert: {safe(alert['message'])}" for alert in told["alerts"]]
    logs = [f"{iso_text(log['time'])}  {log['level']}: {safe(log['message'])}" for log in told["logs"]]
    lines += _last(alerts, "alerts") + _last(logs, "logs")
    drawn = ", ".join(f"{len(drawings)} {kind}" for kind, drawings in told["drawings"].items() if drawings)
    if drawn:
        lines.append(f"drawings left: {drawn}")
    return "".join(f"{line}\n" for line in lines)


def _last(lines: list[str], what: str) -> list[str]:
    """The last lines, after a line that says how many earlier ones are left out."""
    left_out = len(lines) - _SAID
    return [f"({left_out} earlier {what} are not shown; --format json lists all)"] * (left_out > 0) + lines[-_SAID:]


def titles(told: dict[str, Any]) -> list[str]:
    """Return the titles of the plots of the report `told`. A plot without a title gets its number."""
    return [plot["title"] or f"Plot {number}" for number, plot in enumerate(told["plots"], 1)]


def _row(told: dict[str, Any], row: int, missing: str, number: Callable[[float], str]) -> list[str]:
    """The values on one bar. A script that stopped has no values."""
    columns = (plot["values"] for plot in told["plots"])
    return [_cell(column[row], missing, number) if row < len(column) else missing for column in columns]


def _cell(value: Any, missing: str, number: Callable[[float], str]) -> str:
    if value is None:
        return missing
    if isinstance(value, bool):
        return "true" if value else "false"
    return number(value).removesuffix(".0") if isinstance(value, float) else str(value)

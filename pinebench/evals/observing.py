"""The behaviour of a script in a run, as plain values that can be compared. It is computed in the worker."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from pinebench.execution.performing import perform
from pinebench.execution.request import Request
from pinebench.runtime import Result

_SIGNS = ("plotshape", "plotchar")
_COLOURED = ("bgcolor", "barcolor")
Row = tuple[Any, ...]


@dataclass
class Seen:
    """The behaviour of a script on bars.

    `plots` are numbers by title; `signs` say by title on which bars a shape, a character or a background is shown.
    `alerts` are bars and messages. `trades` are closed trades as (side, entry bar, exit bar, quantity, entry price,
    exit price, id of the entry), `open` are open ones as (side, entry bar, quantity, entry price, id). `drawings` are
    positions and texts by kind, `cells` the texts of the last table by column and row. `error` is the error that
    stopped the run, empty if there was none.
    """

    plots: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    signs: dict[str, list[bool]] = field(default_factory=dict[str, list[bool]])
    alerts: list[Row] = field(default_factory=list[Row])
    trades: list[Row] = field(default_factory=list[Row])
    open: list[Row] = field(default_factory=list[Row])
    drawings: dict[str, list[Row]] = field(default_factory=dict[str, list[Row]])
    cells: dict[str, str] = field(default_factory=dict[str, str])
    error: str = ""


def observe(request: Request) -> Seen:
    """Run a script and return what it shows. Raises the errors of `perform`."""
    ran = perform(request)
    result = ran.result
    if result.error is not None:
        where = f"line {result.error.stack[0].line}: " if result.error.stack else ""
        return Seen(error=f"{where}{result.error}")
    seen = Seen(alerts=[(each.bar, each.message) for each in result.alerts])
    for output in result.outputs:
        if output.function == "plot":
            seen.plots.setdefault(output.title, [math.nan if v is None else float(v) for v in output.exported])
        elif output.function in _SIGNS or output.function in _COLOURED:
            seen.signs.setdefault(output.title, [_is_shown(value) for value in output.values])
    if ran.tested is not None:
        seen.trades = [
            (t.side, t.entry_bar, t.exit_bar, t.quantity, t.entry_price, t.exit_price, t.entry_id)
            for t in ran.tested.trades
        ]
        seen.open = [(t.side, t.bar, t.quantity, t.price, t.id) for t in ran.tested.open_trades]
    seen.drawings = _drawings(result)
    for table in result.drawings.get("table", [])[-1:]:
        cells: dict[Any, Any] = getattr(table, "cells", {})
        seen.cells = {f"{place[0]},{place[1]}": str(cell.get("text") or "") for place, cell in cells.items()}
    return seen


def _is_shown(value: Any) -> bool:
    return bool(value) and value == value


def _drawings(result: Result) -> dict[str, list[Row]]:
    times = list(result.times)

    def bar(x: float, xloc: str) -> float:
        return float(bisect_left(times, x)) if xloc == "bar_time" and x == x else float(x)

    found: dict[str, list[Row]] = {}
    for kind, held in result.drawings.items():
        for each in held:
            state = each.state() if kind in ("label", "line", "box") else {}
            row: Row | None = None
            if kind == "label":
                y = math.nan if state["yloc"] != "price" else _number(state["y"])
                row = (bar(state["x"], state["xloc"]), y, str(state["text"] or ""))
            elif kind == "line":
                ends = sorted((bar(state[f"x{n}"], state["xloc"]), _number(state[f"y{n}"])) for n in (1, 2))
                row = (*ends[0], *ends[1])
            elif kind == "box":
                sides = sorted(bar(state[name], state["xloc"]) for name in ("left", "right"))
                levels = sorted(_number(state[name]) for name in ("top", "bottom"))
                row = (sides[0], levels[1], sides[1], levels[0])
            if row is not None:
                found.setdefault(kind, []).append(row)
    return found


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)

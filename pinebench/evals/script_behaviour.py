"""The behaviour of a script in a run, as plain values that can be compared. It is computed in the worker."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pinebench.runtime import Output, Result
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request

_SIGNS = ("plotshape", "plotchar")
_COLOURED = ("bgcolor", "barcolor")
_DATA_WINDOW, _PANE = 1, 2
"""The bits of the argument `display` for the two places in which the values of a plot can be read."""
_ALPHA = 0xFF
"""The bits of a colour that say how opaque it is; without one of them it is invisible."""
Row = tuple[Any, ...]


class Placement(NamedTuple):
    """The place of a plot: its offset in bars, the number of last bars on which it is shown (None for all), and whether
    it is hidden."""

    offset: int
    last: int | None
    is_hidden: bool


@dataclass
class ScriptBehaviour:
    """The behaviour of a script on bars.

    `plots` has the numbers of each plot by title. `signs` has the bars on which a shape, a character or a background is
    visible, by title. `placements` has the placement of plots and signs by title. `alerts` lists the bars, messages and
    frequencies of `alert()`, and `conditions` the bars and messages of `alertcondition()`. `trades` lists closed trades
    as (side, entry bar, exit bar, quantity, entry price, exit price, profit, id of the entry). `open` lists open trades
    as (side, entry bar, quantity, entry price, id). `drawings` has positions, extensions and texts by kind, and `cells`
    the texts of the last table by column and row. `error` is the error that stopped the run, or empty.
    """

    plots: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    signs: dict[str, list[bool]] = field(default_factory=dict[str, list[bool]])
    placements: dict[str, Placement] = field(default_factory=dict[str, Placement])
    alerts: list[Row] = field(default_factory=list[Row])
    conditions: list[Row] = field(default_factory=list[Row])
    trades: list[Row] = field(default_factory=list[Row])
    open: list[Row] = field(default_factory=list[Row])
    drawings: dict[str, list[Row]] = field(default_factory=dict[str, list[Row]])
    cells: dict[str, str] = field(default_factory=dict[str, str])
    error: str = ""


def observe(request: Request) -> ScriptBehaviour:
    """Run a script and return its behaviour. Raises the errors of `perform`."""
    ran = perform(request)
    result = ran.result
    if result.error is not None:
        where = f"line {result.error.stack[0].line}: " if result.error.stack else ""
        return ScriptBehaviour(error=f"{where}{result.error}")
    seen = ScriptBehaviour()
    for alert in result.alerts:
        if alert.frequency == "condition":
            seen.conditions.append((alert.bar, alert.message))
        else:
            seen.alerts.append((alert.bar, alert.message, alert.frequency))
    for output in result.outputs:
        _add(output, seen, len(result.times))
    if ran.tested is not None:
        seen.trades = [
            (t.side, t.entry_bar, t.exit_bar, t.quantity, t.entry_price, t.exit_price, t.profit, t.entry_id)
            for t in ran.tested.trades
        ]
        seen.open = [(t.side, t.bar, t.quantity, t.price, t.id) for t in ran.tested.open_trades]
    seen.drawings = _drawings(result)
    for table in result.drawings.get("table", [])[-1:]:
        cells: dict[Any, Any] = getattr(table, "cells", {})
        seen.cells = {f"{place[0]},{place[1]}": str(cell.get("text") or "") for place, cell in cells.items()}
    return seen


def _add(output: Output, seen: ScriptBehaviour, bars: int) -> None:
    """Add a plot, a sign or a background; of several with the same title the first one counts."""
    title, shown_in = output.title, _PANE
    if output.function == "plot":
        if title in seen.plots:
            return
        seen.plots[title] = [math.nan if v is None else float(v) for v in output.exported]
        shown_in |= _DATA_WINDOW
    elif output.function in _SIGNS or output.function in _COLOURED:
        if title in seen.signs:
            return
        seen.signs[title] = _shown(output, bars)
    else:
        return
    last, display = output.settings.get("show_last", math.nan), output.settings.get("display", shown_in)
    seen.placements[title] = Placement(
        int(output.settings.get("offset") or 0),
        None if last is None or last != last else int(last),
        not int(display) & shown_in,
    )


def _shown(output: Output, bars: int) -> list[bool]:
    """Return, for each bar, whether a sign or a background is visible: it is drawn for its value, and its colour is
    neither na nor transparent."""
    shapes = _colours(output, "color", bars)
    if output.function in _COLOURED:
        return shapes
    texts = _colours(output, "textcolor", bars)
    has_text = bool(output.settings.get("text") or output.columns.get("text"))
    return [
        output.is_drawn(value) and (shape or (has_text and text))
        for value, shape, text in zip(output.values, shapes, texts, strict=True)
    ]


def _colours(output: Output, name: str, bars: int) -> list[bool]:
    """Return, for each bar, whether the colour `name` of an output is visible; a colour that was not passed is
    visible."""
    if name in output.columns:
        return [_is_visible(value) for value in output.columns[name]]
    return [name not in output.settings or _is_visible(output.settings[name])] * bars


def _is_visible(colour: Any) -> bool:
    return isinstance(colour, int) and bool(colour & _ALPHA)


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
                row = (*ends[0], *ends[1], str(state["extend"]))
            elif kind == "box":
                sides = sorted(bar(state[name], state["xloc"]) for name in ("left", "right"))
                levels = sorted(_number(state[name]) for name in ("top", "bottom"))
                row = (sides[0], levels[1], sides[1], levels[0], str(state["extend"]))
            if row is not None:
                found.setdefault(kind, []).append(row)
    return found


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)

"""The chart of a debugged run up to the bar at which it stopped.

The process that runs the script collects the last bars, plots and drawings (`taken`), and the adapter draws them
(`drawn`). So that process and its copies, which are made for going back, stay small.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

from pinebench.checker import Program
from pinebench.debugger.engine import DebugEngine
from pinebench.market import Bars
from pinebench.runtime import ChartSymbol, Output, Result
from pinebench.workers import worker_protocol

MOST_BARS = 2000
"""The largest number of bars that are shown."""


def taken(engine: DebugEngine, count: int) -> dict[str, Any]:
    """Return the last `count` bars up to the current bar, and the plots and drawings of the script, as data for
    `drawn`. Later bars are left out. A plot whose statement has not run yet on this bar has no value."""
    runtime = engine.runtime
    last = engine.index + 1
    first = max(last - count, 0)
    if runtime is None:
        return {"first": 0, "last": 0, "data": ""}
    outputs = [
        replace(output, columns={name: column[first:last] for name, column in output.columns.items()})
        for output in runtime.host.outputs.all
    ]
    drawn = runtime.host.drawn.alive if runtime.host.drawn is not None else {}
    fills = engine.broker.fills if engine.broker is not None else []
    bars = runtime.chart.bars
    columns = tuple(
        column[first:last] for column in (bars.time, bars.open, bars.high, bars.low, bars.close, bars.volume)
    )
    shown = (
        outputs,
        {kind: list(each) for kind, each in drawn.items()},
        [one for one in fills if one.bar >= first],
        columns,
    )
    return {"first": first, "last": last, "data": base64.b64encode(worker_protocol.answer(shown)).decode()}


def drawn(told: dict[str, Any], program: Program, bars: Bars, symbol: ChartSymbol, look: dict[str, Any]) -> str:
    """Return the chart as an SVG drawing.

    `told` is the data from `taken`, `bars` holds all bars of the run, and `look` has the `width` and `height` in pixels
    and the `theme`. Raises UsageError for an unsupported size or theme.
    """
    from pinebench.charts import as_svg, filled, picture, view_of

    first, last = told["first"], told["last"]
    outputs, drawings, fills, columns = (
        worker_protocol.answer_of(base64.b64decode(told["data"])) if told["data"] else ([], {}, [], ())
    )
    seen = bars.at(range(first))
    for values in zip(*columns, strict=True):
        seen.append(*values)
    whole = [_filled(output, first, len(seen)) for output in outputs]
    view = replace(view_of(program, first, last, look["theme"]), width=look["width"], height=look["height"])
    return as_svg(picture(Result(seen.time, whole, [], [], drawings, []), seen, symbol, view, filled(fills)))


def _filled(output: Output, first: int, count: int) -> Output:
    """Return an output with columns of `count` bars. They have no value on the bars before `first`, and on the bar of
    the stop if the script has not reached the output yet."""
    columns = {name: [None] * first + column for name, column in output.columns.items()}
    return replace(output, columns={name: column + [None] * (count - len(column)) for name, column in columns.items()})

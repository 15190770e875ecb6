"""The results of a script's run as JSON for the page, made by the worker that runs the script."""

from __future__ import annotations

import json
import sys
from typing import Any

from pinebench.checker import Program
from pinebench.compiled import perform_on
from pinebench.errors import PinebenchError
from pinebench.runtime import NotComputed, Output, Result, declared_arguments, report
from pinebench.studio.page_differences import differences, reads_interval
from pinebench.studio.tester_report import told as tested_report
from pinebench.workers.jobs import opened
from pinebench.workers.request import Request

_DECLARED = ("overlay", "format", "precision", "scale", "behind_chart", "explicit_plot_zorder")
"""The arguments of the declaration that say how the script is shown."""
_MOST_SAID = 10_000
"""The number of the last logs and alerts that are sent; TradingView lists the same number."""

_STOPPED = "RE10142"
"""The code of `runtime.error()`. A script that reads the chart's interval and stops itself on the first bar most likely
wants another interval, which the page offers."""
_BY_BARS = ("x", "x1", "x2", "left", "right")
"""Properties of drawings that are bar indices if their `xloc` is `bar_index`."""


def page(request: Request, shown: int = sys.maxsize, cache: str | None = None) -> bytes:
    """Return the results of the run on the last `shown` bars, or `refused` with the reason if the script cannot run.

    The first bar that is shown has the number 0 in drawings, trades and filled orders. `tier` in the result names the
    tier that ran the script, with the reason. `cache` is the private folder for machine code.
    """
    try:
        tiered = perform_on(request, cache)
    except NotComputed as refusal:
        return refused(f"{refusal.name} is not computed by pinebench", refusal.line, refusal.hint)
    except PinebenchError as error:
        return refused(error.message, None, error.hint)
    ran = tiered.ran
    first = max(0, len(ran.result.times) - shown)
    program = opened(request.source, request.libraries)
    told = _told(program, ran.result, first)
    error = told["error"]
    if error is not None and error["code"] == _STOPPED and error["bar"] == 0 and reads_interval(program):
        error["offer"] = "interval"
    told["tier"] = tiered.report()
    return _encoded({**told, "tested": None if ran.tested is None else tested_report(ran.tested, first)})


def refused(reason: str, line: int | None = None, hint: str | None = None) -> bytes:
    """Return the JSON answer for a run that is refused: the reason, the line and a hint."""
    return _encoded({"refused": reason, "line": line, "hint": hint})


def _encoded(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode()


def _told(program: Program, result: Result, first: int) -> dict[str, Any]:
    del result.logs[:-_MOST_SAID], result.alerts[:-_MOST_SAID]
    told, given, times = report.left(result), declared_arguments(program), result.times
    for drawing in (each for drawings in told["drawings"].values() for each in drawings):
        _shift(drawing, first)
    return {
        "declared": {name: _plain(given.get(name)) for name in _DECLARED},
        "ran": {"bars": len(times), "from": times[0] // 1000, "to": times[-1] // 1000} if times else None,
        "times": [time // 1000 for time in times[first:]],
        "outputs": [_output(output, first) for output in result.outputs],
        "drawings": told["drawings"],
        "alerts": told["alerts"],
        "logs": told["logs"],
        "notes": told["notes"],
        "differences": differences(program),
        "error": told["error"],
    }


def _shift(drawing: dict[str, Any], first: int) -> None:
    """Change the bar indices of a drawing, and of the drawings inside it, so that they count from `first`."""
    for value in drawing.values():
        for inner in value if isinstance(value, list) else (value,):
            if isinstance(inner, dict):
                _shift(inner, first)
    if isinstance(drawing.get("index"), int | float):  # a point
        drawing["index"] -= first
    if drawing.get("xloc") == "bar_index":
        for name in _BY_BARS:
            if isinstance(drawing.get(name), int | float):
                drawing[name] -= first


def _output(output: Output, first: int) -> dict[str, Any]:
    """The data of one call of a plot function. na is null; colours are numbers, 0xRRGGBBAA."""
    return {
        "function": output.function,
        "line": output.line,
        "settings": {name: _plain(value) for name, value in output.settings.items()},
        "columns": {name: list(map(_plain, values[first:])) for name, values in output.columns.items()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if -1e308 < value < 1e308 else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)

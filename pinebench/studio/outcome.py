"""What a run of a script left, as the page takes it: JSON, made in the worker that ran the script."""

from __future__ import annotations

import json
from typing import Any

from pinebench.checker import Program
from pinebench.errors import PinebenchError
from pinebench.execution.performing import opened, perform
from pinebench.execution.request import Request
from pinebench.runtime.outputs import Output
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.report import report
from pinebench.runtime.runtime import Result, declared
from pinebench.studio.differences import differences
from pinebench.studio.tested import told as tested_report

_DECLARED = ("overlay", "format", "precision", "scale", "behind_chart", "explicit_plot_zorder")
"""The arguments of the declaration that say how the script is shown."""
_MOST_SAID = 10_000
"""Of logs and alerts the last are told, as many as TradingView lists."""


def page(request: Request) -> bytes:
    """What the run left; `refused` with the reason where the script cannot run."""
    try:
        ran = perform(request)
    except NotComputed as refusal:
        return refused(f"{refusal.name} is not computed here", refusal.line, refusal.hint)
    except PinebenchError as error:
        return refused(error.message, None, error.hint)
    told = _told(opened(request.source, request.libraries), ran.result)
    return _encoded({**told, "tested": None if ran.tested is None else tested_report(ran.tested)})


def refused(words: str, line: int | None = None, hint: str | None = None) -> bytes:
    """The answer where there is no run, and why."""
    return _encoded({"refused": words, "line": line, "hint": hint})


def _encoded(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode()


def _told(program: Program, result: Result) -> dict[str, Any]:
    del result.logs[:-_MOST_SAID], result.alerts[:-_MOST_SAID]
    told, given = report(result), declared(program)
    return {
        "declared": {name: _plain(given.get(name)) for name in _DECLARED},
        "times": [time // 1000 for time in result.times],
        "outputs": [_output(output) for output in result.outputs],
        "drawings": told["drawings"],
        "alerts": told["alerts"],
        "logs": told["logs"],
        "notes": told["notes"],
        "differences": differences(program),
        "error": told["error"],
    }


def _output(output: Output) -> dict[str, Any]:
    """One call of the plot family; na is null, colours are numbers, 0xRRGGBBAA."""
    return {
        "function": output.function,
        "line": output.line,
        "settings": {name: _plain(value) for name, value in output.settings.items()},
        "columns": {name: list(map(_plain, values)) for name, values in output.columns.items()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if -1e308 < value < 1e308 else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)

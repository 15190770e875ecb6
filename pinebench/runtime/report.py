"""The result of a run as plain values that JSON can hold: na becomes null, and colours become `#RRGGBBAA`."""

from __future__ import annotations

from typing import Any

from pinebench.runtime.drawings import ChartPoint, Drawing, Table
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.runtime import Result

_COLORS = ("color", "bgcolor")


def report(result: Result) -> dict[str, Any]:
    """Return the result as a dictionary: `bars`, `times`, `plots`, `alerts`, `logs`, `drawings` by kind, `notes` and
    `error`."""
    return {
        "bars": len(result.times),
        "times": list(result.times),
        "plots": [{"title": plot.title, "values": list(map(_plain, plot.exported))} for plot in result.plots],
        **left(result),
    }


def left(result: Result) -> dict[str, Any]:
    """Return the report without its keys `bars`, `times` and `plots`."""
    return {
        "alerts": [
            {"bar": alert.bar, "time": alert.time, "message": alert.message, "line": alert.line}
            for alert in result.alerts
        ],
        "logs": [
            {"bar": log.bar, "time": log.time, "level": log.level, "message": log.message, "line": log.line}
            for log in result.logs
        ],
        "drawings": {kind: [_drawing(each) for each in drawings] for kind, drawings in result.drawings.items()},
        "notes": list(result.notes),
        "error": None if result.error is None else error(result.error),
    }


def error(fault: RuntimeFault) -> dict[str, Any]:
    """Return the error that stopped a script: code, message, bar, line, and the calls, innermost first."""
    return {
        "code": fault.code,
        "message": fault.message,
        "bar": fault.bar,
        "line": fault.line,
        "stack": [
            {"function": call.function, "line": call.line, **({"library": call.library} if call.library else {})}
            for call in fault.stack
        ],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if -1e308 < value < 1e308 else None
    return value


def _drawing(drawing: Drawing) -> dict[str, Any]:
    made = {name: _property(name, value) for name, value in drawing.state().items()}
    if isinstance(drawing, Table):
        made["cells"] = [
            {"column": column, "row": row, **{name: _property(name, value) for name, value in cell.items()}}
            for (column, row), cell in sorted(drawing.cells.items())
        ]
        made["merged"] = [list(corners) for corners in drawing.merged]
    return made


def _property(name: str, value: Any) -> Any:
    if isinstance(value, Drawing):
        return _drawing(value)
    if isinstance(value, list):
        return [_property(name, each) for each in value]
    if isinstance(value, ChartPoint):
        return {"time": _plain(value.time), "index": _plain(value.index), "price": _plain(value.price)}
    if name.endswith(_COLORS) and isinstance(value, int):
        return f"#{value:08X}"
    return _plain(value)

"""A worker's answers to the page's inspector, as JSON: values of names, bars on which a breakpoint stops, reasons for
the value of an expression, and the steps of an order from its call to its end.

Bars are numbered as on the page, from the first bar that the chart shows. `offset` is the `bar_index` of that bar in
Pine.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import Any

from pinebench.broker import CLOSE_WORDS
from pinebench.debugger.breakpoint_stops import listed
from pinebench.debugger.engine import Breakpoint
from pinebench.errors import PinebenchError, UsageError
from pinebench.inspecting.frozen_values import written
from pinebench.inspecting.recorded_run import record
from pinebench.inspecting.run_recording import NOT_RUN, InspectedName, RunRecording
from pinebench.why import order_life as lives
from pinebench.why.block_why import place_of, why_at
from pinebench.why.why import ExpressionPart, own_lines, shown_below
from pinebench.why.why import written as short
from pinebench.workers.request import Request

_CELLS = 200_000
"""The approximate number of values in an answer: names times bars."""
_LEAST_BARS = 50
_MOST_NAMES = 2000
_LONGEST = 200
"""The largest number of characters of a value."""
_LOOK_BACK = 1000
"""The number of earlier bars that are searched for the last change of a value."""


def values(request: Request, shown: int, first: int, last: int) -> bytes:
    """Return the values of all names and calls on the visible bars, and on as many bars around them as fit into an
    answer.

    `shown` is the number of bars that the chart shows, counted from the last bar. `first` and `last` are the visible
    bars. Values are those at the close of a bar. For each name, `bars` lists the bars on which the value changes, and
    `texts` lists the new values; None means that the code did not run.
    """
    _refuse_stopped(request)
    ran, recording = record(request)
    offset = max(0, len(request.bars) - shown)
    every = recording.names()
    names = every[:_MOST_NAMES]
    first, last = _window(recording, offset, (first + last) // 2, len(names))
    dropped = recording.dropped
    if len(every) > len(names):
        dropped.append(f"only the first {_MOST_NAMES} of {len(every)} names are shown")
    error = ran.result.error
    return _encoded(
        {
            "offset": offset,
            "shows": [time // 1000 for time in request.bars.time[offset:][:: max(1, len(request.bars) - offset - 1)]],
            "first": first - offset,
            "last": last - offset,
            "kept": max(recording.first, offset) - offset,
            "ended": recording.bars - 1 - offset,
            "names": [_name(recording, name, first, last, offset) for name in names] if first <= last else [],
            "dropped": dropped,
            "error": None if error is None else error.message,
        }
    )


def _window(recording: RunRecording, offset: int, middle: int, names: int) -> tuple[int, int]:
    """The first and the last bar whose values are sent."""
    first, last = max(recording.first, offset), recording.bars - 1
    width = max(_LEAST_BARS, _CELLS // max(1, names))
    if last - first < width:
        return first, last
    start = max(first, min(offset + middle - width // 2, last - width + 1))
    return start, start + width - 1


def _name(recording: RunRecording, name: InspectedName, first: int, last: int, offset: int) -> dict[str, Any]:
    changes = list(recording.changes(name, first, last))
    since = recording.since(name, first, _LOOK_BACK)
    told: dict[str, Any] = {
        "name": name.name,
        "line": name.line,
        "kind": _kind(name),
        "function": name.function,
        "site": ", ".join(f"{site.text} on line {site.line}" for site in name.site),
        "call": name.is_call,
        "bars": [bar - offset for bar, _ in changes],
        "texts": [_text(value) for _, value in changes],
        "since": None if since is None else since - offset,
    }
    if first > recording.first:
        told["before"] = _text(recording.value(name, first - 1))
    return told


def _kind(name: InspectedName) -> str:
    """The mode and the type of a name, such as `var series float`."""
    type_ = name.type.removeprefix("<").removesuffix(">") if name.type.startswith("<") else name.type
    return type_ if name.mode in ("", *type_.split()[:1]) else f"{name.mode} {type_}"


def _text(value: Any) -> str | None:
    if value is NOT_RUN:
        return None
    text = written(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def hits(request: Request, line: int, condition: str) -> bytes:
    """Return JSON with `times`, the opening times (Unix seconds) of the bars on which a breakpoint stops, and `line`,
    the line on which it stops.

    `error` is the error that stopped the script, or that occurred when the condition was evaluated on a bar. Raises
    UsageError if `condition` is not a valid condition on that line.
    """
    _refuse_stopped(request)
    condition = condition.strip()
    found = listed(request, [Breakpoint(line, condition)])
    if line in found.troubles:
        why = f"'{condition}' is not a valid condition at line {line}: {found.troubles[line]}"
        raise UsageError(why, "for example, close > open")
    fault = found.faults.get(line)
    error = found.error or (f"'{condition}' could not be evaluated {fault}" if fault is not None else None)
    times = request.bars.time
    bars = dict.fromkeys(place.bar for place in found.places)
    told = {"line": found.moved[line] or None, "times": [times[bar] // 1000 for bar in bars], "error": error}
    return _encoded(told)


def why(request: Request, expression: str, time: int, line: int = 0, call: str = "") -> bytes:
    """Explain the value of an expression on the bar that opens at `time` (milliseconds UTC), as a tree of its parts.

    `line` is the line of the cursor, for expressions inside a block or a function; 0 for other expressions. `call`
    selects one call of that function.
    """
    _refuse_stopped(request)
    told = why_at(request, expression, _bar_of(request, time), place_of(line or None, None, call))
    return _encoded(
        {
            "time": told.time // 1000,
            "expression": told.expression,
            "value": told.text,
            "reasons": told.reasons,
            "parts": [_part(part, own_lines(request.source)) for part in told.parts],
            "note": told.note,
            "error": told.error,
        }
    )


def order(request: Request, order: str, time: int) -> bytes:
    """Explain what happened to the orders with the id `order` on the bar at `time` (milliseconds UTC). `order` is the
    id in the list of filled orders."""
    _refuse_stopped(request)
    told = lives.order_life(request, order.removeprefix(CLOSE_WORDS), _bar_of(request, time))
    times = request.bars.time
    steps = [
        {
            "time": times[step.bar] // 1000,
            "until": None if step.until is None else times[step.until] // 1000,
            "what": step.what,
            "text": step.text,
            "line": step.line if step.what == "called" else 0,
            "order": step.order,
        }
        for step in told.steps
    ]
    return _encoded(
        {
            "time": told.time // 1000,
            "order": told.order,
            "cause": told.cause.replace("-", " "),
            "reasons": told.reasons,
            "steps": steps,
            "parts": [_part(part, own_lines(request.source)) for part in told.parts],
            "error": told.error,
        }
    )


def _part(part: ExpressionPart, lines: int) -> dict[str, Any]:
    """A part with its value as a text, None if it was not evaluated on the bar; `lines` are the lines of the script."""
    return {
        "text": part.text,
        "line": part.line if part.line <= lines else 0,
        "value": short(part.value) if part.evaluated else None,
        "often": part.evaluated,
        "parts": [_part(each, lines) for each in shown_below(part)],
    }


def _bar_of(request: Request, time: int) -> int:
    bar = bisect_right(request.bars.time, time) - 1
    if bar < 0:
        raise UsageError("the script did not run on a bar at this time", "choose another bar")
    return bar


def _refuse_stopped(request: Request) -> None:
    """A run that had to be ended has no values."""
    if request.stop is not None:
        raise PinebenchError(
            "the script needs too much time or memory to be inspected", "show fewer bars, or simplify the script"
        )


def _encoded(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode()

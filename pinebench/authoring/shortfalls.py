"""Remarks on a script that compiles but lacks something that the request mentions: a stop, an alert, or a strategy.
They rely only on the calls in the script."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.checker import path_of, read_script
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from pinebench.authoring.author import AuthoringTask
    from pinebench.syntax import Snapshot

REQUEST = "request"
"""The code of a remark that comes from comparing a script with its request."""

_KINDS = ("indicator", "strategy", "library")
_ALERTING = frozenset({"alert", "alertcondition"})
_STOPPING = frozenset({"stop", "loss", "trail_points", "trail_price"})
_LEAVING = reference.having("leaves") | {"strategy.order"}
_NEGATION = r"(?<!\bno )(?<!\bwithout )(?<!\bnot )(?<!\bno more )(?<!\bwithout any )"
_WANTS_ALERTS = re.compile(rf"{_NEGATION}\balerts?\b", re.IGNORECASE)
_WANTS_STOPS = re.compile(rf"{_NEGATION}\b(?:stop[- ]?loss(?:es)?|(?:trailing[- ])?stops?)\b", re.IGNORECASE)
_WANTS_STRATEGY = re.compile(r"\bstrategy\b|\bbacktest", re.IGNORECASE)


_DRAWING = frozenset({"bgcolor", "barcolor", "fill", "hline"})
_COUNTED = {*_ALERTING, *_DRAWING, *_LEAVING, "strategy.entry"}
_FAMILIES = ("plot", "input")


def dropped(given: str, script: Snapshot) -> list[Diagnostic]:
    """Return remarks on plots, alerts, inputs and orders of the script `given` that are missing in its repair `script`,
    as findings with the code REQUEST."""
    left = Counter(map(_family, _calls(script)))
    lost = Counter(map(_family, _calls(read_script(given)))) - left
    return [
        Diagnostic(
            REQUEST,
            Severity.INFO,
            f"The script given has {left[name] + count} calls of {name}(), this one has {left[name]}. A repair drops"
            " nothing.",
            Span(0, 0),
        )
        for name, count in lost.items()
        if name
    ]


def _family(call: tuple[str, nodes.Call]) -> str:
    """Return the name under which a call that shows, asks or orders something is counted; empty for any other call. All
    plots count as one name, and so do all inputs, because a repair may need another one of them."""
    name = call[0]
    family = next((family for family in _FAMILIES if name.startswith(family)), None)
    return family or (name if name in _COUNTED else "")


def shortfalls(task: AuthoringTask, script: Snapshot) -> list[Diagnostic]:
    """Return remarks on parts of the request in `task` that are certainly missing in `script`, as findings with the
    code REQUEST."""
    kind = _kind(script)
    told: list[str] = []
    if kind == "indicator" and _wants_strategy(task):
        told.append("A strategy was asked for, but the script is an indicator.")
    calls = _calls(script)
    if _WANTS_ALERTS.search(task.request) and not _alerts(calls):
        told.append("The request mentions alerts, but the script has no alert() and no alertcondition().")
    if kind == "strategy" and _WANTS_STOPS.search(task.request) and not _stops(calls):
        told.append("The request mentions a stop, but no order of the script has one.")
    return [Diagnostic(REQUEST, Severity.INFO, words, Span(0, 0)) for words in told]


def _wants_strategy(task: AuthoringTask) -> bool:
    if task.base is not None and task.template is None:
        # A user who changes a strategy and wants an indicator says so.
        return _kind(read_script(task.base)) == "strategy" and "indicator" not in task.request.lower()
    return bool(_WANTS_STRATEGY.search(task.request)) and "indicator" not in task.request.lower()


def _kind(script: Snapshot) -> str | None:
    return next((name for name, _ in _calls(script) if name in _KINDS), None)


def _calls(script: Snapshot) -> list[tuple[str, nodes.Call]]:
    """Return every call, with the dotted name of the called function."""
    found = (node for chunk in script.chunks for node in walk(chunk.body) if isinstance(node, nodes.Call))
    return [(name, node) for node in found if (name := path_of(node.callee))]


def _alerts(calls: list[tuple[str, nodes.Call]]) -> bool:
    return any(name in _ALERTING or any("alert" in given for given in _named(call)) for name, call in calls)


def _stops(calls: list[tuple[str, nodes.Call]]) -> bool:
    """Return whether any call may protect a position. A close under a condition counts as a stop too."""
    leaving = [(name, call) for name, call in calls if name in _LEAVING]
    return any(name != "strategy.exit" or _STOPPING & _named(call) or _positional(call) > 2 for name, call in leaving)


def _named(call: nodes.Call) -> set[str]:
    return {argument.name for argument in call.arguments if isinstance(argument, nodes.NamedArgument)}


def _positional(call: nodes.Call) -> int:
    return sum(not isinstance(argument, nodes.NamedArgument) for argument in call.arguments)

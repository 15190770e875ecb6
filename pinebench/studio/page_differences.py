"""Sentences for the user about differences between the page and TradingView that concern a script, and a check for
scripts that read the chart's interval."""

from __future__ import annotations

from pinebench.checker import Program, path_of
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_HISTORY = "All bars are history here, in a replay too: prices do not change in real time."
_WHOLE = "It is the first or the last of all bars, not of the visible bars."
KNOWN = {
    "barstate.isrealtime": _HISTORY,
    "barstate.islastconfirmedhistory": _HISTORY,
    "timenow": "It is the close of the last bar, not the current time.",
    "chart.left_visible_bar_time": _WHOLE,
    "chart.right_visible_bar_time": _WHOLE,
    "ask": "There are no quotes here: it is na.",
    "bid": "There are no quotes here: it is na.",
}
"""Built-in variables that have another value in the studio than on TradingView, each with the difference."""


def reads_interval(program: Program) -> bool:
    """Return whether a checked script reads the chart's interval (`timeframe.*`)."""
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            name = path_of(node) if isinstance(node, nodes.Member) else None
            if name is not None and name.startswith("timeframe."):
                return True
    return False


def differences(program: Program) -> list[str]:
    """Return a sentence for each part of a checked script that behaves differently on TradingView; empty if there are
    none."""
    found: dict[str, None] = {}
    own = {variable.name for variable in program.variables}
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            name = path_of(node) if isinstance(node, nodes.Member | nodes.Name) else None
            if name in KNOWN and name not in own:
                found[f"{name}: {KNOWN[name]}"] = None
    return list(found)

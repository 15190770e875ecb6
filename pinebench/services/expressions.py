"""Finds the expression at a position of a script, for questions about its value."""

from __future__ import annotations

from pinebench.services.names import path_at
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes

_ASKED = (nodes.Name, nodes.Member, nodes.Call, nodes.Binary, nodes.Unary, nodes.Ternary, nodes.History)


def expression_at(view: ScriptView, offset: int) -> str:
    """Return the smallest expression with a value at `offset`, on one line; empty if there is none.

    It is a name, a call (also if `offset` is in the function's name), a history reference (`close[1]`), or the
    operation around an operator.
    """
    return _at(view, offset) or (_at(view, offset - 1) if offset else "")


def _at(view: ScriptView, offset: int) -> str:
    program = view.program
    path = path_at(program, offset)
    chunk = program.document.chunk_at(offset)
    place = next((number for number in range(len(path) - 1, -1, -1) if isinstance(path[number], _ASKED)), None)
    if place is None:
        return ""
    found = path[place]
    while place:
        above = path[place - 1]
        is_inside = (isinstance(above, nodes.Member) and isinstance(found, nodes.Name | nodes.Member)) or (
            isinstance(above, nodes.Call) and above.callee is found
        )
        if not is_inside:
            break
        found, place = above, place - 1
    text = program.document.text[chunk.start + found.start : chunk.start + found.end]
    return " ".join(text.split())

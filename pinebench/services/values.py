"""Values that are known before a script runs, for editors that show them next to the code."""

from __future__ import annotations

from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.services.describe import literal
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


class ConstantValue(NamedTuple):
    """A name and its constant value, such as `length = 14`."""

    span: Span
    text: str


def known_values(view: ScriptView, span: Span) -> list[ConstantValue]:
    """Return the values of the user's variables within `span` that are constant, in text order."""
    program = view.program
    found: list[ConstantValue] = []
    for chunk in view.snapshot.chunks:
        if chunk.end <= span.start or chunk.start >= span.end:
            continue
        for node in walk(chunk.body):
            place = Span(chunk.start + node.start, chunk.start + node.end)
            if not isinstance(node, nodes.Name) or not span.start <= place.start < span.end:
                continue
            if node not in program.bindings.variables:
                continue
            is_constant, value = program.value_of(node)
            if is_constant:
                found.append(ConstantValue(place, f"{view.text[place.start : place.end]} = {literal(value)}"))
    return sorted(found)

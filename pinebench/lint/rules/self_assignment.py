"""Rule PB1002: a variable or field that is assigned to itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Look, Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic


@register
class SelfAssignment(Rule):
    """A variable or a field is assigned to itself, which changes nothing. Mostly another name was meant on one side.

    Bad:

        //@version=6
        indicator("Example")
        var float highest = high
        if high > highest
            highest := highest
        plot(highest)

    Good:

        //@version=6
        indicator("Example")
        var float highest = high
        if high > highest
            highest := high
        plot(highest)
    """

    code = "PB1002"
    nodes = (nodes.Reassignment,)

    def visit(self, node: nodes.Node, look: Look) -> Iterator[Diagnostic]:
        """Report `x := x` and `a.b := a.b`."""
        if not isinstance(node, nodes.Reassignment) or node.operator != ":=":
            return
        name = _path(node.target)
        if name is not None and name == _path(node.value):
            yield look.report(self.code, look.span(node), name=name)


def _path(node: nodes.Node) -> str | None:
    """A name, or names joined by dots; None for anything else, which may give another value each time."""
    parts: list[str] = []
    while isinstance(node, nodes.Member):
        parts.append(node.name)
        node = node.object
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, nodes.Name) else None

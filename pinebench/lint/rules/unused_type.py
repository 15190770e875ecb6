"""Rule PB7004: a type or an enum that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class UnusedType(Rule):
    """A type or an enum is declared and its name stands nowhere else. What a library exports counts as used.

    Bad:

        //@version=6
        indicator("Example")
        type Level
            float price
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        type Level
            float price
        level = Level.new(close)
        plot(level.price)
    """

    code = "PB7004"
    nodes = (nodes.TypeDeclaration, nodes.EnumDeclaration)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report declarations whose name stands in no other statement."""
        declared = [*look.of(nodes.TypeDeclaration), *look.of(nodes.EnumDeclaration)]
        if not declared:
            return
        inside = {part: node for node in declared for part in walk(node)}
        for node in declared:
            if node.exported or node.name.id.startswith("_"):
                continue
            named = (name for name in look.qualifying if name.id == node.name.id)
            if all(inside.get(name) is node for name in named):
                yield look.report(self.code, node.name, within=node, name=node.name.id)

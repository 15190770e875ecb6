"""Rule PB7004: a type or an enum that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

    def finish(self, look: Look) -> Iterable[Diagnostic]:
        """Report declarations whose name stands in no other statement."""
        declared = [*look.of(nodes.TypeDeclaration), *look.of(nodes.EnumDeclaration)]
        left = {each.name.id: each for each in declared if not each.exported and not each.name.id.startswith("_")}
        for owner, name in _named(look):
            node = left.get(name)
            if node is not None and node not in look.parents(owner):
                del left[name]
                if not left:
                    break
        return [look.report(self.code, node.name, within=node, name=name) for name, node in left.items()]


def _named(look: Look) -> Iterator[tuple[nodes.Node, str]]:
    """The names that are types or stand before a dot, each below the node that has it."""
    for reference in look.of(nodes.TypeReference):
        if isinstance(reference.name, nodes.Name):
            yield reference, reference.name.id
    for member in look.every_member:
        if isinstance(member.object, nodes.Name):
            yield member, member.object.id

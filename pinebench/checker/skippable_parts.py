"""Finds the parts of a body that may be skipped when it runs: branches, cases, loops, and operands after `and`, `or`,
`?`."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench.syntax import nodes
from pinebench.syntax.walk import children

_ALWAYS = (nodes.FunctionDeclaration, nodes.TypeDeclaration, nodes.EnumDeclaration)
"""Declarations: their bodies do not run where they are written."""


def skippable(statements: Iterable[nodes.Node]) -> frozenset[nodes.Node]:
    """Return the nodes under `statements` that do not run each time the body runs, or that run more than once."""
    found: set[nodes.Node] = set()
    pending: list[tuple[nodes.Node, bool]] = [(statement, False) for statement in statements]
    while pending:
        node, is_skippable = pending.pop()
        if is_skippable:
            found.add(node)
        if isinstance(node, _ALWAYS):
            continue
        below = children(node)
        certain = _certain(node, below)
        pending += [(child, is_skippable or number >= certain) for number, child in enumerate(below)]
    return frozenset(found)


def _certain(node: nodes.Node, below: list[nodes.Node]) -> int:
    """The number of a node's first children that run exactly once whenever the node runs."""
    if isinstance(node, nodes.If | nodes.Ternary):
        return 1
    if isinstance(node, nodes.Binary):
        return 1 if node.operator in ("and", "or") else 2
    # The condition of a `while` and the end of a `for` are evaluated again before each round.
    if isinstance(node, nodes.While):
        return 0
    if isinstance(node, nodes.ForTo):
        return below.index(node.last)
    if isinstance(node, (nodes.ForIn, *nodes.ONE_TIME)):
        return len(below) - len(node.body)
    if isinstance(node, nodes.Switch):
        return 1 if node.subject is None else 2
    if isinstance(node, nodes.Case):
        return 1 if node.condition is not None else 0
    return len(below)

"""The blocks of statements below a node, and the conditions that a node sets for the code inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pinebench.syntax import nodes

if TYPE_CHECKING:
    from pinebench.syntax.nodes import Node

MOST_CONDITIONS = 32
"""The largest number of conditions around a node that are examined, so that long chains of branches do not take too
long."""
_BODIES = (*nodes.ONE_BLOCK, nodes.FunctionDeclaration)
"""The nodes that hold exactly one block of statements."""
_WITH_BLOCKS = frozenset((nodes.If, *_BODIES))


def blocks(node: Node) -> Iterator[list[nodes.Statement]]:
    """Yield the blocks of statements directly below a node."""
    if isinstance(node, nodes.If):
        yield node.body
        if node.otherwise is not None:
            yield node.otherwise
    elif isinstance(node, _BODIES):
        yield node.body


def block_of(above: Any, node: Node) -> list[nodes.Statement] | None:
    """Return the block of `above` that contains its child `node`, or None if the node is not a statement of a block.

    Only positions are compared, because blocks can be long.
    """
    if type(above) not in _WITH_BLOCKS or node.start < above.body[0].start:
        return None
    after = above.otherwise if type(above) is nodes.If else None
    return after if after and node.start >= after[0].start else above.body


def conditions_set(above: Any, below: Node, parent: dict[Node, Node]) -> Sequence[tuple[Node | None, bool]]:
    """Return the conditions that `above` sets for its child `below`, each with the value that it must have for `below`
    to run."""
    kind = type(above)
    if kind is nodes.Case:
        return _conditions_of_arm(above, below, parent[above])
    if kind is nodes.Binary:
        decides = above.operator in ("and", "or") and below is above.right
        return ((above.left, above.operator == "and"),) if decides else ()
    if below is above.condition:
        return ()
    if kind is nodes.If:
        return ((above.condition, block_of(above, below) is above.body),)
    return ((above.condition, kind is not nodes.Ternary or below is above.then),)


def _conditions_of_arm(arm: nodes.Case, below: Node, switch: Node) -> list[tuple[Node | None, bool]]:
    assert isinstance(switch, nodes.Switch)
    if switch.subject is not None:
        return [(None, True)]
    found: list[tuple[Node | None, bool]] = []
    for case in switch.cases:
        if case is arm or len(found) == MOST_CONDITIONS:
            break
        if case.condition is not None:
            found.append((case.condition, False))
    if arm.condition is not None and below is not arm.condition:
        found.append((arm.condition, True))
    return found

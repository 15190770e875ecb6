"""Limits the depth of the tree, so that no recursive reader of the tree runs out of stack.

Chains do not count as nesting: `a + b + c`, `a ? b : c ? d : e` and `else if` get long in real scripts, and readers
handle them in a loop.
"""

from __future__ import annotations

from typing import Any

from pinebench.records import NamedTuple
from pinebench.syntax.faults import Fault
from pinebench.syntax.nodes import Binary, ErrorStatement, If, Node, Statement, Ternary, VariableDeclaration
from pinebench.syntax.walk import children

LIMIT = 100
"""The largest number of levels. The deepest real script known has 20."""


class _Visit(NamedTuple):
    node: Node
    level: int
    block: list[Statement]
    place: int


def cut(body: list[Statement]) -> list[Fault]:
    """Replace the innermost statements of `body` that are nested deeper than LIMIT by bad statements. Return the first
    fault, or an empty list."""
    faults: list[Fault] = []
    replaced: set[tuple[int, int]] = set()
    stack = _block(body, 1)
    while stack:
        visit = stack.pop()
        place = (id(visit.block), visit.place)
        if place in replaced:
            continue
        if visit.level > LIMIT:
            statement = visit.block[visit.place]
            faults.append(Fault("PB0003", statement.start, statement.start, {"limit": str(LIMIT)}))
            _replace(visit.block, visit.place, statement)
            replaced.add(place)
        else:
            stack += _below(visit)
    return faults[:1]


def _block(statements: list[Statement], level: int) -> list[_Visit]:
    return [_Visit(statement, level, statements, index) for index, statement in enumerate(statements)]


def _below(visit: _Visit) -> list[_Visit]:
    node, level, block, place = visit
    found: list[_Visit] = []
    bodies = _bodies(node)
    inside = {id(statement) for part in bodies for statement in part}
    for part in bodies:
        chained = isinstance(node, If) and len(part) == 1 and isinstance(part[0], If) and part is node.otherwise
        found += _block(part, level if chained else level + 1)
    for child in children(node):
        if id(child) in inside:
            continue
        chained = (isinstance(node, Binary) and child is node.left and isinstance(child, Binary)) or (
            isinstance(node, Ternary) and child is node.otherwise and isinstance(child, Ternary)
        )
        found.append(_Visit(child, level if chained else level + 1, block, place))
    return found


def _bodies(node: Node) -> list[list[Statement]]:
    parts: list[Any] = [getattr(node, "body", None), getattr(node, "otherwise", None)]
    return [part for part in parts if isinstance(part, list)]


def _replace(block: list[Statement], index: int, statement: Statement) -> None:
    """Replace `statement` by a bad statement. Of a variable declaration, only the value is replaced."""
    if isinstance(statement, VariableDeclaration) and not isinstance(statement.value, ErrorStatement):
        statement.value = ErrorStatement(statement.value.start, statement.value.end, [], [])
    else:
        block[index] = ErrorStatement(statement.start, statement.end, [], [])

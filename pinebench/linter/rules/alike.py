"""Compares pieces of code, and finds the names and functions that conditions compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pinebench.linter.rules.context import RuleContext, once
from pinebench.syntax import nodes
from pinebench.syntax.walk import bare, walk


def same(first: Any, second: Any) -> bool:
    """Return whether two expressions, statements or lists of them are the same, except for layout and parentheses."""
    kind = first.__class__
    if kind is not second.__class__:
        if kind is not nodes.Parenthesized and second.__class__ is not nodes.Parenthesized:
            return False
    elif kind is nodes.Name:
        return first.id == second.id
    elif kind is nodes.Literal:
        return first.text == second.text
    elif (kind is nodes.Binary and first.operator != second.operator) or (
        kind is nodes.Member and first.name != second.name
    ):
        return False
    pending: list[tuple[Any, Any]] = [(first, second)]
    compared = _COMPARED
    while pending:
        one, other = pending.pop()
        while one.__class__ is nodes.Parenthesized:
            one = one.expression
        while other.__class__ is nodes.Parenthesized:
            other = other.expression
        kind = one.__class__
        if kind is not other.__class__:
            return False
        attributes = compared.get(kind)
        if attributes is not None:
            for name in attributes:
                part, twin = getattr(one, name), getattr(other, name)
                if part.__class__ is str:
                    if part != twin:
                        return False
                else:
                    pending.append((part, twin))
        elif kind is list:
            if len(one) != len(other):
                return False
            pending += zip(one, other, strict=True)
        elif one != other:
            return False
    return True


_COMPARED = {
    kind: tuple(name for name in kind._fields[::-1] if not name.endswith("_start"))  # pyright: ignore[reportPrivateUsage]
    for kind in vars(nodes).values()
    if isinstance(kind, type) and issubclass(kind, nodes.Node)
}
"""The attributes in which nodes of a class can differ, in reverse order. The comparison takes them from the end, so it
compares the functions of two calls before their arguments."""


def names_in(code: nodes.Node | Iterable[nodes.Node]) -> Iterator[nodes.Name]:
    """Yield every name in a piece of code."""
    return (node for node in walk(code) if isinstance(node, nodes.Name))


def is_random(context: RuleContext, node: nodes.Node) -> bool:
    """Return whether an expression can have a different value each time it is evaluated on a bar."""
    return any(context.called(part) == "math.random" for part in walk(node))


def flattened(node: nodes.Node, operator: str) -> list[nodes.Node]:
    """Return the operands of a chain of one operator, such as the conditions joined by `and`, in text order."""
    if type(node) not in _JOINED or (type(node) is nodes.Binary and node.operator != operator):
        return [node]
    found: list[nodes.Node] = []
    pending: list[Any] = [node]
    pop, push = pending.pop, pending.append
    while pending:
        part = pop()
        while True:
            kind = part.__class__
            if kind is nodes.Binary and part.operator == operator:
                push(part.right)
                part = part.left
            elif kind is nodes.Parenthesized:
                part = part.expression
            else:
                break
        found.append(part)
    return found


_JOINED = (nodes.Binary, nodes.Parenthesized)


@once
def chains(context: RuleContext) -> list[tuple[nodes.Binary, list[nodes.Node]]]:
    """Return each complete chain of `and` or `or`, with the conditions that it joins. The result is computed once."""
    found: list[tuple[nodes.Binary, list[nodes.Node]]] = []
    for operator in ("and", "or"):
        for node in context.operations.get(operator, ()):
            above = context.parent.get(node)
            while isinstance(above, nodes.Parenthesized):
                above = context.parent.get(above)
            if isinstance(above, nodes.Binary) and above.operator == operator:
                continue
            found.append((node, flattened(node, operator)))
    return found


COMPARING = ("<", ">", "<=", ">=", "==", "!=")
"""The operators of comparisons."""
Comparands = dict[Any, tuple[object, ...]]
"""The names or functions on both sides of each comparison, as `thing` returns them; None for a literal."""


@once
def comparands(context: RuleContext) -> Comparands:
    """Return a key for each side of each comparison: the name or function in it (see `thing`). The result is computed
    once."""
    found: Comparands = {}
    for operator in COMPARING:
        for node in context.operations.get(operator, ()):
            left, right = node.left, node.right
            found[node] = (
                left.id if type(left) is nodes.Name else thing(left),
                right.id if type(right) is nodes.Name else thing(right),
            )
    return found


def thing(side: Any) -> object:
    """Return a key for the name or function in an expression, or None for a literal. Equal expressions have equal keys,
    and different expressions may have equal keys too."""
    kind = type(side)
    while kind is nodes.Parenthesized or kind is nodes.Call:
        side = side.expression if kind is nodes.Parenthesized else side.callee
        kind = type(side)
    if kind is nodes.Name:
        return side.id
    if kind is nodes.Literal:
        return None
    if kind is nodes.Member:
        return side.name
    return (nodes.History, thing(side.object)) if kind is nodes.History else kind


def outline(node: nodes.Node) -> object:
    """Return a key for a condition from its operator and the names on its sides. Equal conditions have equal keys, and
    different conditions may have equal keys too."""
    if isinstance(node, nodes.Binary):
        return node.operator, _end(node.left), _end(node.right)
    return _end(node)


def _end(node: Any) -> object:
    while node.__class__ is nodes.Parenthesized:
        node = node.expression
    if node.__class__ is nodes.Name:
        return node.id
    return node.text if node.__class__ is nodes.Literal else node.__class__


@once
def ladders(context: RuleContext) -> list[list[nodes.Node]]:
    """Return the conditions of each chain of `? :`, which are tested one after another, and of each `switch` without a
    subject."""
    found: list[list[nodes.Node]] = []
    inner: set[nodes.Node] = set()
    for node in context.of(nodes.Ternary):
        choice = node.otherwise
        if type(choice) is nodes.Parenthesized:
            choice = bare(choice)
        if type(choice) is not nodes.Ternary or node in inner:
            continue
        asked: list[nodes.Node] = [node.condition]
        while type(choice) is nodes.Ternary:
            inner.add(choice)
            asked.append(choice.condition)
            choice = bare(choice.otherwise)
        found.append(asked)
    for switch in context.of(nodes.Switch):
        if switch.subject is None:
            found.append([case.condition for case in switch.cases if case.condition is not None])
    return found

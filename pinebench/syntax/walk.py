"""Walks over the tree without recursion, so that its depth is unlimited, and calls visitors by class of node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any

from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node

Handler = Callable[[Any], object]

CHILDREN: dict[type[Node], tuple[str, ...]] = {
    nodes.Member: ("object",),
    nodes.Call: ("callee", "template", "arguments"),
    nodes.NamedArgument: ("value",),
    nodes.History: ("object", "offset"),
    nodes.Unary: ("operand",),
    nodes.Binary: ("left", "right"),
    nodes.Ternary: ("condition", "then", "otherwise"),
    nodes.Parenthesized: ("expression",),
    nodes.TupleExpression: ("items",),
    nodes.TypeReference: ("name", "arguments"),
    nodes.If: ("condition", "body", "otherwise"),
    nodes.ForTo: ("counter_type", "counter", "first", "last", "step", "body"),
    nodes.ForIn: ("index", "element", "collection", "body"),
    nodes.While: ("condition", "body"),
    nodes.Switch: ("subject", "cases"),
    nodes.Case: ("condition", "body"),
    nodes.Once: ("condition", "body"),
    nodes.VariableDeclaration: ("type", "name", "value"),
    nodes.TupleDeclaration: ("names", "value"),
    nodes.Reassignment: ("target", "value"),
    nodes.ExpressionStatement: ("expression",),
    nodes.FunctionDeclaration: ("name", "parameters", "body"),
    nodes.Parameter: ("type", "name", "default"),
    nodes.TypeDeclaration: ("name", "fields"),
    nodes.Field: ("type", "name", "default"),
    nodes.EnumDeclaration: ("name", "fields"),
    nodes.EnumField: ("name", "value"),
    nodes.Import: ("alias",),
    nodes.ErrorStatement: ("salvaged", "body"),
}
"""The attributes of each class that hold nodes or lists of nodes, in source order. Some classes have none."""


def _only(attribute: str, node: Node) -> tuple[Any]:
    return (getattr(node, attribute),)


_BACKWARDS = {kind: attributes[::-1] for kind, attributes in CHILDREN.items()}
_TYPES = ("type", "counter_type", "template")
"""The attributes that hold types."""


def _values_of(attributes: Iterable[str]) -> Callable[[Any], Iterable[Any]]:
    below = [attribute for attribute in attributes if attribute not in _TYPES]
    return attrgetter(*below) if len(below) > 1 else partial(_only, below[0])


_BELOW = {kind: _values_of(attributes) for kind, attributes in _BACKWARDS.items() if kind is not nodes.TypeReference}
"""Functions that return the children of a node, without types, last attribute first."""
LEAVES = frozenset((nodes.Name, nodes.Literal))
"""The classes of node that contain no nodes. They are most of a tree."""


def bare(node: Node) -> Node:
    """Return the expression inside all parentheses of `node`; `node` itself if it has none."""
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    return node


def children(node: Node) -> list[Node]:
    """Return the nodes directly below `node`, in source order."""
    found: list[Node] = []
    for attribute in CHILDREN.get(type(node), ()):
        value = getattr(node, attribute)
        if type(value) is list:
            found += value
        elif value is not None:
            found.append(value)
    return found


def path_to(level: Iterable[Node], place: int) -> list[Node]:
    """Return the path of nodes below `level` that contain the offset `place`, outermost first. If one node ends and
    another begins at `place`, the path contains the second."""
    path: list[Node] = []
    while inner := [node for node in level if node.start <= place <= node.end]:
        path.append(inner[-1] if place < inner[-1].end else inner[0])
        level = children(path[-1])
    return path


def slots(node: Node) -> Iterator[tuple[str, Node | list[Node]]]:
    """Yield the name and the value of each attribute of `node` that holds nodes, in source order."""
    for attribute in CHILDREN.get(type(node), ()):
        value = getattr(node, attribute)
        if value is not None:
            yield attribute, value


def walk(roots: Node | Iterable[Node]) -> Iterator[Node]:
    """Yield every node of the trees under `roots`, parents before children, in source order."""
    stack: list[Node] = [roots] if isinstance(roots, Node) else list(roots)[::-1]
    pop = stack.pop
    table = _BACKWARDS
    while stack:
        node = pop()
        yield node
        for attribute in table.get(type(node), ()):
            value = getattr(node, attribute)
            if type(value) is list:
                stack += value[::-1]
            elif value is not None:
                stack.append(value)


def branches(roots: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes of `walk` except names and literals, which contain no nodes and make up most of a tree."""
    stack: list[Any] = list(roots)[::-1]
    pop = stack.pop
    table, leaves = _BACKWARDS, LEAVES
    while stack:
        node = pop()
        if node.__class__ in leaves:
            continue
        yield node
        for attribute in table.get(node.__class__, ()):
            value = getattr(node, attribute)
            if type(value) is list:
                stack += value[::-1]
            elif value is not None and type(value) not in leaves:
                stack.append(value)


def parents_in(roots: Iterable[Node]) -> dict[Node, Node]:
    """Return the parent of each node of the trees under `roots`, except the roots themselves."""
    return {child: node for node in walk(roots) for child in children(node)}


def index(
    roots: Iterable[Node],
    kinds: defaultdict[type[Node], list[Node]],
    operations: defaultdict[str, list[nodes.Binary]],
    members: defaultdict[str, list[nodes.Member]],
    parents: dict[Node, Node],
) -> None:
    """Index the trees under `roots` in one walk.

    In source order, each node is added to `kinds` under its class, each binary operation to `operations` under its
    operator, and each member to `members` under its name. `parents` gets the parent of each node. Names, literals and
    types are left out everywhere, and named arguments are only in `parents`.

    For speed, the loop handles calls, operations and declarations, the most frequent nodes, together with their direct
    children, and continues with a node's first child without putting it on the stack.
    """
    leaf, below_of, name = LEAVES, _BELOW, nodes.Name
    call, member, argument = nodes.Call, nodes.Member, nodes.NamedArgument
    binary, declaration, statement = nodes.Binary, nodes.VariableDeclaration, nodes.ExpressionStatement
    add_call = kinds[call].append
    add_declaration, add_statement = kinds[declaration].append, kinds[statement].append
    stack: list[Any] = list(roots)[::-1]
    pop, push = stack.pop, stack.append
    node: Any
    first: Any
    while stack:
        node = pop()
        while True:
            kind = type(node)  # pyright: ignore[reportUnknownVariableType]
            if kind is call:
                add_call(node)
                for child in reversed(node.arguments):
                    below = type(child)  # pyright: ignore[reportUnknownVariableType]
                    if below is argument:
                        parents[child] = node
                        value = child.value
                        if type(value) not in leaf:
                            parents[value] = child
                            push(value)
                    elif below not in leaf:
                        parents[child] = node
                        push(child)
                first = node.callee
                if type(first) is member:
                    members[first.name].append(first)
                    parents[first] = node
                    node, first = first, first.object
                if type(first) is name:
                    break
            elif kind is binary:
                operations[node.operator].append(node)
                first, right = node.left, node.right
                if type(right) not in leaf:
                    parents[right] = node
                    push(right)
                if type(first) in leaf:
                    break
            elif kind is declaration:
                add_declaration(node)
                first = node.value
                if type(first) in leaf:
                    break
            elif kind is member:
                members[node.name].append(node)
                first = node.object
                if type(first) is name:
                    break
            elif kind is statement:
                add_statement(node)
                first = node.expression
                if type(first) in leaf:
                    break
            else:
                kinds[kind].append(node)
                for value in below_of[kind](node) if kind in below_of else ():
                    below = type(value)  # pyright: ignore[reportUnknownVariableType]
                    if below in leaf:
                        continue
                    if below is list:
                        for child in reversed(value):
                            if type(child) not in leaf:
                                parents[child] = node
                                push(child)
                    elif value is not None:
                        parents[value] = node
                        push(value)
                break
            parents[first] = node
            node = first


def visit(roots: Node | Iterable[Node], handlers: Mapping[type[Node], Handler | list[Handler]]) -> None:
    """Walk once and call, for each node, the handler or handlers registered for its class."""
    table: dict[type[Node], list[Handler]] = {
        kind: given if isinstance(given, list) else [given] for kind, given in handlers.items()
    }
    for node in walk(roots):
        for handler in table.get(type(node), ()):
            handler(node)


def depth(roots: Iterable[Node]) -> int:
    """Return the number of nodes on the longest path from a root to a leaf."""
    deepest = 0
    level = list(roots)
    while level:
        deepest += 1
        level = [below for node in level for below in children(node)]
    return deepest

"""What an expression is made of, found once for each tree, and what it was found to mean for given types of its names.

No check changes any of it, so it is kept with the chunk for the checks after the next keystrokes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from pinebench.check.frames import ResolvedCall
    from pinebench.check.types import Type

Key = tuple[object, ...]
"""Everything from outside that decides what an expression means."""


class Meaning(NamedTuple):
    """The type of an expression without faults, the types of its parts, and what its calls mean."""

    type: Type
    types: Mapping[nodes.Node, Type]
    calls: Mapping[nodes.Node, ResolvedCall]


class Parts:
    """The names that an expression reads, its calls and history references, each in source order, parents first.

    `structures` are those that stand in it, which open scopes of their own and whose parts are not listed; `branches`
    says whether some of it may be skipped: behind `and` and `or`, or in a ternary's branch. `identifiers` are all words
    in it that a declaration could give another meaning, None where more than those and the types of its names decide
    what it means; `meanings` are those it had so far. Both are None until a second check of the tree shows that it pays
    to keep them.
    """

    __slots__ = ("branches", "calls", "histories", "identifiers", "meanings", "names", "structures")

    def __init__(
        self,
        names: list[nodes.Name],
        calls: list[nodes.Call],
        histories: list[nodes.History],
        structures: list[nodes.Node],
        branches: bool,
    ) -> None:
        self.names = tuple(names)
        self.calls = tuple(calls)
        self.histories = tuple(histories)
        self.structures = tuple(structures)
        self.branches = branches
        self.identifiers: frozenset[str] | None = None
        self.meanings: dict[Key, Meaning] | None = None

    def remember(self) -> None:
        """Keep from now on what the expression is found to mean."""
        self.identifiers = None if self.structures else _identifiers(self.names, self.calls)
        self.meanings = {}


def _identifiers(names: Iterable[nodes.Name], calls: Iterable[nodes.Call]) -> frozenset[str] | None:
    """The words of an expression; None where a call changes or reads the state of the check."""
    words = {name.id for name in names}
    for call in calls:
        callee = call.callee
        if call.template is not None:
            words |= {node.id for node in walk(call.template) if isinstance(node, nodes.Name)}
        if isinstance(callee, nodes.Member):
            words.add(callee.name)
        elif isinstance(callee, nodes.Name) and callee.id not in _DECLARATIONS:
            words.add(callee.id)
        else:
            return None
    return None if "request" in words else frozenset(words)


_DECLARATIONS = frozenset(("indicator", "strategy", "library"))


def parts_of(expression: nodes.Node) -> Parts:
    """What `expression` is made of."""
    names: list[nodes.Name] = []
    calls: list[nodes.Call] = []
    histories: list[nodes.History] = []
    structures: list[nodes.Node] = []
    branches = False
    stack: list[Any] = [expression]
    pop, push = stack.pop, stack.append
    while stack:
        node = pop()
        kind = node.__class__
        if kind is nodes.Name:
            names.append(node)
        elif kind is nodes.Literal:
            continue
        elif kind is nodes.Call:
            calls.append(node)
            stack += node.arguments[::-1]
            if node.callee.__class__ is not nodes.Name:
                push(node.callee)
        elif kind is nodes.Member:
            push(node.object)
        elif kind is nodes.NamedArgument:
            push(node.value)
        elif kind is nodes.Binary:
            branches = branches or node.operator in _LOGICAL
            push(node.right)
            push(node.left)
        elif kind is nodes.History:
            histories.append(node)
            push(node.offset)
            push(node.object)
        elif kind is nodes.Ternary:
            branches = True
            stack += (node.otherwise, node.then, node.condition)
        elif kind is nodes.Parenthesized:
            push(node.expression)
        elif kind is nodes.Unary:
            push(node.operand)
        elif kind is nodes.TupleExpression:
            stack += node.items[::-1]
        elif kind is not nodes.TypeReference:
            structures.append(node)
    return Parts(names, calls, histories, structures, branches)


_LOGICAL = ("and", "or")

"""Finds the loops of a script that contain a line, for errors about runs that take too long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from pinebench.checker import FLOAT, INT, Program
from pinebench.runtime.faults import StackFrame
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_NUMBERS = (INT, FLOAT)
_CALLED = frozenset(
    "nz na int float bool math.abs math.acos math.asin math.atan math.avg math.ceil math.cos math.exp math.floor "
    "math.log math.log10 math.max math.min math.pow math.random math.sign math.sin math.sqrt math.tan".split()
)
"""Built-in functions that never stop a script."""
_HARMLESS = (
    nodes.Name,
    nodes.Unary,
    nodes.Ternary,
    nodes.Parenthesized,
    nodes.TypeReference,
    nodes.If,
    nodes.While,
    nodes.Switch,
    nodes.Case,
    nodes.VariableDeclaration,
    nodes.ExpressionStatement,
    nodes.Break,
    nodes.Continue,
)
"""Nodes that never stop a script by themselves."""
_OF_CONDITIONS = (nodes.Name, nodes.Literal, nodes.Unary, nodes.Binary, nodes.Parenthesized)
Span = tuple[int, int]
"""The first and the last line of a loop or of its body."""


class Loops:
    """The loops of a script, found when they are first needed."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def cut(self, stack: list[StackFrame]) -> list[StackFrame]:
        """Cut the stack so that it begins at the first line of the loop that takes the time.

        That loop is the innermost endless loop, or else the innermost loop. Only loops of the script are considered,
        not of its libraries. If no loop is found, return the stack unchanged.
        """
        return self._cut(stack, self._endless) or self._cut(stack, self._all) or stack

    def is_endless(self, call: StackFrame) -> bool:
        """Return whether the line of a running call belongs to a loop that certainly never ends.

        This is a `while` without a `break`, whose body changes nothing that its condition reads, and does nothing that
        can stop a script. The result is False if this cannot be proved.
        """
        return call.library is None and any(first <= call.line <= last for first, last in self._endless)

    def _cut(self, stack: list[StackFrame], loops: list[Span]) -> list[StackFrame]:
        for place, call in enumerate(stack):
            firsts = [first for first, last in loops if first <= call.line <= last and call.library is None]
            if firsts:
                return [call._replace(line=max(firsts)), *stack[place + 1 :]]
        return []

    @cached_property
    def _all(self) -> list[Span]:
        loops = (nodes.ForTo, nodes.ForIn, nodes.While)
        return [self._lines(begin, node) for begin, node in self._nodes() if isinstance(node, loops)]

    @cached_property
    def _endless(self) -> list[Span]:
        return [
            self._lines(begin, node)
            for begin, node in self._nodes()
            if isinstance(node, nodes.While) and _is_endless(self._program, node)
        ]

    def _nodes(self) -> Iterator[tuple[int, nodes.Node]]:
        for chunk in self._program.document.chunks:
            for node in walk(chunk.body):
                yield chunk.start, node

    def _lines(self, begin: int, node: nodes.Node) -> Span:
        line = self._program.document.lines.position
        return line(begin + node.start).line, line(begin + node.end).line


def _is_endless(program: Program, loop: nodes.While) -> bool:
    read = {node.id for node in walk(loop.condition) if isinstance(node, nodes.Name)}
    changed = {
        node.target.id
        for node in walk(loop.body)
        if isinstance(node, nodes.Reassignment) and isinstance(node.target, nodes.Name)
    }
    return (
        all(isinstance(node, _OF_CONDITIONS) for node in walk(loop.condition))
        and not read & changed
        and not _is_left(loop.body)
        and _goes_on(program, loop.body, frozenset())
    )


def _is_left(body: Iterable[nodes.Node]) -> bool:
    """Whether a `break` ends the loop with this body."""
    inner = [node for node in walk(body) if isinstance(node, nodes.While | nodes.ForTo | nodes.ForIn)]
    of_others = {part for loop in inner for part in walk(loop.body)}
    return any(isinstance(node, nodes.Break) and node not in of_others for node in walk(body))


def _goes_on(program: Program, code: Iterable[nodes.Node], callers: frozenset[str]) -> bool:
    """Whether nothing in the code can stop a script. The code of the functions `callers` is being looked at."""
    members = {node.callee for node in walk(code) if isinstance(node, nodes.Call)}
    return all(node in members or _is_harmless(program, node, callers) for node in walk(code))


def _is_harmless(program: Program, node: nodes.Node, callers: frozenset[str]) -> bool:
    match node:
        case nodes.Literal():
            return node.kind != "string"
        case nodes.Binary():
            # A text that grows stops a script.
            return node.operator != "+" or _is_number(program, node)
        case nodes.Reassignment():
            grows = node.operator == "+=" and not _is_number(program, node.target)
            return isinstance(node.target, nodes.Name) and not grows
        case nodes.ForTo():
            return node.step is None
        case nodes.Call():
            return _call_goes_on(program, node, callers)
        case _:
            return isinstance(node, _HARMLESS)


def _is_number(program: Program, node: nodes.Node) -> bool:
    type_ = program.type_of(node)
    return type_ is not None and type_.base in _NUMBERS


def _call_goes_on(program: Program, call: nodes.Call, callers: frozenset[str]) -> bool:
    callee = call.callee
    if isinstance(callee, nodes.Member) and isinstance(callee.object, nodes.Name):
        name = f"{callee.object.id}.{callee.name}"
        return name in _CALLED and not program.imports
    if not isinstance(callee, nodes.Name):
        return False
    own = program.functions.get(callee.id)
    if own is None:
        return callee.id in _CALLED
    if callee.id in callers:
        return False
    return all(_goes_on(program, one.node.body, callers | {callee.id}) for one in own)

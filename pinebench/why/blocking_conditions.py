"""Finds the conditions, with their values, that kept some code of a script from running on a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from pinebench.checker import FunctionSymbol, Program
from pinebench.syntax import nodes
from pinebench.syntax.walk import parents_in, walk
from pinebench.why.why import ExpressionPart, ExpressionWatch, Tree, fill, reasons_of, written

_MOST_WAYS = 20
_DEEPEST = 8


class Guard(NamedTuple):
    """A condition that must have the value `wanted` for the code inside it to run.

    With `subject`, the condition is a case of a switch: it must equal the subject if `wanted` is True, else differ from
    it. `place` names the guarded part of the script for messages.
    """

    node: nodes.Node
    wanted: bool
    place: str
    subject: nodes.Node | None = None
    arguments: Mapping[str, nodes.Node] = MappingProxyType({})
    """The arguments of the call that leads to the code, by the parameters that the condition reads."""
    is_loop: bool = False
    """Whether the guard is a limit of a loop or the collection that it goes through, and not a condition."""


class Barrier(NamedTuple):
    """The condition that kept some code from running: its line, sentences (nearest cause last), and its parts."""

    line: int
    reasons: list[str]
    part: ExpressionPart | None


class BlockingConditions:
    """The conditions around some code, and, after a run, the conditions that kept the code from running. Create it
    before the run, so that the values of the conditions are recorded."""

    def __init__(
        self, program: Program, node: nodes.Node, watch: ExpressionWatch, own: Callable[[int], int] | None = None
    ) -> None:
        """Watch the conditions around `node` with `watch`. `own` maps a line of the program to a line of the user's
        script."""
        self._program = program
        self._watch = watch
        self._parents = parents_in(statement for chunk in program.document.chunks for statement in chunk.body)
        self.ways = list(self._ways(node, 0))
        """For each way to the code through calls of functions, the conditions from the outermost to the innermost."""
        self._parts: dict[nodes.Node, ExpressionPart] = {}
        for guard in (guard for way in self.ways for guard in way):
            for each in (guard.node, guard.subject, *guard.arguments.values()):
                if each is not None and each not in self._parts:
                    self._parts[each] = Tree(program, watch, own).part(each)

    def barriers(self, bar: int) -> list[Barrier]:
        """Return, for each path to the code, the condition that blocked it on the bar. The list is empty if a path was
        open."""
        found: list[Barrier] = []
        for part in self._parts.values():
            fill(part, self._watch)
        for way in self.ways:
            barrier = next((one for guard in way if (one := self._barrier(guard, bar)) is not None), None)
            if barrier is None:
                return []
            found.append(barrier)
        return found

    def _barrier(self, guard: Guard, bar: int) -> Barrier | None:
        part = self._parts[guard.node]
        if guard.is_loop:
            return _limit(part, bar)
        if not part.evaluated:
            words = f"{part.text} was not evaluated on this bar"
            return Barrier(part.line, [f"line {part.line}: {words}"], part)
        value = part.value
        if guard.subject is not None:
            subject = self._parts[guard.subject]
            if (value == subject.value) == guard.wanted:
                return None
            is_, of = written(subject.value), written(value)
            words = (
                f"{subject.text} is {is_}, and {guard.place} needs {'' if guard.wanted else 'another value than '}{of}"
            )
            return Barrier(part.line, [f"line {part.line}: {words}"], subject)
        if bool(value) == guard.wanted:
            return None
        is_ = "false" if guard.wanted else "true"
        told = [f"line {part.line}: {guard.place} did not run, because {part.text} is {is_}"]
        told += [one for one in reasons_of(part, bar) if one != f"{part.text} is false"]
        for name, node in guard.arguments.items():
            given = self._parts[node]
            told += [f"{name} is {given.text}", *reasons_of(given, bar)]
            part = given
        return Barrier(part.line, told, part)

    def _ways(self, node: nodes.Node, depth: int) -> Iterator[list[Guard]]:
        guards, function = self._around(node)
        if function is None:
            yield guards
            return
        if depth == _DEEPEST:
            return
        count = 0
        for call in calls_of(self._program, function):
            for way in self._ways(call, depth + 1):
                if count == _MOST_WAYS:
                    return
                count += 1
                given = arguments_of(call, function)
                yield way + [_with_arguments(guard, given) for guard in guards]

    def _around(self, node: nodes.Node) -> tuple[list[Guard], nodes.FunctionDeclaration | None]:
        """The conditions around a node, the outermost first, and the function that contains it."""
        found: list[Guard] = []
        child, parent = node, self._parents.get(node)
        while parent is not None:
            if isinstance(parent, nodes.FunctionDeclaration):
                return found[::-1], parent
            found += reversed(list(_guards(parent, child, self._parents.get(parent))))
            child, parent = parent, self._parents.get(parent)
        return found[::-1], None


def _limit(part: ExpressionPart, bar: int) -> Barrier | None:
    """The barrier if a limit of a loop is na, or if the array that it goes through is empty."""
    if not part.evaluated or (part.value is not None and not is_empty(part.value)):
        return None
    words = f"the loop did not run, because {part.text} is {'na' if part.value is None else 'empty'}"
    return Barrier(part.line, [f"line {part.line}: {words}", *reasons_of(part, bar)], part)


def is_empty(value: object) -> bool:
    """Return whether a plain value stands for an empty array."""
    return isinstance(value, str) and value.startswith("array of 0:")


def calls_of(program: Program, function: nodes.FunctionDeclaration) -> Iterator[nodes.Call]:
    """Yield the calls of a function in the script."""
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Call):
                symbol = program.symbol_of(node.callee)
                if isinstance(symbol, FunctionSymbol) and symbol.node is function:
                    yield node


def _guards(parent: nodes.Node, child: nodes.Node, above: nodes.Node | None) -> Iterator[Guard]:
    """The conditions that `parent` sets for its child, in the order in which they are evaluated."""
    if isinstance(parent, nodes.ForIn) and child is not parent.collection:
        yield Guard(parent.collection, True, "the loop", is_loop=True)
    elif isinstance(parent, nodes.ForTo) and child in parent.body:
        yield from (Guard(each, True, "the loop", is_loop=True) for each in (parent.first, parent.last))
    elif isinstance(parent, nodes.If) and child is not parent.condition:
        is_then = child in parent.body
        yield Guard(parent.condition, is_then, "the if block" if is_then else "its else part")
    elif isinstance(parent, nodes.Ternary) and child is not parent.condition:
        is_then = child is parent.then
        yield Guard(parent.condition, is_then, "the value after ?" if is_then else "the value after :")
    elif isinstance(parent, nodes.Binary) and parent.operator in ("and", "or") and child is parent.right:
        yield Guard(parent.left, parent.operator == "and", f"the part after {parent.operator}")
    elif isinstance(parent, nodes.While) and child is not parent.condition:
        yield Guard(parent.condition, True, "the loop")
    elif isinstance(parent, nodes.Once) and parent.condition is not None and child is not parent.condition:
        yield Guard(parent.condition, True, "the once block")
    elif isinstance(parent, nodes.Case) and isinstance(above, nodes.Switch) and child is not parent.condition:
        subject = above.subject if not isinstance(above.subject, nodes.ErrorStatement) else None
        for case in above.cases:
            if case is parent:
                break
            if case.condition is not None:
                yield Guard(case.condition, False, "a later case", subject)
        if parent.condition is not None:
            yield Guard(parent.condition, True, "this case", subject)


def arguments_of(call: nodes.Call, function: nodes.FunctionDeclaration) -> dict[str, nodes.Node]:
    """Return the arguments of a call by parameter name. In a method call, the receiver is the first parameter's
    argument and is left out."""
    names = [parameter.name.id for parameter in function.parameters]
    if function.is_method and isinstance(call.callee, nodes.Member) and len(call.arguments) < len(names):
        names = names[1:]
    found: dict[str, nodes.Node] = {}
    for name, argument in zip(names, call.arguments, strict=False):
        if isinstance(argument, nodes.NamedArgument):
            break
        found[name] = argument
    return found | {one.name: one.value for one in call.arguments if isinstance(one, nodes.NamedArgument)}


def _with_arguments(guard: Guard, given: Mapping[str, nodes.Node]) -> Guard:
    """The guard, with the arguments for the parameters that its condition reads."""
    read = {node.id for node in walk(guard.node) if isinstance(node, nodes.Name)}
    return guard._replace(arguments={**guard.arguments, **{n: node for n, node in given.items() if n in read}})

"""A checked script as rules see it: its nodes by class, what is above each, and what its names and calls mean.

All of it comes from one walk and from what the check kept; each further fact is found when a rule first asks for it and
is found once for all rules.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pinebench import codes, reference
from pinebench.checker.builtins import Signature
from pinebench.checker.constants import Unfolded, literal_value
from pinebench.checker.display import path_of
from pinebench.checker.symbols import FunctionSymbol, ImportSymbol, VariableSymbol
from pinebench.checker.types import CONST, NA
from pinebench.diagnostics import Span
from pinebench.syntax import nodes
from pinebench.syntax.walk import CHILDREN, LEAVES, branches, index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pinebench.checker import Program
    from pinebench.checker.constants import Value
    from pinebench.checker.frames import Frame
    from pinebench.checker.types import Type
    from pinebench.diagnostics import Diagnostic, Fix
    from pinebench.linter.rules.rule import Options, OptionValue, Rule
    from pinebench.syntax.nodes import Node

_Kind = TypeVar("_Kind", bound="Node")
_Fact = TypeVar("_Fact")

MOST_CONDITIONS = 32
"""So many conditions around a node are looked at, that long chains of branches cost no more than they must."""
LOOPS = (nodes.ForTo, nodes.ForIn, nodes.While)
_STANDING = (nodes.Name, nodes.Parenthesized)
_JUMPS = (nodes.Break, nodes.Continue)
_BODIES = (nodes.ForTo, nodes.ForIn, nodes.While, nodes.Case, nodes.Once, nodes.FunctionDeclaration)
"""What holds one block of statements."""
_WITH_BLOCKS = frozenset((nodes.If, *_BODIES))
_FAR = 8
"""So many levels up are gone each time that they are asked for; of more is kept what was found."""
_CONDITIONAL = frozenset((nodes.Binary, nodes.If, nodes.Ternary, nodes.While, nodes.Once, nodes.Case))
"""What may set a condition for what stands in it."""


_START = attrgetter("start")
_tuple = tuple.__new__
"""Makes a named tuple as its class does, without the call in between: rules report much."""


class _found(Generic[_Fact]):
    """A property that is found when it is first asked for. (That of `functools` takes a lock until Python 3.12.)"""

    def __init__(self, find: Callable[[RuleContext], _Fact]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    def __get__(self, context: RuleContext, _owner: type[RuleContext]) -> _Fact:
        found = self._find(context)
        setattr(context, self._find.__name__, found)  # where its own attributes are, and not in a dict
        return found


class RuleContext:
    """One script under the eyes of the rules.

    `parent` holds the node above each node but the outermost statements, names, literals and types; `above` tells that
    of a name or literal, too, for which the whole tree is gone through once more. So a method that asks where such a
    node stands takes, as `within`, a larger one around it.
    """

    def __init__(self, program: Program, options: Options | None = None) -> None:
        self.program = program
        self._variables = program.bindings.variables
        self._resolved = program.resolved_calls
        self._options = options or {}
        self._facts: dict[Callable[[RuleContext], Any], Any] = {}
        self._values: dict[VariableSymbol, tuple[bool, Value]] = {}
        self.nodes: defaultdict[type[Node], list[Node]] = defaultdict(list)
        """The nodes of each class, in text order; but for names, literals, operations, members, named arguments and
        what types are written with."""
        self.operations: defaultdict[str, list[nodes.Binary]] = defaultdict(list)
        """The operations with two operands by their operator, in text order."""
        self.members: defaultdict[str, list[nodes.Member]] = defaultdict(list)
        """The members by their last name, each group in text order."""
        self.parent: dict[Node, Node] = {}
        self._offsets: dict[Node, int] = {
            statement: chunk.start for chunk in program.document.chunks for statement in chunk.body
        }
        self.statements: list[Node] = list(self._offsets)
        """The outermost statements, in text order."""
        index(self.statements, self.nodes, self.operations, self.members, self.parent)
        self.builtin_calls: dict[str, list[nodes.Call]] = self._find_builtin_calls()
        """The calls of each built-in function by its name."""
        self.reads: dict[VariableSymbol, list[Node]] = {}
        """The names that read each variable, in text order; what is not read has no entry."""
        self.writes: dict[VariableSymbol, list[nodes.Reassignment]] = {}
        """The assignments to each variable after its declaration."""
        self.reads_before: dict[nodes.Reassignment, int] = {}
        """How many of the reads of a variable stand before what an assignment to it gives it."""
        self._note_uses()
        self._places: dict[Node, tuple[Sequence[Node], int]] = {}
        self._frames: dict[nodes.FunctionDeclaration, Frame] = {}
        self._calls: dict[tuple[str, ...], list[nodes.Call]] = {}
        self._known_facts: dict[Node, list[tuple[Node, bool]]] = {}

    def once(self, fact: Callable[[RuleContext], _Fact]) -> _Fact:
        """What `fact` finds out about this script; it is asked only the first time."""
        if fact not in self._facts:
            self._facts[fact] = fact(self)
        return self._facts[fact]

    # what a rule says, and how it is set

    def report(
        self, code: str, node: Node | Span, fix: Fix | None = None, within: Node | None = None, **values: object
    ) -> Diagnostic:
        """A finding of `code` at a node or place, whose message is made from `values` and which keeps them."""
        if isinstance(node, Span):
            return codes.finding(code, node, values, fix=fix)
        offset = self.offset(within or node)
        place = _tuple(Span, (offset + node.start, offset + node.end))
        return codes.finding(code, place, values, fix=fix)

    def option(self, rule: Rule, name: str) -> OptionValue:
        """The value of an option of `rule`: what was set, else its default."""
        return self._options.get(rule.code, {}).get(name, rule.options[name].default)

    # places

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        """Every node of a class that `nodes` has, in text order."""
        return self.nodes.get(kind, [])  # pyright: ignore[reportReturnType]

    def above(self, node: Node) -> Node | None:
        """The node above any node; None for an outermost statement."""
        return self._above_leaves.get(node) if type(node) in LEAVES else self.parent.get(node)

    @_found
    def _above_leaves(self) -> dict[Node, Node]:
        """The node above each name and literal."""
        found: dict[Node, Node] = {}
        named = [each for each in self.parent if type(each) is nodes.NamedArgument]
        operations = [node for group in self.operations.values() for node in group]
        others = ((nodes.NamedArgument, named), (nodes.Binary, operations), (nodes.Member, self.every_member))
        for kind, group in (*self.nodes.items(), *others):
            for attribute in CHILDREN.get(kind, ()):
                for node in group:
                    value = getattr(node, attribute)
                    if type(value) in LEAVES:
                        found[value] = node
                    elif type(value) is list:
                        found.update((child, node) for child in value if type(child) in LEAVES)
        return found

    def parents(self, node: Node) -> Iterator[Node]:
        """The nodes above `node`, the nearest first."""
        above, parent = self.above(node), self.parent
        while above is not None:
            yield above
            above = parent.get(above)

    def offset(self, node: Node) -> int:
        """Where the chunk of `node` begins, from which its places count."""
        known, parent = self._offsets, self.parent
        if type(node) in LEAVES:
            symbol = self._variables.get(node)
            if symbol is not None and symbol.name_node is node:
                return symbol.offset
            node = self._above_leaves[node]
        above, steps = node, 0
        while (offset := known.get(above)) is None:
            above = parent[above]
            steps += 1
        if steps > _FAR:
            while node is not above:
                known[node] = offset
                node = parent[node]
        return offset

    def span(self, node: Node, within: Node | None = None) -> Span:
        """Where a node stands in the whole text."""
        offset = self.offset(within or node)
        return Span(offset + node.start, offset + node.end)

    def text(self, node: Node) -> str:
        """The text of a node."""
        if isinstance(node, nodes.Name):
            return node.id
        if isinstance(node, nodes.Literal):
            return node.text
        start, end = self.span(node)
        return self.program.document.text[start:end]

    def shown(self, node: Node, most: int = 40) -> str:
        """The text of a node as messages show it: on one line, and cut where it is long."""
        text = " ".join(self.text(node).split())
        return text if len(text) <= most else text[: most - 1] + "…"

    def statement(self, node: Node) -> Node:
        """The innermost statement that `node` is or belongs to."""
        parent, above = self.parent, self.above(node)
        while above is not None and block_of(above, node) is None:
            node, above = above, parent.get(above)
        return node

    def block(self, statement: Node) -> Sequence[Node]:
        """The statements of the block in which a statement stands, itself included."""
        above = self.parent.get(statement)
        if above is None:
            return self.statements
        return block_of(above, statement) or [statement]

    def place(self, statement: Node) -> tuple[Sequence[Node], int]:
        """The statements of the block in which a statement stands, and which of them it is."""
        known = self._places.get(statement)
        if known is None:
            block, offsets = self.block(statement), self._offsets
            if block is self.statements:
                wanted = offsets[statement] + statement.start
                number = bisect_left(self.statements, wanted, key=lambda each: offsets[each] + each.start)
            else:
                number = bisect_left(block, statement.start, key=_START)
            known = self._places[statement] = (block, number)
        return known

    def function(self, node: Node) -> nodes.FunctionDeclaration | None:
        """The function of whose body `node` is part."""
        parent = self.parent
        below, above = node, self.above(node)
        while above is not None:
            if type(above) is nodes.FunctionDeclaration:
                return above if block_of(above, below) is not None else None
            below, above = above, parent.get(above)
        return None

    def loops(self, node: Node) -> list[nodes.ForTo | nodes.ForIn | nodes.While]:
        """The loops that run `node` again and again, the innermost first, up to the function that it stands in."""
        found: list[nodes.ForTo | nodes.ForIn | nodes.While] = []
        parent = self.parent
        below, above = node, self.above(node)
        while above is not None and type(above) is not nodes.FunctionDeclaration:
            if isinstance(above, LOOPS) and (isinstance(above, nodes.While) or block_of(above, below) is not None):
                found.append(above)
            below, above = above, parent.get(above)
        return found

    # names

    def symbol(self, node: Node | None) -> VariableSymbol | None:
        """The variable that a name means; None for everything else."""
        return self._variables.get(node)  # pyright: ignore[reportArgumentType]

    def _note_uses(self) -> None:
        reads, writes = self.reads, self.writes
        assigned: dict[Node, nodes.Reassignment] = {each.target: each for each in self.of(nodes.Reassignment)}
        for node, symbol in self._variables.items():
            if node in assigned:
                write = assigned[node]
                writes.setdefault(symbol, []).append(write)
                self.reads_before[write] = len(reads.get(symbol, ()))
            elif symbol in reads:
                reads[symbol].append(node)
            elif node is not symbol.name_node:  # which comes before the others, but where the name of an element does
                reads[symbol] = [node]

    @_found
    def unread(self) -> list[VariableSymbol]:
        """The variables that nothing reads, in text order."""
        reads = self.reads
        return [symbol for symbol in self.program.bindings.symbols if symbol not in reads]

    def builtin_name(self, name: str) -> list[Node]:
        """Where a built-in variable or constant stands, by its dotted name, in text order."""
        last = name.rpartition(".")[2]
        if last != name:
            if last not in self.members:
                return []
            return [each for each in self.members[last] if path(each) == name and self.is_builtin(each)]
        if name not in self.program.document.text:
            return []
        found = (each for each in self._names if each.id == name and each not in self._variables)
        return sorted(found, key=self.span)

    @_found
    def every_member(self) -> list[nodes.Member]:
        """All members, those of one name after those of another."""
        return [member for group in self.members.values() for member in group]

    def is_builtin(self, member: nodes.Member) -> bool:
        """Whether a dotted name begins with a namespace, and not with a variable."""
        root: Node = member
        while isinstance(root, nodes.Member):
            root = root.object
        return isinstance(root, nodes.Name) and root not in self._variables

    @_found
    def types(self) -> list[tuple[nodes.TypeReference, Node]]:
        """The types that are written, those in others included, each with the node that has it, in no order."""
        typed = [*self.of(nodes.VariableDeclaration), *self.of(nodes.Parameter), *self.of(nodes.Field)]
        found: list[tuple[nodes.TypeReference, Node]] = [(each.type, each) for each in typed if each.type is not None]
        found += [(each.counter_type, each) for each in self.of(nodes.ForTo) if each.counter_type is not None]
        found += [(type_, call) for call in self.of(nodes.Call) if call.template for type_ in call.template]
        for type_, owner in found:
            found += [(inner, owner) for inner in type_.arguments or ()]
        return found

    @_found
    def _names(self) -> list[nodes.Name]:
        """Every name, in no order."""
        return [node for node in self._above_leaves if isinstance(node, nodes.Name)]

    def value_node(self, node: Node) -> Node:
        """What an expression stands for: without parentheses, and for a variable that never changes its value."""
        if type(node) not in _STANDING:
            return node
        for _ in range(20):
            if isinstance(node, nodes.Parenthesized):
                node = node.expression
                continue
            if type(node) is not nodes.Name:
                return node
            symbol = self._variables.get(node)
            if symbol is None or symbol.reassignments or symbol.kind != "variable" or symbol.value is None:
                return node
            if symbol.mode is not None or not isinstance(symbol.declaration, nodes.VariableDeclaration):
                return node
            node = symbol.value
        return node

    # calls

    def calls(self, *names: str) -> list[nodes.Call]:
        """The calls of built-in functions by these names; methods count by their function's name."""
        known = self.builtin_calls
        if len(names) == 1:
            return known.get(names[0], [])
        found = self._calls.get(names)
        if found is None:
            found = self._calls[names] = [call for name in names if name in known for call in known[name]]
        return found

    def _find_builtin_calls(self) -> dict[str, list[nodes.Call]]:
        resolved = self._resolved
        found: defaultdict[str, list[nodes.Call]] = defaultdict(list)
        for call in self.of(nodes.Call):
            meaning = resolved.get(call)
            if meaning is not None and isinstance(target := meaning.target, Signature):
                found[target.name].append(call)
        return dict(found)

    def called(self, node: Node | None) -> str | None:
        """The name of the built-in function that a node calls; None for everything else."""
        if type(node) is not nodes.Call:
            return None
        meaning = self._resolved.get(node)  # pyright: ignore[reportArgumentType]
        return meaning.target.name if meaning is not None and isinstance(meaning.target, Signature) else None

    def called_function(self, node: Node) -> FunctionSymbol | None:
        """The script's or a library's function that a node calls."""
        if type(node) is not nodes.Call:
            return None
        meaning = self._resolved.get(node)
        return meaning.target if meaning is not None and isinstance(meaning.target, FunctionSymbol) else None

    def declares(self, function: FunctionSymbol) -> bool:
        """Whether a function is one of this script, not of a library."""
        return function.node in self._offsets

    def only_gives_a_value(self, code: Node) -> bool:
        """Whether code assigns nothing, and the functions that it calls do nothing but give a value."""
        for part in branches((code,)):
            kind = type(part)
            if kind is nodes.Reassignment or (kind is nodes.Call and self._does_something(part)):
                return False
        return True

    def _does_something(self, call: Node) -> bool:
        meaning = self._resolved.get(call)
        if meaning is None or isinstance(meaning.target, ImportSymbol):
            return True
        if isinstance(meaning.target, Signature):
            return not gives_a_value(meaning.target.name)
        if isinstance(meaning.target, FunctionSymbol):
            if meaning.target in self._acting:
                return True
            effects = self.program.effects_of(meaning.frame) if meaning.frame is not None else None
            return effects is None or bool(effects.changes or effects.mutates)
        return False

    @_found
    def _acting(self) -> set[FunctionSymbol]:
        """The functions of which it is seen without a closer look that they do something, as of most whose value nobody
        takes: they, or some that they call, assign a field or call a function that does more than give a value."""
        pending: list[Node] = [each for each in self.of(nodes.Reassignment) if type(each.target) is nodes.Member]
        pending += [call for name, group in self.builtin_calls.items() if not gives_a_value(name) for call in group]
        if self.program.bindings.imports:
            pending += [call for call, meaning in self._resolved.items() if type(meaning.target) is ImportSymbol]
        found = {function for function in self.call_sites if not self.declares(function) and _assigns_a_field(function)}
        pending += [site for function in found for site in self.call_sites[function]]
        parent, function_of, seen = self.parent, self.program.bindings.function_of, set[Any]()
        while pending:
            below = pending.pop()
            above: Any = parent.get(below)
            while above is not None and above not in seen:
                seen.add(above)
                if type(above) is nodes.FunctionDeclaration:
                    found.add(function_of[above])
                    pending += self.call_sites.get(function_of[above], ())
                above = parent.get(above)
        return found

    def given(self, call: Node) -> Mapping[str, Node]:
        """The arguments of a call by their parameters."""
        meaning = self._resolved.get(call)
        return meaning.arguments if meaning is not None else {}

    def argument(self, call: Node, parameter: str) -> Node | None:
        """The argument that a call gives for a parameter; None where it gives none."""
        meaning = self._resolved.get(call)
        return meaning.arguments.get(parameter) if meaning is not None else None

    @_found
    def call_sites(self) -> dict[FunctionSymbol, list[nodes.Call]]:
        """The calls of each of the script's functions."""
        found: dict[FunctionSymbol, list[nodes.Call]] = {}
        for call, meaning in self._resolved.items():
            if isinstance(meaning.target, FunctionSymbol) and isinstance(call, nodes.Call):
                found.setdefault(meaning.target, []).append(call)
        return found

    @_found
    def declaration(self) -> nodes.Call | None:
        """The call of `indicator()`, `strategy()` or `library()`."""
        return next(iter(self.calls("indicator", "strategy", "library")), None)

    @property
    def kind(self) -> str:
        """What the script is: `indicator`, `strategy`, `library`, or empty where nothing says so."""
        return self.called(self.declaration) or ""

    def setting(self, parameter: str) -> tuple[bool, Value]:
        """Whether the declaration gives a parameter a value that is known before the script runs, and that value."""
        given = self.argument(self.declaration, parameter) if self.declaration is not None else None
        return self.value(given) if given is not None else (False, None)

    # types and values

    def value(self, node: Any) -> tuple[bool, Value]:
        """Whether the value of an expression is known before the script runs, and that value (None is na)."""
        kind = type(node)
        if kind is nodes.Literal:
            return _value_of(node)
        if self._is_computed(node):
            return False, None
        symbol = self._variables.get(node)
        if symbol is None:
            return self.program.value_of(node, self.program.frame)
        if symbol not in self._values:
            self._values[symbol] = self.program.value_of(node, self.program.frame)
        return self._values[symbol]

    def _is_computed(self, node: Any) -> bool:
        """Whether an expression surely is not known before the script runs, since one of its operands is not."""
        while type(node) is nodes.Binary:
            if self._varies(node.right):
                return True
            node = node.left
        return self._varies(node)

    def _varies(self, node: Any) -> bool:
        """Whether something is the past of a value, a call of a function that is no cast (no namespace holds one), a
        built-in variable, or one that changes."""
        kind = type(node)
        if kind is not nodes.Name:
            return kind is nodes.History or (kind is nodes.Call and type(node.callee) is nodes.Member)
        symbol = self._variables.get(node)
        if symbol is None:
            return node.id != "na"
        if symbol.reassignments or symbol.kind != "variable":
            return True
        return symbol.type is not None and symbol.type.qualifier != CONST and symbol.type.base is not NA

    def type(self, node: Node, within: Node | None = None) -> Type | None:
        """The type of an expression, in the first frame that reaches it."""
        if within is None and type(node) in LEAVES:
            frame = self.program.frame
            if type(node) is nodes.Literal or node in frame.types:
                return self.program.type_of(node, frame)
        return self.program.type_of(node, self._frame(self.function(within or node)))

    def _frame(self, function: nodes.FunctionDeclaration | None) -> Frame:
        if function is None:
            return self.program.frame
        known = self._frames.get(function)
        if known is None:
            symbol = self.program.bindings.function_of[function]
            reached = self.program.frames_of(symbol) or list(symbol.frames.values())
            known = self._frames[function] = reached[0] if reached else self.program.frame
        return known

    # when a node runs

    def runs_always(self, node: Node) -> bool:
        """Whether a node runs on every bar: nothing around it or around the calls of its function may leave it out."""
        return self._runs_always(node, ())

    def _runs_always(self, node: Node, above: tuple[nodes.FunctionDeclaration, ...]) -> bool:
        if self.conditions(node, most=1) or self.loops(node):
            return False
        function = self.function(node)
        if function is None:
            return True
        if function in above:
            return False
        sites = self.call_sites.get(self.program.bindings.function_of[function], ())
        return any(self._runs_always(site, (*above, function)) for site in sites)

    def conditions(
        self, node: Node, outer: Node | None = None, most: int | None = None
    ) -> list[tuple[Node | None, bool]]:
        """The conditions on which a node runs within its function, the nearest first, each with the value it must have;
        None stands for a condition that no expression tells, as of an arm of a `switch` with a subject. Where the node
        is part of `outer`, only those on which it runs each time that `outer` does. No more than `most` are given."""
        found: list[tuple[Node | None, bool]] = []
        parent, leaving = self.parent, self._leaving
        below, above = node, self.above(node)
        while below is not outer and above is not None and (most is None or len(found) < most):
            kind = type(above)
            if above in leaving:
                found += self._left_before(below, above)
            if kind in _CONDITIONAL:
                found += _conditions(above, below, parent)
            elif kind is nodes.FunctionDeclaration:
                break
            below, above = above, parent.get(above)
        return found[:most]

    def _left_before(self, statement: Node, above: Node) -> list[tuple[Node, bool]]:
        """The conditions on which the statements before leave the block, which do not hold behind them."""
        block = block_of(above, statement)
        before = [each for each in self._leaving[above] if block is not None and each.start < statement.start]
        return [(each.condition, False) for each in before if block_of(above, each) is block]

    @_found
    def _leaving(self) -> dict[Node, list[nodes.If]]:
        """The `if`s without `else` that leave the block in which they stand, in text order, by what is above them."""
        jumps: list[Node] = [*self.of(nodes.Break), *self.of(nodes.Continue)]
        jumps += [self.statement(call) for call in self.calls("runtime.error")]
        found: dict[Node, list[nodes.If]] = {}
        for jump in jumps:
            branch = self.parent.get(jump)
            if isinstance(branch, nodes.If) and branch.otherwise is None and branch.body[-1] is jump:
                above = self.parent.get(branch)
                if above is not None and self.leaves(jump):
                    found.setdefault(above, []).append(branch)
        for branches_of_one in found.values():
            branches_of_one.sort(key=lambda branch: branch.start)
        return found

    def leaves(self, statement: Node) -> bool:
        """Whether a statement always leaves its block: `break`, `continue`, or a call that stops the script."""
        if isinstance(statement, _JUMPS):
            return True
        return isinstance(statement, nodes.ExpressionStatement) and self.called(statement.expression) == "runtime.error"

    def facts(self, node: Node) -> list[tuple[Node, bool]]:
        """What is known to hold where a node runs: conditions that are no `and`, `or` or `not` any more, with their
        values; a condition that a variable names is given as the variable and as its value."""
        known = self._known_facts.get(node)
        if known is None:
            known = self._known_facts[node] = list(self._find_facts(node))
        return known

    def _find_facts(self, node: Node) -> Iterator[tuple[Node, bool]]:
        nearest = self.conditions(node, most=MOST_CONDITIONS)
        pending: list[tuple[Any, bool]] = [each for each in nearest if each[0] is not None]
        while pending:
            condition, truth = pending.pop()
            kind = type(condition)
            while kind is nodes.Parenthesized:
                condition = condition.expression
                kind = type(condition)
            if kind is nodes.Binary:
                if condition.operator == ("and" if truth else "or"):
                    pending += [(condition.left, truth), (condition.right, truth)]
                else:
                    yield condition, truth
            elif kind is nodes.Unary and condition.operator == "not":
                pending.append((condition.operand, not truth))
            elif kind is nodes.Call and (given := self._given_by(condition)) is not None:
                pending.append((given, truth))
            else:
                yield condition, truth
                value = self.value_node(condition)
                if value is not condition:
                    pending.append((value, truth))

    def _given_by(self, node: Node) -> Node | None:
        """The one expression that a function without parameters gives, where a node calls such a one."""
        function = self.called_function(node)
        body = function.node.body if function is not None and not function.node.parameters else []
        if function is None or len(body) != 1 or not self.declares(function):
            return None
        return body[0].expression if isinstance(body[0], nodes.ExpressionStatement) else None


def _value_of(node: nodes.Literal) -> tuple[bool, Value]:
    try:
        return True, literal_value(node)
    except Unfolded:
        return False, None


def _assigns_a_field(function: FunctionSymbol) -> bool:
    return any(
        type(each) is nodes.Reassignment and type(each.target) is nodes.Member for each in branches(function.node.body)
    )


@cache
def gives_a_value(name: str) -> bool:
    """Whether a built-in function gives a value and does nothing else."""
    function = reference.function(name)
    if function is None or function.effects.changes or "inputs" in function.effects.reads:
        return False
    return not all(overload.returns == "void" for overload in function.overloads)


def blocks(node: Node) -> Iterator[list[nodes.Statement]]:
    """The blocks of statements directly below a node."""
    if isinstance(node, nodes.If):
        yield node.body
        if node.otherwise is not None:
            yield node.otherwise
    elif isinstance(node, _BODIES):
        yield node.body


def block_of(above: Any, node: Node) -> list[nodes.Statement] | None:
    """The block of `above` in which a node directly below it stands, told by their places, since blocks can be long;
    None where the node is no statement of one."""
    if type(above) not in _WITH_BLOCKS or node.start < above.body[0].start:
        return None
    after = above.otherwise if type(above) is nodes.If else None
    return after if after and node.start >= after[0].start else above.body


def _conditions(above: Any, below: Node, parent: dict[Node, Node]) -> Sequence[tuple[Node | None, bool]]:
    """The conditions that `above` sets for a node directly below it."""
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


def bare(node: Node) -> Node:
    """An expression without the parentheses around it."""
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    return node


def path(node: Node) -> str | None:
    """The dotted name that an expression is; None for anything else."""
    return path_of(node)

"""A checked script for rules: its nodes by class, the parent of each node, and the meaning of its names and calls.

These facts come from one walk and from the results of the check. Every other fact is computed when a rule first needs
it, and cached for all rules.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cache, wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pinebench import codes, reference
from pinebench.checker import (
    CONST,
    NA,
    FunctionSymbol,
    ImportSymbol,
    NotConstant,
    Signature,
    VariableSymbol,
    literal_value,
    path_of,
)
from pinebench.diagnostics import Span
from pinebench.linter.rules.code_blocks import MOST_CONDITIONS, block_of, conditions_set
from pinebench.syntax import nodes
from pinebench.syntax.walk import CHILDREN, LEAVES, branches, index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pinebench.checker import Frame, Program, Type, Value
    from pinebench.diagnostics import Diagnostic, Fix
    from pinebench.linter.rules.options import HasOptions, Options, OptionValue
    from pinebench.syntax.nodes import Node

_Kind = TypeVar("_Kind", bound="Node")
_Fact = TypeVar("_Fact")
_Part = TypeVar("_Part")

_STANDING = (nodes.Name, nodes.Parenthesized)
_JUMPS = (nodes.Break, nodes.Continue)
_FAR = 8
"""The number of levels up to a statement above which the offset of a node is kept. For fewer levels the walk up is
repeated each time."""
_CONDITIONAL = frozenset((nodes.Binary, nodes.Ternary, *nodes.CONDITIONED))
"""The nodes that may set a condition for the nodes inside them."""


_START = attrgetter("start")
_tuple = tuple.__new__
"""Makes a named tuple without the call of its class, which would be slower; rules report many findings."""


class _found(Generic[_Fact]):
    """A property that is computed at its first use and then cached. (`functools.cached_property` takes a lock before
    Python 3.12.)"""

    def __init__(self, find: Callable[[RuleContext], _Fact]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    def __get__(self, context: RuleContext, _owner: type[RuleContext]) -> _Fact:
        found = self._find(context)
        setattr(context, self._find.__name__, found)  # from now on the attribute is found first
        return found


def once(find: Callable[[RuleContext], _Fact]) -> Callable[[RuleContext], _Fact]:
    """Decorate a function that computes a fact about a script, so that it runs once for each script."""

    @wraps(find)
    def ask(context: RuleContext) -> _Fact:
        return context.once(find)

    return ask


def once_each(find: Callable[[RuleContext, _Part], _Fact]) -> Callable[[RuleContext, _Part], _Fact]:
    """Decorate a function that computes a fact about a part of a script, so that it runs once for each part."""

    def none_yet(_: RuleContext) -> dict[_Part, _Fact]:
        return {}

    @wraps(find)
    def ask(context: RuleContext, part: _Part) -> _Fact:
        known = context.once(none_yet)
        if part not in known:
            known[part] = find(context, part)
        return known[part]

    return ask


class RuleContext:
    """One script, for all rules.

    `parent` has the parent of each node, except outermost statements, names, literals and types. `above` also returns
    the parents of names and literals, but its first use for one of them walks through the complete tree once more.
    Therefore methods that need the position of a name or literal accept an argument `within`, a larger node around it.
    """

    def __init__(self, program: Program, options: Options | None = None) -> None:
        self.program = program
        self._variables = program.bindings.variables
        self._resolved = program.resolved_calls
        self._options = options or {}
        self._facts: dict[Callable[[RuleContext], Any], Any] = {}
        self._values: dict[VariableSymbol, tuple[bool, Value]] = {}
        self.nodes: defaultdict[type[Node], list[Node]] = defaultdict(list)
        """The nodes of each class, in text order; names, literals, operations, members, named arguments and the nodes
        in written types are left out."""
        self.operations: defaultdict[str, list[nodes.Binary]] = defaultdict(list)
        """The operations with two operands, by operator, in text order."""
        self.members: defaultdict[str, list[nodes.Member]] = defaultdict(list)
        """The members (`object.name`) by their last name; each group is in text order."""
        self.parent: dict[Node, Node] = {}
        self._offsets: dict[Node, int] = {
            statement: chunk.start for chunk in program.document.chunks for statement in chunk.body
        }
        self.statements: list[Node] = list(self._offsets)
        """The outermost statements, in text order."""
        index(self.statements, self.nodes, self.operations, self.members, self.parent)
        self.builtin_calls: dict[str, list[nodes.Call]] = self._find_builtin_calls()
        """The calls of each built-in function, by the function's name."""
        self.reads: dict[VariableSymbol, list[Node]] = {}
        """The names that read each variable, in text order; a variable that is never read has no entry."""
        self.writes: dict[VariableSymbol, list[nodes.Reassignment]] = {}
        """The assignments to each variable after its declaration."""
        self.reads_before: dict[nodes.Reassignment, int] = {}
        """For each assignment, the number of reads of its variable that come earlier in the text than the assigned
        value."""
        self._note_uses()
        self._places: dict[Node, tuple[Sequence[Node], int]] = {}
        self._frames: dict[nodes.FunctionDeclaration, Frame] = {}
        self._calls: dict[tuple[str, ...], list[nodes.Call]] = {}
        self._known_facts: dict[Node, list[tuple[Node, bool]]] = {}

    def once(self, fact: Callable[[RuleContext], _Fact]) -> _Fact:
        """Return the result of `fact` for this script. It is computed only the first time."""
        if fact not in self._facts:
            self._facts[fact] = fact(self)
        return self._facts[fact]

    def release(self) -> None:
        """Drop the facts that hold the context itself, so that it can be freed without a garbage collection."""
        self._facts.clear()

    # findings and options

    def report(
        self, code: str, node: Node | Span, fix: Fix | None = None, within: Node | None = None, **values: object
    ) -> Diagnostic:
        """Create a finding with the code `code` at a node or span. Its message is built from `values`, which the
        finding keeps. `within` may be a node that contains `node`, to save a search for the parent of a name or
        literal."""
        if isinstance(node, Span):
            return codes.finding(code, node, values, fix=fix)
        offset = self.offset(within or node)
        place = _tuple(Span, (offset + node.start, offset + node.end))
        return codes.finding(code, place, values, fix=fix)

    def option(self, rule: HasOptions, name: str) -> OptionValue:
        """Return the value of an option of `rule`: the configured value, or else the default."""
        return self._options.get(rule.code, {}).get(name, rule.options[name].default)

    # places

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        """Return all nodes of the class `kind`, in text order."""
        return self.nodes.get(kind, [])  # pyright: ignore[reportReturnType]

    def above(self, node: Node) -> Node | None:
        """Return the parent of any node, or None for an outermost statement."""
        return self._above_leaves.get(node) if type(node) in LEAVES else self.parent.get(node)

    @_found
    def _above_leaves(self) -> dict[Node, Node]:
        """The parent of each name and literal."""
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
        """Yield the nodes above `node`, the nearest first."""
        above, parent = self.above(node), self.parent
        while above is not None:
            yield above
            above = parent.get(above)

    def offset(self, node: Node) -> int:
        """Return the offset at which the chunk of `node` (its top-level statement) begins. The positions of nodes are
        relative to it."""
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
        """Return the span of a node in the script's text. `within` may be a node that contains it, to save a search for
        the parent of a name or literal."""
        offset = self.offset(within or node)
        return Span(offset + node.start, offset + node.end)

    def text(self, node: Node) -> str:
        """Return the source text of a node."""
        if isinstance(node, nodes.Name):
            return node.id
        if isinstance(node, nodes.Literal):
            return node.text
        start, end = self.span(node)
        return self.program.document.text[start:end]

    def shown(self, node: Node, most: int = 40) -> str:
        """Return the text of a node for messages: on one line, and shortened to `most` characters."""
        text = " ".join(self.text(node).split())
        return text if len(text) <= most else text[: most - 1] + "…"

    def statement(self, node: Node) -> Node:
        """Return the innermost statement that contains `node` or is `node`."""
        parent, above = self.parent, self.above(node)
        while above is not None and block_of(above, node) is None:
            node, above = above, parent.get(above)
        return node

    def block(self, statement: Node) -> Sequence[Node]:
        """Return the statements of the block that contains `statement`, including itself."""
        above = self.parent.get(statement)
        if above is None:
            return self.statements
        return block_of(above, statement) or [statement]

    def place(self, statement: Node) -> tuple[Sequence[Node], int]:
        """Return the statements of the block that contains `statement`, and the index of `statement` among them."""
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
        """Return the function whose body contains `node`, or None if there is none."""
        parent = self.parent
        below, above = node, self.above(node)
        while above is not None:
            if type(above) is nodes.FunctionDeclaration:
                return above if block_of(above, below) is not None else None
            below, above = above, parent.get(above)
        return None

    def loops(self, node: Node) -> list[nodes.ForTo | nodes.ForIn | nodes.While]:
        """Return the loops that run `node` repeatedly, the innermost first, up to the function that contains it."""
        found: list[nodes.ForTo | nodes.ForIn | nodes.While] = []
        parent = self.parent
        below, above = node, self.above(node)
        while above is not None and type(above) is not nodes.FunctionDeclaration:
            if isinstance(above, nodes.LOOPS) and (
                isinstance(above, nodes.While) or block_of(above, below) is not None
            ):
                found.append(above)
            below, above = above, parent.get(above)
        return found

    # names

    def symbol(self, node: Node | None) -> VariableSymbol | None:
        """Return the variable that a name refers to, or None for any other node."""
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
            elif node is not symbol.name_node:  # the declaring name usually comes first
                reads[symbol] = [node]

    @_found
    def unread(self) -> list[VariableSymbol]:
        """Return the variables that are never read, in text order."""
        reads = self.reads
        return [symbol for symbol in self.program.bindings.symbols if symbol not in reads]

    def builtin_name(self, name: str) -> list[Node]:
        """Return the nodes that use the built-in variable or constant with the dotted name `name`, in text order."""
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
        """Return all nodes of the form `a.b`, grouped by the name after the dot."""
        return [member for group in self.members.values() for member in group]

    def is_builtin(self, member: nodes.Member) -> bool:
        """Return whether a dotted name begins with a namespace rather than a variable."""
        root: Node = member
        while isinstance(root, nodes.Member):
            root = root.object
        return isinstance(root, nodes.Name) and root not in self._variables

    @_found
    def types(self) -> list[tuple[nodes.TypeReference, Node]]:
        """Return the types written in the script, including the types in type templates, each with the node that
        contains it. They are in no particular order."""
        typed = [*self.of(nodes.VariableDeclaration), *self.of(nodes.Parameter), *self.of(nodes.Field)]
        found: list[tuple[nodes.TypeReference, Node]] = [(each.type, each) for each in typed if each.type is not None]
        found += [(each.counter_type, each) for each in self.of(nodes.ForTo) if each.counter_type is not None]
        found += [(type_, call) for call in self.of(nodes.Call) if call.template for type_ in call.template]
        for type_, owner in found:
            found += [(inner, owner) for inner in type_.arguments or ()]
        return found

    @_found
    def _names(self) -> list[nodes.Name]:
        """Every name, in no particular order."""
        return [node for node in self._above_leaves if isinstance(node, nodes.Name)]

    def value_node(self, node: Node) -> Node:
        """Return the expression that gives the value of `node`: without parentheses, and for a variable that never
        changes, the value in its declaration."""
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
        """Return the calls of the built-in functions `names`. A method call counts as a call of its function."""
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
        """Return the name of the built-in function that `node` calls, or None for any other node."""
        if type(node) is not nodes.Call:
            return None
        meaning = self._resolved.get(node)  # pyright: ignore[reportArgumentType]
        return meaning.target.name if meaning is not None and isinstance(meaning.target, Signature) else None

    def called_function(self, node: Node) -> FunctionSymbol | None:
        """Return the user-defined function, of the script or a library, that `node` calls, or None for other nodes."""
        if type(node) is not nodes.Call:
            return None
        meaning = self._resolved.get(node)
        return meaning.target if meaning is not None and isinstance(meaning.target, FunctionSymbol) else None

    def declares(self, function: FunctionSymbol) -> bool:
        """Return whether a function is declared in this script, not in a library."""
        return function.node in self._offsets

    def only_gives_a_value(self, code: Node) -> bool:
        """Return whether `code` has no effect except its value: it assigns nothing, and the functions that it calls
        have no effects."""
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
        """The functions that certainly have effects. They, or functions that they call, assign a field or call a
        built-in that has effects.

        This set answers most questions without a closer look, because a function whose value is not used usually has
        effects.
        """
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
        """Return the arguments of a call, by the names of their parameters."""
        meaning = self._resolved.get(call)
        return meaning.arguments if meaning is not None else {}

    def argument(self, call: Node, parameter: str) -> Node | None:
        """Return the argument of a call for a parameter, or None if the call does not pass one."""
        meaning = self._resolved.get(call)
        return meaning.arguments.get(parameter) if meaning is not None else None

    @_found
    def call_sites(self) -> dict[FunctionSymbol, list[nodes.Call]]:
        """Return the calls of each user-defined function."""
        found: dict[FunctionSymbol, list[nodes.Call]] = {}
        for call, meaning in self._resolved.items():
            if isinstance(meaning.target, FunctionSymbol) and isinstance(call, nodes.Call):
                found.setdefault(meaning.target, []).append(call)
        return found

    @_found
    def declaration(self) -> nodes.Call | None:
        """Return the call of `indicator()`, `strategy()` or `library()`, or None if there is none."""
        return next(iter(self.calls("indicator", "strategy", "library")), None)

    @property
    def kind(self) -> str:
        """The kind of the script: `indicator`, `strategy`, `library`, or empty if it has no declaration statement."""
        return self.called(self.declaration) or ""

    def setting(self, parameter: str) -> tuple[bool, Value]:
        """Return whether the declaration statement gives a parameter a value that is known before the script runs, and
        the value."""
        given = self.argument(self.declaration, parameter) if self.declaration is not None else None
        return self.value(given) if given is not None else (False, None)

    # types and values

    def value(self, node: Any) -> tuple[bool, Value]:
        """Return whether the value of an expression is known before the script runs, and that value (None is na)."""
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
        """Whether the value of an expression is certainly not known before the script runs, because one of its operands
        varies."""
        while type(node) is nodes.Binary:
            if self._varies(node.right):
                return True
            node = node.left
        return self._varies(node)

    def _varies(self, node: Any) -> bool:
        """Whether a node is certainly not constant: the history operator, a call with a namespace, a built-in variable
        other than `na`, or a variable that changes. A call without a namespace may be a cast."""
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
        """Return the type of an expression; in a function, the type that it has in the first checked call of the
        function. `within` is as in `span`."""
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
        """Return whether a node runs on every bar: it is not in a loop, and no condition around it or around the calls
        of its function can skip it."""
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
        """Return the conditions within its function on which `node` runs, the nearest first, each with the value that
        it must have.

        None stands for a condition that is not an expression, such as an arm of a `switch` with a subject. If `outer`
        contains `node`, only the conditions between `outer` and `node` are returned. The list has at most `most`
        conditions.
        """
        found: list[tuple[Node | None, bool]] = []
        parent, leaving = self.parent, self._leaving
        below, above = node, self.above(node)
        while below is not outer and above is not None and (most is None or len(found) < most):
            kind = type(above)
            if above in leaving:
                found += self._left_before(below, above)
            if kind in _CONDITIONAL:
                found += conditions_set(above, below, parent)
            elif kind is nodes.FunctionDeclaration:
                break
            below, above = above, parent.get(above)
        return found[:most]

    def _left_before(self, statement: Node, above: Node) -> list[tuple[Node, bool]]:
        """The conditions of the earlier statements that leave the block; they are false after those statements."""
        block = block_of(above, statement)
        before = [each for each in self._leaving[above] if block is not None and each.start < statement.start]
        return [(each.condition, False) for each in before if block_of(above, each) is block]

    @_found
    def _leaving(self) -> dict[Node, list[nodes.If]]:
        """The `if` statements without `else` that always leave their block, by their parent, in text order."""
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
        """Return whether a statement always leaves its block: `break`, `continue`, or a call that stops the script."""
        if isinstance(statement, _JUMPS):
            return True
        return isinstance(statement, nodes.ExpressionStatement) and self.called(statement.expression) == "runtime.error"

    def facts(self, node: Node) -> list[tuple[Node, bool]]:
        """Return the conditions whose values are known when `node` runs, each with its value.

        They are split at `and`, `or` and `not`. A condition that is a variable is returned as the variable and also as
        the variable's value.
        """
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
        """The one expression that a function without parameters returns, if `node` calls such a function; otherwise
        None."""
        function = self.called_function(node)
        body = function.node.body if function is not None and not function.node.parameters else []
        if function is None or len(body) != 1 or not self.declares(function):
            return None
        return body[0].expression if isinstance(body[0], nodes.ExpressionStatement) else None


def _value_of(node: nodes.Literal) -> tuple[bool, Value]:
    try:
        return True, literal_value(node)
    except NotConstant:
        return False, None


def _assigns_a_field(function: FunctionSymbol) -> bool:
    return any(
        type(each) is nodes.Reassignment and type(each.target) is nodes.Member for each in branches(function.node.body)
    )


@cache
def gives_a_value(name: str) -> bool:
    """Return whether a built-in function returns a value and has no effects."""
    function = reference.function(name)
    if function is None or function.effects.changes or "inputs" in function.effects.reads:
        return False
    return not all(overload.returns == "void" for overload in function.overloads)


def path(node: Node) -> str | None:
    """Return the text of an expression that is a dotted name, or None for any other expression."""
    return path_of(node)

"""A script during its migration, as the rewrites see it: its tree, its types, and its findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from pinebench import reference
from pinebench.checker import Frame, Program, ScriptEffects, Symbol, Type, Value, VariableSymbol
from pinebench.diagnostics import Diagnostic, Edit, Span
from pinebench.linter.suggest.candidate import dotted
from pinebench.linter.suggest.facts import Facts
from pinebench.syntax import Chunk, nodes
from pinebench.syntax.edits import apply_edits
from pinebench.syntax.walk import LEAVES, children, walk

NodeT = TypeVar("NodeT", bound=nodes.Node)

_STATEMENTS = (
    nodes.ExpressionStatement,
    nodes.VariableDeclaration,
    nodes.TupleDeclaration,
    nodes.Reassignment,
    nodes.If,
    nodes.Switch,
    nodes.ForTo,
    nodes.ForIn,
    nodes.While,
)


class OldScript:
    """One state of a script of Pine `version` during its migration. Its version line already says v6."""

    def __init__(self, program: Program, version: int) -> None:
        self.program = program
        self.version = version
        self.text = program.document.text
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        self.facts = Facts(program)
        self._named = 0
        self._kinds: dict[type[nodes.Node], list[nodes.Node]] = defaultdict(list)
        self._offsets: dict[nodes.Node, int] = {}
        self._parents: dict[nodes.Node, nodes.Node] = {}
        self._functions: set[int] = set()
        """The starts of the chunks with functions, whose code is evaluated in frames of its own."""
        for chunk in program.document.chunks:
            if any(isinstance(node, nodes.FunctionDeclaration) for node in chunk.body):
                self._functions.add(chunk.start)
            self._note(chunk)

    def _note(self, chunk: Chunk) -> None:
        """Index the nodes of `chunk`: by class, with their parents, and with the offset of the chunk."""
        start, leaves = chunk.start, LEAVES
        kinds, offsets, parents = self._kinds, self._offsets, self._parents
        stack: list[nodes.Node] = [*reversed(chunk.body)]
        pop = stack.pop
        while stack:
            node = pop()
            kind = node.__class__
            kinds[kind].append(node)
            offsets[node] = start
            if kind in leaves:
                continue
            below = children(node)
            for child in below:
                parents[child] = node
            stack += below[::-1]

    # the tree

    def of(self, kind: type[NodeT]) -> list[NodeT]:
        """Return every node of the class `kind`, in text order."""
        return self._kinds[kind]  # pyright: ignore[reportReturnType]

    def parent(self, node: nodes.Node) -> nodes.Node | None:
        """Return the parent of `node`; None for a top-level statement."""
        return self._parents.get(node)

    def span(self, node: nodes.Node) -> Span:
        """Return the span of `node` in the text."""
        offset = self._offsets[node]
        return Span(offset + node.start, offset + node.end)

    def source(self, node: nodes.Node) -> str:
        """Return the text of `node` as written."""
        return self.text[slice(*self.span(node))]

    def line_of(self, node: nodes.Node) -> str | None:
        """Return the text of `node` on one line without comments; None if it contains a multi-line string."""
        return self.facts.line_of(node, self._offsets[node])

    def with_parts(self, node: nodes.Node, parts: dict[nodes.Node, str]) -> str | None:
        """Return the text of `node` like `line_of`, but with the texts in `parts` in place of their nodes."""
        if not parts:
            return self.line_of(node)
        whole = self.line_of(node)
        start, end = self.span(node)
        if whole is None or whole != self.text[start:end]:
            return None
        edits = [
            Edit(Span(self.span(part).start - start, self.span(part).end - start), text) for part, text in parts.items()
        ]
        return apply_edits(whole, edits)

    def at(self, place: Span, kind: type[NodeT] | None = None) -> NodeT | None:
        """Return the outermost node, of the class `kind` if it is given, whose span is exactly `place`."""
        for node in self._by_start.get(place.start, ()):
            if self.span(node).end == place.end and (kind is None or isinstance(node, kind)):
                return node  # pyright: ignore[reportReturnType]
        return None

    @cached_property
    def _by_start(self) -> dict[int, list[nodes.Node]]:
        found: dict[int, list[nodes.Node]] = defaultdict(list)
        for node, offset in self._offsets.items():
            found[offset + node.start].append(node)
        return found

    def statement(self, node: nodes.Node) -> nodes.Node | None:
        """Return the statement that contains `node` if `node` runs exactly once whenever the statement runs; otherwise
        None."""
        inner: nodes.Node = node
        while not isinstance(inner, _STATEMENTS):
            outer = self._parents.get(inner)
            if outer is None or _may_be_left_out(outer, inner):
                return None
            inner = outer
        outer = self._parents.get(inner)
        if isinstance(outer, nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment):
            return outer if inner is not node and _runs_first(inner, node, self) else None
        if isinstance(inner, nodes.VariableDeclaration) and inner.mode:
            return None
        if isinstance(inner, nodes.If) and isinstance(outer, nodes.If) and self._is_link(outer, inner):
            return None
        return inner if _runs_first(inner, node, self) else None

    @staticmethod
    def _is_link(outer: nodes.If, inner: nodes.If) -> bool:
        return outer.otherwise is not None and len(outer.otherwise) == 1 and outer.otherwise[0] is inner

    # names and calls

    @cached_property
    def calls(self) -> dict[str, list[nodes.Call]]:
        """The calls, grouped by the callee as written, without calls of the script's own functions."""
        found: dict[str, list[nodes.Call]] = defaultdict(list)
        own = self.program.functions
        for call in self.of(nodes.Call):
            name = dotted(call.callee)
            if name is not None and name not in own:
                found[name].append(call)
        return found

    def called(self, *names: str) -> Iterator[nodes.Call]:
        """Yield the calls of the built-ins `names`."""
        for name in names:
            yield from self.calls.get(name, ())

    def is_free(self, node: nodes.Name) -> bool:
        """Return whether the script does not declare the name `node`."""
        if not self.declares(node.id):
            return True
        found = self.symbol_of(node)
        return found is None or isinstance(found, str)

    def declares(self, name: str) -> bool:
        """Return whether the script declares something called `name`."""
        return name in self._declared

    @cached_property
    def _declared(self) -> frozenset[str]:
        found: set[str] = {*self.program.functions, *self.program.types, *self.program.enums, *self.program.imports}
        for kind in (nodes.VariableDeclaration, nodes.Parameter):
            found.update(node.name.id for node in self.of(kind))
        found.update(name.id for node in self.of(nodes.TupleDeclaration) for name in node.names)
        found.update(node.counter.id for node in self.of(nodes.ForTo))
        found.update(
            name.id for node in self.of(nodes.ForIn) for name in (node.index, node.element) if name is not None
        )
        return frozenset(found)

    def _frame(self, node: nodes.Node) -> Frame:
        """The first frame that reaches `node`."""
        start = self._offsets.get(node, 0)
        return self.program.frame_in(start, node) if start in self._functions else self.program.frame

    def symbol_of(self, node: nodes.Node) -> Symbol | None:
        """Return the symbol that the name `node` refers to; None if it is unknown."""
        return self.program.symbol_in(self._offsets.get(node, 0), node, self._frame(node))

    def type_of(self, node: nodes.Node) -> Type | None:
        """Return the type of an expression."""
        return self.program.type_of(node, self._frame(node))

    def effects(self, node: nodes.Node) -> ScriptEffects:
        """Return the effects of `node`, such as the variables that it assigns."""
        return self.program.effects(node, self._frame(node))

    def effects_of_body(self, loop: nodes.ForTo) -> ScriptEffects:
        """Return the effects of one run of the body of `loop`."""
        return self.program.effects(loop.body, self._frame(loop))

    def references(self, name: nodes.Name) -> list[Span]:
        """Return the spans of all names with the same meaning as `name`, including its declaration."""
        symbol = self.symbol_of(name)
        return self.program.references(symbol) if symbol is not None else []

    def argument(self, call: nodes.Call, name: str, place: int) -> nodes.Node | None:
        """Return the argument called `name`, or the positional one with the index `place`."""
        for number, item in enumerate(call.arguments):
            if isinstance(item, nodes.NamedArgument):
                if item.name == name:
                    return item
            elif number == place:
                return item
        return None

    @cached_property
    def findings(self) -> dict[str, list[Diagnostic]]:
        """The checker's findings by code."""
        found: dict[str, list[Diagnostic]] = defaultdict(list)
        for finding in self.program.diagnostics:
            found[finding.code].append(finding)
        return found

    def base_of(self, node: nodes.Node) -> str:
        """Return the name of a value's type; empty if it is unknown."""
        type_ = self.type_of(node)
        return str(type_.base.name) if type_ is not None else ""

    def bases_of(self, node: nodes.Node) -> set[str]:
        """Return the names of the types that a node's value has in the calls of its function; an empty name for an
        unknown type."""
        return {str(type_.base.name) if type_ is not None else "" for type_ in self.program.types_of(node)}

    def is_constant(self, node: nodes.Node) -> bool:
        """Return whether a value is known before the script runs."""
        return self.value_of(node)[0]

    def value_of(self, node: nodes.Node) -> tuple[bool, Value]:
        """Return whether a value is known before the script runs, and that value."""
        return self.program.value_of(node, self._frame(node))

    def free_name(self, stem: str) -> str:
        """Return a new name that begins with `stem` and is not used yet."""
        self._named += 1
        return self.facts.free_name(stem, -self._named)

    # what code does

    def remembers(self, call: nodes.Call) -> bool:
        """Return whether a call has side effects, or must run on every bar because its later results depend on that."""
        name = dotted(call.callee)
        function = reference.function(name) if name and name not in self.program.functions else None
        if function is not None:
            return function.effects.keeps or bool(function.effects.changes - {"history"})
        effects = self.effects(call)
        return effects.keeps or bool(effects.changes or effects.mutates or effects.writes)

    def changes_within(self, node: nodes.Node) -> bool:
        """Return whether `node` has side effects, apart from the history that calls such as `ta.ema()` keep."""
        effects = self.effects(node)
        return bool(effects.changes or effects.mutates or effects.writes)

    def sources_of(self, node: nodes.Node) -> Iterator[nodes.Node]:
        """Yield `node` and, for every variable in it, the values that are assigned to the variable."""
        pending: list[nodes.Node] = [node]
        seen: set[VariableSymbol] = set()
        while pending:
            value = pending.pop()
            yield value
            for name in walk(value):
                symbol = self.symbol_of(name) if isinstance(name, nodes.Name) else None
                if isinstance(symbol, VariableSymbol) and symbol not in seen:
                    seen.add(symbol)
                    declaration = symbol.declaration
                    if isinstance(declaration, nodes.VariableDeclaration):
                        pending.append(declaration.value)
                    pending += [change.value for change in symbol.reassignments]


def _may_be_left_out(outer: nodes.Node, inner: nodes.Node) -> bool:
    """Whether `inner` may be skipped when `outer` runs, by the rules of earlier versions: both sides of `and` and
    `or` always ran."""
    match outer:
        case nodes.Ternary():
            return inner is not outer.condition
        case nodes.Switch():
            return isinstance(inner, nodes.Case) and inner is not outer.cases[0]
        case nodes.Case():
            return inner is not outer.condition
        case nodes.FunctionDeclaration() | nodes.While() | nodes.Parameter() | nodes.Field():
            return True
        case _:
            return False


def _runs_first(statement: nodes.Node, node: nodes.Node, script: OldScript) -> bool:
    """Whether `node` is in the part of a statement that runs before its block."""
    match statement:
        case nodes.If():
            return _within(script, node, statement.condition)
        case nodes.Switch():
            first = statement.cases[0].condition if statement.cases else None
            return any(part is not None and _within(script, node, part) for part in (statement.subject, first))
        case nodes.ForTo():
            return _within(script, node, statement.first) or _within(script, node, statement.last)
        case nodes.ForIn():
            return _within(script, node, statement.collection)
        case nodes.While():
            return False
        case _:
            return True


def _within(script: OldScript, node: nodes.Node, outer: nodes.Node) -> bool:
    first, second = script.span(node), script.span(outer)
    return second.start <= first.start and first.end <= second.end


def value_of(argument: nodes.Node) -> nodes.Node:
    """Return the value of an argument, with or without a name."""
    return argument.value if isinstance(argument, nodes.NamedArgument) else argument


def literals(nodes_: Iterable[nodes.Node]) -> Iterator[nodes.Literal]:
    """Yield every literal in the trees `nodes_`."""
    return (node for each in nodes_ for node in walk(each) if isinstance(node, nodes.Literal))

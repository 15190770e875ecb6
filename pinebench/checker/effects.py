"""Finds the effects of code: the variables it reads and writes, whether it keeps state, and whether it is pure."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench import reference
from pinebench.checker.argument_text import path_of, root_name
from pinebench.checker.builtins import Signature
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import Frame, FunctionSymbol, ImportSymbol, VariableSymbol
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_SHOWN = frozenset(("drawings", "plots", "orders", "alerts", "log"))


class ScriptEffects(NamedTuple):
    """The effects of a piece of script.

    `reads` and `writes` are the script's variables that it reads and assigns. `mutates` are the variables whose objects
    it changes in place (fields, elements, drawings). `uses` names the data that its built-ins read besides their
    arguments, and `changes` the things other than variables that they change; `pinebench.reference.Effects` lists the
    names. `keeps` means that it keeps values from bar to bar (history, `ta.*`, `var`). A library whose source was not
    found may have all effects.
    """

    reads: frozenset[VariableSymbol]
    writes: frozenset[VariableSymbol]
    mutates: frozenset[VariableSymbol]
    uses: frozenset[str]
    changes: frozenset[str]
    keeps: bool

    @property
    def stateful(self) -> bool:
        """Whether the code keeps results from bar to bar."""
        return self.keeps

    @property
    def shows(self) -> bool:
        """Whether the code draws, plots, logs, alerts or orders."""
        return bool(self.changes & _SHOWN)

    @property
    def pure(self) -> bool:
        """Whether the code keeps no state and changes nothing except variables."""
        return not (self.keeps or self.changes or self.mutates)


_NOTHING: frozenset[VariableSymbol] = frozenset()
_NO_WORDS: frozenset[str] = frozenset()
_NONE = ScriptEffects(_NOTHING, _NOTHING, _NOTHING, _NO_WORDS, _NO_WORDS, keeps=False)
_ANYTHING = ScriptEffects(_NOTHING, _NOTHING, _NOTHING, _SHOWN, _SHOWN, keeps=True)


_ASSIGNMENTS = (nodes.VariableDeclaration, nodes.TupleDeclaration, nodes.Reassignment)
_KEEPING = (nodes.History, *nodes.ONE_TIME)


class EffectsOf:
    """Finds the effects of code. The effects of a function are computed only once for each `Frame`."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.known: dict[Frame, ScriptEffects] = {}

    def code(self, frame: Frame, roots: nodes.Node | Iterable[nodes.Node]) -> ScriptEffects:
        """Return the effects of the code under `roots` in `frame`, including the effects of its calls."""
        found = _EffectCollector(self._variables(frame))
        for node in walk(roots):
            if type(node) is nodes.Literal:
                continue
            if isinstance(node, nodes.Name):
                found.read(node)
            elif isinstance(node, nodes.Call):
                found.settled.add(node.callee)
                found.add(self._call(frame, node))
            elif isinstance(node, nodes.Member):
                found.read_member(node)
            elif isinstance(node, _ASSIGNMENTS):
                found.assign(node)
            elif isinstance(node, _KEEPING):
                found.keeps = True
        return found.effects()

    def function(self, frame: Frame) -> ScriptEffects:
        """Return the effects of a function's body in `frame`, its evaluation for certain argument types."""
        assert frame.function is not None
        effects = self.known.get(frame)
        if effects is None:
            self.known[frame] = _NONE
            effects = self.known[frame] = self.code(frame, frame.function.node.body)
        return effects

    def _variables(self, frame: Frame) -> dict[nodes.Node, VariableSymbol]:
        owner = frame.function.owner if frame.function is not None else None
        return (owner or self.checker).bindings.variables

    def _call(self, frame: Frame, node: nodes.Call) -> ScriptEffects:
        """Return the effects of the callee. Its arguments are left out, because the caller walks them."""
        call = frame.calls.get(node)
        if call is None or isinstance(call.target, ImportSymbol):
            return _ANYTHING
        variables = self._variables(frame)
        if isinstance(call.target, Signature):
            reads, changes, keeps = call.target.function.effects
            changed = next(iter(call.arguments.values()), None) if "object" in changes else None
            return ScriptEffects(_NOTHING, _NOTHING, _roots(variables, changed), reads, changes, keeps)
        if not isinstance(call.target, FunctionSymbol) or call.frame is None:
            return _NONE
        inner = self.function(call.frame)
        outside = frozenset(symbol for symbol in inner.reads if symbol.scope.function is None)
        mutated = frozenset(symbol for symbol in inner.mutates if symbol.scope.function is None)
        for parameter in call.target.parameters:
            if parameter.variable in inner.mutates:
                mutated |= _roots(variables, call.arguments.get(parameter.name))
        return inner._replace(reads=outside, writes=_NOTHING, mutates=mutated)


class _EffectCollector:
    """Collects effects while code is walked."""

    def __init__(self, variables: dict[nodes.Node, VariableSymbol]) -> None:
        self.variables = variables
        self.reads: set[VariableSymbol] = set()
        self.writes: set[VariableSymbol] = set()
        self.mutates: set[VariableSymbol] = set()
        self.settled: set[nodes.Node] = set()
        """Names that are not read: targets of assignments, and callees."""
        self.uses: set[str] = set()
        self.changes: set[str] = set()
        self.keeps = False

    def assign(self, node: nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment) -> None:
        if isinstance(node, nodes.Reassignment) and not isinstance(node.target, nodes.Name):
            self.changes.add("object")
            self.mutates |= _roots(self.variables, node.target)
            return
        if isinstance(node, nodes.VariableDeclaration) and node.mode is not None:
            self.keeps = True
        for target in _targets(node):
            self.settled.add(target)
            if target in self.variables:
                self.writes.add(self.variables[target])
                if isinstance(node, nodes.Reassignment) and node.operator != ":=":
                    self.reads.add(self.variables[target])

    def read(self, node: nodes.Name) -> None:
        if node in self.settled:
            return
        if node in self.variables:
            self.reads.add(self.variables[node])
        else:
            self.use(node.id)

    def read_member(self, node: nodes.Member) -> None:
        path = path_of(node)
        if path is not None and node not in self.settled and root_name(node) not in self.variables:
            self.use(path)

    def use(self, name: str) -> None:
        builtin = reference.variable(name)
        if builtin is not None:
            self.uses |= builtin.effects.reads
            self.keeps = self.keeps or builtin.effects.keeps

    def add(self, inner: ScriptEffects) -> None:
        self.reads |= inner.reads
        self.mutates |= inner.mutates
        self.uses |= inner.uses
        self.changes |= inner.changes
        self.keeps = self.keeps or inner.keeps

    def effects(self) -> ScriptEffects:
        return ScriptEffects(
            frozenset(self.reads),
            frozenset(self.writes),
            frozenset(self.mutates),
            frozenset(self.uses),
            frozenset(self.changes),
            self.keeps,
        )


def _targets(node: nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment) -> list[nodes.Node]:
    if isinstance(node, nodes.Reassignment):
        return [node.target]
    return list(node.names) if isinstance(node, nodes.TupleDeclaration) else [node.name]


def _roots(variables: dict[nodes.Node, VariableSymbol], node: nodes.Node | None) -> frozenset[VariableSymbol]:
    """The variable that holds an object, as a set. It is empty if the object comes from a call or an operator."""
    while isinstance(node, nodes.Member | nodes.Parenthesized):
        node = node.object if isinstance(node, nodes.Member) else node.expression
    symbol = variables.get(node) if node is not None else None
    return frozenset((symbol,)) if symbol is not None else _NOTHING

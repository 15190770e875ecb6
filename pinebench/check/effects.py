"""What code does: which variables it reads and writes, whether it keeps state, whether it is pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pinebench.check.builtins import Signature
from pinebench.check.checker import Checker
from pinebench.check.frames import Frame
from pinebench.check.symbols import FunctionSymbol, ImportSymbol, VariableSymbol
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_PURE_NAMESPACES = frozenset(("math", "str", "color", "timeframe", "ticker", "syminfo", "chart"))
_MUTATORS = frozenset(
    (
        "push",
        "pop",
        "shift",
        "unshift",
        "insert",
        "remove",
        "set",
        "clear",
        "fill",
        "concat",
        "sort",
        "reverse",
        "put",
        "put_all",
        "add_row",
        "add_col",
        "remove_row",
        "remove_col",
        "reshape",
        "swap_rows",
        "swap_columns",
        "delete",
        "merge_cells",
        "cell",
        "copy",
        "new",
    )
)
_COLLECTIONS = frozenset(("array", "matrix", "map"))
_OBJECTS = frozenset(("array", "matrix", "map", "line", "linefill", "box", "polyline", "label", "table"))


_UNSEEN = _COLLECTIONS | {"ta", "request", "input", "footprint", "volume_row", "chart.point"} | _PURE_NAMESPACES
"""Namespaces whose functions show nothing, whatever else they do."""


class Effects(NamedTuple):
    """What a piece of script does.

    `reads` and `writes` are the variables of the script it uses and assigns, `mutates` those whose object it changes in
    place (fields, elements, drawings); `stateful` says that it keeps results from bar to bar (history, `ta.*`, `var`),
    `shows` that it draws, plots, logs, alerts or orders, `pure` that it neither keeps state nor changes anything.
    """

    reads: frozenset[VariableSymbol]
    writes: frozenset[VariableSymbol]
    mutates: frozenset[VariableSymbol]
    stateful: bool
    shows: bool
    pure: bool


_NOTHING: frozenset[VariableSymbol] = frozenset()


class EffectsOf:
    """Finds the effects of code; what a function does is found out once for each of its evaluations."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.known: dict[Frame, Effects] = {}

    def code(self, frame: Frame, roots: nodes.Node | Iterable[nodes.Node]) -> Effects:
        """The effects of the code under `roots` in `frame`; user functions that it calls are followed."""
        found = _Collected(self._variables(frame))
        for node in walk(roots):
            if isinstance(node, nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment):
                found.assign(node)
            elif isinstance(node, nodes.Name):
                found.read(node)
            elif isinstance(node, nodes.History | nodes.Once):
                found.stateful = True
            elif isinstance(node, nodes.Call):
                found.add(self._call(frame, node))
        return found.effects()

    def function(self, frame: Frame) -> Effects:
        """What one evaluation of a function does."""
        assert frame.function is not None
        effects = self.known.get(frame)
        if effects is None:
            self.known[frame] = Effects(_NOTHING, _NOTHING, _NOTHING, False, False, True)
            effects = self.known[frame] = self.code(frame, frame.function.node.body)
        return effects

    def _variables(self, frame: Frame) -> dict[nodes.Node, VariableSymbol]:
        owner = frame.function.owner if frame.function is not None else None
        return (owner or self.checker).bindings.variables

    def _call(self, frame: Frame, node: nodes.Call) -> Effects:
        """The effects of the callee alone; arguments are walked by the caller."""
        call = frame.calls.get(node)
        if call is None or isinstance(call.target, ImportSymbol):
            return Effects(_NOTHING, _NOTHING, _NOTHING, True, True, False)
        variables = self._variables(frame)
        if isinstance(call.target, Signature):
            stateful, pure = _builtin(call.target)
            shows = not pure and not stateful and call.target.name.rpartition(".")[0] not in _UNSEEN
            changed = next(iter(call.arguments.values()), None) if _changes_first(call.target.name) else None
            return Effects(_NOTHING, _NOTHING, _roots(variables, changed), stateful, shows, pure)
        if not isinstance(call.target, FunctionSymbol) or call.instance is None:
            return Effects(_NOTHING, _NOTHING, _NOTHING, False, False, True)
        inner = self.function(call.instance)
        outside = frozenset(symbol for symbol in inner.reads if symbol.scope.function is None)
        mutated = frozenset(symbol for symbol in inner.mutates if symbol.scope.function is None)
        for parameter in call.target.parameters:
            if parameter.variable in inner.mutates:
                mutated |= _roots(variables, call.arguments.get(parameter.name))
        return Effects(outside, _NOTHING, mutated, inner.stateful, inner.shows, inner.pure)


class _Collected:
    """The effects met so far."""

    def __init__(self, variables: dict[nodes.Node, VariableSymbol]) -> None:
        self.variables = variables
        self.reads: set[VariableSymbol] = set()
        self.writes: set[VariableSymbol] = set()
        self.mutates: set[VariableSymbol] = set()
        self.targets: set[nodes.Node] = set()
        self.stateful = False
        self.shows = False
        self.changes = False

    def assign(self, node: nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment) -> None:
        if isinstance(node, nodes.Reassignment) and not isinstance(node.target, nodes.Name):
            self.changes = True
            self.mutates |= _roots(self.variables, node.target)
            return
        if isinstance(node, nodes.VariableDeclaration) and node.mode is not None:
            self.stateful = True
        for target in _targets(node):
            self.targets.add(target)
            if target in self.variables:
                self.writes.add(self.variables[target])
                if isinstance(node, nodes.Reassignment) and node.operator != ":=":
                    self.reads.add(self.variables[target])

    def read(self, node: nodes.Name) -> None:
        if node in self.variables and node not in self.targets:
            self.reads.add(self.variables[node])

    def add(self, inner: Effects) -> None:
        self.reads |= inner.reads
        self.mutates |= inner.mutates
        self.stateful = self.stateful or inner.stateful
        self.shows = self.shows or inner.shows
        self.changes = self.changes or not (inner.pure or inner.stateful) or bool(inner.mutates)

    def effects(self) -> Effects:
        pure = not (self.stateful or self.shows or self.changes)
        return Effects(
            frozenset(self.reads), frozenset(self.writes), frozenset(self.mutates), self.stateful, self.shows, pure
        )


def _targets(node: nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment) -> list[nodes.Node]:
    if isinstance(node, nodes.Reassignment):
        return [node.target]
    return list(node.names) if isinstance(node, nodes.TupleDeclaration) else [node.name]


def _roots(variables: dict[nodes.Node, VariableSymbol], node: nodes.Node | None) -> frozenset[VariableSymbol]:
    """The variable through which an object is reached; none when it comes from a call or operator."""
    while isinstance(node, nodes.Member | nodes.Parenthesized):
        node = node.object if isinstance(node, nodes.Member) else node.expression
    symbol = variables.get(node) if node is not None else None
    return frozenset((symbol,)) if symbol is not None else _NOTHING


def _changes_first(name: str) -> bool:
    """Whether a built-in changes the object that is its first argument."""
    namespace, _, short = name.rpartition(".")
    return namespace in _OBJECTS and short not in ("new", "copy") and not _leaves(short)


def _leaves(short: str) -> bool:
    """Whether a function of an object only looks at it."""
    return not (short in _MUTATORS or short.startswith(("set_", "clear", "cell_")))


def _builtin(signature: Signature) -> tuple[bool, bool]:
    """Whether a built-in keeps state, and whether it is pure."""
    if signature.function.history_dependent:
        return True, False
    namespace, dot, short = signature.name.rpartition(".")
    if not dot:
        return False, not signature.function.top_level_only and signature.name not in ("alert", "max_bars_back")
    if namespace in _PURE_NAMESPACES:
        return signature.name in ("math.sum", "math.random", "timeframe.change"), signature.name != "math.random"
    if namespace in _COLLECTIONS and short in ("new", "copy"):
        return False, True
    if namespace in _OBJECTS:
        return False, _leaves(short)
    if namespace == "request":
        return True, False
    return False, namespace in ("input", "footprint", "volume_row", "chart.point")

"""What code does: which variables it reads and writes, whether it keeps state, whether it is pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pinebench.check.builtins import Signature
from pinebench.check.evaluator import Evaluator, Frame
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


class Effects(NamedTuple):
    """What a piece of script does.

    `reads` and `writes` are the variables of the script it uses and assigns; `stateful` says that it keeps results
    from bar to bar (history, `ta.*`, `var`), `pure` that it neither keeps state nor changes anything outside.
    """

    reads: frozenset[VariableSymbol]
    writes: frozenset[VariableSymbol]
    stateful: bool
    pure: bool


def effects_of(evaluator: Evaluator, frame: Frame, roots: nodes.Node | Iterable[nodes.Node]) -> Effects:
    """The effects of the code under `roots` in `frame`; user functions that it calls are followed."""
    return _Collector(evaluator).collect(frame, roots)


class _Collector:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.entered: set[int] = set()

    def collect(self, frame: Frame, roots: nodes.Node | Iterable[nodes.Node]) -> Effects:
        variables = self.evaluator.bindings.variables
        reads: set[VariableSymbol] = set()
        writes: set[VariableSymbol] = set()
        stateful, changes = False, False
        targets: set[nodes.Node] = set()
        for node in walk(roots):
            if isinstance(node, nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment):
                for target in self.targets(node):
                    targets.add(target)
                    if target in variables:
                        writes.add(variables[target])
                stateful = stateful or getattr(node, "mode", None) is not None
                changes = changes or (isinstance(node, nodes.Reassignment) and not isinstance(node.target, nodes.Name))
                if isinstance(node, nodes.Reassignment) and node.operator != ":=" and node.target in variables:
                    reads.add(variables[node.target])
            elif isinstance(node, nodes.Name):
                if node in variables and node not in targets:
                    reads.add(variables[node])
            elif isinstance(node, nodes.History | nodes.Once):
                stateful = True
            elif isinstance(node, nodes.Call):
                inner = self.call(frame, node)
                reads |= inner.reads
                writes |= inner.writes
                stateful, changes = stateful or inner.stateful, changes or not (inner.pure or inner.stateful)
                changes = changes or (inner.stateful and not inner.pure and bool(inner.writes))
        return Effects(frozenset(reads), frozenset(writes), stateful, not stateful and not changes)

    @staticmethod
    def targets(node: nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment) -> list[nodes.Node]:
        if isinstance(node, nodes.Reassignment):
            return [node.target]
        return list(node.names) if isinstance(node, nodes.TupleDeclaration) else [node.name]

    def call(self, frame: Frame, node: nodes.Call) -> Effects:
        """The effects of the callee alone; arguments are walked by the caller."""
        nothing: frozenset[VariableSymbol] = frozenset()
        call = frame.calls.get(node)
        if call is None or isinstance(call.target, ImportSymbol):
            return Effects(nothing, nothing, True, False)
        if isinstance(call.target, Signature):
            return Effects(nothing, nothing, *_builtin(call.target))
        if not isinstance(call.target, FunctionSymbol) or call.instance is None:
            return Effects(nothing, nothing, False, True)
        if id(call.instance) in self.entered:
            return Effects(nothing, nothing, False, True)
        self.entered.add(id(call.instance))
        inner = self.collect(call.instance, call.target.node.body)
        self.entered.discard(id(call.instance))
        outside = frozenset(s for s in inner.reads if s.scope.function is None)
        return Effects(outside, nothing, inner.stateful, inner.pure)


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
        return False, not (short in _MUTATORS or short.startswith(("set_", "clear", "cell_")))
    if namespace == "request":
        return True, False
    return False, namespace in ("input", "footprint", "volume_row", "chart.point")

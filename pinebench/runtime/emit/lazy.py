"""Finds the global variables that are computed only when they are read.

A strategy often computes the size of an order on every bar, and reads it on the few bars on which it places an order.
"""

from __future__ import annotations

from pinebench.runtime import ir
from pinebench.runtime.emit.ahead import Ahead, always, values_of
from pinebench.runtime.emit.known import BarInvariants, assignments, parts_of

_LARGEST = 60
"""The largest number of parts of an expression that each read of a variable is replaced by."""
_MONEY = ("strategy.convert_to_account", "strategy.convert_to_symbol")
_SIMPLE = (ir.Constant, ir.FixedValue)


def lazy_variables(module: ir.Module, invariants: BarInvariants, ahead: Ahead) -> dict[ir.Variable, ir.Expression]:
    """Return the variables that are computed when they are first read on a bar, with their expressions.

    Such a variable calls functions that only compute a value and never stop the script. Its value is the same from its
    assignment to the end of the bar, and each read of it depends on a condition. `ahead` has the values that are
    computed before the first bar.
    """
    found = _LazyCandidates(module, invariants, ahead).candidates()
    if not found:
        return found
    reads: list[tuple[ir.Statement | None, set[ir.Variable]]] = [
        (statement, _certain_reads(statement, invariants)) for statement in invariants.statements
    ]
    if module.result is not None:
        reads.append((None, {part for part in parts_of([module.result]) if isinstance(part, ir.Variable)}))
    lost: set[ir.Variable] = set(found)
    while lost:
        lost = set()
        for statement, certain in reads:
            if not (isinstance(statement, ir.Assign) and statement.variable in found):
                lost |= certain & found.keys()
        for variable in lost:
            del found[variable]
    return found


def _certain_reads(statement: ir.Statement, invariants: BarInvariants) -> set[ir.Variable]:
    """The variables that a global statement reads whenever it runs. All reads of a loop count as such."""
    if isinstance(statement, ir.Assign | ir.Show | ir.Unpack | ir.Evaluate | ir.If):
        parts = [part for value in values_of(statement) for part in always(value, invariants)]
        return {part.variable for part in parts if isinstance(part, ir.Get | ir.Past)}
    return {part for part in parts_of([statement]) if isinstance(part, ir.Variable)}


class _LazyCandidates:
    """Looks for assignments that could be left out on a bar."""

    def __init__(self, module: ir.Module, invariants: BarInvariants, ahead: Ahead) -> None:
        self._module = module
        self._known = invariants
        self._ahead = ahead
        self._assigned = assignments(invariants.statements)
        self._functions: dict[ir.Function, bool] = {}
        self._sizes: dict[ir.Variable, int] = {}

    def candidates(self) -> dict[ir.Variable, ir.Expression]:
        """The variables whose value only depends on what stays the same, with their expressions."""
        found: dict[ir.Variable, ir.Expression] = {}
        for statement in self._known.statements:
            if isinstance(statement, ir.Assign) and self._is_candidate(statement):
                found[statement.variable] = statement.value
        if found and any(map(is_immediate, parts_of([each.unit.body for each in self._module.functions]))):
            return {}  # a function may change what they depend on
        return found

    def _is_candidate(self, statement: ir.Assign) -> bool:
        variable, value = statement.variable, statement.value
        is_read_here = not variable.captured and variable.history is None
        if not is_read_here or not self._stays(variable) or variable in self._ahead.series:
            return False
        if self._known.is_settled(value):
            return False
        parts = list(parts_of([value]))
        read = [part for part in parts if isinstance(part, ir.Variable) and part in self._sizes]
        is_costly = bool(read) or any(isinstance(part, ir.CallFunction) for part in parts)
        size = len(parts)
        for part in read:
            size += self._sizes[part]
        if not is_costly or size > _LARGEST or not self._only_computes(value):
            return False
        self._sizes[variable] = size
        return True

    def _stays(self, variable: ir.Variable) -> bool:
        """Whether a global variable has one value on a bar."""
        is_plain = not variable.collection and not variable.drawing and variable.kind != "object"
        return is_plain and not variable.kept and self._assigned.get(variable) == 1

    def _only_computes(self, value: ir.Expression, own: set[ir.Variable] | None = None) -> bool:
        """Whether an expression changes nothing, never stops the script, and depends on what stays the same on a bar.
        `own` are the variables of the function that the expression belongs to."""
        if self._known.is_settled(value) or isinstance(value, _SIMPLE):
            return True
        if isinstance(value, ir.Get):
            return value.variable in own if own is not None else self._stays(value.variable)
        if isinstance(value, ir.Column):
            return value.offset is None or ir.constant_steps(value.offset) is not None
        if isinstance(value, ir.Now):
            return value.name.startswith("strategy.")
        if isinstance(value, ir.Unary):
            return value.operator in ("not", "-", "float", "na") and self._only_computes(value.operand, own)
        parts: list[ir.Expression] = []
        if isinstance(value, ir.Binary) and value.kind in ("float", "bool"):
            parts = [value.left, value.right]
        elif isinstance(value, ir.Choose) and value.kind in ("float", "int", "bool", "color"):
            parts = [value.condition, value.then, value.otherwise]
        elif isinstance(value, ir.CallBuiltin) and (value.name == "nz" or value.name.startswith("math.")):
            parts = value.arguments if not value.context else []
        elif isinstance(value, ir.CallHost) and value.name in _MONEY:
            parts = list(value.keywords.values())
        elif isinstance(value, ir.CallFunction) and value.state is None and self._is_formula(value.function):
            return all(self._only_computes(part, own) for part in value.arguments)
        return bool(parts) and all(self._only_computes(part, own) for part in parts)

    def _is_formula(self, function: ir.Function) -> bool:
        """Whether a function only computes a value."""
        if function not in self._functions:
            self._functions[function] = False  # a function that calls itself is not a formula
            self._functions[function] = self._computes_all_of(function)
        return self._functions[function]

    def _computes_all_of(self, function: ir.Function) -> bool:
        unit = function.unit
        if unit.stateful or function.result is None or any(v.captured or v.collection for v in unit.variables):
            return False
        own = {*unit.variables, *function.parameters}
        for statement in unit.body.statements:
            if not isinstance(statement, ir.Assign) or statement.variable not in own:
                return False
            if not self._only_computes(statement.value, own):
                return False
        return self._only_computes(function.result, own)


def is_immediate(value: ir.Expression) -> bool:
    """Return whether a call can change the strategy's position while the script runs."""
    if not isinstance(value, ir.CallHost) or value.name not in ("strategy.close", "strategy.close_all"):
        return False
    immediately = value.keywords.get("immediately")
    return not isinstance(immediately, ir.Constant) or bool(immediately.value)

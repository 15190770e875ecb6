"""Finds the values that can be computed for all bars before the first bar runs, because they depend only on the chart.

The same operations and calls run in the same order as bar by bar, so the results are equal to the last bit. The last
bar can run again; its values are computed when it runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pinebench.runtime import ir
from pinebench.runtime.emit.inlined import Inliner
from pinebench.runtime.emit.known import BarInvariants, alternatives, assignments, chain_of, is_plain

OF_TIME = frozenset(("time", "time_close", "timeframe.change"))
"""Functions of the execution whose result depends only on the bar, wherever they are called."""
_OPERATORS = ("not", "-", "float", "na")
ON_HISTORY = {
    "bar_index": "range(count)",
    "barstate.isfirst": "[True, *[False] * count]",
    "barstate.islast": "[False] * count",
    "barstate.isconfirmed": "[True] * count",
    "barstate.ishistory": "[True] * count",
    "barstate.isrealtime": "[False] * count",
    "barstate.isnew": "[True] * count",
    "last_bar_index": "[R.last_index] * count",
}
"""The values of the run's variables on the bars of history before the last bar, as Python code."""
_NO_UNIT = ir.Unit("")


@dataclass(slots=True, eq=False)
class TupleItem:
    """One item of the tuple that a call returns; `number` is its index."""

    kind: ir.Kind
    whole: ir.Expression
    number: int


Series = ir.Expression | TupleItem


@dataclass
class Ahead:
    """The calls that are computed before the first bar, and the variables that hold series of the chart."""

    known: BarInvariants
    calls: set[ir.Expression] = field(default_factory=set)
    series: dict[ir.Variable, Series] = field(default_factory=dict)
    written_out: dict[ir.CallFunction, ir.Expression] = field(default_factory=dict)
    """The calls of functions that are computed ahead, each with the expression that it computes."""
    inliner: Inliner = field(init=False)
    is_recorded: bool = False
    """Whether a recorder keeps values. Then functions run as they are, because it keeps their local variables."""
    _checked: dict[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.inliner = Inliner(self.known, self._named)

    def _named(self, value: ir.Expression) -> ir.Expression:
        """Give a series a name, so that it is computed once however often it is used."""
        self.take(value)
        if isinstance(value, ir.Get | ir.Column | ir.TupleOf) or self.known.is_settled(value):
            return value
        if not self.is_series(value):
            return value
        variable = ir.Variable(-1, "", value.kind, _NO_UNIT)
        self.series[variable] = value
        return ir.Get(value.kind, variable)

    def take(self, value: ir.Expression) -> None:
        """Collect the calls in an expression that are always evaluated and can be computed before the first bar."""
        for part in always(value, self.known):
            if isinstance(part, ir.CallFunction):
                self._write_out(part)
            elif self.is_computed(part):
                self.calls.add(part)

    def _write_out(self, call: ir.CallFunction) -> None:
        if self.is_recorded or not all(map(self.is_series, call.arguments)):
            return
        result = self.inliner.expression(call)
        if result is None:
            return
        self.take(result)
        items = result.items if isinstance(result, ir.TupleOf) else [result]
        if all(self.is_series(item) and not self.known.is_settled(item) for item in items):
            self.written_out[call] = result

    def is_series(self, value: Series) -> bool:
        """Return whether an expression is the same on all bars, or is a series that depends only on the chart."""
        if isinstance(value, TupleItem) or self.known.is_settled(value):
            return True
        if id(value) not in self._checked:
            self._checked[id(value)] = self._is_series(value)
        return self._checked[id(value)]

    def _is_series(self, value: ir.Expression) -> bool:
        if isinstance(value, ir.Column):
            return value.offset is None or ir.constant_steps(value.offset) is not None
        if isinstance(value, ir.Get):
            return value.variable in self.series
        if isinstance(value, ir.Past):
            return value.variable in self.series and ir.constant_steps(value.offset) is not None
        if isinstance(value, ir.CallKernel | ir.CallHost | ir.RecordedValue):
            return value in self.calls
        if isinstance(value, ir.CallFunction):
            return not isinstance(self.written_out.get(value), ir.TupleOf | None)
        if isinstance(value, ir.Now):
            return value.name in ON_HISTORY
        if isinstance(value, ir.Unary):
            return value.operator in _OPERATORS and self._is_made_of([value.operand])
        if isinstance(value, ir.Binary):
            first, chain = chain_of(value)
            return value.kind != "string" and self._is_made_of([first, *(part.right for part in chain)])
        if isinstance(value, ir.Choose):
            return self._is_made_of(alternatives(value))
        if isinstance(value, ir.CallBuiltin):
            return self._is_series_call(value)
        return False

    def _is_series_call(self, value: ir.CallBuiltin) -> bool:
        if value.name in OF_TIME:
            return all(map(self.known.is_settled, value.arguments))
        return is_plain(value) and self._is_made_of(value.arguments)

    def _is_made_of(self, parts: list[ir.Expression]) -> bool:
        """Whether all parts are series and at least one of them differs from bar to bar. If all parts were the same on
        all bars, the expression was left to the run on purpose."""
        return all(map(self.is_series, parts)) and not all(map(self.known.is_settled, parts))

    def is_computed(self, value: ir.Expression) -> bool:
        """Return whether a call that is always evaluated is computed before the first bar."""
        if isinstance(value, ir.CallKernel):
            return not value.state.series_length and all(map(self.is_series, value.arguments))
        if isinstance(value, ir.CallHost):
            # A request whose arguments are the same on all bars.
            return value.name == "request.security" and all(map(self.known.is_settled, value.keywords.values()))
        if isinstance(value, ir.RecordedValue):
            return ir.constant_steps(value.offset) is not None and self._is_made_of([value.value])
        return False


def ahead_of(module: ir.Module, invariants: BarInvariants) -> Ahead:
    """Find the parts of a module that can be computed before the first bar. `invariants` has the values that are the
    same on all bars."""
    found = Ahead(invariants, is_recorded=module.records)
    assigned = assignments(invariants.statements)
    result = [ir.Evaluate(module.line, module.result)] if module.result is not None else []
    for statement in [*invariants.statements, *result]:
        for value in values_of(statement):
            found.take(value)
        if isinstance(statement, ir.Assign):
            is_one = _holds_one(statement.variable, assigned, module)
            if is_one and found.is_series(statement.value) and not invariants.is_settled(statement.value):
                found.series[statement.variable] = statement.value
        elif isinstance(statement, ir.Unpack):
            items = _items(statement, found)
            for variable, item in zip(statement.variables, items, strict=False):
                if variable is not None and _holds_one(variable, assigned, module):
                    found.series[variable] = item
    return found


def _items(statement: ir.Unpack, ahead: Ahead) -> list[Series]:
    """The series of a tuple's items; an empty list if they are not computed ahead."""
    value = statement.value
    if isinstance(value, ir.CallFunction):
        result = ahead.written_out.get(value)
        return list(result.items) if isinstance(result, ir.TupleOf) else []
    if value not in ahead.calls:
        return []
    kinds: list[ir.Kind] = [variable.kind if variable is not None else "float" for variable in statement.variables]
    return [TupleItem(kind, value, number) for number, kind in enumerate(kinds)]


def may_be_skipped(value: ir.Expression) -> bool:
    """Return whether an expression may stay unevaluated: it keeps no state and never stops the script."""
    pending: list[ir.Expression] = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, ir.Unary):
            pending.append(part.operand)
        elif isinstance(part, ir.Binary):
            pending += [part.left, part.right]
        elif isinstance(part, ir.Choose):
            pending += [part.condition, part.then, part.otherwise]
        elif isinstance(part, ir.Column | ir.Past):
            if part.offset is not None and ir.constant_steps(part.offset) is None:
                return False
        elif isinstance(part, ir.CallBuiltin) and part.name.startswith((*ir.SETTLED_FUNCTIONS, "nz")):
            pending += part.arguments
        elif not isinstance(part, ir.Constant | ir.Get | ir.FixedValue | ir.Now):
            return False
    return True


def _holds_one(variable: ir.Variable, assigned: dict[ir.Variable, int], module: ir.Module) -> bool:
    """Whether a variable holds the same series everywhere it is read."""
    is_own = variable.history is None or variable.history.block is module.unit.body
    return not variable.kept and not variable.collection and assigned[variable] == 1 and is_own


def leaves(value: ir.Expression, invariants: BarInvariants) -> Iterator[ir.Expression]:
    """Yield the columns, variables and calls in a series."""
    pending: list[ir.Expression] = [value]
    while pending:
        part = pending.pop()
        if invariants.is_settled(part):
            continue
        if isinstance(part, ir.Unary):
            pending.append(part.operand)
        elif isinstance(part, ir.Binary):
            pending += [part.left, part.right]
        elif isinstance(part, ir.Choose):
            pending += [part.condition, part.then, part.otherwise]
        elif isinstance(part, ir.CallBuiltin) and part.name not in OF_TIME:
            pending += part.arguments
        else:
            yield part


def values_of(statement: ir.Statement) -> list[ir.Expression]:
    """Return the expressions of a statement that are evaluated each time it runs."""
    if isinstance(statement, ir.Assign | ir.Show | ir.Unpack | ir.Evaluate):
        return [statement.value]
    return [statement.condition] if isinstance(statement, ir.If) else []


def always(value: ir.Expression, invariants: BarInvariants) -> Iterator[ir.Expression]:
    """Yield the parts of an expression that are always evaluated, inner parts first."""
    if isinstance(value, ir.Unary):
        yield from always(value.operand, invariants)
    elif isinstance(value, ir.Binary):
        yield from _operands(value, invariants)
    elif isinstance(value, ir.Choose):
        yield from _chosen(value, invariants)
    elif isinstance(value, ir.GetField):
        yield from always(value.object, invariants)
    elif isinstance(value, ir.RecordedValue):
        yield from always(value.value, invariants)
    else:
        for part in _parts(value):
            yield from always(part, invariants)
    yield value


def _chosen(value: ir.Choose, invariants: BarInvariants) -> Iterator[ir.Expression]:
    current: ir.Expression = value
    while isinstance(current, ir.Choose):
        yield from always(current.condition, invariants)
        holds = invariants.truth(current.condition)
        if holds is None:
            return
        current = current.then if holds else current.otherwise
    yield from always(current, invariants)


def _operands(value: ir.Binary, invariants: BarInvariants) -> Iterator[ir.Expression]:
    """The operands of a chain that are always evaluated. A loop walks the chain, because its tree is as deep as the
    chain is long."""
    first, chain = chain_of(value)
    yield from always(first, invariants)
    for part in chain:
        if part.operator in ("and", "or") and invariants.truth(part.left) != (part.operator == "and"):
            return
        yield from always(part.right, invariants)


def _parts(value: ir.Expression) -> list[ir.Expression]:
    if isinstance(value, ir.CallBuiltin | ir.CallKernel | ir.CallFunction | ir.New):
        return value.arguments
    if isinstance(value, ir.CallHost):
        return [*value.arguments, *value.keywords.values()]
    return value.items if isinstance(value, ir.TupleOf) else []

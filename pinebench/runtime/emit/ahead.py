"""What is computed for all bars before the first runs: calls of `ta.*` whose arguments are series of the chart alone,
and what only the time of a bar decides. They are the same calls in the same order, so that nothing changes but the time
they take; the last bar, which may run again, is left to the code of the bar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pinebench.runtime import ir

OF_TIME = frozenset(("time", "time_close", "timeframe.change"))
"""Functions of the surroundings that give the same on a bar wherever they are called."""
_OPERATORS = frozenset("+-*/")


@dataclass
class Ahead:
    """The expressions that are computed ahead, and the variables that hold nothing else."""

    kernels: set[ir.CallKernel] = field(default_factory=set)
    requests: set[ir.CallHost] = field(default_factory=set)
    series: dict[ir.Variable, ir.Expression] = field(default_factory=dict)


def ahead_of(module: ir.Module) -> Ahead:
    """What of a module can be computed ahead."""
    found = Ahead()
    assigned = _assignments(module.unit.body)
    result = [ir.Evaluate(module.line, module.result)] if module.result is not None else []
    for statement in [*module.unit.body.statements, *result]:
        for value in _values(statement):
            for part in _always(value):
                if isinstance(part, ir.CallKernel) and _is_series_kernel(part, found):
                    found.kernels.add(part)
                elif isinstance(part, ir.CallHost) and _is_fixed_request(part):
                    found.requests.add(part)
        if isinstance(statement, ir.Assign) and _stays_series(statement, assigned, found):
            found.series[statement.variable] = statement.value
    return found


def _stays_series(statement: ir.Assign, assigned: dict[ir.Variable, int], ahead: Ahead) -> bool:
    """Whether a variable holds one series wherever it is read."""
    variable = statement.variable
    if variable.kept or assigned[variable] != 1 or ir.is_settled(statement.value):
        return False
    return is_series(statement.value, ahead)


def is_series(value: ir.Expression, ahead: Ahead) -> bool:
    """Whether an expression is a series that the chart alone decides, or the same on all bars."""
    if ir.is_settled(value):
        return True
    if isinstance(value, ir.Column):
        return value.offset is None
    if isinstance(value, ir.Get):
        return value.variable in ahead.series
    if isinstance(value, ir.CallKernel):
        return value in ahead.kernels
    if isinstance(value, ir.Unary):
        return value.operator == "-" and is_series(value.operand, ahead)
    if isinstance(value, ir.Binary):
        return value.operator in _OPERATORS and value.kind in ir.NUMBERS and _both(value, ahead)
    return False


def _both(value: ir.Binary, ahead: Ahead) -> bool:
    return is_series(value.left, ahead) and is_series(value.right, ahead)


def leaves(value: ir.Expression, ahead: Ahead) -> Iterator[ir.Expression]:
    """The columns, variables and calls that a series is made of."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, ir.Column | ir.Get | ir.CallKernel):
            yield part
        elif isinstance(part, ir.Unary):
            pending.append(part.operand)
        elif isinstance(part, ir.Binary):
            pending += [part.left, part.right]


def _is_series_kernel(call: ir.CallKernel, ahead: Ahead) -> bool:
    return not call.state.series_length and all(is_series(argument, ahead) for argument in call.arguments)


def _is_fixed_request(call: ir.CallHost) -> bool:
    """Whether a request asks for the same bars on all bars."""
    return call.name == "request.security" and all(ir.is_settled(value) for value in call.keywords.values())


def _assignments(block: ir.Block) -> dict[ir.Variable, int]:
    """How often each variable is assigned in the text."""
    found: dict[ir.Variable, int] = {}
    pending = [block]
    while pending:
        for statement in pending.pop().statements:
            if isinstance(statement, ir.Assign):
                found[statement.variable] = found.get(statement.variable, 0) + 1
            elif isinstance(statement, ir.Initialize):
                pending.append(ir.Block(statement.body))
            elif isinstance(statement, ir.If):
                pending += [statement.then, *([statement.otherwise] if statement.otherwise is not None else [])]
            elif isinstance(statement, ir.Range | ir.Each | ir.While | ir.Once):
                pending.append(statement.body)
    return found


def _values(statement: ir.Statement) -> list[ir.Expression]:
    """The expressions of a statement that are evaluated whenever it runs."""
    if isinstance(statement, ir.Assign | ir.Show | ir.Unpack | ir.Evaluate):
        return [statement.value]
    return [statement.condition] if isinstance(statement, ir.If) else []


def _always(value: ir.Expression) -> Iterator[ir.Expression]:
    """The parts of an expression that are always evaluated, inner ones first."""
    if isinstance(value, ir.Unary):
        yield from _always(value.operand)
    elif isinstance(value, ir.Binary):
        yield from _operands(value)
    elif isinstance(value, ir.Choose):
        yield from _always(value.condition)
    elif isinstance(value, ir.GetField):
        yield from _always(value.object)
    elif isinstance(value, ir.Recorded):
        yield from _always(value.value)
    else:
        for part in _parts(value):
            yield from _always(part)
    yield value


def _operands(value: ir.Binary) -> Iterator[ir.Expression]:
    """A chain of operators is walked: it is as deep as it is long."""
    chain: list[ir.Binary] = []
    left: ir.Expression = value
    while isinstance(left, ir.Binary):
        chain.append(left)
        left = left.left
    yield from _always(left)
    for part in reversed(chain):
        if part.operator in ("and", "or"):
            return
        yield from _always(part.right)


def _parts(value: ir.Expression) -> list[ir.Expression]:
    if isinstance(value, ir.CallBuiltin | ir.CallKernel | ir.CallFunction | ir.New):
        return value.arguments
    if isinstance(value, ir.CallHost):
        return [*value.arguments, *value.keywords.values()]
    return value.items if isinstance(value, ir.TupleOf) else []

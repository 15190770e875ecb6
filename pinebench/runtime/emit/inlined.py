"""Replaces calls of the script's functions with the expressions that they compute.

Arguments are inserted for parameters, and each call has its own copies of stateful built-ins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pinebench.runtime import ir
from pinebench.runtime.emit.known import BarInvariants, chain_of

_DEEPEST = 8
"""The greatest depth of functions that call functions."""
_LARGEST = 400
"""The largest number of expression parts that one call may be replaced by."""
Values = dict[ir.Variable, ir.Expression]


class _NotSimple(Exception):
    """A function does more than compute a value."""


class Inliner:
    """Replaces calls with expressions.

    The function `name` gives a name to a value that is computed on every bar, and returns the expression that reads the
    name, so that the value is computed once.
    """

    def __init__(self, invariants: BarInvariants, name: Callable[[ir.Expression], ir.Expression]) -> None:
        self.states: list[ir.KernelState] = []
        """The copies of stateful built-ins that were made."""
        self._known = invariants
        self._name = name
        self._parts: list[ir.Expression] = []
        """All expressions that were made. They are kept because they are identified by their `id`."""
        self._limit = 0
        self._choices = 0
        """The number of conditions around the current code; if it is not 0, the code may not run on every bar."""

    def expression(self, call: ir.CallFunction) -> ir.Expression | None:
        """Return the expression that a call computes, or None if it does more than compute a value."""
        self._limit = len(self._parts) + _LARGEST
        self._choices = 0
        try:
            return self._called(call.function, call.arguments, 0)
        except (_NotSimple, RecursionError):  # nested too deeply, so not simple either
            return None

    def _called(self, function: ir.Function, arguments: list[ir.Expression], depth: int) -> ir.Expression:
        unit = function.unit
        keeps = any(v.kept or v.captured or v.collection or _has_history(v) for v in unit.variables)
        if depth > _DEEPEST or keeps or function.result is None:
            raise _NotSimple
        # A call that does not run on every bar has a history of its own.
        if unit.blocks and self._choices:
            raise _NotSimple
        values: Values = dict(zip(function.parameters, arguments, strict=True))
        self._run(unit.body.statements, values, depth)
        return self._put(function.result, values, depth)

    def _run(self, statements: list[ir.Statement], values: Values, depth: int) -> None:
        for statement in statements:
            if isinstance(statement, ir.Assign):
                values[statement.variable] = self._named(self._put(statement.value, values, depth))
            elif isinstance(statement, ir.Unpack):
                self._unpack(statement, values, depth)
            elif isinstance(statement, ir.If):
                self._choose(statement, values, depth)
            else:
                raise _NotSimple

    def _unpack(self, statement: ir.Unpack, values: Values, depth: int) -> None:
        whole = self._put(statement.value, values, depth)
        if not isinstance(whole, ir.TupleOf):
            raise _NotSimple
        for variable, item in zip(statement.variables, whole.items, strict=True):
            if variable is not None:
                values[variable] = self._named(item)

    def _choose(self, statement: ir.If, values: Values, depth: int) -> None:
        condition = self._put(statement.condition, values, depth)
        holds = self._known.truth(condition)
        then = statement.then.statements
        otherwise = statement.otherwise.statements if statement.otherwise is not None else []
        if holds is not None:
            self._run(then if holds else otherwise, values, depth)
            return
        sides = (dict(values), dict(values))
        self._choices += 1
        self._run(then, sides[0], depth)
        self._run(otherwise, sides[1], depth)
        self._choices -= 1
        for variable in values:
            first, second = sides[0][variable], sides[1][variable]
            if first is not second:
                values[variable] = self._named(self._made(ir.Choose(variable.kind, condition, first, second)))

    def _named(self, value: ir.Expression) -> ir.Expression:
        return value if self._choices else self._name(value)

    def _made(self, value: ir.Expression) -> ir.Expression:
        if len(self._parts) > self._limit:
            raise _NotSimple
        self._parts.append(value)
        return value

    def _put(self, value: ir.Expression, values: Values, depth: int) -> ir.Expression:
        """Copy an expression and insert the values of the function's variables."""
        if isinstance(value, ir.Get):
            return values.get(value.variable, value)
        if isinstance(value, ir.Past) and value.variable.mirrored is not None:
            return self._made(replace(value, variable=value.variable.mirrored))
        if isinstance(value, ir.Constant | ir.FixedValue | ir.Now | ir.Column | ir.Past):
            return value

        def put(part: ir.Expression) -> ir.Expression:
            return self._put(part, values, depth)

        if isinstance(value, ir.Unary):
            return self._made(replace(value, operand=put(value.operand)))
        if isinstance(value, ir.Binary):
            return self._put_chain(value, values, depth)
        if isinstance(value, ir.Choose):
            condition = put(value.condition)
            holds = self._known.truth(condition)
            if holds is not None:
                return put(value.then if holds else value.otherwise)
            self._choices += 1
            sides = put(value.then), put(value.otherwise)
            self._choices -= 1
            return self._made(ir.Choose(value.kind, condition, *sides))
        if isinstance(value, ir.CallBuiltin):
            return self._made(replace(value, arguments=[put(part) for part in value.arguments]))
        if isinstance(value, ir.TupleOf):
            return self._made(ir.TupleOf(value.kind, [put(part) for part in value.items]))
        if isinstance(value, ir.RecordedValue):
            return self._made(replace(value, value=put(value.value)))
        if isinstance(value, ir.CallKernel):
            state = replace(value.state, number=f"{value.state.number}_{len(self.states)}")
            self.states.append(state)
            return self._made(replace(value, state=state, arguments=[put(part) for part in value.arguments]))
        if isinstance(value, ir.CallFunction):
            return self._called(value.function, [put(part) for part in value.arguments], depth + 1)
        raise _NotSimple

    def _put_chain(self, value: ir.Binary, values: Values, depth: int) -> ir.Expression:
        """Copy a chain of operators. Operands after `and` or `or` may not be evaluated."""
        first, chain = chain_of(value)
        found = self._put(first, values, depth)
        for part in chain:
            is_lazy = part.operator in ("and", "or")
            self._choices += is_lazy
            right = self._put(part.right, values, depth)
            self._choices -= is_lazy
            found = self._made(ir.Binary(part.kind, part.operator, found, right))
        return found


def _has_history(variable: ir.Variable) -> bool:
    """Whether a variable of a function has a history other than the chart's, if the function runs on every bar."""
    return variable.history is not None and variable.mirrored is None

"""Finds the request arguments that are the same on all bars, so that the requested bars are known before a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pinebench.runtime import BarInvariants, assignments, inner_statements, ir, is_plain, parts_of

SECURITY = "request.security"
LOWER = "request.security_lower_tf"
"""The request whose values on a bar are an array."""
REQUESTS = (SECURITY, LOWER)
_OF_TEXTS = ("ticker.", "str.", "syminfo.")
"""Namespaces whose functions depend only on their arguments."""
_OF_SYMBOL = ("str.tostring", "timeframe.in_seconds", "timeframe.from_seconds")
"""Functions that depend on their arguments, the symbol and the timeframe."""
Values = dict[ir.Variable, ir.Expression | None]
"""The values of variables at one point of the script; None for a value that may differ from bar to bar."""


class RequestArguments:
    """The arguments of a module's requests, found by following its statements in order. A string may be chosen by
    branches, joined, or passed to a function. A function that makes requests is converted separately for each call."""

    def __init__(self, module: ir.Module, invariants: BarInvariants) -> None:
        self._known = invariants
        self._found: dict[int, dict[str, ir.Expression | None]] = {}
        self._texts: dict[int, ir.Expression | None] = {}
        self._asks: dict[ir.Function, bool] = {}
        self._once = assignments(invariants.statements)
        for function in module.functions:
            self._once |= assignments(function.unit.body.statements)
        values: Values = {}
        self._follow(invariants.statements, values)
        self._look([module.result], values)

    def of(self, request: ir.CallHost, number: int) -> dict[str, ir.Expression | None]:
        """Return the arguments of a request by name. An argument is None if it may differ from bar to bar, and all are
        None if the request is never made."""
        return self._found.get(number, dict.fromkeys(request.keywords))

    def text(self, value: ir.Expression) -> ir.Expression | None:
        """Return an expression for the same string, without variables; None if the string may differ from bar to
        bar."""
        return self._texts.get(id(value))

    def _assigned(self, value: ir.Expression, values: Values) -> ir.Expression | None:
        """Return the constant expression that a variable or a parameter gets; None if its value may differ from bar to
        bar."""
        settled = self._settled(value, values)
        if value.kind == "string":
            is_first = id(value) not in self._texts
            self._texts[id(value)] = settled if is_first or _is_same(settled, self._texts[id(value)]) else None
        return settled

    def _follow(self, statements: Iterable[ir.Statement], values: Values) -> None:
        """Follow statements, and update the known `values` of variables."""
        for statement in statements:
            if isinstance(statement, ir.If):
                self._branch(statement, values)
                continue
            inner = inner_statements(statement)
            if isinstance(statement, ir.WITH_BODY):
                values |= dict.fromkeys(assignments(inner))
            self._look([statement], values)
            if isinstance(statement, ir.WITH_BODY):
                self._follow(inner, values)
                values |= dict.fromkeys(assignments(inner))
            elif isinstance(statement, ir.Initialize):
                self._follow(inner, values)
                is_one = self._once[statement.variable] == 1
                settled = self._assigned(statement.value, values)
                values[statement.variable] = settled if is_one else None
            elif isinstance(statement, ir.Assign):
                settled = self._assigned(statement.value, values)
                values[statement.variable] = None if statement.variable.kept else settled
            elif isinstance(statement, ir.Unpack):
                values |= {variable: None for variable in statement.variables if variable is not None}

    def _branch(self, statement: ir.If, values: Values) -> None:
        self._look([statement.condition], values)
        condition = self._settled(statement.condition, values)
        then, otherwise = dict(values), dict(values)
        self._follow(statement.then.statements, then)
        if statement.otherwise is not None:
            self._follow(statement.otherwise.statements, otherwise)
        for variable in {**then, **otherwise}:
            first, second = then.get(variable), otherwise.get(variable)
            if first is second:
                values[variable] = first
            elif condition is None or first is None or second is None:
                values[variable] = None
            else:
                values[variable] = ir.Choose(variable.kind, condition, first, second)

    # expressions

    def _look(self, parts: list[Any], values: Values) -> None:
        """Find the requests in expressions and in the functions that they call. Bodies of statements are followed
        elsewhere."""
        for part in parts_of(parts, is_inside=False):
            if isinstance(part, ir.CallHost) and part.name in REQUESTS:
                self._note(part, values)
            elif isinstance(part, ir.CallFunction):
                given = [self._assigned(argument, values) for argument in part.arguments]
                if self._makes_requests(part.function):
                    own = values | dict(zip(part.function.parameters, given, strict=True))
                    self._follow(part.function.unit.body.statements, own)
                    self._look([part.function.result], own)

    def _makes_requests(self, function: ir.Function) -> bool:
        if function not in self._asks:
            parts = parts_of([function.unit.body.statements, function.result])
            self._asks[function] = any(
                (isinstance(part, ir.CallHost) and part.name in REQUESTS)
                or (isinstance(part, ir.CallFunction) and self._makes_requests(part.function))
                for part in parts
            )
        return self._asks[function]

    def _note(self, node: ir.CallHost, values: Values) -> None:
        number = node.arguments[0]
        assert isinstance(number, ir.Constant) and isinstance(number.value, int)
        given = {name: self._settled(value, values) for name, value in node.keywords.items()}
        earlier = self._found.get(number.value)
        if earlier is not None:  # it is reached on two ways, which need not agree
            given = {name: value if _is_same(value, earlier[name]) else None for name, value in given.items()}
        self._found[number.value] = given

    def _settled(self, value: ir.Expression, values: Values) -> ir.Expression | None:
        """Return an expression with the same value and no variables, or None if the value may differ from bar to
        bar."""
        constant = self._known.constant(value)
        if constant is not None:
            return constant
        if isinstance(value, ir.FixedValue):
            return value if value.source in ("fixed", "input", "tick") else None
        if isinstance(value, ir.Get):
            held = self._known.variables.get(value.variable)
            return values.get(value.variable) if held is None else self._settled(held, values)
        if isinstance(value, ir.Unary):
            operand = self._settled(value.operand, values)
            is_known = operand is not None and value.operator in ("not", "-", "float", "na")
            return replace(value, operand=operand) if is_known else None
        if isinstance(value, ir.Binary):
            left, right = self._settled(value.left, values), self._settled(value.right, values)
            return None if left is None or right is None else replace(value, left=left, right=right)
        if isinstance(value, ir.Choose):
            parts = [self._settled(part, values) for part in (value.condition, value.then, value.otherwise)]
            return None if None in parts else ir.Choose(value.kind, *parts)  # type: ignore[arg-type]
        if isinstance(value, ir.CallBuiltin) and (is_plain(value) or _is_of_texts(value)):
            given = [self._settled(argument, values) for argument in value.arguments]
            return None if None in given else replace(value, arguments=given)  # type: ignore[arg-type]
        return None


def inputs_of_code(values: Iterable[ir.Expression], invariants: BarInvariants) -> set[int]:
    """Return the numbers of the inputs on which `values` depend. `values` are expressions that are computed before the
    first bar."""
    found: set[int] = set()
    pending = list(values)
    while pending:
        for part in parts_of([pending.pop()]):
            if isinstance(part, ir.FixedValue) and part.source == "input":
                found.add(int(part.key))
            elif isinstance(part, ir.Get) and part.variable in invariants.variables:
                pending.append(invariants.variables[part.variable])
    return found


def _is_of_texts(value: ir.CallBuiltin) -> bool:
    is_known = value.name in _OF_SYMBOL or (value.name.startswith(_OF_TEXTS) and not value.context)
    return is_known and all(part.kind != "object" or isinstance(part, ir.Constant) for part in value.arguments)


def _is_same(first: ir.Expression | None, second: ir.Expression | None) -> bool:
    """Return whether two settled expressions have the same text."""
    return first is second or repr(first) == repr(second)

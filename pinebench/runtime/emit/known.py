"""Finds the values that are known before the first bar: constants, values that follow from them, and branches that
run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pinebench.runtime import ir, values

_PLAIN = frozenset(("nz", "int", "bool", "math.round_to_mintick"))
_ROUNDS = 2
"""The number of searches of the script for constant values. A branch that never runs may contain a second assignment of
a variable on which others depend."""
_UNARY = ("not", "-", "float", "na")
_FOLDED = frozenset((ir.Get, ir.Unary, ir.Binary, ir.Choose))
"""The expressions that may have a constant value."""
_GIVEN = frozenset((ir.Constant, ir.FixedValue))
_SETTLED_BY_PARTS = frozenset((ir.Unary, ir.Binary, ir.Choose, ir.CallBuiltin))


class BarInvariants:
    """The global variables that are the same on all bars, and the facts about expressions that follow from them.

    Strings are not joined in advance, because they may grow without limit. Only the run, whose memory is limited, joins
    them.
    """

    def __init__(self, module: ir.Module) -> None:
        self.variables: dict[ir.Variable, ir.Expression] = {}
        self._constants: dict[int, ir.Constant | None] = {}
        self._settled: dict[int, bool] = {}
        body = module.unit.body.statements
        taken = body
        for _ in range(_ROUNDS):
            self._learn(taken)
            taken = list(self._taken(body))
        self.statements = _without_lost(taken)
        """The global statements that run. A branch that is always taken replaces its `if` statement."""

    def _learn(self, statements: list[ir.Statement]) -> None:
        """Find the variables that are the same on all bars. Earlier results about expressions are forgotten."""
        self._constants.clear()
        self._settled.clear()
        assigned = assignments(statements)
        for statement in self._taken(statements):
            if not isinstance(statement, ir.Assign) or not _stays(statement.variable, assigned):
                continue
            if self.is_settled(statement.value):
                self.variables[statement.variable] = statement.value

    def constant(self, value: ir.Expression) -> ir.Constant | None:
        """Return the constant value of an expression, or None."""
        if isinstance(value, ir.Constant):
            return value
        if value.__class__ not in _FOLDED:
            return None
        key = id(value)
        if key not in self._constants:
            self._constants[key] = self._computed(value)
        return self._constants[key]

    def truth(self, condition: ir.Expression) -> bool | None:
        """Return whether a condition is true on all bars or false on all bars; None if that is not known."""
        found = self.constant(condition)
        return None if found is None else bool(found.value)

    def is_settled(self, value: ir.Expression) -> bool:
        """Return whether an expression is the same on all bars, so that it can be computed before the first bar."""
        if isinstance(value, ir.Get):
            return value.variable in self.variables
        if value.__class__ in _GIVEN:
            return ir.is_settled(value)
        if value.__class__ not in _SETTLED_BY_PARTS:
            return False
        key = id(value)
        if key not in self._settled:
            self._settled[key] = self._is_settled(value)
        return self._settled[key]

    def _is_settled(self, value: ir.Expression) -> bool:
        if isinstance(value, ir.Unary):
            return value.operator in _UNARY and self.is_settled(value.operand)
        if isinstance(value, ir.Choose):
            choices: list[ir.Choose] = []
            current: ir.Expression = value
            while isinstance(current, ir.Choose):
                choices.append(current)
                current = current.otherwise
            holds = self.is_settled(current)
            for choice in reversed(choices):
                holds = holds and self.is_settled(choice.condition) and self.is_settled(choice.then)
                self._settled[id(choice)] = holds
            return holds
        if isinstance(value, ir.CallBuiltin):
            return is_plain(value) and all(map(self.is_settled, value.arguments))
        assert isinstance(value, ir.Binary)
        # Store the results for all parts of a chain, because they are asked for one after the other.
        self.constant(value)
        first, chain = chain_of(value)
        holds = self.is_settled(first)
        for part in chain:
            holds = holds and part.kind in ("float", "bool") and self.is_settled(part.right)
            self._settled[id(part)] = holds or self.constant(part) is not None
        return self._settled[id(value)]

    def _computed(self, value: ir.Expression) -> ir.Constant | None:
        if isinstance(value, ir.Get):
            held = self.variables.get(value.variable)
            return None if held is None else self.constant(held)
        if isinstance(value, ir.Unary):
            operand = self.constant(value.operand)
            if operand is None or value.operator not in _UNARY:
                return None
            return ir.Constant(value.kind, values.inverted(value.operator, operand.value))
        if isinstance(value, ir.Choose):
            current: ir.Expression = value
            while isinstance(current, ir.Choose):
                holds = self.truth(current.condition)
                if holds is None:
                    return None
                current = current.then if holds else current.otherwise
            return self.constant(current)
        assert isinstance(value, ir.Binary)
        first, chain = chain_of(value)
        found = self.constant(first)
        for part in chain:
            found = None if found is None else self._operated(part, found)
            self._constants[id(part)] = None if part.kind == "string" else found
        if isinstance(first, ir.FixedValue) and isinstance(chain[0].right, ir.FixedValue):
            self._constants[id(chain[0])] = _compared_members(chain[0], first, chain[0].right)
        return self._constants[id(value)]

    def _operated(self, part: ir.Binary, left: ir.Constant) -> ir.Constant | None:
        if part.operator in ("and", "or") and bool(left.value) == (part.operator == "or"):
            return left
        right = self.constant(part.right)
        if right is None or part.operator in ("and", "or"):
            return right
        found = operated(part, left.value, right.value)
        return None if found is None else ir.Constant(part.kind, found)

    def _taken(self, statements: list[ir.Statement]) -> Iterator[ir.Statement]:
        for statement in statements:
            holds = self.truth(statement.condition) if isinstance(statement, ir.If) else None
            if holds is None or not isinstance(statement, ir.If):
                yield statement
                continue
            block = statement.then if holds else statement.otherwise
            if block is not None and block.number is None:
                yield from self._taken(block.statements)
            elif block is not None:
                yield statement


def operated(operation: ir.Binary, left: Any, right: Any) -> Any:
    """Compute an operation on two values in the same way as the run; return None if only the run can compute it."""
    kinds = (operation.left.kind, operation.right.kind)
    if kinds in (("bool", "bool"), ("string", "string")) and operation.operator in ("==", "!="):
        return ((left or "") == (right or "")) == (operation.operator == "==")
    if not all(kind in ir.NUMBERS for kind in kinds):
        return None
    if operation.operator in values.COMPARISONS:
        return values.compared(operation.operator, left - right, is_exact=kinds == ("int", "int"))
    value = values.OPERATIONS[operation.operator](left, right)
    return value if not abs(value) > values.EXACT else None


def is_plain(call: ir.CallBuiltin) -> bool:
    """Return whether the result of a function depends only on its arguments and the symbol, and the function never
    stops a script."""
    return call.name in _PLAIN or (call.name.startswith(ir.SETTLED_FUNCTIONS) and not call.context)


def chain_of(value: ir.Binary) -> tuple[ir.Expression, list[ir.Binary]]:
    """Return the first operand of a chain of operators, and its operations in order. This is a loop, not a recursion,
    because the tree is as deep as the chain is long."""
    chain: list[ir.Binary] = []
    left: ir.Expression = value
    while isinstance(left, ir.Binary):
        chain.append(left)
        left = left.left
    return left, chain[::-1]


def alternatives(value: ir.Choose) -> list[ir.Expression]:
    """Return the conditions and values of a chain of ternaries. This is a loop, not a recursion, because the tree is as
    deep as the chain is long."""
    found: list[ir.Expression] = []
    current: ir.Expression = value
    while isinstance(current, ir.Choose):
        found += [current.condition, current.then]
        current = current.otherwise
    return [*found, current]


def assignments(statements: list[ir.Statement]) -> dict[ir.Variable, int]:
    """Return the number of assignments to each variable in the code."""
    found: dict[ir.Variable, int] = {}
    pending: list[ir.Statement] = list(statements)
    while pending:
        statement = pending.pop()
        targets: list[ir.Variable | None] = []
        if isinstance(statement, ir.Assign | ir.Initialize):
            targets = [statement.variable]
        elif isinstance(statement, ir.Unpack):
            targets = list(statement.variables)
        for variable in targets:
            if variable is not None:
                found[variable] = found.get(variable, 0) + 1
        pending += inner_statements(statement)
    return found


def inner_statements(statement: ir.Statement) -> list[ir.Statement]:
    """Return the statements directly within a statement, without the statements within them."""
    if isinstance(statement, ir.Initialize):
        return statement.body
    if isinstance(statement, ir.If):
        return [*statement.then.statements, *(statement.otherwise.statements if statement.otherwise else [])]
    return statement.body.statements if isinstance(statement, ir.WITH_BODY) else []


def _stays(variable: ir.Variable, assigned: dict[ir.Variable, int]) -> bool:
    return not variable.kept and variable.history is None and assigned[variable] == 1


def _compared_members(value: ir.Binary, left: ir.FixedValue, right: ir.FixedValue) -> ir.Constant | None:
    """The result of comparing two members of enums, or None."""
    if value.operator not in ("==", "!=") or left.source != "enum" or right.source != "enum":
        return None
    return ir.Constant("bool", (left.key == right.key) == (value.operator == "=="))


def _without_lost(statements: list[ir.Statement]) -> list[ir.Statement]:
    """Remove constant assignments whose value is never read before the variable is assigned again."""
    assigned = assignments(statements)
    mentioned: dict[int, set[ir.Variable]] = {}

    def is_lost(number: int, statement: ir.Statement) -> bool:
        if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Constant):
            return False
        variable = statement.variable
        if variable.kept or variable.captured or variable.history is not None or assigned[variable] == 1:
            return False
        for place in range(number + 1, len(statements)):
            following = statements[place]
            if place not in mentioned:
                mentioned[place] = _mentioned(following)
            if variable in mentioned[place]:
                return False
            if isinstance(following, ir.Assign) and following.variable is variable:
                return True
        return False

    return [statement for number, statement in enumerate(statements) if not is_lost(number, statement)]


def _mentioned(statement: ir.Statement) -> set[ir.Variable]:
    """The variables in a statement, except the variable that it assigns."""
    parts = parts_of([statement.value] if isinstance(statement, ir.Assign) else [statement])
    return {part for part in parts if isinstance(part, ir.Variable)}


def parts_of(code: list[Any], *, is_inside: bool = True) -> Iterator[Any]:
    """Yield all statements, expressions and variables in `code`, which are statements or expressions. Statements in
    inner blocks and bodies are included only if `is_inside`."""
    pending = list(code)
    while pending:
        part = pending.pop()
        if isinstance(part, list | tuple):
            pending += part
        elif isinstance(part, dict):
            pending += part.values()
        elif part is not None and not isinstance(part, _LEAVES) and (is_inside or not isinstance(part, ir.Block)):
            yield part
            if not isinstance(part, ir.Variable):
                names = getattr(type(part), "__slots__", ())
                pending += [getattr(part, name) for name in names if is_inside or name != "body"]


_LEAVES = (str, ir.Function, ir.ObjectType, ir.KernelState, ir.RecorderState, ir.CallState, ir.OnceState, ir.History)

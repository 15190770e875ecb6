"""Small expressions over named numbers, such as `net_profit / max_drawdown` or `last(RSI) < 30 and trades > 10`.

This module parses them into a tree and computes them. An expression cannot name or call anything else.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pinebench.errors import UsageError
from pinebench.near import near_names

_MOST = 500
"""The largest number of characters of an expression."""
_DEEPEST = 40
_MOST_POWER = 64
_METRIC = "expected, for example: net_profit / max_drawdown, or trades > 30"
_CONDITION = "expected, for example: last(RSI) < 30 and last(close) > last(SMA)"
_FOREIGN = {"&&": "and", "||": "or", "=>": ">=", "=<": "<=", "<>": "!="}
"""Operators of other languages, with the ones that are meant."""

Number = float | None
"""A number or a truth value (1 or 0); None if it is not known."""


class FunctionCall(NamedTuple):
    """A call such as `last(RSI)` of a function that the caller computes: its name, and its arguments as text."""

    name: str
    arguments: tuple[str | float, ...]


_OPERATIONS: dict[type, Callable[[float, float], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": lambda *values: min(values),  # of one number, too
    "max": lambda *values: max(values),
    "sqrt": math.sqrt,
    "log": math.log,
}
_ARITY = {"abs": (1, 1), "min": (1, 20), "max": (1, 20), "sqrt": (1, 1), "log": (1, 1)}


class Expression:
    """A parsed expression. `names` are the names of the numbers that it needs, and `calls` are its function calls."""

    def __init__(self, text: str, names: frozenset[str], functions: Mapping[str, range], aliases: Mapping[str, str]):
        self.text = text
        self._known = names
        self._functions = functions
        self._aliases = aliases
        self.names: set[str] = set()
        self.calls: set[FunctionCall] = set()
        self._tree = _parsed(text, _CONDITION if functions else _METRIC)
        self._check(self._tree, 0)

    def value(self, numbers: Mapping[str, Number], called: Callable[[FunctionCall], Number] = lambda _: None) -> Number:
        """Compute the value; `called` computes a function call. Return None if a needed number is unknown."""
        try:
            found = self._value(self._tree, numbers, called)
        except OverflowError:  # a constant that is too large
            return None
        return found if found is not None and math.isfinite(found) else None

    def holds(self, numbers: Mapping[str, Number], called: Callable[[FunctionCall], Number] = lambda _: None) -> bool:
        """Return whether the value is known and not 0."""
        return bool(self.value(numbers, called))

    def _wrong(self, words: str, hint: str = "") -> UsageError:
        return UsageError(f"'{self.text}': {words}", hint or (_CONDITION if self._functions else _METRIC))

    def _check(self, node: ast.AST, depth: int) -> None:
        if depth > _DEEPEST:
            raise self._wrong("the expression is nested too deeply")
        match node:
            case ast.Constant(value=bool()) | ast.Constant(value=int() | float()):
                pass
            case ast.Name(id=name):
                self._check_name(name)
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in self._functions:
                self.calls.add(self._call(node))
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _FUNCTIONS:
                least, most = _ARITY[name]
                if not least <= len(node.args) <= most:
                    raise self._wrong(f"{name} takes {least} to {most} arguments, not {len(node.args)}")
                for each in node.args:
                    self._check(each, depth + 1)
            case ast.Call(func=ast.Name(id=name)):
                raise self._wrong(f"there is no function '{name}'", self._near(name, [*self._functions, *_FUNCTIONS]))
            case (
                ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not())
                | ast.BoolOp()
                | ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Mod() | ast.Pow())
                | ast.Compare()
            ):
                self._check_parts(node, depth)
            case _:
                raise self._wrong(
                    "an expression may only contain numbers, names and the operators + - * / % ** < > and or not"
                )

    def _check_parts(self, node: ast.AST, depth: int) -> None:
        if isinstance(node, ast.Compare):
            for each in node.ops:
                if type(each) not in _OPERATIONS:
                    raise self._wrong("the comparison operator is unknown", "use < <= > >= == !=")
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.expr):
                self._check(each, depth + 1)

    def _check_name(self, name: str) -> None:
        if self._aliases.get(name, name) not in self._known:
            raise self._wrong(f"there is no figure '{name}'", self._near(name, [*self._known, *self._aliases]))
        self.names.add(self._aliases.get(name, name))

    def _near(self, name: str, known: list[str]) -> str:
        near = near_names(name, known)
        if self._functions and not near:
            return f"last({name}) is the last value of a plot; a figure of a strategy is written by its name"
        return f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(known))}"

    def _call(self, node: ast.Call) -> FunctionCall:
        assert isinstance(node.func, ast.Name)
        name, found = node.func.id, []
        for each in node.args:
            match each:
                case ast.Name(id=word) | ast.Constant(value=str(word)):
                    found.append(word)
                case ast.Constant(value=int() | float()):
                    found.append(each.value)
                case _:
                    raise self._wrong(
                        f"{name} takes the title of a plot, or a column of the bars", "write a title in quotes"
                    )
        if len(found) not in self._functions[name] or not isinstance(found[0], str):
            raise self._wrong(f"{name} has the wrong number of arguments", f"expected, for example: {name}(close)")
        if not all(isinstance(each, int) and 0 < each < 1_000_000 for each in found[1:]):
            raise self._wrong(f"the number of bars of {name} must be a whole number above 0")
        return FunctionCall(name, tuple(found))

    def _value(self, node: ast.AST, numbers: Mapping[str, Number], called: Callable[[FunctionCall], Number]) -> Number:
        match node:
            case ast.Constant(value=value):
                return float(value)  # pyright: ignore[reportArgumentType]
            case ast.Name(id=name):
                return numbers.get(self._aliases.get(name, name))
            case ast.Call(func=ast.Name(id=name)) if name in self._functions:
                return called(self._call(node))
            case ast.Call(func=ast.Name(id=name)):
                return _applied(_FUNCTIONS[name], [self._value(each, numbers, called) for each in node.args])
            case ast.UnaryOp(op=operation, operand=inner):
                value = self._value(inner, numbers, called)
                if value is None:
                    return None
                return float(not value) if isinstance(operation, ast.Not) else -value if _is_minus(operation) else value
            case ast.BoolOp(op=operation, values=parts):
                return _joined((self._value(each, numbers, called) for each in parts), isinstance(operation, ast.And))
            case ast.BinOp(op=operation, left=left, right=right):
                applied = _power if isinstance(operation, ast.Pow) else _OPERATIONS[type(operation)]
                return _applied(applied, [self._value(each, numbers, called) for each in (left, right)])
            case ast.Compare(left=left, ops=operations, comparators=others):
                values = [self._value(each, numbers, called) for each in (left, *others)]
                steps = zip(operations, values, values[1:], strict=False)
                return _joined((_applied(_OPERATIONS[type(each)], [one, two]) for each, one, two in steps), True)
        raise AssertionError(node)


def _parsed(text: str, hint: str) -> ast.AST:
    if not text.strip() or len(text) > _MOST:
        raise UsageError(f"'{text[:40]}' is empty or longer than {_MOST} characters", "expected an expression")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        wrong = next((each for each in _FOREIGN if each in text), None)
        hint = hint if wrong is None else f"write {_FOREIGN[wrong]} instead of {wrong}"
        raise UsageError(f"'{text}' is not an expression", hint) from None


def _is_minus(operation: ast.AST) -> bool:
    return isinstance(operation, ast.USub)


def _applied(function: Callable[..., Any], values: list[Number]) -> Number:
    """Return the value of a function; None if a value is unknown or the function has no value for them."""
    if None in values:
        return None
    try:
        found = float(function(*values))
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
    return None if math.isnan(found) else found


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > _MOST_POWER:
        raise OverflowError
    return float(base**exponent) if base > 0 or exponent == int(exponent) else math.nan


def _joined(values: Iterator[Number], is_and: bool) -> Number:
    """Combine values with `and` or `or`. The first decisive value decides; None if an unknown value could decide it."""
    found: Number = 1.0 if is_and else 0.0
    for value in values:
        if value is None:
            found = None
        elif bool(value) is not is_and:
            return 0.0 if is_and else 1.0
    return found

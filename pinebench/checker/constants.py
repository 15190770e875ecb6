"""Computes the values of constant expressions: literals, operators, casts, and variables with a constant value."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

from pinebench.checker.argument_text import path_of
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import VariableSymbol
from pinebench.checker.types import CONST, NA
from pinebench.patterns import lazy_pattern
from pinebench.reference import constant
from pinebench.syntax import nodes

Value = int | float | bool | str | None


class BuiltinConstant(str):
    """The dotted name of a built-in constant or an enum field, whose value only the compiler knows."""

    __slots__ = ()


_ESCAPES = {"n": "\n", "t": "\t"}
_ESCAPED = lazy_pattern(r"\\(.?)", re.DOTALL)
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "and": lambda left, right: left and right,
    "or": lambda left, right: left or right,
}
_CASTS: dict[str | None, type | None] = {"int": int, "float": float, "bool": bool, "string": None, "color": None}
MATH = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.phi": (1 + math.sqrt(5)) / 2,
    "math.rphi": 0.6180339887498948,  # as TradingView writes it; the nearest double ends in 49
}
"""The values of the constants that are numbers with fractions."""
_DEEPEST = 200
_LONGEST = 40_960
"""The largest number of characters that a string may have (TradingView's release notes)."""
_LARGEST = 1 << 63


class NotConstant(Exception):
    """Raised when the value of an expression is not known before the script runs."""


class _TooDeep(NotConstant):
    """Raised when an expression is nested too deeply to compute. The value of an inner expression may still be
    computed."""


def fold(checker: Checker, node: nodes.Node, depth: int = 0) -> Value:
    """Compute the value of a constant expression.

    None is na; a colour is its `#` text; a built-in constant is its dotted name, except the numbers of `MATH`. Raises
    NotConstant if the value depends on the chart, on an input, or on anything else that this function cannot compute.
    """
    if depth > _DEEPEST:
        raise _TooDeep
    if isinstance(node, nodes.Literal):
        return literal_value(node)
    named = _NAMED.get(type(node))
    if named is not None:
        return named(checker, node, depth)
    # These classes are not in the table, so that each level of an expression takes only one frame of Python's stack.
    if isinstance(node, nodes.Binary):
        left = fold(checker, node.left, depth + 1)
        return _binary(node.operator, left, fold(checker, node.right, depth + 1))
    if isinstance(node, nodes.Parenthesized):
        return fold(checker, node.expression, depth + 1)
    if isinstance(node, nodes.Unary):
        return _unary(node.operator, fold(checker, node.operand, depth + 1))
    if isinstance(node, nodes.Ternary):
        chosen = node.then if fold(checker, node.condition, depth + 1) else node.otherwise
        return fold(checker, chosen, depth + 1)
    raise NotConstant


def literal_value(node: nodes.Literal) -> Value:
    """Return the Python value of a literal. A colour stays its `#RRGGBB` text."""
    if node.kind == "int":
        return _integer(node.text)
    if node.kind == "float":
        return float(node.text)
    if node.kind == "bool":
        return node.text == "true"
    if node.kind == "color":
        return node.text
    return string_value(node.text)


def _integer(text: str) -> int:
    """Convert the text of an integer. Python refuses texts with thousands of digits; Pine has no such values, so they
    count as unknown."""
    try:
        return int(text)
    except ValueError:
        raise NotConstant from None


def string_value(text: str) -> str:
    """Return the content of a string literal with its escapes resolved. A line break and its indentation become one
    space."""
    quotes = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    body = text[quotes:-quotes]
    if quotes == 1 and ("\n" in body or "\r" in body):
        body = " ".join(part.strip(" \t") if number else part for number, part in enumerate(body.splitlines()))
    if "\\" not in body:
        return body
    return _ESCAPED.sub(lambda escaped: _ESCAPES.get(escaped[1], escaped[1]), body)


def _unary(sign: str, value: Value) -> Value:
    if value is None:
        return None
    if sign == "not":
        return not value
    if isinstance(value, str):
        raise NotConstant
    return -value if sign == "-" else value


def _binary(sign: str, left: Value, right: Value) -> Value:
    if left is None or right is None:
        raise NotConstant
    if isinstance(left, BuiltinConstant) or isinstance(right, BuiltinConstant):
        return _same_constant(sign, left, right)
    try:
        if sign in ("/", "%"):
            if not right or isinstance(left, str) or isinstance(right, str):
                raise NotConstant
            return left / right if sign == "/" else _remainder(left, right)
        return _bounded(_BINARY[sign](left, right))
    except (TypeError, OverflowError, ValueError):
        raise NotConstant from None


def _remainder(left: int | float, right: int | float) -> int | float:
    """`left % right` with the sign of `left`, as Pine computes it."""
    if isinstance(left, int) and isinstance(right, int):
        size = abs(left) % abs(right)
        return -size if left < 0 else size
    return math.fmod(left, right)


def _bounded(value: Value) -> Value:
    """Return `value`. Raises NotConstant if it is large: values that double with each constant of a script would fill
    the memory."""
    if isinstance(value, str) and len(value) > _LONGEST:
        raise NotConstant
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise NotConstant
    return value


def _same_constant(sign: str, left: Value, right: Value) -> bool:
    """Compare two built-in constants. Only equality of the same name is known: two names may have the same value."""
    if left == right and type(left) is type(right) and sign in ("==", "!="):
        return sign == "=="
    raise NotConstant


def _cast(checker: Checker, node: nodes.Call, depth: int) -> Value:
    """Compute `int(x)`, `float(x)`, and the casts that only give na a type."""
    name = path_of(node.callee)
    if name not in _CASTS or name in checker.bindings.functions or len(node.arguments) != 1:
        raise NotConstant
    given = node.arguments[0]
    value = fold(checker, given.value if isinstance(given, nodes.NamedArgument) else given, depth + 1)
    if value is None or isinstance(value, BuiltinConstant):
        return value
    return _number(_CASTS[name], value)


def _number(cast: type | None, value: Value) -> Value:
    if cast is None or isinstance(value, bool | str) or value is None:
        return value
    try:
        return cast(value)
    except (OverflowError, ValueError):
        raise NotConstant from None


def _name(checker: Checker, node: nodes.Name, depth: int) -> Value:
    if node.id == "na" and node not in checker.bindings.variables:
        return None
    symbol = checker.bindings.variables.get(node)
    if symbol is None:
        raise NotConstant
    return _variable(checker, symbol, depth)


def _variable(checker: Checker, symbol: VariableSymbol, depth: int) -> Value:
    if symbol.reassignments or symbol.kind != "variable" or symbol.value is None:
        raise NotConstant
    type_ = symbol.type
    if type_ is not None and type_.qualifier != CONST and type_.base is not NA:
        raise NotConstant
    known = checker.constants
    if symbol not in known:
        try:
            known[symbol] = (fold(checker, symbol.value, depth + 1),)
        except _TooDeep:
            raise
        except NotConstant:
            known[symbol] = ()
    if not known[symbol]:
        raise NotConstant
    return known[symbol][0]


def _member(checker: Checker, node: nodes.Member, depth: int) -> Value:
    path = path_of(node)
    if path is None:
        raise NotConstant
    if path in MATH:
        return MATH[path]
    if constant(path) is not None:
        return BuiltinConstant(path)
    root, _, rest = path.partition(".")
    enum = checker.bindings.enums.get(root)
    if enum is not None and node.name in enum.fields:
        return BuiltinConstant(path)
    library = checker.bindings.imports.get(root)
    if library is not None and isinstance(library.source, Checker):
        return _exported(library.source, path, rest, depth)
    raise NotConstant


def _exported(library: Checker, path: str, name: str, depth: int) -> Value:
    """The value of a constant or of an enum's field that a library exports."""
    name, _, field = name.partition(".")
    enum = library.bindings.enums.get(name)
    if enum is not None and field in enum.fields:
        return BuiltinConstant(path)
    symbol = library.bindings.global_scope.names.get(name)
    if symbol is None or field:
        raise NotConstant
    return _variable(library, symbol, depth)


_NAMED: dict[type[nodes.Node], Callable[[Checker, Any, int], Value]] = {
    nodes.Name: _name,
    nodes.Member: _member,
    nodes.Call: _cast,
}
"""The functions that compute the value of named nodes, by class of node."""

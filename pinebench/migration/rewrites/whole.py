"""Finds constant integers by the rules of v3 to v5, where the quotient of two constant integers was an integer too."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from pinebench.checker import VariableSymbol
from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.script import OldScript, value_of
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


class ConstantInteger(NamedTuple):
    """A constant integer. `is_certain` says whether TradingView's old compiler certainly treated it as one. That was
    recorded for constants in expressions and variables, but not for constants that pass through a function."""

    value: int
    is_certain: bool


Given = Mapping[str, nodes.Node]
"""The arguments of one call of a function, by parameter."""
_NONE: Given = {}
_LARGEST = 1 << 53
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: int(left / right),
    "%": lambda left, right: int(math.fmod(left, right)),
}
_FUNCTIONS: dict[str, Callable[[list[int]], int]] = {
    "math.max": max,
    "math.min": min,
    "math.abs": lambda values: abs(values[0]),
}
_MOST_STEPS = 2000


def whole(script: OldScript, node: nodes.Node, given: Given = _NONE) -> ConstantInteger | None:
    """Return the constant integer to which an expression evaluated before v6. `given` has the arguments of the function
    that contains it. Return None if the value was a fraction or not a constant, or if it takes too many steps to find
    out."""
    return _Search(script).value(node, given)


class _Search:
    """Computes one constant integer in a bounded number of steps: each name of a script can double them."""

    def __init__(self, script: OldScript) -> None:
        self.script = script
        self.steps = _MOST_STEPS

    def value(self, node: nodes.Node, given: Given) -> ConstantInteger | None:
        """The constant integer that `node` was, for the function's arguments `given`. None if it was another value or
        is not known."""
        node = value_of(node)
        self.steps -= 1
        if self.steps < 0:
            return None
        match node:
            case nodes.Literal(kind="int"):
                return ConstantInteger(int(node.text), is_certain=True) if len(node.text) < 16 else None
            case nodes.Parenthesized():
                return self.value(node.expression, given)
            case nodes.Unary(operator="-" | "+"):
                operand = self.value(node.operand, given)
                sign = -1 if node.operator == "-" else 1
                return operand and ConstantInteger(sign * operand.value, operand.is_certain)
            case nodes.Binary() if node.operator in _OPERATORS:
                return self._computed(node, given)
            case nodes.Ternary():
                known, is_true = self.script.value_of(node.condition)
                return self.value(node.then if is_true else node.otherwise, given) if known else None
            case nodes.Call():
                return self._called(node, given)
            case nodes.Name():
                return self._named(node, given)
            case _:
                return None

    def _computed(self, node: nodes.Binary, given: Given) -> ConstantInteger | None:
        left = self.value(node.left, given)
        right = self.value(node.right, given) if left is not None else None
        if left is None or right is None or (node.operator in "/%" and not right.value):
            return None
        value = _OPERATORS[node.operator](left.value, right.value)
        return ConstantInteger(value, left.is_certain and right.is_certain) if abs(value) < _LARGEST else None

    def _named(self, node: nodes.Name, given: Given) -> ConstantInteger | None:
        symbol = self.script.symbol_of(node)
        if not isinstance(symbol, VariableSymbol) or symbol.reassignments:
            return None
        if symbol.kind == "parameter":
            # The argument is an expression outside of the function.
            found = self.value(given[symbol.name], _NONE) if symbol.name in given else None
            return found and ConstantInteger(found.value, is_certain=False)
        declaration = symbol.declaration
        if not isinstance(declaration, nodes.VariableDeclaration):
            return None
        if declaration.type is not None and self.script.source(declaration.type) != "int":
            return None
        return self.value(declaration.value, given)

    def _called(self, node: nodes.Call, given: Given) -> ConstantInteger | None:
        """The result of `int(a / b)`, of a function that only chooses, or of a function of the script."""
        name = dotted(node.callee) or ""
        group = self.script.program.functions.get(name, ())
        if not group and name == "int" and len(node.arguments) == 1:
            return self.value(node.arguments[0], given)
        if not group and name in _FUNCTIONS and node.arguments:
            found = [self.value(item, given) for item in node.arguments]
            values = [each.value for each in found if each is not None]
            return ConstantInteger(_FUNCTIONS[name](values), is_certain=False) if len(values) == len(found) else None
        if len(group) != 1 or not group[0].node.body:
            return None
        last = group[0].node.body[-1]
        if not isinstance(last, nodes.ExpressionStatement):
            return None
        result = self.value(last.expression, _bound(group[0].node, node))
        return result and ConstantInteger(result.value, is_certain=False)


def _bound(function: nodes.FunctionDeclaration, call: nodes.Call) -> Given:
    """The arguments of a call by parameter, with the defaults of the others."""
    names = [parameter.name.id for parameter in function.parameters]
    found: dict[str, nodes.Node] = {p.name.id: p.default for p in function.parameters if p.default is not None}
    for number, item in enumerate(call.arguments):
        if isinstance(item, nodes.NamedArgument):
            found[item.name] = item.value
        elif number < len(names):
            found[names[number]] = item
    return found


def parameters(script: OldScript, node: nodes.Node) -> VariableSymbol | None:
    """Return the first parameter of a function that `node` uses, directly or through the values of variables; None if
    it uses none."""
    for source in script.sources_of(node):
        for name in walk(source):
            symbol = script.symbol_of(name) if isinstance(name, nodes.Name) else None
            if isinstance(symbol, VariableSymbol) and symbol.kind == "parameter":
                return symbol
    return None


def call_sites(script: OldScript, parameter: VariableSymbol | None) -> Iterator[Given]:
    """Yield the arguments of each call of the function with `parameter`, or one empty mapping if it is None."""
    function = parameter.scope.function if parameter is not None else None
    if function is None:
        yield _NONE
        return
    for call in script.of(nodes.Call):
        if dotted(call.callee) == function.name:
            yield _bound(function.node, call)

"""Finds how many bars back `[]` reads the history of each variable and expression."""

from __future__ import annotations

from typing import Literal

from pinebench.checker.argument_text import path_of
from pinebench.checker.checker import Checker
from pinebench.checker.constants import NotConstant, fold
from pinebench.checker.symbols import VariableSymbol
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

Lookback = int | Literal["unbounded"]
"""A number of bars, or `"unbounded"` if it is only known while the script runs."""

Target = nodes.Node | VariableSymbol | str
"""The target of a lookback: an expression or call by its node, a variable, or a built-in variable by its name."""


def lookbacks(checker: Checker) -> dict[Target, Lookback]:
    """The lookback of each expression and variable whose history the script reads."""
    found: dict[Target, Lookback] = {}
    for chunk in checker.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.History):
                depth = _depth(checker, node.offset)
                for target in _targets(checker, node.object):
                    found[target] = deeper(found.get(target, 0), depth)
    return found


def deeper(first: Lookback, second: Lookback) -> Lookback:
    """The larger of two lookbacks; "unbounded" is larger than any number."""
    if first == "unbounded" or second == "unbounded":
        return "unbounded"
    return max(first, second)


def _depth(checker: Checker, offset: nodes.Node) -> Lookback:
    try:
        value = fold(checker, offset)
    except NotConstant:
        return "unbounded"
    return max(0, int(value)) if isinstance(value, int | float) else 0


def _targets(checker: Checker, node: nodes.Node) -> list[Target]:
    """An indexed expression with and without its parentheses, and the variable that it names."""
    found: list[Target] = [node]
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
        found.append(node)
    symbol = checker.bindings.variables.get(node)
    path = path_of(node)
    if symbol is not None:
        found.append(symbol)
    elif path is not None:
        found.append(path)
    return found

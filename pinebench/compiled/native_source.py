"""The functions that become machine code, as a syntax tree with the names and constants that they use."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from pinebench.compiled.layouts import Layout

_EXTREME = """
def {0}_of_items(m: P, first: int, end: int) -> float:
    best = m[first]
    for k in range(first + 1, end):
        if m[k] {1} best:
            best = m[k]
    return best


def {0}_of_column(b: P, first: int, end: int) -> float:
    # There are no holes in a column, so the order does not matter: four values let the processor compare several bars
    # at once. The last four bars may be compared twice.
    best = b[first]
    if end - first < 5:
        for k in range(first + 1, end):
            best = b[k] if b[k] {1} best else best
        return best
    second = b[first + 1]
    third = b[first + 2]
    fourth = b[first + 3]
    last = end - 4
    k = first + 4
    while k < end:
        k = k if k < last else last
        best = b[k] if b[k] {1} best else best
        second = b[k + 1] if b[k + 1] {1} second else second
        third = b[k + 2] if b[k + 2] {1} third else third
        fourth = b[k + 3] if b[k + 3] {1} fourth else fourth
        k = k + 4
    best = second if second {1} best else best
    third = fourth if fourth {1} third else third
    return third if third {1} best else best
"""
EXTREMES = "".join(_EXTREME.format(name, sign) for name, sign in (("max", ">"), ("min", "<")))
"""`max` and `min` of many numbers."""


class NativeSource:
    """Functions that become machine code, by name, with their signatures."""

    def __init__(self, text: str, names: Mapping[str, Any] | None = None) -> None:
        """Read the functions in `text`. `names` are the names of the module: its layouts are read as `LAYOUT.name`, and
        its constants by their names."""
        self.layouts = {
            name: value for name, value in (names or {}).items() if isinstance(value, Layout | SimpleNamespace)
        }
        body = ast.parse(text).body
        self.functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
        self.constants = {
            name: ast.Constant(value)
            for name, value in (names or {}).items()
            if name.isupper() and name not in ("NA", "INF") and isinstance(value, int | float)
        }
        """The numeric constants by name."""
        self.held: dict[str, int] = {}
        """The functions whose state is held in registers, with its size in floats (`held_state`)."""
        for node in body:
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant | ast.UnaryOp):
                continue
            if isinstance(node.targets[0], ast.Name):
                self.constants[node.targets[0].id] = ast.Constant(ast.literal_eval(node.value))

    @cached_property
    def calls(self) -> Counter[str]:
        """The number of calls of each function, counted over all functions."""
        nodes = (node for function in self.functions.values() for node in ast.walk(function))
        return Counter(n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))

    def with_more(self, text: str, names: Mapping[str, Any] | None = None) -> NativeSource:
        """Return a source that also includes the functions in `text`."""
        made = NativeSource(text, names)
        made.functions = {**self.functions, **made.functions}
        made.constants = {**self.constants, **made.constants}
        made.layouts = {**self.layouts, **made.layouts}
        made.held = self.held
        return made

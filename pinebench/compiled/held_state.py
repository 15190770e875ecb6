"""Finds the functions whose state can be held in registers while machine code runs over the bars.

A built-in's function gets the address of its state as its second argument, `s`. In a loop over bars, state in memory
costs time, because each bar waits until the previous bar's values have reached the memory. So `compiled.native` copies
a call's state to local variables before the loop, and back to the memory around each call of a function that reads it
there. Such functions run rarely; their names end in `_slow`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

STATE = "s"
MOST_PLACES = 104
"""The largest number of floats that one function holds. With more, compiling takes longer, and there are too few
registers."""
_LONGEST = 60
"""The largest number of statements in a function whose state is held."""


def offset(node: ast.expr) -> int | None:
    """Return the offset of an expression from the address of the state; None if it is not an address in the state."""
    total = 0
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant):
        assert isinstance(node.right.value, int)
        total += node.right.value
        node = node.left
    return total if isinstance(node, ast.Name) and node.id == STATE else None


def held_functions(functions: Mapping[str, ast.FunctionDef], sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the functions whose state can be held in local variables during a run, with the state's size in floats.

    `sizes` has the sizes for all functions with a state. A state can be held if all its uses have fixed offsets, and if
    it is passed in memory only to functions that run rarely (`_slow`).
    """
    known: dict[str, bool] = {}

    def can_be_held(name: str) -> bool:
        if name not in known:
            known[name] = False  # a function that calls itself
            known[name] = name in sizes and not name.endswith("_slow") and _is_plain(functions[name])
        return known[name]

    def _is_plain(function: ast.FunctionDef) -> bool:
        nodes = list(ast.walk(function))
        if any(isinstance(node, ast.For | ast.While) for node in nodes):
            return False
        if sum(isinstance(node, ast.stmt) for node in nodes) > _LONGEST:
            return False
        uses = 0
        for node in nodes:
            if isinstance(node, ast.Name) and node.id == STATE:
                uses += 1
            elif isinstance(node, ast.Subscript) and offset(node.slice) is not None:
                uses -= 1
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                given = [argument for argument in node.args if offset(argument) is not None]
                name = node.func.id
                is_plain = not given or name in ("read_int", "write_int") or name.endswith("_slow")
                if not is_plain and not can_be_held(name):
                    return False
                uses -= len(given)
        return uses == 0

    return {name: size for name, size in sizes.items() if can_be_held(name)}

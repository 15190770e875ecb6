"""The kinds of attacks that pinebench holds off, with the tests of each kind and the variants that they try.

A new way to attack is a row in the table of variants of its kind, and a new kind is a part of `attacks.toml`.
"""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent
FEWEST = 5
"""So many variants of each kind are tried at least."""


KINDS: dict[str, dict[str, list[str]]] = tomllib.loads((ROOT / "attacks.toml").read_text(encoding="utf-8"))
"""For each kind its `tests`, each with its file, and the tables with the `variants` that they try."""


@cache
def _names(file: str) -> dict[str, ast.stmt]:
    """The tests and the tables of a file."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


def _count(node: ast.expr | None) -> int:
    """The number of rows of a table that is spelt out."""
    if isinstance(node, ast.Dict):
        return len(node.keys)
    if isinstance(node, ast.GeneratorExp):
        return max(_count(each.iter) for each in node.generators)
    if isinstance(node, ast.Tuple | ast.List):
        return sum(_count(each.value) if isinstance(each, ast.Starred) else 1 for each in node.elts)
    return 0


def test_each_kind_has_its_tests_and_enough_variants() -> None:
    for kind, row in KINDS.items():
        for file, _, name in (each.partition("::") for each in row["tests"]):
            assert isinstance(_names(file).get(name), ast.FunctionDef), f"{kind}: {file} has no {name}"
        for file, _, name in (each.partition("::") for each in row["variants"]):
            table = _names(file).get(name)
            assert isinstance(table, ast.Assign | ast.AnnAssign), f"{kind}: {file} has no {name}"
            assert _count(table.value) >= FEWEST, f"{kind}: {name} has few variants"


def test_a_short_table_would_be_found() -> None:
    rows = ast.parse("(1, *('a', 'b'), {})", mode="eval").body
    assert (_count(rows), _count(ast.parse("{}", mode="eval").body), _count(None)) == (4, 0, 0)

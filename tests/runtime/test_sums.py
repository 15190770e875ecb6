"""Numbers are added up step by step: Python's own `sum` compensates floats from 3.12 on."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOMS = Path(__file__).parents[2] / "pinebench"
FILES = sorted(path for room in ("runtime", "market", "calendars") for path in (ROOMS / room).rglob("*.py"))


def uses_of_sum(text: str) -> list[int]:
    """The lines on which Python's own `sum` is read, called or passed on."""
    names = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))
    return [node.lineno for node in names if node.id == "sum" and isinstance(node.ctx, ast.Load)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOMS).as_posix())
def test_no_module_uses_the_sum_of_python(path: Path) -> None:
    assert uses_of_sum(path.read_text(encoding="utf8")) == []


def test_uses_are_found() -> None:
    assert uses_of_sum("x = sum(values)\ny = map(sum, rows)\nself.sum = 1\narray.sum()") == [1, 2]

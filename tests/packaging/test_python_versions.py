"""What works on one Python of the supported range and not on another is not used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.cli.support import CHECKOUT

_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9]*,?[0-9]*\})\+")


def possessive_groups(path: Path) -> Iterator[tuple[str, int]]:
    """Where a string of a module holds a group that is repeated possessively."""
    text = path.read_text(encoding="utf-8")
    if not any(sign in text for sign in ("*+", "++", "?+", "}+")):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _POSSESSIVE_GROUP.search(node.value):
            yield path.relative_to(CHECKOUT).as_posix(), node.lineno


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python 3.11.0 to 3.11.4 match these wrongly: `re.match('(?:ab?c)*+', 'aca')` finds all three letters there."""
    modules = [path for room in ("pinebench", "scripts", "benchmarks") for path in (CHECKOUT / room).rglob("*.py")]
    assert len(modules) > 100
    modules = [path for path in modules if "node_modules" not in path.parts]
    assert [place for path in modules for place in possessive_groups(path)] == []

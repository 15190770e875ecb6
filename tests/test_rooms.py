"""The rooms hold no circle: no module of a room needs, while it runs, a module that needs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pinebench"
ROOMS = sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists())

Graph = dict[str, set[str]]


def imports_of(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import that runs, those within functions included; what only type checkers read is left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for branch in node.orelse:
                yield from imports_of(branch)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        else:
            yield from imports_of(node)


def needs(source: str, modules: set[str]) -> set[str]:
    """Those of `modules` that the module with this source imports; a name imported from a package is the package's."""
    found: set[str] = set()
    for node in imports_of(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif node.module is not None:
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= members & modules
            if members - modules:
                found.add(node.module)
    return found & modules


def graph_of(sources: dict[str, str]) -> Graph:
    """Which module needs which, by dotted name."""
    modules = set(sources)
    return {name: needs(source, modules) - {name} for name, source in sources.items()}


def circle(graph: Graph) -> set[str]:
    """The modules that stand on each other; empty when one can be loaded after another."""
    left = {name: set(below) for name, below in graph.items()}
    while ready := {name for name, below in left.items() if not below & left.keys()}:
        for name in ready:
            del left[name]
    # What merely stands on a circle is no part of it.
    while free := {name for name in left if not any(name in below for below in left.values())}:
        for name in free:
            del left[name]
    return set(left)


def sources_of(room: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in (PACKAGE / room).rglob("*.py"):
        if "node_modules" in path.parts:
            continue
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return found


def test_a_circle_is_found_within_functions_too() -> None:
    sources = {
        "p.a": "from p import b",
        "p.b": "def f():\n    from p.c import thing",
        "p.c": "import p.a",
        "p.top": "from p.a import x",
        "p.typed": "if TYPE_CHECKING:\n    from p.top import x",
    }
    assert circle(graph_of(sources)) == {"p.a", "p.b", "p.c"}
    sources["p.c"] = "if TYPE_CHECKING:\n    from p.a import x\nelse:\n    import json"
    assert circle(graph_of(sources)) == set()


@pytest.mark.parametrize("room", ROOMS)
def test_no_modules_of_a_room_form_a_circle(room: str) -> None:
    assert circle(graph_of(sources_of(room))) == set()

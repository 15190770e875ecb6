"""No module needs itself by way of others, imports inside functions included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import pinebench

ROOT = Path(pinebench.__file__).parent
ROOMS = ("compilers", "tradingview", "watching")


def modules() -> dict[str, Path]:
    """Every module of the package by name."""
    found: dict[str, Path] = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.AST) -> Iterator[str]:
    """The names that a module imports when it runs, at the top or in a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for name in node.names:
                yield f"{node.module}.{name.name}"
                yield node.module
        else:
            yield from imported(node)


def graph(room: str) -> dict[str, set[str]]:
    """Which modules of `room` import which others of it; a name counts as the module that it is, else as its own's."""
    known = {name: path for name, path in modules().items() if name.split(".")[1:2] == [room]}
    edges: dict[str, set[str]] = {}
    for module, path in known.items():
        names = list(imported(ast.parse(path.read_text(encoding="utf-8"))))
        # `from package import module` needs the module, and its package only for being there.
        packages = {name.rpartition(".")[0] for name in names if name in known}
        edges[module] = {name for name in names if name in known and name not in packages and name != module}
    return edges


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_has_a_circle(room: str) -> None:
    edges = graph(room)
    assert edges and any(edges.values())
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' → '.join(error.args[1])}")


def test_a_circle_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pinebench" / "room"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("def get():\n    from pinebench.room.one import x\n")
    (package / "one.py").write_text("from pinebench.room import get\n")
    monkeypatch.setattr("tests.test_import_circles.ROOT", tmp_path / "pinebench")
    with pytest.raises(CycleError):
        TopologicalSorter(graph("room")).prepare()

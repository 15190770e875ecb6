"""The rooms hold no circle: no module of a room needs a module that needs it, neither while it runs nor for types."""

import ast
import contextlib
import importlib
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import pinebench

PACKAGE = Path(__file__).parents[1] / "pinebench"
ROOMS = sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists())

Graph = dict[str, set[str]]

_IMPORT = re.compile(r"^[ \t]*((?:from \S+ import (?:\([^)]*\)[^\n]*|[^\n(][^\n]*)|import [^\n]+))$", re.MULTILINE)


def imports_of(source: str) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import, also those within functions and those that only type checkers read.

    Only the imports are parsed, because the whole package takes seven seconds.
    """
    for found in _IMPORT.finditer(source):
        with contextlib.suppress(SyntaxError):  # words of a docstring
            yield from (node for node in ast.parse(found[1]).body if isinstance(node, ast.Import | ast.ImportFrom))


def needs(source: str, modules: set[str]) -> set[str]:
    """Those of `modules` that the module with this source imports; a name imported from a package is the package's."""
    found: set[str] = set()
    for node in imports_of(source):
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


def _modules(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("node_modules", "__pycache__")]
        yield from (Path(place, name) for name in names if name.endswith(".py"))


@cache
def sources_of(room: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in _modules(PACKAGE / room):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return found


def test_a_circle_is_found_within_functions_and_of_types_too() -> None:
    sources = {
        "p.a": "from p import b",
        "p.b": "def f():\n    from p.c import thing",
        "p.c": "import json",
        "p.top": "from p.a import x",
        "p.typed": "if TYPE_CHECKING:\n    from p.top import x",
    }
    assert circle(graph_of(sources)) == set()
    sources["p.c"] = "import p.a"
    assert circle(graph_of(sources)) == {"p.a", "p.b", "p.c"}
    sources["p.c"] = "if TYPE_CHECKING:\n    from p.a import x\nelse:\n    import json"
    assert circle(graph_of(sources)) == {"p.a", "p.b", "p.c"}


@pytest.mark.soak
def test_the_imports_of_lines_are_all_that_the_parser_finds() -> None:
    for room in ROOMS:
        for name, source in sources_of(room).items():
            found = {ast.unparse(node) for node in imports_of(source)}
            nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom))
            assert {ast.unparse(node) for node in nodes} <= found, name


@pytest.mark.parametrize("room", ROOMS)
def test_no_modules_of_a_room_form_a_circle(room: str) -> None:
    assert circle(graph_of(sources_of(room))) == set()


def test_no_room_hides_a_public_name() -> None:
    """Python puts a room into the package as an attribute, where a public function of that name would be gone."""
    modules = {path.stem for path in PACKAGE.iterdir()}
    assert not modules & set(pinebench.__all__)


FACES = ("broker", "checker", "engine", "market", "runtime")
"""The rooms whose `__init__` offers what other rooms may import."""


def test_other_rooms_import_from_the_face_of_a_room_only() -> None:
    """Inside a room, modules import each other directly, so that its layers can be checked."""
    wrong: list[str] = []
    for room in ROOMS:
        for name, source in sources_of(room).items():
            if not any(f"pinebench.{face}" in source for face in FACES):
                continue
            for node in imports_of(source):
                if isinstance(node, ast.ImportFrom) and node.module is not None:
                    wrong += [f"{name} imports {each}" for each in beside_the_face(room, node)]
    assert wrong == [], "import these names from the package, and add them to NAMES in its __init__ if they are new"


def beside_the_face(room: str, node: ast.ImportFrom) -> Iterator[str]:
    """The names that an import in a module of `room` takes from a room with a face, but not from its face."""
    package, _, rest = (node.module or "").partition(".")
    other, _, inside = rest.partition(".")
    if package != "pinebench" or other not in FACES:
        return
    face = importlib.import_module(f"pinebench.{other}")
    offered = {*face.MODULES, *" ".join(face.NAMES.values()).split()}
    modules = {path.stem for path in (PACKAGE / other).iterdir()}
    for alias in node.names:
        if (other != room and (inside or alias.name not in offered)) or (
            other == room and not inside and alias.name not in modules
        ):
            yield f"{alias.name} from {node.module}"


@pytest.mark.parametrize("name", FACES)
def test_a_face_tells_type_checkers_what_it_loads(name: str) -> None:
    face = importlib.import_module(f"pinebench.{name}")
    loaded = {f"pinebench.{name}.{home}": set(offered.split()) for home, offered in face.NAMES.items()}
    tree = ast.parse((PACKAGE / name / "__init__.py").read_text(encoding="utf-8"))
    [typed] = [node.body for node in tree.body if isinstance(node, ast.If)]
    assert {
        node.module: {each.name for each in node.names} for node in typed if isinstance(node, ast.ImportFrom)
    } == loaded
    modules = {path.stem for path in (PACKAGE / name).iterdir()}
    for offered in loaded.values():
        assert not offered & modules, "a name of a module would hide the module"
        assert all(hasattr(face, each) for each in offered)
    assert set(face.MODULES) <= modules
    with pytest.raises(AttributeError):
        _ = face.nothing_of_this_name

"""Every name that a text of the project imports from a room is in that room.

A type checker does not know it: the `__getattr__` of a face answers for any name, and programs in strings and in docs
are not read.
"""

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXTS = ("pinebench", "tests", "scripts", "benchmarks", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""The folders and files whose imports are checked: Python and Markdown."""

_IMPORT = re.compile(r"\bfrom (pinebench(?:\.\w+)*) import (\([^)]*\)|\w+(?: as \w+)?(?:, *\w+(?: as \w+)?)*)")
_SHORT = re.compile(r"\bpb\.(\w+)")
"""A name of the package in an example of the docs, which import it as `pb`."""


def imported(text: str) -> Iterator[tuple[str, str]]:
    """The names that a text imports, each after its module."""
    for found in _IMPORT.finditer(text):
        names = re.sub(r"#[^\n]*|\\n|[()]", " ", found[2])
        yield from ((found[1], name.split()[0]) for name in names.split(",") if name.strip())


@cache
def source_of(module: str) -> str | None:
    """The source of a module or package; None if there is none."""
    place = ROOT.joinpath(*module.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.exists():
            return path.read_text(encoding="utf-8")
    return None


@cache
def homes(module: str) -> dict[str, str]:
    """The names that a face loads, each with the module that defines it; empty for every other module."""
    source = source_of(module) or ""
    if "from pinebench.faces import face" not in source:
        return {}
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "face"]
    [table] = [call.args[1] for call in calls]
    if isinstance(table, ast.Name):
        [table] = [
            node.value
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == ast.unparse(table)
        ]
    return {name: f"{module}.{home}" for home, names in ast.literal_eval(table).items() for name in names.split()}


def has(module: str, name: str) -> bool:
    """Whether `module` defines, imports or loads `name`, or is a package with a module of that name."""
    if source_of(f"{module}.{name}") is not None:
        return True
    loaded = homes(module)
    if name in loaded:
        return has(loaded[name], name)
    source = source_of(module)
    if source is None:
        return False
    if not loaded and re.search("^def __getattr__", source, re.MULTILINE):
        return True  # its names are made on demand
    if re.search(rf"^(?:(?:async )?def |class |type |(?:\w+, )*){name}\b|^    {name} = ", source, re.MULTILINE):
        return True
    return not loaded and re.search(rf"\bimport (?:\([^)]*|[^\n(]*)\b{name}\b", source) is not None


def texts() -> Iterator[Path]:
    for top in TEXTS:
        if (ROOT / top).is_file():
            yield ROOT / top
        for place, folders, names in os.walk(ROOT / top):
            folders[:] = [name for name in folders if name not in ("node_modules", "__pycache__", "static")]
            yield from (Path(place, name) for name in names if name.endswith((".py", ".md")))


@cache
def used() -> dict[tuple[str, str], Path]:
    """Every name that a text imports, after its module, each with a text that imports it."""
    found: dict[tuple[str, str], Path] = {}
    for path in texts():
        text = path.read_text(encoding="utf-8")
        found |= dict.fromkeys(imported(text), path)
        if path.suffix == ".md" and "import pinebench as pb" in text:
            found |= dict.fromkeys((("pinebench", name) for name in _SHORT.findall(text)), path)
    return found


def test_every_imported_name_is_there() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: {name} from {module}"
        for (module, name), path in used().items()
        if not has(module, name)
    ]
    assert missing == []
    assert len(used()) > 3000


@pytest.mark.parametrize(
    "module, name",
    [
        ("pinebench", "chek"),
        ("pinebench.linter", "Findings"),
        ("pinebench.market", "Barz"),
        ("pinebench.market.bars", "Barz"),
        ("pinebench.markets", "Bars"),
        ("pinebench.runtime.library", "KERNEL"),
    ],
)
def test_a_wrong_name_is_found(module: str, name: str) -> None:
    assert not has(module, name)


def test_imports_are_found_in_every_form() -> None:
    text = """python -c 'from pinebench import check, run as start; check()'
from pinebench.market import (
    Bars,  # of one symbol
    samples,
)
"""
    names = [
        ("pinebench", "check"),
        ("pinebench", "run"),
        ("pinebench.market", "Bars"),
        ("pinebench.market", "samples"),
    ]
    assert list(imported(text)) == names

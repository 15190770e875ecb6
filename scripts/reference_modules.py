"""Reads and writes the modules of `pinebench/reference/data` that hold the records of built-ins."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from pinebench.reference.records import OURS

FOLDER = Path(__file__).resolve().parent.parent / "pinebench" / "reference" / "data"
KINDS = ("FUNCTIONS", "VARIABLES", "CONSTANTS")
_ORDER = tuple("says pure reads changes keeps runs traits within places rule used often ours".split())
"""The lines of ours in the order in which a record has them."""

Tables = dict[str, dict[str, str]]
"""The records of a module by kind and name."""


def paths(folder: Path = FOLDER) -> list[Path]:
    """The modules that hold records."""
    return [path for path in sorted(folder.glob("*.py")) if "\nFUNCTIONS: dict[str, str]" in path.read_text("utf-8")]


def read(path: Path) -> Tables:
    """The records of a module."""
    found: Tables = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
            found[statement.target.id] = ast.literal_eval(statement.value)
    return found


def write(path: Path, tables: Tables) -> None:
    """Write the records of a module, whose head stays as it is."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("\nFUNCTIONS: dict[str, str]")] + body(tables), encoding="utf-8")


def body(tables: Tables) -> str:
    """The tables as they stand in a module."""
    return "".join(_table(kind, tables.get(kind, {})) for kind in KINDS)


def with_lines(record: str, words: Iterable[str], lines: Mapping[str, str]) -> str:
    """A record whose lines of ours that begin with `words` are `lines` and no others."""
    given, signature = parts(record)
    for word in words:
        given.pop(word, None)
    return joined({**given, **lines}, signature)


def parts(record: str) -> tuple[dict[str, str], list[str]]:
    """The lines of ours at the head of a record by their first words, and the lines of its signature."""
    ours: dict[str, str] = {}
    lines = record.strip().splitlines()
    for number, line in enumerate(lines):
        word, _, rest = line.partition(" ")
        if word not in OURS and word != "ours":
            return ours, lines[number:]
        ours[word] = rest
    return ours, []


def joined(ours: Mapping[str, str], signature: Iterable[str]) -> str:
    """The record of the lines of ours and of the signature's."""
    head = [f"{word} {ours[word]}".rstrip() for word in _ORDER if word in ours]
    return "\n" + "\n".join([*head, *signature]) + "\n"


def _table(kind: str, records: Mapping[str, str]) -> str:
    if not records:
        return f"\n{kind}: dict[str, str] = {{}}\n"
    rows = "".join(f'    "{name}": """{record}""",\n' for name, record in records.items())
    return f"\n{kind}: dict[str, str] = {{\n{rows}}}\n"

"""Read and write the modules of `pinebench/reference/data` that hold the records of built-ins."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from pinebench.reference.records import OURS

FOLDER = Path(__file__).resolve().parents[2] / "pinebench" / "reference" / "data"
KINDS = ("FUNCTIONS", "VARIABLES", "CONSTANTS")
_ORDER = tuple("says pure reads changes keeps runs traits within places rule used often ours".split())
"""The first words of our own lines, in the order in which a record has them."""

Tables = dict[str, dict[str, str]]
"""The records of a module by kind and name."""


def paths(folder: Path = FOLDER) -> list[Path]:
    """The modules that hold records."""
    return [path for path in sorted(folder.glob("*.py")) if "\nFUNCTIONS: dict[str, str]" in path.read_text("utf-8")]


def read(path: Path) -> Tables:
    """The records of a module."""
    return tables(path.read_text(encoding="utf-8"))


def tables(text: str) -> Tables:
    """The records in the text of a module."""
    found: Tables = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
            found[statement.target.id] = ast.literal_eval(statement.value)
    return found


def write(path: Path, tables: Tables) -> None:
    """Write the records of a module; the text before the records stays unchanged."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("\nFUNCTIONS: dict[str, str]")] + body(tables), encoding="utf-8")


def body(tables: Tables) -> str:
    """The text of the tables in a module."""
    return "".join(_table(kind, tables.get(kind, {})) for kind in KINDS)


def with_lines(record: str, words: Iterable[str], lines: Mapping[str, str]) -> str:
    """Return `record` with its own lines that begin with `words` replaced by `lines`."""
    given, signature = parts(record)
    for word in words:
        given.pop(word, None)
    return joined({**given, **lines}, signature)


def parts(record: str) -> tuple[dict[str, str], list[str]]:
    """Our own lines at the beginning of a record, by their first words, and the lines of its signature."""
    ours: dict[str, str] = {}
    lines = record.strip().splitlines()
    for number, line in enumerate(lines):
        word, _, rest = line.partition(" ")
        if word not in OURS and word != "ours":
            return ours, lines[number:]
        ours[word] = rest
    return ours, []


def joined(ours: Mapping[str, str], signature: Iterable[str]) -> str:
    """Make a record from our own lines and the lines of its signature."""
    head = [f"{word} {ours[word]}".rstrip() for word in _ORDER if word in ours]
    return "\n" + "\n".join([*head, *signature]) + "\n"


def _table(kind: str, records: Mapping[str, str]) -> str:
    if not records:
        return f"\n{kind}: dict[str, str] = {{}}\n"
    rows = "".join(f'    "{name}": """{record}""",\n' for name, record in records.items())
    return f"\n{kind}: dict[str, str] = {{\n{rows}}}\n"

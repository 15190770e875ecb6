"""Read and write the files of `pinebench/reference/data` that hold the records of built-ins."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pinebench.reference.data.tables import Tables
from pinebench.reference.data.tables import read as read_text
from pinebench.reference.records import OURS

FOLDER = Path(__file__).resolve().parents[2] / "pinebench" / "reference" / "data"
_ORDER = tuple("says pure reads changes keeps runs traits within places rule used often ours".split())
"""The first words of our own lines, in the order in which a record has them."""


def paths(folder: Path = FOLDER) -> list[Path]:
    """Return the files that contain records."""
    return sorted(folder.glob("*.txt"))


def read(path: Path) -> Tables:
    """Read the records of a file."""
    return read_text(path.read_text(encoding="utf-8"))


def write(path: Path, tables: Tables) -> None:
    """Write the records of a file; its first line stays unchanged."""
    path.write_text(written(path, tables), encoding="utf-8")


def written(path: Path, tables: Tables) -> str:
    """Return the text of a file with the records `tables`; its first line stays unchanged."""
    head, _, _ = path.read_text(encoding="utf-8").partition("\n")
    rows = ((kind, name, record) for kind, table in tables.items() for name, record in table.items())
    return f"{head}\n" + "".join(f"== {kind} {name}{record}" for kind, name, record in rows)


def with_lines(record: str, words: Iterable[str], lines: Mapping[str, str]) -> str:
    """Return `record` in which our own lines with these first `words` are replaced by `lines`."""
    given, signature = parts(record)
    for word in words:
        given.pop(word, None)
    return joined({**given, **lines}, signature)


def parts(record: str) -> tuple[dict[str, str], list[str]]:
    """Split a record into our own lines, by their first words, and the lines of its signature."""
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

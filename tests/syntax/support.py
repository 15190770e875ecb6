"""What several tests of the parser share: scripts to try, and trees as comparable values."""

from pathlib import Path
from typing import Any

from pinebench.syntax import Document
from pinebench.syntax.nodes import Node

SAMPLES = Path(__file__).parents[2] / "pine" / "samples"


def samples() -> dict[str, str]:
    """The sample scripts by name, broken ones included."""
    return {
        str(path.relative_to(SAMPLES)): path.read_bytes().decode("utf-8") for path in sorted(SAMPLES.rglob("*.pine"))
    }


def flat(roots: list[Any]) -> list[Any]:
    """A tree as a flat list in walk order, with classes, places and plain values; equal trees give equal lists."""
    found: list[Any] = []
    stack: list[Any] = roots[::-1]
    while stack:
        value = stack.pop()
        if isinstance(value, Node):
            found.append((type(value).__name__, value.start, value.end))
            stack += [getattr(value, name) for name in reversed(value._fields)]
        elif isinstance(value, list):
            found.append(len(value))
            stack += value[::-1]
        else:
            found.append(value)
    return found


def picture(document: Document) -> list[Any]:
    """Everything a document knows: chunks with their places, trees, comments and faults, and the version."""
    chunks = [(c.start, c.text, flat(c.body), c.comments, c.faults, c.open_ended) for c in document.chunks]
    return [document.text, document.version, document.version_span, chunks]

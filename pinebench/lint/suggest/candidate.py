"""A fix that may help, and small tools that every family of suggestions needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pinebench.diagnostics import Edit, Fix, Span
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.syntax import Snapshot


class Candidate(NamedTuple):
    """Edits that may mend a finding.

    `safe` when they can be applied unseen if they help; `certain` when they stay so even though another candidate
    helps as much.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False
    certain: bool = False

    def fix(self, safe: bool | None = None) -> Fix:
        """The candidate as a fix."""
        return Fix(self.title, self.edits, self.safe if safe is None else safe)


def replacement(title: str, start: int, end: int, text: str, *, safe: bool = False, certain: bool = False) -> Candidate:
    """A candidate that puts `text` where `start` to `end` was."""
    return Candidate(title, (Edit(Span(start, end), text),), safe, certain)


def values_of(diagnostic: Diagnostic) -> dict[str, str]:
    """What a finding's message was made from, as text by the names of its placeholders."""
    return {name: str(value) for name, value in diagnostic.values}


def nodes_at(document: Snapshot, offset: int) -> Iterator[tuple[nodes.Node, int]]:
    """Every node of the chunk around `offset` that covers it, outermost first, with the chunk's start."""
    chunk = document.chunk_at(offset)
    relative = offset - chunk.start
    for node in walk(chunk.body):
        if node.start <= relative < max(node.end, node.start + 1):
            yield node, chunk.start


def call_at(document: Snapshot, offset: int, name: str | None = None) -> tuple[nodes.Call, int] | None:
    """The innermost call around `offset` (of the function `name`, if given) and its chunk's start."""
    found: tuple[nodes.Call, int] | None = None
    for node, base in nodes_at(document, offset):
        if isinstance(node, nodes.Call) and (name is None or dotted(node.callee) == name):
            found = node, base
    return found


def dotted(node: nodes.Node) -> str | None:
    """`a.b.c` for a chain of members, or None for anything else."""
    if isinstance(node, nodes.Name):
        return node.id
    if isinstance(node, nodes.Member):
        inner = dotted(node.object)
        return f"{inner}.{node.name}" if inner else None
    return None


def every_node(document: Snapshot) -> Iterator[tuple[nodes.Node, int]]:
    """Every node of the script with its chunk's start."""
    for chunk in document.chunks:
        for node in walk(chunk.body):
            yield node, chunk.start


def line_bounds(text: str, offset: int) -> tuple[int, int]:
    """The offsets of the first character of the line around `offset` and of its end, line break not included."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    ends = [end for end in (text.find("\n", offset), text.find("\r", offset)) if end >= 0]
    return start, min(ends, default=len(text))


def code_end(document: Snapshot, start: int, end: int) -> int:
    """Where the code of the line from `start` to `end` ends: before its comment and the blanks before that."""
    for comment in document.comments:
        if start <= comment.start < end:
            end = comment.start
            break
    return start + len(document.text[start:end].rstrip())


def next_line(text: str, end: int) -> tuple[int, int] | None:
    """The bounds of the line after the one that ends at `end`, or None at the end of the text."""
    if end >= len(text):
        return None
    after = end + (2 if text.startswith("\r\n", end) else 1)
    return line_bounds(text, after) if after < len(text) else None

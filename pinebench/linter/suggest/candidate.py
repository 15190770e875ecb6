"""A fix that may help, and helpers that every family of suggestions needs."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable

from pinebench.diagnostics import Diagnostic, Edit, Fix, Span
from pinebench.records import NamedTuple
from pinebench.syntax import nodes


class Candidate(NamedTuple):
    """Edits that may remove a finding.

    `safe` is true if the script itself proves the intention, so that the edits can be applied without review if they
    help. `certain` is true if the candidate stays safe even if another candidate helps as much. A candidate that is
    certain but not safe is used in hints only. `meant` is the name that replaces a wrong name.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False
    certain: bool = False
    meant: str | None = None

    def fix(self, safe: bool | None = None) -> Fix:
        """Return the candidate as a fix. `safe` says whether the fix is safe; None means that the candidate decides."""
        return Fix(self.title, self.edits, self.safe if safe is None else safe)


class ChangedSpans:
    """The spans that edits change; no two of them overlap.

    With `lines`, several edits may insert whole lines at the same place. Without it, such edits overlap too.
    """

    def __init__(self, *, lines: bool = False) -> None:
        self._spans: list[Span] = []
        self._lines = lines
        self._others: set[Span] = set()

    def meets(self, edits: Iterable[Edit]) -> bool:
        """Return whether one of `edits` overlaps an edit that was added, or has the same span."""
        return any(self._meets(edit) for edit in edits)

    def add(self, edits: Iterable[Edit]) -> None:
        """Add the spans of `edits`, which must not overlap any span that was added before."""
        for edit in edits:
            insort(self._spans, edit.span)
            if not _is_line(edit):
                self._others.add(edit.span)

    def _meets(self, edit: Edit) -> bool:
        spans, span = self._spans, edit.span
        index = bisect_left(spans, span)
        if index > 0 and spans[index - 1].end > span.start:
            return True
        if index == len(spans):
            return False
        if spans[index] == span:
            return not self._lines or not _is_line(edit) or span in self._others
        return spans[index].start < span.end


def _is_line(edit: Edit) -> bool:
    """Whether `edit` inserts whole lines and deletes nothing."""
    return edit.span.start == edit.span.end and edit.text.rstrip(" \t").endswith("\n")


def replacement(
    title: str, start: int, end: int, text: str, *, safe: bool = False, certain: bool = False, meant: str | None = None
) -> Candidate:
    """Return a candidate that replaces the text from `start` to `end` with `text`; for the other arguments see
    `Candidate`."""
    return Candidate(title, (Edit(Span(start, end), text),), safe, certain, meant)


def values_of(diagnostic: Diagnostic) -> dict[str, str]:
    """Return the values of the placeholders in a finding's message as strings, by the placeholders' names."""
    return {name: str(value) for name, value in diagnostic.values}


def dotted(node: nodes.Node) -> str | None:
    """Return the dotted name, such as `a.b.c`, of a chain of members, or None for any other node."""
    if isinstance(node, nodes.Name):
        return node.id
    if isinstance(node, nodes.Member):
        inner = dotted(node.object)
        return f"{inner}.{node.name}" if inner else None
    return None


def line_bounds(text: str, offset: int) -> tuple[int, int]:
    """Return the offsets of the start and the end of the line around `offset`, without its line break."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    ends = [end for end in (text.find("\n", offset), text.find("\r", offset)) if end >= 0]
    return start, min(ends, default=len(text))


def next_line(text: str, end: int) -> tuple[int, int] | None:
    """Return the bounds of the line after the one that ends at `end`, or None at the end of the text."""
    if end >= len(text):
        return None
    after = end + (2 if text.startswith("\r\n", end) else 1)
    return line_bounds(text, after) if after < len(text) else None

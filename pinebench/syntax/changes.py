"""Applies many edits to a script in one step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pinebench.diagnostics import Edit
from pinebench.syntax.document import Document
from pinebench.syntax.edits import joined
from pinebench.syntax.snapshot import Snapshot

_NEAR = 4
"""The largest number of statements between two edits that are applied as one."""
_GROUPS = 8
"""The largest number of groups of edits. They are applied one after the other, and each moves everything after it."""


def document_after(snapshot: Snapshot, edits: Iterable[Edit]) -> Document:
    """Return the script of `snapshot` after `edits`. Only the statements near the edits are parsed again. There must be
    at least one edit, and edits must not overlap."""
    document = Document(snapshot)
    for group in reversed(_groups(snapshot, sorted(edits, key=lambda edit: edit.span))):
        change = joined(snapshot.text, group)
        document.edit(*change.span, change.text)
    return document


def _groups(snapshot: Snapshot, edits: Sequence[Edit]) -> list[Sequence[Edit]]:
    """Divide `edits`, which are in text order, into a few groups, at the places with the most statements between
    them."""
    starts = [chunk.start for chunk in snapshot.chunks]
    gaps: list[tuple[int, int]] = []
    end = edits[0].span.end
    for number, (span, _) in enumerate(edits):
        between = bisect_right(starts, span.start) - bisect_right(starts, end)
        if between > _NEAR:
            gaps.append((between, number))
        end = max(end, span.end)
    cuts = sorted(number for _, number in sorted(gaps)[1 - _GROUPS :])
    return [edits[first:last] for first, last in pairwise((0, *cuts, len(edits)))]

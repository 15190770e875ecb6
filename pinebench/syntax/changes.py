"""A script after many edits at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pinebench.diagnostics import Edit
from pinebench.syntax.document import Document
from pinebench.syntax.edits import joined
from pinebench.syntax.snapshot import Snapshot

_NEAR = 4
"""So many statements stand at most between edits that are made as one."""
_GROUPS = 8
"""So many edits are made at most one after the other: each moves all that stands behind it."""


def document_after(snapshot: Snapshot, edits: Iterable[Edit]) -> Document:
    """The script of `snapshot` after `edits`, of which there is one at least and none overlap; parsed again is only
    what stands near them."""
    document = Document.of(snapshot)
    for group in reversed(_groups(snapshot, sorted(edits, key=lambda edit: edit.span))):
        change = joined(snapshot.text, group)
        document.edit(*change.span, change.text)
    return document


def _groups(snapshot: Snapshot, edits: Sequence[Edit]) -> list[Sequence[Edit]]:
    """`edits`, in text order, in a few groups with most of the statements between them."""
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

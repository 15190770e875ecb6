"""Decides whether a script still means the same after edits. Renaming and all refactorings use this."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from pinebench.checker import Program, Symbol
from pinebench.diagnostics import Diagnostic, Edit, Severity
from pinebench.syntax import Snapshot, nodes
from pinebench.syntax.walk import walk


def new_finding(before: Program, after: Program, edits: Sequence[Edit]) -> Diagnostic | None:
    """Return the first error or warning of `after` that `before` does not have at the same position; None if there is
    none.

    `edits` made the text of `after` from the text of `before`. Findings are compared by code and position, not by
    message, because messages may contain a renamed name. A finding inside replaced text may be anywhere in the new
    text. A finding that disappears is not reported.
    """
    places = _EditedPlaces(edits)
    known = Counter((each.code, places.after(each.span.start)) for each in before.diagnostics if _counts(each))
    for each in filter(_counts, after.diagnostics):
        keys = [(each.code, each.span.start)]
        if places.is_written(each.span.start):
            keys.append((each.code, _REPLACED))
        key = next((key for key in keys if known[key]), None)
        if key is None:
            return each
        known[key] -= 1
    return None


def _counts(finding: Diagnostic) -> bool:
    return finding.severity <= Severity.WARNING


_REPLACED = -1
"""The new offset of a finding inside a replaced text."""


class _EditedPlaces:
    """The offsets of a text after edits that do not overlap."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: edit.span)
        self._ends = [edit.span.end for edit in self._edits]
        growth = (len(edit.text) - (edit.span.end - edit.span.start) for edit in self._edits)
        self._shifts = [0, *accumulate(growth)]

    def after(self, offset: int) -> int:
        """Return the new offset of `offset` after the edits; _REPLACED if it is inside a replaced text."""
        passed = bisect_right(self._ends, offset)
        if passed < len(self._edits) and self._edits[passed].span.start < offset:
            return _REPLACED
        return offset + self._shifts[passed]

    def is_written(self, place: int) -> bool:
        """Return whether an edit wrote the text at the offset `place` of the new text."""
        starts = (edit.span.start + shift for edit, shift in zip(self._edits, self._shifts, strict=False))
        return any(start <= place < start + len(edit.text) for edit, start in zip(self._edits, starts, strict=True))


def changed_name(before: Program, after: Program) -> nodes.Node | None:
    """Return the first name of `before` that means something else in `after`; None if all mean the same.

    Both texts must have the same names in the same order, apart from their spelling. Each declaration in `before` must
    correspond to exactly one declaration in `after`; a name for which that is not so counts as changed. Raises
    ValueError if the texts have different structures.
    """
    ones, others = _names(before.document), _names(after.document)
    if len(ones) != len(others):
        raise ValueError("the texts have different structures")
    there: dict[Symbol, Symbol] = {}
    back: dict[Symbol, Symbol] = {}
    for one, other in zip(ones, others, strict=True):
        was, now = before.symbol_of(one), after.symbol_of(other)
        if isinstance(was, str) or isinstance(now, str) or was is None or now is None:
            if was != now:
                return one
        elif there.setdefault(was, now) is not now or back.setdefault(now, was) is not was:
            return one
    return None


def _names(document: Snapshot) -> list[nodes.Node]:
    """The names of a script in text order, without the aliases of imports, which a renaming may add."""
    aliases: set[nodes.Node | None] = {
        node.alias for chunk in document.chunks for node in chunk.body if isinstance(node, nodes.Import)
    }
    every = (node for chunk in document.chunks for node in walk(chunk.body))
    return [node for node in every if isinstance(node, nodes.Name | nodes.Member) and node not in aliases]

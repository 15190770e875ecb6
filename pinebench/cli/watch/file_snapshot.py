"""Records the states of the watched scripts, and finds the scripts that changed between two snapshots."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench import files

Snapshot = dict[str, files.ContentMark]
"""The content mark of every script, by path."""


def take(scripts: Iterable[str]) -> Snapshot:
    """Return a mark of the content of each script (`files.ContentMark`), from which `changed` finds changes. Missing
    files are omitted."""
    found = ((path, files.mark_of(path)) for path in scripts)
    return {path: mark for path, mark in found if mark is not None}


def changed(before: Snapshot, after: Snapshot) -> set[str]:
    """Return the scripts that were written, added or removed between two snapshots."""
    return {path for path in before.keys() | after.keys() if files.differs(path, before.get(path), after.get(path))}

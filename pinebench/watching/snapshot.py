"""Records the states of the watched scripts, and finds the scripts that changed between two records."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple


class FileState(NamedTuple):
    """The facts about a file that change when it is written or replaced: its time, its size and its inode."""

    modified: int
    size: int
    file: int


Snapshot = dict[str, FileState]
"""The state of every script, by its name."""


def take(scripts: Iterable[str]) -> Snapshot:
    """The present state of each of `scripts`. Missing files are left out."""
    found = ((path, file_state(path)) for path in scripts)
    return {path: state for path, state in found if state is not None}


def file_state(path: str) -> FileState | None:
    """The state of a file; None if it does not exist."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileState(state.st_mtime_ns, state.st_size, state.st_ino)


def changed(before: Snapshot, after: Snapshot) -> set[str]:
    """The scripts that were written, added or removed between two snapshots."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}

"""Which scripts lie below the watched paths, and what tells one state of a file from the next."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple


class FileState(NamedTuple):
    """What changes when a file is written or replaced."""

    modified: int
    size: int
    file: int


Snapshot = dict[str, FileState]
"""Every script by its name."""


def take(scripts: Iterable[str]) -> Snapshot:
    """The state of every one of `scripts` now; what is missing is left out."""
    found = ((path, file_state(path)) for path in scripts)
    return {path: state for path, state in found if state is not None}


def file_state(path: str) -> FileState | None:
    """The state of one file; None when there is no such file."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileState(state.st_mtime_ns, state.st_size, state.st_ino)


def changed(before: Snapshot, after: Snapshot) -> set[str]:
    """The scripts that were written, added or removed between two snapshots."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}

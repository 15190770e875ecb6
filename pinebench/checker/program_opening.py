"""Opens a script. This module creates all checked programs."""

from __future__ import annotations

from weakref import WeakValueDictionary

from pinebench.checker.folders import LibraryFolders, known_libraries
from pinebench.checker.program import Program, check
from pinebench.syntax import Document, Snapshot, parse

_held: WeakValueDictionary[str, Snapshot] = WeakValueDictionary()
"""The snapshots that are in use, by their source."""


def read_script(text: str) -> Snapshot:
    """Parse the script `text`, or return its snapshot if one is already in use."""
    snapshot = _held.get(text)
    if snapshot is None:
        snapshot = _held[text] = parse(text).snapshot
    return snapshot


def open_program(text: str, libraries: tuple[str, ...] = (), *, fresh: bool = False) -> Program:
    """Check the script `text`.

    `libraries` are folders that may hold the source of imported libraries. Each library is read once per process. With
    `fresh`, they are read again, for libraries that are being edited.
    """
    return check(read_script(text), LibraryFolders(libraries) if libraries and fresh else known_libraries(libraries))


def open_changed(program: Program, changed: Document | Snapshot) -> Program:
    """Check `changed`, a later state of the script of `program`, with the same libraries."""
    return check(changed, program.sources)

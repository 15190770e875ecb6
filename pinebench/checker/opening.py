"""The one door from a text to its checked program, for everybody who wants to know what is wrong with a script."""

from __future__ import annotations

from weakref import WeakValueDictionary

from pinebench.checker.folders import LibraryFolders, known_libraries
from pinebench.checker.program import Program, check
from pinebench.syntax import Document, Snapshot, parse

_held: WeakValueDictionary[str, Snapshot] = WeakValueDictionary()
"""The snapshots that somebody holds, by their texts."""


def read_script(text: str) -> Snapshot:
    """The parsed script `text`: the snapshot that somebody holds already, or a new one."""
    snapshot = _held.get(text)
    if snapshot is None:
        snapshot = _held[text] = parse(text).snapshot
    return snapshot


def open_program(text: str, libraries: tuple[str, ...] = (), *, fresh: bool = False) -> Program:
    """The checked script `text`.

    `libraries` are the folders in which the source of imported libraries may lie; each library is read once a process,
    or now where that must be `fresh`, because somebody may be working on it.
    """
    return check(read_script(text), LibraryFolders(libraries) if libraries and fresh else known_libraries(libraries))


def open_changed(program: Program, changed: Document | Snapshot) -> Program:
    """The checked script `changed`, a later state of that of `program`, with the same libraries."""
    return check(changed, program.sources)

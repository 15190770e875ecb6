"""The one door from a text to its checked program, for everybody who wants to know what is wrong with a script."""

from __future__ import annotations

from pinebench.check.folders import LibraryFolders, known_libraries
from pinebench.check.program import Program, check
from pinebench.syntax import parse


def open_program(text: str, libraries: tuple[str, ...] = (), *, fresh: bool = False) -> Program:
    """The checked script `text`.

    `libraries` are the folders in which the source of imported libraries may lie; each library is read once a process,
    or now where that must be `fresh`, because somebody may be working on it.
    """
    return check(parse(text), LibraryFolders(libraries) if libraries and fresh else known_libraries(libraries))

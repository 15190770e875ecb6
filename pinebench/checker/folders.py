"""Libraries whose source is on disk; each is read once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from pinebench.files.libraries import find_library
from pinebench.syntax import Snapshot, parse


class LibraryFolders:
    """The libraries in some folders; `files.libraries` says how they are found."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        self.folders = tuple(folders)
        self._known: dict[str, Snapshot | None] = {}

    def read(self, path: str) -> Snapshot | None:
        """Return the library `path`, or None if no folder has it as a readable text."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> Snapshot | None:
        text = find_library(self.folders, path)
        return None if text is None else parse(text).snapshot


@cache
def known_libraries(libraries: tuple[str, ...]) -> LibraryFolders | None:
    """The libraries in these folders, each read once in a process. None if there are no folders."""
    return LibraryFolders(libraries) if libraries else None

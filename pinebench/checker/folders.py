"""Loads libraries whose source is on disk. Each is read once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from pinebench.files.libraries import find_library
from pinebench.syntax import Snapshot, parse


class LibraryFolders:
    """The libraries in a list of folders. `files.libraries` describes how they are found."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        self.folders = tuple(folders)
        self._known: dict[str, Snapshot | None] = {}

    def read(self, path: str) -> Snapshot | None:
        """Return the library `path`; None if no folder contains it as a readable text."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> Snapshot | None:
        text = find_library(self.folders, path)
        return None if text is None else parse(text).snapshot


@cache
def known_libraries(libraries: tuple[str, ...]) -> LibraryFolders | None:
    """Return the libraries in these folders; None if there are no folders. Each library is read once per process."""
    return LibraryFolders(libraries) if libraries else None

"""The libraries that an open script can import. If a library is open, the text of its tab is used instead of its
file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import Stamp
from pinebench.files.libraries import candidates
from pinebench.syntax import Snapshot, parse

Texts = Mapping[str, Snapshot]
"""The texts of the open tabs by the real paths of their files."""


class LibraryFinder:
    """Finds the libraries that a script can import, as `files.libraries` does. Each one is looked up once."""

    def __init__(self, folders: Sequence[str], tabs: Texts, own: str = "") -> None:
        """Set up the search; `own` is the path of the script itself, which is not a library for it."""
        self.folders = tuple(folders)
        self._own = os.path.realpath(own) if own else ""
        self._tabs = tabs
        self._known: dict[str, tuple[str, Snapshot] | None] = {}
        self._marks: dict[str, list[Snapshot | Stamp | None]] = {}

    @property
    def is_used(self) -> bool:
        """Whether any library was looked up."""
        return bool(self._known)

    def read(self, path: str) -> Snapshot | None:
        """Return the library `path` (`User/Name/Version`); None if its text cannot be read."""
        found = self.locate(path)
        return found[1] if found is not None else None

    def locate(self, path: str) -> tuple[str, Snapshot] | None:
        """Return the real path of the library's file, and its text; None if its text cannot be read."""
        if path not in self._known:
            self._marks[path] = self._marked(path, self._tabs)
            self._known[path] = self._found(path)
        return self._known[path]

    def is_current(self, tabs: Texts) -> bool:
        """Return whether all libraries that were looked up are unchanged. `tabs` are the texts of the open tabs."""
        return all(self._marked(path, tabs) == mark for path, mark in list(self._marks.items()))

    def _found(self, path: str) -> tuple[str, Snapshot] | None:
        for file in map(os.path.realpath, candidates(self.folders, path)):
            tab = self._tab(file, self._tabs)
            if tab is not None:
                return file, tab
            try:
                return file, parse(files.read(file).text).snapshot
            except UsageError:
                continue
        return None

    def _tab(self, file: str, tabs: Texts) -> Snapshot | None:
        return tabs.get(file) if file != self._own else None

    def _marked(self, path: str, tabs: Texts) -> list[Snapshot | Stamp | None]:
        """The texts of the tabs, or the stamps, of the files where a library is searched."""
        real = map(os.path.realpath, candidates(self.folders, path))
        return [self._tab(file, tabs) or files.stamp_of(file) for file in real]


def unsaved(text: str, folders: tuple[str, ...], changed: Mapping[str, str]) -> list[str]:
    """Return a sentence for each library that the script `text` imports and whose tab has unsaved changes: a run reads
    the file. `changed` has the names of such tabs by the real paths of their files."""
    if not changed:
        return []
    from pinebench.checker import open_program

    paths = open_program(text, folders).imported_paths
    used = {os.path.realpath(file) for path in paths for file in candidates(folders, path)}
    return [
        f"{name} was read from its file, without its unsaved changes" for file, name in changed.items() if file in used
    ]

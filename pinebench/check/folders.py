"""Libraries whose source lies on disk, read once each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from pinebench import files
from pinebench.errors import UsageError
from pinebench.syntax import Snapshot, parse


class LibraryFolders:
    """Finds `User/Name/Version` as `User/Name/Version.pine`, `User/Name.pine` or `Name.pine` in the given folders."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        self.folders = tuple(folders)
        self._known: dict[str, Snapshot | None] = {}

    def read(self, path: str) -> Snapshot | None:
        """The text of the library `path`, or None when no folder has it as a text that can be read."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> Snapshot | None:
        user, _, rest = path.partition("/")
        name = rest.partition("/")[0]
        for folder in self.folders:
            for candidate in (f"{path}.pine", f"{user}/{name}.pine", f"{name}.pine"):
                try:
                    text = files.read(os.path.join(folder, candidate)).text
                except UsageError:
                    continue
                return parse(text).snapshot
        return None


@cache
def known_libraries(libraries: tuple[str, ...]) -> LibraryFolders | None:
    """The libraries in these folders, each read once a process; None where no folder is named."""
    return LibraryFolders(libraries) if libraries else None

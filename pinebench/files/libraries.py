"""Finds the text of imported libraries. It is separate from the checker, so that a cache can use it alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pinebench.errors import UsageError
from pinebench.files.reading import read

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_library(folders: Sequence[str | os.PathLike[str]], path: str) -> str | None:
    """The text of the library `path` (`User/Name/Version`) from the first of `folders` with a readable file, or
    None.

    `candidates` lists the files that are tried.
    """
    found = locate_library(folders, path)
    return None if found is None else found[1]


def locate_library(folders: Sequence[str | os.PathLike[str]], path: str) -> tuple[str, str] | None:
    """The file and the text of the library `path`, found as in `find_library`."""
    for file in candidates(folders, path):
        try:
            return file, read(file).text
        except UsageError:
            continue
    return None


def candidates(folders: Sequence[str | os.PathLike[str]], path: str) -> list[str]:
    """The files where the library `path` is searched: `User/Name/Version.pine`, `User/Name.pine` or `Name.pine` in
    each of `folders`."""
    user, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    files = (f"{path}.pine", f"{user}/{name}.pine", f"{name}.pine")
    return [os.path.join(folder, file) for folder in folders for file in files]


MOST_LISTED = 500
"""The largest number of libraries that are listed."""


def list_libraries(folders: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The paths (`User/Name/Version`) of the libraries in `folders`, sorted; at most MOST_LISTED.

    The name of a file gives its path, as `candidates` does. A file without a folder for its user belongs to any user,
    and is listed for the user `me`; one without a version is listed as version 1.
    """
    found: set[str] = set()
    for folder in folders:
        for parent, below, files in os.walk(folder):
            parts = [] if os.path.samefile(parent, folder) else os.path.relpath(parent, folder).split(os.sep)
            if len(parts) >= 2:
                below.clear()
            for file in files:
                path = _path_of([*parts, file])
                if path and len(found) < MOST_LISTED:
                    found.add(path)
    return sorted(found)


def _path_of(parts: list[str]) -> str:
    """The path of the library in the file `parts`, below its folder. Empty if the file is none."""
    name, ending = os.path.splitext(parts[-1])
    if ending != ".pine" or any(part.startswith(".") for part in parts):
        return ""
    if len(parts) == 3:
        return f"{parts[0]}/{parts[1]}/{name}" if name.isdigit() else ""
    return f"{parts[0]}/{name}/1" if len(parts) == 2 else f"me/{name}/1"

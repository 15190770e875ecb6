"""Finds the text of imported libraries. It is separate from the checker, so that a cache can use it alone."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pinebench.errors import UsageError
from pinebench.files.regular_files import MissingFile, read
from pinebench.records import NamedTuple


def find_library(folders: Sequence[str | os.PathLike[str]], path: str) -> str | None:
    """Return the text of the library `path` (`User/Name/Version`) from the first file of `candidates` that exists.
    Return None if there is none, or if it cannot be read: another file would be another library."""
    try:
        found = locate_library(folders, path)
    except UsageError:
        return None
    return None if found is None else found[1]


def locate_library(folders: Sequence[str | os.PathLike[str]], path: str) -> tuple[str, str] | None:
    """Return the first file of `candidates` that exists, and its text, or None. Raises UsageError if it cannot be
    read."""
    for file in candidates(folders, path):
        try:
            return file, read(file).text
        except MissingFile:
            continue
    return None


def candidates(folders: Sequence[str | os.PathLike[str]], path: str) -> list[str]:
    """Return the candidate files for the library `path`: `User/Name/Version.pine`, `User/Name.pine` or `Name.pine` in
    each of `folders`."""
    user, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    files = (f"{path}.pine", f"{user}/{name}.pine", f"{name}.pine")
    return [os.path.join(folder, file) for folder in folders for file in files]


MOST_LISTED = 500
"""The largest number of libraries that are listed."""


class ListedLibrary(NamedTuple):
    """A library in a folder, by its path (`User/Name/Version`).

    If `is_versioned` is not set, the file's name has no version. The file then serves every version, and `path` has
    version 1.
    """

    path: str
    is_versioned: bool


def list_libraries(folders: Sequence[str | os.PathLike[str]]) -> list[ListedLibrary]:
    """Return the libraries in `folders` whose files show which user they belong to, sorted, at most MOST_LISTED.

    A library's path follows from the name of its file, as in `candidates`. A file without a folder for its user is left
    out: it can be imported under any user's name, but TradingView accepts only the right one.
    """
    found: set[ListedLibrary] = set()
    for folder in folders:
        for parent, below, files in os.walk(folder):
            parts = [] if os.path.samefile(parent, folder) else os.path.relpath(parent, folder).split(os.sep)
            if len(parts) >= 2:
                below.clear()
            for file in files:
                library = _listed([*parts, file])
                if library is not None and len(found) < MOST_LISTED:
                    found.add(library)
    versioned = {_name_of(each) for each in found if each.is_versioned}
    return sorted(each for each in found if each.is_versioned or _name_of(each) not in versioned)


def _listed(parts: list[str]) -> ListedLibrary | None:
    """The library in the file `parts`, below its folder. None if the file is none, or its user is unknown."""
    name, ending = os.path.splitext(parts[-1])
    if ending != ".pine" or any(part.startswith(".") for part in parts) or len(parts) == 1:
        return None
    if len(parts) == 2:
        return ListedLibrary(f"{parts[0]}/{name}/1", is_versioned=False)
    return ListedLibrary(f"{parts[0]}/{parts[1]}/{name}", is_versioned=True) if name.isdigit() else None


def _name_of(library: ListedLibrary) -> str:
    """The path of a library without its version."""
    return library.path.rpartition("/")[0]

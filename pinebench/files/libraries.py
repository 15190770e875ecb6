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

"""Where the text of an imported library lies; apart from what checks it, so that a cache can ask without a checker."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pinebench.errors import UsageError
from pinebench.files.reading import read

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_library(folders: Sequence[str | os.PathLike[str]], path: str) -> str | None:
    """The text of the library `path` (`User/Name/Version`) in the first of `folders` that has one that can be read;
    None where none has. Which files are looked for says `candidates`."""
    found = locate_library(folders, path)
    return None if found is None else found[1]


def locate_library(folders: Sequence[str | os.PathLike[str]], path: str) -> tuple[str, str] | None:
    """The file and the text of the library `path`, as `find_library` finds it."""
    for file in candidates(folders, path):
        try:
            return file, read(file).text
        except UsageError:
            continue
    return None


def candidates(folders: Sequence[str | os.PathLike[str]], path: str) -> list[str]:
    """Where the library `path` is looked for: as `User/Name/Version.pine`, `User/Name.pine` or `Name.pine` in each of
    `folders`."""
    user, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    files = (f"{path}.pine", f"{user}/{name}.pine", f"{name}.pine")
    return [os.path.join(folder, file) for folder in folders for file in files]

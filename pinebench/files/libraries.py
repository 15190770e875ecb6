"""Where the text of an imported library lies; apart from what checks it, so that a cache can ask without a checker."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pinebench.errors import UsageError
from pinebench.files.reading import read

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_library(folders: Sequence[str | os.PathLike[str]], path: str) -> str | None:
    """The text of the library `path` (`User/Name/Version`): `User/Name/Version.pine`, `User/Name.pine` or `Name.pine`
    in the first of `folders` that has one that can be read; None where none has."""
    user, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    for folder in folders:
        for candidate in (f"{path}.pine", f"{user}/{name}.pine", f"{name}.pine"):
            try:
                return read(os.path.join(folder, candidate)).text
            except UsageError:
                continue
    return None

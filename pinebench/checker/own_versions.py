"""pinebench's own versions of the most imported published libraries, so that scripts which import them can run.

They are not used to check a script: TradingView's verdict on a call is known only for its own library.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING

from pinebench.files.regular_files import read
from pinebench.syntax import Snapshot, parse

if TYPE_CHECKING:
    from pinebench.checker.one_check import LibrarySource

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published")
_VERSIONS = re.compile(r"^// answers for:((?: \d+)+)$", re.MULTILINE)


class OwnVersions:
    """The libraries of `source`, complemented by pinebench's own versions of published libraries that it lacks."""

    def __init__(self, source: LibrarySource | None) -> None:
        self._source = source
        self.used: list[str] = []
        """The paths of the libraries for which an own version was returned."""

    def read(self, path: str) -> Snapshot | None:
        """Return the library `path` (`User/Name/Version`); None if there is neither a source nor an own version."""
        found = self._source.read(path) if self._source is not None else None
        if found is None:
            found = own_version(path)
            if found is not None:
                self.used.append(path)
        return found


def own_version(path: str) -> Snapshot | None:
    """Return pinebench's own version of the published library `path`; None if there is none for this version."""
    name, _, version = path.rpartition("/")
    return _read(name)[1] if version in own_version_numbers(name) else None


def own_version_numbers(name: str) -> tuple[str, ...]:
    """Return the versions of the published library `name` (`User/Name`) for which pinebench has its own version."""
    return _read(name)[0] if name in own_version_names() else ()


@cache
def own_version_names() -> tuple[str, ...]:
    """Return the published libraries (`User/Name`) for which pinebench has its own versions, sorted."""
    users = sorted(entry.name for entry in os.scandir(_FOLDER) if entry.is_dir())
    files = [(user, file) for user in users for file in sorted(os.listdir(os.path.join(_FOLDER, user)))]
    return tuple(f"{user}/{file[:-5]}" for user, file in files if file.endswith(".pine"))


@cache
def _read(name: str) -> tuple[tuple[str, ...], Snapshot]:
    """The version numbers in the header of an own version, and its text."""
    text = read(os.path.join(_FOLDER, *f"{name}.pine".split("/"))).text
    found = _VERSIONS.search(text)
    assert found is not None, f"{name} has no line '// answers for:'"
    return tuple(found.group(1).split()), parse(text).snapshot

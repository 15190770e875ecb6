"""Finds the scripts in folders that import a library, by a text search. Folders may have thousands of scripts, and
checking all of them would take far too long."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from pinebench import files
from pinebench.errors import UsageError
from pinebench.linter.project import discover
from pinebench.records import NamedTuple

MOST_FILES = 5000
"""The largest number of scripts of the folders that are searched."""
_IMPORT = re.compile(r"(?m)(?:^|,)[ \t]*import[ \t]+([^\s/]+)[ \t]*/[ \t]*([^\s/]+)[ \t]*/[ \t]*([0-9]+)")


def imported(text: str) -> tuple[str, ...]:
    """Return the paths of the imports of `text`, each once. The text is searched, not parsed."""
    return tuple(dict.fromkeys(map("/".join, _IMPORT.findall(text))))


class FoundScripts(NamedTuple):
    """The scripts that a search reads, at most MOST_FILES, and the number of scripts that it leaves out."""

    files: list[str]
    left_out: int = 0

    @property
    def remark(self) -> str:
        """A sentence about the scripts that are left out; empty if there are none."""
        if not self.left_out:
            return ""
        read, every = len(self.files), len(self.files) + self.left_out
        return f"only the first {read:,} of {every:,} scripts were searched; open a smaller folder"


def scripts_in(folders: Sequence[str]) -> FoundScripts:
    """Return the first MOST_FILES scripts in `folders`, and the number of further scripts."""
    found = discover(folders, lambda _: False, []) if folders else []
    return FoundScripts(found[:MOST_FILES], max(0, len(found) - MOST_FILES))


class Importers:
    """The imports of the scripts in folders. A file is read again only after it has changed. A search may run in a
    thread."""

    def __init__(self) -> None:
        self.unread: list[str] = []
        """The scripts that the last search could not read: whether they import something is not known."""
        self.remark = ""
        """The sentence about the scripts that the last search left out; empty if there are none."""
        self._known: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {}

    def importing(
        self,
        folders: Sequence[str],
        is_left_out: Callable[[str], bool] = lambda _: False,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> dict[str, tuple[str, ...]]:
        """Return the files that import a library, each with the paths of its imports. Files for which `is_left_out` is
        true are skipped. If `is_cancelled` returns true, the search ends early with the files found so far."""
        found: dict[str, tuple[str, ...]] = {}
        unread: list[str] = []
        there = scripts_in(folders)
        self.remark = there.remark
        for file in there.files:
            if is_cancelled():
                return found
            paths = self._imported(file)
            if paths is None:
                unread.append(file)
            elif paths and not is_left_out(file):
                found[file] = paths
        forget_missing(self._known, there.files)
        self.unread = unread
        return found

    def _imported(self, file: str) -> tuple[str, ...] | None:
        """The paths of the imports of a file; None if it cannot be read."""
        try:
            stamp = stamp_of(file)
            known = self._known.get(file)
            if known is None or known[0] != stamp:
                known = self._known[file] = stamp, imported(files.read(file).text)
        except (OSError, UsageError):
            return None
        return known[1]


def stamp_of(file: str) -> tuple[int, int]:
    """Return the modification time and the size of a file, to notice changes. Raises OSError if it does not exist."""
    status = os.stat(file)
    return status.st_mtime_ns, status.st_size


def forget_missing(known: dict[str, Any], there: Collection[str]) -> None:
    """Remove the files from `known` that are not in `there`. Another search may add to `known` at the same time."""
    for gone in set(known) - set(there):
        known.pop(gone, None)

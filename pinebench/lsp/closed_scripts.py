"""Finds declarations and imports in scripts that are not open, by their first words: a workspace may have thousands of
scripts, and checking all of them would take far too long for a search.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from lsprotocol import types

from pinebench import files
from pinebench.diagnostics import Span
from pinebench.errors import UsageError
from pinebench.linter.project import discover
from pinebench.lsp.documents import MOST_FILES, key_of, uri_of
from pinebench.lsp.positions import Positions
from pinebench.records import NamedTuple
from pinebench.syntax.lines import LineIndex

MOST_SYMBOLS = 1000
"""The largest number of declarations in one answer. Editors ask again after each letter."""
_DECLARED = re.compile(
    r"(?m)^(?:export[ \t]+)?(?:(?P<kind>type|enum)[ \t]+(?P<named>[A-Za-z_]\w*)[ \t]*(?://.*)?$"
    r"|(?P<method>method[ \t]+)?(?P<function>[A-Za-z_]\w*)[ \t]*\((?=[^\n]*=>)"
    r"|(?:(?:var|varip|const|simple|series)[ \t]+)*(?:[A-Za-z_][\w.<>, ]*[ \t]+)?"
    r"(?P<variable>[A-Za-z_]\w*)[ \t]*=(?![=>]))"
)
_IMPORT = re.compile(r"(?m)^[ \t]*import[ \t]+([^\s/]+/[^\s/]+/[0-9]+)")
_KINDS = {"type": types.SymbolKind.Class, "enum": types.SymbolKind.Enum}


class _Text(NamedTuple):
    """A text with its lines, which is not parsed."""

    text: str
    lines: LineIndex


class ClosedScripts:
    """The declarations and the imports in the scripts of a workspace. A file is read again only after it has changed.

    A search may run in a thread: it uses nothing else of the server.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int], list[types.SymbolInformation]]] = {}
        self._imports: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {}

    def like(
        self,
        folders: Sequence[str],
        query: str,
        encoding: str,
        without: Collection[str] = (),
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> list[types.SymbolInformation]:
        """The declarations whose name contains the letters of `query` in this order; names that begin with it first.

        Scripts whose key is in `without` are left out. The search ends early, with what it has, when `is_cancelled`.
        """
        found: list[types.SymbolInformation] = []
        there = discover(folders, lambda _: False, [])[:MOST_FILES] if folders else []
        for file in there:
            if is_cancelled():
                return found
            uri = uri_of(file)
            if key_of(uri) not in without:
                found += (each for each in self._declared(file, uri, encoding) if has_letters(each.name, query))
        _forget_missing(self._known, there)
        wanted = query.lower()
        found.sort(key=lambda each: not each.name.lower().startswith(wanted))
        return found[:MOST_SYMBOLS]

    def _declared(self, file: str, uri: str, encoding: str) -> list[types.SymbolInformation]:
        try:
            stamp = _stamp(file)
            known = self._known.get(file)
            if known is None or known[0] != stamp:
                known = self._known[file] = stamp, declared(uri, files.read(file).text, encoding)
        except (OSError, UsageError):
            return []
        return known[1]

    def importing(
        self,
        folders: Sequence[str],
        without: Collection[str] = (),
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> dict[str, tuple[str, ...]]:
        """The files that import something, each with the paths of its imports.

        Scripts whose key is in `without` are left out. The search ends early, with what it has, when `is_cancelled`.
        """
        found: dict[str, tuple[str, ...]] = {}
        there = discover(folders, lambda _: False, [])[:MOST_FILES] if folders else []
        for file in there:
            if is_cancelled():
                return found
            paths = self._imported(file)
            if paths and key_of(uri_of(file)) not in without:
                found[file] = paths
        _forget_missing(self._imports, there)
        return found

    def _imported(self, file: str) -> tuple[str, ...]:
        try:
            stamp = _stamp(file)
            known = self._imports.get(file)
            if known is None or known[0] != stamp:
                known = self._imports[file] = stamp, imported(files.read(file).text)
        except (OSError, UsageError):
            return ()
        return known[1]


def _stamp(file: str) -> tuple[int, int]:
    """The time and the size of a file, which differ after it was written. Raises OSError if it is not there."""
    status = os.stat(file)
    return status.st_mtime_ns, status.st_size


def _forget_missing(known: dict[str, Any], there: Collection[str]) -> None:
    """Remove what is known about files that are not `there`. Another search may add to `known` meanwhile."""
    for gone in set(known) - set(there):
        known.pop(gone, None)


def imported(text: str) -> tuple[str, ...]:
    """The paths of the imports of `text`, each once. Only its words are searched: no parser is needed."""
    return tuple(dict.fromkeys(_IMPORT.findall(text)))


def declared(uri: str, text: str, encoding: str) -> list[types.SymbolInformation]:
    """The declarations at the start of a line of `text`."""
    found: list[types.SymbolInformation] = []
    positions = Positions(_Text(text, LineIndex(text)), encoding)
    for match in _DECLARED.finditer(text):
        group = next(name for name in ("named", "function", "variable") if match[name])
        place = types.Location(uri, positions.range(Span(*match.span(group))))
        found.append(types.SymbolInformation(place, match[group], _kind(match, group)))
    return found


def _kind(match: re.Match[str], group: str) -> types.SymbolKind:
    if group == "named":
        return _KINDS[match["kind"]]
    if group == "variable":
        return types.SymbolKind.Variable
    return types.SymbolKind.Method if match["method"] else types.SymbolKind.Function


def has_letters(name: str, query: str) -> bool:
    """Whether `name` contains the letters of `query` in this order, in upper or lower case."""
    place, low = 0, name.lower()
    for letter in query.lower():
        place = low.find(letter, place) + 1
        if not place:
            return False
    return True

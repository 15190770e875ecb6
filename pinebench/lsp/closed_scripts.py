"""Finds declarations in scripts that are not open, by a search for words: a workspace may have thousands of scripts,
and checking all of them would take far too long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from lsprotocol import types

from pinebench import files
from pinebench.diagnostics import Span
from pinebench.errors import UsageError
from pinebench.lsp.documents import key_of, uri_of
from pinebench.lsp.positions import Positions
from pinebench.records import NamedTuple
from pinebench.services.importers import forget_missing, scripts_in, stamp_of
from pinebench.syntax.lines import LineIndex

MOST_SYMBOLS = 1000
"""The largest number of declarations in one answer. Editors ask again after each letter."""
_DECLARED = re.compile(
    r"(?m)^(?:export[ \t]+)?(?:(?P<kind>type|enum)[ \t]+(?P<named>[A-Za-z_]\w*)[ \t]*(?://.*)?$"
    r"|(?P<method>method[ \t]+)?(?P<function>[A-Za-z_]\w*)[ \t]*\((?=[^\n]*=>)"
    r"|(?:(?:var|varip|const|simple|series)[ \t]+)*(?:[A-Za-z_][\w.<>, ]*[ \t]+)?"
    r"(?P<variable>[A-Za-z_]\w*)[ \t]*=(?![=>]))"
)
_KINDS = {"type": types.SymbolKind.Class, "enum": types.SymbolKind.Enum}


class _UnparsedText(NamedTuple):
    """A text with its lines, which is not parsed."""

    text: str
    lines: LineIndex


class ClosedScripts:
    """The declarations in the scripts of a workspace. A file is read again only after it has changed. A search may run
    in a thread, because it uses no other part of the server."""

    def __init__(self) -> None:
        self.remark = ""
        """The sentence about the scripts that the last search left out; empty if there are none."""
        self._known: dict[str, tuple[tuple[int, int], list[types.SymbolInformation]]] = {}

    def like(
        self,
        folders: Sequence[str],
        query: str,
        encoding: str,
        without: Collection[str] = (),
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> list[types.SymbolInformation]:
        """Return the declarations whose name contains the letters of `query` in this order. Names that begin with
        `query` come first.

        Scripts whose key is in `without` are left out. If `is_cancelled` returns true, the search ends early with the
        declarations found so far.
        """
        found: list[types.SymbolInformation] = []
        there = scripts_in(folders)
        self.remark = there.remark
        for file in there.files:
            if is_cancelled():
                return found
            uri = uri_of(file)
            if key_of(uri) not in without:
                found += (each for each in self._declared(file, uri, encoding) if has_letters(each.name, query))
        forget_missing(self._known, there.files)
        wanted = query.lower()
        found.sort(key=lambda each: not each.name.lower().startswith(wanted))
        return found[:MOST_SYMBOLS]

    def _declared(self, file: str, uri: str, encoding: str) -> list[types.SymbolInformation]:
        try:
            stamp = stamp_of(file)
            known = self._known.get(file)
            if known is None or known[0] != stamp:
                known = self._known[file] = stamp, declared(uri, files.read(file).text, encoding)
        except (OSError, UsageError):
            return []
        return known[1]


def declared(uri: str, text: str, encoding: str) -> list[types.SymbolInformation]:
    """Return the global declarations of `text`, the file at `uri`, without parsing it."""
    found: list[types.SymbolInformation] = []
    positions = Positions(_UnparsedText(text, LineIndex(text)), encoding)
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
    """Return whether `name` contains the letters of `query` in this order, in upper or lower case."""
    place, low = 0, name.lower()
    for letter in query.lower():
        place = low.find(letter, place) + 1
        if not place:
            return False
    return True

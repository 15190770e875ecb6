"""Finds declarations in scripts that are not open, by their first words: a workspace may have thousands of scripts, and
checking all of them would take far too long for a search.
"""

from __future__ import annotations

import re

from lsprotocol import types

from pinebench.diagnostics import Span
from pinebench.lsp.positions import Positions
from pinebench.syntax import parse

_DECLARED = re.compile(
    r"(?m)^(?:export[ \t]+)?(?:(?P<kind>type|enum)[ \t]+(?P<named>[A-Za-z_]\w*)[ \t]*(?://.*)?$"
    r"|(?P<method>method[ \t]+)?(?P<function>[A-Za-z_]\w*)[ \t]*\((?=[^\n]*=>)"
    r"|(?:(?:var|varip|const|simple|series)[ \t]+)*(?:[A-Za-z_][\w.<>, ]*[ \t]+)?"
    r"(?P<variable>[A-Za-z_]\w*)[ \t]*=(?![=>]))"
)
_KINDS = {"type": types.SymbolKind.Class, "enum": types.SymbolKind.Enum}


def declared_like(uri: str, text: str, query: str, encoding: str) -> list[types.SymbolInformation]:
    """The declarations at the start of a line of `text` whose name contains the letters of `query` in this order."""
    found: list[types.SymbolInformation] = []
    positions: Positions | None = None
    for match in _DECLARED.finditer(text):
        group = next(name for name in ("named", "function", "variable") if match[name])
        if not has_letters(match[group], query):
            continue
        positions = positions or Positions(parse(text).snapshot, encoding)
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
    place = 0
    for letter in query.lower():
        place = name.lower().find(letter, place) + 1
        if not place:
            return False
    return True

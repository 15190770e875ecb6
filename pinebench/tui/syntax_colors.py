"""Finds the kind of each word of a script, for its colour. It uses the scanner, and scans each statement once."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from functools import cache
from typing import NamedTuple

from pinebench.syntax import Snapshot
from pinebench.syntax.document import LATEST
from pinebench.syntax.scanner import scan
from pinebench.syntax.source import Chunk

KINDS = (
    *("keyword", "operator", "string", "number", "comment", "annotation", "function", "builtin", "type", "declared"),
    *("argument", "parameter", "property"),
)
"""The kinds of words. Any other word has the colour of plain text."""
_LIMIT = 4096
_OF_TOKEN = {
    **dict.fromkeys(("OPERATOR", "SIGN", "QUESTION", "COLON", "ARROW", "ASSIGN", "REASSIGN"), "operator"),
    **dict.fromkeys(("TEMPLATE_OPEN", "TEMPLATE_CLOSE"), "operator"),
    **dict.fromkeys(("INT", "FLOAT", "COLOR", "BOOL"), "number"),
    "STRING": "string",
    "IMPORT_PATH": "string",
    "FUNCTION_NAME": "declared",
}
_PLAIN = frozenset(
    ("NAME", "DOT", "COMMA", "LPAR", "RPAR", "LSQB", "RSQB", "TUPLE_OPEN", "OTHER", "NEWLINE", "INDENT", "DEDENT")
)


class Piece(NamedTuple):
    """A coloured word: the offsets where it begins and ends, and its kind."""

    start: int
    end: int
    kind: str


class Highlighter:
    """Finds the kinds of words, and caches them by the text of each statement."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, str], list[Piece]] = OrderedDict()

    def pieces(self, snapshot: Snapshot, start: int, end: int) -> list[Piece]:
        """Return the words between two offsets; their positions count from `start`. Words that begin before `start` or
        end after `end` are cut."""
        found: list[Piece] = []
        chunk = snapshot.chunk_at(start)
        version = min(snapshot.version or LATEST, LATEST)
        pieces = self._of(chunk, version)
        begin, stop = start - chunk.start, end - chunk.start
        first = max(bisect_left(pieces, begin, key=lambda piece: piece.start) - 1, 0)
        for piece in pieces[first:]:
            if piece.start >= stop:
                break
            if piece.end > begin:
                found.append(Piece(max(piece.start, begin) - begin, min(piece.end, stop) - begin, piece.kind))
        return found

    def _of(self, chunk: Chunk, version: int) -> list[Piece]:
        key = (version, chunk.text)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _pieces(chunk, version)
            if len(self._known) > _LIMIT:
                self._known.popitem(last=False)
        return found


def _pieces(chunk: Chunk, version: int) -> list[Piece]:
    """The coloured words of a chunk, in text order."""
    scanned = scan(f"{chunk.text}\n", 0, version, {})
    found = [
        Piece(start, end, "annotation" if chunk.text[start:end].lstrip("/ \t").startswith("@") else "comment")
        for start, end in chunk.comments
    ]
    types, tokens = scanned.types, scanned.tokens
    index = 0
    while index < len(types):
        kind, (start, end, _) = types[index], tokens[index]
        if kind == "NAME" or kind == "FUNCTION_NAME":
            last = _end_of_path(types, index)
            found += _named(types, tokens, index, last)
            index = last + 1
            continue
        known = _OF_TOKEN.get(kind)
        if known is None and kind not in _PLAIN:
            known = "operator" if kind == "NOT" else "keyword"
        if known is not None and end > start:
            word = "keyword" if known == "operator" and chunk.text[start].isalpha() else known
            found.append(Piece(start, end, word))
        index += 1
    found.sort()
    return found


def _end_of_path(types: list[str], index: int) -> int:
    """The index of the last name of a path such as `ta.sma`."""
    while index + 2 < len(types) and types[index + 1] == "DOT" and types[index + 2] == "NAME":
        index += 2
    return index


def _named(types: list[str], tokens: list[tuple[int, int, str]], first: int, last: int) -> list[Piece]:
    """The pieces of a dotted name: a built-in as a whole, or a name of the script."""
    if types[first] == "FUNCTION_NAME":
        return [Piece(*tokens[first][:2], "declared")]
    functions, values, words = _builtins()
    after_dot = first > 0 and types[first - 1] == "DOT"
    following = types[last + 1] if last + 1 < len(types) else ""
    path = ".".join(tokens[index][2] for index in range(first, last + 1, 2))
    start, end = tokens[first][0], tokens[last][1]
    if not after_dot and following == "ASSIGN" and first == last and _is_argument(types, first):
        return [Piece(start, end, "argument")]
    if not after_dot:
        if following in ("LPAR", "TEMPLATE_OPEN") and path in functions:
            return [Piece(start, end, "function")]
        if path in values:
            return [Piece(start, end, "builtin")]
        if path in words:
            return [Piece(start, end, "type")]
    if following == "LPAR":
        return [Piece(*tokens[last][:2], "declared")]
    return []


def _is_argument(types: list[str], index: int) -> bool:
    """Whether a name before `=` is the name of an argument: it is inside the brackets of a call."""
    depth = 0
    for kind in reversed(types[:index]):
        if kind in ("RPAR", "RSQB"):
            depth += 1
        elif kind in ("LPAR", "LSQB"):
            if depth == 0:
                return True
            depth -= 1
        elif kind == "NEWLINE":
            return False
    return False


@cache
def _builtins() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The dotted names of built-in functions, of built-in values, and the names of types."""
    from pinebench import reference

    values = {*reference.variables(), *reference.constants()}
    return frozenset(reference.functions()), frozenset(values), frozenset(reference.types())

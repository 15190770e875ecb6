"""Columns on TradingView's logical line, which joins the pieces of a wrapped statement."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple
from pinebench.syntax.lines import LineIndex, utf16_length
from pinebench.syntax.strings import closed_end

_BREAK = r"(?:\r\n?|\n)"
_NEXT_PIECE = lazy_pattern(
    rf"""(?P<quote>["'])
    | (?P<comment>//[^\r\n]*)
    | (?P<newline>{_BREAK}(?:[ \t\f\xa0]*+(?://[^\r\n]*)?{_BREAK})*[ \t]*)
    | (?P<code>[^"'/\r\n]++|.)
    """,
    re.VERBOSE,
)
_WRAP = rf"{_BREAK}[ \t]*"


class _LinePart(NamedTuple):
    """A part of a logical line: a string, a comment, a wrap (`newline`), or anything else (`code`)."""

    kind: str
    start: int
    end: int


def _pieces(text: str, start: int, end: int) -> Iterator[_LinePart]:
    source = text[start:end]
    unclosed: dict[str, int] = {}
    place = 0
    while match := _NEXT_PIECE.match(source, place):
        kind, stop = match.lastgroup or "code", match.end()
        if kind == "quote":
            closed = _string_end(source, place, unclosed)
            kind, stop = ("string", closed) if closed >= 0 else ("code", stop)
        yield _LinePart(kind, start + place, start + stop)
        place = stop


def _string_end(source: str, start: int, unclosed: dict[str, int]) -> int:
    """The end of the string that starts at `start`, or -1. `unclosed` caches failed searches."""
    quote = source[start]
    end = closed_end(source, quote * 3, start, unclosed) if source.startswith(quote * 3, start) else -1
    return end if end >= 0 else closed_end(source, quote, start, unclosed)


class LogicalLine:
    """The pieces of a logical line, each with its start column. It is built once and used for every position on the
    line."""

    __slots__ = ("_columns", "_depths", "_lines", "_pieces", "_starts", "_text")

    def __init__(self, text: str, lines: LineIndex, start: int, end: int) -> None:
        self._text = text
        self._lines = lines
        self._pieces = list(_pieces(text, start, end))
        self._starts = [piece.start for piece in self._pieces]
        self._columns: list[int] = []
        self._depths: list[int] = []
        column, depth = 1, 0
        for piece in self._pieces:
            self._columns.append(column)
            self._depths.append(depth)
            column += self._width(piece, piece.end)
            depth += self._opened(piece, piece.end)

    def column(self, offset: int) -> int:
        """Return the 1-based column of `offset` on the logical line, in UTF-16 units.

        Line comments are removed, and the white space before them is kept. Leading white space of continuation lines is
        removed, and pieces are joined by one space. Strings over several lines are joined in the same way.
        """
        index = bisect_left(self._starts, offset) - 1
        if index < 0:
            return 1
        piece = self._pieces[index]
        return self._columns[index] + self._width(piece, min(piece.end, offset))

    def depth(self, offset: int) -> int:
        """Return the number of open brackets at `offset`. Brackets in strings and comments do not count."""
        index = bisect_left(self._starts, offset) - 1
        if index < 0:
            return 0
        piece = self._pieces[index]
        return self._depths[index] + self._opened(piece, min(piece.end, offset))

    def _opened(self, piece: _LinePart, end: int) -> int:
        """The number of brackets opened minus closed in `piece`, read up to `end`."""
        if piece.kind != "code":
            return 0
        count, start = self._text.count, piece.start
        opened = count("(", start, end) + count("[", start, end)
        return opened - count(")", start, end) - count("]", start, end)

    def _width(self, piece: _LinePart, end: int) -> int:
        """The width of `piece` on the logical line, read up to `end`."""
        kind = piece.kind
        if kind == "newline":
            return int(end == piece.end)
        if kind == "comment":
            return 0
        if kind == "string":
            return utf16_length(re.sub(_WRAP, " ", self._text[piece.start : end]))
        return self._lines.units(piece.start, end)

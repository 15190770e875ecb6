"""Converts offsets to lines and columns and back, as editors count them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from pinebench.diagnostics import TextPosition
from pinebench.patterns import lazy_pattern

_BREAK = lazy_pattern(r"\r\n?|\n")
_ASTRAL = lazy_pattern("[\U00010000-\U0010ffff]")


def utf16_length(text: str) -> int:
    """Return the length of `text` in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(1 for _ in _ASTRAL.finditer(text))


def _astral(text: str) -> list[int]:
    """The offsets of the characters of `text` that need two UTF-16 units."""
    return [] if text.isascii() else [found.start() for found in _ASTRAL.finditer(text)]


class LineIndex:
    """The starts of the lines of a text; `\\r\\n`, `\\r` and `\\n` each end a line.

    Lines and columns count from 1. Columns are in UTF-16 units.
    """

    __slots__ = ("_astral", "_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._astral = _astral(text)
        if "\r" in text:
            self._starts = [0, *(found.end() for found in _BREAK.finditer(text))]
        else:
            self._starts = list(accumulate([len(line) + 1 for line in text.split("\n")][:-1], initial=0))

    def __len__(self) -> int:
        return len(self._starts)

    def position(self, offset: int) -> TextPosition:
        """Return the line and column of code point `offset`. An offset outside the text counts as the nearest end."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        return TextPosition(line, self.units(start, offset) + 1)

    def units(self, start: int, end: int) -> int:
        """Return the length in UTF-16 units of the text from offset `start` to `end`, found without reading the
        text."""
        astral = self._astral
        return end - start + (bisect_left(astral, end) - bisect_left(astral, start) if astral else 0)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position. A line or column outside the text counts as the nearest end."""
        if line < 1:
            return 0
        if line > len(self._starts):
            return len(self._text)
        start = self._starts[line - 1]
        length = len(self.line_text(line))
        if not self._astral:
            return start + min(max(column - 1, 0), length)
        return start + bisect_left(range(length), column - 1, key=lambda index: self.units(start, start + index))

    def line_start(self, line: int) -> int:
        """Return the offset of the first character of `line`, or the end of the text if there is no such line."""
        return self.offset(line, 1)

    def line_text(self, line: int) -> str:
        """Return the text of `line` without its line break; empty if there is no such line."""
        if not 1 <= line <= len(self._starts):
            return ""
        end = self._starts[line] if line < len(self._starts) else len(self._text)
        return self._text[self._starts[line - 1] : end].rstrip("\r\n")


def common(one: str, other: str) -> int:
    """Return the number of characters in the common prefix of `one` and `other`."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low

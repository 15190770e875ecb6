"""Converts between offsets and editors' positions, in the encoding that client and server agreed on."""

from __future__ import annotations

from typing import Protocol

from lsprotocol import types

from pinebench.diagnostics import Span
from pinebench.syntax.lines import LineIndex

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"


class TextWithLines(Protocol):
    """A text with its lines, such as a snapshot or a document."""

    @property
    def text(self) -> str:
        """The text whose offsets are converted."""
        ...

    @property
    def lines(self) -> LineIndex:
        """The starts of the text's lines."""
        ...


class Positions:
    """A converter between offsets of a text and positions of the protocol: lines and characters from 0."""

    def __init__(self, source: TextWithLines, encoding: str = UTF16) -> None:
        self._text = source.text
        self._lines = source.lines
        self._encoding = encoding

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position. A position outside the text counts as the nearest position in it."""
        line = position.line + 1
        if self._encoding == UTF16:
            return self._lines.offset(line, position.character + 1)
        if line > len(self._lines):
            return len(self._text)
        content = self._lines.line_text(line)
        start = self._lines.line_start(line)
        if self._encoding == UTF32 or content.isascii():
            return start + min(position.character, len(content))
        # a position inside a character counts as the position before it
        return start + len(content.encode()[: position.character].decode(errors="ignore"))

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line, column = self._lines.position(offset)
        if self._encoding == UTF16:
            return types.Position(line - 1, column - 1)
        before = self._text[self._lines.line_start(line) : min(offset, len(self._text))]
        return types.Position(line - 1, len(before.encode()) if self._encoding == UTF8 else len(before))

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return types.Range(self.position(span.start), self.position(max(span.start, span.end)))

    def span(self, range_: types.Range) -> Span:
        """Return the span of a range. A range that ends before its start is empty."""
        start = self.offset(range_.start)
        return Span(start, max(start, self.offset(range_.end)))

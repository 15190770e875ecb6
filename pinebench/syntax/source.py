"""A script's text with its chunks (top-level statements), and the positions in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from pinebench.diagnostics import Span, TextPosition
from pinebench.syntax.faults import Fault
from pinebench.syntax.lines import LineIndex
from pinebench.syntax.logical import LogicalLine
from pinebench.syntax.nodes import Node, Statement

_start = attrgetter("start")


class Chunk:
    """One top-level statement with the blank lines and comments after it. It never changes.

    `start` is its offset in the text. All other offsets (in `body`, `comments`, `faults`) count from `start`, so an
    edit before the chunk only changes this one number. `text` is the chunk's text. Its nodes belong to it and to its
    moved copies. `lines` are the starts of its logical lines. Readers of the tree cache their results in three tables
    by node: `parts` for the parts of expressions, `blocks` for blocks, and `kept` for everything else.
    """

    __slots__ = ("blocks", "body", "comments", "faults", "kept", "lines", "open_ended", "parts", "start", "text")

    def __init__(
        self,
        start: int,
        text: str,
        body: list[Statement],
        comments: list[tuple[int, int]],
        faults: list[Fault],
        lines: list[int],
        open_ended: bool,
        parts: dict[Node, Any] | None = None,
        kept: dict[Node, Any] | None = None,
        blocks: dict[Node, Any] | None = None,
    ) -> None:
        self.start = start
        self.text = text
        self.body = body
        self.comments = comments
        self.faults = faults
        self.lines = lines
        self.open_ended = open_ended
        self.parts: dict[Node, Any] = {} if parts is None else parts
        self.kept: dict[Node, Any] = {} if kept is None else kept
        self.blocks: dict[Node, Any] = {} if blocks is None else blocks

    @property
    def end(self) -> int:
        """The offset in the text where the next chunk begins."""
        return self.start + len(self.text)

    def moved(self, start: int) -> Chunk:
        """Return the same chunk at another offset."""
        return Chunk(
            start,
            self.text,
            self.body,
            self.comments,
            self.faults,
            self.lines,
            self.open_ended,
            self.parts,
            self.kept,
            self.blocks,
        )


class Source:
    """A text divided into chunks (top-level statements).

    `version` is the number in the first version comment, or None; it may be any number. `version_span` is the span of
    that comment.
    """

    def __init__(
        self, text: str, chunks: Sequence[Chunk], version: int | None = None, version_span: Span | None = None
    ) -> None:
        self.text = text
        self.chunks = tuple(chunks)
        self.version = version
        self.version_span = version_span
        self._lines: LineIndex | None = None
        self._logical: dict[int, LogicalLine] = {}

    @property
    def lines(self) -> LineIndex:
        """The index that converts offsets to lines and columns and back."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    def chunk_at(self, offset: int) -> Chunk:
        """Return the chunk (top-level statement) at `offset`. An offset outside the text counts as the nearest end."""
        return self.chunks[max(bisect_right(self.chunks, offset, key=_start) - 1, 0)]

    def tradingview_position(self, offset: int) -> TextPosition:
        """Return the position that TradingView reports for `offset`: the first line of its statement, and a column on
        the logical line. `LogicalLine` explains how the columns are counted."""
        line, logical = self._logical_line(offset)
        return TextPosition(line, logical.column(offset))

    def is_in_brackets(self, offset: int) -> bool:
        """Return whether a bracket of the same statement is open at `offset`."""
        return self._logical_line(offset)[1].depth(offset) > 0

    def logical_line(self, offset: int) -> Span:
        """Return the logical line that contains `offset`, from its first word to the start of the next logical line."""
        chunk = self.chunk_at(offset)
        index = max(bisect_right(chunk.lines, offset - chunk.start) - 1, 0)
        end = chunk.start + chunk.lines[index + 1] if index + 1 < len(chunk.lines) else chunk.end
        return Span(chunk.start + chunk.lines[index], end)

    def _logical_line(self, offset: int) -> tuple[int, LogicalLine]:
        """The number of the line where the logical line with `offset` starts, and the pieces of that logical line."""
        start, end = self.logical_line(offset)
        line = self.lines.position(start).line
        logical = self._logical.get(start)
        if logical is None:
            logical = self._logical[start] = LogicalLine(self.text, self.lines, self.lines.line_start(line), end)
        return line, logical

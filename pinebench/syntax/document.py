"""A parsed script that can be edited: a list of top-level chunks, each with its own text, nodes and faults."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from operator import attrgetter

from pinebench.diagnostics import Diagnostic, Position, Span
from pinebench.syntax import messages, nesting
from pinebench.syntax.faults import Fault
from pinebench.syntax.garbage import Uncollected
from pinebench.syntax.lines import LineIndex
from pinebench.syntax.logical import LogicalLine
from pinebench.syntax.nodes import Statement
from pinebench.syntax.parser import parse_chunk
from pinebench.syntax.scanner import Scan, scan

LATEST = 6
"""The newest version of Pine; scripts without a version line, or with a higher one, are read as this one."""

_VERSION = re.compile(
    r"""(?:\A|[\r\n])(?>(?:[^"'/\r\n]+|/(?!/)|"[^"\r\n]*"|'[^'\r\n]*')*)"""
    r"(?P<comment>//[ \t]*@[ \t]*version[ \t]*=[ \t]*(?P<number>[0-9]{1,9}))"
)
_start = attrgetter("start")

Engine = Callable[[Scan], "tuple[list[Statement], list[Fault]]"]
"""What turns a scanned chunk into statements and faults."""


class Chunk:
    """One top-level statement with the blank lines and comments behind it.

    `start` is its offset in the document; every other offset (in `body`, `comments`, `faults`) counts from `start`,
    so that an edit before the chunk moves it by one number. `text` is its text. Its nodes belong to it alone. `lines`
    holds where its logical lines begin.
    """

    __slots__ = ("body", "comments", "faults", "lines", "open_ended", "start", "text")

    def __init__(self, start: int, text: str, body: list[Statement], scanned: Scan, faults: list[Fault]) -> None:
        self.start = start
        self.text = text
        self.body = body
        self.comments = scanned.comments
        self.faults = faults
        self.lines = scanned.lines
        self.open_ended = scanned.open_ended

    @property
    def end(self) -> int:
        """The offset in the document where the next chunk begins."""
        return self.start + len(self.text)


def parse(text: str) -> Document:
    """Parse `text`; never raises: what is wrong is in `Document.diagnostics`."""
    return Document(text)


class Document:
    """A script's text and its tree, kept in step by `edit`.

    `version` is the number in the first version comment, whatever it is, or None; `version_span` is that comment's
    place.
    """

    def __init__(self, text: str, engine: Engine = parse_chunk) -> None:
        """`engine` parses one scanned chunk; the default is the product's own parser."""
        self.text = text
        self._engine = engine
        self.chunks: list[Chunk] = []
        self._forget()
        self.version, self.version_span = find_version(text)
        self.chunks = self._parse_from(0, {}, {})[0]

    # reading

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The syntax errors and syntax warnings, sorted by place, with spans in the whole text."""
        if self._diagnostics is None:
            self._diagnostics = messages.diagnostics(self)
        return self._diagnostics

    @property
    def comments(self) -> list[Span]:
        """Every comment, from its slashes to the end of its line."""
        return [Span(chunk.start + start, chunk.start + end) for chunk in self.chunks for start, end in chunk.comments]

    @property
    def lines(self) -> LineIndex:
        """Converts offsets to lines and columns and back."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    def chunk_at(self, offset: int) -> Chunk:
        """The chunk that holds `offset`; an offset outside the text counts as its nearest end."""
        return self.chunks[max(bisect_right(self.chunks, offset, key=_start) - 1, 0)]

    def tradingview_position(self, offset: int) -> Position:
        """Where TradingView places `offset`: on the first line of its statement, the column counted over all pieces.

        How pieces are joined is told at `LogicalLine`.
        """
        line, logical = self._logical_line(offset)
        return Position(line, logical.column(offset))

    def is_in_brackets(self, offset: int) -> bool:
        """Whether a bracket of the same statement is open at `offset`."""
        return self._logical_line(offset)[1].depth(offset) > 0

    def logical_line(self, offset: int) -> Span:
        """The logical line that holds `offset`, from its first word to where the next one begins."""
        chunk = self.chunk_at(offset)
        index = max(bisect_right(chunk.lines, offset - chunk.start) - 1, 0)
        end = chunk.start + chunk.lines[index + 1] if index + 1 < len(chunk.lines) else chunk.end
        return Span(chunk.start + chunk.lines[index], end)

    def _logical_line(self, offset: int) -> tuple[int, LogicalLine]:
        """The pieces of the logical line that holds `offset`, and the number of the line on which it begins."""
        start, end = self.logical_line(offset)
        line = self.lines.position(start).line
        logical = self._logical.get(start)
        if logical is None:
            logical = self._logical[start] = LogicalLine(self.text, self.lines.line_start(line), end)
        return line, logical

    # editing

    def edit(self, start: int, end: int, replacement: str) -> None:
        """Replace the text from `start` to `end`; only the chunks that this touches are parsed again."""
        old = self.text
        start = min(max(start, 0), len(old))
        end = min(max(end, start), len(old))
        self.text = text = old[:start] + replacement + old[end:]
        self._forget()
        dialect = self._dialect()
        self.version, self.version_span = find_version(text)
        if self._dialect() == dialect:
            self._parse_again(start, end, len(replacement) - (end - start))
        else:
            self.chunks = self._parse_from(0, {}, {})[0]

    def _parse_again(self, start: int, end: int, delta: int) -> None:
        """Parse from the chunk before the edit to the first boundary between chunks that the edit left in place."""
        old = self.chunks
        first = max(0, bisect_right(old, start, key=_start) - 2)
        first = next((index for index in range(first) if old[index].open_ended), first)
        untouched = bisect_right(old, end, key=_start)
        boundaries = {old[index].start + delta: index for index in range(untouched, len(old))}
        known = {chunk.text: chunk for chunk in old[first:untouched] if not chunk.faults}
        new, stop = self._parse_from(old[first].start, boundaries, known)
        rest = old[boundaries[stop] :] if stop in boundaries else []
        if delta:
            for chunk in rest:
                chunk.start += delta
        self.chunks = [*old[:first], *new, *rest]

    def _parse_from(
        self, position: int, boundaries: dict[int, int], known: dict[str, Chunk]
    ) -> tuple[list[Chunk], int]:
        """The chunks from `position` to one of `boundaries` or the end of the text, and where they end.

        A chunk in `known` is taken over, once, where its text comes up again.
        """
        source = self.text + "\n"
        size = len(source)
        dialect = self._dialect()
        unclosed: dict[str, int] = {}
        chunks: list[Chunk] = []
        with Uncollected():
            while position < size and not (chunks and position in boundaries):
                scanned = scan(source, position, dialect, unclosed)
                text = source[position : min(scanned.end, size - 1)]
                chunk = known.pop(text, None)
                if chunk is None:
                    chunk = self._parse_chunk(position, text, scanned)
                else:
                    chunk.start = position
                chunks.append(chunk)
                position = scanned.end
        return chunks, position

    def _parse_chunk(self, start: int, text: str, scanned: Scan) -> Chunk:
        body, faults = self._engine(scanned)
        faults = [*scanned.faults, *faults]
        if scanned.nesting > nesting.LIMIT:
            faults += nesting.cut(body)
        return Chunk(start, text, body, scanned, faults)

    def _dialect(self) -> int:
        return min(self.version or LATEST, LATEST)

    def _forget(self) -> None:
        self._diagnostics: list[Diagnostic] | None = None
        self._lines: LineIndex | None = None
        self._logical: dict[int, LogicalLine] = {}


def find_version(text: str) -> tuple[int | None, Span | None]:
    """The number in the first version comment of `text` and where that comment stands; None where there is none."""
    match = _VERSION.search(text)
    return (int(match["number"]), Span(*match.span("comment"))) if match else (None, None)

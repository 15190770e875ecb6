"""A parsed script that can be edited: a list of top-level chunks, each with its own text, nodes and faults."""

from __future__ import annotations

import re
from bisect import bisect_right

from pinebench.diagnostics import Diagnostic, Position, Span
from pinebench.syntax import messages
from pinebench.syntax.lines import LineIndex
from pinebench.syntax.logical import logical_column
from pinebench.syntax.nodes import Statement
from pinebench.syntax.parser import parse_chunk
from pinebench.syntax.scanner import Fault, scan

LANGUAGE_VERSION = 6
_VERSION = re.compile(r"//[ \t]*@[ \t]*version[ \t]*=[ \t]*([0-9]{1,9})")


class Chunk:
    """One top-level statement with the blank lines and comments behind it.

    `start` is its offset in the document; every other offset (in `body`, `comments`, `faults`) counts from `start`, so that an
    edit before the chunk moves it by one number. `text` is its text.
    """

    __slots__ = ("body", "comments", "faults", "open_ended", "start", "text")

    def __init__(self, start: int, text: str, body: list[Statement], faults: list[Fault]) -> None:
        self.start = start
        self.text = text
        self.body = body
        self.faults = faults
        self.comments: list[tuple[int, int]] = []
        self.open_ended = False

    @property
    def end(self) -> int:
        """The offset in the document where the next chunk begins."""
        return self.start + len(self.text)


def parse(text: str) -> Document:
    """Parse `text`; never raises: what is wrong is in `Document.diagnostics`."""
    return Document(text)


class Document:
    """A script's text and its tree, kept in step by `edit`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.chunks: list[Chunk] = []
        self._forget()
        self.version, self.version_span = _find_version(text)
        self._parse_all()

    # reading

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The syntax errors (and syntax warnings), sorted by place, spans counted from the start of the text."""
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
        index = bisect_right(self.chunks, offset, key=lambda chunk: chunk.start) - 1
        return self.chunks[max(index, 0)]

    def tradingview_position(self, offset: int) -> Position:
        """Where TradingView places `offset`: the first physical line of its logical line, the column counted over the joined pieces.

        Facts: line comments are removed but white space before them kept, leading white space of continuation lines is
        removed, pieces are joined by one space.
        """
        chunk = self.chunk_at(offset)
        start = chunk.start + self._logical_line(chunk, offset - chunk.start)
        line, first_column = self.lines.position(start)
        line_start = self.lines.line_start(line)
        if line_start == start - first_column + 1 or True:
            return Position(line, logical_column(self.text, line_start, offset))

    # editing

    def edit(self, start: int, end: int, replacement: str) -> None:
        """Replace the text from `start` to `end`; only the chunks that this touches are parsed again."""
        old = self.text
        start = min(max(start, 0), len(old))
        end = min(max(end, start), len(old))
        self.text = text = old[:start] + replacement + old[end:]
        self._forget()
        version, self.version_span = _find_version(text)
        if version != self.version:
            self.version = version
            self._parse_all()
            return
        self._reparse(start, end, len(replacement) - (end - start))

    def _forget(self) -> None:
        self._diagnostics: list[Diagnostic] | None = None
        self._lines: LineIndex | None = None

    def _parse_all(self) -> None:
        self.chunks = self._parse_from(0, {}, {})[0]

    def _reparse(self, start: int, end: int, delta: int) -> None:
        """Parse again from the chunk before the edit to the first chunk boundary that the edit left in place."""
        old = self.chunks
        first = max(0, bisect_right(old, start, key=lambda chunk: chunk.start) - 2)
        for index in range(first):
            if old[index].open_ended:
                first = index
                break
        untouched = bisect_right(old, end, key=lambda chunk: chunk.start)
        boundaries = {old[index].start + delta: index for index in range(untouched, len(old))}
        known: dict[str, list[Chunk]] = {}
        for chunk in old[first:]:
            known.setdefault(chunk.text, []).append(chunk)
        new, stop = self._parse_from(old[first].start, boundaries, {})
        rest = old[boundaries[stop] :] if stop in boundaries else []
        for chunk in rest:
            chunk.start += delta
        self.chunks = [*old[:first], *new, *rest]

    def _parse_from(
        self, position: int, boundaries: dict[int, int], _known: dict[str, list[Chunk]]
    ) -> tuple[list[Chunk], int]:
        """The chunks from `position` to the end of the text or to one of `boundaries`, and where they end."""
        source = self.text + "\n"
        size = len(source)
        version = self.version or LANGUAGE_VERSION
        chunks: list[Chunk] = []
        while position < size:
            if chunks and position in boundaries:
                break
            scanned = scan(source, position, version)
            body, faults = parse_chunk(scanned)
            chunk = Chunk(position, source[position : min(scanned.end, size - 1)], body, [*scanned.faults, *faults])
            chunk.comments = scanned.comments
            chunk.open_ended = scanned.open_ended
            chunks.append(chunk)
            position = scanned.end
        return chunks, position

    def _logical_line(self, chunk: Chunk, offset: int) -> int:
        lines = scan(self.text + "\n", chunk.start, self.version or LANGUAGE_VERSION).lines
        return lines[max(bisect_right(lines, offset) - 1, 0)] if lines else 0


def _find_version(text: str) -> tuple[int | None, Span | None]:
    match = _VERSION.search(text)
    return (int(match.group(1)), Span(*match.span())) if match else (None, None)

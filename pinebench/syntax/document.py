"""A parsed script that can be edited. Each edit makes the next snapshot and parses only the affected statements."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import cast

from pinebench.diagnostics import Diagnostic, Span, TextPosition
from pinebench.garbage import CollectionPaused
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nesting
from pinebench.syntax.faults import Fault
from pinebench.syntax.lines import LineIndex
from pinebench.syntax.nodes import Node, Statement
from pinebench.syntax.parser import parse_chunk
from pinebench.syntax.scanner import Scan, scan
from pinebench.syntax.snapshot import Snapshot
from pinebench.syntax.source import Chunk

LATEST = 6
"""The newest version of Pine. Scripts without a version line, or with a higher version, are read as this version."""

_VERSION = lazy_pattern(
    r"""(?:\A|[\r\n])(?>(?:[^"'/\r\n]+|/(?!/)|"[^"\r\n]*"|'[^'\r\n]*')*)"""
    r"(?P<comment>//[ \t]*@[ \t]*version[ \t]*=[ \t]*(?P<number>[0-9]{1,9}))"
)
_start = attrgetter("start")

Engine = Callable[[Scan], "tuple[list[Statement], list[Fault]]"]
"""A function that parses a scanned chunk into statements and faults."""


def parse(text: str) -> Document:
    """Parse `text`. Never raises: errors are in `Document.diagnostics`."""
    return Document(text)


class Document:
    """A script that is being edited; `edit` replaces its snapshot by the next one. Every property reads the current
    snapshot. If other threads may edit the script meanwhile, get its `snapshot` first and read from that."""

    def __init__(self, begin: str | Snapshot, engine: Engine = parse_chunk) -> None:
        """`begin` is a text, or a snapshot to start with, for which nothing is parsed. `engine` parses one scanned
        chunk; the default is the product's own parser."""
        self._engine = engine
        self._snapshot = _parsed(begin, engine) if isinstance(begin, str) else begin

    # reading

    @property
    def snapshot(self) -> Snapshot:
        """The current state of the script, which later edits do not change."""
        return self._snapshot

    @property
    def revision(self) -> int:
        """The number of edits so far."""
        return self._snapshot.revision

    @property
    def text(self) -> str:
        """The script's text."""
        return self._snapshot.text

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The top-level statements in text order."""
        return self._snapshot.chunks

    @property
    def version(self) -> int | None:
        """The number in the first version comment, or None. It may be any number."""
        return self._snapshot.version

    @property
    def version_span(self) -> Span | None:
        """The span of the version comment."""
        return self._snapshot.version_span

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The syntax errors and syntax warnings, sorted by position, with spans as offsets in the script's text."""
        return self._snapshot.diagnostics

    @property
    def comments(self) -> list[Span]:
        """Every comment, from its slashes to the end of its line."""
        return self._snapshot.comments

    @property
    def lines(self) -> LineIndex:
        """The index that converts offsets to lines and columns and back."""
        return self._snapshot.lines

    def chunk_at(self, offset: int) -> Chunk:
        """Return the chunk (top-level statement) at `offset`. An offset outside the text counts as the nearest end."""
        return self._snapshot.chunk_at(offset)

    def tradingview_position(self, offset: int) -> TextPosition:
        """Return the position that TradingView reports for `offset`; see `Source.tradingview_position`."""
        return self._snapshot.tradingview_position(offset)

    def is_in_brackets(self, offset: int) -> bool:
        """Return whether a bracket of the same statement is open at `offset`."""
        return self._snapshot.is_in_brackets(offset)

    def logical_line(self, offset: int) -> Span:
        """Return the logical line that contains `offset`, from its first word to the start of the next logical line."""
        return self._snapshot.logical_line(offset)

    # editing

    def edit(self, start: int, end: int, replacement: str) -> None:
        """Replace the text from `start` to `end`. Only the affected top-level statements are parsed again."""
        old = self._snapshot
        start = min(max(start, 0), len(old.text))
        end = min(max(end, start), len(old.text))
        text = old.text[:start] + replacement + old.text[end:]
        version, place = find_version(text)
        chunks = _Chunks(text, version, self._engine)
        if _dialect(old.version) == _dialect(version):
            found = chunks.after(old.chunks, start, end, len(replacement) - (end - start))
        else:
            found = chunks.all()
        self._snapshot = Snapshot(text, found, version, place, old.revision + 1)


def _parsed(text: str, engine: Engine) -> Snapshot:
    version, place = find_version(text)
    return Snapshot(text, _Chunks(text, version, engine).all(), version, place)


class _Chunks:
    """Splits a text into chunks and parses them."""

    def __init__(self, text: str, version: int | None, engine: Engine) -> None:
        self.source = text + "\n"
        self.dialect = _dialect(version)
        self.engine = engine

    def all(self) -> list[Chunk]:
        return self.between(0, {}, {})[0]

    def after(self, old: tuple[Chunk, ...], start: int, end: int, delta: int) -> list[Chunk]:
        """The chunks of the text after an edit that made the text between `start` and `end` longer by `delta`.

        The chunks from the one before the edit to the first unchanged boundary after it are parsed; the others are
        reused.
        """
        first = max(0, bisect_right(old, start, key=_start) - 2)
        first = next((index for index in range(first) if old[index].open_ended), first)
        untouched = bisect_right(old, end, key=_start)
        boundaries = {old[index].start + delta: index for index in range(untouched, len(old))}
        known = {chunk.text: chunk for chunk in old[first:untouched] if not chunk.faults}
        new, stop = self.between(old[first].start, boundaries, known)
        rest = old[boundaries[stop] :] if stop in boundaries else ()
        return [*old[:first], *new, *([chunk.moved(chunk.start + delta) for chunk in rest] if delta else rest)]

    def between(self, position: int, boundaries: dict[int, int], known: dict[str, Chunk]) -> tuple[list[Chunk], int]:
        """The chunks from `position` to one of `boundaries` or to the end of the text, and the offset where they
        end.

        A chunk in `known` is reused, once, if the same text occurs again.
        """
        source = self.source
        size = len(source)
        unclosed: dict[str, int] = {}
        chunks: list[Chunk] = []
        with CollectionPaused():
            while position < size and not (chunks and position in boundaries):
                scanned = scan(source, position, self.dialect, unclosed)
                text = source[position : min(scanned.end, size - 1)]
                same = known.pop(text, None)
                chunks.append(same.moved(position) if same is not None else self.chunk(position, text, scanned))
                position = scanned.end
        return chunks, position

    def chunk(self, start: int, text: str, scanned: Scan) -> Chunk:
        body, faults = self.engine(scanned)
        faults = [*scanned.faults, *faults]
        if scanned.nesting > nesting.LIMIT:
            faults += nesting.cut(body)
        return Chunk(start, text, body, scanned.comments, faults, scanned.lines, scanned.open_ended)


def _dialect(version: int | None) -> int:
    """The version whose layout rules apply to a script of this version."""
    return min(version or LATEST, LATEST)


def find_version(text: str) -> tuple[int | None, Span | None]:
    """Return the number in the first version comment of `text`, and the span of the comment. Both are None if there is
    none."""
    match = _VERSION.search(text)
    return (int(match["number"]), Span(*match.span("comment"))) if match else (None, None)


def form(document: Document | Snapshot) -> tuple[object, ...]:
    """Return the trees of all top-level statements as one flat tuple without positions. It is equal for texts that
    differ only in their layout."""
    return _form(document.chunks)


def is_same_form(first: Document | Snapshot, second: Document | Snapshot) -> bool:
    """Return whether two scripts have the same `form`. Top-level statements that both share at the start or the end are
    not compared."""
    pairs = list(zip(first.chunks, second.chunks, strict=False))
    start = next((index for index, (mine, yours) in enumerate(pairs) if mine.body is not yours.body), len(pairs))
    mine, yours = list(first.chunks[start:]), list(second.chunks[start:])
    while mine and yours and mine[-1].body is yours[-1].body:
        mine.pop()
        yours.pop()
    return _form(mine) == _form(yours)


def _form(chunks: Sequence[Chunk]) -> tuple[object, ...]:
    found: list[object] = []
    stack: list[object] = [chunk.body for chunk in reversed(chunks)]
    while stack:
        value = stack.pop()
        if isinstance(value, Node):
            found.append(value.__class__)
            fields = value._fields  # pyright: ignore[reportPrivateUsage]
            stack += [getattr(value, name) for name in reversed(fields) if not name.endswith("_start")]
        elif isinstance(value, list):
            found.append("[")
            stack += ["]", *reversed(cast("list[object]", value))]
        else:
            found.append(value)
    return tuple(found)

"""The text of a bundle while it is written: copied pieces of files, replaced pieces, and new text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pinebench.diagnostics import Span
from pinebench.projects.source_map import SourceFile, SourceMap, SourceName, SourceRange, digest_of
from pinebench.records import NamedTuple
from pinebench.syntax.lines import LineIndex


class Replacement(NamedTuple):
    """A span of a file, and the `text` that replaces it."""

    span: Span
    text: str


class _BundlePiece(NamedTuple):
    """A piece of the bundle. `file` is None for new text."""

    text: str
    file: int | None = None
    span: Span = Span(0, 0)
    exact: bool = False


class Pieces:
    """The collected pieces of a bundle. `texts` has the text of each file, by the file's number."""

    def __init__(self, texts: Sequence[str], line_break: str) -> None:
        self._texts = texts
        self._line_break = line_break
        self._found: list[_BundlePiece] = []

    def write(self, text: str) -> None:
        """Append new text, which does not come from a file."""
        self._found.append(_BundlePiece(text.replace("\n", self._line_break)))

    def replace(self, file: int, span: Span, text: str) -> None:
        """Append `text`, which replaces a span of a file."""
        self._found.append(_BundlePiece(text.replace("\n", self._line_break), file, span))

    def copy(self, file: int, span: Span, replacements: Iterable[Replacement] = ()) -> None:
        """Append a span of a file, with replacements, which must be sorted and must not overlap."""
        at = span.start
        for each in replacements:
            self._copy(file, Span(at, each.span.start))
            if each.text:
                self.replace(file, each.span, each.text)
            at = each.span.end
        self._copy(file, Span(at, span.end))

    def _copy(self, file: int, span: Span) -> None:
        if span.start < span.end:
            text = self._texts[file][span.start : span.end]
            self._found.append(_BundlePiece(self._with_line_breaks(text), file, span, True))

    def _with_line_breaks(self, text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", self._line_break)

    @property
    def text(self) -> str:
        """The text of the whole bundle."""
        return "".join(piece.text for piece in self._found)

    def source_map(self, files: Sequence[SourceFile], names: Mapping[str, SourceName]) -> SourceMap:
        """Return the source map of the whole bundle."""
        text = self.text
        lines, sources = LineIndex(text), [LineIndex(each) for each in self._texts]
        ranges: list[SourceRange] = []
        at = 0
        for piece in self._found:
            start, end = lines.position(at), lines.position(at + len(piece.text))
            at += len(piece.text)
            if piece.file is not None:
                first, past = (sources[piece.file].position(each) for each in piece.span)
                ranges.append(SourceRange(start, end, piece.file, first, past, piece.exact))
        return SourceMap(digest_of(text), files, names, ranges)

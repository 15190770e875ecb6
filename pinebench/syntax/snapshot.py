"""One unchanging state of a script: its text, its tree and its syntax errors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pinebench.diagnostics import Diagnostic, Span
from pinebench.syntax import messages
from pinebench.syntax.source import Chunk, Source


class Snapshot(Source):
    """One state of a script. It never changes, so its properties always have the same values. `revision` is the number
    of earlier edits of its document."""

    def __init__(
        self, text: str, chunks: Sequence[Chunk], version: int | None, version_span: Span | None, revision: int = 0
    ) -> None:
        super().__init__(text, chunks, version, version_span)
        self.revision = revision

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The syntax errors and syntax warnings, sorted by position, with spans as offsets in the script's text."""
        return list(self._diagnostics)

    @cached_property
    def _diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(messages.diagnostics(self))

    @property
    def comments(self) -> list[Span]:
        """Every comment, from its slashes to the end of its line."""
        return [Span(chunk.start + start, chunk.start + end) for chunk in self.chunks for start, end in chunk.comments]

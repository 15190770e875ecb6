"""The one report type every room speaks: what is wrong, where, how bad, and how to mend it."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """How bad a finding is; a smaller value is worse, so that sorting puts errors first."""

    ERROR = 0
    WARNING = 1
    INFO = 2
    HINT = 3

    @property
    def label(self) -> str:
        """The lower-case word used in every report: `error`, `warning`, `info` or `hint`."""
        return self.name.lower()


class Span(NamedTuple):
    """A half-open range of code-point offsets in the source text, as an editor underlines it."""

    start: int
    end: int


class Position(NamedTuple):
    """A 1-based line and a 1-based column in UTF-16 units."""

    line: int
    column: int


class Edit(NamedTuple):
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A mend: non-overlapping edits; `safe` means that it cannot change what a correct script does."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


class Diagnostic(NamedTuple):
    """One finding about a script.

    `tv_position` is set only where TradingView names another place than `span.start`: it reports a wrapped statement on
    its joined logical line. `hint` is our own advice, shown beside TradingView's words and never mixed into them.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    tv_position: Position | None = None
    hint: str | None = None
    fix: Fix | None = None

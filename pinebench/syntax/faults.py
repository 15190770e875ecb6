"""Syntax errors of the scanner and the parser, before they have a message, and repairs for them."""

from __future__ import annotations

from pinebench.records import NamedTuple

END_OF_LINE = '"end of line without line continuation"'
"""TradingView's name for the end of a logical line."""


NOT_INDENTED = frozenset(("CE10013", "CE10144"))
"""The codes for a line that starts where a block or the rest of a statement was expected."""


class Repair(NamedTuple):
    """A replacement of the text from `start` to `end` that repairs a fault. `title` describes it."""

    title: str
    start: int
    end: int
    text: str


class Fault(NamedTuple):
    """A syntax error of TradingView's scanner or parser; offsets count from the start of the top-level statement.

    `at_line_start` is True if TradingView reports the error in column 1 of the logical line that contains `start`.
    `hint` is our advice, shown next to TradingView's message, and `repair` is a change that follows it.
    """

    code: str
    start: int
    end: int
    values: dict[str, str]
    at_line_start: bool = False
    hint: str | None = None
    repair: Repair | None = None

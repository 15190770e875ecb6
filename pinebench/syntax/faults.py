"""What the scanner and the parser find wrong: faults, and what would mend them."""

from __future__ import annotations

from typing import NamedTuple

END_OF_LINE = '"end of line without line continuation"'
"""What TradingView calls the end of a logical line."""


NOT_INDENTED = frozenset(("CE10013", "CE10144"))
"""The codes of a line that begins where something else had to begin: a block, or the rest of a statement."""


class Repair(NamedTuple):
    """Text that, put in the place of `start` to `end`, mends a fault; `title` says what it does."""

    title: str
    start: int
    end: int
    text: str


class Fault(NamedTuple):
    """Something TradingView's scanner or parser refuses; offsets count from the start of the chunk.

    `at_line_start` says that TradingView anchors the report in column 1 of the logical line that holds `start`;
    `hint` is our advice beside its words, `repair` what would follow it.
    """

    code: str
    start: int
    end: int
    values: dict[str, str]
    at_line_start: bool = False
    hint: str | None = None
    repair: Repair | None = None

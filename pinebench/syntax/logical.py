"""Columns on TradingView's logical line, the join of the pieces of a wrapped statement."""

from __future__ import annotations

import re

from pinebench.syntax.lines import utf16_length

_PIECE_END = re.compile(r"""(?:[^\r\n/"']|/(?!/)|"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\\\r\n]|\\.)*'?)*""")


def logical_column(text: str, line_start: int, offset: int) -> int:
    """The 1-based column (UTF-16 units) of `offset` on the logical line that begins at `line_start`.

    Line comments are removed but white space before them is kept, leading white space of continuation lines is removed, and
    pieces are joined by one space.
    """
    column = 1
    position = line_start
    while True:
        piece = _PIECE_END.match(text, position)
        end = piece.end() if piece else position
        if offset <= end:
            return column + utf16_length(text[position:offset])
        column += utf16_length(text[position:end])
        following = re.compile(r"[^\r\n]*(?:\r\n?|\n)?[ \t]*").match(text, end)
        start = following.end() if following else end
        if offset < start or start >= len(text):
            return column
        position = start
        column += 1

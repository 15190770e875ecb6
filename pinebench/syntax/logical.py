"""Columns on TradingView's logical line, the join of the pieces of a wrapped statement."""

from __future__ import annotations

import re

from pinebench.syntax.lines import utf16_length
from pinebench.syntax.scanner import STRINGS

_BREAK = r"(?:\r\n?|\n)"
_PIECES = rf"""(?P<string>{"|".join(STRINGS.values())})
    | (?P<comment>//[^\r\n]*)
    | (?P<newline>{_BREAK}(?:[ \t\f\xa0]*+(?://[^\r\n]*)?{_BREAK})*[ \t]*)
    | (?P<code>[^"'/\r\n]++|.)
    """
_WRAP = rf"{_BREAK}[ \t]*"


def logical_column(text: str, line_start: int, offset: int) -> int:
    """The 1-based column (UTF-16 units) of `offset` on the logical line whose first line begins at `line_start`.

    Line comments are removed but white space before them is kept, leading white space of continuation lines is
    removed, pieces are joined by one space, and strings over several lines are flattened in the same way.
    """
    column = 1
    for match in re.compile(_PIECES, re.VERBOSE).finditer(text, line_start):
        start, end = match.span()
        if start >= offset:
            break
        kind = match.lastgroup
        if kind == "newline":
            if offset < end:
                break
            column += 1
        elif kind == "string":
            column += utf16_length(re.sub(_WRAP, " ", text[start : min(end, offset)]))
        elif kind == "code":
            column += utf16_length(text[start : min(end, offset)])
    return column

"""Lines of a text as reports count them: ended by LF, CR LF or CR, columns in UTF-16 units."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=8)
def split_lines(text: str) -> list[str]:
    """The lines of `text` without their ends; a text that ends in a line end has an empty last line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def line_of(text: str, number: int) -> str:
    """Line `number` (1-based) of `text`, empty when there is no such line."""
    lines = split_lines(text)
    return lines[number - 1] if number <= len(lines) else ""


def index_of(line: str, column: int) -> int:
    """The code-point index in `line` of the 1-based UTF-16 `column`, at most the line's length."""
    units = column - 1
    if line.isascii():
        return min(units, len(line))
    for index, character in enumerate(line):
        if units <= 0:
            return index
        units -= 2 if character > "\uffff" else 1
    return len(line)

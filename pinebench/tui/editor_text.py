"""The text in an editor: its lines with their own line ends, and the parsed script, which follows every change."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import chain
from typing import Any

from textual._cells import cell_len
from textual.document._document import Document as TextualDocument
from textual.document._document import EditResult, Location
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset, Size

from pinebench.diagnostics import Span
from pinebench.syntax import Document, Snapshot
from pinebench.syntax.lines import common

_BREAK = re.compile(r"\r\n?|\n")
_HIDDEN = re.compile(
    r"[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def split(text: str) -> tuple[list[str], list[str]]:
    """Split `text` into lines as Pine counts them; return the lines and their line ends. The last line end is empty."""
    if "\r" not in text:
        lines = text.split("\n")
        return lines, ["\n"] * (len(lines) - 1) + [""]
    lines, ends, place = [], [], 0
    for found in _BREAK.finditer(text):
        lines.append(text[place : found.start()])
        ends.append(found.group())
        place = found.end()
    return [*lines, text[place:]], [*ends, ""]


def with_newlines(text: str, newline: str) -> str:
    """Return `text` with every line end replaced by `newline`."""
    return _BREAK.sub(newline, text) if "\n" in text or "\r" in text else text


def shown(line: str) -> str:
    """Return `line` with a visible symbol for each character that is invisible or controls a terminal. The length stays
    the same."""
    return line if line.isascii() and line.isprintable() else _HIDDEN.sub(_sign, line)


def _sign(found: re.Match[str]) -> str:
    code = ord(found.group())
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


class PineDocument(TextualDocument):
    """A text that is edited by rows and columns. It keeps its line ends; `snapshot` is always its current state.

    `rows` is called after every change with the first row, the number of removed rows and the number of new rows.
    """

    def __init__(self, text: str) -> None:
        self._lines, self._ends = split(text)
        self._newline = self._ends[0] or "\n"  # pyright: ignore[reportAttributeAccessIssue]
        self._widths = [_width(line) for line in self._lines]
        self._source = Document(text)
        self.rows: Any = None

    @property
    def snapshot(self) -> Snapshot:
        """The current state of the script."""
        return self._source.snapshot

    @property
    def text(self) -> str:
        """The full text."""
        return self._source.snapshot.text

    @property
    def is_mixed(self) -> bool:
        """Whether the text has more than one kind of line end."""
        return len(set(self._ends[:-1])) > 1

    def joined(self, first: int, lines: list[str]) -> str:
        """Join `lines` with the existing line ends of the rows from `first` on."""
        ends = [*self._ends[first : first + len(lines) - 1], ""]
        return "".join(chain.from_iterable(zip(lines, ends, strict=True)))

    def take_newline(self) -> None:
        """From now on, use the line end of the first line for all new lines."""
        self._newline = self._ends[0] or "\n"  # pyright: ignore[reportAttributeAccessIssue]

    def get_size(self, tab_width: int) -> Size:
        """Return the width of the widest line in cells, and the number of lines."""
        return Size(max(self._widths), len(self._lines))

    def offset(self, location: Location) -> int:
        """Return the text offset of a row and a column."""
        row, column = location
        row = min(row, len(self._lines))
        return sum(map(len, chain(self._lines[:row], self._ends[:row]))) + column

    def location(self, offset: int) -> Location:
        """Return the row and the column of an offset in the text."""
        lines = self.snapshot.lines
        offset = min(max(offset, 0), len(self.text))
        row = lines.position(offset).line - 1
        return row, min(offset - lines.line_start(row + 1), len(self._lines[row]))

    def get_index_from_location(self, location: Location) -> int:
        """Return the text offset of a row and a column."""
        return self.offset(location)

    def get_location_from_index(self, index: int) -> Location:
        """Return the row and the column of an offset in the text."""
        return self.location(index)

    def span(self, start: Location, end: Location) -> Span:
        """Return the span between two positions, which may come in either order."""
        first, last = sorted((start, end))
        return Span(self.offset(first), self.offset(last))

    def get_text_range(self, start: Location, end: Location) -> str:
        """Return the text between two positions, with its own line ends."""
        begin, stop = self.span(self._inside(start), self._inside(end))
        return self.text[begin:stop]

    def _inside(self, location: Location) -> Location:
        row, column = location
        if row >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        return max(row, 0), min(max(column, 0), len(self._lines[row]))

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Replace the text between two positions by `text`."""
        (top, left), (bottom, right) = sorted((self._inside(start), self._inside(end)))
        begin, stop = self.offset((top, left)), self.offset((bottom, right))
        replaced = self.text[begin:stop]
        lines, ends = split(text)
        column = len(lines[-1]) + (left if len(lines) == 1 else 0)
        lines[0] = self._lines[top][:left] + lines[0]
        lines[-1] += self._lines[bottom][right:]
        ends[-1] = self._ends[bottom]
        self._lines[top : bottom + 1] = lines
        self._ends[top : bottom + 1] = ends
        self._widths[top : bottom + 1] = [_width(line) for line in lines]
        self._source.edit(begin, stop, text)
        self._part(top - 1, top + len(lines))
        if self.rows is not None:
            self.rows(top, bottom + 1 - top, len(lines))
        return EditResult((top + len(lines) - 1, column), replaced)

    def _part(self, first: int, last: int) -> None:
        """Separate a `\\r` and a `\\n` that an edit brought together, because they would be one line end.

        The `\\n` becomes a `\\r`. Only the line ends from the row `first` up to the row `last` are looked at.
        """
        for row in range(max(first, 0), min(last, len(self._lines) - 1)):
            if self._ends[row] == "\r" and self._ends[row + 1] == "\n" and not self._lines[row + 1]:
                place = self.offset((row + 1, 0))
                self._ends[row + 1] = "\r"
                self._source.edit(place, place + 1, "\r")


def _width(line: str) -> int:
    if line.isascii() and "\t" not in line:
        return len(line)
    return cell_len(shown(line).expandtabs(4))


class UnwrappedDocument(WrappedDocument):
    """Maps positions in the text to cells of the screen. Lines are never wrapped: each line is one row."""

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Make one row for each line, whatever the `width` of the screen."""
        self._width = 0
        self._tab_width = tab_width or self._tab_width
        self.fit()

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Make one row for each line after an edit."""
        self.fit()

    def fit(self) -> None:
        """Make one row for each line."""
        count = self.document.line_count
        rows = self._offset_to_line_info
        if len(rows) > count:
            del rows[count:]
            del self._line_index_to_offsets[count:]
        else:
            new = range(len(rows), count)
            rows.extend((row, 0) for row in new)
            self._line_index_to_offsets.extend([row] for row in new)

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.document.line_count

    def get_offsets(self, line_index: int) -> list[int]:
        """Return the columns at which a line is wrapped: always an empty list. Raises ValueError if there is no such
        line."""
        if not 0 <= line_index < self.document.line_count:
            raise ValueError(f"there is no line {line_index}")
        return []

    def get_sections(self, line_index: int) -> list[str]:
        """Return a list with the complete line as shown, because lines are never wrapped."""
        return [shown(self.document[line_index])]

    def get_tab_widths(self, line_index: int) -> list[int]:
        """Return the widths of a line's tabs: always empty, because only wrapped lines need them."""
        return []

    def location_to_offset(self, location: Location) -> Offset:
        """Return the cell in which the character at a position begins."""
        row, column = location
        row = min(max(row, 0), self.document.line_count - 1)
        before = self.document[row][:column]
        if before.isascii() and before.isprintable():
            return Offset(len(before), row)
        return Offset(self._cells(before, len(before)), row)

    def offset_to_location(self, offset: Offset) -> Location:
        """Return the position of the character in a cell."""
        x, y = offset
        row = min(max(y, 0), self.document.line_count - 1)
        line = self.document[row]
        if line.isascii() and line.isprintable():
            return row, min(max(x, 0), len(line))
        columns = range(len(line) + 1)
        # Characters that are drawn as one, such as the emoji of a family, begin in one cell: the first one counts.
        return row, max(bisect_right(columns, max(0, x), key=lambda column: self._cells(line, column)) - 1, 0)

    def _cells(self, line: str, column: int) -> int:
        return cell_len(_expanded(shown(line[:column]), self._tab_width))


def _expanded(text: str, tab_width: int) -> str:
    """Return `text` with each tab replaced by spaces up to the next tab stop, counted in cells."""
    parts: list[str] = []
    cells = 0
    for part in re.split(r"(\t)", text):
        if part == "\t":
            part = " " * (tab_width - cells % tab_width)
        parts.append(part)
        cells += cell_len(part)
    return "".join(parts)


def difference(old: str, new: str) -> tuple[int, int, str]:
    """Return the part in which `old` and `new` differ: its start and end in `old`, and its text in `new`. The part
    never begins or ends inside a line end."""
    start = common(old, new)
    rest = common(old[start:][::-1], new[start:][::-1])
    while start and old[start - 1] == "\r":
        start -= 1
    while rest and old[len(old) - rest] == "\n":
        rest -= 1
    return start, len(old) - rest, new[start : len(new) - rest]

"""The two lines below the editor: the message about the cursor's line, and the status line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from pinebench.printable import printable

SIGNS = {"error": "✖", "warning": "▲", "info": "●", "hint": "·", "good": "✔", "note": "›"}
"""The sign before a message of each kind."""


class StyledWords(NamedTuple):
    """A piece of text with its style: one of SIGNS, `quiet`, or empty for plain text."""

    text: str
    kind: str = ""


class SplitLine(Widget):
    """A line with text at its left and right ends. If there is too little room, the left text is cut."""

    DEFAULT_CSS = "SplitLine { height: 1; }"
    COMPONENT_CLASSES = {f"line--{kind}" for kind in (*SIGNS, "quiet")}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._left: tuple[StyledWords, ...] = ()
        self._right: tuple[StyledWords, ...] = ()

    def show(self, left: Sequence[StyledWords], right: Sequence[StyledWords] = ()) -> None:
        """Show text at the left and the right end of the line."""
        new = tuple(left), tuple(right)
        if new != (self._left, self._right):
            self._left, self._right = new
            self.refresh()

    @property
    def words(self) -> str:
        """The line's complete text as one string."""
        return "  ".join(part.text for part in (*self._left, *self._right))

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base = self.rich_style
        width = self.size.width
        if y or width < 3:
            return Strip.blank(width, base)
        right = self._segments(self._right)
        room = width - 2
        taken = sum(cell_len(segment.text) for segment in right)
        if taken > room:
            right, taken = [], 0
        left = self._segments(self._left)
        left_room = max(0, room - taken - (2 if right else 0))
        line = Strip(left)
        if line.cell_length > left_room:
            line = line.crop(0, max(0, left_room - 1))
            line = Strip([*line, Segment("…")])
        gap = max(0, room - line.cell_length - taken)
        segments = [Segment(" "), *line, Segment(" " * gap), *right, Segment(" ")]
        return Strip(segments).apply_style(base).adjust_cell_length(width, base)

    def _segments(self, parts: Sequence[StyledWords]) -> list[Segment]:
        found: list[Segment] = []
        for number, part in enumerate(parts):
            if number:
                found.append(Segment("  "))
            style = self.get_component_rich_style(f"line--{part.kind}") if part.kind else Style()
            found.append(Segment(printable(part.text), Style(color=style.color, bold=style.bold)))
        return found


def fit(text: str, width: int) -> str:
    """Return `text` in exactly `width` cells: cut, or filled with spaces."""
    return text if cell_len(text) == width else set_cell_size(text, width)

"""The popup beside the cursor: completions to choose from, or a few lines about a call or a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Offset
from textual.strip import Strip
from textual.widget import Widget

from pinebench.printable import printable
from pinebench.tui.bottom_lines import fit

if TYPE_CHECKING:
    from pinebench.services.completion import Completion
    from pinebench.tui.editor import Editor

ROWS = 8
WIDEST = 76
_KINDS = {
    "function": "ƒ",
    "method": "ƒ",
    "variable": "v",
    "constant": "c",
    "parameter": "p",
    "keyword": "k",
    "type": "T",
    "enum": "E",
    "namespace": "{",
    "snippet": "…",
    "property": "·",
    "field": "·",
    "color": "#",
}


class Popup(Widget):
    """A widget over the editor. It never has the focus, so that typing continues."""

    COMPONENT_CLASSES = {"popup--chosen", "popup--detail", "popup--kind", "popup--hot"}

    def __init__(self) -> None:
        super().__init__(id="popup")
        self.display = False
        self.items: list[Completion] = []
        self.chosen = 0
        self.was_moved = False
        """Whether the person moved in the list or requested it. Then enter takes the chosen completion."""
        self._editor: Editor | None = None
        self._start = self._offered = 0
        self._take: Callable[[Editor, Completion, int], None] | None = None
        self._lines: list[Text] = []

    @property
    def is_list(self) -> bool:
        """Whether the popup is a list to choose from."""
        return bool(self.display and self.items)

    @property
    def words(self) -> str:
        """The text of the popup."""
        if not self.display:
            return ""
        return "\n".join(item.label for item in self.items) or "\n".join(line.plain for line in self._lines)

    def offer(
        self,
        editor: Editor,
        items: Sequence[Completion],
        take: Callable[[Editor, Completion, int], None],
        *,
        asked: bool,
    ) -> None:
        """Offer completions for the word at the cursor. `take` is called with the editor, the completion that the
        person chooses, and the offset at which its word begins. `asked` is True if the person requested the list."""
        if not items:
            self.close()
            return
        self.items, self._lines, self.chosen, self.was_moved = list(items), [], 0, asked
        self._editor, self._take, self._start = editor, take, items[0].span.start
        self._offered = editor.offset_here
        width = max(cell_len(item.label) + cell_len(_detail(item)) for item in self.items[:ROWS]) + 7
        widest = min(WIDEST, editor.screen.size.width - 4)
        self._place(editor, min(max(width, 24), widest), min(len(self.items), ROWS), self._start)

    def tell(self, editor: Editor, lines: Sequence[Text]) -> None:
        """Show a few lines of text at the cursor."""
        self.items, self._lines, self._editor = [], list(lines), editor
        self._start = editor.offset_here
        if not lines:
            self.close()
            return
        widest = min(editor.size.width - 4, 100)
        self._place(editor, min(max(line.cell_len for line in lines) + 2, widest), min(len(lines), 10), self._start)

    def _place(self, editor: Editor, width: int, height: int, start: int) -> None:
        cursor = editor.cursor_screen_offset
        x = cursor.x - (editor.offset_here - start)
        screen = editor.screen.size
        below = cursor.y + 1
        fits_below = below + height <= screen.height - 2
        y = below if fits_below or cursor.y < height else cursor.y - height
        self.styles.width, self.styles.height = max(width, 1), height
        self.styles.offset = Offset(min(max(x - 1, 0), max(0, screen.width - width)), max(0, y))
        self.display = True
        self.refresh(layout=True)

    def close(self) -> None:
        """Hide the popup."""
        self.items, self._lines = [], []
        if self.display:
            self.display = False

    def follow(self, editor: Editor) -> None:
        """Hide the popup if the cursor has left the word for which it was shown."""
        if not self.display:
            return
        here = editor.offset_here
        word = editor.text[self._start : here] if here >= self._start else "\n"
        is_past = bool(word) and not word.replace("_", "a").isalnum() if self.items else "\n" in word
        # Before the place where a list was offered, a completion would come before the word.
        is_before = bool(self.items) and here < self._offered
        if editor is not self._editor or is_past or is_before:
            self.close()

    def key(self, event: events.Key) -> bool:
        """Handle a key if it is meant for the popup; return whether it was."""
        if not self.display:
            return False
        if event.key == "escape":
            self.close()
            return True
        if not self.items:
            return False
        steps = {"up": -1, "down": 1, "pageup": -ROWS, "pagedown": ROWS}
        if event.key in steps:
            self.chosen = min(max(self.chosen + steps[event.key], 0), len(self.items) - 1)
            self.was_moved = True
            self.refresh()
            return True
        if event.key == "tab" or (event.key == "enter" and self.was_moved):
            self.take()
            return True
        return False

    def take(self) -> None:
        """Take the chosen completion."""
        editor, item, take, start = self._editor, self.items[self.chosen], self._take, self._start
        self.close()
        if editor is not None and take is not None:
            take(editor, item, start)

    def on_click(self, event: events.Click) -> None:
        """Take the completion under the mouse."""
        if self.items:
            self.chosen = min(self._first + event.y, len(self.items) - 1)
            self.take()

    @property
    def _first(self) -> int:
        return max(0, min(self.chosen - ROWS + 1, len(self.items) - ROWS)) if self.chosen >= ROWS else 0

    def render_line(self, y: int) -> Strip:
        """Draw a row of the list or of the text."""
        width = self.size.width
        if not self.items:
            text = self._lines[y] if y < len(self._lines) else Text()
            strip = Strip([Segment(" "), *text.render(self.app.console)]).adjust_cell_length(width)
            return strip.crop(0, width).apply_style(self.rich_style)
        number = self._first + y
        if number >= len(self.items):
            return Strip.blank(width, self.rich_style)
        item = self.items[number]
        base = self.get_component_rich_style("popup--chosen") if number == self.chosen else self.rich_style
        kind = self.get_component_rich_style("popup--kind").without_color + base
        label = printable(item.label)
        room = max(0, width - cell_len(label) - 6)
        detail = _detail(item) if room > 3 else ""
        detail = detail if cell_len(detail) <= room else fit(detail, room - 1).rstrip() + "…"
        muted = self.get_component_rich_style("popup--detail")
        segments = [
            Segment(f" {_KINDS.get(item.kind, '·')} ", kind),
            Segment(f"{label} ", base),
            Segment(fit(detail, room), base + type(base)(color=muted.color)),
        ]
        return Strip(segments).adjust_cell_length(width, base)


def _detail(item: Completion) -> str:
    """The words after the name of a completion. The detail of a function begins with this name, which is left out."""
    detail = printable(item.detail).partition("\n")[0]
    name, bracket, rest = detail.partition("(")
    is_repeated = bracket and name.rpartition(".")[2] == item.label.rpartition(".")[2]
    return bracket + rest if is_repeated else detail

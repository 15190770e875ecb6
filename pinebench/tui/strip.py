"""A row of titles with one of them selected, for the open files and for the panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pinebench.printable import printable


class Title(NamedTuple):
    """A title: its key, its text, and a mark after it, such as the dot of unsaved text."""

    key: str
    text: str
    mark: str = ""


class TitleStrip(Widget):
    """A row of titles; the selected one is always in view. ‹ and › mark omitted titles."""

    DEFAULT_CSS = "TitleStrip { height: 1; width: 1fr; }"
    COMPONENT_CLASSES = {"strip--title", "strip--chosen", "strip--mark", "strip--more"}

    class Chosen(Message):
        """A title was clicked."""

        def __init__(self, strip: TitleStrip, key: str) -> None:
            super().__init__()
            self.strip = strip
            self.key = key

        @property
        def control(self) -> TitleStrip:
            """The row that was clicked."""
            return self.strip

    class Dragged(Message):
        """The row was dragged to a position on the screen."""

        def __init__(self, strip: TitleStrip, x: int, y: int) -> None:
            super().__init__()
            self.strip = strip
            self.x = x
            self.y = y

        @property
        def control(self) -> TitleStrip:
            """The row that was dragged."""
            return self.strip

    class Pressed(Message):
        """A title was pressed with the middle or the right button."""

        def __init__(self, strip: TitleStrip, key: str, button: int) -> None:
            super().__init__()
            self.strip = strip
            self.key = key
            self.button = button

        @property
        def control(self) -> TitleStrip:
            """The row that was pressed."""
            return self.strip

    def __init__(self, *, id: str | None = None, can_drag: bool = False) -> None:
        super().__init__(id=id)
        self._can_drag = can_drag
        self._titles: tuple[Title, ...] = ()
        self._chosen = ""
        self._held: tuple[float, float] | None = None
        """The column and the row at which the mouse was pressed; None if it is not pressed."""
        self._was_dragged = False
        self._places: list[tuple[int, int, str]] = []

    def show(self, titles: Sequence[Title], chosen: str) -> None:
        """Show `titles`, and highlight the title with the key `chosen`."""
        if (tuple(titles), chosen) != (self._titles, self._chosen):
            self._titles, self._chosen = tuple(titles), chosen
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the row of titles."""
        base = self.rich_style
        if y:
            return Strip.blank(self.size.width, base)
        room = self.size.width
        shown, first = self._in_view(room)
        more = Style(color=self.get_component_rich_style("strip--more").color)
        segments: list[Segment] = [Segment("‹", more)] if first else []
        self._places = []
        place = len(segments)
        for number, (title, text) in enumerate(shown, first + 1):
            width = _width(title, text)
            if place + width + (number < len(self._titles)) > room and place > 1:
                segments.append(Segment("›", more))
                break
            is_chosen = title.key == self._chosen
            style = self.get_component_rich_style("strip--chosen" if is_chosen else "strip--title")
            mark = self.get_component_rich_style("strip--mark")
            segments.append(Segment(f" {text}", style))
            segments.append(Segment(f" {title.mark}" if title.mark else "", style + Style(color=mark.color)))
            segments.append(Segment(" ", style))
            self._places.append((place, place + width, title.key))
            place += width
        strip = Strip(segments).apply_style(base)
        return strip.adjust_cell_length(room, base)

    def _in_view(self, room: int) -> tuple[list[tuple[Title, str]], int]:
        """The titles from the first one that is shown, so that the chosen one is in view, and the number of titles
        before them. A text takes at most half of the row."""
        longest = max(8, room // 2)
        titles = [(title, _cut(printable(title.text), longest)) for title in self._titles]
        chosen = next((n for n, (title, _) in enumerate(titles) if title.key == self._chosen), 0)
        first = 0
        while first < chosen:
            signs = (first > 0) + (chosen < len(titles) - 1)
            if sum(_width(*each) for each in titles[first : chosen + 1]) + signs <= room:
                break
            first += 1
        return titles[first:], first

    def on_click(self, event: events.Click) -> None:
        """Choose the title under the mouse, or report that another button was pressed."""
        if self._was_dragged:
            self._was_dragged = False
            return
        for start, end, key in self._places:
            if start <= event.x < end:
                is_usual = event.button <= 1
                self.post_message(self.Chosen(self, key) if is_usual else self.Pressed(self, key, event.button))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Follow the mouse until the button is released."""
        self._was_dragged = False
        if event.button == 1 and self._can_drag:
            self._held = event.screen_x, event.screen_y
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the position to which the row is dragged."""
        if self._held is not None and self._held != (event.screen_x, event.screen_y):
            self._was_dragged = True
            self.post_message(self.Dragged(self, int(event.screen_x), int(event.screen_y)))

    def on_mouse_up(self, _: events.MouseUp) -> None:
        """Stop following the mouse."""
        self._held = None
        self.release_mouse()


def _width(title: Title, text: str) -> int:
    """The cells of a title with the text `text`, its mark and the spaces around it."""
    return cell_len(text) + 2 + (cell_len(title.mark) + 1 if title.mark else 0)


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"

"""The row of keys at the bottom of the screen."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget


class KeyHints(Widget):
    """The keys that can be pressed now, each with its action; a click presses the key.

    Textual's own footer mounts a widget for each key whenever the focus changes, and never frees one: a change of the
    tab took four times as much processor time, and ten changes leaked a megabyte.
    """

    DEFAULT_CSS = "KeyHints { height: 1; dock: bottom; }"
    COMPONENT_CLASSES = {"keys--key"}

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[tuple[Binding, bool], ...] = ()

    @property
    def words(self) -> str:
        """The keys with their descriptions, as text."""
        return " ".join(f"{self.app.get_key_display(binding)} {binding.description}" for binding, _ in self._shown)

    def on_mount(self) -> None:
        """Draw the hints again whenever the keys of the screen change."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        if not screen.app.app_focus or screen is not self.screen:
            return
        active = screen.active_bindings.values()
        shown = tuple((each.binding, each.enabled) for each in active if each.binding.show)
        if shown != self._shown:
            self._shown = shown
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the row of keys."""
        base, width = self.rich_style, self.size.width
        key = Style(color=self.get_component_rich_style("keys--key").color)
        found: list[Segment] = []
        room = width
        for binding, enabled in self._shown:
            room -= cell_len(f"{self.app.get_key_display(binding)} {binding.description} ")
            if room < -1:  # the last space may be cut, but no word
                break
            press = Style(meta={"@click": f"app.simulate_key({binding.key!r})"} if enabled else {}, dim=not enabled)
            found.append(Segment(self.app.get_key_display(binding), key + press))
            found.append(Segment(f" {binding.description}", press))
            found.append(Segment(" "))
        return Strip(found).apply_style(base).adjust_cell_length(width, base)

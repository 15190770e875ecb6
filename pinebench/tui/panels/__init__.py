"""What can be looked at beside the script: a panel is one module here and one line of `PANELS`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual.widget import Widget

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench
    from pinebench.tui.opened import Opened


class Panel(Widget):
    """A panel of the dock.

    It is made when it is shown for the first time. What takes time it asks for in a worker (`bench.work`) and drops
    what comes too late; what goes wrong it says in its own room, so that a chart that is gone takes nothing with it.
    """

    ABOUT: ClassVar[str] = ""
    """What F1 says about it, in Markdown."""

    @property
    def bench(self) -> Workbench:
        """The workbench."""
        return cast("Workbench", self.app)

    def enter(self) -> None:
        """The panel is shown and gets the keys: focus what is first of use."""
        self.focus()

    def script_changed(self, opened: Opened | None) -> None:
        """Another script is in front, or its findings are others; called only while the panel is shown."""

    def cursor_moved(self, opened: Opened) -> None:
        """The cursor is at another place; called only while the panel is shown."""

    def colors_changed(self) -> None:
        """The colours are others: show with them what is shown."""
        if self.bench.panel is self:
            self.script_changed(self.bench.front)


class Known(NamedTuple):
    """A panel of the table: its key, its title, the module and the class that it is, and the key that shows it."""

    key: str
    title: str
    module: str
    name: str
    shortcut: str

    def make(self) -> Panel:
        """A new panel of this kind."""
        return getattr(import_module(f"pinebench.tui.panels.{self.module}"), self.name)(id=f"panel-{self.key}")


PANELS = (
    Known("problems", "Problems", "problems", "Problems", "alt+w"),
    Known("outline", "Outline", "outline", "Outline", "alt+o"),
    Known("search", "Search", "search", "Search", "alt+i"),
    Known("run", "Run", "run", "Run", "alt+v"),
    Known("chart", "Chart", "chart", "Chart", "alt+h"),
    Known("tools", "Tools", "tools", "Tools", "alt+t"),
    Known("assistant", "Assistant", "assistant", "Assistant", "alt+m"),
)
"""Every panel, in the order in which the dock names them."""


def known(key: str) -> Known:
    """The panel with a key; the first one where there is none."""
    return next((panel for panel in PANELS if panel.key == key), PANELS[0])

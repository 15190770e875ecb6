"""The panels beside the script: a panel is one module here and one line of `PANELS`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import Binding
from textual.widget import Widget

if TYPE_CHECKING:
    from pinebench.tui.script_tab import ScriptTab


class Panel(Widget):
    """The workbench's interface to a panel of the dock. Every panel is a `workbench_panel.WorkbenchPanel`.

    A panel is created when it is shown for the first time. It shows its errors itself, so that for example a missing
    chart does not stop the workbench.
    """

    BINDINGS: ClassVar = [Binding("tab", "go_on(1)", show=False), Binding("shift+tab", "go_on(-1)", show=False)]
    is_fitted = False
    """Whether the dock was given the size for the panel's content since the panel was shown."""
    ABOUT: ClassVar[str] = ""
    """The help that F1 shows, in Markdown."""

    def enter(self) -> None:
        """Give the focus to the widget that a person needs first; called when the panel is shown."""
        self.focus()

    def rows_needed(self) -> int | None:
        """Return the number of rows that the content needs; None if the panel fills all rows that it gets."""
        return None

    def action_go_on(self, step: int) -> None:
        """Give the focus to the panel's next widget (1), or to the previous one (-1); never to a widget outside."""
        parts = [part for part in self.screen.focus_chain if self in part.ancestors_with_self]
        here = self.screen.focused
        if parts:
            place = parts.index(here) + step if here in parts else 0
            parts[place % len(parts)].focus()

    def script_changed(self, opened: ScriptTab | None) -> None:
        """Show the script that is now active, or its new findings; called only while the panel is shown."""

    def cursor_moved(self, opened: ScriptTab) -> None:
        """React to a move of the cursor; called only while the panel is shown."""

    def colors_changed(self) -> None:
        """Show the panel in the colours of the new theme."""


class PanelEntry(NamedTuple):
    """An entry of PANELS: the panel's key, its title, its module and its class, and the shortcut that shows it."""

    key: str
    title: str
    module: str
    name: str
    shortcut: str

    def make(self) -> Panel:
        """Return a new panel of this kind."""
        return getattr(import_module(f"pinebench.tui.panels.{self.module}"), self.name)(id=f"panel-{self.key}")


PANELS = (
    PanelEntry("problems", "Problems", "problems", "ProblemsPanel", "alt+w"),
    PanelEntry("outline", "Outline", "outline", "OutlinePanel", "alt+o"),
    PanelEntry("search", "Search", "search", "SearchPanel", "alt+i"),
    PanelEntry("run", "Run", "run", "RunPanel", "alt+v"),
    PanelEntry("inspector", "Inspect", "inspector", "InspectorPanel", "alt+u"),
    PanelEntry("optimize", "Optimize", "optimize", "OptimizePanel", "shift+f7"),
    PanelEntry("chart", "Chart", "chart", "ChartPanel", "alt+h"),
    PanelEntry("tools", "Tools", "tools", "ToolsPanel", "alt+t"),
    PanelEntry("assistant", "Assistant", "assistant", "AssistantPanel", "alt+m"),
)
"""Every panel, in the order of the dock's titles."""


def known(key: str) -> PanelEntry:
    """Return the entry of the panel with the key `key`; the first entry if no panel has this key."""
    return next((panel for panel in PANELS if panel.key == key), PANELS[0])

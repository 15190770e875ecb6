"""The base class of the panels, which gives them the workbench."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pinebench.tui.panels import Panel

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench


class WorkbenchPanel(Panel):
    """A panel with access to the workbench.

    Work that takes time runs in the background (`bench.work`), and a result that comes too late is dropped.
    """

    @property
    def bench(self) -> Workbench:
        """The workbench."""
        return cast("Workbench", self.app)

    def fit(self) -> None:
        """Make the dock fit the content. While the person types in the script, the dock keeps its size."""
        if not self.is_fitted or self.has_focus_within:
            self.is_fitted = True
            self.bench.room.fit()

    def action_leave(self) -> None:
        """Go back to the editor."""
        if self.bench.editor is not None:
            self.bench.editor.focus()

    def colors_changed(self) -> None:
        """Show the panel in the colours of the new theme."""
        if self.bench.panel is self:
            self.script_changed(self.bench.front)

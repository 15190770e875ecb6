"""Divides the screen between the text and the dock: sets the size of the dock, or gives one of them the whole
screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.css.query import NoMatches
from textual.widget import Widget

if TYPE_CHECKING:
    from pinebench.tui.base_workbench import BaseWorkbench

WIDE = 150
"""The smallest number of columns for which the dock is beside the text and not below it."""
EDITOR_ROWS = 5
"""The rows that the text always keeps."""
_AROUND = 4
"""The rows of the tabs, the message line, the status line and the keys."""
_LEAST_ROWS, _LEAST_COLUMNS = 4, 24
_USUAL_ROWS = 9
_SHARE = 0.45
"""The largest part of the screen that a dock takes unless the person made it larger."""
_STEP_ROWS, _STEP_COLUMNS = 2, 6


class Room:
    """The size of the dock. `enlarged` is the part that has the whole screen: `work`, `dock`, or empty for none."""

    def __init__(self, bench: BaseWorkbench) -> None:
        self._bench = bench
        self.enlarged = ""

    @property
    def is_wide(self) -> bool:
        """Whether the dock is beside the text."""
        return self._bench.screen_stack[0].size.width >= WIDE

    def fit(self) -> None:
        """Give the dock the size that it needs, or that the person chose, and leave enough rows for the text."""
        bench = self._bench
        try:
            screen = bench.screen_stack[0]
            work, dock = screen.query_one("#work"), screen.query_one("#dock")
        except (IndexError, NoMatches):
            return
        work.display = self.enlarged != "dock"
        dock.set_class(self.enlarged == "work", "-covered")
        if self.enlarged == "dock":
            dock.styles.width = dock.styles.height = "1fr"
        elif self.is_wide:
            columns = bench.remembered.dock_columns
            dock.styles.height = "1fr"
            dock.styles.width = min(columns, screen.size.width - _LEAST_COLUMNS) if columns else "40%"
        else:
            dock.styles.width = "1fr"
            dock.styles.height = self._rows(screen.size.height)

    def _rows(self, height: int) -> int:
        """The rows of the dock below the text, with its titles."""
        limit = max(0, height - _AROUND - EDITOR_ROWS)
        chosen = self._bench.remembered.dock_rows
        if chosen:
            return min(chosen, limit)
        panel = self._bench.panel
        needed = panel.rows_needed() if panel is not None else None
        usual = max(_USUAL_ROWS, round(height * _SHARE))
        return min(limit, usual if needed is None else min(usual, max(_LEAST_ROWS, needed + 1)))

    def change(self, step: int) -> None:
        """Make the dock larger (`step` 1) or smaller (-1) by some rows, or by some columns if it is beside the text."""
        dock = self._bench.query_one("#dock")
        if self.is_wide:
            self.choose(dock.size.width + step * _STEP_COLUMNS)
        else:
            self.choose(dock.size.height + step * _STEP_ROWS)

    def choose(self, size: int) -> None:
        """Give the dock `size` rows, or columns if it is beside the text."""
        screen, remembered = self._bench.screen_stack[0].size, self._bench.remembered
        self.enlarged = ""
        if self.is_wide:
            remembered.dock_columns = min(max(size, _LEAST_COLUMNS), screen.width - _LEAST_COLUMNS)
        else:
            remembered.dock_rows = min(max(size, _LEAST_ROWS), max(_LEAST_ROWS, screen.height - _AROUND - EDITOR_ROWS))
        self.fit()

    def enlarge(self) -> None:
        """Give the part with the focus the whole screen, or restore the division."""
        dock = self._bench.query_one("#dock")
        focused = self._bench.screen_stack[0].focused
        part = "dock" if focused is not None and dock in focused.ancestors_with_self else "work"
        self.enlarged = "" if self.enlarged == part else part
        self.fit()

    def focus_went_to(self, widget: Widget) -> None:
        """Show the part with `widget`, which got the focus, if it is hidden."""
        other = {"dock": "work", "work": "dock"}.get(self.enlarged)
        if other and any(each.id == other for each in widget.ancestors_with_self):
            self.enlarged = ""
            self.fit()

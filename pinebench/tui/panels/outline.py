"""Outline: the declarations of the script, with a highlight on the declaration around the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from pinebench.diagnostics import Span
from pinebench.printable import printable
from pinebench.tui import code_help
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.script_tab import ScriptTab

if TYPE_CHECKING:
    from pinebench.services import ScriptView
    from pinebench.services.outline import OutlineEntry
    from pinebench.syntax import Snapshot


class OutlinePanel(WorkbenchPanel):
    """The panel with the declarations of the active script, in text order."""

    ABOUT = """\
The declarations of the script, in the order of the text. **enter** goes to a declaration, **escape** goes back to the
editor. **ctrl+t** finds a declaration by its letters without this panel.
"""
    BINDINGS: ClassVar = [Binding("escape", "leave", "Editor", show=False)]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._opened: ScriptTab | None = None
        self._spans: list[tuple[Span, Span]] = []
        self._about: Snapshot | None = None

    def compose(self) -> ComposeResult:
        """Yield the list of declarations."""
        yield OptionList(markup=False)
        yield Label("", classes="empty", markup=False)

    def enter(self) -> None:
        """Give the focus to the list."""
        self.query_one(OptionList).focus()

    def script_changed(self, opened: ScriptTab | None) -> None:
        """Show the declarations of another script, or the new declarations of the same script."""
        self._opened = opened
        self.bench.work(self._fill(), group="outline", exclusive=True)

    def colors_changed(self) -> None:
        """Show the list in the colours of the new theme."""
        self._about = None
        super().colors_changed()

    async def _fill(self) -> None:
        opened = self._opened
        if opened is None:
            self._show([])
            return
        snapshot = opened.editor.snapshot
        if snapshot is self._about or not opened.is_checked:
            return

        def ask(view: ScriptView) -> list[OutlineEntry]:
            from pinebench.services.outline import outline

            return outline(view)

        found = await self.bench.language.ask(opened.key, snapshot, opened.buffer.place, ask)
        if opened is self._opened and opened.editor.snapshot is snapshot:
            self._about = snapshot
            self._show(found)

    def _show(self, found: list[OutlineEntry]) -> None:
        colors = self.app.theme_variables
        rows: list[Option] = []
        self._spans = []
        for entry, depth in (pair for each in found for pair in ((each, 0), *((c, 1) for c in each.children))):
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append(f"  {'    ' * depth}{entry.kind:<9} ", style=colors["bench-muted"])
            text.append(printable(entry.name), style=colors["primary"] if not depth else "")
            text.append(f"  {printable(entry.detail)}", style=colors["bench-muted"])
            rows.append(Option(text))
            self._spans.append((entry.span, entry.whole))
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(rows)
        options.display = bool(rows)
        self.query_one(Label).display = not rows
        self.query_one(Label).update("The script has no declarations." if self._opened else "No script is open.")
        if self._opened is not None:
            self.cursor_moved(self._opened)
        self.fit()

    def rows_needed(self) -> int:
        """Return the number of rows: one for each declaration."""
        return max(3, len(self._spans))

    def cursor_moved(self, opened: ScriptTab) -> None:
        """Highlight the declaration around the cursor."""
        options = self.query_one(OptionList)
        if not self._spans or options.has_focus or opened.editor.snapshot is not self._about:
            return
        here = opened.editor.offset_here
        around = [number for number, (_, whole) in enumerate(self._spans) if whole.start <= here <= whole.end]
        options.highlighted = around[-1] if around else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the declaration."""
        event.stop()
        opened = self._opened
        if opened is not None and opened.editor.snapshot is self._about:
            code_help.jump(self.bench, opened, self._spans[event.option_index][0])

"""Problems: the findings in the active script. A person can filter them, go to them, fix them, or read explanations."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from pinebench.amounts import counted
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.printable import printable
from pinebench.tui import code_help
from pinebench.tui.bottom_lines import SIGNS
from pinebench.tui.inputs import LineField
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.script_tab import ScriptTab

_USUAL = 29
"""The characters before the filter for which there is always room."""
_COLORS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "primary", Severity.HINT: "bench-muted"}


class ProblemsPanel(WorkbenchPanel):
    """The panel with the findings in the current text, sorted by position."""

    ABOUT = """\
The findings of our check and of the rules in the script as it is. While the script is checked, the panel says so, and
the findings of the earlier text are pale.

* **enter**: go there
* **m** (or **F4**): fix or hide it, or pick another action
* **x**: explain
* **/**: narrow down by words, `error`, `warning`, a code or a line
* **escape**: back to the editor
"""
    BINDINGS: ClassVar = [
        Binding("m", "mend", "Fix"),
        Binding("x", "explain", "Explain"),
        Binding("slash", "filter", "Filter"),
        Binding("escape", "leave", "Editor", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: list[Diagnostic] = []
        self._opened: ScriptTab | None = None
        self._rows: list[Text] = []
        self._said = ""
        self._state: object = None
        self._about = ""

    def compose(self) -> ComposeResult:
        """Yield the filter and the list."""
        with Horizontal(classes="row"):
            yield Label("", id="problems-count", markup=False)
            yield LineField(placeholder="/ narrows down", id="problems-filter", select_on_focus=False)
        yield OptionList(markup=False, id="problems-list")

    def enter(self) -> None:
        """Give the focus to the list."""
        self.query_one(OptionList).focus()

    def script_changed(self, opened: ScriptTab | None) -> None:
        """Show the findings of another script, or the new findings of the same script."""
        self._opened = opened
        if self.is_mounted:
            self.call_later(self._fill)

    def on_mount(self) -> None:
        """Show the findings."""
        self._fill()

    def _fill(self) -> None:
        opened = self._opened
        wanted = self.query_one(Input).value.lower()
        is_known = opened is not None and opened.is_checked
        state = (
            opened and opened.key,
            opened.checked if is_known and opened else None,
            opened and opened.verdict,
            wanted,
            self.app.theme,
        )
        if state == self._state:
            return
        self._state = state
        options = self.query_one(OptionList)
        options.set_class(not is_known, "-past")
        if opened is not None and not is_known and self._about == opened.key and not opened.trouble:
            # The findings of the earlier text stay visible, but pale, until the new ones are there.
            self._tell_count("checking…")
            return
        self._about = opened.key if opened is not None else ""
        found = sorted(opened.shown, key=lambda each: each.span) if is_known and opened is not None else []
        source = opened.editor.source if opened is not None else None
        rows: list[tuple[Diagnostic, Text]] = []
        for finding in found:
            row, column = source.location(finding.span.start) if source is not None else (0, 0)
            words = f"{finding.severity.label} {row + 1} {finding.code} {finding.message}".lower()
            if all(word in words for word in wanted.split()):
                rows.append((finding, self._row(finding, row, column)))
        self._shown = [finding for finding, _ in rows]
        texts = [text for _, text in rows]
        if texts != self._rows:
            self._rows = texts
            kept = options.highlighted
            options.clear_options()
            options.add_options([Option(text) for text in texts])
            options.highlighted = min(kept or 0, len(rows) - 1) if rows else None
        self._tell_count(self._count(len(found), len(rows), is_known))
        if is_known:
            self.fit()

    def _tell_count(self, words: str) -> None:
        """Show words before the filter. The screen is laid out again only if they do not fit into the usual room."""
        is_usual = max(len(words), len(self._said)) <= _USUAL
        self._said = words
        self.query_one("#problems-count", Label).update(words, layout=not is_usual)

    def rows_needed(self) -> int:
        """Return the number of rows: one for each finding, and one for the line that counts them."""
        return 1 + max(1, len(self._shown))

    def _count(self, all_of_them: int, shown: int, is_known: bool) -> str:
        opened = self._opened
        if opened is None:
            return "no script is open"
        if not is_known:
            return opened.trouble or "checking…"
        if not all_of_them and opened.half_checked:
            return opened.half_checked
        if not all_of_them:
            unread = ", ".join(opened.unread)
            return "pinebench's check finds nothing wrong" + (f"; uses of {unread} were not checked" if unread else "")
        return (
            counted(all_of_them, "finding") if shown == all_of_them else f"{shown} of {counted(all_of_them, 'finding')}"
        )

    def _row(self, finding: Diagnostic, row: int, column: int) -> Text:
        colors = self.app.theme_variables
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f"{SIGNS[finding.severity.label]} ", style=colors[_COLORS[finding.severity]])
        text.append(f"{row + 1:>4}:{column + 1:<4}", style=colors["bench-muted"])
        text.append(f"{finding.code:<8} ", style=colors[_COLORS[finding.severity]])
        text.append(printable(finding.message))
        if self._opened is not None and finding not in self._opened.findings and self._opened.judged is not None:
            text.append(f"  said by {self._opened.judged.origin}", style=colors["bench-muted"])
        return text

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter the list."""
        event.stop()
        self._fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go back to the list."""
        event.stop()
        self.enter()

    def on_key(self, event: events.Key) -> None:
        """Go from the filter to the list when the down key is pressed."""
        if event.key == "down" and self.query_one(Input).has_focus:
            event.stop()
            self.enter()

    def _chosen(self) -> Diagnostic | None:
        """The highlighted finding; None if it is not about the current text."""
        number = self.query_one(OptionList).highlighted
        opened = self._opened
        if opened is None or not opened.is_checked or number is None or number >= len(self._shown):
            return None
        finding = self._shown[number]
        return finding if finding in opened.shown else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the finding."""
        event.stop()
        finding = self._chosen()
        if finding is not None and self._opened is not None:
            code_help.jump(self.bench, self._opened, finding.span)

    def action_mend(self) -> None:
        """Let the person pick an action for the finding."""
        finding = self._chosen()
        if finding is not None and self._opened is not None:
            self.bench.work(code_help.offer_actions(self.bench, self._opened, finding.span))

    def action_explain(self) -> None:
        """Explain the finding."""
        finding = self._chosen()
        if finding is not None:
            self.bench.work(code_help.explain_code(self.bench, finding.code))

    def action_filter(self) -> None:
        """Give the focus to the filter."""
        self.query_one(Input).focus()

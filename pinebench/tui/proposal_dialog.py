"""Asks which changes of a proposal to accept: each change can be accepted or left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Label, Static

from pinebench.printable import printable
from pinebench.tui.dialogs import Dialog
from pinebench.tui.diff_hunks import Hunk, PlacedHunk
from pinebench.tui.editor_text import split

_AROUND = 2
"""Lines shown around a change."""


class ProposalDialog(Dialog):
    """A dialog that shows the proposed changes to the text `before`, and which of them can still be made. It answers
    with `reject`, with `tab` (open the complete proposed text in its own tab), or with the numbers of the accepted
    changes as a frozenset."""

    BINDINGS: ClassVar = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "by(-10)", show=False),
        Binding("pagedown", "by(10)", show=False),
        Binding("space", "tick", show=False),
        Binding("enter,a", "take", show=False),
        Binding("r", "dismiss_with('reject')", show=False),
        Binding("t", "dismiss_with('tab')", show=False),
    ]

    def __init__(self, title: str, before: str, changes: Sequence[Hunk], places: Sequence[PlacedHunk]) -> None:
        super().__init__()
        self._title, self._before = title, split(before)[0]
        self._changes, self._places = tuple(changes), tuple(places)
        self._wanted = {number for number, place in enumerate(self._places) if place.hunk is not None}
        self._at = 0

    def compose(self) -> ComposeResult:
        """Yield the widgets of the dialog."""
        with Vertical(classes="box wide"):
            yield Label(printable(self._title), classes="title", markup=False)
            with VerticalScroll(can_focus=False):
                for number, _ in enumerate(self._changes):
                    yield Static(id=f"change-{number}", classes="change")
            yield Static(classes="hint")

    def on_mount(self) -> None:
        """Show the changes."""
        self._show()

    def _show(self) -> None:
        for number, _ in enumerate(self._changes):
            self.query_one(f"#change-{number}", Static).update(self._words(number))
        first = f"enter: accept {len(self._wanted)} of {len(self._changes)}" if self._wanted else "nothing to accept"
        keys = f"{first}  space: select  r: reject  t: in a tab"
        self.query_one(".hint", Static).update(keys)

    def _words(self, number: int) -> Text:
        change, place = self._changes[number], self._places[number]
        colors = self.app.theme_variables
        is_here = number == self._at
        mark = "[x]" if number in self._wanted else "[ ]" if place.hunk is not None else " ✔ " if place.done else " ≠ "
        why = "" if place.hunk is not None else "  already done" if place.done else "  the text has changed here"
        row = (place.hunk or change).start + 1
        text = Text(no_wrap=True)
        head = f"{'▸' if is_here else ' '} {mark} line {row}{why}"
        text.append(head, style=f"bold {colors['primary']}" if is_here else colors["bench-muted"])
        for line in self._before[max(0, change.start - _AROUND) : change.start]:
            text.append(f"\n      {_shown(line)}", style=colors["bench-muted"])
        for line in self._before[change.start : change.end]:
            text.append(f"\n    - {_shown(line)}", style=colors["error"])
        for line in change.lines:
            text.append(f"\n    + {_shown(line)}", style=colors["success"])
        for line in self._before[change.end : change.end + _AROUND]:
            text.append(f"\n      {_shown(line)}", style=colors["bench-muted"])
        return text

    def action_move(self, step: int) -> None:
        """Go to the next (1) or the previous (-1) change; beyond the last or the first change, scroll instead."""
        new = min(max(self._at + step, 0), len(self._changes) - 1)
        if new == self._at:
            self.action_by(step)
            return
        old, self._at = self._at, new
        for number in (old, new):
            self.query_one(f"#change-{number}", Static).update(self._words(number))
        self.query_one(f"#change-{new}").scroll_visible(animate=False, top=True)

    def action_by(self, lines: int) -> None:
        """Scroll the changes by `lines`."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_tick(self) -> None:
        """Tick the change, or remove the tick."""
        if self._places[self._at].hunk is not None:
            self._wanted ^= {self._at}
            self._show()

    def action_take(self) -> None:
        """Accept the ticked changes."""
        if self._wanted:
            self.dismiss(frozenset(self._wanted))

    def action_dismiss_with(self, answer: str) -> None:
        """Close the dialog with `answer` as its result."""
        self.dismiss(answer)


def _shown(line: str) -> str:
    return printable(line, keep="\t").expandtabs(4)

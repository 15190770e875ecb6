"""Finds and replaces words in a script, and goes to a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Label

from pinebench.diagnostics import Edit, Span
from pinebench.tui.dialogs import Prompt
from pinebench.tui.opened import counted

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench
    from pinebench.tui.editor import Editor

MOST = 5000
"""The largest number of places that are found in one script."""


def pattern_of(wanted: str) -> re.Pattern[str] | None:
    """Compile `wanted` to a pattern; None if it is empty or not a valid regular expression.

    Text between slashes is a regular expression; any other text stands for itself. Capitals and small letters only
    differ if `wanted` has a capital.
    """
    if not wanted:
        return None
    flags = re.MULTILINE if any(letter.isupper() for letter in wanted) else re.MULTILINE | re.IGNORECASE
    is_expression = len(wanted) > 2 and wanted[0] == wanted[-1] == "/"
    try:
        return re.compile(wanted[1:-1] if is_expression else re.escape(wanted), flags)
    except re.error:
        return None


def places(text: str, wanted: str) -> list[Span]:
    """The places of `wanted` in `text`. Each is at least one character long and on one line."""
    pattern = pattern_of(wanted)
    found: list[Span] = []
    for match in pattern.finditer(text) if pattern is not None else ():
        if match.end() > match.start() and "\n" not in match.group() and "\r" not in match.group():
            found.append(Span(*match.span()))
            if len(found) == MOST:
                break
    return found


class FindBar(Vertical):
    """The line for the words to find, and the line for their replacement."""

    def compose(self) -> ComposeResult:
        """Yield both lines."""
        with Horizontal():
            yield Label("Find")
            yield Input(id="wanted", placeholder="words, or /regular expression/", select_on_focus=True)
            yield Label("", classes="count")
        with Horizontal(id="replacing"):
            yield Label("Replace")
            yield Input(id="instead", placeholder="enter: this one   alt+a: all")

    @property
    def bench(self) -> Workbench:
        """The workbench."""
        return cast("Workbench", self.app)

    @property
    def wanted(self) -> str:
        """The words to find."""
        return self.query_one("#wanted", Input).value

    def open(self, *, replacing: bool) -> None:
        """Show the lines. Selected text becomes the words to find."""
        editor = self.bench.editor
        selected = editor.selected_text if editor is not None else ""
        wanted = self.query_one("#wanted", Input)
        if selected and "\n" not in selected and "\r" not in selected:
            wanted.value = selected
        self.query_one("#replacing").display = replacing
        self.add_class("-open")
        wanted.focus()
        wanted.action_select_all()
        self._look()

    def close(self) -> None:
        """Hide the lines and go back to the text."""
        self.remove_class("-open")
        editor = self.bench.editor
        if editor is not None:
            editor.show_matches([])
            editor.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Mark the places that are found."""
        event.stop()
        if event.input.id == "wanted":
            self._look()
            self.step(0)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the next place, or replace this one."""
        event.stop()
        if event.input.id == "wanted":
            self.step(1)
        else:
            self.replace_one()

    def on_key(self, event: events.Key) -> None:
        """Hide the lines on escape; go to the previous or the next place on up or down."""
        does = {"escape": self.close, "up": lambda: self.step(-1), "down": lambda: self.step(1)}.get(event.key)
        if does is not None:
            event.stop()
            does()

    def _look(self) -> list[Span]:
        editor = self.bench.editor
        if editor is None:
            return []
        found = places(editor.text, self.wanted)
        source = editor.source
        marks = []
        for span in found:
            row, column = source.location(span.start)
            marks.append((row, column, column + span.end - span.start))
        editor.show_matches(marks)
        here = next((n for n, span in enumerate(found, 1) if span == editor.selected_span), 0)
        words = "nothing found" if self.wanted and not found else f"{here or '–'} of {len(found)}" if found else ""
        if self.wanted and pattern_of(self.wanted) is None:
            words = "no regular expression"
        self.query_one(".count", Label).update(words)
        return found

    def step(self, direction: int) -> None:
        """Go to the next place (1), the previous one (-1), or the first one from the selection's start on (0)."""
        editor = self.bench.editor
        found = self._look()
        if editor is None or not found:
            return
        start, end = editor.selected_span
        if direction < 0:
            span = next((each for each in reversed(found) if each.start < start), found[-1])
        else:
            place = end if direction and start != end else start
            span = next((each for each in found if each.start >= place), found[0])
        editor.go_to(span.start, select_to=span.end)
        self._look()

    def replace_one(self) -> None:
        """Replace the selected place, and go to the next one."""
        editor = self.bench.editor
        if editor is None:
            return
        span = editor.selected_span
        if span in places(editor.text, self.wanted):
            text = self._instead(editor, span)
            editor.apply([Edit(span, text)])
            editor.go_to(span.start + len(text))
        self.step(1)

    def replace_all(self) -> None:
        """Replace every place in one step that can be undone."""
        editor = self.bench.editor
        if editor is None:
            return
        found = places(editor.text, self.wanted)
        editor.apply([Edit(span, self._instead(editor, span)) for span in found])
        self.bench.say(f"replaced in {counted(len(found), 'place')}", "good")
        self._look()

    def _instead(self, editor: Editor, span: Span) -> str:
        """The replacement for `span`. The replacement for a regular expression can refer to its groups."""
        text = self.query_one("#instead", Input).value
        pattern = pattern_of(self.wanted)
        if pattern is None or not self.wanted.startswith("/"):
            return text
        match = pattern.match(editor.text, span.start)
        try:
            return match.expand(text) if match is not None else text
        except (re.error, IndexError):
            return text


def _bar(bench: Workbench) -> FindBar:
    return bench.query_one("#find", FindBar)


def find(bench: Workbench) -> None:
    """Find in the script."""
    if bench.editor is not None:
        _bar(bench).open(replacing=False)


def replace(bench: Workbench) -> None:
    """Find and replace in the script."""
    if bench.editor is not None:
        _bar(bench).open(replacing=True)


def replace_all(bench: Workbench) -> None:
    """Replace everywhere in the script."""
    _bar(bench).replace_all()


def find_next(bench: Workbench) -> None:
    """Go to the next place."""
    _bar(bench).step(1)


def find_previous(bench: Workbench) -> None:
    """Go to the previous place."""
    _bar(bench).step(-1)


async def go_to_line(bench: Workbench) -> None:
    """Ask for a line and go there."""
    editor = bench.editor
    if editor is None:
        return
    last = editor.document.line_count

    def wrong(value: str) -> str:
        parts = value.replace(":", ",").split(",")
        fits = len(parts) <= 2 and all(part.strip().isdecimal() for part in parts)
        return "" if fits else f"a number from 1 to {last}, or a line and a column: 12:5"

    value = await bench.push_screen_wait(Prompt("Go to line", "", f"1 to {last}, or a line and a column: 12:5", wrong))
    if value is not None:
        parts = [int(part) for part in value.replace(":", ",").split(",")]
        editor.move_cursor((min(parts[0], last) - 1, (parts[1] - 1 if len(parts) > 1 else 0)), center=True)
        editor.focus()

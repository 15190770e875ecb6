"""Finds and replaces text in a script, and goes to a line."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Label

from pinebench import regular_expressions
from pinebench.amounts import counted
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UnavailableError, UsageError
from pinebench.syntax import Snapshot
from pinebench.tui.dialogs import Prompt
from pinebench.tui.inputs import LineField

if TYPE_CHECKING:
    from pinebench.tui.base_workbench import BaseWorkbench
    from pinebench.tui.editor import Editor


class TextMatch(NamedTuple):
    """A match: its span in the text, and the groups of a regular expression."""

    span: Span
    found: regular_expressions.Match | None = None

    def filled(self, template: str) -> str:
        """Return the replacement for this match. The template for a regular expression can refer to its groups."""
        return template if self.found is None else self.found.expand(template)


class Query:
    """The text to find: plain words, or a regular expression between slashes. The search is case-sensitive only if the
    text has a capital letter. `wrong` is the error in an invalid regular expression."""

    def __init__(self, text: str) -> None:
        self.words = text
        self.is_expression = len(text) > 2 and text[0] == text[-1] == "/"
        self.wrong = ""
        flags = 0 if any(letter.isupper() for letter in text) else re.IGNORECASE
        self._plain = re.compile(re.escape(text), flags)
        self._pattern: regular_expressions.Pattern | None = None
        if self.is_expression:
            try:
                self._pattern = regular_expressions.Pattern(text[1:-1], flags)
            except re.error as error:
                self.wrong = f"the text is not a valid regular expression: {error}"
            except UnavailableError as error:
                self.wrong = error.message

    def places(self, text: str) -> list[TextMatch]:
        """Return every match in `text`. Matches are at least one character long and never span several lines. A regular
        expression should not be searched on the event loop. Raises UnavailableError if it takes too long."""
        if not self.words or self.wrong:
            return []
        if self._pattern is None:
            return [TextMatch(Span(*match.span())) for match in self._plain.finditer(text)]
        found = self._pattern.by_line(text)
        return [TextMatch(Span(each.start, each.end), each) for each in found if each.end > each.start]


class FindBar(Vertical):
    """The input fields for the text to find and for its replacement."""

    BINDINGS = [
        Binding("tab,shift+tab", "other_line", show=False),
        Binding("escape", "close", show=False),
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
    ]

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._known: tuple[Snapshot, str, list[TextMatch]] | None = None
        """The last matches, with the text that was searched and the search words."""
        self._searched_for: Query | None = None
        """The query of the search that runs in the background; None if none runs."""

    @property
    def is_searching(self) -> bool:
        """Whether a search runs in the background."""
        return self._searched_for is not None

    def compose(self) -> ComposeResult:
        """Yield the two input fields."""
        with Horizontal():
            yield Label("Find")
            yield LineField(id="wanted", placeholder="words, or /regular expression/", select_on_focus=True)
            yield Label("", classes="count", markup=False)
        with Horizontal(id="replacing"):
            yield Label("Replace")
            yield LineField(id="instead", placeholder="enter: this one   alt+a: all")

    @property
    def bench(self) -> BaseWorkbench:
        """The workbench that contains this bar."""
        return cast("BaseWorkbench", self.app)

    @property
    def wanted(self) -> str:
        """The text to find."""
        return self.query_one("#wanted", LineField).value

    @property
    def is_open(self) -> bool:
        """Whether the bar is on the screen."""
        return self.has_class("-open")

    @property
    def is_replacing(self) -> bool:
        """Whether the field for the replacement is on the screen."""
        return self.is_open and bool(self.query_one("#replacing").display)

    def open(self, *, replacing: bool) -> None:
        """Show the bar, and with `replacing` also the field for the replacement. Selected text becomes the text to
        find."""
        editor = self.bench.editor
        selected = editor.selected_text if editor is not None else ""
        wanted = self.query_one("#wanted", LineField)
        if selected and "\n" not in selected and "\r" not in selected:
            wanted.value = selected
        self.query_one("#replacing").display = replacing
        self.add_class("-open")
        wanted.focus()
        wanted.action_select_all()
        self._look()

    def action_close(self) -> None:
        """Hide the bar and go back to the text."""
        self.close()

    def close(self) -> None:
        """Hide the bar and go back to the text."""
        self.remove_class("-open")
        editor = self.bench.editor
        if editor is not None:
            editor.show_matches([])
            editor.focus()

    def action_other_line(self) -> None:
        """Go to the other field; the focus never leaves the bar by itself."""
        here = self.screen.focused
        wanted, instead = self.query_one("#wanted", LineField), self.query_one("#instead", LineField)
        (instead if self.is_replacing and here is wanted else wanted).focus()

    def action_step(self, direction: int) -> None:
        """Go to the next (1) or the previous (-1) match."""
        self.step(direction)

    def on_input_changed(self, event: LineField.Changed) -> None:
        """Mark the matches."""
        event.stop()
        if event.input.id == "wanted" and self.is_open:
            self.step(0)

    def on_input_submitted(self, event: LineField.Submitted) -> None:
        """Go to the next match, or replace this one."""
        event.stop()
        if event.input.id == "wanted":
            self.step(1)
        else:
            try:
                self.replace_one()
            except UsageError as error:
                self.bench.say_error(error)

    def _search(self, then: Callable[[Editor, list[TextMatch]], None]) -> None:
        """Call `then` with every place of the words in the script in front.

        Plain words are found at once. A regular expression is searched beside the screen, and `then` is not called if
        the text or the words change meanwhile.
        """
        editor, words = self.bench.editor, self.wanted
        if editor is None:
            return
        known = self._known
        if known is not None and known[0] is editor.snapshot and known[1] == words:
            then(editor, known[2])
            return
        query = Query(words)
        if query.wrong or not query.is_expression:
            self._known = None if query.wrong else (editor.snapshot, words, query.places(editor.text))
            self._count(query.wrong)
            then(editor, [] if self._known is None else self._known[2])
            if query.wrong:
                self._count(query.wrong)
            return
        self._searched_for = query
        self._count("searching…")
        self.bench.work(self._searched(editor, query, then), group="find", exclusive=True)

    async def _searched(self, editor: Editor, query: Query, then: Callable[[Editor, list[TextMatch]], None]) -> None:
        snapshot, wrong = editor.snapshot, ""
        found: list[TextMatch] = []
        try:
            found = await asyncio.to_thread(query.places, editor.text)
        except UnavailableError as error:
            wrong = error.message
        finally:
            if self._searched_for is query:  # not if a later search runs already
                self._searched_for = None
        if wrong:
            self._count(wrong)
        elif editor is self.bench.editor and editor.snapshot is snapshot and self.wanted == query.words:
            self._known = snapshot, query.words, found
            then(editor, found)

    def _count(self, words: str) -> None:
        self.query_one(".count", Label).update(words)

    def _look(self) -> None:
        self._search(self._show)

    def _show(self, editor: Editor, found: list[TextMatch]) -> None:
        if not self.is_open:
            return
        source, spans = editor.source, [place.span for place in found]
        marks: list[tuple[int, int, int]] = []
        for span in spans:
            row, column = source.location(span.start)
            marks.append((row, column, column + span.end - span.start))
        editor.show_matches(marks)
        here = next((n for n, span in enumerate(spans, 1) if span == editor.selected_span), 0)
        self._count("nothing found" if self.wanted and not found else f"{here or '–'} of {len(found)}" if found else "")

    def step(self, direction: int) -> None:
        """Go to the next match (1), the previous one (-1), or the first one at or after the start of the selection
        (0)."""
        self._search(lambda editor, found: self._go(editor, found, direction))

    def _go(self, editor: Editor, found: list[TextMatch], direction: int) -> None:
        spans = [place.span for place in found]
        if spans:
            start, end = editor.selected_span
            if direction < 0:
                span = next((each for each in reversed(spans) if each.start < start), spans[-1])
            else:
                place = end if direction and start != end else start
                span = next((each for each in spans if each.start >= place), spans[0])
            editor.go_to(span.start, select_to=span.end)
        self._show(editor, found)

    def replace_one(self) -> None:
        """Replace the selected match, and go to the next one."""
        self._search(self._replace_one)

    def _replace_one(self, editor: Editor, found: list[TextMatch]) -> None:
        chosen = next((place for place in found if place.span == editor.selected_span), None)
        if chosen is not None:
            text = chosen.filled(self.query_one("#instead", LineField).value)
            editor.apply([Edit(chosen.span, text)])
            editor.go_to(chosen.span.start + len(text))
        self.step(1)

    def replace_all(self) -> None:
        """Replace every match in one step that can be undone."""
        self._search(self._replace_all)

    def _replace_all(self, editor: Editor, found: list[TextMatch]) -> None:
        template = self.query_one("#instead", LineField).value
        editor.apply([Edit(place.span, place.filled(template)) for place in found])
        self.bench.say(f"replaced in {counted(len(found), 'place')}", "good")
        self._look()


def _bar(bench: BaseWorkbench) -> FindBar:
    return bench.query_one("#find", FindBar)


def find(bench: BaseWorkbench) -> None:
    """Show the find bar."""
    if bench.editor is not None:
        _bar(bench).open(replacing=False)


def replace(bench: BaseWorkbench) -> None:
    """Show the find bar with the field for the replacement."""
    if bench.editor is not None:
        _bar(bench).open(replacing=True)


def replace_all(bench: BaseWorkbench) -> None:
    """Replace every match in the script, if the field for the replacement is on the screen."""
    bar = _bar(bench)
    if not bar.is_replacing:
        bench.say("nothing was replaced: ctrl+r shows the fields for the text to find and its replacement", "warning")
        return
    bar.replace_all()


def find_next(bench: BaseWorkbench) -> None:
    """Go to the next match."""
    _step(bench, 1)


def find_previous(bench: BaseWorkbench) -> None:
    """Go to the previous match."""
    _step(bench, -1)


def _step(bench: BaseWorkbench, direction: int) -> None:
    """Go to a place. A hidden bar is shown first, so that a person sees what is searched."""
    bar = _bar(bench)
    if bench.editor is None:
        return
    if not bar.is_open:
        if not bar.wanted:
            bar.open(replacing=False)
            return
        bar.query_one("#replacing").display = False
        bar.add_class("-open")
    bar.step(direction)


async def go_to_line(bench: BaseWorkbench) -> None:
    """Ask for a line number, and go to that line."""
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

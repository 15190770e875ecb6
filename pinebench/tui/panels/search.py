"""Search: finds words in every script of the folder and in open scripts, and replaces them everywhere."""

from __future__ import annotations

import asyncio
import os
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from pinebench import files
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UsageError
from pinebench.linter.project import FileProblem, discover
from pinebench.printable import printable
from pinebench.syntax.lines import LineIndex
from pinebench.tui.dialogs import Ask, Choice
from pinebench.tui.opened import counted
from pinebench.tui.panels import Panel
from pinebench.tui.searching import pattern_of, places

MOST = 2000
"""The largest number of places that are shown."""


class Found(NamedTuple):
    """A place: its file, or the key of a script without a file; its span in the text; its row from 0, and that line."""

    path: str
    span: Span
    row: int
    line: str


class Search(Panel):
    """The panel that searches many scripts."""

    ABOUT = """\
Finds words in every script of the folder. An open script counts as it is in its tab, saved or not. Text between slashes
is a regular expression. Capitals and small letters only differ if there is a capital in the words.

* **enter** in the upper line: search; in the list: go there
* **enter** in the lower line: replace everywhere, once you agree. Every file is opened in a tab and left unsaved, so
  that you see the changes and ctrl+z undoes them.
"""
    BINDINGS: ClassVar = [Binding("escape", "leave", "Editor", show=False)]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._found: list[Found] = []
        self._searched = ""

    def compose(self) -> ComposeResult:
        """Yield the lines for the words and for their replacement, and the list."""
        with Horizontal(classes="row"):
            yield Label("Find   ")
            yield Input(id="search-wanted", placeholder="in every script of the folder")
            yield Label("", id="search-count", markup=False)
        with Horizontal(classes="row"):
            yield Label("Replace")
            yield Input(id="search-instead", placeholder="enter replaces everywhere, after asking")
        yield OptionList(markup=False)

    def enter(self) -> None:
        """Give the focus to the upper line. Selected text becomes the words to find."""
        editor = self.bench.editor
        wanted = self.query_one("#search-wanted", Input)
        if editor is not None and editor.selected_text and "\n" not in editor.selected_text:
            wanted.value = editor.selected_text
        wanted.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search, or replace."""
        event.stop()
        job = self._search() if event.input.id == "search-wanted" else self._replace()
        self.bench.work(job, group="search", exclusive=True)

    async def _search(self) -> None:
        wanted = self.query_one("#search-wanted", Input).value
        count = self.query_one("#search-count", Label)
        if pattern_of(wanted) is None:
            count.update("no regular expression" if wanted else "")
            return
        count.update("searching…")
        open_texts = {each.buffer.path or each.key: each.editor.text for each in self.bench.opened}
        folder = self.bench.folder or os.getcwd()
        self._found = await asyncio.to_thread(_everywhere, folder, open_texts, wanted)
        self._list(wanted)
        options = self.query_one(OptionList)
        options.highlighted = 0 if self._found else None
        scripts = len({found.path for found in self._found})
        words = f"{counted(len(self._found), 'place')} in {counted(scripts, 'script')}"
        count.update(words if self._found else "nothing found")
        if self._found:
            options.focus()

    def _list(self, wanted: str) -> None:
        """List the places that were found for these words."""
        self._searched = wanted
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(self._row(found, wanted)) for found in self._found])

    def colors_changed(self) -> None:
        """Show the list in other colours."""
        options = self.query_one(OptionList)
        here = options.highlighted
        self._list(self._searched)
        options.highlighted = here

    def _row(self, found: Found, wanted: str) -> Text:
        colors = self.app.theme_variables
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f" {printable(self._called(found.path))}", style=colors["primary"])
        text.append(f":{found.row + 1}  ", style=colors["bench-muted"])
        start = len(text)
        line = printable(found.line.strip(), keep="\t").replace("\t", "    ")
        text.append(line)
        for span in places(line, wanted):
            text.stylize(f"bold {colors['warning']}", start + span.start, start + span.end)
        return text

    def _called(self, path: str) -> str:
        opened = next((each for each in self.bench.opened if each.key == path), None)
        if opened is not None:
            return opened.buffer.name
        return os.path.relpath(path, self.bench.folder or os.getcwd())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the place."""
        event.stop()
        self.bench.work(self._go(self._found[event.option_index]))

    async def _go(self, found: Found) -> None:
        opened = next((each for each in self.bench.opened if found.path in (each.key, each.buffer.path)), None)
        if opened is None:
            opened = await self.bench.open(found.path)
        if opened is None:
            return
        self.bench.bring(opened)
        column = opened.editor.source.location(found.span.start)[1]
        opened.editor.move_cursor((found.row, column), center=True)

    async def _replace(self) -> None:
        await self._search()
        wanted = self.query_one("#search-wanted", Input).value
        instead = self.query_one("#search-instead", Input).value
        paths = list(dict.fromkeys(found.path for found in self._found))
        if not paths:
            return
        text = (
            f"{counted(len(self._found), 'place')} in {counted(len(paths), 'script')}. Each is opened and left unsaved."
        )
        choices = [Choice("no", "Leave them", "l"), Choice("yes", "Replace", "r")]
        if (
            await self.bench.push_screen_wait(Ask(f"Replace {wanted} by {instead or 'nothing'}?", text, choices))
            != "yes"
        ):
            return
        pattern = pattern_of(wanted)
        for path in paths:
            opened = next((each for each in self.bench.opened if path in (each.key, each.buffer.path)), None)
            opened = opened or await self.bench.open(path)
            if opened is None or pattern is None:
                continue
            text = opened.editor.text
            opened.editor.apply([Edit(span, instead) for span in places(text, wanted)])
        await self._search()
        self.bench.say(f"replaced in {counted(len(paths), 'script')}, all still unsaved", "good")

    def action_leave(self) -> None:
        """Back to the editor."""
        if self.bench.editor is not None:
            self.bench.editor.focus()


def _everywhere(folder: str, open_texts: dict[str, str], wanted: str) -> list[Found]:
    """The places in the open scripts, then in the scripts of `folder`."""
    problems: list[FileProblem] = []
    found: list[Found] = []
    paths = [os.path.abspath(path) for path in discover([folder], lambda _: False, problems)]
    for path in dict.fromkeys([*open_texts, *paths]):
        text = open_texts.get(path)
        if text is None:
            try:
                text = files.read(path).text
            except UsageError:
                continue
        lines = LineIndex(text)
        for span in places(text, wanted):
            row = lines.position(span.start).line
            found.append(Found(path, span, row - 1, lines.line_text(row)))
            if len(found) == MOST:
                return found
    return found

"""Search: finds text in all scripts of the folder and in open scripts, and replaces it everywhere."""

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
from pinebench.amounts import counted
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UnavailableError, UsageError
from pinebench.linter.project import FileProblem, discover
from pinebench.printable import printable
from pinebench.syntax.lines import LineIndex
from pinebench.tui.dialogs import Ask, DialogChoice
from pinebench.tui.inputs import LineField
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.text_search import Query

MOST = 2000
"""The largest number of places that are listed. All of them are counted and replaced."""


class SearchHit(NamedTuple):
    """A match: its file (or the key of a script without a file), its span in the text, its row and column (from 0), and
    its line."""

    path: str
    span: Span
    row: int
    column: int
    line: str


class SearchPanel(WorkbenchPanel):
    """The panel that searches many scripts."""

    ABOUT = """\
Finds text in every script of the folder. An open script counts as it is in its tab, saved or not. Text between slashes
is a regular expression. Upper and lower case only differ if the text has a capital.

* **enter** in the upper line: search; in the list: go there
* **enter** in the lower line: replace everywhere, once you agree. Every file is opened in a tab and left unsaved, so
  that you see the changes and ctrl+z undoes them.
"""
    BINDINGS: ClassVar = [Binding("escape", "leave", "Editor", show=False)]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._found: list[SearchHit] = []
        self._left_out: list[str] = []
        self._is_fresh = False
        """Whether the list has the focus because of a search."""

    def compose(self) -> ComposeResult:
        """Yield the input fields for the text to find and for its replacement, and the list."""
        with Horizontal(classes="row"):
            yield Label("Find   ")
            yield LineField(id="search-wanted", placeholder="in every script of the folder")
            yield Label("", id="search-count", markup=False)
        with Horizontal(classes="row"):
            yield Label("Replace")
            yield LineField(id="search-instead", placeholder="enter replaces everywhere, after a question")
        yield OptionList(markup=False)

    def enter(self) -> None:
        """Give the focus to the upper input field. Selected text becomes the text to find."""
        editor = self.bench.editor
        wanted = self.query_one("#search-wanted", LineField)
        if editor is not None and editor.selected_text and "\n" not in editor.selected_text:
            wanted.value = editor.selected_text
        wanted.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search, or replace the matches if the field for the replacement was submitted."""
        event.stop()
        job = self._search() if event.input.id == "search-wanted" else self._replace()
        self.bench.work(job, group="search", exclusive=True)

    async def _search(self) -> None:
        query = Query(self.query_one("#search-wanted", LineField).value)
        count = self.query_one("#search-count", Label)
        self._found, self._left_out = [], []
        self._list()  # a row of the earlier list has no place to go to any more
        if query.wrong or not query.words:
            count.update(query.wrong)
            return
        count.update("searching…")
        open_texts = {each.buffer.path or each.key: each.editor.text for each in self.bench.opened}
        folder = self.bench.folder or os.getcwd()
        self._found, self._left_out = await asyncio.to_thread(_everywhere, folder, open_texts, query)
        self._list()
        options = self.query_one(OptionList)
        options.highlighted = 0 if self._found else None
        count.update(self._counted())
        if self._found:
            options.focus()
            self._is_fresh = True
        self.fit()

    def action_go_on(self, step: int) -> None:
        """Go to the next (1) or previous (-1) widget; after a search, to the field for the replacement."""
        is_first, self._is_fresh = self._is_fresh, False
        if is_first and step > 0 and self.query_one(OptionList).has_focus:
            self.query_one("#search-instead", LineField).focus()
        else:
            super().action_go_on(step)

    def rows_needed(self) -> int:
        """Return the number of rows: one for each match, and the lines above the list."""
        return 2 + max(2, len(self._found))

    def _counted(self) -> str:
        scripts = len({found.path for found in self._found})
        words = f"{counted(len(self._found), 'place')} in {counted(scripts, 'script')}" if scripts else "nothing found"
        if len(self._found) > MOST:
            words += f", the first {MOST:,} are listed"
        if self._left_out:
            words += f"; {counted(len(self._left_out), 'script')} not searched completely: {self._left_out[0]}"
        return words

    def _list(self) -> None:
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(self._row(found)) for found in self._found[:MOST]])

    def colors_changed(self) -> None:
        """Show the list in the colours of the new theme."""
        options = self.query_one(OptionList)
        here = options.highlighted
        self._list()
        options.highlighted = here

    def _row(self, found: SearchHit) -> Text:
        colors = self.app.theme_variables
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f" {printable(self._called(found.path))}", style=colors["primary"])
        text.append(f":{found.row + 1}  ", style=colors["bench-muted"])
        end = found.column + found.span.end - found.span.start
        parts = found.line[: found.column].lstrip(), found.line[found.column : end], found.line[end:].rstrip()
        for part, style in zip(parts, ("", f"bold {colors['warning']}", ""), strict=True):
            text.append(printable(part, keep="\t").replace("\t", "    "), style=style)
        return text

    def _called(self, path: str) -> str:
        opened = next((each for each in self.bench.opened if each.key == path), None)
        if opened is not None:
            return opened.buffer.name
        return os.path.relpath(path, self.bench.folder or os.getcwd())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the match."""
        event.stop()
        self.bench.work(self._go(self._found[event.option_index]))

    async def _go(self, found: SearchHit) -> None:
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
        wanted = self.query_one("#search-wanted", LineField).value
        instead = self.query_one("#search-instead", LineField).value
        paths = list(dict.fromkeys(found.path for found in self._found))
        if not paths:
            return
        text = (
            f"{counted(len(self._found), 'place')} in {counted(len(paths), 'script')}. Each is opened and left unsaved."
        )
        choices = [DialogChoice("no", "Leave them", "l"), DialogChoice("yes", "Replace", "r")]
        if (
            await self.bench.push_screen_wait(Ask(f"Replace {wanted} by {instead or 'nothing'}?", text, choices))
            != "yes"
        ):
            return
        done, left = await self._replaced(paths, Query(wanted), instead)
        await self._search()
        said = f"replaced in {counted(done, 'script')}, all still unsaved"
        self.bench.say(f"{said}; not in {', '.join(left)}" if left else said, "warning" if left else "good")

    async def _replaced(self, paths: list[str], query: Query, instead: str) -> tuple[int, list[str]]:
        """Replace in these scripts; return in how many, and the names of those in which nothing could be replaced."""
        done, left = 0, []
        for path in paths:
            opened = next((each for each in self.bench.opened if path in (each.key, each.buffer.path)), None)
            opened = opened or await self.bench.open(path)
            if opened is None or opened.editor.read_only:
                left.append(os.path.basename(path))
                continue
            snapshot = opened.editor.snapshot
            try:
                places = await asyncio.to_thread(query.places, snapshot.text)
            except UnavailableError:
                places = None
            if places is None or opened.editor.snapshot is not snapshot:  # typed meanwhile
                left.append(opened.buffer.name)
                continue
            opened.editor.apply([Edit(place.span, place.filled(instead)) for place in places])
            done += 1
        return done, left


def _everywhere(folder: str, open_texts: dict[str, str], query: Query) -> tuple[list[SearchHit], list[str]]:
    """The places in the open scripts, then in the scripts of `folder`; and the scripts that cannot be read or
    whose search takes too long."""
    problems: list[FileProblem] = []
    found: list[SearchHit] = []
    left_out: list[str] = []
    paths = [os.path.abspath(path) for path in discover([folder], lambda _: False, problems)]
    for path in dict.fromkeys([*open_texts, *paths]):
        text = open_texts.get(path)
        try:
            text = files.read(path).text if text is None else text
            places = query.places(text)
        except (UsageError, UnavailableError):
            left_out.append(os.path.basename(path))
            continue
        lines = LineIndex(text)
        for span, _ in places:
            row = lines.position(span.start).line
            found.append(SearchHit(path, span, row - 1, span.start - lines.line_start(row), lines.line_text(row)))
    return found, left_out

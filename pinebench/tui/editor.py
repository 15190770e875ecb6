"""The editor of one script: Textual's text area with Pine's colours, underlines, indentation and comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual._text_area_theme import TextAreaTheme
from textual.binding import Binding
from textual.cache import LRUCache
from textual.document._document import EditResult, Location, Selection
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.message import Message
from textual.strip import Strip
from textual.widgets import TextArea

from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.diagnostics import Edit as TextEdit
from pinebench.errors import UsageError
from pinebench.printable import printable
from pinebench.syntax import Snapshot
from pinebench.tui.bottom_lines import fit
from pinebench.tui.editor_text import PineDocument, UnwrappedDocument, difference, shown, with_newlines
from pinebench.tui.gutter import Breakpoints
from pinebench.tui.indentation import INDENT, blank, commented, dedented, indent_after
from pinebench.tui.snippet_places import SnippetPlaces, filled
from pinebench.tui.syntax_colors import KINDS, Highlighter, Piece

MIDDLE, RIGHT = 2, 3
"""The numbers of the mouse's buttons."""
UNDO_STEPS = 10_000
_BRACKET = re.compile(r"[()\[\]]")
_BRACKETS = {"(": ")", ")": "(", "[": "]", "]": "["}
BRACKET_ROWS = 300
"""Rows that are searched for a matching bracket. A longer call does not fit on any screen."""
_UNDERLINE = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "muted", Severity.HINT: "muted"}


_MOST_ROWS = 400
"""The number of drawn rows that are kept."""
_GAP = 2
"""The cells between the end of a line and the values that are shown after it."""
_LEAST_NOTE = 5
"""Values are only shown if there is room for this number of their cells."""


class FindingMark(NamedTuple):
    """A finding on one line: its first column, and the column after its last."""

    start: int
    end: int
    finding: Diagnostic


class Editor(TextArea):
    """Edits one script; `snapshot` always matches the text on the screen."""

    BINDINGS: ClassVar = [
        Binding("tab", "indent", "Indent", show=False),
        Binding("shift+tab", "dedent", "Indent less", show=False),
        Binding("ctrl+underscore,ctrl+slash,alt+c", "comment", "Comment", show=False),
        Binding("alt+up", "move_lines(-1)", "Move lines up", show=False),
        Binding("alt+down", "move_lines(1)", "Move lines down", show=False),
        Binding("ctrl+home", "cursor_start", "To the beginning", show=False),
        Binding("ctrl+end", "cursor_end", "To the end", show=False),
        Binding("ctrl+a", "select_all", "Select all", show=False),
        Binding("alt+backspace", "delete_word_left", "Delete back to the beginning of the word", show=False),
        Binding("ctrl+j", "break_plainly", "A new line without indentation", show=False),
    ]

    class Edited(Message):
        """The text has changed. `typed` is the text that a key inserted; it is empty if the change has another
        cause."""

        def __init__(self, editor: Editor, typed: str) -> None:
            super().__init__()
            self.editor = editor
            self.typed = typed

    class Moved(Message):
        """The cursor has moved."""

        def __init__(self, editor: Editor) -> None:
            super().__init__()
            self.editor = editor

    class Gutter(Message):
        """The mouse was pressed on a row number. `wants_condition` is True for a press with ctrl or the right
        button."""

        def __init__(self, editor: Editor, row: int, wants_condition: bool) -> None:
            super().__init__()
            self.editor = editor
            self.row = row
            self.wants_condition = wants_condition

    class Menu(Message):
        """The right button of the mouse was pressed in the text."""

        def __init__(self, editor: Editor) -> None:
            super().__init__()
            self.editor = editor

    def __init__(self, text: str, **options: str) -> None:
        self.breakpoints = Breakpoints()
        self._notes: dict[int, str] = {}
        """The values that are shown after the ends of rows. They do not belong to the text."""
        self._stopped: int | None = None
        """The row at which a breakpoint stopped the run that is looked into."""
        self._marks: list[tuple[FindingMark, ...]] = []
        self._meanings: list[tuple[Piece, ...]] = []
        self._found: dict[int, list[tuple[int, int]]] = {}
        self._highlighter = Highlighter()
        self._typed = ""
        self._exact = False
        self.places = SnippetPlaces()
        self.before_key: Callable[[events.Key], bool] | None = None
        """Called first with each key. It returns True if it used the key for something else, such as the popup."""
        self._styles: dict[str, Style] = {}
        self._drawn: LRUCache[tuple[object, ...], Strip] = LRUCache(_MOST_ROWS)
        """The drawn rows, each by a key of everything that decides its look."""
        super().__init__(
            text,
            soft_wrap=False,
            tab_behavior="indent",
            show_line_numbers=True,
            max_checkpoints=UNDO_STEPS,
            id=options.get("id"),
        )
        self.cursor_blink = False

    # the text

    @property
    def source(self) -> PineDocument:
        """The text as a `PineDocument`."""
        assert isinstance(self.document, PineDocument)
        return self.document

    @property
    def snapshot(self) -> Snapshot:
        """The current state of the script."""
        return self.source.snapshot

    @property
    def offset_here(self) -> int:
        """The offset of the cursor in the text."""
        return self.source.offset(self.cursor_location)

    @property
    def selected_span(self) -> Span:
        """The offsets of the selection."""
        return self.source.span(*self.selection)

    def _set_document(self, text: str, language: str | None) -> None:
        self.document = PineDocument(text)
        self.wrapped_document = UnwrappedDocument(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self.document.rows = self._rows_changed
        self._marks = [()] * self.document.line_count
        self._meanings = [()] * self.document.line_count
        self._line_cache.clear()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    def _watch_language(self, language: str | None) -> None:
        """Keep the document. Textual makes a new one when it is told its language, which would parse the text again."""

    def _rows_changed(self, first: int, gone: int, come: int) -> None:
        """Forget the findings and meanings of the rows that changed. Later ones move with their rows."""
        self._marks[first : first + gone] = [()] * come
        self._meanings[first : first + gone] = [()] * come
        self._found = {}
        self._notes, self._stopped = {}, None
        self.breakpoints.changed(first, gone, self.document.lines[first : first + come])

    def edit(self, edit: Edit) -> EditResult:
        """Apply an edit. The line ends in its text become the document's line ends."""
        if not self._exact:
            edit.text = with_newlines(edit.text, self.document.newline)
        self.places.changed(self.source.offset(edit.top), self.source.offset(edit.bottom), len(edit.text))
        result = super().edit(edit)
        self._tell(self._typed)
        return result

    def undo(self) -> None:
        """Undo the last step."""
        if self.history.undo_stack:
            self.places.leave()
            super().undo()
            self._tell("")

    def redo(self) -> None:
        """Redo the step that was last undone."""
        if self.history.redo_stack:
            self.places.leave()
            super().redo()
            self._tell("")

    def _tell(self, typed: str) -> None:
        self._typed = ""
        self.post_message(self.Edited(self, typed))

    def apply(self, edits: Iterable[TextEdit]) -> None:
        """Apply edits in one step that can be undone. Their spans refer to the current text. The cursor stays beside
        the same characters. Raises UsageError if the text is read-only."""
        newline = self.document.newline
        wanted = sorted(TextEdit(edit.span, with_newlines(edit.text, newline)) for edit in edits)
        if wanted and self.read_only:
            raise UsageError(
                "nothing was changed: the encoding of the file is only guessed, so its text is read-only",
                "save it under another name (alt+s)",
            )
        if wanted:
            self._apply(wanted)

    def _apply(self, wanted: list[TextEdit]) -> None:
        text = self.text
        first, last = wanted[0].span.start, max(edit.span.end for edit in wanted)
        parts: list[str] = []
        place = first
        cursor = self.offset_here
        moved = 0
        for edit in wanted:
            parts += [text[place : edit.span.start], edit.text]
            place = edit.span.end
            if edit.span.end <= cursor:
                moved += len(edit.text) - (edit.span.end - edit.span.start)
        parts.append(text[place:last])
        self._replace_exactly("".join(parts), self.source.location(first), self.source.location(last))
        self.move_cursor(self.source.location(cursor + moved))

    def _replace_exactly(self, text: str, start: Location, end: Location) -> None:
        """Replace a range by `text` in a separate undo step. The line ends of `text` stay as they are."""
        self._exact = True
        self.history.checkpoint()
        try:
            self.replace(text, start, end)
        finally:
            self._exact = False
        self.history.checkpoint()

    def fill_in(self, snippet: str, span: Span) -> None:
        """Replace `span` by a snippet that is indented like its line. Tab then goes through the snippet's fields."""
        row, _ = self.source.location(span.start)
        text, places = filled(snippet, self.document.newline + blank(self.document[row]))
        self.apply([TextEdit(span, text)])
        spans = [Span(span.start + place.start, span.start + place.end) for place in places]
        self.places.begin(spans)
        self.go_to(spans[0].start, select_to=spans[0].end)

    def _step_place(self, by: int) -> bool:
        """Go `by` places forward in the snippet; return whether there is such a place."""
        span = self.places.step(by)
        if span is not None:
            self.selection = Selection(self.source.location(span.start), self.source.location(span.end))
        return span is not None

    def put(self, text: str, *, exact: bool = False) -> None:
        """Replace the full text by `text` in one step that can be undone. The common beginning and end of both texts
        are left untouched. The line ends of `text` become the document's, unless `exact` is set."""
        old = self.text
        if not exact:
            text = with_newlines(text, self.document.newline)
        if text == old:
            return
        start, stop, new = difference(old, text)
        self._apply([TextEdit(Span(start, stop), new)])
        if exact:
            self.source.take_newline()

    # the shown content

    def show_findings(self, findings: Sequence[Diagnostic]) -> None:
        """Underline `findings`, which belong to the current text."""
        marks: dict[int, list[FindingMark]] = {}
        for finding in findings:
            (top, left), (bottom, right) = (
                self.source.location(finding.span.start),
                self.source.location(max(finding.span.start, finding.span.end)),
            )
            for row in range(top, min(bottom, top + 50) + 1):
                start = left if row == top else len(blank(self.document[row]))
                end = right if row == bottom else len(self.document[row])
                marks.setdefault(row, []).append(FindingMark(start, max(end, start + 1), finding))
        self._marks = [
            tuple(sorted(marks[row], key=lambda mark: mark.finding.severity)) if row in marks else ()
            for row in range(self.document.line_count)
        ]
        self._redraw()

    def show_meanings(self, meanings: dict[int, list[Piece]]) -> None:
        """Colour names in the current text by their meaning. `meanings` maps rows, from 0, to coloured pieces."""
        self._meanings = [tuple(meanings.get(row, ())) for row in range(self.document.line_count)]
        self._redraw()

    def show_matches(self, matches: list[tuple[int, int, int]]) -> None:
        """Mark the search results: each is a row, its first column, and the column after its last."""
        self._found = {}
        for row, start, end in matches:
            self._found.setdefault(row, []).append((start, end))
        self._redraw()

    def show_values(self, notes: dict[int, str], stopped: int | None = None) -> None:
        """Show `notes`, texts by row, after the ends of their rows, and mark the row `stopped`. Rows count from 0.

        The notes are only drawn. They are not in the text, and are not saved or copied. Every change of the text
        removes them.
        """
        if (notes, stopped) != (self._notes, self._stopped):
            self._notes, self._stopped = notes, stopped
            self._redraw()

    def toggle_breakpoint(self, row: int) -> bool:
        """Set or remove the breakpoint on a row; return whether there is one now."""
        found = self.breakpoints.toggle(row, self.document[row])
        self._redraw()
        return found

    def set_breakpoint(self, row: int, condition: str) -> None:
        """Set a breakpoint with a condition on a row."""
        self.breakpoints.set(row, self.document[row], condition)
        self._redraw()

    def clear_breakpoints(self) -> None:
        """Remove all breakpoints."""
        self.breakpoints.clear()
        self._redraw()

    def marks_at(self, row: int) -> tuple[FindingMark, ...]:
        """Return the findings on a row, the worst first."""
        return self._marks[row] if 0 <= row < len(self._marks) else ()

    def finding_here(self) -> Diagnostic | None:
        """Return the finding under the cursor, or the worst one on its line; None if the line has none."""
        row, column = self.cursor_location
        marks = self.marks_at(row)
        under = (mark for mark in marks if mark.start <= column <= mark.end)
        found = next(under, marks[0] if marks else None)
        return found.finding if found is not None else None

    def _redraw(self) -> None:
        self._line_cache.clear()
        self.refresh()

    def on_mount(self) -> None:
        """Use the colours of the workbench's theme."""
        self.take_colors()

    def take_colors(self) -> None:
        """Use the colours of the workbench's theme."""
        variables = self.app.theme_variables
        self._styles = {kind: Style(color=variables[f"pine-{kind}"]) for kind in KINDS if f"pine-{kind}" in variables}
        if "annotation" in self._styles:
            self._styles["annotation"] += Style(italic=True)
        for name in ("error", "warning"):
            self._styles[name] = Style(color=variables[name], underline=True)
        self._styles["muted"] = Style(underline=True)
        self._styles["note"] = Style(color=variables["bench-muted"], italic=True)
        self._styles["breakpoint"] = Style(color=variables["error"])
        self._styles["stopped"] = Style(color=variables["warning"], bold=True)
        is_plain = self.app.no_color
        self._styles["match"] = Style(bgcolor=variables.get("bench-selection"), bold=True)
        self.register_theme(
            TextAreaTheme(
                f"pine-{self.app.theme}",
                cursor_line_style=Style() if is_plain else Style(bgcolor=variables.get("bench-line")),
                selection_style=Style(reverse=True) if is_plain else Style(bgcolor=variables.get("bench-selection")),
                bracket_matching_style=Style(bold=True, underline=True, color=variables["primary"]),
            )
        )
        self.theme = f"pine-{self.app.theme}"
        self._redraw()

    def get_line(self, line_index: int) -> Text:
        """Return a line with its colours and underlines."""
        line = self.document.get_line(line_index)
        text = Text(shown(line), end="", no_wrap=True)
        if not line:
            return text
        start = self.source.offset((line_index, 0))
        for piece in self._highlighter.pieces(self.snapshot, start, start + len(line)):
            text.stylize(self._styles.get(piece.kind, ""), piece.start, piece.end)
        for piece in self._meanings[line_index]:
            text.stylize(self._styles.get(piece.kind, ""), piece.start, piece.end)
        for begin, end in self._found.get(line_index, ()):
            text.stylize(self._styles.get("match", ""), begin, end)
        for mark in reversed(self._marks[line_index]):
            text.stylize(self._styles.get(_UNDERLINE[mark.finding.severity], ""), mark.start, mark.end)
        return text

    def _render_line(self, y: int) -> Strip:
        """A row of the screen. Rows that look as before are not made again: a key changes one row, and Textual draws
        all of them."""
        row = y + self.scroll_offset.y
        look = self._look(row) if row < self.document.line_count else None
        if look is None:
            return self._row(y)
        found = self._drawn.get(look)
        if found is None:
            found = self._drawn[look] = self._row(y)
        return found

    def _look(self, row: int) -> tuple[object, ...] | None:
        """Everything that decides how a row looks; None for a row with the cursor, the selection or a bracket."""
        first, last = sorted(self.selection)
        bracket = self._matching_bracket_location
        if first[0] <= row <= last[0] or (bracket is not None and bracket[0] == row):
            return None
        text = self.get_line(row)
        place = (row, self.size, self.virtual_size.width, self.scroll_offset.x, self.scrollable_content_region.width)
        style = (self.gutter_width, self.theme, self._theme and self._theme.base_style, self.show_line_numbers)
        return (*place, *style, text.plain, tuple(text.spans), self._sign(row), self._notes.get(row, ""))

    def _row(self, y: int) -> Strip:
        """Make a row of the screen: the line with its number, then the signs in the gutter and the values after its
        end."""
        strip = super()._render_line(y)
        row = y + self.scroll_offset.y
        if row >= self.document.line_count:
            return strip
        gutter = self.gutter_width
        sign, name = self._sign(row)
        if sign:
            strip = _over(strip, gutter - 2, sign, self._styles.get(name, Style()))
        note = self._notes.get(row, "")
        width = self.wrapped_document.location_to_offset((row, len(self.document[row]))).x
        ended = gutter + width - self.scroll_offset.x
        room = self.scrollable_content_region.width - ended - _GAP - 1
        if not note or ended < gutter or room < _LEAST_NOTE:
            return strip
        text = printable(note)
        text = text if cell_len(text) <= room else fit(text, room - 1) + "…"
        return _over(strip, ended + _GAP, text, self._styles.get("note", Style()))

    def _sign(self, row: int) -> tuple[str, str]:
        """The sign in the gutter of a row and its style; empty if it has none."""
        if row == self._stopped:
            return "▶", "stopped"
        one = self.breakpoints.at(row)
        return ("◆" if one.condition else "●", "breakpoint") if one is not None else ("", "")

    async def _on_mouse_down(self, event: events.MouseDown) -> None:
        """On the number of a row, say so; the cursor stays where it is."""
        row = event.y + self.scroll_offset.y
        if event.x >= self.gutter_width and event.button in (MIDDLE, RIGHT):
            self._press_other(event)
            return
        if event.x >= self.gutter_width or row >= self.document.line_count:
            return  # Textual calls the text area's own method after this one
        event.prevent_default()
        event.stop()
        self.focus()
        self.post_message(self.Gutter(self, row, event.ctrl or event.button == 3))

    def _press_other(self, event: events.MouseDown) -> None:
        """Paste at the mouse with the middle button, and open a menu with the right one."""
        event.prevent_default()
        event.stop()
        self.focus()
        place = self.get_target_document_location(event)
        first, last = sorted(self.selection)
        if event.button == MIDDLE or not first <= place <= last:
            self.move_cursor(place)
        if event.button == MIDDLE:
            self.action_paste()
        else:
            self.post_message(self.Menu(self))

    # the cursor

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        """Return the position of the bracket that matches `bracket` at `search_from`; None if there is none.

        Brackets in strings and comments do not count.
        """
        if bracket not in _BRACKETS:
            return None
        row, column = search_from
        is_opening = bracket in "(["
        rows = range(row, min(row + BRACKET_ROWS, self.document.line_count)) if is_opening else range(row, -1, -1)
        open_ones: list[str] = []
        for number in rows[:BRACKET_ROWS]:
            brackets = self._brackets(number)
            if number == row:
                if (column, bracket) not in brackets:
                    return None
                brackets = [each for each in brackets if (each[0] >= column if is_opening else each[0] <= column)]
            for place, sign in brackets if is_opening else reversed(brackets):
                if (sign in "([") == is_opening:
                    open_ones.append(sign)
                elif _BRACKETS[sign] != open_ones.pop():
                    return None
                if not open_ones:
                    return number, place
        return None

    def _brackets(self, row: int) -> list[tuple[int, str]]:
        """The brackets of a row that are code, with their columns."""
        line = self.document[row]
        found = [(match.start(), match.group()) for match in _BRACKET.finditer(line)]
        if not found:
            return found
        start = self.source.offset((row, 0))
        words = [
            piece
            for piece in self._highlighter.pieces(self.snapshot, start, start + len(line))
            if piece.kind in ("string", "comment", "annotation")
        ]
        return [each for each in found if not any(word.start <= each[0] < word.end for word in words)]

    def _watch_selection(self, previous_selection: Selection, selection: Selection) -> None:
        super()._watch_selection(previous_selection, selection)
        place = self.places.here
        if place is not None and not place.start <= self.source.offset(selection.end) <= place.end:
            self.places.leave()
        if previous_selection.end != selection.end:
            self.post_message(self.Moved(self))

    def go_to(self, offset: int, *, select_to: int | None = None) -> None:
        """Put the cursor at an offset and scroll it into view. With `select_to`, select the text up to that offset."""
        start = self.source.location(offset)
        self.move_cursor(start, center=True)
        if select_to is not None:
            self.selection = Selection(start, self.source.location(select_to))

    def word_at(self, offset: int) -> Span:
        """Return the span of the word at an offset; it is empty if there is no word."""
        text = self.text
        start = end = offset
        while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        return Span(start, end)

    def action_cursor_start(self) -> None:
        """Go to the beginning of the text."""
        self.move_cursor((0, 0))

    def action_cursor_end(self) -> None:
        """Go to the end of the text."""
        self.move_cursor(self.document.end)

    # typing

    async def _on_key(self, event: events.Key) -> None:
        event.prevent_default()  # otherwise Textual passes the key to the text area once more
        if self.before_key is not None and self.before_key(event):
            event.stop()
            return
        if self.read_only:
            return
        if event.key == "enter":
            event.stop()
            self._break_line()
            return
        if event.key == "escape":
            self.places.leave()
        if event.key in ("tab", "escape"):  # bindings say what these do
            return
        if "+" in event.key[:-1] and event.key != "tab":  # a key with a modifier is a command and types nothing
            return
        if event.is_printable and event.character is not None:
            self._typed = event.character
        await super()._on_key(event)
        self._typed = ""

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Return whether a key types a character."""
        return key != "tab" and super().check_consume_key(key, character)

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.paste(event.text)

    def action_paste(self) -> None:
        """Insert the text that was last copied or cut."""
        self.paste(self.app.clipboard)

    def paste(self, text: str) -> None:
        """Replace the selection with `text`."""
        if text and not self.read_only:
            self.history.checkpoint()
            self._replace_via_keyboard(text, *self.selection)
            self.scroll_cursor_visible()

    def action_break_plainly(self) -> None:
        """Start a new line without indentation. A terminal that does not mark pastes sends ctrl+j for line ends."""
        if not self.read_only:
            self._typed = "\n"
            self._replace_via_keyboard("\n", *self.selection)

    def _break_line(self) -> None:
        """Start a new line with the indentation that Pine's blocks need."""
        start, _ = sorted(self.selection)
        row, column = start
        before = self.document[row][:column]
        indent = blank(before)
        if column > len(indent):
            indent = indent_after(before, in_brackets=self.snapshot.is_in_brackets(self.source.offset(start)))
        self._typed = "\n"
        self._replace_via_keyboard("\n" + indent, *self.selection)

    def action_delete_left(self) -> None:
        """Delete the character before the cursor. Inside the spaces of an indentation, delete back to the previous tab
        stop."""
        row, column = self.cursor_location
        before = self.document[row][:column]
        if self.selection.is_empty and len(before) > 1 and not before.strip(" ") and before[-1] == " ":
            step = (column - 1) % INDENT + 1
            self._delete_via_keyboard((row, column - step), (row, column))
            return
        super().action_delete_left()

    # lines

    def _rows(self) -> range:
        """The rows that the selection touches. The last row counts only if part of it is selected."""
        (top, _), (bottom, column) = sorted(self.selection)
        return range(top, bottom + (1 if column or bottom == top else 0))

    def _replace_rows(self, rows: range, lines: list[str], select: bool) -> None:
        """Replace `rows` by `lines` in one step, and select them if `select`."""
        start, end = (rows.start, 0), (rows.stop - 1, len(self.document[rows.stop - 1]))
        old = self.document[rows.start : rows.stop]
        if list(old) == lines:
            return
        (row, column), there = self.selection.end, len(self.document[self.selection.end[0]])
        self._replace_exactly(self.source.joined(rows.start, lines), start, end)
        if select:
            self.selection = Selection(start, (rows.stop - 1, len(lines[-1])))
        else:
            self.move_cursor((row, max(0, column + len(self.document[row]) - there)))

    def action_indent(self) -> None:
        """Indent the selected lines. If the selection is in one line, insert spaces up to the next tab stop. In a
        snippet, go to the next field."""
        if self.read_only or self._step_place(1):
            return
        if self.selection.is_empty or self.selection.start[0] == self.selection.end[0]:
            self._typed = "\t"
            self._replace_via_keyboard(" " * self._find_columns_to_next_tab_stop(), *self.selection)
            return
        rows = self._rows()
        lines = [" " * INDENT + line if line.strip() else line for line in self.document[rows.start : rows.stop]]
        self._replace_rows(rows, lines, select=True)

    def action_dedent(self) -> None:
        """Unindent the selected lines by one step. In a snippet, go to the previous field."""
        if self.read_only or self._step_place(-1):
            return
        rows = self._rows()
        lines = [dedented(line) for line in self.document[rows.start : rows.stop]]
        self._replace_rows(rows, lines, select=not self.selection.is_empty)

    def action_comment(self) -> None:
        """Turn the selected lines into comments. If all of them are already comments, turn them into code."""
        if self.read_only:
            return
        rows = self._rows()
        lines = self.document[rows.start : rows.stop]
        if not any(map(str.strip, lines)):
            return
        self._replace_rows(rows, commented(lines), select=not self.selection.is_empty)

    def action_move_lines(self, step: int) -> None:
        """Move the lines up (-1) or down (1)."""
        if self.read_only:
            return
        rows = self._rows()
        first, last = (rows.start - 1, rows.stop) if step < 0 else (rows.start, rows.stop + 1)
        if first < 0 or last > self.document.line_count:
            return
        lines = list(self.document[first:last])
        lines = [*lines[1:], lines[0]] if step < 0 else [lines[-1], *lines[:-1]]
        (top, left), (bottom, right) = self.selection
        self._replace_rows(range(first, last), lines, select=False)
        self.selection = Selection((top + step, left), (bottom + step, right))


def _over(strip: Strip, place: int, text: str, style: Style) -> Strip:
    """Draw `text` over a strip from the cell `place` on. The background stays."""
    width = cell_len(text)
    below = strip.crop(place, place + 1)
    under = next((segment.style for segment in below if segment.style is not None), Style())
    plain = Style(bgcolor=under.bgcolor, meta=under.meta)
    drawn = Strip([Segment(text, plain + style)], width)
    return Strip.join([strip.crop(0, place), drawn, strip.crop(place + width, strip.cell_length)])

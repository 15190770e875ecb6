"""The fields of a form: a typed value, a chosen value, or a text of several lines, each with an error message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from pinebench.printable import printable
from pinebench.tui import forms
from pinebench.tui.forms import Form
from pinebench.tui.inputs import LineField, TextField


class Chooser(Widget, can_focus=True):
    """A choice of one value in one line: `‹ value ›`."""

    BINDINGS: ClassVar = [
        Binding("left,minus", "step(-1)", show=False),
        Binding("right,space,plus", "step(1)", show=False),
        Binding("enter", "submit", show=False),
    ]
    DEFAULT_CSS = "Chooser { height: 1; }"

    class Changed(Message):
        """Another value was chosen."""

    class Submitted(Message):
        """Enter was pressed."""

    def __init__(self, options: Sequence[tuple[str, str]], value: str) -> None:
        """Prepare the field. Each of `options` is a value and its text on the screen."""
        super().__init__()
        self._options = tuple(options)
        self._place = next((place for place, (each, _) in enumerate(options) if each == value), 0)

    @property
    def value(self) -> str:
        """The chosen value."""
        return self._options[self._place][0]

    def action_step(self, step: int) -> None:
        """Choose the value that is `step` positions further in the list."""
        self._place = (self._place + step) % len(self._options)
        self.refresh()
        self.post_message(self.Changed())

    def action_submit(self) -> None:
        """Post the message `Submitted`, because enter was pressed."""
        self.post_message(self.Submitted())

    def on_key(self, event: events.Key) -> None:
        """Choose the next value that begins with the typed letter."""
        letter = event.character
        if letter is None or not letter.isalnum():
            return
        count = len(self._options)
        for step in range(1, count):
            if self._options[(self._place + step) % count][1].lower().startswith(letter.lower()):
                event.stop()
                self.action_step(step)
                return

    def on_click(self, event: events.Click) -> None:
        """Choose the previous value at the left edge, the next one anywhere else."""
        self.action_step(-1 if event.x < 2 else 1)

    def render_line(self, y: int) -> Strip:
        """Draw the value between its arrows, its number, and the number of values."""
        width = self.size.width
        count = f"{self._place + 1}/{len(self._options)} " if width > 24 else ""
        words = printable(self._options[self._place][1])
        room = max(1, width - 4 - cell_len(count))
        words = words if cell_len(words) <= room else words[: room - 1] + "…"
        left = f"‹ {words} ›"
        line = left + " " * max(0, width - cell_len(left) - cell_len(count)) + count
        return Strip([Segment(line, self.rich_style)]).adjust_cell_length(width, self.rich_style)


class ArgumentField(Vertical):
    """One argument: its name, the widget for its value, a hint, and the error in the value."""

    class Changed(Message):
        """The value has changed."""

    class Submitted(Message):
        """Enter was pressed in the field."""

    def __init__(self, form: Form, name: str) -> None:
        super().__init__(id=f"field-{name}")
        self.argument = name
        self.hint = forms.hint(form.tool, name)
        self._form = form

    def compose(self) -> ComposeResult:
        """Yield the argument's row, the text field below it if the value is a long text, and the line for an error."""
        form, name = self._form, self.argument
        is_required = name in form.tool.required
        written = form.written.get(name, "")
        options = forms.choices(form.tool, name)
        is_long = forms.is_long(form.tool.arguments[name])
        label = Text(name, no_wrap=True, overflow="ellipsis")
        if is_required:
            label.append(" *", style=self.app.theme_variables["warning"])
        with Horizontal(classes="field-row"):
            yield Static(label, classes="field-name")
            if options:
                yield Chooser(options, written if written in dict(options) else "")
            elif not is_long:
                default = form.tool.defaults.get(name)
                shown = "" if default is None else printable(str(default))
                yield LineField(written, placeholder=shown, classes="field-value", select_on_focus=False)
            yield Static(Text(printable(self.hint), no_wrap=True, overflow="ellipsis"), classes="field-hint")
        if is_long:
            text = form.texts.get(name, "") if written == forms.SCRIPT else written
            yield TextField(text, classes="field-text", soft_wrap=False, tab_behavior="focus")
        yield Static(classes="field-wrong")

    def on_mount(self) -> None:
        """Show the error in the current value."""
        self._settle()
        self.show_wrong()

    def show_wrong(self) -> None:
        """Show the error in the value."""
        wrong = self._form.wrong.get(self.argument, "")
        said = self.query_one(".field-wrong", Static)
        said.update(Text(f"✖ {printable(wrong)}"))
        said.display = bool(wrong)

    def focus_value(self) -> None:
        """Give the focus to the widget for the value."""
        for kind in (Input, TextArea, Chooser):
            found = [widget for widget in self.query(kind) if widget.display]
            if found:
                found[0].focus()
                return

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(Chooser.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        self._keep()

    @on(Input.Submitted)
    @on(Chooser.Submitted)
    def _submitted(self, event: Message) -> None:
        event.stop()
        self.post_message(self.Submitted())

    def _keep(self) -> None:
        """Keep the new value, and forget what was wrong with the old one."""
        name, form = self.argument, self._form
        before = form.written.get(name, "")
        now = self._written()
        if now == before:
            return
        form.written[name] = now
        form.wrong.pop(name, None)
        self._settle()
        self.show_wrong()
        self.post_message(self.Changed())

    def _written(self) -> str:
        areas = self.query(TextArea)
        choosers = self.query(Chooser)
        if areas:
            self._form.texts[self.argument] = areas.first().text
            return forms.SCRIPT if choosers and choosers.first().value == forms.SCRIPT else areas.first().text
        return choosers.first().value if choosers else self.query_one(Input).value

    def _settle(self) -> None:
        """Show the lines of a text only if their text is used."""
        for area in self.query(TextArea):
            area.display = self._form.written.get(self.argument, "") != forms.SCRIPT

"""Dialogs for a person: choose an action, type a line, pick an entry, or read a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from pinebench.printable import printable
from pinebench.tui.inputs import LineField


class DialogChoice(NamedTuple):
    """An answer: the key that is returned for it, its text, and the letter that chooses it."""

    key: str
    text: str
    letter: str = ""


class Dialog(ModalScreen[Any]):
    """A question in front of the window. Escape closes it with the answer None."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss_none", "Back", show=False)]

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close with the answer. A second answer, such as from a double click, is ignored."""
        if not self.is_current:
            return AwaitComplete.nothing()
        return super().dismiss(result)

    def action_dismiss_none(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


SEEN_AFTER = 0.6
"""Seconds for which a question that opens by itself is on the screen before it takes keys."""


_ROW, _BOX, _FRAME, _BETWEEN, _LEAST_BUTTON = 58, 94, 6, 2, 8
"""Cells for the answers in a wide window, per cent of the window that the box of a question takes, cells of its frame,
between two answers, and of the narrowest answer: as in the style sheet."""


class Ask(Dialog):
    """A dialog that asks the person to choose one of a few actions. The answer is the key of the choice; the first
    choice has the focus.

    An `unasked` question opens by itself. A key that was pressed before the person could see the question was meant for
    something else. Then the question closes with the answer "typed", and the key goes to the widget for which it was
    typed.
    """

    BINDINGS: ClassVar = [
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, text: str, choices: Sequence[DialogChoice], *, unasked: bool = False) -> None:
        super().__init__()
        self._title, self._text, self._choices = title, text, tuple(choices)
        self.is_ready = not unasked
        """Whether keys answer the question."""

    def compose(self) -> ComposeResult:
        """Yield the widgets of the dialog."""
        with Vertical(classes="box"):
            yield Label(printable(self._title), classes="title", markup=False)
            yield Static(Text(printable(self._text, keep="\n")), classes="text")
            with Horizontal(classes="buttons"):
                for choice in self._choices:
                    button = Button(_lettered(choice), id=f"choice-{choice.key}", compact=True)
                    button.disabled = not self.is_ready
                    button.display = self.is_ready  # an answer is shown once it can be given
                    yield button

    def on_mount(self) -> None:
        """Accept keys only after the question was visible for a moment."""
        if not self.is_ready:
            self.call_after_refresh(self.set_timer, SEEN_AFTER, self._get_ready)

    def on_resize(self) -> None:
        """Stack the answers if a row of them would be cut off."""
        row = self.query_one(".buttons")
        needed = sum(max(_LEAST_BUTTON, len(choice.text) + 2) + _BETWEEN for choice in self._choices)
        row.set_class(needed > min(_ROW, self.size.width * _BOX // 100 - _FRAME), "stacked")

    def _get_ready(self) -> None:
        self.is_ready = True
        buttons = list(self.query(Button))
        for button in buttons:
            button.disabled = False
            button.display = True
        buttons[0].focus()

    def action_dismiss_none(self) -> None:
        """Close without an answer, or with the answer "typed" if the question does not accept keys yet."""
        self.dismiss(None if self.is_ready else "typed")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close with the answer of the button."""
        self.dismiss((event.button.id or "").removeprefix("choice-"))

    def on_key(self, event: events.Key) -> None:
        """Close with the answer that has this letter."""
        if not self.is_ready:
            event.stop()
            self._pass_on(events.Key(event.key, event.character))
            return
        for choice in self._choices:
            if choice.letter and event.character == choice.letter:
                event.stop()
                self.dismiss(choice.key)

    def on_paste(self, event: events.Paste) -> None:
        """Close the dialog if a paste comes too early, and pass the paste on to the widget for which it was meant."""
        if not self.is_ready:
            event.stop()
            self._pass_on(events.Paste(event.text))

    def _pass_on(self, event: events.Key | events.Paste) -> None:
        self.dismiss("typed")
        self.app.call_later(self.app.post_message, event)


def _lettered(choice: DialogChoice) -> Text:
    text = Text(choice.text)
    place = choice.text.lower().find(choice.letter) if choice.letter else -1
    if place >= 0:
        text.stylize("underline", place, place + 1)
    return text


class Prompt(Dialog):
    """A dialog that asks for a line of text. `check` returns the error in the line, or an empty string."""

    def __init__(self, title: str, value: str = "", hint: str = "", check: Callable[[str], str] | None = None) -> None:
        super().__init__()
        self._title, self._value, self._hint, self._check = title, value, hint, check

    def compose(self) -> ComposeResult:
        """Yield the widgets of the dialog."""
        with Vertical(classes="box"):
            yield Label(printable(self._title), classes="title", markup=False)
            yield LineField(self._value, select_on_focus=True)
            yield Static(Text(self._hint), classes="hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the line if it is valid."""
        wrong = self._check(event.value) if self._check is not None else ""
        if wrong:
            self.query_one(".hint", Static).update(Text(printable(wrong), style="bold"))
            self.query_one(".hint").add_class("wrong")
            return
        self.dismiss(event.value)


class Choice(NamedTuple):
    """An entry to pick: the value that is returned for it, its text, and the details beside the text."""

    value: Any
    text: str
    detail: str = ""


class Pick(Dialog):
    """A dialog to pick one of many entries. The answer is the entry's value. Typed words filter the list."""

    BINDINGS: ClassVar = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("pagedown", "move(10)", show=False),
        Binding("enter", "take", show=False),
    ]
    MOST = 300

    def __init__(self, title: str, items: Sequence[Choice], *, hint: str = "", free: bool = False) -> None:
        """Prepare the question. With `free`, the typed text is the answer if no entry fits it."""
        super().__init__()
        self._title, self._items, self._hint, self._free = title, tuple(items), hint, free
        self._left: list[Choice] = []

    def compose(self) -> ComposeResult:
        """Yield the widgets of the dialog."""
        with Vertical(classes="box wide"):
            yield Label(printable(self._title), classes="title", markup=False)
            yield LineField(placeholder=self._hint or "type to narrow down")
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Show all entries of the list."""
        self.query_one(OptionList).can_focus = False
        self._narrow("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the entries that match the typed text."""
        self._narrow(event.value)

    def _narrow(self, query: str) -> None:
        rated = [(rate(query, f"{item.text} {item.detail}"), number, item) for number, item in enumerate(self._items)]
        fitting = sorted(
            (entry for entry in rated if entry[0] is not None), key=lambda entry: (-(entry[0] or 0), entry[1])
        )
        self._left = [item for _, _, item in fitting][: self.MOST]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(_row(item)) for item in self._left])
        options.highlighted = 0 if self._left else None

    def action_move(self, step: int) -> None:
        """Move the highlight by `step` entries of the list."""
        options = self.query_one(OptionList)
        if self._left:
            options.highlighted = min(max((options.highlighted or 0) + step, 0), len(self._left) - 1)

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Close with the highlighted entry."""
        self.action_take()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._left[event.option_index].value)

    def action_take(self) -> None:
        """Close with the value of the highlighted entry."""
        chosen = self.query_one(OptionList).highlighted
        typed = self.query_one(Input).value
        if self._left and chosen is not None:
            self.dismiss(self._left[chosen].value)
        elif self._free and typed:
            self.dismiss(typed)


def _row(item: Choice) -> Text:
    text = Text(printable(item.text), no_wrap=True, overflow="ellipsis")
    if item.detail:
        text.append(f"  {printable(item.detail)}", style="dim")
    return text


def rate(query: str, text: str) -> float | None:
    """Return a score for how well `text` matches the typed `query`; None if it does not contain the query's letters in
    order."""
    wanted, text = query.lower().replace(" ", ""), text.lower()
    if not wanted:
        return 0.0
    whole = text.find(query.lower().strip())
    if whole >= 0:
        return 1000.0 - whole + (500 if whole == 0 or not text[whole - 1].isalnum() else 0)
    place, score = -1, 0.0
    for letter in wanted:
        found = text.find(letter, place + 1)
        if found < 0:
            return None
        score += 10 if found == place + 1 or (found and not text[found - 1].isalnum()) else 1
        place = found
    return score


class TextDialog(Dialog):
    """A dialog that shows a Markdown text for reading."""

    BINDINGS: ClassVar = [
        Binding("enter,q", "dismiss_none", "Back", show=False),
        Binding("up", "by(-1)", show=False),
        Binding("down", "by(1)", show=False),
        Binding("pageup", "by(-10)", show=False),
        Binding("pagedown,space", "by(10)", show=False),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Yield the widgets of the dialog."""
        from textual.widgets import Markdown  # here, because its parser takes long to load

        with Vertical(classes="box wide"):
            yield Label(printable(self._title), classes="title", markup=False)
            with VerticalScroll(can_focus=False):
                yield Markdown(printable(self._text, keep="\n"), open_links=False)
            yield Static("escape goes back", classes="hint")

    def action_by(self, lines: int) -> None:
        """Scroll the text by `lines`."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class ChangedText(NamedTuple):
    """A text that would change: its heading, and the text before and after."""

    heading: str
    before: str
    after: str


class Diff(Dialog):
    """A dialog that shows changes to texts, and asks whether to make them. The answer is True or False."""

    BINDINGS: ClassVar = [
        Binding("enter,a,y", "answer(True)", "Accept", show=False),
        Binding("r,n", "answer(False)", "Reject", show=False),
        Binding("up", "by(-1)", show=False),
        Binding("down", "by(1)", show=False),
        Binding("pageup", "by(-10)", show=False),
        Binding("pagedown,space", "by(10)", show=False),
    ]

    def __init__(self, title: str, before: str, after: str, accept: str = "Accept", reject: str = "Reject") -> None:
        super().__init__()
        self._title, self._texts = title, [ChangedText("", before, after)]
        self._accept, self._reject = accept, reject

    @classmethod
    def of_many(cls, title: str, texts: Sequence[ChangedText], accept: str, reject: str) -> Diff:
        """Return a dialog about several texts; `accept` and `reject` are the labels of the two answers."""
        made = cls(title, "", "", accept, reject)
        made._texts = list(texts)
        return made

    def compose(self) -> ComposeResult:
        """Yield the widgets of the dialog."""
        with Vertical(classes="box wide"):
            yield Label(printable(self._title), classes="title", markup=False)
            with VerticalScroll(can_focus=False):
                yield Static(self._lines())
            yield Static(f"enter: {self._accept.lower()}   r: {self._reject.lower()}   escape: back", classes="hint")

    def _lines(self) -> Text:
        from difflib import unified_diff

        colors = self.app.theme_variables
        styles = {"+": colors["success"], "-": colors["error"], "@": colors["bench-muted"]}
        text = Text(no_wrap=True)
        for heading, before, after in self._texts:
            if heading:
                text.append(printable(heading) + "\n", style="bold")
            lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3)
            for line in list(lines)[2:]:
                text.append(printable(line) + "\n", style=styles.get(line[:1], ""))
        return text

    def action_answer(self, answer: bool) -> None:
        """Close with the answer."""
        self.dismiss(answer)

    def action_by(self, lines: int) -> None:
        """Scroll the changes by `lines`."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

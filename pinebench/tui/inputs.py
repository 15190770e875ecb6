"""Fields for a typed line or text with the editing keys of readline. The field gets these keys before the workbench."""

from __future__ import annotations

import re
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input, TextArea

LINE_KEYS = {
    "ctrl+a": ("home", "to the beginning of the line"),
    "ctrl+e": ("end", "to the end of the line"),
    "ctrl+b": ("cursor_left", "back by a character"),
    "ctrl+f": ("cursor_right", "forward by a character"),
    "alt+b": ("cursor_left_word", "back by a word"),
    "alt+f": ("cursor_right_word", "forward by a word"),
    "ctrl+d": ("delete_right", "delete the character here"),
    "ctrl+w": ("kill_blank_word", "delete back to a space"),
    "alt+backspace": ("kill_word(-1)", "delete back to the beginning of the word"),
    "alt+d": ("kill_word(1)", "delete to the end of the word; at the end of the line, the assistant's proposal"),
    "ctrl+k": ("kill_line(1)", "delete to the end of the line"),
    "ctrl+u": ("kill_line(-1)", "delete to the beginning of the line"),
    "ctrl+y": ("yank", "insert what was deleted last"),
    "ctrl+t": ("transpose", "swap two characters"),
    "alt+u": ("change_word('upper')", "the word in capitals"),
    "alt+l": ("change_word('lower')", "the word in small letters"),
    "alt+c": ("change_word('capitalize')", "the word with a capital"),
    "ctrl+j": ("submit", "as enter"),
}
"""The editing keys of a field of one line: the action of each, and its description."""

TEXT_KEYS = {
    "ctrl+a": ("cursor_line_start", "to the beginning of the line"),
    "ctrl+e": ("cursor_line_end", "to the end of the line"),
    "ctrl+b": ("cursor_left", "back by a character"),
    "ctrl+f": ("cursor_right", "forward by a character"),
    "alt+b": ("cursor_word_left", "back by a word"),
    "alt+f": ("cursor_word_right", "forward by a word"),
    "ctrl+d": ("delete_right", "delete the character here"),
    "ctrl+w": ("delete_word_left", "delete back to the beginning of the word"),
    "alt+backspace": ("delete_word_left", "delete back to the beginning of the word"),
    "alt+d": ("delete_word_right", "delete to the end of the word"),
    "ctrl+k": ("delete_to_end_of_line_or_delete_line", "delete to the end of the line"),
    "ctrl+u": ("delete_to_start_of_line", "delete to the beginning of the line"),
    "ctrl+y": ("redo", "redo"),
    "ctrl+j": ("break_line", "a new line"),
}
"""The editing keys of a field of several lines."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_WORD = re.compile(r"\w+")


def _bindings(keys: dict[str, tuple[str, str]]) -> list[BindingType]:
    return [Binding(key, action, words, show=False) for key, (action, words) in keys.items()]


class LineField(Input):
    """A field of one line. It gets the keys `own_keys` before the commands of the workbench."""

    BINDINGS: ClassVar = _bindings(LINE_KEYS)
    own_keys: ClassVar = frozenset(LINE_KEYS)
    killed: ClassVar[str] = ""
    """The text that was deleted last in any field."""

    def takes_key(self, key: str) -> bool:
        """Return whether a key is for the field, even if it is also the key of a command."""
        return key in self.own_keys and not (key == "alt+d" and self.cursor_position >= len(self.value))

    def _on_paste(self, event: events.Paste) -> None:
        """Insert a paste as one line: its line ends become spaces, and other control characters are left out."""
        event.stop()
        event.prevent_default()
        line = " ".join(part for part in event.text.splitlines() if part.strip()) if "\n" in event.text else event.text
        self.replace(_CONTROL.sub("", line.replace("\r", " ")), *self.selection)

    def _kill(self, start: int, end: int) -> None:
        if start < end:
            LineField.killed = self.value[start:end]
            self.delete(start, end)

    def action_kill_line(self, direction: int) -> None:
        """Delete to the end of the line (1), or to its beginning (-1)."""
        here = self.cursor_position
        self._kill(*((here, len(self.value)) if direction > 0 else (0, here)))

    def action_kill_blank_word(self) -> None:
        """Delete back to the last space before the word."""
        here = self.cursor_position
        before = self.value[:here].rstrip()
        self._kill(max(before.rfind(" "), before.rfind("\t")) + 1, here)

    def action_kill_word(self, direction: int) -> None:
        """Delete to the end of the word (1), or back to its beginning (-1)."""
        here = self.cursor_position
        if direction > 0:
            self._kill(here, self._word_after(here)[1])
        else:
            starts = [word.start() for word in _WORD.finditer(self.value, 0, here)]
            self._kill(starts[-1] if starts else 0, here)

    def _word_after(self, here: int) -> tuple[int, int]:
        """The next word from `here` on; both places are the end of the line if there is none."""
        found = _WORD.search(self.value, here)
        return found.span() if found is not None else (len(self.value), len(self.value))

    def action_yank(self) -> None:
        """Insert the text that was last deleted."""
        self.replace(LineField.killed, *self.selection)

    def action_transpose(self) -> None:
        """Swap the characters around the cursor, or the last two at the end of the line."""
        here = min(self.cursor_position, len(self.value) - 1)
        if here > 0:
            self.replace(self.value[here] + self.value[here - 1], here - 1, here + 1)
            self.cursor_position = here + 1

    def action_change_word(self, change: str) -> None:
        """Change the word from the cursor on to upper case, to lower case, or to a capital first letter."""
        start, end = self._word_after(self.cursor_position)
        if start < end:
            self.replace(getattr(self.value[start:end], change)(), start, end)
            self.cursor_position = end


class TextField(TextArea):
    """A field of several lines. It gets the keys `own_keys` before the commands of the workbench."""

    BINDINGS: ClassVar = _bindings(TEXT_KEYS)
    own_keys: ClassVar = frozenset(TEXT_KEYS)

    def takes_key(self, key: str) -> bool:
        """Return whether a key is for the field, even if it is also the key of a command."""
        return key in self.own_keys

    def action_break_line(self) -> None:
        """Begin a new line."""
        self.insert("\n")

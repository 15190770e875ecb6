"""Make the table of `docs/terminal-keys.md`: which part of the workbench receives each editing key of readline."""

from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Button, DataTable, OptionList, Tree

from pinebench.tui import commands
from pinebench.tui.editor import Editor
from pinebench.tui.fields import Chooser
from pinebench.tui.inputs import LineField, TextField

READLINE = (
    *(f"ctrl+{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"),
    *("ctrl+@", "ctrl+underscore", "ctrl+right_square_bracket"),
    *(f"alt+{letter}" for letter in "bcdflnprtuy"),
    *("ctrl+left", "ctrl+right", "alt+backspace", "alt+full_stop", "alt+less_than_sign", "alt+greater_than_sign"),
    *("alt+backslash", "alt+number_sign", "alt+asterisk", "alt+question_mark", "alt+minus"),
    *("home", "end", "delete", "backspace", "enter", "tab"),
)
"""The keys that readline knows for editing a line. A terminal sends ctrl+h, ctrl+i and ctrl+m as backspace, tab and
enter."""
_SAME = {"ctrl+h": "backspace", "ctrl+i": "tab", "ctrl+m": "enter"}
PARTS: dict[str, type[Widget]] = {
    "editor": Editor,
    "field of a line": LineField,
    "field of a text": TextField,
    "list": OptionList,
    "tree": Tree,
    "table": DataTable,
    "choice": Chooser,
    "button": Button,
}
"""The parts that can have the focus. Fields of questions are fields of a line; lists of panels are lists."""


def receiver(part: type[Widget], key: str) -> str:
    """Return what the key does while a part has the focus, in words; bold for a command of the workbench."""
    key = _SAME.get(key, key)
    own = getattr(part, "own_keys", ())
    command = next((each for each in commands.COMMANDS if key in each.keys.split(",")), None)
    if command is not None and key not in own:
        return f"**{command.title.rstrip('…')}**"
    binding = _binding(part, key)
    if binding is not None:
        return binding.description or binding.action.partition("(")[0].replace("_", " ")
    return _typed(part, key)


def _binding(part: type[Widget], key: str) -> Binding | None:
    for each in part.__mro__:
        found = each.__dict__.get("BINDINGS", ())
        for binding in Binding.make_bindings(found):
            if key in (name.strip() for name in binding.key.split(",")):
                return binding
    return None


def _typed(part: type[Widget], key: str) -> str:
    """Return what a key does in a part that handles it without a binding, in words."""
    if key == "tab":
        return "to the next part of the panel"
    if key == "enter" and part in (Editor, TextField):
        return "a new line"
    return "–"


def table() -> str:
    """Return the table: a row for each key, a column for each part."""
    rows = [f"| key | {' | '.join(PARTS)} |", f"|:--|{':--|' * len(PARTS)}"]
    for key in READLINE:
        cells = " | ".join(receiver(part, key) for part in PARTS.values())
        rows.append(f"| {commands.written(key).replace('<', '&lt;')} | {cells} |")
    return "\n".join(rows) + "\n"

"""Random keys, pastes and resizes: never an exception, and the text is that of a model of the edits."""

import random
from pathlib import Path

import pytest
from textual import events
from textual._xterm_parser import XTermParser

from pinebench.tui import letters
from pinebench.tui.commands import COMMANDS
from pinebench.tui.indentation import indent_after
from tests.tui.support import SCRIPT, Bench, bench, run, write

LETTERS = 'abz019_.,()=+"#汉é😀'
MOVES = (
    *("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "ctrl+home", "ctrl+end", "ctrl+left"),
    *("shift+left", "shift+right", "shift+up", "shift+down", "shift+end", "f8", "f3", "alt+w", "alt+o", "alt+e"),
)
PANEL_KEYS = ("alt+w", "alt+o")
_KEYS = {
    ".": "full_stop",
    ",": "comma",
    "(": "left_parenthesis",
    ")": "right_parenthesis",
    "+": "plus",
    "=": "equals_sign",
    '"': "quotation_mark",
    "#": "number_sign",
}
SIZES = ((80, 24), (120, 40), (200, 60), (40, 10), (20, 6), (150, 37))


def expected(it: Bench, key: str) -> str:
    """The text after `key`, from the text, the selection and the rule for a new line."""
    editor = it.front.editor
    text, (start, end) = editor.text, editor.selected_span
    if key == "backspace":
        row, column = editor.cursor_location
        before = editor.document[row][:column]
        step = (column - 1) % 4 + 1 if len(before) > 1 and not before.strip(" ") else 1
        return text[: start - step if start == end and start else start] + text[end:]
    if key == "delete":
        return text[:start] + text[end + 1 if start == end else end :]
    if key == "enter":
        row, column = min(editor.selection)
        before = editor.document[row][:column]
        indent = before[: len(before) - len(before.lstrip(" \t"))]
        if column > len(indent):
            in_brackets = editor.snapshot.is_in_brackets(editor.source.offset((row, column)))
            indent = indent_after(before, in_brackets=in_brackets)
        return f"{text[:start]}\n{indent}{text[end:]}"
    return text[:start] + (" " if key == "space" else key) + text[end:]


async def storm(it: Bench, keys: int, seed: int) -> None:
    """Press so many keys."""
    chance = random.Random(seed)
    for number in range(keys):
        editor = it.front.editor
        if not editor.has_focus or it.app.popup.was_moved:
            it.app.popup.close()
            it.app.popup.was_moved = False
            editor.focus()
            await it.pilot.pause()
        kind = chance.random()
        if kind < 0.62:
            key = chance.choice((*LETTERS, "enter", "space", "space", "backspace", "backspace", "delete"))
            wanted = expected(it, key)
            if key == "😀":  # of which a pilot does not know the key
                it.app.post_message(events.Key("grinning_face", key))
                await it.pilot.pause()
            else:
                await it.press(_KEYS.get(key, key))
            assert editor.text == wanted, f"key {number}: {key!r}"
        elif kind < 0.66:
            text, (start, end), paste = editor.text, editor.selected_span, chance.choice(("汉\tx", "a\nb\n", ")"))
            await editor._on_paste(events.Paste(paste))
            assert editor.text == text[:start] + paste + text[end:], f"paste {number}"
        elif kind < 0.68:
            await it.pilot.resize_terminal(*chance.choice(SIZES))
        elif kind < 0.72:
            await it.press(*chance.choice((("ctrl+z",), ("ctrl+z", "ctrl+y"), ("ctrl+underscore", "ctrl+underscore"))))
        elif kind < 0.74:
            await it.press("escape")
        else:
            text, key = editor.text, chance.choice(MOVES)
            await it.press(key)
            if key in PANEL_KEYS:  # shown beside: what comes next is not for the editor
                await it.until(lambda editor=editor: not editor.has_focus)
            assert editor.text == text
        assert editor.snapshot.text == editor.text
        assert "".join(editor.document.lines) == editor.text.replace("\n", "")


def _stormed(tmp_path: Path, keys: int, seed: int) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(script) as it:
            await storm(it, keys, seed)
            editor = it.front.editor
            editor.focus()
            await it.pilot.resize_terminal(100, 30)
            text = editor.text
            steps = len(editor.history.undo_stack)
            for _ in range(steps):
                editor.undo()
            assert editor.text == SCRIPT
            for _ in range(steps):
                editor.redo()
            assert editor.text == text
            await it.checked()

    run(story())


SIGNS = {"comma": ",", "full_stop": ".", "semicolon": ";", "less_than_sign": "<", "greater_than_sign": ">"}


def test_every_command_has_keys_that_a_terminal_can_send() -> None:
    def heard(sequence: str) -> list[str]:
        parser = XTermParser(False)
        tokens = [*parser.feed(sequence), *parser.feed("")]
        return [token.key for token in tokens if isinstance(token, events.Key)]

    letters.know()
    taken: dict[str, str] = {}
    for command in COMMANDS:
        for key in filter(None, command.keys.split(",")):
            assert taken.setdefault(key, command.name) == command.name, f"{key} does two things"
            sign = key.removeprefix("alt+")
            if (sign != key and len(sign) == 1) or sign in SIGNS:
                assert heard(f"\x1b{SIGNS.get(sign, sign)}") == [key], f"{command.name}: {key}"
            elif key.startswith("ctrl+") and key[-1].isalpha() and len(key) == 6:
                # These three are enter, tab and backspace to a terminal.
                assert key[-1] not in "mih", f"{command.name}: {key}"
                assert heard(chr(ord(key[-1]) - 96)) == [key]


def test_keys_that_come_at_once_are_told_apart() -> None:
    letters.know()
    parser = XTermParser(False)
    tokens = [*parser.feed("\x1bw\x1be\x1bv\x1b[6~\x1bx\x1b[1;2A1\x1b[Z"), *parser.feed("")]
    heard = [token.key for token in tokens if isinstance(token, events.Key)]
    assert heard == ["alt+w", "alt+e", "alt+v", "pagedown", "alt+x", "shift+up", "1", "shift+tab"]


async def test_a_letter_held_with_alt_types_nothing(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        for letter in "bf":
            it.app.post_message(events.Key(f"alt+{letter}", letter))
        await it.pilot.pause()
        assert it.text == SCRIPT
        it.app.post_message(events.Key("alt+c", "c"))
        await it.until(lambda: it.text == SCRIPT.removeprefix("//"), "the comment is code")


def test_some_keys(tmp_path: Path) -> None:
    _stormed(tmp_path, 60, 1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 3])
def test_ten_thousand_keys(tmp_path: Path, seed: int) -> None:
    _stormed(tmp_path, 10_000, seed)

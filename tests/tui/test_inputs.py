"""The editing keys of a field belong to the field: no command runs, and the line is edited as readline does it."""

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.dom import DOMNode
from textual.widget import Widget
from textual.widgets import Button, DataTable, OptionList, TextArea, Tree

from pinebench.tui.commands import COMMANDS
from pinebench.tui.fields import Chooser
from pinebench.tui.inputs import LineField, TextField
from tests.tui.support import SCRIPT, Bench, bench, run, write

_SCRIPT = Path(__file__).parents[2] / "scripts" / "docs" / "terminal_keys.py"
CASES = [
    ("one two", 7, ("ctrl+w",), "one "),
    ("one two-three", 13, ("alt+backspace",), "one two-"),
    ("one two", 3, ("ctrl+k",), "one"),
    ("one two", 4, ("ctrl+u",), "two"),
    ("one two", 4, ("ctrl+k", "ctrl+a", "ctrl+y"), "twoone "),
    ("one two", 3, ("alt+d",), "one"),
    ("one two", 0, ("ctrl+d",), "ne two"),
    ("ab", 2, ("ctrl+t",), "ba"),
    ("abc", 1, ("ctrl+t",), "bac"),
    ("one two", 0, ("alt+u", "alt+c"), "ONE Two"),
    ("ONE", 0, ("alt+l",), "one"),
    ("one", 0, ("ctrl+e", "!", "ctrl+a", "?"), "?one!"),
    ("one", 3, ("ctrl+b", "!", "ctrl+f", "?"), "on!e?"),
    ("", 0, ("ctrl+w", "ctrl+k", "ctrl+u", "ctrl+t", "alt+u", "alt+backspace"), ""),
]


def _told(it: Bench, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that run from now on. They do nothing."""
    found: list[str] = []
    monkeypatch.setattr(it.app, "do", found.append)
    return found


def _keys() -> Any:
    spec = importlib.util.spec_from_file_location("terminal_keys", _SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def test_a_field_is_edited_as_a_line_of_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.press("alt+v")
        await it.until(lambda: getattr(it.app.focused, "id", "") == "run-bars")
        field = it.app.query_one("#run-bars", LineField)
        told = _told(it, monkeypatch)
        for before, place, keys, after in CASES:
            field.value, field.cursor_position = before, place
            await it.press(*keys)
            assert (field.value, told) == (after, []), (before, keys)
        for pasted, line in (("a\x1bb\x00", "ab"), ("a\r\nb\n", "a b"), ("a\tb", "a\tb")):
            field.value = ""
            field.post_message(events.Paste(pasted))
            await it.until(lambda line=line: field.value == line, "the paste")


def _state(part: Widget) -> tuple[object, ...]:
    """All that a key can change in a part, and where the focus is."""
    names = ("text", "selection", "value", "cursor_position", "highlighted", "cursor_line", "cursor_coordinate")
    return (*(getattr(part, name, None) for name in names), part.app.focused)


async def _prepared(part: Widget, key: str) -> None:
    """Give a part the focus and something to edit in the middle, or selected text to copy."""
    part.focus()
    if isinstance(part, LineField):
        part.value, part.cursor_position = "one two three", 5
    elif isinstance(part, TextArea):
        part.text = "one two three\nfour five six\nseven"
        part.cursor_location = (1, 6)
    elif isinstance(part, OptionList):
        part.highlighted = 1
    if key in ("ctrl+c", "ctrl+x") and isinstance(part, LineField | TextArea):
        part.action_select_all()
    while part.app.focused is not part:
        await asyncio.sleep(0)


async def _pressed(it: Bench, key: str) -> None:
    """Press a key, and wait until it has its effect."""
    handled = asyncio.Event()
    it.app.post_message(events.Key(key, {"enter": "\r", "tab": "\t"}.get(key)))
    it.app.call_later(handled.set)
    await handled.wait()
    while not it.app._turns.is_over:
        await asyncio.sleep(0)


def test_the_table_tells_who_gets_each_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell of the table is tried by pressing its key while a part of its kind has the focus."""
    keys = _keys()
    script = write(tmp_path / "a.pine", SCRIPT)
    commands = {f"**{each.title.rstrip('…')}**": each.name for each in COMMANDS}

    async def story() -> None:
        async with bench(script, size=(100, 60)) as it:
            await it.checked()
            await it.press("alt+v")
            await it.until(lambda: it.app.panel is not None and it.app.panel.id == "panel-run", "a panel")
            table: DataTable[str] = DataTable()
            tree: Tree[str] = Tree("tree")
            new: list[Widget] = [LineField(), TextField(), OptionList("a", "b", "c"), tree, table]
            new += [Chooser([("a", "a"), ("b", "b")], "a"), Button("button")]
            assert it.app.panel is not None
            await it.app.panel.mount(*new)
            table.add_columns("a", "b")
            table.add_rows([("1", "2"), ("3", "4")])
            told = _told(it, monkeypatch)
            ran: list[tuple[str, object]] = []
            run_action = it.app.run_action

            async def noted(action: str, namespace: DOMNode | None = None, *more: Any) -> bool:
                done = await run_action(action, namespace, *more)
                ran.extend([(action, namespace)] if done else [])
                return done

            monkeypatch.setattr(it.app, "run_action", noted)
            wrong: list[tuple[object, ...]] = []
            for part, kind in zip((it.front.editor, *new), keys.PARTS.values(), strict=True):
                assert type(part) is kind
                for key in keys.READLINE:
                    await _prepared(part, key)
                    told.clear()
                    ran.clear()
                    words, before = keys.receiver(kind, key), _state(part)
                    await _pressed(it, keys._SAME.get(key, key))
                    own = [action for action, namespace in ran if namespace is part]
                    binding = keys._binding(kind, keys._SAME.get(key, key))
                    is_done = bool(own) or _state(part) != before
                    if words in commands:
                        fits = told == [commands[words]] and not own
                    elif words == "–":
                        others = [action for action, _ in ran if action != "help_quit"]  # which does nothing here
                        fits = not (told or others or is_done)
                    else:
                        fits = not told and is_done and (binding is None or binding.action in own)
                    if not fits:
                        wrong.append((kind.__name__, key, words, told[:], ran[:], is_done))
            assert not wrong, "\n".join(map(str, wrong))
            assert not it.app._notifications

    run(story())

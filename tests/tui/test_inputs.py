"""The editing keys of a field belong to the field: no command runs, and the line is edited as readline does it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.widgets import OptionList

from pinebench.tui.inputs import LineField
from tests.tui.support import SCRIPT, Bench, bench, run, write

_SCRIPT = Path(__file__).parents[2] / "scripts" / "terminal_keys.py"
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


def test_a_field_is_edited_as_a_line_of_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
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

    run(story())


def test_the_table_tells_who_gets_each_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = _keys()
    assert keys.page() == (Path(__file__).parents[2] / "docs" / "terminal-keys.md").read_text()
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(script) as it:
            await it.checked()
            for name, show, kind in (("run", "alt+v", LineField), ("outline", "alt+o", OptionList)):
                await it.press(show)
                await it.until(lambda name=name: it.app.panel is not None and it.app.panel.id == f"panel-{name}")
                await it.until(lambda kind=kind: isinstance(it.app.focused, kind), "the focus")
                part = it.app.focused
                assert part is not None
                with monkeypatch.context() as patch:
                    told = _told(it, patch)
                    for key in keys.READLINE:
                        if key in ("tab", "enter"):
                            continue
                        part.focus()
                        if isinstance(part, LineField):
                            part.value, part.cursor_position = "one two", 0
                        told.clear()
                        await it.press(keys._SAME.get(key, key))
                        is_command = keys.receiver(kind, key).startswith("**")
                        assert bool(told) == is_command or key in ("ctrl+i", "ctrl+m"), (name, key, told)

    run(story())

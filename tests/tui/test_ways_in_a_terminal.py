"""Ways to lose, overwrite or half-edit a text, each tried in a real terminal: afterwards every text is found again.

`MINE` is what was typed here, `THEIRS` what another program wrote, SCRIPT the text that both began from.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.tui.support import SCRIPT, write
from tests.tui.terminals import Terminal, everywhere, terminal

MINE = "// mine\n" + SCRIPT
THEIRS = SCRIPT + "// theirs\n"


# How a workbench ends


def _killed(name: str) -> Callable[[Terminal], None]:
    def end(it: Terminal) -> None:
        it.kill(name)

    return end


def _quit(it: Terminal) -> None:
    """Quit, and insist if there is a question."""
    it.press("ctrl+q")
    it.until(lambda: it.process.poll() is not None or "Quit without saving" in it.seen, "the end, or a question")
    if it.process.poll() is None:
        it.press("w")
    it.ended()


ENDS: dict[str, Callable[[Terminal], None]] = {
    **{name: _killed(name) for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGSEGV", "SIGABRT", "closed")},
    "quit": _quit,
}


# What was there before the end


def _typed(it: Terminal, script: Path) -> set[str]:
    it.press(*"// mine", "enter")
    it.keeps(MINE)
    return {MINE, SCRIPT}


def _pasted(it: Terminal, script: Path) -> set[str]:
    it.paste(b"// mine\n")
    it.keeps(MINE)
    return {MINE, SCRIPT}


def _without_a_file(it: Terminal, script: Path) -> set[str]:
    it.press("ctrl+n")
    it.sees("untitled-1")
    it.press("ctrl+home", *"// mine")
    text = '// mine//@version=6\nindicator("My script", overlay = true)\n\nplot(close)\n'
    it.keeps(text)
    return {text, SCRIPT}


def _deleted(it: Terminal, script: Path) -> set[str]:
    script.unlink()
    it.sees("file is gone")
    it.keeps(SCRIPT)
    return {SCRIPT}


def _renamed_away(it: Terminal, script: Path) -> set[str]:
    write(script.with_name("other.pine"), THEIRS)
    os.replace(script.with_name("other.pine"), script.with_name("moved.pine"))
    script.unlink()
    it.sees("file is gone")
    it.keeps(SCRIPT)
    return {SCRIPT, THEIRS}


def _emptied(it: Terminal, script: Path) -> set[str]:
    script.write_bytes(b"")
    it.sees("loaded from disk")
    return {SCRIPT}


def _cut_in_half(it: Terminal, script: Path) -> set[str]:
    os.truncate(script, len(SCRIPT) // 2)
    it.sees("loaded from disk")
    return {SCRIPT}


def _changed_to_no_text(it: Terminal, script: Path) -> set[str]:
    script.write_bytes(b"\0\xff\0\xfe binary")
    it.sees("changed on disk")
    return {SCRIPT}


def _now_a_folder(it: Terminal, script: Path) -> set[str]:
    script.unlink()
    script.mkdir()
    it.sees("changed on disk")
    return {SCRIPT}


# Edits


class Edit(NamedTuple):
    """What a person does with a text, and the text in the file when it is saved afterwards."""

    name: str
    text: str
    steps: tuple[tuple[str, ...] | bytes | str, ...]
    """Keys that are pressed at once, a paste, or words that are waited for."""
    after: str
    is_quick: bool = False


HEAD = '//@version=6\nindicator("x")\n'
_MANY = "x = 1\n" * 6000
EDITS = (
    Edit(
        "replace all replaces all",
        _MANY,
        (("ctrl+r", "x", "tab", "y", "alt+a"), "replaced in 6000 places"),
        "y = 1\n" * 6000,
        is_quick=True,
    ),
    Edit(
        "replace all by an expression",
        "a1 b2\r\nc3\r\n",
        (("ctrl+r", *r"/(\w)(\d)$/", "tab", *r"\2\1", "alt+a"), "replaced in 2 places"),
        "a1 2b\r\n3c\r\n",
    ),
    Edit(
        "a slow expression",
        "// " + "a" * 40 + "b\n",
        (("ctrl+f", *"/(a+)+$/"), "nothing found", ("escape", "ctrl+home", "!")),
        "!// " + "a" * 40 + "b\n",
        is_quick=True,
    ),
    Edit(
        "replace all without its line",
        SCRIPT,
        (("ctrl+f", *"length"), "1 of", ("escape",), ("alt+a",), "nothing is replaced", ("ctrl+home", "!")),
        "!" + SCRIPT,
        is_quick=True,
    ),
    Edit(
        "the next one of a hidden bar",
        SCRIPT,
        (("ctrl+f", *"length"), "1 of", ("escape",), ("f3",), "2 of", ("escape", "ctrl+home", "!")),
        "!" + SCRIPT,
    ),
    Edit(
        "tab in the search of a folder",
        "close\nclose\n",
        (
            ("alt+i", *"close", "enter"),
            "2 places",
            ("tab", *"open", "enter"),
            "Replace close by open",
            ("r",),
            "still unsaved",
        ),
        "open\nopen\n",
        is_quick=True,
    ),
    Edit(
        "tab in the search goes around",
        SCRIPT,
        (("alt+i", *"length"), ("tab", "tab", "tab", "tab", "shift+tab", *"zz"), ("alt+e", "!")),
        "!" + SCRIPT,
    ),
    Edit("a coloured paste", SCRIPT, (b"AA\x1b[31mBB\n",), "AA\x1b[31mBB\n" + SCRIPT, is_quick=True),
    Edit("a paste with the key that quits", SCRIPT, (b"AA\x1b[31mBB\x11CC\n",), "AA\x1b[31mBB\x11CC\n" + SCRIPT),
    Edit(
        "a paste with every control character",
        SCRIPT,
        (bytes(set(range(32)) - {10, 13}) + b"\n",),
        "".join(map(chr, sorted(set(range(32)) - {10, 13}))) + "\n" + SCRIPT,
    ),
    Edit(
        "a paste that looks like keys", SCRIPT, (b"\x1bOP\x1b[21~\x1bq\x1bl\n",), "\x1bOP\x1b[21~\x1bq\x1bl\n" + SCRIPT
    ),
    Edit(
        "a paste into a field",
        SCRIPT,
        (("ctrl+f",), b"len\x1bgth\x11", "of 3", ("escape", "ctrl+home", "!")),
        "!" + SCRIPT,
    ),
    Edit("two pastes and a key", SCRIPT, (b"one ", ("2", " "), b"three\n"), "one 2 three\n" + SCRIPT),
    Edit("line feeds of an unmarked paste", SCRIPT, (("a", "ctrl+j", *"    b", "ctrl+j"),), "a\n    b\n" + SCRIPT),
    Edit(
        "delete a word in the find bar",
        SCRIPT,
        (("ctrl+f", *"foo bar"), "nothing found", ("ctrl+w", *"x"), ("escape", "ctrl+home", "!")),
        "!" + SCRIPT,
        is_quick=True,
    ),
    Edit("delete a word with alt", "one two", (("ctrl+end", "alt+\x7f", "!"),), "one !"),
    Edit(
        "every editing key in the find bar",
        SCRIPT,
        (
            (
                "ctrl+f",
                *"zz",
                "ctrl+a",
                "ctrl+k",
                "ctrl+y",
                "ctrl+t",
                "alt+u",
                "alt+l",
                "alt+c",
                "ctrl+b",
                "ctrl+d",
                "ctrl+u",
                "ctrl+e",
                "alt+b",
                "alt+f",
                "alt+d",
                "escape",
            ),
            ("ctrl+home", "!"),
        ),
        "!" + SCRIPT,
    ),
    Edit(
        "editing keys in the line for the assistant",
        SCRIPT,
        (("alt+m",), "Ask", (*"hello world", "ctrl+w", "ctrl+k", "ctrl+u", "alt+d"), ("alt+e", "!")),
        "!" + SCRIPT,
    ),
    Edit(
        "rename selects the old name",
        HEAD + "length = 1\nplot(length)\n",
        (("ctrl+home", "down", "down"), "Ln 3", ("f2",), "Rename", (*"len2", "enter"), "len2"),
        HEAD + "len2 = 1\nplot(len2)\n",
    ),
)


def _edited(it: Terminal, script: Path, edit: Edit) -> None:
    for step in edit.steps:
        if isinstance(step, bytes):
            it.paste(step)
        elif isinstance(step, str):
            it.sees(step)
        else:
            it.press(*step)
    it.press("ctrl+s")
    it.until(lambda: script.read_bytes() == edit.after.encode(), f"{edit.name}: {edit.after[:200]!r}")


def _edits(folder: Path, edits: list[Edit]) -> None:
    for number, edit in enumerate(edits):
        work = folder / f"work-{number}"
        work.mkdir()
        script = write(work / "a.pine", edit.text.encode())
        with terminal(script, state=folder / f"state-{number}") as it:
            _edited(it, script, edit)


def test_an_edit_is_whole_and_goes_where_the_focus_is(tmp_path: Path) -> None:
    _edits(tmp_path, [edit for edit in EDITS if edit.is_quick])


@pytest.mark.soak
def test_every_edit_is_whole_and_goes_where_the_focus_is(tmp_path: Path) -> None:
    _edits(tmp_path, [edit for edit in EDITS if not edit.is_quick])


STATES = (_typed, _pasted, _without_a_file, _deleted, _renamed_away, _emptied, _cut_in_half, _changed_to_no_text,
          _now_a_folder)  # fmt: skip
QUICK = {(_deleted, "SIGKILL"), (_deleted, "quit"), (_emptied, "quit"), (_typed, "SIGTERM")}


def _ended(folder: Path, state: Callable[[Terminal, Path], set[str]], end: str) -> None:
    work = folder / f"{state.__name__}-{end}"
    work.mkdir()
    script = write(work / "a.pine", SCRIPT)
    with terminal(script, state=folder / f"state{state.__name__}-{end}") as it:
        wanted = state(it, script)
        ENDS[end](it)
        missing = wanted - everywhere(work, it.state)
        assert not missing, (state.__name__, end, missing)
        if end == "SIGTERM" and state is _typed:
            assert "unsaved text of a.pine is kept" in it.seen


def test_a_text_outlives_the_end(tmp_path: Path) -> None:
    for state, end in sorted(QUICK, key=str):
        _ended(tmp_path, state, end)


@pytest.mark.soak
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__.strip("_"))
def test_a_text_outlives_every_end(tmp_path: Path, state: Callable[[Terminal, Path], set[str]]) -> None:
    for end in ENDS:
        if (state, end) not in QUICK:
            _ended(tmp_path, state, end)


# The drafts themselves


def _drafts(state: Path) -> list[Path]:
    return sorted((state / "drafts").glob("*.draft.json"))


def test_a_given_up_text_is_dropped_once_and_a_damaged_draft_is_named(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    with terminal(script, state=state) as it:
        it.press(*"// mine", "enter", "ctrl+q")  # at once: no draft was written before
        it.sees("Quit without saving")
        it.press("w")
        assert it.ended() == 0
    assert not _drafts(state), "a text that was given up must not be offered again"
    [dropped] = (state / "drafts" / "dropped").iterdir()
    damaged = state / "drafts" / "0123456789ab-script-1.draft.json"
    damaged.write_bytes(dropped.read_bytes()[:-3])
    with terminal(script, state=state) as it:
        it.sees("Damaged draft")
        assert "Unsaved text" not in it.seen
        it.stops_and_goes_on()
        it.sees("a.pine", "Problems", "Ln 2", "F1 Help", "plot(average(close, length))")
    assert [each.name for each in (state / "drafts").glob("*damaged")] == [f"{damaged.name}.damaged"]


def test_without_a_place_for_drafts_the_trouble_stays_on_the_screen_until_it_is_mended(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    state.mkdir()
    write(state / "drafts", "a file where the folder should be")
    with terminal(script, state=state) as it:
        it.sees("drafts cannot be kept")
        it.press(*"// mine", "enter", "ctrl+w")
        it.sees("Close without saving")
        it.press("w")
        it.sees("The text would be lost")
        it.press("y")
        (state / "drafts").unlink()
        it.keeps(MINE)
        shutil.rmtree(state / "drafts")  # somebody tidies up while the workbench runs
        it.press("ctrl+home", "!")
        it.keeps("!" + MINE)

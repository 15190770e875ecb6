"""Ways to lose, overwrite or half-edit a text, each tried in a real terminal: afterwards every text is found again.

`MINE` is what was typed here, `THEIRS` what another program wrote, SCRIPT the text that both began from.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

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

"""A text outlives a disk that takes nothing, another workbench, and an encoding that lacks it.

`test_ways_in_a_terminal.py` tries all that a person and other programs do. `MINE` is what was typed here, `THEIRS` what
others wrote.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pinebench import files
from pinebench.tui.drafts import Drafts
from tests.tui.support import SCRIPT, Bench, bench, run, write
from tests.tui.terminals import everywhere

MINE = "// mine\n" + SCRIPT
THEIRS = SCRIPT + "// theirs\n"


async def _answer(it: Bench, *keys: str) -> None:
    """Press a key that asks, then answer."""
    *asks, answer = keys
    await it.press(*asks)
    await it.asked()
    await it.press(answer)


async def test_a_text_is_saved_at_the_end(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.type("// mine\n")
        await _answer(it, "ctrl+q", "s")
        await it.until(lambda: not it.app.is_running)
    assert script.read_text() == MINE


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS])
def test_a_disk_that_takes_nothing_loses_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(script) as it:

            def full(*_: object, **__: object) -> None:
                raise OSError(fault, os.strerror(fault))

            monkeypatch.setattr(os, "fsync", full)
            monkeypatch.setattr(os, "replace", full)
            await it.type("// mine\n")
            await it.press("ctrl+s")
            await it.until(lambda: "not saved" in it.message)
            assert it.text == MINE and it.front.is_dirty and script.read_text() == SCRIPT
            # Closing without saving says that the text could not be kept, and stays where nobody insists.
            await _answer(it, "ctrl+w", "w")
            await it.until(lambda: it.dialog is not None and "would be lost" in getattr(it.dialog, "_title", ""))
            await it.asked()
            await it.press("y")
            await it.calm()
            assert it.text == MINE
            monkeypatch.undo()
            await it.press("ctrl+s")
            await it.until(lambda: not it.front.is_dirty)

    run(story())
    assert script.read_text() == MINE


def test_two_workbenches_write_one_file(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(script) as it, bench(script) as other:
            await it.type("// mine\n")
            await other.press("ctrl+end")
            await other.type("// theirs\n")
            await it.until(lambda: it.is_kept(MINE))
            await other.press("ctrl+s")
            await other.until(lambda: not other.front.is_dirty)
            await _answer(it, "ctrl+s", "w")
            await it.calm()
            await it.until(lambda: not it.front.is_dirty)

    run(story())
    assert {MINE, THEIRS} <= everywhere(tmp_path)


async def test_the_draft_of_a_living_workbench_is_offered_to_no_other(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.type("// mine\n")
        await it.until(lambda: it.is_kept(MINE))
        other = Drafts()
        assert other.left() == [] and other.dropped() == []
        other.close()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_saving_in_the_encoding_of_the_file_refuses_what_it_has_not(tmp_path: Path, encoding: str) -> None:
    script = write(tmp_path / "a.pine", SCRIPT.encode(encoding))
    async with bench(script) as it:
        it.front.editor.put("half \ud83d a letter")
        await it.press("ctrl+s")
        await it.until(lambda: "not saved" in it.message or not it.front.is_dirty)
        if it.front.is_dirty:
            assert files.read(script).text == SCRIPT and it.text.startswith("half")
        else:
            assert "half" in files.read(script).text

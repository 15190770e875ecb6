"""A text outlives what others do to its file, a disk that takes nothing, and an encoding that lacks it.

`test_ways_in_a_terminal.py` tries all that a person and other programs do. `MINE` is what was typed here, `THEIRS` what
others wrote.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Input

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


def _renamed(script: Path) -> None:
    write(script, THEIRS)
    script.rename(script.with_name("other.pine"))


def _folder_gone(script: Path) -> None:
    script.unlink()
    script.parent.rmdir()


def _folder_moved(script: Path) -> None:
    write(script, THEIRS)
    script.parent.rename(script.parent.with_name("moved"))


def _read_only(script: Path) -> None:
    script.chmod(0o444)


def _now_a_link(script: Path) -> None:
    target = write(script.with_name("target.pine"), THEIRS)
    script.unlink()
    script.symlink_to(target)


def _another_encoding(script: Path) -> None:
    write(script, THEIRS.encode("utf-16"))


def _now_a_folder(script: Path) -> None:
    script.unlink()
    script.mkdir()


WAYS: dict[Callable[[Path], None], bool] = {
    _renamed: True,
    _folder_gone: False,
    _folder_moved: True,
    _read_only: False,
    _now_a_link: True,
    _another_encoding: True,
    _now_a_folder: False,
}
"""What others do to a file whose text is not saved here, and whether they wrote a text of theirs."""


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.strip("_"))
async def test_what_others_do_to_a_file_loses_no_text(tmp_path: Path, way: Callable[[Path], None]) -> None:
    (tmp_path / "work").mkdir()
    script = write(tmp_path / "work" / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.type("// mine\n")
        way(script)
        await it.press("ctrl+s")
        await it.until(lambda: it.dialog is not None or "not saved" in it.message or not it.front.is_dirty)
        if it.dialog is not None:
            await _answer(it, "w")
            await it.calm()
            await it.until(lambda: "not saved" in it.message or not it.front.is_dirty)
        assert it.text == MINE
        saved, found = not it.front.is_dirty, everywhere(tmp_path)
    assert not saved or script.read_text() == MINE
    if WAYS[way]:
        utf_16 = THEIRS.encode("utf-16").decode("utf-8", "replace")
        assert found & {THEIRS, utf_16}


async def test_a_folder_is_no_name_for_a_text(tmp_path: Path) -> None:
    script, folder = write(tmp_path / "a.pine", SCRIPT), tmp_path / "b.pine"
    folder.mkdir()
    async with bench(script) as it:
        await it.type("// mine\n")
        await it.press("alt+s")
        prompt = await it.asked()
        prompt.query_one(Input).value = str(folder)
        await it.press("enter")  # the question says what is wrong with the name, and stays
        assert it.dialog is prompt
        await it.press("escape")
        await it.calm()
        assert it.text == MINE and it.front.is_dirty and folder.is_dir()


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

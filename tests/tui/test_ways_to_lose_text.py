"""Thirty ways to lose a text: afterwards each text that somebody wrote is in a file, in the editor, or can be restored.

`MINE` is what was typed here, `THEIRS` what others wrote. Whatever happens, both must be found again.
"""

from __future__ import annotations

import errno
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pinebench import files
from pinebench.tui.drafts import Drafts
from tests.tui.support import SCRIPT, Bench, bench, run, write
from tests.tui.terminals import as_from_a_shell, everywhere

MINE = "// mine\n" + SCRIPT
THEIRS = SCRIPT + "// theirs\n"
Way = Callable[[Bench, Path], Awaitable[None]]


async def _answer(it: Bench, *keys: str) -> None:
    """Press a key that asks, then answer."""
    *asks, answer = keys
    await it.press(*asks)
    await it.asked()
    await it.press(answer)


async def _closed_without_saving(it: Bench, script: Path) -> None:
    await _answer(it, "ctrl+w", "w")
    await it.until(lambda: not it.app.opened)


async def _quit_without_saving(it: Bench, script: Path) -> None:
    await _answer(it, "ctrl+q", "w")
    await it.until(lambda: not it.app.is_running)


async def _quit_and_saved(it: Bench, script: Path) -> None:
    await _answer(it, "ctrl+q", "s")
    await it.until(lambda: not it.app.is_running)
    assert script.read_text() == MINE


async def _question_left(it: Bench, script: Path) -> None:
    await _answer(it, "ctrl+q", "escape")
    await it.calm()
    assert it.text == MINE


async def _written_over(it: Bench, script: Path) -> None:
    write(script, THEIRS)
    await _answer(it, "ctrl+s", "w")
    await it.calm()
    await it.until(lambda: not it.front.is_dirty)
    assert script.read_text() == MINE


async def _theirs_loaded(it: Bench, script: Path) -> None:
    write(script, THEIRS)
    await _answer(it, "ctrl+s", "l")
    await it.calm()
    await it.until(lambda: it.text == THEIRS)


async def _not_saved_after_all(it: Bench, script: Path) -> None:
    write(script, THEIRS)
    await _answer(it, "ctrl+s", "n")
    await it.calm()
    assert script.read_text() == THEIRS and it.text == MINE


async def _loaded_again(it: Bench, script: Path) -> None:
    write(script, THEIRS)
    it.app.do("reload")
    await it.until(lambda: it.text == THEIRS)


async def _deleted(it: Bench, script: Path) -> None:
    script.unlink()
    await it.press("ctrl+s")
    await it.until(lambda: script.exists() and not it.front.is_dirty)


async def _renamed(it: Bench, script: Path) -> None:
    write(script, THEIRS)
    script.rename(script.with_name("other.pine"))
    await it.press("ctrl+s")
    await it.until(lambda: script.exists() and not it.front.is_dirty)


async def _folder_gone(it: Bench, script: Path) -> None:
    script.unlink()
    script.parent.rmdir()
    await it.press("ctrl+s")
    await it.until(lambda: "not saved" in it.message or script.exists())


async def _now_a_folder(it: Bench, script: Path) -> None:
    script.unlink()
    script.mkdir()
    await it.press("ctrl+s")
    await it.until(lambda: it.dialog is not None or "not saved" in it.message)
    if it.dialog is not None:
        await it.asked()
        await it.press("w")
        await it.calm()
    assert script.is_dir()


async def _now_a_link(it: Bench, script: Path) -> None:
    target = write(script.with_name("target.pine"), THEIRS)
    script.unlink()
    script.symlink_to(target)
    await _answer(it, "ctrl+s", "w")
    await it.calm()
    await it.until(lambda: not it.front.is_dirty)
    assert script.is_symlink() and target.read_text() == MINE


async def _read_only(it: Bench, script: Path) -> None:
    script.chmod(0o444)
    await it.press("ctrl+s")
    await it.until(lambda: "read-only" in it.message)


async def _read_only_and_quit(it: Bench, script: Path) -> None:
    script.chmod(0o444)
    await _answer(it, "ctrl+q", "s")
    await it.calm()
    assert it.app.is_running


async def _another_encoding(it: Bench, script: Path) -> None:
    script.write_bytes(b"\xff\xfe\x00broken \xe4\x80")
    await _answer(it, "ctrl+s", "w")
    await it.calm()
    await it.until(lambda: not it.front.is_dirty or "not saved" in it.message)


async def _saved_over_another(it: Bench, script: Path) -> None:
    other = write(script.with_name("other.pine"), THEIRS)
    await it.press("alt+s")
    prompt = await it.asked()
    prompt.query_one("Input").value = str(other)  # type: ignore[attr-defined]
    await it.press("enter")
    await it.until(lambda: it.dialog is not None and it.dialog is not prompt)
    await it.asked()
    await it.press("w")
    await it.calm()
    await it.until(lambda: other.read_text() == MINE)


async def _replaced_everything(it: Bench, script: Path) -> None:
    it.front.editor.put("gone")
    await it.press("ctrl+s")
    await it.until(lambda: not it.front.is_dirty)
    await it.press("ctrl+z")
    assert it.text == MINE


async def _formatted(it: Bench, script: Path) -> None:
    await it.press("alt+l", "ctrl+s")
    await it.until(lambda: not it.front.is_dirty)
    assert it.text == MINE


async def _only_touched(it: Bench, script: Path) -> None:
    os.utime(script, ns=(10**18, 10**18))
    await it.press("ctrl+s")
    await it.until(lambda: not it.front.is_dirty)
    assert it.dialog is None and script.read_text() == MINE


async def _emptied(it: Bench, script: Path) -> None:
    script.write_bytes(b"")
    await _answer(it, "ctrl+s", "n")
    await it.calm()
    assert it.text == MINE


async def _now_a_pipe(it: Bench, script: Path) -> None:
    script.unlink()
    os.mkfifo(script)
    await it.press("ctrl+s")
    await it.until(lambda: it.dialog is not None or "not saved" in it.message)
    if it.dialog is not None:
        await it.asked()
        await it.press("w")
        await it.until(lambda: "not saved" in it.message)
    assert script.is_fifo() and it.text == MINE


async def _now_a_link_to_nothing(it: Bench, script: Path) -> None:
    script.unlink()
    script.symlink_to(script.with_name("nothing.pine"))
    await it.press("ctrl+s")
    await it.until(lambda: it.dialog is not None or "not saved" in it.message or not it.front.is_dirty)
    assert it.text == MINE


async def _with_another_name_for_it(it: Bench, script: Path) -> None:
    script.with_name("other.pine").hardlink_to(script)
    write(script.with_name("other.pine"), THEIRS)
    await _answer(it, "ctrl+s", "w")
    await it.calm()
    await it.until(lambda: not it.front.is_dirty)


async def _folder_moved(it: Bench, script: Path) -> None:
    script.parent.rename(script.parent.with_name("moved"))
    await it.press("ctrl+s")
    await it.until(lambda: "not saved" in it.message or script.exists())


async def _saved_as(it: Bench, name: str) -> None:
    await it.press("alt+s")
    prompt = await it.asked()
    prompt.query_one("Input").value = name  # type: ignore[attr-defined]
    await it.press("enter")  # the question says what is wrong with the name, and stays
    assert it.dialog is prompt
    await it.press("escape")
    await it.calm()
    assert it.text == MINE and it.front.is_dirty


async def _saved_into_no_folder(it: Bench, script: Path) -> None:
    await _saved_as(it, str(script.parent / "none" / "a.pine"))


async def _saved_as_a_folder(it: Bench, script: Path) -> None:
    script.with_name("b.pine").mkdir()
    await _saved_as(it, str(script.with_name("b.pine")))


async def _a_new_script_closed(it: Bench, script: Path) -> None:
    it.front.editor.put(SCRIPT)
    await it.press("ctrl+s")
    await it.until(lambda: not it.front.is_dirty)
    await it.press("ctrl+n")
    await it.until(lambda: len(it.app.opened) == 2)
    it.front.editor.put(MINE)
    await _answer(it, "ctrl+w", "w")
    await it.until(lambda: len(it.app.opened) == 1)


async def _half_a_character(it: Bench, script: Path) -> None:
    it.front.editor.put(MINE + "// \ud83d\n")
    await it.press("ctrl+s")
    await it.until(lambda: "not saved" in it.message)
    assert it.text.startswith(MINE) and script.read_text() == SCRIPT
    it.front.editor.put(MINE)


async def _opened_by_another_name(it: Bench, script: Path) -> None:
    link = script.with_name("link.pine")
    link.symlink_to(script)
    await it.press("ctrl+o")
    prompt = await it.asked()
    prompt.query_one("Input").value = str(link)  # type: ignore[attr-defined]
    await it.press("enter")
    await it.calm()
    if len(it.app.opened) == 2:
        it.front.editor.put(THEIRS)
        await it.press("ctrl+s")
        await it.until(lambda: script.read_text() == THEIRS)
        await it.press("ctrl+pageup")
    await it.press("ctrl+s")
    await it.until(lambda: it.dialog is not None or not it.front.is_dirty)
    if it.dialog is not None:
        await it.asked()
        await it.press("w")
        await it.calm()
    await it.until(lambda: script.read_text() == MINE)


WAYS: list[Way] = [
    *(_closed_without_saving, _quit_without_saving, _quit_and_saved, _question_left, _written_over, _theirs_loaded),
    *(_not_saved_after_all, _loaded_again, _deleted, _renamed, _folder_gone, _now_a_folder, _now_a_link, _read_only),
    *(_read_only_and_quit, _another_encoding, _saved_over_another, _replaced_everything, _formatted),
    *(_only_touched, _emptied, _now_a_pipe, _now_a_link_to_nothing, _with_another_name_for_it, _folder_moved),
    *(_saved_into_no_folder, _saved_as_a_folder, _a_new_script_closed, _half_a_character, _opened_by_another_name),
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.strip("_").replace("_", "-"))
def test_no_text_is_lost(tmp_path: Path, way: Way) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    script = write(folder / "a.pine", SCRIPT)
    seen: set[str] = set()

    async def story() -> None:
        async with bench(script) as it:
            await it.type("// mine\n")
            await way(it, script)
            seen.update(each.editor.text for each in it.app.opened)
            if THEIRS in seen:
                seen.discard(MINE)  # only what is kept counts, and not a tab's memory of its steps

    run(story())
    found = seen | everywhere(tmp_path)
    assert MINE in found
    if way in (
        _written_over,
        _theirs_loaded,
        _not_saved_after_all,
        _loaded_again,
        _renamed,
        _saved_over_another,
        _with_another_name_for_it,
    ):
        assert THEIRS in found
    if way is _now_a_link:
        assert any(each.read_text() == THEIRS for each in (tmp_path / "state" / "replaced").iterdir())


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


@pytest.mark.parametrize("broken", [b"", b"{", b'{"path": 5}', b"\xff\xfe", b"[]", b'{"text": "x", "name": 1}'])
def test_a_broken_draft_hides_no_other(tmp_path: Path, broken: bytes) -> None:
    drafts = Drafts()
    drafts.keep("script-1", None, "a.pine", MINE)
    drafts.close()
    kept = drafts._folder
    Path(kept, "0123456789ab-script-1.draft.json").write_bytes(broken)
    later = Drafts()
    assert [each.text for each in later.left()] == [MINE]
    later.close()
    assert Path(kept, "0123456789ab-script-1.draft.json").exists()


def _terminal(script: Path, state: Path) -> tuple[subprocess.Popen[bytes], int]:
    """The real command in a terminal of its own, with `// mine` typed and kept."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "PINEBENCH_STATE_DIR": str(state), "PINEBENCH_CDP_PORT": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "pinebench", "edit", str(script)],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
        preexec_fn=as_from_a_shell,
    )  # fmt: skip
    os.close(theirs)
    _read_until(ours, lambda seen: b"Example" in seen)
    os.write(ours, b"// mine\r")
    _read_until(ours, lambda _: MINE in everywhere(state))
    return process, ours


def _read_until(terminal: int, true: Callable[[bytes], bool]) -> None:
    seen, end = b"", time.monotonic() + 60
    while not true(seen):
        assert time.monotonic() < end, seen[-2000:]
        if select.select([terminal], [], [], 0.05)[0]:
            seen += os.read(terminal, 65536)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGKILL", "SIGSEGV", "closed"])
def test_a_workbench_that_is_ended_loses_no_text(tmp_path: Path, name: str) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    state = tmp_path / "state"
    process, terminal = _terminal(script, state)
    try:
        if name == "closed":
            os.close(terminal)
            terminal = -1
        else:
            process.send_signal(getattr(signal, name))
        end = time.monotonic() + 60
        while process.poll() is None:
            assert time.monotonic() < end, "it goes on"
            if terminal >= 0 and select.select([terminal], [], [], 0.05)[0]:
                try:
                    os.read(terminal, 65536)
                except OSError:
                    process.wait(60)
            elif terminal < 0:
                process.wait(60)
    finally:
        process.kill()
        process.wait()
        if terminal >= 0:
            os.close(terminal)
    assert script.read_text() == SCRIPT
    later = Drafts()
    assert [each.text for each in later.left()] == [MINE]
    later.close()


async def test_saving_in_the_encoding_of_the_file_refuses_what_it_has_not(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT.encode("utf-16"))
    async with bench(script) as it:
        it.front.editor.put("half \ud83d a letter")
        await it.press("ctrl+s")
        await it.until(lambda: "not saved" in it.message or not it.front.is_dirty)
        if it.front.is_dirty:
            assert files.read(script).text == SCRIPT and it.text.startswith("half")
        else:
            assert "half" in files.read(script).text

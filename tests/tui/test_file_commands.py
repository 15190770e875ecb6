"""Files by a person's keys: opened, saved under other names, compared, loaded anew, and what was left offered again."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList

from pinebench import files
from pinebench.tui.dialogs import Ask, Diff, Pick, Prompt, TextDialog
from tests.tui.support import SCRIPT, Bench, bench, run, write

CRLF = b"\xef\xbb\xbf" + SCRIPT.replace("\n", "\r\n").encode()


async def _save_as(it: Bench, name: str) -> None:
    """Ask for another name and give it."""
    await it.press("alt+s")
    prompt = await it.asked()
    assert isinstance(prompt, Prompt)
    prompt.query_one(Input).value = name
    await it.press("enter")


async def test_saved_under_another_name(tmp_path: Path) -> None:
    script, taken = write(tmp_path / "a.pine", CRLF), write(tmp_path / "taken.pine", "theirs\n")
    async with bench(script, size=(140, 40)) as it:
        await it.press("ctrl+end", "x")
        # Into no folder, and no name at all: said, and asked again.
        for wrong, told in ((str(tmp_path / "nowhere" / "b"), "there is no folder"), ("", "the name of a file")):
            await _save_as(it, wrong)
            await it.until(lambda told=told: told in str(it.app.screen.query_one(".hint").content))  # type: ignore[attr-defined]
            await it.press("escape")
            await it.calm()
        await _save_as(it, str(tmp_path / "RSI v1.5"))
        await it.calm()
        await it.until(lambda: it.front.buffer.name == "RSI v1.5.pine" and not it.front.is_dirty)
        await _save_as(it, str(tmp_path / "b"))
        await it.calm()
        await it.until(lambda: it.front.buffer.name == "b.pine" and not it.front.is_dirty)
        # With the encoding and the line ends that the file had, and the file itself as it was.
        assert (tmp_path / "b.pine").read_bytes() == CRLF + b"x" and script.read_bytes() == CRLF
        await it.checked()
        # From now on that is its file.
        await it.press("y", "ctrl+s")
        await it.until(lambda: not it.front.is_dirty)
        assert (tmp_path / "b.pine").read_bytes() == CRLF + b"xy"
        # One that is there is written over only by whoever says so, and is kept.
        for answer, wanted in (("n", b"theirs\n"), ("w", CRLF + b"xy")):
            await _save_as(it, str(taken))
            await it.until(lambda: isinstance(it.dialog, Ask))
            await it.asked()
            await it.press(answer)
            await it.calm()
            await it.until(lambda wanted=wanted: taken.read_bytes() == wanted)
        kept = tmp_path / "state" / "replaced"
        assert [each.read_text() for each in kept.iterdir()] == ["theirs\n"]
        await it.press("ctrl+n")
        await it.tabs(2)
        # A script without a file is asked for a name; escape saves nothing and loses nothing.
        await it.press("x", "ctrl+s")
        assert isinstance(await it.asked(), Prompt)
        await it.press("escape")
        await it.calm()
        assert it.front.is_dirty and it.front.buffer.path is None


async def test_what_is_being_saved_is_neither_asked_about_nor_called_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = [write(tmp_path / name, SCRIPT) for name in ("a.pine", "b.pine")]
    written, go_on, replace = threading.Event(), threading.Event(), files.replace

    def slow(*arguments: Any, **options: Any) -> str | None:
        said = replace(*arguments, **options)
        written.set()
        go_on.wait(60)
        return said

    async with bench(*scripts) as it:
        await it.press("x")
        monkeypatch.setattr(files, "replace", slow)
        it.app.do("save")
        await it.until(written.is_set, "the file has the text")
        it.app._look_outside()
        it.app.do("close")
        await it.until(lambda: all(each.group != "outside" for each in it.app.workers), "looked")
        assert it.dialog is None and it.front.outside == "same" and len(it.app.opened) == 2
        assert "changed on disk" not in it.message
        go_on.set()
        await it.tabs(1)
        assert it.dialog is None and scripts[1].read_text() == "x" + SCRIPT


async def test_opened_by_its_letters_or_its_path(tmp_path: Path) -> None:
    for name in ("alpha.pine", "beta.pine"):
        write(tmp_path / name, f"// {name}\n")
    async with bench(folder=tmp_path) as it:
        await it.press("ctrl+o")
        assert isinstance(await it.asked(), Pick)
        await it.type("beta")
        await it.press("enter")
        await it.until(lambda: it.app.front is not None and it.front.buffer.name == "beta.pine")
        await it.press("ctrl+o")
        await it.asked()
        it.app.screen.query_one(Input).value = str(tmp_path / "new.pine")
        await it.pilot.pause()
        await it.press("enter")
        await it.tabs(2)
        assert it.front.buffer.is_new and "new file" in it.status
        # A folder cannot be opened as a file, which is said.
        await it.press("ctrl+o")
        await it.asked()
        it.app.screen.query_one(Input).value = f"{tmp_path}/"
        await it.pilot.pause()
        await it.press("enter")
        await it.calm()
        await it.until(lambda: it.message)
        assert len(it.app.opened) == 2
        # Through the tabs, and round.
        first, second = it.app.opened
        await it.press("ctrl+pagedown")
        assert it.front is first
        await it.press("ctrl+pageup")
        assert it.front is second
        await it.press("ctrl+pageup", "alt+right", "alt+left")
        assert it.front is first


async def test_compared_with_the_file_and_loaded_anew(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", CRLF)
    async with bench(script) as it:
        it.app.do("compare-disk")
        await it.until(lambda: "same as in the file" in it.message)
        await it.press("ctrl+end", "x")
        it.app.do("compare-disk")
        shown = await it.asked()
        assert isinstance(shown, Diff)
        assert [line for line in str(shown._lines()).splitlines() if line[:1] in "+-"] == ["+x"]
        await it.press("enter")
        await it.calm()
        assert it.front.is_dirty and script.read_bytes() == CRLF
        it.app.do("reload")
        await it.until(lambda: not it.front.is_dirty)
        await it.press("ctrl+z")
        assert it.text.endswith("x") and it.front.is_dirty
        script.unlink()
        for command in ("reload", "compare-disk"):
            it.app.do(command)
            await it.until(lambda: "no such file" in it.message.lower() or "cannot" in it.message, command)
            assert it.text.endswith("x")
            await it.press("left", "right")


def test_what_was_left_for_later_is_offered_again(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "drafts"

    async def left() -> None:
        async with bench() as it:
            await it.press("ctrl+n")
            await it.tabs(1)
            await it.type("mine")
            await it.until(lambda: it.is_kept(it.text), "the draft")

    async def story() -> None:
        async with bench() as it:
            first = await it.asked()
            assert isinstance(first, Ask)
            await it.press("l")
            await it.calm()
            assert len(list(folder.glob("*.json"))) == 1
            it.app.do("offer-drafts")
            await it.asked()
            await it.press("s")
            await it.until(lambda: isinstance(it.dialog, Diff))
            await it.asked()
            await it.press("escape")
            await it.until(lambda: isinstance(it.dialog, Ask))
            await it.asked()
            await it.press("d")
            await it.calm()
            await it.until(lambda: not list(folder.glob("*.json")))
            assert not it.app.opened

    run(left())
    assert [json.loads(each.read_text())["text"][-4:] for each in folder.glob("*.json")] == ["mine"]
    run(story())


async def test_problems_there_and_back_and_explained(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT + "plot(lenth)\nplot(clsoe)\n")
    async with bench(script) as it:
        await it.checked()
        editor = it.front.editor
        await it.press("ctrl+home", "alt+x")
        assert "no finding" in it.message
        await it.press("shift+f8")
        assert editor.offset_here == it.text.index("clsoe")
        await it.press("shift+f8")
        assert editor.offset_here == it.text.index("lenth)")
        await it.press("alt+x")
        read = await it.asked()
        assert isinstance(read, TextDialog) and "CE10272" in read._title
        await it.press("escape")
        await it.calm()
        # What the call takes, and what was found before this.
        editor.go_to(it.text.index("plot(lenth)") + 5)
        await it.press("alt+k")
        await it.until(lambda: "plot(" in it.app.popup.words, "the signature")
        await it.press("escape", "ctrl+f")
        await it.type("plot")
        await it.until(lambda: editor.selected_text == "plot")
        there = editor.selected_span
        await it.press("escape", "f3")
        assert editor.selected_span != there
        await it.press("shift+f3")
        assert editor.selected_span == there
        # The panels come and go, and say with which theme.
        dock = it.app.query_one("#dock")
        assert dock.has_class("-open")
        await it.press("ctrl+backslash")
        assert not dock.has_class("-open") and it.app.focused is editor
        await it.press("ctrl+backslash")
        await it.until(lambda: dock.has_class("-open") and isinstance(it.app.focused, OptionList))
        it.app.do("theme")
        assert isinstance(await it.asked(), Pick)
        await it.press("down", "enter")
        await it.calm()
        assert it.app.remembered.theme == it.app.theme != "pinebench-dark"

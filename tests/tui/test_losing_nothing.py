"""What must never happen: text that is lost, changed unasked, or written over what others wrote."""

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from textual import events

from pinebench import files
from pinebench.errors import UsageError
from pinebench.tui import app as app_module
from pinebench.tui.bottom_lines import SplitLine
from pinebench.tui.drafts import Drafts
from pinebench.tui.pastes import START, PasteParser
from tests.tui.support import SCRIPT, bench, run, write

ODD = b'\xef\xbb\xbf//@version=6\r\nindicator("x")\n\tplot(close)\r\n// \x0c form feed\xe2\x80\xa8 and \xc2\x85\r\nlast'


async def test_bytes_stay_but_for_what_was_typed(tmp_path: Path) -> None:
    odd, wide = (
        write(tmp_path / "odd.pine", ODD),
        write(tmp_path / "wide.pine", SCRIPT.replace("\n", "\r\n").encode("utf-16")),
    )
    async with bench(odd, wide) as it:
        await it.press("ctrl+home", "end", "!", "enter", "ctrl+s")
        await it.until(lambda: not it.front.is_dirty)
        assert files.read(wide).text == SCRIPT.replace("\n", "\r\n").replace("=6\r\n", "=6!\r\n\r\n", 1)
        assert wide.read_bytes()[:2] == b"\xff\xfe"
        await it.press("alt+left", "ctrl+home", "down", "down", "end", "x", "ctrl+s")
        await it.until(lambda: not it.front.is_dirty)
        assert odd.read_bytes() == ODD.replace(b"plot(close)", b"plot(close)x")
        assert "mixed line ends" in it.status and "BOM" in it.status
        # Moving, commenting and indenting lines leaves the ends of all others alone.
        await it.press("ctrl+home", "alt+down", "ctrl+underscore", "shift+down", "tab", "ctrl+z", "ctrl+z", "ctrl+z")
        assert it.text.encode() == ODD.removeprefix(b"\xef\xbb\xbf").replace(b"plot(close)", b"plot(close)x")


async def test_a_paste_comes_in_as_it_is(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", "//@version=6\r\n")
    pasted = 'if a\n    b = "汉 \x0b 😀"\n\tif c\r\n        d(\re)\n'
    async with bench(script) as it:
        await it.press("ctrl+end")
        it.app.post_message(events.Paste(pasted))
        await it.until(lambda: len(it.text) > 20)
        whole = pasted.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
        assert it.text == "//@version=6\r\n" + whole
        await it.press("ctrl+z")
        assert it.text == "//@version=6\r\n"


async def test_a_paste_whose_end_did_not_come_is_kept_when_the_workbench_is_told_to_end(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.press("ctrl+home")
        parser = PasteParser()
        assert list(parser.feed(f"{START}// pasted\n// and more")) == []
        it.app._told_to_end()
        assert it.text.startswith("// pasted\n// and more")
    later = Drafts()
    assert [each.text.startswith("// pasted\n// and more") for each in later.left()] == [True]
    later.close()


async def test_a_file_that_others_changed_is_not_written_over(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.type("// mine")
        write(script, "theirs\n")
        await it.press("ctrl+s")
        await it.asked()
        await it.press("escape")
        await it.calm()
        assert script.read_text() == "theirs\n" and it.front.is_dirty and it.text.startswith("// mine")
        await it.until(lambda: "changed on disk" in it.status)
        await it.press("ctrl+s")
        await it.asked()
        await it.press("w")
        await it.calm()
        await it.until(lambda: not it.front.is_dirty)
        assert script.read_text().startswith("// mine")
        kept = tmp_path / "state" / "replaced"
        assert [each.read_text() for each in kept.iterdir()] == ["theirs\n"]
        # A text without changes of one's own follows the file, and the earlier one can be had back.
        write(script, "theirs again\r\n")
        await it.until(lambda: it.text == "theirs again\r\n")
        assert not it.front.is_dirty
        await it.press("ctrl+z")
        assert it.text.startswith("// mine")
        os.unlink(script)
        await it.until(lambda: "file is gone" in it.status)
        await it.press("ctrl+s")
        await it.until(lambda: script.exists())
        assert script.read_text().startswith("// mine")


@pytest.mark.parametrize("fault", [UsageError("a.pine cannot be written: no space left on device"), OSError("gone")])
async def test_what_cannot_be_saved_stays_and_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:

        def full(*_: object, **__: object) -> None:
            raise fault

        # Before the text is another: on a slow machine its draft would be kept by then.
        monkeypatch.setattr(files, "write_atomically", full)
        monkeypatch.setattr(files, "replace", full)
        await it.type("x")
        await it.press("ctrl+s")
        await it.until(lambda: "not saved" in it.message)
        await it.until(lambda: "drafts cannot be kept" in it.status)
        assert "not saved" in it.message
        assert it.front.is_dirty and it.text == "x" + SCRIPT and script.read_text() == SCRIPT
        # Nor does closing or quitting go on after a failure to save.
        await it.press("ctrl+q")
        await it.asked()
        await it.press("s")
        await it.calm()
        assert it.app.is_running and it.text == "x" + SCRIPT


async def test_a_text_that_was_typed_while_a_save_ran_is_not_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    replace, begun, go_on = files.replace, threading.Event(), threading.Event()

    def slow(*arguments: Any, **options: Any) -> str | None:
        begun.set()
        go_on.wait(60)
        return replace(*arguments, **options)

    monkeypatch.setattr(files, "replace", slow)
    async with bench(script) as it:
        with it.app.doing("a run of a script", lambda: None):
            await it.type("x")
            await it.press("ctrl+w")
            await it.asked()
            await it.press("s")
            await it.until(begun.is_set, "the save")
            await it.calm()
            await it.press("y")
            go_on.set()
            await it.until(lambda: not it.app.saving.locked() and it.app.message_queue_size == 0)
        await it.until(lambda: "changed in the meantime" in it.message)
        assert it.text == "xy" + SCRIPT and it.front.is_dirty and script.read_text() == "x" + SCRIPT


async def test_a_text_that_cannot_be_written_is_not_told_as_changed(tmp_path: Path) -> None:
    text = SCRIPT.replace("Example", "Café")
    script = write(tmp_path / "a.pine", text.encode("cp1252"))
    async with bench(script, size=(160, 30)) as it:
        await it.press("ctrl+r")
        await it.type("sum")
        await it.press("tab", *"total", "alt+a")
        await it.until(lambda: "nothing was changed" in it.message)
        await it.press("enter")
        await it.until(lambda: "nothing was changed" in it.message)
        assert it.text == text and it.app.is_running


async def test_a_read_only_file_stays_and_so_does_the_text(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    script.chmod(0o444)
    async with bench(script) as it:
        await it.type("x")
        await it.press("ctrl+s")
        await it.until(lambda: "read-only" in it.message)
        assert it.text == "x" + SCRIPT and script.read_text() == SCRIPT


async def test_a_second_name_of_the_file_is_told_however_long_its_path_is(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    script = write(folder / "a.pine", SCRIPT)
    (folder / "b.pine").hardlink_to(script)
    async with bench(script) as it:
        await it.type("x")
        await it.press("ctrl+s")
        await it.until(lambda: "names" in it.message)
        line = it.app.screen_stack[0].query_one("#message", SplitLine).render_line(0).text
        assert "saved: a.pine; the file had 2 names" in line
        assert (folder / "b.pine").read_text() == SCRIPT and script.read_text() == "x" + SCRIPT


async def test_a_draft_outlives_a_kill_and_is_offered(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT.replace("\n", "\r\n"))
    program = f"""
import asyncio
from pinebench.tui.app import Workbench
async def story():
    app = Workbench([{str(script)!r}])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"mine", "ctrl+n", *"new")
        while app.drafts is None or not all(app.drafts.holds(each.key, each.editor.text) for each in app.opened):
            await pilot.pause(0.05)
        print("kept", flush=True)
        await asyncio.sleep(600)
asyncio.run(story())
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "kept\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    async with bench(script) as it:
        first = await it.asked()
        assert first is not None
        await it.press("r")
        await it.until(lambda: it.dialog is not first)
        await it.asked()
        await it.press("r")
        await it.calm()
        texts = {each.buffer.path: each.editor.text for each in it.app.opened}
        assert texts[str(script)] == "mine" + SCRIPT.replace("\n", "\r\n")
        assert texts[None].endswith("plot(close)\nnew")
        assert all(each.is_dirty for each in it.app.opened)
        # They are still kept, by this workbench now, and only once.
        drafts = [json.loads(each.read_text())["text"] for each in (tmp_path / "state/drafts").glob("*.json")]
        assert sorted(drafts) == sorted(texts.values())


def test_what_fails_inside_takes_no_text_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def checker_dies() -> None:
        async with bench(script) as it:
            await it.checked()
            from pinebench.services import findings

            def broken(*_: object) -> None:
                raise ZeroDivisionError("inside")

            monkeypatch.setattr(findings, "findings", broken)
            await it.type("x")
            await it.until(lambda: it.front.trouble)
            assert "not checked" in it.status and "ZeroDivisionError" in it.message
            assert not it.front.is_checked and it.text == "x" + SCRIPT
            await it.type("y")
            assert it.text == "xy" + SCRIPT

    run(checker_dies())

    async def screen_dies() -> None:
        app = app_module.Workbench([str(script)])
        async with app.run_test() as pilot:
            while not app.opened:
                await pilot.pause(0.01)
            await pilot.press("ctrl+home", "z")
            app._handle_exception(RuntimeError("the screen"))

    with pytest.raises(RuntimeError, match="the screen"):
        run(screen_dies())

    def failed(key: str) -> None:
        raise RuntimeError(f"the service refused {key[:30]}\x1b[2J")

    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-Zq8_w2Yt-1lS0xMnO5qC9tE3gH7iK4")
    app = app_module.Workbench([str(script)])
    try:
        failed("sk-ant-api03-Zq8_w2Yt-1lS0xMnO5qC9tE3gH7iK4")
    except RuntimeError as error:
        app._handle_exception(error)
    app.error_console.file = shown = io.StringIO()
    app._print_error_renderables()
    told = shown.getvalue()
    assert "RuntimeError: the service refused" in told and "in failed" in told
    assert "Zq8_w2Yt" not in told and "\x1b[2J" not in told
    drafts = [json.loads(each.read_text())["text"] for each in (tmp_path / "state/drafts").glob("*.json")]
    assert "z" + SCRIPT in drafts


@pytest.mark.parametrize("is_asked_for", [True, False])
def test_the_workbench_ends_without_an_error_while_a_panel_is_made(tmp_path: Path, is_asked_for: bool) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story(turns: int) -> None:
        async with bench(script) as it:
            it.app.work(it.app.show_panel("problems"))
            for _ in range(turns):
                await asyncio.sleep(0)
            if is_asked_for:
                it.app.exit()

    for turns in range(12):
        run(story(turns))

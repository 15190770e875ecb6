"""The menus of the text and of a tab, the middle button, and the way back to the shell."""

from pathlib import Path

import pytest

from pinebench.tui.dialogs import Pick
from tests.tui.support import SCRIPT, bench, write


async def test_the_menu_of_the_text(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        editor = it.front.editor
        await it.press("shift+f1")
        assert isinstance(await it.asked(), Pick)
        await it.press("escape")
        await it.calm()
        # The right button puts the cursor where it was pressed; what is chosen is done there.
        await it.pilot.click(editor, offset=(editor.gutter_width + 1, 4), button=3)
        assert isinstance(await it.asked(), Pick)
        assert editor.cursor_location == (4, 1)
        await it.type("breakpoint")
        await it.press("enter")
        await it.calm()
        await it.until(lambda: editor.breakpoints.at(4) is not None, "a breakpoint in the row of the mouse")
        assert it.text == SCRIPT


async def test_the_middle_button_pastes_at_the_mouse(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.press("shift+end", "ctrl+c")
        editor = it.front.editor
        await it.pilot.click(editor, offset=(editor.gutter_width, 2), button=2)
        await it.until(lambda: it.text == SCRIPT.replace("length =", "//@version=6length ="), "the pasted text")


async def test_the_menu_of_a_tab(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.pine", SCRIPT), write(tmp_path / "b.pine", SCRIPT)
    async with bench(first, second) as it:
        await it.pilot.click("#files", offset=(3, 0), button=3)
        assert isinstance(await it.asked(), Pick)
        assert it.front.buffer.path == str(first), "the menu is that of the tab under the mouse"
        await it.press("escape")
        await it.calm()
        it.app.do("tab-menu")
        assert isinstance(await it.asked(), Pick)
        await it.type("close")
        await it.press("enter")
        await it.tabs(1)
        assert it.front.buffer.path == str(second)


async def test_before_the_shell_is_back_the_texts_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        kept: list[bool] = []
        monkeypatch.setattr(it.app, "action_suspend_process", lambda: kept.append(it.is_kept("x" + SCRIPT)))
        await it.press("x")
        it.app.do("suspend")
        await it.until(lambda: kept, "the program stops")
        assert kept == [True]

"""The division of the screen between the text and the panels, by the keys and the mouse of a person."""

from pathlib import Path

from pinebench.tui.room import EDITOR_ROWS
from tests.tui.support import SCRIPT, Bench, bench, write


def _dock(it: Bench) -> int:
    """The rows of the panels; 0 if they are not shown."""
    return it.app.query_one("#dock").size.height


def _editor(it: Bench) -> int:
    """The rows of the text; 0 if it is not shown."""
    return it.front.editor.size.height if it.app.query_one("#work").display else 0


async def _fitted(it: Bench) -> None:
    """Wait for the size of the panels: the dock opens before its panel is made and checked."""
    await it.checked()
    await it.until(lambda: it.app.panel is not None and it.app.panel.is_fitted, "panels")
    await it.calm()


async def test_the_panels_are_hidden_and_shown(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await _fitted(it)
        before = _editor(it)
        await it.press("ctrl+backslash")
        await it.until(lambda: it.app.panel is None and _editor(it) > before, "no panels")
        await it.press("ctrl+backslash")
        await it.until(lambda: it.app.panel is not None and _editor(it) == before, "panels again")
        assert it.text == SCRIPT


async def test_the_panels_stay_hidden_if_they_were_hidden_while_a_panel_was_made(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.until(lambda: it.app.panel is not None, "a panel")
        async with it.app._showing:  # as a slow machine that makes a panel
            made = it.app.work(it.app.show_panel("outline"))
            assert made is not None
            await it.until(lambda: it.app.remembered.panel == "outline", "begun")
            await it.press("ctrl+backslash")
            assert _dock(it) == 0
        await it.until(lambda: made.is_finished, "the panel is made")
        await it.press("x")
        assert it.app.panel is None and _dock(it) == 0 and it.text == "x" + SCRIPT
        await it.press("ctrl+backslash")
        await it.until(lambda: it.app.panel is not None and it.app.panel.id == "panel-outline", "shown again")


async def test_what_a_key_did_before_the_panels_came_stays(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.until(lambda: it.app.panel is not None, "a panel")
        await it.press("f11")
        await it.until(lambda: _dock(it) == 0, "the text on the whole screen")
        it.app._show_dock_at_start()
        await it.press("x")
        assert _dock(it) == 0 and it.text == "x" + SCRIPT
        await it.press("f11", "ctrl+backslash", "ctrl+f")
        focused = it.app.focused
        assert focused is not it.front.editor
        it.app._show_dock_at_start()
        assert it.app.focused is focused


async def test_one_part_has_the_whole_screen_and_gives_it_back(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await _fitted(it)
        for key in ("f11", "alt+0"):
            await it.press(key)
            await it.until(lambda: _editor(it) >= 30 - 4, "the text on the whole screen")
            whole = _editor(it)
            await it.press("x")
            assert it.text == "x" + SCRIPT
            await it.press("ctrl+z", key)
            await it.until(lambda whole=whole: 0 < _editor(it) < whole and _dock(it) > 0, "both parts again")
            await it.press("alt+v", key)
            await it.until(lambda: _editor(it) == 0 and _dock(it) >= 30 - 4, "the panel on the whole screen")
            await it.press(key, "escape")
            await it.until(lambda: _editor(it) > 0 and it.app.focused is it.front.editor, "the text again")
        await it.press("f11")
        await it.until(lambda: _dock(it) == 0, "only the text")
        await it.press("alt+0")
        await it.until(lambda: _dock(it) > 0, "both parts")
        assert it.text == SCRIPT


async def test_the_panels_are_made_larger_and_smaller(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        await it.calm()
        usual = _dock(it)
        await it.press("alt+equals_sign")
        await it.until(lambda: _dock(it) == usual + 2, "larger")
        await it.press("alt+minus")
        await it.until(lambda: _dock(it) == usual, "smaller")
        for _ in range(20):
            await it.press("alt+equals_sign")
        assert _editor(it) == EDITOR_ROWS
        for _ in range(20):
            await it.press("alt+minus")
        assert 0 < _dock(it) <= usual
        it.app.do("usual-size")
        await it.until(lambda: _dock(it) == usual, "the usual size")


async def test_the_titles_of_the_panels_are_dragged(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await _fitted(it)
        before, shown = _dock(it), it.app.panel
        top = it.app.query_one("#panels").region.y
        await it.pilot.mouse_down("#panels", offset=(20, 0))
        await it.pilot.hover(offset=(20, top - 3))
        await it.until(lambda: _dock(it) == before + 3, "larger")
        await it.pilot.mouse_up(offset=(20, top - 3))
        await it.pilot.hover(offset=(20, top + 2))
        assert _dock(it) == before + 3, "the mouse was let go"
        assert it.app.panel is shown, "a drag chooses no panel"


async def test_a_small_screen_leaves_the_text_its_rows(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(40, 12)) as it:
        await it.checked()
        for number in range(1, 10):
            await it.press(f"alt+{number}")
            assert _editor(it) >= EDITOR_ROWS, number
        await it.press("alt+equals_sign", "alt+equals_sign")
        assert _editor(it) >= EDITOR_ROWS

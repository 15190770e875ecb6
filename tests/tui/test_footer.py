"""The row of keys shows what can be pressed, presses the key that is clicked, and makes no widgets."""

from __future__ import annotations

from pathlib import Path

from pinebench.tui.footer import Keys
from tests.tui.support import bench, run, write


def test_the_keys_of_the_focus_are_shown(tmp_path: Path) -> None:
    async def story() -> None:
        async with bench(write(tmp_path / "a.pine", "//@version=6\n"), size=(200, 30)) as opened:
            keys = opened.app.query_one(Keys)
            await opened.calm()
            assert "F1 Help" in keys.words
            active = [each.binding for each in opened.app.screen.active_bindings.values()]
            assert keys.words.count("  ") == 0
            assert all(each.description in keys.words for each in active if each.show)

    run(story())


def test_a_click_presses_the_key(tmp_path: Path) -> None:
    async def story() -> None:
        async with bench(write(tmp_path / "a.pine", "//@version=6\n")) as opened:
            await opened.calm()
            keys = opened.app.query_one(Keys)
            await opened.pilot.click(Keys, offset=(keys.words.index("F1"), 0))
            await opened.asked()

    run(story())


def test_a_change_of_the_focus_mounts_no_widgets(tmp_path: Path) -> None:
    """Textual's footer mounted one for each key, and never let go of it."""

    async def story() -> None:
        scripts = [write(tmp_path / f"{number}.pine", "//@version=6\n") for number in range(2)]
        async with bench(*scripts) as opened:
            await opened.press("alt+right")
            await opened.calm()
            before = set(opened.app.screen.walk_children())
            await opened.press("alt+right")
            await opened.calm()
            assert set(opened.app.screen.walk_children()) == before

    run(story())

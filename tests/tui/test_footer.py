"""The row of keys shows what can be pressed, and lets go of the keys that it showed before."""

from __future__ import annotations

import gc
from pathlib import Path

from textual.widgets._footer import FooterKey

from pinebench.tui.footer import Keys
from tests.tui.support import bench, run, write


def test_keys_that_are_no_longer_shown_are_freed(tmp_path: Path) -> None:
    async def story() -> None:
        scripts = [write(tmp_path / f"{number}.pine", "//@version=6\n") for number in range(2)]
        async with bench(*scripts) as opened:
            for _ in range(6):
                await opened.press("alt+right", "alt+v", "alt+q", "alt+e")
                await opened.calm()
            shown = len(opened.app.query_one(Keys).children)
            gc.collect()
            kept = [each for each in gc.get_objects() if isinstance(each, FooterKey)]
            assert shown > 3
            assert len(kept) < 3 * shown

    run(story())


def test_each_key_is_shown_with_its_description(tmp_path: Path) -> None:
    async def story() -> None:
        async with bench(write(tmp_path / "a.pine", "//@version=6\n")) as opened:
            await opened.calm()
            keys = opened.app.query_one(Keys).query(FooterKey)
            active = [each.binding for each in opened.app.screen.active_bindings.values()]
            assert [each.description for each in keys] == [each.description for each in active if each.show]

    run(story())

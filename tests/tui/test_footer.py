"""The row of keys shows what can be pressed, presses the key that is clicked, and makes no widgets."""

from pathlib import Path

from pinebench.tui.footer import KeyHints
from tests.tui.support import bench, write


async def test_the_keys_of_the_focus_are_shown(tmp_path: Path) -> None:
    async with bench(write(tmp_path / "a.pine", "//@version=6\n"), size=(200, 30)) as opened:
        keys = opened.app.query_one(KeyHints)
        await opened.calm()
        assert "F1 Help" in keys.words
        active = [each.binding for each in opened.app.screen.active_bindings.values()]
        assert keys.words.count("  ") == 0
        assert all(each.description in keys.words for each in active if each.show)


async def test_no_word_is_cut_and_no_message_stays_for_long(tmp_path: Path) -> None:
    async with bench(write(tmp_path / "a.pine", "//@version=6\n"), size=(200, 30)) as opened:
        keys = opened.app.query_one(KeyHints)
        await opened.calm()
        pieces = [f"{opened.app.get_key_display(binding)} {binding.description}" for binding, _ in keys._shown]
        for width in range(20, 120, 7):
            await opened.pilot.resize_terminal(width, 30)
            await opened.until(lambda width=width: keys.size.width == width, "the width")
            shown = "".join(segment.text for segment in keys.render_line(0)).rstrip()
            assert shown == " ".join(pieces[: next(n for n in range(12) if " ".join(pieces[:n]) == shown)]), width
        # What was said is gone with the next key, whatever part has the focus.
        await opened.press("alt+t")
        await opened.press("alt+q")
        await opened.until(lambda: "nothing is running" in opened.message, "said")
        await opened.press("z")
        assert "no work" not in opened.message and opened.text == "//@version=6\n"


async def test_a_click_presses_the_key(tmp_path: Path) -> None:
    async with bench(write(tmp_path / "a.pine", "//@version=6\n")) as opened:
        await opened.calm()
        keys = opened.app.query_one(KeyHints)
        await opened.pilot.click(KeyHints, offset=(keys.words.index("F1"), 0))
        await opened.asked()


async def test_a_change_of_the_focus_mounts_no_widgets(tmp_path: Path) -> None:
    """Textual's footer mounted one for each key, and never let go of it."""
    scripts = [write(tmp_path / f"{number}.pine", "//@version=6\n") for number in range(2)]
    async with bench(*scripts) as opened:
        await opened.until(lambda: opened.app.query("#problems-list"), "the panel that is open at the start")
        await opened.press("alt+right")
        await opened.calm()
        before = set(opened.app.screen.walk_children())
        await opened.press("alt+right")
        await opened.calm()
        assert set(opened.app.screen.walk_children()) == before

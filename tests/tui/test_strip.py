"""A row of titles: the chosen one is whole and in view, and a sign says where titles are left out."""

from pathlib import Path

from pinebench.tui.panels import PANELS
from pinebench.tui.strip import Title, TitleStrip
from tests.tui.support import SCRIPT, bench, write


async def test_titles_that_are_left_out_are_marked_and_none_is_cut(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    titles = [Title(panel.key, panel.title, "●" if panel.key == "chart" else "") for panel in PANELS]
    words = [f"{title.text} ●" if title.mark else title.text for title in titles]
    needed = sum(len(each) + 2 for each in words)
    async with bench(script) as it:
        strip = it.app.query_one("#panels", TitleStrip)
        for width in (20, 33, 60, needed - 1, needed, needed + 1):
            await it.pilot.resize_terminal(width, 30)
            await it.until(lambda width=width: strip.size.width == width, "the width")
            for chosen, title in enumerate(titles):
                strip.show(titles, title.key)
                row = "".join(segment.text for segment in strip.render_line(0))
                assert len(row) == width, row
                left, right = row.startswith("‹"), row.rstrip().endswith("›")
                shown = row.strip().strip("‹›").strip()
                first = next(n for n in range(len(words)) if shown.startswith(words[n]))
                last = next(n for n in range(len(words), 0, -1) if shown.endswith(words[n - 1]))
                assert shown == "  ".join(words[first:last]), row
                assert first <= chosen < last and left == (first > 0) and right == (last < len(words)), row
                assert [key for _, _, key in strip._places] == [each.key for each in titles[first:last]]
                if width >= needed:
                    assert (first, last) == (0, len(words))


async def test_files_with_the_same_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("one", "two", "two/one"):
        (tmp_path / folder).mkdir()
    scripts = [write(tmp_path / folder / "a.pine", SCRIPT) for folder in ("one", "two", "two/one")]
    other = write(tmp_path / "b.pine", SCRIPT)
    async with bench(*scripts, other) as it:
        await it.until(lambda: len(it.app.query_one("#files", TitleStrip)._titles) == 4, "four tabs")
        row = "".join(segment.text for segment in it.app.query_one("#files", TitleStrip).render_line(0))
        last = f"{tmp_path.name}/one/a.pine"
        assert row.split() == [last, "two/a.pine", "two/one/a.pine", "b.pine"]

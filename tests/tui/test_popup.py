"""A row of the list of completions says the name once, and no word of it is cut without a sign."""

from pathlib import Path

from tests.tui.support import SCRIPT, bench, write


async def test_a_completion_names_a_function_once_and_says_where_it_is_cut(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    for width in (60, 100):
        async with bench(script, size=(width, 30)) as it:
            await it.press("ctrl+end")
            await it.type("plot(ta.e")  # one letter after a dot is enough
            await it.until(lambda it=it: it.app.popup.is_list, "the list")
            await it.pilot.pause()
            popup = it.app.popup
            rows = ["".join(part.text for part in popup.render_line(y)).rstrip() for y in range(popup.size.height)]
            first = next(row for row in rows if " ema" in row)
            assert first.count("ema") == 1 and "(source" in first, first
            assert first.endswith("…") or ")" in first, first
            assert popup.region.right <= width, "nothing is beyond the screen"

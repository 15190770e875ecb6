"""A script runs on bars in a process of its own, and the picture is what the run gave."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.containers import VerticalScroll
from textual.css.model import RuleSet
from textual.css.parse import parse
from textual.css.types import CSSLocation
from textual.widgets import Input, Label, Static

from pinebench.context import CancelledError, Context
from pinebench.errors import UsageError
from pinebench.tui import themes, worker_run
from pinebench.tui.dialogs import Ask, Pick
from pinebench.tui.panels.run import RunPanel, wrapped
from pinebench.tui.picture import Arrow, PictureBar, PictureLine, draw, sparkline
from tests.tui.support import SCRIPT, Bench, bench, write

STRATEGY = """\
//@version=6
strategy("S", overlay = true, default_qty_type = strategy.fixed, default_qty_value = 1)
fast = ta.sma(close, 2)
plot(fast, "Fast")
if bar_index == 2
    strategy.entry("L", strategy.long)
if bar_index == 5
    strategy.close("L")
"""
BARS = "time,open,high,low,close,volume\n" + "".join(
    f"2024-01-{day:02d},{100 + day},{103 + day},{98 + day},{101 + day},1000\n" for day in range(1, 12)
)


def _shown(it: Bench) -> str:
    content = it.app.query_one("#run-picture", Static).content
    return str(content)


async def test_a_strategy_runs_on_the_bars_of_a_file(tmp_path: Path) -> None:
    script, bars = write(tmp_path / "a.pine", STRATEGY), write(tmp_path / "bars.csv", BARS)
    async with bench(script, size=(120, 40)) as it:
        await it.press("alt+v")
        await it.until(lambda: it.app.focused is not None and it.app.focused.id == "run-bars")
        it.app.query_one("#run-bars", Input).value = str(bars)
        await it.press("enter")
        await it.until(lambda: "Net profit" in _shown(it), "figures")
        shown = _shown(it)
        told = worker_run.ask(STRATEGY, (), str(bars), Context())
        assert [len(told["candles"]), told["trades"][0]["entry_bar"]] == [11, 3]
        # Bought at 104, sold at 107: three for the one contract.
        assert told["trades"][0]["profit"] == pytest.approx(3.0)
        assert "▲" in shown and "▼" in shown and "•" in shown and "█" in shown
        assert "111.50" in shown  # the last value of the average
        count = it.app.query_one("#run-count", Label)
        assert "11 bars" in str(count.content) and "earlier" not in str(count.content)
        # Other bars are named, but these are still the figures of the first.
        it.app.query_one("#run-bars", Input).value = "sample:AAPL"
        await it.until(lambda: f"of the bars {bars}" in str(count.content))
        it.app.query_one("#run-bars", Input).value = str(bars)
        await it.until(lambda: "of the bars" not in str(count.content))
        await it.press("alt+e", "x")
        await it.until(lambda: "of an earlier text" in str(count.content))
        # What cannot be run is said, and nothing of the run before is left to be taken for it.
        await it.press("f9")
        await it.until(lambda: "not run" in _shown(it), "a refusal")
        assert "Net profit" not in _shown(it)
        it.app.query_one("#run-bars", Input).value = "sample:NOSUCH"
        await it.press("ctrl+z", "f9")
        await it.until(lambda: "the sample market has no symbol" in _shown(it))


async def test_a_plot_has_its_value_on_the_last_bar_and_a_signal_is_no_number(tmp_path: Path) -> None:
    source = (
        '//@version=6\nindicator("x", overlay = true)\nplotshape(not barstate.islast, "Up")\n'
        'plotchar(barstate.islast, "Down", "v")\nplot(0, "Zero")\nplot(barstate.islast ? na : close, "Gone")\n'
    )
    async with bench(write(tmp_path / "a.pine", source)) as it:
        await it.press("f9")
        await it.until(lambda: "• Gone" in _shown(it), "a run")
        rows = [row.split() for row in _shown(it).splitlines() if row.startswith("• ")]
        assert [row[1:3] for row in rows] == [["Up", "false"], ["Down", "true"], ["Zero", "0.00"], ["Gone", "na"]]


async def test_a_title_that_is_too_long_says_that_it_is_cut(tmp_path: Path) -> None:
    source = '//@version=6\nindicator("x")\nplot(1, "Less at risk than accepted")\nplot(2, "Exactly twenty chars")\n'
    async with bench(write(tmp_path / "a.pine", source)) as it:
        await it.press("f9")
        await it.until(lambda: "Exactly twenty chars " in _shown(it), "a run")
        assert "• Less at risk than a… " in _shown(it)


async def test_a_run_says_what_was_read_and_no_sentence_is_cut_off(tmp_path: Path) -> None:
    rows = "".join(
        f"2024-01-{day:02d} 10:00,{90000 + day},{90003 + day},{89998 + day},{90001 + day}\n" for day in range(1, 12)
    )
    script, bars = (
        write(tmp_path / "a.pine", STRATEGY),
        write(tmp_path / "bars.csv", f"time,open,high,low,close\n{rows}"),
    )
    async with bench(script, size=(60, 40)) as it:
        await it.press("alt+v")
        await it.until(lambda: it.app.focused is not None and it.app.focused.id == "run-bars")
        it.app.query_one("#run-bars", Input).value = ""
        await it.press(*str(bars), "enter")
        await it.until(lambda: "Net profit" in _shown(it), "figures")
        told = " ".join(row.strip() for row in _shown(it).splitlines())
        assert "11 bars of 1 day; times in ISO 8601 without a time zone, read as UTC; no volume; tick" in told
        assert "strategy() does not set initial_capital = 100000" in told
        words = ("UTC;", "initial_capital")
        rows = [row for row in _shown(it).splitlines() if any(word in row for word in words)]
        assert len(rows) == 2 and all(len(row) <= 58 for row in rows)


async def test_a_small_terminal_shows_what_was_read_without_scrolling(tmp_path: Path) -> None:
    script, bars = write(tmp_path / "a.pine", STRATEGY), write(tmp_path / "bars.csv", BARS)
    async with bench(script, size=(80, 24)) as it:
        await it.press("alt+v")
        await it.until(lambda: it.app.focused is not None and it.app.focused.id == "run-bars")
        it.app.query_one("#run-bars", Input).value = str(bars)
        await it.press("enter")
        await it.until(lambda: "Net profit" in _shown(it), "figures")
        room = it.app.query_one(RunPanel).query_one(VerticalScroll).size.height
        seen = " ".join(row.strip() for row in _shown(it).splitlines()[:room])
        assert "• Fast" in seen and "▲" in seen
        assert "read as UTC; tick 0.01 from the decimals of the prices" in seen


def test_rows_are_counted_in_columns_of_the_terminal() -> None:
    wide = "名" * 60
    rows = wrapped(
        [wide, f"label {wide} end", "plain words that go on for a while, and then some more of them", ""], 40
    )
    assert all(cell_len(row) <= 40 for row in rows)
    assert "".join(row.strip() for row in rows).count("名") == 120
    assert rows[-3:] == ["plain words that go on for a while, and", "  then some more of them", ""]


def test_a_run_can_be_stopped() -> None:
    long = "//@version=6\nindicator('x')\nn = 0\nwhile n < 1000000000\n    n += 1\nplot(close)\n"
    looked = 0

    def stopped() -> bool:
        nonlocal looked
        looked += 1
        return looked > 2

    with pytest.raises(CancelledError):
        worker_run.ask(long, (), "sample:AAPL", Context(cancelled=stopped))
    with pytest.raises(UsageError, match="the number of bars must be"):
        worker_run.bars_of("sample:AAPL@60xmany")


def test_candles_lines_and_marks_are_where_their_prices_are() -> None:
    candles = [PictureBar(0, 10, 20, 0, 15), PictureBar(1, 15, 20, 10, 12), PictureBar(2, 12, 12, 12, 12)]
    line = PictureLine("far", [1e9, 1e9, 1e9], "#ffffff")
    near = PictureLine("near", [None, 0.0, 20.0], "#abcdef")
    text = draw(candles, [line, near], [Arrow(0, False, "▲", "#123456")], 14, 10, ("#00ff00", "#ff0000", "#888888"))
    rows = text.plain.split("\n")
    assert len(rows) == 10
    column = [row[0] for row in rows]
    assert column[0] == "│" and "█" in column and column[9] in "│▲"
    assert rows[9][1] == "•" and rows[0][2] == "•"
    assert rows[0].endswith("20.00") and rows[9].endswith(" 0.00")
    signal = PictureLine("signal", [True, False, True], "#abcdef")
    assert "•" not in draw(candles, [signal], [], 14, 10, ("#00ff00", "#ff0000", "#888888")).plain
    # Without colours a falling bar is told by its grey body.
    plain = draw(candles, [], [], 14, 10, ("#00ff00", "#ff0000", "#888888"), is_plain=True).plain.split("\n")
    bodies = ["".join(row[place] for row in plain) for place in (0, 1)]
    assert "█" in bodies[0] and "▒" not in bodies[0] and "▒" in bodies[1] and "█" not in bodies[1]
    assert draw([], [], [], 80, 10, ("", "", "")).plain == ""
    assert sparkline([None, 1.0, 2.0], 3) == " ▁█"


async def test_a_template_opens_as_a_script_of_ones_own() -> None:
    async with bench() as it:
        await it.press("alt+n")
        first = await it.asked()
        assert isinstance(first, Pick)
        await it.press("enter")
        await it.until(lambda: isinstance(it.dialog, Ask))
        await it.asked()
        await it.press("o")
        await it.calm()
        await it.until(lambda: it.app.front is not None)
        await it.checked()
        assert it.front.is_dirty and it.front.buffer.path is None and "nothing wrong" in it.status


@pytest.mark.usefixtures("painted")
async def test_the_first_paint_needs_neither_the_checker_nor_a_second_look_at_the_style_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import sys, pinebench.tui.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    late = ("checker", "compilers", "linter", "migration", "runtime", "services", "tools")
    assert not [name for name in loaded if name.startswith(tuple(f"pinebench.{room}" for room in late))]
    parsed: list[str] = []

    def noted(scope: str, css: str, read_from: CSSLocation, **options: Any) -> Iterable[RuleSet]:
        parsed.append(read_from[0])
        return parse(scope, css, read_from, **options)

    monkeypatch.setattr("textual.css.stylesheet.parse", noted)
    async with bench(write(tmp_path / "a.pine", SCRIPT)) as it:
        await it.checked()
        assert sum(name.endswith("workbench.tcss") for name in parsed) == 1
        dark = it.app.query_one("#status").background_colors
        it.app.theme = next(name for name in themes.names() if name != it.app.theme)
        await it.until(lambda: it.app.query_one("#status").background_colors != dark, "other colours")


async def test_a_run_says_that_a_library_was_read_without_its_unsaved_changes(tmp_path: Path) -> None:
    source = '//@version=6\nindicator("x")\nimport me/Lib/1 as lib\nplot(lib.twice(close), "Twice")\n'
    library = '//@version=6\nlibrary("Lib")\nexport twice(float x) => x * 2\n'
    write(tmp_path / "pinebench.toml", '[check]\nlibrary-paths = ["."]\n')
    file, script = write(tmp_path / "Lib.pine", library), write(tmp_path / "a.pine", source)
    told = "Lib.pine was read from its file, without its unsaved changes"
    async with bench(file, script, size=(120, 40)) as it:
        await it.press("f9")
        await it.until(lambda: "• Twice" in _shown(it), "a run")
        assert told not in _shown(it)
        await it.press("alt+e", "alt+left")
        await it.type("// ")
        await it.press("alt+right", "f9")
        await it.until(lambda: told in _shown(it), "what was read")
        await it.press("shift+f9")
        await it.until(lambda: it.app.inspection.overview is not None, "a run in the inspector")
        assert told in it.app.inspection.warning

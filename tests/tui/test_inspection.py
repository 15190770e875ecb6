"""Looking into a run: values that are never text, the bar, breakpoints, "why", and trouble in words."""

import threading
from pathlib import Path

import pytest
from textual.widgets import DataTable, Input, Static, Tree

from pinebench.tui import draft_commands
from pinebench.tui.panels.chart import ChartPanel, ChartView
from pinebench.tui.panels.inspector import InspectorPanel
from pinebench.workers import dispatch
from tests.tui.charts import CANDLES, VIEW
from tests.tui.support import Bench, bench, run, write

SCRIPT = """\
//@version=6
strategy("Inspected", overlay = true)
length = input.int(3, "Length")
lift(float source) =>
    moved = source + 1
    moved
fast = ta.sma(close, length)
slow = ta.sma(close, 4 * length)
var crosses = 0
isUp = ta.crossover(fast, slow) and fast > slow
if isUp
    crosses := crosses + 1
    strategy.entry("Long", strategy.long)
if ta.crossunder(fast, slow)
    strategy.close("Long")
raised = lift(close)
plot(raised)
"""
BARS = "sample:AAPL@60x300"
SHIFT = 19_675 * 86_400
"""Seconds from 1970 to 2023-11-14."""


def screen(it: Bench) -> list[str]:
    """The rows of the screen."""
    strips = it.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def row(it: Bench, words: str) -> str:
    """The row of the screen that has these words; empty if there is none."""
    return next((line for line in screen(it) if words in line), "")


def when(it: Bench) -> str:
    """What the panel says about the bar."""
    return str(it.app.query_one("#inspector-when", Static).content)


def listed(it: Bench) -> dict[str, list[str]]:
    """The rows of the list of names: the cells after the name, by name."""
    table = it.app.query_one("#inspector-names", DataTable)
    rows = [[str(cell) for cell in table.get_row_at(number)] for number in range(table.row_count)]
    return {cells[0]: cells[1:] for cells in rows}


async def inspected(it: Bench, bars: str = BARS) -> None:
    """Run the script in front in the inspector, and go to the editor."""
    it.app.remembered.bars["name"] = bars
    await it.press("shift+f9")
    await it.until(lambda: it.app.inspection.overview is not None and it.app.inspection.values, "a run")
    await it.press("alt+e")


async def test_the_values_are_never_in_the_text_in_the_file_in_a_draft_or_in_a_copy(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(100, 30)) as it:
        await inspected(it)
        await it.until(lambda: "fast = ta.sma(close, length)  fast = " in row(it, "fast = ta.sma"), "a value")
        before = row(it, "fast = ta.sma")
        await it.press("alt+comma")
        await it.until(lambda: it.app.inspection.bar == 298 and row(it, "fast = ta.sma") != before)
        assert it.text == SCRIPT and not it.front.is_dirty
        # Copied with everything, and cut with its line.
        await it.press("ctrl+a", "ctrl+c")
        assert it.app.clipboard == SCRIPT
        await it.press("ctrl+home", "shift+down", "shift+down", "shift+down", "ctrl+c")
        assert it.app.clipboard == "".join(SCRIPT.splitlines(keepends=True)[:3])
        # Found by nothing.
        await it.press("ctrl+f")
        await it.type("t = 2")
        assert "nothing found" in str(it.app.query_one("#find .count", Static).content)
        await it.press("escape")
        # The cursor cannot go into them, and what is typed at the end of a line is at its end.
        await it.press("ctrl+home", "down", "down", "end")
        assert it.front.editor.cursor_location == (2, len('length = input.int(3, "Length")'))
        await it.press("right")
        assert it.front.editor.cursor_location == (3, 0)
        await it.press("left", "space")
        changed = SCRIPT.replace('"Length")', '"Length") ')
        assert it.text == changed
        await it.press("ctrl+z")
        assert it.text == SCRIPT
        await it.press("ctrl+end")
        await it.type("//")
        draft_commands.keep_now(it.app)
        assert it.is_kept(SCRIPT + "//")
        await it.press("ctrl+s")
        await it.until(lambda: not it.front.is_dirty)
        assert script.read_text() == SCRIPT + "//"


@pytest.mark.soak
async def test_a_change_of_the_text_removes_the_values_and_undoing_it_brings_them_back(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        await inspected(it)
        await it.until(lambda: "length)  fast = " in row(it, "fast = ta.sma"))
        await it.press("ctrl+end", "x")
        await it.until(lambda: row(it, "fast = ta.sma") and "length)  fast = " not in row(it, "fast = ta.sma"))
        assert "text was changed" in when(it)
        await it.press("alt+y")
        await it.until(lambda: "text was changed" in it.message)
        await it.press("ctrl+z")
        await it.until(lambda: "length)  fast = " in row(it, "fast = ta.sma"))
        assert "text was changed" not in when(it)


@pytest.mark.soak
async def test_the_values_and_the_list_follow_the_bar(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        await inspected(it)
        assert it.app.inspection.bar == 299
        await it.press("alt+comma")
        await it.until(lambda: it.app.inspection.bar == 298)
        await it.press("alt+comma", "alt+comma", "alt+full_stop")
        await it.until(lambda: it.app.inspection.bar == 297)
        for _ in range(5):  # keys that come faster than bars are read
            it.app.do("previous-bar")
        await it.until(lambda: it.app.inspection.bar == 292)
        it.app.do("first-bar")
        await it.until(lambda: it.app.inspection.bar == 0)
        assert "fast = na" in row(it, "fast = ta.sma") and listed(it)["fast"][0] == "na"
        it.app.do("last-bar")
        await it.until(lambda: it.app.inspection.bar == 299)
        # By a number, by a time, and never to a bar that is not there.
        await it.press("alt+z")
        await it.asked()
        await it.type("400")
        await it.press("enter")
        await it.until(lambda: "400: there is no such bar" in str(it.app.screen.query_one(".hint", Static).content))
        await it.press("backspace", "backspace", "backspace")
        await it.type("120")
        await it.press("enter")
        await it.until(lambda: it.app.inspection.bar == 120)
        assert "bar 120 of 299" in when(it)
        # The changes of the name at the cursor.
        it.front.editor.move_cursor((8, 5))
        await it.press("alt+greater_than_sign")
        await it.until(lambda: it.app.inspection.bar > 120)
        later, value = it.app.inspection.bar, listed(it)["crosses"]
        assert value[2] == f"bar {later}" and int(value[0]) == int(value[1]) + 1
        await it.press("alt+greater_than_sign")
        await it.until(lambda: it.app.inspection.bar > later)
        await it.press("alt+less_than_sign")
        await it.until(lambda: it.app.inspection.bar == later)


@pytest.mark.soak
async def test_the_list_has_every_name_and_is_narrowed_by_words(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        await inspected(it)
        names = listed(it)
        assert {"length", "fast", "slow", "crosses", "isUp", "raised", "lift: moved", "lift: source"} <= set(names)
        assert {"ta.sma(close, length)", "lift(close)"} <= set(names)
        assert names["length"][0] == "3" and "input" in names["length"][3] and names["length"][2] == "bar 0"
        await it.press("alt+u", "slash")
        await it.type("sma")
        await it.until(lambda: len(listed(it)) == 2 and all("sma" in name for name in listed(it)))
        await it.press("backspace", "backspace", "backspace")
        await it.type("input")
        await it.until(lambda: set(listed(it)) == {"length"})
        # To its line; and the keys of the list move the bar.
        await it.press("enter", "left")
        await it.until(lambda: it.app.inspection.bar == 298)
        await it.press("home", "right", "enter")
        await it.until(lambda: it.app.inspection.bar == 1)
        assert it.front.editor.cursor_location == (2, 0)
        await it.press("end", "escape")
        await it.until(lambda: it.app.inspection.bar == 299)
        assert it.front.editor.has_focus and it.text == SCRIPT


@pytest.mark.soak
async def test_breakpoints_are_set_by_key_and_mouse_and_stay_with_their_lines(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        editor = it.front.editor
        editor.move_cursor((11, 0))
        await it.press("ctrl+l")
        assert "12● " in row(it, "crosses := crosses")
        await it.pilot.click(editor, offset=(1, 6))
        await it.until(lambda: " 7● " in row(it, "fast = ta.sma"))
        assert editor.cursor_location == (11, 0)
        await it.pilot.click(editor, offset=(1, 15), control=True)
        await it.asked()
        await it.type("close > 0")
        await it.press("enter")
        await it.calm()
        assert "16◆ " in row(it, "raised = lift") and editor.breakpoints.asked()[2] == (16, "close > 0")
        # Lines come and go above; the line itself is changed, and split.
        await it.press("ctrl+home", "enter", "enter")
        assert [line for line, _ in editor.breakpoints.asked()] == [9, 14, 18]
        await it.press("ctrl+z")
        assert [line for line, _ in editor.breakpoints.asked()] in ([7, 12, 16], [8, 13, 17])
        while it.text != SCRIPT:
            await it.press("ctrl+z")
        editor.move_cursor((6, 0))
        await it.press("enter", "x")
        assert [line for line, _ in editor.breakpoints.asked()] == [8, 13, 17]
        await it.press("alt+up")
        assert editor.breakpoints.asked()[0][0] == 7
        # Removed with their lines, by the mouse, and all at once.
        await it.pilot.click(editor, offset=(1, 12))
        assert [line for line, _ in editor.breakpoints.asked()] == [7, 17]
        it.app.do("no-breakpoints")
        assert editor.breakpoints.asked() == []


@pytest.mark.soak
def test_breakpoints_are_kept_over_a_restart_and_never_in_the_text(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT.replace("\n", "\r\n"))
    before = script.read_bytes()

    async def set_them() -> None:
        async with bench(script, size=(120, 40)) as it:
            it.front.editor.move_cursor((11, 0))
            await it.press("ctrl+l")
            it.front.editor.move_cursor((15, 0))
            await it.press("alt+semicolon")
            await it.asked()
            await it.type("close > 0")
            await it.press("enter")
            await it.calm()
            assert not it.front.is_dirty

    async def see_them(expected: list[tuple[int, str]]) -> None:
        async with bench(script, size=(120, 40)) as it:
            await it.calm()
            assert it.front.editor.breakpoints.asked() == expected
            assert f"{expected[0][0]}● " in row(it, "crosses := crosses")
            assert not it.front.is_dirty and it.front.editor.text == script.read_bytes().decode()

    async def close_and_open() -> None:
        async with bench(script, size=(120, 40)) as it:
            it.front.editor.move_cursor((0, 0))
            await it.press("enter", "enter", "ctrl+s")
            await it.until(lambda: script.read_bytes() == b"\r\n\r\n" + before)
            await it.press("ctrl+w")
            await it.calm()
            await it.app.open(str(script))
            assert it.front.editor.breakpoints.asked() == [(14, ""), (18, "close > 0")]
            it.app.do("no-breakpoints")

    async def see_none() -> None:
        async with bench(script, size=(120, 40)) as it:
            assert it.front.editor.breakpoints.asked() == []

    run(set_them())
    assert script.read_bytes() == before
    run(see_them([(12, ""), (16, "close > 0")]))
    script.write_bytes(b"// above\r\n" + before)  # changed by another program meanwhile
    run(see_them([(13, ""), (17, "close > 0")]))
    script.write_bytes(before)
    run(close_and_open())
    run(see_none())


@pytest.mark.soak
async def test_to_the_next_and_the_last_stop(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        editor = it.front.editor
        await inspected(it)
        await it.press("f10")
        await it.until(lambda: "no breakpoints" in it.message)
        editor.move_cursor((11, 0))
        await it.press("ctrl+l")
        trades = [trade.entry_bar - 1 for trade in it.app.inspection.overview.trades]  # type: ignore[union-attr]
        it.app.do("first-bar")
        await it.until(lambda: it.app.inspection.bar == 0)
        for bar in trades[:2]:
            await it.press("f10")
            await it.until(lambda bar=bar: it.app.inspection.bar == bar and not it.app._busy, f"bar {bar}")
        assert editor.cursor_location == (11, 0) and "▶" in row(it, "crosses := crosses")
        assert "isUp = true" in row(it, "isUp = ")
        await it.press("shift+f10")
        await it.until(lambda: it.app.inspection.bar == trades[0])
        await it.press("shift+f10")
        await it.until(lambda: "no breakpoint stops the run before" in it.message)
        # A condition; and one that is no expression.
        await it.press("alt+semicolon")
        await it.asked()
        await it.type("crosses == 1")
        await it.press("enter")
        await it.calm()
        it.app.do("last-bar")
        await it.until(lambda: it.app.inspection.bar == 299)
        await it.press("shift+f10")
        await it.until(lambda: it.app.inspection.bar == trades[1])
        editor.set_breakpoint(11, "nothing > 1")
        await it.press("shift+f10")
        await it.until(lambda: "condition of the breakpoint on line 12 is wrong" in it.message)


async def test_an_answer_about_an_earlier_run_is_not_shown_with_a_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def late(*_: object) -> str:
        begun.set()
        go_on.wait(60)
        return "the answer about the run on AAPL"

    async with bench(write(tmp_path / "a.pine", SCRIPT), size=(120, 40)) as it:
        await inspected(it)
        monkeypatch.setattr(dispatch, "execute", late)
        it.front.editor.go_to(SCRIPT.index("raised ="))
        await it.press("alt+y")
        await it.until(begun.is_set, "asked")
        first = it.app.inspection.overview
        it.app.query_one("#inspector-bars", Input).value = "sample:BTCUSDT@60x300"
        await it.press("shift+f9")
        await it.until(lambda: it.app.inspection.overview not in (None, first) and it.app.inspection.values, "a run")
        go_on.set()
        await it.until(lambda: "another run began" in it.message)
        assert it.app.inspection.answer is None


@pytest.mark.soak
async def test_why_of_an_expression_and_of_a_trade(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        editor = it.front.editor
        await inspected(it)
        editor.move_cursor((9, 1))
        await it.press("alt+y")
        tree = it.app.query_one("#inspector-why", Tree)
        await it.until(lambda: tree.display and tree.root.children and "isUp = " in str(tree.root.children[0].label))
        labels = [str(node.label) for node in tree.root.children[0].children]
        assert any("ta.crossover(fast, slow)" in label for label in labels)
        assert it.text == SCRIPT
        # A trade from the list: the bar of its entry, and the life of its order.
        await it.press("alt+u", "t")
        table = it.app.query_one("#inspector-trades", DataTable)
        trade = it.app.inspection.overview.trades[1]  # type: ignore[union-attr]
        assert table.row_count == len(it.app.inspection.overview.trades)  # type: ignore[union-attr]
        await it.press("down", "enter")
        await it.until(lambda: it.app.inspection.bar == trade.entry_bar)
        await it.press("w")
        await it.until(lambda: "order Long: filled" in str(tree.root.children[0].label))
        labels = [str(node.label) for node in tree.root.children[0].children]
        assert any("called" in label and "line 13" in label for label in labels)
        await it.press("t", "x")
        await it.until(lambda: it.app.inspection.bar == trade.exit_bar)
        # In the list of names, too.
        await it.press("n", "w")
        await it.until(lambda: tree.display)


@pytest.mark.parametrize(
    ("text", "bars", "words"),
    [
        pytest.param(SCRIPT, "sample:NOTHING", "not run: ", marks=pytest.mark.soak),
        pytest.param(SCRIPT, "", "no bars are chosen", marks=pytest.mark.soak),
        (SCRIPT, "missing.csv", "missing.csv"),
        pytest.param(SCRIPT, "chart", "not run: ", marks=pytest.mark.soak),
        pytest.param(SCRIPT.replace("slow)", "slw)"), BARS, "slw", marks=pytest.mark.soak),
        pytest.param(
            SCRIPT + 'if bar_index == 9\n    runtime.error("enough")\n',
            BARS,
            "stopped after bar 8 in line 19: ",
            marks=pytest.mark.soak,
        ),
    ],
)
async def test_trouble_is_said_in_words(tmp_path: Path, text: str, bars: str, words: str) -> None:
    script = write(tmp_path / "a.pine", text)
    async with bench(script, size=(160, 40), folder=tmp_path) as it:
        it.app.remembered.bars["name"] = bars
        await it.press("alt+y")
        await it.until(lambda: "the inspector has no run yet" in it.message)
        await it.press("shift+f9")
        await it.until(lambda: it.app.query("#inspector-when") and words in when(it))
        await it.press("alt+e", "x")
        assert it.text == "x" + text


async def test_a_script_that_takes_long_neither_holds_the_screen_nor_stays_behind(tmp_path: Path) -> None:
    # A loop that certainly has no end is stopped too soon to be seen.
    body = "n = 0\nwhile n < 1000000000\n    n += 1\nplot(n)\n"
    script = write(tmp_path / "a.pine", f'//@version=6\nindicator("x")\n{body}')
    async with bench(script, size=(100, 30)) as it:
        it.app.remembered.bars["name"] = BARS
        await it.press("shift+f9")
        await it.until(lambda: it.app._busy, "running")
        await it.press("alt+e")
        await it.type("a1")
        assert it.text.startswith("a1//@version")
        await it.press("alt+q")
        await it.until(lambda: not it.app._busy, "stopped")
        assert "not run" in when(it)


@pytest.mark.soak
async def test_the_panel_says_what_is_left_out_and_that_the_file_is_different(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tui.inspection.MEMORY", 1)
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(160, 40)) as it:
        await inspected(it, "sample:AAPL@60x1400")
        assert "were dropped" in when(it)
        it.app.do("first-bar")
        await it.until(lambda: it.app.inspection.bar == it.app.inspection.overview.first)  # type: ignore[union-attr]
        it.front.outside = "changed"
        it.app.inspection.tell()
        assert "the file on disk differs" in when(it)
        it.app.do("new")
        await it.until(lambda: it.front.buffer.path is None)
        await it.until(lambda: "of a.pine" in when(it))
        assert it.app.query_one(InspectorPanel).chosen is not None and it.app.query_one("#inspector-bars", Input).value


@pytest.mark.soak
async def test_the_values_follow_the_crosshair_of_the_chart_panel(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    rows = [f"{each.time // 1000 + SHIFT},{each.open},{each.high},{each.low},{each.close}" for each in CANDLES]
    bars = write(tmp_path / "bars.csv", "time,open,high,low,close\n" + "\n".join(rows) + "\n")
    async with bench(script, size=(120, 40)) as it:
        await inspected(it, str(bars))
        await it.press("alt+h")
        chart = it.app.query_one("#panel-chart", ChartPanel)
        await it.until(lambda: isinstance(it.app.focused, ChartView))
        await it.press("left")  # without bars, there is no crosshair
        await it.until(lambda: "✖" in str(it.app.query_one("#chart-stand", Static).content))
        chart._end()  # there is no chart; its bars are given
        chart.show(VIEW._replace(candles=tuple(each._replace(time=each.time + 1000 * SHIFT) for each in CANDLES)))
        await it.press("left")
        await it.until(lambda: it.app.inspection.bar == 39)
        await it.press("left", "left")
        await it.until(lambda: it.app.inspection.bar == 37)
        await it.until(lambda: "  raised = 2.0842" in row(it, "raised = lift"))
        assert "2023-12-21" in str(it.app.query_one("#chart-stand", Static).content)
        assert "▼" in str(it.app.query_one("#chart-picture", Static).content)
        await it.press("c", "right")
        await it.until(lambda: it.app.inspection.bar == 39)

"""The workbench's panel that looks for the best inputs, shows their held-back figures, and runs with them."""

from pathlib import Path
from typing import Any

import pytest
from textual.containers import VerticalScroll
from textual.widgets import Input, OptionList, Static

from pinebench.context import CancelledError, Context
from pinebench.errors import UsageError
from pinebench.tui import worker_run
from pinebench.tui.panels.optimize import OptimizePanel, _rows, heat_map
from pinebench.tui.panels.run import RunPanel, inputs_of
from tests.tui.support import bench, write

BARS = "sample:AAPL@1Dx150"
STRATEGY = """\
//@version=6
strategy("Cross", initial_capital = 10000, default_qty_type = strategy.percent_of_equity, default_qty_value = 50)
fast = input.int(3, "Fast", minval = 2, maxval = 4)
kind = input.string("EMA, quick", "Kind", options = ["EMA, quick", "SMA"])
average(length) => kind == "SMA" ? ta.sma(close, length) : ta.ema(close, length)
if ta.crossover(average(fast), average(15))
    strategy.entry("L", strategy.long)
if ta.crossunder(average(fast), average(15))
    strategy.close("L")
"""


async def test_the_best_of_the_ranges_runs_in_the_run_panel(tmp_path: Path) -> None:
    async with bench(write(tmp_path / "cross.pine", STRATEGY)) as it:
        await it.press("shift+f7")
        panel = it.app.query_one(OptimizePanel)
        await it.until(lambda: panel.is_mounted and panel.query(OptionList))
        panel.query_one("#optimize-bars", Input).value = BARS
        await it.press("enter")
        best = panel.query_one(OptionList)
        await it.until(lambda: best.option_count == 6, "the six combinations")
        shown = str(panel.query_one("#optimize-picture", Static).content)
        assert "Verdict: " in shown
        assert "Kind \\ Fast" in shown
        assert "150 bars of 1 day" in shown and "of the sample market; made up" in " ".join(shown.split())
        assert "held back" in str(best.get_option_at_index(0).prompt)
        await it.press("x")
        await it.until(lambda: "Kind " in str(panel.query_one("#optimize-picture", Static).content).splitlines()[-2])

        await it.press("down", "enter")
        await it.until(lambda: it.app.query(RunPanel) and it.app.query_one(RunPanel)._result is not None, "the run")
        shown_run = it.app.query_one(RunPanel)
        assert panel._found is not None
        chosen = panel._found["best"][1]["inputs"]
        assert inputs_of(shown_run.query_one("#run-inputs", Input).value) == {k: str(v) for k, v in chosen.items()}
        assert shown_run._result is not None
        assert shown_run._result == worker_run.ask(
            STRATEGY, (), BARS, Context(), {k: str(v) for k, v in chosen.items()}
        ) | {"seconds": shown_run._result["seconds"]}

        shown_run.query_one("#run-inputs", Input).value = "Fast=2"
        await it.until(lambda: "of other inputs" in str(shown_run.query_one("#run-count").render()))


async def test_inputs_of_an_earlier_text_are_not_used(tmp_path: Path) -> None:
    async with bench(write(tmp_path / "cross.pine", STRATEGY)) as it:
        await it.press("shift+f7")
        panel = it.app.query_one(OptimizePanel)
        await it.until(lambda: panel.is_mounted and panel.query(OptionList))
        panel.query_one("#optimize-bars", Input).value = BARS
        panel.query_one("#optimize-ranges", Input).value = "Fast=2:3:1; Kind=SMA"
        await it.press("enter")
        await it.until(lambda: panel.query_one(OptionList).option_count == 2)
        count = panel.query_one("#optimize-count")
        for name in ("bars", "ranges", "metric"):  # what the lines say now is not what was computed
            line = panel.query_one(f"#optimize-{name}", Input)
            before, line.value = line.value, "other"
            await it.until(lambda: "of other settings" in str(count.render()))
            line.value = before
            await it.until(lambda: "of other settings" not in str(count.render()))
        await it.press("escape", "ctrl+end")
        await it.type("\n//")
        await it.until(lambda: "of an earlier text" in str(panel.query_one("#optimize-count").render()))
        panel.query_one(OptionList).focus()
        await it.press("enter")
        await it.until(lambda: "the script has changed" in it.message)
        panel.query_one("#optimize-ranges", Input).value = "Fats=2:3:1"
        panel.query_one("#optimize-ranges", Input).focus()
        await it.press("enter")
        await it.until(lambda: "not optimized: " in str(panel.query_one("#optimize-picture", Static).content))


@pytest.mark.parametrize("key", ["f9", "shift+f7", "shift+f9", "alt+h"])
async def test_a_small_terminal_shows_the_whole_error(tmp_path: Path, key: str) -> None:
    async with bench(write(tmp_path / "cross.pine", STRATEGY), size=(60, 18)) as it:
        it.app.remembered.bars["name"] = name = "no-such-file-of-bars-" + "x" * 60 + ".csv"
        await it.press(key)
        if key == "shift+f7":
            await it.until(lambda: it.app.query(OptimizePanel) and it.app.query(OptionList))
            await it.press("enter")

        def seen() -> str:
            """The letters that the terminal shows in the panel."""
            panel = it.app.panel
            strips = it.app.screen._compositor.render_strips()
            rows = strips[panel.region.y : panel.region.bottom] if panel is not None else []
            return "".join("".join(row.text.split()) for row in rows)

        parts = ("noprogramlistensat", "debugport", ")") if key == "alt+h" else (name, "thereisnosuchfile")
        await it.until(lambda: all(part in seen() for part in parts), "the whole error")


async def test_a_small_terminal_shows_the_verdict_and_what_was_read(tmp_path: Path) -> None:
    async with bench(write(tmp_path / "cross.pine", STRATEGY), size=(80, 24)) as it:
        await it.press("shift+f7")
        panel = it.app.query_one(OptimizePanel)
        await it.until(lambda: panel.is_mounted and panel.query(OptionList))
        panel.query_one("#optimize-bars", Input).value = BARS
        panel.query_one("#optimize-ranges", Input).value = "Fast=2:3:1"
        await it.press("enter")
        await it.until(lambda: panel.query_one(OptionList).option_count == 2)
        room = panel.query_one(VerticalScroll).size.height
        rows = str(panel.query_one("#optimize-picture", Static).content).splitlines()[:room]
        seen = " ".join(row.strip() for row in rows)
        assert (
            rows[0].startswith("Verdict: ") and "150 bars of 1 day" in seen and "of the sample market; made up" in seen
        )


def test_a_stop_keeps_the_runs_that_are_done() -> None:
    told: list[str] = []
    context = Context(cancelled=lambda: len(told) > 1, progress=lambda text, _: told.append(text))
    wide = STRATEGY.replace("maxval = 4", "maxval = 60")
    found = worker_run.optimize(wide, (), BARS, ["Fast=2:60:1"], "net_profit", context)
    assert found["complete"] is False
    assert 0 < len(found["runs"]) < 59
    assert "of 59 runs" in told[0]
    with pytest.raises(CancelledError):
        context.check()


def test_what_cannot_be_optimized_is_refused() -> None:
    with pytest.raises(UsageError, match="Fast"):
        worker_run.optimize(STRATEGY, (), BARS, ["Fast=2:90:1"], "net_profit", Context())
    with pytest.raises(UsageError, match="not a strategy"):
        text = '//@version=6\nindicator("I")\nplot(input.int(1, "N"))\n'
        worker_run.optimize(text, (), BARS, ["N=1:2:1"], "net_profit", Context())
    with pytest.raises(UsageError, match="has no value"):
        inputs_of("Length")


def test_the_heat_map_has_the_best_run_of_each_cell() -> None:
    found: dict[str, Any] = {
        "metric": "net_profit",
        "axes": [{"name": "A", "values": [1, 2]}, {"name": "B", "values": ["x", "y"]}],
        "runs": [[[0, 0], 10.0], [[1, 0], None], [[0, 1], -5.0], [[1, 1], 2.5]],
    }
    assert heat_map(found, 0, 1) == ["B \\ A     1      2", "x      █ 10      –", "y      · −5  ▒ 2.5"]
    long = {"axes": [{"name": "A", "values": list(range(65))}, found["axes"][1]]}
    assert heat_map(found | long, 0, 1)[-1].startswith("not shown: the last 5 values of A;")
    assert heat_map(found | long, 1, 0)[-1].startswith("not shown: the last 5 values of A;")
    assert heat_map(found | long, 1, 1) == heat_map(found, 1, 1)
    assert heat_map(found, 1, 1) == ["B              x      y", "net_profit  █ 10  · 2.5"]
    assert heat_map(found | {"runs": []}, 0, 1) == []
    large = {"axes": [{"name": "名前", "values": [1, 2]}], "runs": [[[0], 123456.7], [[1], -0.123412]]}
    assert heat_map(found | large, 0, 0) == ["名前                1          2", "net_profit  █ 123,457  · −0.1234"]
    small = {"axes": [{"name": "A", "values": [1, 2, 3]}], "runs": [[[0], 0.0004], [[1], -0.0003], [[2], 0.0]]}
    assert heat_map(found | small, 0, 0)[1].split() == [*"net_profit █ 0.0004 · −0.0003 ▒ 0".split()]


def test_the_number_of_trades_is_grouped_and_may_be_missing() -> None:
    one = {"inputs": {"A": 1}, "seen": {"net_profit": 1.0, "trades": 12345, "sharpe_ratio": None}, "held": None}
    assert _rows([one], 80) == ["A=1  net 1.00  12,345 trades  Sharpe –"]
    one["seen"] = {"net_profit": None, "trades": None, "sharpe_ratio": None}
    assert _rows([one], 80) == ["A=1  net –  – trades  Sharpe –"]


def test_what_was_assumed_about_the_bars_of_a_file_is_in_the_result(tmp_path: Path) -> None:
    rows = [f"2024-01-{day:02},{50000 + day},{50003 + day},{49999 + day},{50001 + day}" for day in range(1, 31)]
    bars = write(tmp_path / "coin.csv", "\n".join(["time,open,high,low,close", *rows]))
    found = worker_run.optimize(STRATEGY, (), str(bars), ["Fast=2,3"], "net_profit", Context())
    told = " ".join(found["read"])
    assert "without a time zone, read as UTC; no volume" in told

"""The cell magic in a real IPython shell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import pinebench as pb

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

SCRIPT = '//@version=6\nindicator("Mean")\nplot(ta.sma(close, input.int(20, "Length")), "Mean")'


@pytest.fixture(scope="module")
def shell() -> Iterator[InteractiveShell]:
    from IPython.core.interactiveshell import InteractiveShell  # not when tests are collected: it loads much

    one = InteractiveShell.instance()
    one.run_line_magic("load_ext", "pinebench")
    yield one
    InteractiveShell.clear_instance()


def shown(shell: InteractiveShell, line: str, cell: str) -> Any:
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        shell.run_cell_magic("pine", line, cell)
    return captured


def test_a_script_runs_and_its_result_is_kept(shell: InteractiveShell) -> None:
    captured = shown(shell, "mean --data sample:AAPL@1Dx60 --input Length=5", SCRIPT)
    kept = shell.user_ns["mean"]
    assert isinstance(kept, pb.Run) and kept["Mean"][4] == kept["Mean"][4]
    assert "iframe" in captured.outputs[0].data["text/html"]


def test_after_a_failure_no_earlier_result_is_left_under_the_name(shell: InteractiveShell) -> None:
    """The cells below would go on with it."""
    shown(shell, "again --data sample:AAPL@1Dx60", SCRIPT)
    assert isinstance(shell.user_ns["again"], pb.Run)
    shown(shell, "again --data sample:NOTHING", SCRIPT)
    assert "again" not in shell.user_ns


def test_bars_may_be_a_variable_and_a_strategy_is_tested(shell: InteractiveShell) -> None:
    shell.user_ns["mine"] = pb.bars("sample:AAPL@1Dx60").to_pandas()
    strategy = '//@version=6\nstrategy("a")\nif bar_index == 3\n    strategy.entry("L", strategy.long)'
    shown(shell, "tested --data mine", strategy)
    assert isinstance(shell.user_ns["tested"], pb.Backtest) and len(shell.user_ns["tested"].trades) == 1


def test_a_faulty_script_is_shown_with_its_errors_and_not_run(shell: InteractiveShell) -> None:
    captured = shown(shell, "broken --data sample:AAPL", SCRIPT.replace("close", "clos"))
    assert "underline wavy" in captured.outputs[0].data["text/html"]
    assert isinstance(shell.user_ns["broken"], pb.Report)


def test_a_script_with_a_hidden_error_is_not_run_and_says_why(shell: InteractiveShell) -> None:
    hidden = SCRIPT.replace("close", "clos") + " // pinebench: ignore[CE10272]"
    captured = shown(shell, "hidden --data sample:AAPL", hidden)
    assert "TradingView refuses such a script" in captured.outputs[0].data["text/html"]
    assert isinstance(shell.user_ns["hidden"], pb.Report)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--dat x", "%%pine: unrecognized arguments"),
        ("1x --data sample:AAPL", "'1x' is not the name of a variable"),
        ("x --data nowhere.csv", "nowhere.csv"),
        ("x --data sample:AAPL --input Length", "has no value"),
        ("x --data 'sample:AAPL", "No closing quotation"),
    ],
)
def test_a_mistake_is_one_line_and_keeps_nothing(shell: InteractiveShell, line: str, words: str) -> None:
    shell.user_ns.pop("x", None)
    captured = shown(shell, line, SCRIPT)
    assert words in captured.stderr and "Traceback" not in captured.stderr and "x" not in shell.user_ns

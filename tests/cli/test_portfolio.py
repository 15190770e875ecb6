"""`pinebench portfolio`, as a person and a program call it."""

import json
from pathlib import Path

import pytest

from pinebench.cli import main

SCRIPT = """\
//@version=6
strategy("S", initial_capital = 100000, default_qty_type = strategy.percent_of_equity, default_qty_value = 30)
length = input.int(7, "Length")
if bar_index % length == 0
    strategy.entry("L", strategy.long)
if bar_index % length == 3
    strategy.close("L")
"""
PLAN = """\
[[strategy]]
script = "s.pine"
data = "sample:AAPL@1Dx60"
name = "slow"

[strategy.inputs]
Length = 9

[[strategy]]
script = "s.pine"
data = "sample:MSFT@1Dx60"

[strategy.properties]
default_qty_value = 10
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.pine").write_text(SCRIPT)
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "s.pine").write_text(SCRIPT)
    (tmp_path / "plans" / "plan.toml").write_text(PLAN)
    return tmp_path


def test_a_file_with_inputs_and_properties(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["portfolio", "plans/plan.toml", "--format", "json", "--trades", "trades.csv"]
    assert main(call) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in told["strategies"]] == ["slow", "s.pine on MSFT"]
    assert told["strategies"][0]["trades"] < told["strategies"][1]["trades"]
    assert told["report"]["trades"] == sum(each["trades"] for each in told["strategies"])
    assert len(told["equity"]["time"]) == len(told["equity"]["equity"]) == 60
    head, *rows = (folder / "trades.csv").read_text().splitlines()
    assert head.startswith("Trade #,Strategy,Symbol,Type,")
    assert len(rows) == 2 * len(told["trades"])
    assert rows[0].split(",")[2] in {"NASDAQ:AAPL (made up)", "NASDAQ:MSFT (made up)"}


def test_weights_and_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["s.pine@sample:AAPL@1Dx60", "s.pine@sample:AAPL@1Dx60"]
    assert main(["portfolio", *names, "--weights", "0.5,0.25"]) == 0
    out = capsys.readouterr().out
    assert "2 strategies, each with its own part of the capital" in out
    assert "50,000.00" in out
    assert "25,000.00" in out
    assert "s.pine on AAPL (2)" in out
    assert "Largest drawdown from realized equity" in out
    assert "within bars" not in out, "the prices of several symbols inside their bars are not known together"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["s.pine"], "is not a strategy with its bars"),
        (["s.pine@sample:AAPL@1Dx60", "--weights", "0.5,0.5"], "2 weights for 1 strategies"),
        (["s.pine@sample:AAPL@1Dx60", "--weights", "half"], "must be numbers"),
        (["plans/bad.toml"], "plans/bad.toml, strategy 1: 'wieght' is not a key of a strategy"),
        (["plans/none.toml"], "there are no strategies"),
        (["s.pine@gone.csv"], "gone.csv"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    arguments: list[str], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "plans" / "bad.toml").write_text('[[strategy]]\nscript = "s.pine"\ndata = "x.csv"\nwieght = 1\n')
    (folder / "plans" / "none.toml").write_text("")
    assert main(["portfolio", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_an_error_names_the_strategy_and_writes_no_trades(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.pine").write_text(SCRIPT + 'if bar_index == 5\n    runtime.error("no more")\n')
    assert main(["portfolio", "s.pine@sample:AAPL@1Dx60", "bad.pine@sample:AAPL@1Dx60", "--trades", "t.csv"]) == 1
    told = capsys.readouterr()
    assert "bad.pine on AAPL" in told.err
    assert "no more" in told.err
    assert not told.out
    assert not (folder / "t.csv").exists()

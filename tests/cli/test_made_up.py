"""Each output that is made of made-up prices says so: texts, JSON, tables, pages, lists of trades, results of tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pinebench.cli import main

STRATEGY = """//@version=6
strategy("Cross", overlay = true)
int fast = input.int(3, "Fast", minval = 1)
if ta.crossover(close, ta.sma(close, fast))
    strategy.entry("L", strategy.long)
if ta.crossunder(close, ta.sma(close, fast))
    strategy.close("L")
plot(close, "Close")
"""
DATA = "--data sample:AAPL@1Dx120"
SWEEP = f"optimize s.pine {DATA} --input Fast=2:4:1 --jobs 1"
COMMANDS = (
    f"run s.pine {DATA}",
    f"run s.pine {DATA} --format json",
    f"backtest s.pine {DATA}",
    f"backtest s.pine {DATA} --format json",
    f"backtest s.pine {DATA} --trades OUT.csv",
    f"why s.pine close {DATA} --bar 60",
    f"why s.pine close {DATA} --bar 60 --format json",
    f"inspect s.pine {DATA} --bar 60",
    f"inspect s.pine {DATA} --bar 60 --format json",
    f"montecarlo s.pine {DATA} --runs 20",
    f"montecarlo s.pine {DATA} --runs 20 --format json",
    "portfolio s.pine@sample:AAPL@1Dx120",
    "portfolio s.pine@sample:AAPL@1Dx120 --format json",
    "portfolio s.pine@sample:AAPL@1Dx120 --trades OUT.csv",
    "screen s.pine --data sample --symbols *AAPL --bars 60 --where last(close)>0",
    "screen s.pine --data sample --symbols *AAPL --bars 60 --where last(close)>0 --format csv",
    "screen s.pine --data sample --symbols *AAPL --bars 60 --where last(close)>0 --format json",
    SWEEP,
    f"{SWEEP} --format json",
    f"{SWEEP} -o OUT.csv",
    f"{SWEEP} --page OUT.html",
    f"{SWEEP} --walk-forward train=2M,test=1M",
    f"{SWEEP} --walk-forward train=2M,test=1M --format json",
)


def test_every_output_of_made_up_prices_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.pine").write_text(STRATEGY)
    for number, command in enumerate(COMMANDS):
        words = [word.replace("OUT", f"out{number}") for word in command.split()]
        code = main(words)
        told = capsys.readouterr()
        assert code in (0, 1), (command, told.err)
        files = [word for word in words if word.startswith("out")]
        text = Path(files[0]).read_text(encoding="utf-8") if files else told.out
        if "--format json" in command:
            found = json.loads(text)
            rows = [found, found.get("data", {}), *found.get("rows", [])]
            assert any(row.get("made_up") is True for row in rows), command
        else:
            assert "made up" in text, (command, text[:500])


def test_no_output_of_other_prices_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.pine").write_text(STRATEGY)
    rows = [
        f"2024-{1 + k // 28:02d}-{1 + k % 28:02d},{100 + k % 7},{109 + k % 7},{90},{100 + k % 5}" for k in range(120)
    ]
    Path("bars.csv").write_text("time,open,high,low,close\n" + "\n".join(rows))
    for form in ("text", "json"):
        assert main(["backtest", "s.pine", "--data", "bars.csv", "--format", form, "--trades", f"{form}.csv"]) == 0
        told = capsys.readouterr().out
        assert "made up" not in told.replace('"made_up":false', "")
        assert "made up" not in Path(f"{form}.csv").read_text()
        assert "120 bars of 1 day" in told and "taken as UTC" in told

"""Commands that run a script with an own version of a published library say so, or work as with any library."""

import json
from pathlib import Path

import pytest

from pinebench.cli import main as pinebench

SCRIPT = """//@version=6
indicator("x")
import TradingView/ta/9 as tv
value = tv.dema(close, 5)
plot(value, "DEMA")
"""
STRATEGY = """//@version=6
strategy("s")
import TradingView/ta/9 as tv
value = tv.dema(close, 5)
if ta.crossover(close, value)
    strategy.entry("L", strategy.long)
if ta.crossunder(close, value)
    strategy.close("L")
"""
NOTE = "TradingView/ta/9 is pinebench's own version"
DATA = ["--data", "sample:AAPL", "--bars", "200"]


def test_commands_that_run_a_script_with_an_own_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"PINEBENCH_{name}_DIR", str(tmp_path / name))
    Path("x.pine").write_text(SCRIPT, "utf8")
    Path("x.test.toml").write_text('script = "x.pine"\nbars = "AAPL"\ncount = 60\nexpect = ["na(DEMA)<50%"]\n', "utf8")

    def said(*words: str) -> str:
        assert pinebench([*words]) == 0, (words, capsys.readouterr())
        told = capsys.readouterr()
        return told.out + told.err

    assert NOTE in said("run", "x.pine", *DATA)
    report = json.loads(said("run", "x.pine", *DATA, "--format", "json").partition("\n")[0])
    assert any(NOTE in note for note in report["notes"])
    assert NOTE in said("test", "x.test.toml")
    Path("s.pine").write_text(STRATEGY, "utf8")
    for words in (
        ["inspect", "x.pine", "--bar", "50"],
        ["why", "x.pine", "value", "--bar", "50"],
        ["profile", "x.pine"],
        ["montecarlo", "s.pine", "--runs", "20"],
        ["backtest", "s.pine"],
    ):
        assert NOTE in said(*words, *DATA), words
        report = json.loads(said(*words, *DATA, "--format", "json").partition("\n")[0])
        assert any(NOTE in note for note in report["notes"]), words
    assert NOTE in said("chart", "sample:AAPL", "-p", "x.pine", "--bars", "60")

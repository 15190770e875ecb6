"""Commands that run a script with an own version of a published library say so, or work as with any library."""

from __future__ import annotations

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
NOTE = "TradingView/ta/9 is pinebench's own version"
DATA = ["--data", "sample:AAPL", "--bars", "60"]


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
    assert "value" in said("inspect", "x.pine", *DATA, "--bar", "50")
    assert "tv.dema(close, 5)" in said("why", "x.pine", "value", *DATA, "--bar", "50")
    assert "tv.dema" in said("profile", "x.pine", *DATA)

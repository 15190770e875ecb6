"""`pinebench chart`: pictures and pages of indicators, and their last values."""

import json
from pathlib import Path

import pytest

from pinebench.cli import main

SAMPLE = "sample:BTCUSDT@60x120"


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), pytest.param("a.html", b"<!doctype html", marks=pytest.mark.live)],
)
def test_a_chart_in_a_file(name: str, begins: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    size = ["--width", "600", "--height", "400"]
    assert main(["chart", SAMPLE, "-p", "rsi", "-p", "bbands,period=10", "-o", str(path), *size]) == 0
    assert path.read_bytes().startswith(begins)
    told = capsys.readouterr()
    assert told.out == "" and f"{path}: written" in told.err


def test_values_on_the_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "mine.pine"
    script.write_text('//@version=6\nindicator("M")\nplot(close, "C")\n', encoding="utf8")
    given = ["-p", "rsi,length=5", "-p", str(script), "-p", '{"name": "rsi", "id": "slow", "length": 30}']
    assert main(["chart", SAMPLE, *given]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["label"] for one in told["indicators"].values()] == ["RSI(5)", "M", "RSI(30)"]
    assert list(told["indicators"]) == ["rsi", "mine", "slow"] and told["data"] == "sample"


def test_made_up_bars_are_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chart", "-p", "atr", "--bars", "30"]) == 0
    told = capsys.readouterr()
    assert "no symbol was given: the bars are made up" in told.err and json.loads(told.out)["symbol"] is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["-o", "a.gif"], "neither a picture nor a page"),
        (["-p", "rsi,length"], "has no value"),
        (["-p", "{"], "is not JSON"),
        (["-p", "nothing"], "unknown indicator 'nothing'"),
        (["-p", "gone.pine"], "gone.pine"),
        (["--bars", "0"], "0 bars cannot be shown"),
        (["--width", "90", "-o", "a.svg"], "400 to 7680"),
        (["--width", "0", "-o", "a.svg"], "400 to 7680"),
        (["--log"], "--log has no effect: no picture is drawn"),
        (["--width", "900", "-o", "a.json"], "--width has no effect: no picture is drawn"),
    ],
)
def test_mistakes(
    given: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["chart", SAMPLE, *given]) == 2
    assert words in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_file_of_somebody_else_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("mine", encoding="utf8")
    assert main(["chart", SAMPLE, "-o", str(path)]) == 2
    assert path.read_text(encoding="utf8") == "mine"


def test_a_file_that_is_not_there_is_never_asked_for_on_the_web(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("gone.csv", "folder/gone", "GONE.PARQUET"):
        assert main(["chart", name]) == 2
        assert name in capsys.readouterr().err


def test_an_indicator_without_its_series_is_an_error_beside_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chart", SAMPLE, "-p", "funding", "-p", "rsi"]) == 2
    told = capsys.readouterr()
    assert "funding: made-up bars have no funding rate" in told.err
    found = json.loads(told.out)["indicators"]
    assert found["funding"]["error"] and found["rsi"]["lines"]
    path = tmp_path / "a.svg"
    assert main(["chart", SAMPLE, "-p", "funding", "-p", "rsi", "-o", str(path)]) == 2
    assert "RSI(14)" in path.read_text(encoding="utf8")

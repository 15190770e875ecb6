"""Mistakes at the command line: each answer says what is right, and the command that follows from it works.

A row is a line that a person or a program could well write, words of the answer, and the line to which they lead. A
row without words is taken, because it can mean one thing only.
"""

import shlex
from pathlib import Path

import pytest

from pinebench.cli import main
from tests.cli.support import CLEAN

STRATEGY = """//@version=6
strategy("S")
length = input.int(5, "Length")
if ta.crossover(close, ta.sma(close, length))
    strategy.entry("L", strategy.long)
if ta.crossunder(close, ta.sma(close, length))
    strategy.close("L")
"""
OLD = '//@version=4\nstudy("x")\nplot(sma(close, 3))\n'
CALL = "call pine_run source=@a.pine"
BARS = "--data sample:AAPL@1Dx60"

COMMANDS: list[tuple[str, str, str]] = [
    ("check a.pine", "'lint'", "lint a.pine"),
    ("lint a.pin", "did you mean 'a.pine'?", "lint a.pine"),
    ("lint a", "did you mean 'a.pine'?", "lint a.pine"),
    ("lint a.pine --json", "", "lint a.pine --format json"),
    ("lint a.pine --format=JSON", "'json'", "lint a.pine --format=json"),
    ("lint a.pine --select repaint", "repainting", "lint a.pine --select repainting"),
    ("run a.pine", "--data", f"run a.pine {BARS}"),
    ("run a.pine AAPL", "--data sample:AAPL", f"run a.pine {BARS}"),
    ("run a.pine --data AAPL", "sample:AAPL", "run a.pine --data sample:AAPL --bars 60"),
    ("run a.pine --symbol AAPL", "--data", f"run a.pine {BARS}"),
    ("run a.pine --data sample:AAPL@1hx60", "60", "run a.pine --data sample:AAPL@60x60"),
    ("run a.pine --data sample:AAPL --timeframe 1hour", "60", "run a.pine --data sample:AAPL@60 --bars 60"),
    ("run s.pine --data sample:AAPL --bars 1k", "a whole number", "run s.pine --data sample:AAPL --bars 1000"),
    (f"run s.pine {BARS} --input length=7", "", f"run s.pine {BARS} --input Length=7"),
    (f"run s.pine {BARS} --input Lenght=7", 'mean "Length"', f"run s.pine {BARS} --input Length=7"),
    (f"run s.pine {BARS} --input Length:7", "=", f"run s.pine {BARS} --input Length=7"),
    (f"run s.pine {BARS} --inputs Length=7", "--input", f"run s.pine {BARS} --input Length=7"),
    (f"backtest a.pine {BARS}", "pinebench run", f"run a.pine {BARS}"),
    (f"backtest s.pine {BARS} --capital 5000", "--initial-capital", f"backtest s.pine {BARS} --initial-capital 5000"),
    (f"backtest s.pine {BARS} --output x.html", "", f"backtest s.pine {BARS} -o x.html"),
    (f"optimize s.pine {BARS} --range Length=5:20:5", "--input", f"optimize s.pine {BARS} --input Length=5:20:5"),
    (f"optimize s.pine {BARS} --input Length=5-20", "Length=5:50:5", f"optimize s.pine {BARS} --input Length=5:20:5"),
    (f"optimize s.pine {BARS} --input Lenght=5:20:5", "Length", f"optimize s.pine {BARS} --input Length=5:20:5"),
    (
        f"optimize s.pine {BARS} --input Length=5:20:5 --metric profit",
        "",
        f"optimize s.pine {BARS} --input Length=5:20:5 --metric net_profit",
    ),
    ("migrate old.pine --out new.pine", "-o", "migrate old.pine -o new.pine"),
    ("convert old.pine", "migrate", "migrate old.pine"),
    ("explain ta.supertend", "ta.supertrend", "explain ta.supertrend"),
    ("explain CE1O156", "CE10156", "explain CE10156"),
    ("explain 'how do I make a trailing stop'", "strategy.exit", "explain strategy.exit"),
    ("template", "list", "template list"),
    ("new", "NAME", "new mine"),
    ("new my bot", "my-bot", "new my-bot"),
]

JSON: list[tuple[str, str, str]] = [
    (f"{CALL} timeframe=1hr", "", f"{CALL} timeframe=1h bars=60"),
    (f"{CALL} tf=60", "timeframe", f"{CALL} timeframe=60 bars=60"),
    (f"{CALL} bars=1,000", "plain number", f"{CALL} bars=1000"),
    (f"{CALL} symbol=APPL", "AAPL", f"{CALL} symbol=AAPL bars=60"),
    (f"{CALL} --bars 60", "write bars=60", f"{CALL} bars=60"),
    (f"{CALL} bars 60", "bars=VALUE", f"{CALL} bars=60"),
    ("call pine_run a.pine", "source=@a.pine", f"{CALL} bars=60"),
    ("call pine_run source=a.pine", "@a.pine", f"{CALL} bars=60"),
    ("call pine_run @a.pine", "source=@a.pine", f"{CALL} bars=60"),
    ("call pine_run source=@b.pine", "there is no such file", f"{CALL} bars=60"),
    (f"{CALL} inputs=Length=7", "name", "call pine_run source=@s.pine bars=60 'inputs={\"Length\": 7}'"),
    (
        "call pine_run source=@s.pine 'inputs={Length: 7}'",
        '"',
        "call pine_run source=@s.pine bars=60 'inputs={\"Length\": 7}'",
    ),
    ("call pine_run '{source: x}'", "JSON", f"{CALL} bars=60"),
    ("call pine_run \"{'source': 'x'}\"", "quotes", f"{CALL} bars=60"),
    ("call pine_run '[1]'", "object", f"{CALL} bars=60"),
    ("call pine_rn source=@a.pine", "pine_run", f"{CALL} bars=60"),
    ("call run source=@a.pine", "pine_run", f"{CALL} bars=60"),
    ("call backtest source=@s.pine", "pine_backtest", "call pine_backtest source=@s.pine bars=60"),
    ("call pine_backtest source=@a.pine", "strategy", "call pine_backtest source=@s.pine bars=60"),
    ("call pine_explain CE10123", "name=CE10123", "call pine_explain name=CE10123"),
    ("call pine_explain code=CE10123", "name?", "call pine_explain name=CE10123"),
    ("call list_indicators kind=overlays", "overlay", "call list_indicators kind=overlay"),
    ("call pine_lint source=@a.pine select=PB2,PB3", "", 'call pine_lint source=@a.pine \'select=["PB2","PB3"]\''),
    ("call pine_analyze", "source", "call pine_analyze source=@a.pine"),
    ("call", "TOOL", "tools"),
    ("tools pine_rn", "pine_run", "tools pine_run"),
    ("tools --group quants", "quant", "tools --group quant"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"PINEBENCH_{name}_DIR", str(tmp_path / name))
    work = tmp_path / "work"
    work.mkdir()
    for name, text in (("a.pine", CLEAN), ("s.pine", STRATEGY), ("old.pine", OLD)):
        (work / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(work)
    return work


def ended(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of a line and what it prints."""
    try:
        code = main(shlex.split(line))
    except SystemExit as left:
        code = int(left.code or 0)
    told = capsys.readouterr()
    return code, told.out + told.err


@pytest.mark.parametrize("table", [COMMANDS, JSON], ids=["commands", "tools"])
def test_each_mistake_is_answered_so_that_the_next_line_is_right(
    table: list[tuple[str, str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    wrong: list[str] = []
    for line, words, right in table:
        code, told = ended(line, capsys)
        if bool(code) != bool(words) or words not in told or "Traceback" in told:
            wrong.append(f"{line}\n    {code} {told.strip()[:400]}\n    lacks {words!r}")
        code, told = ended(right, capsys)
        if code != 0:
            wrong.append(f"RIGHT {right}: {code} {told.strip()[:300]}")
    assert wrong == [], "\n".join(wrong)

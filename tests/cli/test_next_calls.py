"""Mistakes at the command line: each answer says what is right, and the command that follows from it works."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from pinebench.cli import main
from tests.cli.support import CLEAN
from tests.script_files import script_cases

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

CASES = script_cases(Path(__file__).with_name("next_calls.txt"))


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


@pytest.mark.parametrize("kind", ["commands", "tools"])
def test_each_mistake_is_answered_so_that_the_next_line_is_right(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    wrong: list[str] = []
    for fields, line, below in CASES:
        if fields[0] != kind:
            continue
        words, right = (*fields[1:], "")[0], below["right"]
        code, told = ended(line, capsys)
        if bool(code) != bool(words) or words not in told or "Traceback" in told:
            wrong.append(f"{line}\n    {code} {told.strip()[:400]}\n    lacks {words!r}")
        code, told = ended(right, capsys)
        if code != 0:
            wrong.append(f"RIGHT {right}: {code} {told.strip()[:300]}")
    assert wrong == [], "\n".join(wrong)

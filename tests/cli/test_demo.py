"""`pinebench demo` tells its story anywhere and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench.cli import main
from tests.cli.support import pinebench


def test_the_demo_shows_the_mistakes_explains_and_mends_them(tmp_path: Path) -> None:
    outcome = pinebench("demo", folder=tmp_path)
    assert outcome.code == 0, outcome.out + outcome.err
    assert outcome.err.startswith("pinebench: crossing.pine: 3 fixes applied\n")
    story = [
        "$ pinebench lint crossing.pine",
        "crossing.pine:8:22: error CE10272",
        "1 script checked: 3 errors",
        "$ pinebench explain CE10272",
        "$ pinebench lint crossing.pine --diff",
        "+slow = ta.sma(close, slowLength)",
        "$ pinebench lint crossing.pine --fix",
        "1 script checked: nothing to report",
        "$ pinebench fix text_workshop.pine",
        "local: 4 errors",
        "round 1: changed",
        "  - ",
        "round 2: changed",
        "local: passes our check",
        "done: passes our check (local: our check, not a compilation), 2 rounds",
        "$ pinebench compile text_workshop.pine",
        "text_workshop.pine: passes our check (origin: local",
        ": 0 errors, checked in ",
    ]
    position = 0
    for words in story:
        position = outcome.out.index(words, position) + len(words)
    assert list(tmp_path.iterdir()) == []


def test_without_a_browser_the_demo_leaves_that_act_out_in_one_line(tmp_path: Path) -> None:
    outcome = pinebench("demo", folder=tmp_path, environment={"PINEBENCH_BROWSER": "/nowhere", "CI": ""})
    assert outcome.code == 0, outcome.err
    assert sum(line.startswith("left out: ") for line in outcome.out.splitlines()) == 1
    assert ": 0 errors, checked in " in outcome.out


def test_on_ci_a_missing_browser_is_a_failure(tmp_path: Path) -> None:
    outcome = pinebench("demo", folder=tmp_path, environment={"PINEBENCH_BROWSER": "/nowhere", "CI": "true"})
    assert outcome.code == 1


def test_an_interrupted_command_ends_the_demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> list[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr("pinebench.lint.running.check_scripts", interrupted)
    assert main(["demo"]) == 130
    assert capsys.readouterr().out.count("== ") == 1

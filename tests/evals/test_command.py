"""`pinebench eval` as people run it."""

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.cli import main
from pinebench.evals import tasks as module
from pinebench.evals.tasks import Task, tasks
from tests.authoring.fake_anthropic import Reply
from tests.cli.support import Outcome, surroundings
from tests.evals.pupil import ENVIRONMENT, MODEL, Pupil, solved, wrong
from tests.evals.test_benchmark_run import Agent

CHOSEN = tasks(1, ["explain-trap-?"])
CALL = ("eval", "--model", MODEL, "--tasks", "explain-trap-?", "-o", "out")


class Here:
    """Runs the command in this process, in its own folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.chdir(folder)
        monkeypatch.setenv("PINEBENCH_STATE_DIR", str(folder / ".state"))

    def __call__(self, pupil: Pupil, *arguments: str) -> Outcome:
        for name, value in environment(pupil).items():
            self._monkeypatch.setenv(name, value)
        code = main([*CALL, *arguments])
        shown = self._capsys.readouterr()
        return Outcome(code, shown.out, shown.err)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(tmp_path, monkeypatch, capsys)


def environment(pupil: Pupil) -> dict[str, str]:
    return {**ENVIRONMENT, "ANTHROPIC_BASE_URL": pupil.url}


def test_a_run_prints_the_score_and_writes_the_reports(here: Here, tmp_path: Path) -> None:
    with Pupil(CHOSEN, lambda task: wrong(task) if task.id.endswith("-2") else solved(task)) as pupil:
        told = here(pupil)
        again = here(pupil, "--format", "json")
    assert told.code == again.code == 0, told
    assert "pass@1    80.0 % (4 of 5)" in told.out
    assert "failures  fault 1" in told.out
    assert "explain-trap-2 failed: fault" in told.err
    assert len(pupil.requests) == 5
    entry = json.loads(again.out)
    assert (entry["tasks"], entry["passed"], entry["pass@1"], entry["complete"]) == (5, 4, 0.8, False)
    board = json.loads((tmp_path / "out" / "leaderboard.json").read_text())
    assert board["entries"] == [entry]
    assert "explain-trap-2" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_goes_on_and_pays_for_no_answer_twice(
    number: signal.Signals, here: Here, tmp_path: Path
) -> None:
    arrived, free = threading.Event(), threading.Event()

    def plan(task: Task) -> Reply:
        if task.id != CHOSEN[3].id or free.is_set():
            return solved(task)
        arrived.set()
        return Reply(pieces=_silence(free))

    with Pupil(CHOSEN, plan) as pupil:
        process = subprocess.Popen(
            [sys.executable, "-m", "pinebench", *CALL, "--jobs", "1"],
            cwd=tmp_path,
            env=surroundings(tmp_path, **environment(pupil)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert arrived.wait(120)
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        free.set()
        assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL), err
        assert out == b""
        if number == signal.SIGINT:
            assert b"no answer is paid for twice" in err
            assert (tmp_path / "out" / "report.html").is_file()
        told = here(pupil, "--jobs", "1")
    assert "5 of 5" in told.out
    assert "3 of 5 tasks already have a verdict" in told.err
    assert dict(pupil.asked) == {task.id: 2 if task is CHOSEN[3] else 1 for task in CHOSEN}


@pytest.mark.soak
def test_a_killed_agent_pays_for_no_answer_twice(here: Here, tmp_path: Path) -> None:
    """The kill comes while its second answer arrives, with the result of a tool in between."""
    arrived, free = threading.Event(), threading.Event()

    class Waiting(Agent):
        def take(self, request: Any) -> Reply:
            reply = super().take(request)
            if len(request.body["messages"]) == 1 or free.is_set():
                return reply
            arrived.set()
            return Reply(pieces=_silence(free))

    more = ("--mode", "agent", "--jobs", "1")
    with Waiting(CHOSEN, solved) as pupil:
        process = subprocess.Popen(
            [sys.executable, "-m", "pinebench", *CALL, *more],
            cwd=tmp_path,
            env=surroundings(tmp_path, **environment(pupil)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert arrived.wait(120)
        process.kill()
        process.communicate(timeout=120)
        free.set()
        told = here(pupil, *more)
    assert "5 of 5" in told.out and "10 rounds" in told.out, told.out
    assert sum(pupil.asked.values()) == 2 * len(CHOSEN) + 1
    assert "12,000 tokens" in told.out


def _silence(free: threading.Event):
    """The beginning of a stream that never goes on."""

    def pieces() -> Iterator[bytes]:
        yield b'event: ping\ndata: {"type": "ping"}\n\n'
        free.wait(120)

    return pieces


def test_a_used_up_budget_is_3_and_names_what_is_left(here: Here) -> None:
    with Pupil(CHOSEN, solved) as pupil:
        told = here(pupil, "--budget", "0.0045")
        rest = here(pupil, "--format", "json", "--budget", "0.0045")
    assert told.code == rest.code == 3
    spent = re.search(r"tasks are left: \$([0-9.]+) of \$0.0045 is spent", told.err)
    assert spent is not None and 0 < float(spent[1]) <= 0.0045 and "allow more with --budget" in told.err
    assert json.loads(rest.out)["success"] is False
    assert 1 <= len(pupil.requests) < 5


def test_a_solution_of_ours_that_fails_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    task = tasks(1, ["bands-1"])[0]
    source = task.instance.reference.replace("ta.sma", "ta.ema")
    spoilt = replace(task, instance=replace(task.instance, reference=source))
    monkeypatch.setattr(module, "all_of", lambda seed: (spoilt,))
    assert main(["eval", "--check", "--tasks", "bands-1"]) == 1
    shown = capsys.readouterr()
    assert shown.out == "0 of 1 of our solutions pass\n"
    assert 'bands-1 failed: plots: hidden bars: plot "Middle" differs on bar 13' in shown.err


def test_our_solutions_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--check", "--tasks", "explain-trap-1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"tasks": 1, "passed": 1, "failed": []}

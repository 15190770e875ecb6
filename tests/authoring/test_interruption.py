"""A run that is killed anywhere goes on where it was: nothing lost, no half-written file, the better script on the
disk."""

from __future__ import annotations

import gc
import os
import random
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pinebench import files
from pinebench.authoring import session
from pinebench.authoring.author import Budget, Proposal, Task, Usage
from pinebench.authoring.events import Drafted, Event, Finished, Revised, Started
from pinebench.authoring.journal import Journal
from pinebench.compilers import Verdict
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.errors import UsageError
from tests.authoring.support import CLEAN, ending, isolate

OURS = (str(Path(session.__file__).parent), str(files.__file__))
"""Where the code lies between whose lines a run is killed: all that writes, and all that decides what is written."""

OUTPUT = "steps.pine"
STEPS = 6
BUDGET = Budget(rounds=20)


def stage(mended: int) -> str:
    """The script with `mended` of its STEPS errors mended."""
    lines = [f"plot({'close' if number < mended else f'clsoe{number}'})" for number in range(STEPS)]
    return CLEAN + "".join(f"{line}\n" for line in lines)


class OneAtATime:
    """An author who mends one error a round."""

    name = "claude"

    def draft(self, task: Task, note: str, left: Budget, context: Context) -> Proposal:
        return Proposal(stage(0), usage=Usage(output_tokens=1))

    def revise(self, task: Task, source: str, verdict: Verdict, note: str, left: Budget, context: Context) -> Proposal:
        return Proposal(stage(STEPS - len(verdict.errors) + 1), usage=Usage(output_tokens=1))

    def restart(self, task: Task, failed: tuple[str, ...], note: str, left: Budget, context: Context) -> Proposal:
        raise AssertionError("no error comes back")


def begin() -> list[Event]:
    events = session.write(
        "six plots", OneAtATime(), LocalCompiler(), BUDGET, Context(), template="none", output=OUTPUT
    )
    return list(events)


def go_on() -> tuple[list[Event], Finished]:
    return ending(session.resume(OUTPUT, lambda started: (started, OneAtATime(), LocalCompiler()), Context()))


def begin_until(last: int | None = None) -> int:
    """Begin a run and count the lines of `OURS` that it passes; at line number `last` it kills itself."""
    passed = 0

    def line(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal passed
        passed += event == "line"
        if passed == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return line

    def call(frame: FrameType, _event: str, _argument: object) -> Any:
        return line if frame.f_code.co_filename.startswith(OURS) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        begin()
    finally:
        sys.settrace(before)
    return passed


def killed_at(last: int) -> None:
    """Begin a run in another process that is killed at line number `last`."""
    child = os.fork()
    if child == 0:
        gc.disable()  # what is open here belongs to the other process
        try:
            begin_until(last)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the run ended before it was killed"


def written(folder: Path) -> list[str]:
    """The scripts that the journal holds."""
    journals = list((folder / ".state" / "runs").glob("*.jsonl"))
    if not journals:
        return []
    return [event.source for event, _ in Journal(journals[0]).read() if isinstance(event, Drafted | Revised)]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many lines of `OURS` a whole run passes."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        isolate(monkeypatch, tmp_path_factory.mktemp("warm"))
        begin()
        isolate(monkeypatch, tmp_path_factory.mktemp("measure"))
        return begin_until()


@pytest.mark.parametrize("seed", range(50))
def test_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int, seed: int) -> None:
    isolate(monkeypatch, tmp_path)
    killed_at(random.Random(seed).randint(1, lines))

    on_disk = (tmp_path / OUTPUT).read_text() if (tmp_path / OUTPUT).exists() else None
    before = written(tmp_path)
    assert on_disk is None or on_disk in {stage(number) for number in range(STEPS + 1)}
    assert on_disk is None or on_disk in before
    try:
        _, finished = go_on()
    except UsageError:
        # Killed before there was a run.
        assert before == []
        assert on_disk is None
        return
    assert finished.success
    assert (tmp_path / OUTPUT).read_text() == stage(STEPS)
    after = written(tmp_path)
    assert after[: len(before)] == before
    assert after == [stage(number) for number in range(STEPS + 1)]
    assert finished.usage.output_tokens == finished.attempts == STEPS + 1


def test_a_cut_last_line_is_dropped_and_removed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run.jsonl")
    first = Started(Task("a"), "claude", "local", BUDGET)
    journal.append(first, 0.5)
    with journal.path.open("ab") as file:
        file.write(b'{"event": "Drafted", "round": 1, "sour')
    assert journal.read() == [(first, 0.5)]
    draft = Drafted(1, "x\n", Usage())
    journal.append(draft, 1.0)
    assert journal.read() == [(first, 0.5), (draft, 1.0)]


def test_a_spoilt_journal_is_refused_in_words(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run.jsonl")
    journal.path.write_text("not json\n")
    with pytest.raises(UsageError, match="line 1"):
        journal.read()


def test_a_script_that_someone_else_changed_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    (tmp_path / OUTPUT).write_text("// mine\n")
    with pytest.raises(UsageError, match="did not write it"):
        begin()
    (tmp_path / OUTPUT).unlink()
    events = session.write(
        "six plots", OneAtATime(), LocalCompiler(), BUDGET, Context(), template="none", output=OUTPUT
    )
    with pytest.raises(UsageError, match="changed by someone else"):
        for event in events:
            if isinstance(event, Revised):
                (tmp_path / OUTPUT).write_text("// mine\n")
    assert (tmp_path / OUTPUT).read_text() == "// mine\n"


def test_what_pinebench_wrote_may_be_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    begin()
    events = begin()
    assert isinstance(events[-1], Finished)
    assert events[-1].success


def test_a_raised_limit_lets_a_stopped_run_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    events = session.write(
        "six plots", OneAtATime(), LocalCompiler(), Budget(rounds=3), Context(), template="none", output=OUTPUT
    )
    _, stopped = ending(events)
    assert (stopped.outcome, stopped.attempts) == ("budget", 3)
    more = session.resume(
        OUTPUT,
        lambda started: (
            Started(started.task, started.author, started.compiler, BUDGET, output=OUTPUT),
            OneAtATime(),
            LocalCompiler(),
        ),
        Context(),
    )
    _, finished = ending(more)
    assert (finished.success, finished.attempts) == (True, STEPS + 1)

"""A run that is killed anywhere goes on where it was: nothing lost, no half-written file, the better script on the
disk."""

import gc
import os
import random
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pinebench import files
from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget, AuthoringTask, Proposal, Usage
from pinebench.authoring.events import DraftedEvent, Event, ExchangedEvent, FinishedEvent, RevisedEvent, StartedEvent
from pinebench.authoring.journal import Journal
from pinebench.compilers import Verdict
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.files.locks import LockHeld
from tests.authoring.fake_anthropic import Reply, Step, busy, edits, script, text
from tests.authoring.support import CLEAN, MISSPELLED, REQUEST, TWO_ERRORS, claude, ending, isolate, service

OURS = tuple(str(Path(str(module.__file__)).parent) for module in (session, files))
"""Where the code lies between whose lines a run is killed: all that writes, and all that decides what is written."""

OUTPUT = "steps.pine"
STEPS = 6
BUDGET = AuthorBudget(rounds=20)


def stage(mended: int) -> str:
    """The script with `mended` of its STEPS errors mended."""
    lines = [f"plot({'close' if number < mended else f'clsoe{number}'})" for number in range(STEPS)]
    return CLEAN + "".join(f"{line}\n" for line in lines)


class OneAtATime:
    """An author who mends one error a round."""

    name = "claude"

    def draft(self, task: AuthoringTask, note: str, left: AuthorBudget, context: Context) -> Proposal:
        return Proposal(stage(0), usage=Usage(output_tokens=1))

    def revise(
        self, task: AuthoringTask, source: str, verdict: Verdict, note: str, left: AuthorBudget, context: Context
    ) -> Proposal:
        return Proposal(stage(STEPS - len(verdict.errors) + 1), usage=Usage(output_tokens=1))

    def restart(
        self, task: AuthoringTask, failed: tuple[str, ...], note: str, left: AuthorBudget, context: Context
    ) -> Proposal:
        raise AssertionError("no error comes back")


def begin(base: str | None = None) -> list[Event]:
    """A whole run; `base` is the script that it changes."""
    events = session.write(
        "six plots", OneAtATime(), LocalCompiler(), BUDGET, Context(), base=base, template="none", output=OUTPUT
    )
    return list(events)


def on_nothing() -> list[Event]:
    return begin()


def on_an_earlier_run() -> list[Event]:
    return begin()


def on_a_script_of_ones_own() -> list[Event]:
    return begin(base=OUTPUT)


STARTS = (on_nothing, on_an_earlier_run, on_a_script_of_ones_own)
MINE = CLEAN + "plot(open)\n"


def prepare(start: Callable[[], object]) -> str | None:
    """Put what `start` begins on into the current folder; what the output then holds."""
    if start is on_an_earlier_run:
        begin()
        return stage(STEPS)
    if start is on_a_script_of_ones_own:
        Path(OUTPUT).write_text(MINE)
        return MINE
    return None


def go_on() -> tuple[list[Event], FinishedEvent]:
    return ending(session.resume(OUTPUT, lambda started: (started, OneAtATime(), LocalCompiler()), Context()))


def begin_until(start: Callable[[], object], last: int | None = None) -> int:
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
        start()
    finally:
        sys.settrace(before)
    return passed


def killed_at(start: Callable[[], object], last: int) -> None:
    """Begin a run in another process that is killed at line number `last`."""
    child = os.fork()
    if child == 0:
        gc.disable()  # what is open here belongs to the other process
        try:
            begin_until(start, last)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the run ended before it was killed"


def written(folder: Path, skipped: int) -> list[str]:
    """The scripts that the newest journal holds, but for the `skipped` older ones."""
    found = sorted((folder / ".state" / "runs").glob("*.jsonl"))[skipped:]
    return (
        [event.source for event, _ in Journal(found[-1]).read() if isinstance(event, DraftedEvent | RevisedEvent)]
        if found
        else []
    )


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> dict[Callable[[], object], int]:
    """How many lines of `OURS` a whole run passes, by how it starts."""
    counts: dict[Callable[[], object], int] = {}
    for start in STARTS:
        with pytest.MonkeyPatch.context() as monkeypatch:
            isolate(monkeypatch, tmp_path_factory.mktemp("warm"))
            begin()
            isolate(monkeypatch, tmp_path_factory.mktemp("measure"))
            prepare(start)
            counts[start] = begin_until(start)
    return counts


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(16))
def test_a_killed_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: dict[Any, int], start: Callable[[], object], seed: int
) -> None:
    isolate(monkeypatch, tmp_path)
    held = prepare(start)
    older = len(list((tmp_path / ".state" / "runs").glob("*.jsonl")))
    generator = random.Random(f"{seed} {start.__name__}")
    # Most lines are passed before the first and after the last round; what lies between must not be missed.
    killed_at(start, generator.randint(1, generator.choice((lines[start] // 8, lines[start]))))

    on_disk = (tmp_path / OUTPUT).read_text() if (tmp_path / OUTPUT).exists() else None
    before = written(tmp_path, older)
    assert on_disk == held or on_disk in before
    try:
        _, finished = go_on()
    except UsageError:
        # Killed before there was a run: a new one begins as this one would have.
        assert before == []
        assert on_disk == held
        start()
        assert (tmp_path / OUTPUT).read_text() == stage(STEPS)
        return
    assert finished.success
    assert (tmp_path / OUTPUT).read_text() == stage(STEPS)
    after = written(tmp_path, older)
    assert after[: len(before)] == before
    assert after == [stage(number) for number in range(STEPS + 1)] or (older and after == [])
    assert finished.usage.output_tokens == finished.attempts == STEPS + 1
    start()


def stopped_before_its_first_script(**options: Any) -> Event:
    """A run of which nothing but its start is left."""
    events = session.write(
        "six plots",
        OneAtATime(),
        LocalCompiler(),
        BUDGET,
        Context(),
        **{"template": "none", "output": OUTPUT, **options},
    )
    started = next(events)
    events.close()  # type: ignore[attr-defined]
    return started


def test_what_a_start_accepted_both_resuming_and_starting_again_accept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    begin()
    for _ in range(2):
        stopped_before_its_first_script()
    go_on()
    assert (tmp_path / OUTPUT).read_text() == stage(STEPS)
    stopped_before_its_first_script()
    begin()
    for path in sorted((tmp_path / ".state" / "runs").glob("*.jsonl"))[:-1]:
        path.unlink()  # as journals are that newer ones have pushed out
    stopped_before_its_first_script()
    for path in sorted((tmp_path / ".state" / "runs").glob("*.jsonl"))[:-1]:
        path.unlink()
    begin()


def test_a_script_of_ones_own_may_be_replaced_by_the_run_that_changes_it_and_by_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    (tmp_path / OUTPUT).write_text(MINE)
    stopped_before_its_first_script(base=OUTPUT)
    with pytest.raises(UsageError, match="did not write it"):
        begin()
    _, finished = go_on()
    assert finished.success
    assert (tmp_path / OUTPUT).read_text() == stage(STEPS)


def test_a_script_of_ones_own_that_an_author_returned_as_it_was_is_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    mine = stage(STEPS)
    (tmp_path / OUTPUT).write_text(mine)
    stopped_before_its_first_script(base=OUTPUT)
    [path] = (tmp_path / ".state" / "runs").glob("*.jsonl")
    Journal(path).append(DraftedEvent(1, mine, Usage()), 1.0)
    with pytest.raises(UsageError, match="did not write it"):
        begin()
    assert (tmp_path / OUTPUT).read_text() == mine


def test_what_was_edited_since_a_start_accepted_it_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    (tmp_path / OUTPUT).write_text(MINE)
    stopped_before_its_first_script(base=OUTPUT)
    (tmp_path / OUTPUT).write_text(MINE + "// edited\n")
    with pytest.raises(UsageError, match="did not write it"):
        go_on()
    assert (tmp_path / OUTPUT).read_text() == MINE + "// edited\n"


@pytest.mark.parametrize("spoilt", [b"", b'{"event": "Star', b"[" * 100_000 + b"\n", b'{"event": []}\n'])
def test_a_journal_without_a_start_hides_no_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: bytes
) -> None:
    isolate(monkeypatch, tmp_path)
    stopped_before_its_first_script()
    [older] = (tmp_path / ".state" / "runs").glob("*.jsonl")
    newer = older.with_name(older.name.replace("-0", "-9"))
    newer.write_bytes(spoilt)
    _, finished = go_on()
    assert finished.success
    older.unlink()
    with pytest.raises(UsageError, match=re.escape(str(newer))):
        go_on()
    (tmp_path / OUTPUT).unlink()
    begin()


def test_a_full_disk_is_told_with_the_name_of_the_journal_and_what_was_paid_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    events = session.write(
        "six plots", OneAtATime(), LocalCompiler(), BUDGET, Context(), template="none", output=OUTPUT
    )
    next(events)
    [path] = (tmp_path / ".state" / "runs").glob("*.jsonl")
    path.unlink()
    path.mkdir()  # whatever stands in the way
    _, finished = ending(events)
    assert (finished.outcome, finished.success) == ("unavailable", False)
    assert str(path) in finished.message
    assert (tmp_path / OUTPUT).read_text() == finished.source == stage(0)


def test_only_one_process_goes_on_with_a_run_and_the_next_is_told_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    stopped_before_its_first_script()
    first = session.resume(OUTPUT, lambda started: (started, OneAtATime(), LocalCompiler()), Context())
    next(first)
    for another in (go_on, begin):
        with pytest.raises(LockHeld, match=f"process {os.getpid()} is already resuming the run for {OUTPUT}"):
            another()
    _, finished = ending(first)
    assert finished.attempts == STEPS + 1
    begin()


def test_two_runs_that_only_print_their_script_do_not_disturb_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    runs = [
        session.write("six plots", OneAtATime(), LocalCompiler(), BUDGET, Context(), template="none") for _ in range(2)
    ]
    for events in runs:
        next(events)
    with pytest.raises(LockHeld, match="the last run in this folder"):
        list(session.resume(None, lambda started: (started, OneAtATime(), LocalCompiler()), Context()))
    assert all(ending(events)[1].success for events in runs)


def test_journals_are_their_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    state = tmp_path / ".state"
    (state / "runs").mkdir(parents=True)
    (state / "runs" / "old-1.jsonl").write_text("{}\n")
    for path in (state, state / "runs", state / "runs" / "old-1.jsonl"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    before = os.umask(0)
    try:
        begin()
    finally:
        os.umask(before)
    modes = {path: path.stat().st_mode & 0o777 for path in (state, *state.rglob("*"))}
    assert len(modes) == 4
    assert set(modes.values()) == {0o700, 0o600}
    assert all(mode == (0o700 if path.is_dir() else 0o600) for path, mode in modes.items())


def test_a_script_in_place_keeps_its_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    (tmp_path / OUTPUT).write_bytes(b"\xff\xfe" + MINE.encode("utf-16-le"))
    stopped_before_its_first_script(base=OUTPUT)
    go_on()
    assert (tmp_path / OUTPUT).read_bytes() == b"\xff\xfe" + stage(STEPS).encode("utf-16-le")
    begin()


def test_a_cut_last_line_is_dropped_and_removed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run.jsonl")
    first = StartedEvent(AuthoringTask("a"), "claude", "local", BUDGET)
    journal.append(first, 0.5)
    with journal.path.open("ab") as file:
        file.write(b'{"event": "Drafted", "round": 1, "sour')
    assert journal.read() == [(first, 0.5)]
    draft = DraftedEvent(1, "x\n", Usage())
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
            if isinstance(event, RevisedEvent):
                (tmp_path / OUTPUT).write_text("// mine\n")
    assert (tmp_path / OUTPUT).read_text() == "// mine\n"


def test_what_pinebench_wrote_may_be_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    begin()
    events = begin()
    assert isinstance(events[-1], FinishedEvent)
    assert events[-1].success


def test_a_raised_limit_lets_a_stopped_run_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    events = session.write(
        "six plots", OneAtATime(), LocalCompiler(), AuthorBudget(rounds=3), Context(), template="none", output=OUTPUT
    )
    _, stopped = ending(events)
    assert (stopped.outcome, stopped.attempts) == ("budget", 3)
    more = session.resume(
        OUTPUT,
        lambda started: (
            StartedEvent(started.task, started.author, started.compiler, BUDGET, output=OUTPUT),
            OneAtATime(),
            LocalCompiler(),
        ),
        Context(),
    )
    _, finished = ending(more)
    assert (finished.success, finished.attempts) == (True, STEPS + 1)


# kills between the requests of one round

NOWHERE = edits(("nowhere", "x"))
MENDED = edits(("ta.smaa", "ta.sma"))
LOST = CLEAN + "plot(qwertyuiop)\n"
REMARKED = CLEAN + "if close > open\n    alert(str.tostring(ta.sma(close, 3)))\n"


@pytest.mark.parametrize(
    ("answers", "rounds"),
    [
        ((script(MISSPELLED), NOWHERE, MENDED), 2),
        ((script(MISSPELLED), NOWHERE, edits(("l", "ll")), MENDED), 8),
        ((script(MISSPELLED), NOWHERE, NOWHERE, NOWHERE, MENDED), 8),
        ((script(TWO_ERRORS), edits(("ta.smaa", "ta.sma"), ("nowhere", "x")), edits(("clsoe", "close"))), 2),
        (
            (
                script(TWO_ERRORS.replace("\n", "\r\n")),
                edits(("ta.smaa", "ta.sma"), ("n", "")),
                edits(("clsoe", "close")),
            ),
            2,
        ),
        ((script(MISSPELLED), edits(("ta.smaa", "ta.sma"), ("nowhere", "x")), busy(400)), 8),
        ((text(f"```pine\n{CLEAN[:40]}", stop_reason="pause_turn"), text(f"{CLEAN[40:]}```")), 1),
        ((script(CLEAN[:60], stop_reason="max_tokens"), script(CLEAN)), 1),
        ((script(CLEAN, cut_after=4), script(CLEAN, stream_error="overloaded_error"), script(CLEAN)), 1),
        ((script(MISSPELLED), NOWHERE, edits(("ta.smaa", "ta.sma"), cut_after=3), MENDED), 2),
        ((script(REMARKED), NOWHERE, edits(("plot(", "plot( "))), 2),
        ((script(LOST), script(LOST), script(MISSPELLED, cut_after=3), script(CLEAN)), 8),
    ],
)
def test_a_run_killed_before_any_answer_pays_for_no_other_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: tuple[Reply, ...], rounds: int
) -> None:
    isolate(monkeypatch, tmp_path)
    kept: list[bytes] = []

    def asked(answer: Reply) -> Step:
        def reply(_body: dict[str, Any]) -> Reply:
            # What a kill would leave while this request is under way.
            [path] = (tmp_path / ".state" / "runs").glob("*.jsonl")
            kept.append(path.read_bytes())
            return answer

        return reply

    with service(monkeypatch, *map(asked, answers)) as whole:
        events = session.write(
            REQUEST,
            claude(),
            LocalCompiler(),
            AuthorBudget(rounds=rounds),
            Context(),
            template="none",
            output=OUTPUT,
            model="claude-x",
        )
        every, finished = ending(events)
    assert len(kept) == len(answers)
    assert sum(isinstance(event, ExchangedEvent) for event in every) == len(answers) - finished.attempts
    [path] = (tmp_path / ".state" / "runs").glob("*.jsonl")
    for number, left in enumerate(kept):
        path.write_bytes(left)
        (tmp_path / OUTPUT).unlink(missing_ok=True)
        with service(monkeypatch, *answers[number:]) as fake:
            _, resumed = ending(session.resume(OUTPUT, lambda started: (started, claude(), LocalCompiler()), Context()))
        assert [request.body for request in fake.requests] == [request.body for request in whole.requests[number:]]
        assert (resumed.outcome, resumed.source, resumed.attempts) == (
            finished.outcome,
            finished.source,
            finished.attempts,
        )
        assert resumed.usage.tokens == finished.usage.tokens
        assert resumed.usage.dollars == pytest.approx(finished.usage.dollars)

"""Many scripts are checked, and none of them costs another one its findings; the processes never stay behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

import pytest

from pinebench.files import DecodedText
from pinebench.linter import batch
from pinebench.linter.engine import LintedScript
from pinebench.linter.project import FileProblem, LintedFile, ScriptFindings
from tests.cli.support import surroundings

TYPO = '//@version=6\nindicator("x")\nplot(clsoe)\n'
FAULTY = TYPO + "// raise\n"
DEADLY = TYPO + "// end\n"


def scripts(*texts: str) -> list[LintedFile]:
    return [LintedFile(f"{number}.pine", DecodedText(text)) for number, text in enumerate(texts)]


def lint(given: list[LintedFile], jobs: int, problems: list[FileProblem]) -> list[ScriptFindings]:
    """The results in the order of the scripts."""
    order = [script.path for script in given]
    return sorted(batch.check_scripts(given, jobs, None, problems), key=lambda result: order.index(result.script.path))


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker that fails on some scripts, in one process or, as processes are forked, in many."""

    def check(text: str, path: str, libraries: tuple[str, ...] = (), opinions: Collection[str] = ()) -> LintedScript:
        if text == FAULTY:
            raise RecursionError("maximum recursion depth exceeded")
        if text == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(text, path, libraries, opinions)

    real = batch.check_script
    monkeypatch.setattr(batch, "check_script", check)
    monkeypatch.setattr(batch, "bare_findings", lambda *script: check(*script).findings)


@pytest.mark.usefixtures("faults")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_script_on_which_the_checker_fails_is_named_and_the_others_keep_their_findings(jobs: int) -> None:
    problems: list[FileProblem] = []
    results = lint(scripts(TYPO, FAULTY, TYPO, FAULTY, TYPO), jobs, problems=problems)
    assert [(result.script.path, len(result.findings)) for result in results] == [
        *(("0.pine", 1), ("2.pine", 1), ("4.pine", 1))
    ]
    assert sorted(problem.path for problem in problems) == ["1.pine", "3.pine"]
    assert problems[0].message.endswith(": internal error: RecursionError: maximum recursion depth exceeded")
    assert {problem.exit_code for problem in problems} == {3}


@pytest.mark.usefixtures("faults")
@pytest.mark.skipif(sys.platform != "linux", reason="the checker that fails reaches forked processes only")
def test_a_script_whose_process_is_ended_is_named_and_the_others_keep_their_findings() -> None:
    problems: list[FileProblem] = []
    texts = [TYPO] * 6 + [DEADLY] + [TYPO] * 6 + [DEADLY] + [TYPO] * 2
    results = lint(scripts(*texts), 2, problems=problems)
    assert [result.script.path for result in results] == [
        f"{number}.pine" for number, text in enumerate(texts) if text != DEADLY
    ]
    assert all(len(result.findings) == 1 for result in results)
    assert sorted(problem.path for problem in problems) == ["13.pine", "6.pine"]
    assert "ended unexpectedly" in problems[0].message


def test_no_process_is_left_when_the_results_are_not_wanted_any_more() -> None:
    from multiprocessing import active_children

    outcomes = batch.check_scripts(scripts(*[TYPO] * 50), 2)
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]
    assert active_children() == []


def children_of(process: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()}


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path: Path, number: signal.Signals) -> None:
    # Scripts that take minutes, so that the workers are surely busy.
    slow = '//@version=6\nindicator("x")\n' + "plot(ta.sma(close, 14) + math.max(1, 2, 3))\n" * 20_000
    for name in ("a", "b", "c", "d"):
        (tmp_path / f"{name}.pine").write_text(slow)
    command = [sys.executable, "-m", "pinebench", "lint", "--jobs", "2", "--no-cache"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=surroundings(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        workers: set[int] = set()
        while len(workers) < 2:
            assert process.poll() is None
            workers = children_of(process.pid)
            time.sleep(0.01)
        process.send_signal(number)
        process.communicate(timeout=300)
        end = time.monotonic() + 60
        while any(map(is_running, workers)) and time.monotonic() < end:
            time.sleep(0.01)
        assert not [worker for worker in workers if is_running(worker)]
    finally:
        process.kill()
        process.wait()

"""Checks many scripts, in this process or in several. A failure in one script does not affect the others."""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING

from pinebench.linter.engine import bare_findings, check_script
from pinebench.linter.project import FileProblem, LintedFile, ScriptFindings
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from concurrent.futures import Future, ProcessPoolExecutor

    from pinebench.linter.cache import Cache
    from pinebench.linter.engine import LintedScript
    from pinebench.linter.findings import Finding

EACH_PROCESS = 500_000
"""The number of characters that justify one more process; for less text, starting a process costs more than it
saves."""

FAILED = "internal-error"
"""The code in reports for a script on which the checker failed."""

INTERRUPTED = "interrupted"
"""The code in reports for the first script that was not checked because of Ctrl-C."""


class FailedScript(NamedTuple):
    """The outcome for a script on which pinebench failed. `findings` are the checker's own findings if only the search
    for fixes or a rule failed, otherwise None."""

    problem: FileProblem
    findings: list[Finding] | None = None


if TYPE_CHECKING:
    Outcome = LintedScript | FailedScript


def check_scripts(
    scripts: Sequence[LintedFile],
    jobs: int | None = None,
    cache: Cache | None = None,
    problems: list[FileProblem] | None = None,
) -> Iterator[ScriptFindings]:
    """Yield the findings of each script as soon as they are known; results from `cache` come first.

    `jobs` is the number of processes; None means as many as the amount of text justifies. If the checker fails on a
    script, a problem is added to `problems`.
    """
    unknown: list[LintedFile] = []
    for script in scripts:
        known = None if cache is None else cache.get(script)
        if known is None:
            unknown.append(script)
        else:
            yield ScriptFindings(script, known.findings, unread=known.unread)
    try:
        for script, outcome in _check_all(unknown, jobs):
            if isinstance(outcome, FailedScript):
                (problems if problems is not None else []).append(outcome.problem)
                if outcome.findings is not None:
                    yield ScriptFindings(script, outcome.findings)
                continue
            if cache is not None:
                cache.put(script, outcome)
            yield ScriptFindings(script, outcome.findings, unread=outcome.unread)
    finally:
        if cache is not None:
            cache.close()


def paying(characters: int) -> int:
    """Return the number of processes worth starting for `characters` characters of scripts, at most the number of
    available processors."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(usable, characters // EACH_PROCESS))


def _check_all(scripts: Sequence[LintedFile], jobs: int | None) -> Iterator[tuple[LintedFile, Outcome]]:
    if jobs is None:
        jobs = paying(sum(len(script.text) for script in scripts))
    if jobs == 1 or len(scripts) < 2:
        return ((script, _check(script)) for script in scripts)
    largest_first = sorted(scripts, key=lambda script: -len(script.text))
    return _in_processes(deque(largest_first), min(jobs, len(scripts)))


def _check(script: LintedFile) -> Outcome:
    try:
        return check_script(script.text, script.path, script.libraries, script.opinions)
    except Exception as error:  # an error in this script must not affect the others
        problem = failure(script, error)
    try:
        return FailedScript(problem, bare_findings(script.text, script.path, script.libraries))
    except Exception:  # the checker itself fails, which `problem` reports already
        return FailedScript(problem)


def failure(script: LintedFile, error: Exception) -> FileProblem:
    """Return the problem to report for a script on which pinebench itself failed."""
    import logging  # imported here, because it takes as long as checking a short script

    logging.getLogger("pinebench.linter").debug("%s: internal error", script.path, exc_info=error)
    return _failure(script, f"{type(error).__name__}: {error}")


def interrupted(path: str, message: str) -> FileProblem:
    """Return the problem to report if Ctrl-C was pressed before `path`, and possibly other scripts, were checked."""
    return FileProblem(path, message, None, INTERRUPTED, exit_code=130)


def _failure(script: LintedFile, what: str) -> FileProblem:
    return FileProblem(
        script.path,
        f"{script.path}: internal error: {what}",
        "please report it with the script; -vv prints more",
        FAILED,
        exit_code=3,
    )


def _in_processes(queue: deque[LintedFile], jobs: int) -> Iterator[tuple[LintedFile, Outcome]]:
    while queue:
        # If a process dies, the findings of its script are lost, and any script that was being checked may be the
        # cause.
        suspects = yield from _until_one_ends(queue, jobs)
        for script in suspects:
            yield script, _alone(script)


def _until_one_ends(
    queue: deque[LintedFile], jobs: int
) -> Generator[tuple[LintedFile, Outcome], None, list[LintedFile]]:
    """Check the scripts in `queue`. If a process dies, return the scripts that were being checked, otherwise an empty
    list."""
    from concurrent.futures import FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    running: dict[Future[Outcome], LintedFile] = {}
    with _Pool(jobs) as pool:
        while queue or running:
            try:
                while queue and len(running) < 2 * jobs:
                    running[pool.submit(_check, queue[0])] = queue[0]
                    queue.popleft()
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    outcome = future.result()
                    yield running.pop(future), outcome
            except BrokenProcessPool:
                return list(running.values())
    return []


def _alone(script: LintedFile) -> Outcome:
    from concurrent.futures.process import BrokenProcessPool

    with _Pool(1) as pool:
        try:
            return pool.submit(_check, script).result()
        except BrokenProcessPool:
            return FailedScript(
                _failure(script, "the process that checked it ended unexpectedly, perhaps because of too little memory")
            )


class _Pool:
    """A pool of processes that ends with its `with` block, at once after an exception, and also with this process."""

    def __init__(self, jobs: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children

        self._others = set(active_children())
        self._pool = ProcessPoolExecutor(jobs, initializer=_begin)

    def __enter__(self) -> ProcessPoolExecutor:
        return self._pool

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        from multiprocessing import active_children

        if kind is not None:
            for child in set(active_children()) - self._others:
                child.terminate()
        self._pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Ignore Ctrl-C, which the parent handles, and end this process when the parent ends for any reason."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)

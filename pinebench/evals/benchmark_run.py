"""Runs the benchmark with a model: requests answers, records and judges them. It continues where an earlier run
ended."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pinebench
from pinebench.authoring.author import AuthorUnavailable
from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.evals.model_answers import LIMITS, AnswerCancelled, Asker, Mode, OutOfBudget, conversation_of, spent_in
from pinebench.evals.records import ENDING, Head, RunRecord
from pinebench.evals.task_judge import Judge, TaskVerdict
from pinebench.evals.tasks import Task, tasks
from pinebench.files.locks import Lock, LockHeld

_LEAST_DOLLARS = 0.001
"""The rest of the budget, in dollars, below which no further task begins."""
_PATIENCE = 0.5
"""The seconds after which a task that waits for room asks whether the run has stopped."""

Told = Callable[[Task, TaskVerdict], None]
"""Called with each verdict, in the thread that judged."""


def check(chosen: Sequence[Task], jobs: int, told: Told, salt: str = "") -> list[tuple[Task, TaskVerdict]]:
    """Judge our own solutions on the hidden bars of `salt`, `jobs` at the same time, and return those that fail.

    `told` is called with each verdict. Raises PinebenchError if a solution cannot be run.
    """
    stop = threading.Event()

    def judge(task: Task) -> tuple[Task, TaskVerdict]:
        verdict = Judge(task, Context(cancelled=stop.is_set), salt).judge(task.solution)
        told(task, verdict)
        return task, verdict

    return [(task, verdict) for task, verdict in _all(judge, chosen, jobs, stop) if not verdict.passed]


def head_of(model: str, mode: Mode, seed: int, salt: str = "") -> Head:
    """Return the first line of the record file for a run of `model`."""
    return Head(model, mode, seed, digest(seed), pinebench.__version__, salt)


def digest(seed: int) -> str:
    """Return a hash that identifies the tasks of `seed`: all requests, solutions, limits and inputs, and the hidden
    cases of the first task on each kind of bars."""
    made = hashlib.sha256()
    seen: set[object] = set()
    for task in tasks(seed):
        one = task.instance
        further = {} if callable(one.further) else one.further
        made.update(f"{task.id}\n{task.prompt}\n{replace(one, oracle=None, further=further)!r}\n".encode())
        bars = (one.timeframe, one.stock, bool(one.fall), one.flat is None, callable(one.further))
        if bars not in seen:
            seen.add(bars)
            made.update(repr(task.cases()).encode())
    return made.hexdigest()[:16]


@dataclass
class _BenchmarkPurse:
    """The budget of a run in dollars. Each task in progress reserves what it may cost.

    Reserved dollars are not spent: a task that finds too few waits until another one gives back what it did not need.
    No task begins with less than the dearest one cost, because it would probably spend more than there is.
    """

    budget: float
    spent: float
    _reserved: float = 0.0
    _holders: int = 0
    _dearest: float = _LEAST_DOLLARS
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def reserve(self, is_stopped: Callable[[], bool]) -> float:
        """The dollars that one more task may cost; 0 if the budget is spent, or if the run stops while this waits."""
        with self._changed:
            while True:
                room = min(LIMITS.dollars, self.budget - self.spent - self._reserved)
                if room >= min(self._dearest, LIMITS.dollars):
                    self._reserved += room
                    self._holders += 1
                    return room
                if self._holders == 0 or self.budget - self.spent < self._dearest or is_stopped():
                    return 0.0
                self._changed.wait(_PATIENCE)

    def pay(self, reserved: float, dollars: float) -> None:
        """Give back what was reserved, and spend what it cost."""
        with self._changed:
            self._holders -= 1
            self._reserved = self._reserved - reserved if self._holders else 0.0
            self.spent += dollars
            self._dearest = max(self._dearest, dollars)
            self._changed.notify_all()


class EvalRun:
    """The run of a model on tasks. It holds the lock of its record file until `close`.

    `make` creates an Asker for each thread. `salt` chooses the hidden bars; without it, a new run draws one, and a
    continued run keeps its own. Raises LockHeld if another process runs the same model here, and UsageError if the
    record cannot be read or belongs to other tasks or other bars.
    """

    def __init__(
        self, folder: Path, model: str, mode: Mode, seed: int, make: Callable[[], Asker], salt: str | None = None
    ) -> None:
        head = head_of(model, mode, seed, secrets.token_hex(4) if salt is None else salt)
        self._folder, self._make = folder, make
        self._lock = Lock(str(folder / f"{head.name}.lock"))
        try:
            self._lock.acquire()
        except LockHeld as error:
            raise LockHeld(f"{error.message}, which runs this model here", error.pid, "wait until it ends") from None
        try:
            self.record = RunRecord(folder / f"{head.name}{ENDING}", head)
            if salt is not None and salt != self.record.head.bars:
                raise UsageError(
                    f"{self.record.path}: this run has the hidden bars '{self.record.head.bars}', not '{salt}'",
                    "leave out --bars-seed, or choose another folder with -o",
                )
        except BaseException:
            self._lock.release()
            raise
        self._stop = threading.Event()
        self._own = threading.local()
        self.out_of_budget = False
        self._trouble: AuthorUnavailable | None = None

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()

    def go(self, chosen: Sequence[Task], jobs: int, budget: float, told: Told) -> None:
        """Answer and judge the tasks that have no verdict yet, `jobs` at the same time, for at most `budget` dollars.
        An answer that could not be run is judged again, because this version may run it.

        Dollars spent by earlier runs with the same record count too. `told` is called with each verdict. Sets
        `out_of_budget` if tasks are left because the budget is used up. Raises AuthorUnavailable if the model cannot be
        reached. Answers that were recorded before stay.
        """
        left = [task for task in chosen if not self.record.is_settled(task.id)]
        begun = sum(spent_in(self._journal(task)).dollars for task in left if task.id not in self.record.answers)
        purse = _BenchmarkPurse(budget, self.record.usage.dollars + begun)

        def work(task: Task) -> None:
            if not self._stop.is_set():
                self._work(task, purse, told)

        _all(work, left, jobs, self._stop)
        if self._trouble is not None:
            raise self._trouble

    def _work(self, task: Task, purse: _BenchmarkPurse, told: Told) -> None:
        context = Context(cancelled=self._stop.is_set)
        answer = self.record.answers.get(task.id)
        if answer is None:
            room = purse.reserve(self._stop.is_set)
            if not room:
                self.out_of_budget = self.out_of_budget or not self._stop.is_set()
                return
            journal = self._journal(task)
            before, cost = spent_in(journal), 0.0
            # A loop that goes on counts what it spent before as a part of its limit.
            limits = replace(LIMITS, dollars=room + before.dollars)
            try:
                answer = self._asker().ask(task, limits, context, journal)
                cost = answer.usage.dollars - before.dollars
                self.record.answered(task.id, answer)
            except OutOfBudget as error:
                self.out_of_budget = True
                cost = self._lose(task, error.usage, journal) - before.dollars
                return
            except AnswerCancelled as error:
                cost = self._lose(task, error.usage, journal) - before.dollars
                raise
            except AuthorUnavailable as error:
                self._trouble = self._trouble or error
                self._stop.set()
                cost = self._lose(task, error.usage, journal) - before.dollars
                return
            finally:
                purse.pay(room, cost)
        verdict = Judge(task, context, self.record.head.bars).judge(answer.text)
        self.record.judged(task.id, verdict)
        told(task, verdict)

    def _lose(self, task: Task, usage: Any, journal: Path) -> float:
        """Note what an attempt without an answer cost, and return the dollars. A journal keeps its own account."""
        if journal.exists() or conversation_of(journal).exists():
            return spent_in(journal).dollars
        if usage.tokens:
            self.record.spent(task.id, usage)
        return usage.dollars

    def _asker(self) -> Asker:
        if not hasattr(self._own, "asker"):
            self._own.asker = self._make()
        return self._own.asker

    def _journal(self, task: Task) -> Path:
        return self._folder / self.record.head.name / f"{task.id}.jsonl"


def _all(function: Callable[[Task], Any], chosen: Iterable[Task], jobs: int, stop: threading.Event) -> list[Any]:
    """The results of a function of each task, in order.

    At an error or Ctrl+C, tasks that have not begun are dropped, and `stop` is set for the others.
    """
    with ThreadPoolExecutor(jobs, "eval") as pool:
        asked: list[Future[Any]] = [pool.submit(function, task) for task in chosen]
        try:
            for done in as_completed(asked):
                done.result()
        except BaseException as error:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            if isinstance(error, CancelledError) or not isinstance(error, PinebenchError | KeyboardInterrupt):
                raise
            raise _first(asked, error) from None
    return [each.result() for each in asked]


def _first(asked: Iterable[Future[Any]], error: BaseException) -> BaseException:
    """The error that stopped the run, rather than the cancellations that followed from it."""
    if isinstance(error, UnavailableError | KeyboardInterrupt):
        return error
    for each in asked:
        if each.done() and not each.cancelled():
            found = each.exception()
            if found is not None and not isinstance(found, CancelledError):
                return found
    return error

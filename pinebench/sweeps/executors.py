"""Runs batches of combinations, in this process's own workers or in workers of Dask, with the same code."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from pinebench.compiled import Work
from pinebench.context import CancelledError, Context
from pinebench.sweeps.combination_runs import Inputs, RunOutcome, run_batch
from pinebench.sweeps.expressions import FunctionCall
from pinebench.sweeps.symbol_values import LastValues, look
from pinebench.workers.request import Request

_SECONDS = 1.5
"""The seconds of processor time that a batch should take: the wall clock would make batches smaller on a busy
machine."""
_LONGEST = 2.0
"""The seconds after which no further run of a batch begins, so that finished runs can be kept: a kill then loses
little, even on a busy machine."""
_MOST = 512
"""The largest number of runs of a batch."""


class Sizes:
    """Adapts the size of batches, so that a batch takes less than two seconds of processor time."""

    def __init__(self) -> None:
        self.size = 1

    def of(self, left: int, workers: int) -> int:
        """Return the size of the next batch if `left` runs remain for `workers`. Batches become smaller at the end, so
        that the last batch does not keep one worker busy for long."""
        return min(left, self.size, max(left // (2 * workers), self.size // 8, 1))

    def learn(self, runs: int, seconds: float) -> None:
        """Adjust the size from a batch of `runs` that took `seconds` of processor time."""
        fitting = int(_SECONDS * runs / max(seconds, 1e-4))
        self.size = max(1, min(fitting, 4 * self.size, _MOST))


class RunCost:
    """The processor time of a run in Python, not machine code, as measured in the last batch of such runs."""

    def __init__(self) -> None:
        self.seconds: float | None = None

    def learn(self, outcomes: Sequence[RunOutcome], seconds: float) -> None:
        """Record the cost from a batch that took `seconds` of processor time."""
        if outcomes and all(each.choice.tier == "python" for each in outcomes):
            self.seconds = seconds / len(outcomes)

    def work(self, runs: int) -> Work:
        """Return the remaining work of a sweep in which `runs` runs are left."""
        return Work(runs, self.seconds)


class Hands(Protocol):
    """An executor for the runs of a search."""

    def outcomes(self, request: Request, combinations: Sequence[Inputs], more: int = 0) -> Iterator[list[RunOutcome]]:
        """Run all combinations, and yield their outcomes in batches, in the order in which they finish.

        `more` is the number of later runs in the same sweep.
        """
        ...


class Lookers(Protocol):
    """An executor that computes the last values of many symbols."""

    def last_values(
        self, requests: Iterable[tuple[int, Request]], calls: Sequence[FunctionCall]
    ) -> Iterator[tuple[int, LastValues]]:
        """Run each numbered request once, and yield its number and the values of `calls` on its last bar.

        The next request is taken when a worker is free. A run that fails has the reason in `error`.
        """
        ...


class LocalExecutor:
    """Runs combinations in the workers of this process, one at a time."""

    def __init__(self, context: Context | None = None) -> None:
        self._context = context or Context()
        self._sizes = Sizes()
        self._cost = RunCost()

    def outcomes(self, request: Request, combinations: Sequence[Inputs], more: int = 0) -> Iterator[list[RunOutcome]]:
        """Run the combinations in order; `more` later runs of the sweep follow. Raises errors of `context.check`."""
        left = deque(combinations)
        while left:
            self._context.check()
            work = self._cost.work(len(left) + more)
            batch = [left.popleft() for _ in range(min(self._sizes.size, len(left)))]
            found = run_batch(request, batch, work, self._context, _LONGEST)
            left.extendleft(reversed(batch[len(found.outcomes) :]))
            self._sizes.learn(len(found.outcomes), found.seconds)
            self._cost.learn(*found)
            yield found.outcomes

    def last_values(
        self, requests: Iterable[tuple[int, Request]], calls: Sequence[FunctionCall]
    ) -> Iterator[tuple[int, LastValues]]:
        """Run the requests one after another. Raises the errors of `context.check`."""
        for number, request in requests:
            self._context.check()
            yield number, look(request, calls, self._context)


class Stoppable:
    """An executor with the workers of this process for a sweep that the user can stop. A stop keeps the finished runs,
    like Ctrl+C."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        """`stopped` returns whether the user has stopped the sweep. It is called often, also during runs."""
        self._stopped = stopped
        self._own = LocalExecutor(Context(cancelled=stopped))

    def outcomes(self, request: Request, combinations: Sequence[Inputs], more: int = 0) -> Iterator[list[RunOutcome]]:
        """Run the combinations in order; `more` runs of the sweep follow later. Raises KeyboardInterrupt if the user
        stops the sweep."""
        try:
            for found in self._own.outcomes(request, combinations, more):
                yield found
                if self._stopped():
                    raise KeyboardInterrupt
        except CancelledError:
            raise KeyboardInterrupt from None


@contextlib.contextmanager
def own(context: Context | None = None) -> Iterator[LocalExecutor]:
    """Yield an executor with the workers of this process, which use one core."""
    yield LocalExecutor(context)

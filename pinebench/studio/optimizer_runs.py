"""Optimizations that the page requests. They run one at a time, each in a thread, report progress, and can be
stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from itertools import count
from typing import Any

from pinebench.backtesting.backtest import NO_STRATEGY
from pinebench.checker import Program, open_program
from pinebench.errors import PinebenchError, UsageError
from pinebench.errors import fault as fault_of
from pinebench.runtime import refuse
from pinebench.sweeps.executors import Stoppable
from pinebench.sweeps.optimization import OptimizationPlan, OptimizationResult, Optimizer, SweepProgress
from pinebench.sweeps.page import data_of
from pinebench.sweeps.space import Space, space_of_values
from pinebench.workers.jobs import remember
from pinebench.workers.request import Request

MOST = 5_000
"""The largest number of combinations that one optimization tries."""
_ALONE = 60.0
"""Seconds after which an optimization is stopped if no page asks about it any more."""


class OptimizerRun:
    """One optimization, from its beginning to its results. It runs in its own thread."""

    def __init__(self, number: int, program: Program, request: Request, plan: OptimizationPlan, ids: list[str]) -> None:
        """Start the optimization. `ids` are the ids of the varied inputs, in the order of the plan's axes."""
        self.number = number
        self._ids = ids
        self._stop = threading.Event()
        self._seen = time.monotonic()
        self._progress: SweepProgress | None = None
        self._found: OptimizationResult | None = None
        self._problem: str | None = None
        self._thread = threading.Thread(target=self._run, args=(program, request, plan), daemon=True)
        self._thread.start()

    @property
    def is_going(self) -> bool:
        """Whether the optimization is still running."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop the optimization; the finished runs are its results."""
        self._stop.set()

    def wait(self) -> None:
        """Wait until the optimization ends."""
        self._thread.join()

    def told(self) -> dict[str, Any]:
        """Return the state as data for the page: the progress, and at the end the results or the problem."""
        self._seen = time.monotonic()
        going, progress = self.is_going, self._progress
        told: dict[str, Any] = {"number": self.number, "going": going, "problem": None, "results": None}
        told["progress"] = None if progress is None else {"share": progress.share, "words": str(progress)}
        if not going and self._found is not None:
            told["results"] = {**data_of(self._found, ""), "ids": self._ids, "complete": self._found.is_whole}
        return told if going else told | {"problem": self._problem}

    def _is_stopped(self) -> bool:
        return self._stop.is_set() or time.monotonic() - self._seen > _ALONE

    def _run(self, program: Program, request: Request, plan: OptimizationPlan) -> None:
        try:
            with Optimizer(program, request, plan) as optimizer:
                self._found = optimizer.run(Stoppable(self._is_stopped), self._take)
        except PinebenchError as error:
            self._problem = error.message if error.hint is None else f"{error.message}; {error.hint}"
        except Exception as error:
            self._problem = fault_of(error).message

    def _take(self, progress: SweepProgress) -> None:
        self._progress = progress


class Optimizations:
    """The optimizations of a studio; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._newest: OptimizerRun | None = None

    def begin(
        self, request: Request, ranges: Mapping[str, Any], metric: str, most: int, holdout: float
    ) -> dict[str, Any]:
        """Begin an optimization and return its state (`OptimizerRun.told`).

        `ranges` maps the id of each varied input to a list of values or to a string `from:to:step`. `metric` is the
        figure to maximize. `holdout` is the fraction of the bars to hold back (0 to 0.9). If there are more than `most`
        combinations, `most` of them are drawn at random. Raises UsageError for invalid ranges, for a script that is not
        a strategy, or if another optimization is running, and the errors of `Optimizer`.
        """
        program = open_program(request.source, request.libraries, fresh=True)
        refuse(program, len(request.bars), request.symbol)
        if not program.is_strategy:
            raise UsageError(*NO_STRATEGY)
        remember(program, request.libraries)
        space = _space(program, ranges)
        fits = space.size <= most
        plan = OptimizationPlan.of(
            space, metric, search="grid" if fits else "random", trials=None if fits else most, holdout=holdout
        )
        with self._lock:
            if self._newest is not None and self._newest.is_going:
                raise UsageError("another optimization is running", "stop it first")
            self._newest = OptimizerRun(next(self._numbers), program, request, plan, list(ranges))
            return self._newest.told()

    def find(self, number: int) -> OptimizerRun | None:
        """Return the newest optimization if its number is `number`; else None."""
        newest = self._newest
        return newest if newest is not None and newest.number == number else None


def _space(program: Program, ranges: Mapping[str, Any]) -> Space:
    """The space of the ranges, with an axis for each. Raises UsageError for a range that does not vary its input."""
    if not ranges:
        raise UsageError("no input is chosen", "choose the inputs to vary, with their values")
    try:
        parts = [space_of_values(program, {name: values}) for name, values in ranges.items()]
    except UsageError as error:
        raise UsageError(error.message.removeprefix("--input "), error.hint) from None
    return Space(tuple(axis for part in parts for axis in part.axes), {})

"""Optimizes the inputs of a strategy on the first part of the bars, and judges the best result on held-back bars."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pinebench.backtesting.backtest import NO_STRATEGY
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.market import SymbolInfo
from pinebench.runtime import refuse
from pinebench.sweeps.combination_runs import RunOutcome, before_only, first_bar, notes_of
from pinebench.sweeps.executors import Hands
from pinebench.sweeps.expressions import Expression
from pinebench.sweeps.measures import numbers
from pinebench.sweeps.metrics import constraint_of, metric_of
from pinebench.sweeps.overfitting import Judgement, judge
from pinebench.sweeps.search_methods import Score, score, search_of
from pinebench.sweeps.space import Place, Space
from pinebench.sweeps.sweep_store import SweepStore, digest_of, key_of
from pinebench.workers.request import Request

HOLDOUT = 0.3
"""The default share of the bars that is held back."""
BEST = 10
"""The number of best combinations that also run on the held-back bars."""
_LEAST = 2


@dataclass(frozen=True)
class OptimizationPlan:
    """The plan of an optimization.

    `metric` is computed from a run's figures; larger values are better. `constraints` must hold. `holdout` is the share
    of the bars at the end that is held back, from 0 to 0.9. `trials` limits the number of combinations. `seed` is the
    seed of the random numbers.
    """

    space: Space
    metric: Expression
    constraints: Sequence[Expression] = ()
    search: str = "grid"
    trials: int | None = None
    holdout: float = HOLDOUT
    seed: int = 1

    @classmethod
    def of(
        cls, space: Space, metric: str = "net_profit", constraints: Sequence[str] | str = (), **more: Any
    ) -> OptimizationPlan:
        """Return a plan whose metric and constraints are parsed from text; a single constraint may be a string. Raises
        UsageError for an invalid text, holdout or number of trials."""
        holdout = more.get("holdout", HOLDOUT)
        if not 0 <= holdout <= 0.9:
            raise UsageError(
                f"the fraction of bars to hold back must be from 0 to 0.9, not {holdout:g}", "for example, 0.3"
            )
        trials = more.get("trials")
        if trials is not None and (not isinstance(trials, int) or trials < 1):
            raise UsageError(f"the number of trials must be a whole number from 1, not {trials}", "for example, 200")
        texts = (constraints,) if isinstance(constraints, str) else constraints
        return cls(space, metric_of(metric), [constraint_of(each) for each in texts], **more)


@dataclass(frozen=True)
class SweepProgress:
    """The progress of a sweep: finished runs, all runs, runs per second, remaining seconds or None, best metric so
    far."""

    done: int
    total: int
    rate: float
    left: float | None
    best: float | None = None

    @property
    def share(self) -> float:
        """The share of the runs that are finished, from 0 to 1."""
        return min(self.done / self.total, 1.0) if self.total else 1.0

    def __str__(self) -> str:
        left = "" if self.left is None else f", {_duration(self.left)} left"
        best = "" if self.best is None else f", best {self.best:,.6g}"
        return f"{self.done:,} of {self.total:,} runs, {self.rate:,.1f}/s{left}{best}"


def _duration(seconds: float) -> str:
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    return (
        f"{whole // 60} min {whole % 60:02d} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    )


@dataclass
class OptimizationResult:
    """The result of an optimization: all runs without the held-back bars, best first, and the judgement of the best
    run.

    `cut` is the time at which the held-back bars begin (milliseconds UTC), or None if no bars are held back. `unseen`
    has a run on the held-back bars for each of the first rows of `ranked`. `is_whole` is false if the search was
    stopped.
    """

    space: Space
    metric: str
    search: str
    holdout: float
    cut: int | None
    ranked: list[RunOutcome]
    values: list[float | None]
    """The metric of each run; None for a run that failed or that breaks a constraint."""
    unseen: list[RunOutcome] = field(default_factory=list[RunOutcome])
    neighbours: list[tuple[RunOutcome, float | None]] = field(default_factory=list[tuple[RunOutcome, float | None]])
    judgement: Judgement | None = None
    is_whole: bool = True
    repeated: int = 0
    """The number of runs that came from an earlier, unfinished sweep."""
    places: dict[str, Place] = field(default_factory=dict[str, Place])
    symbol: SymbolInfo = field(default_factory=SymbolInfo)
    times: tuple[int, int] = (0, 0)
    """The times of the first and the last bar that count (milliseconds UTC); the last bar may be held back."""

    @property
    def best(self) -> RunOutcome | None:
        """The best run; None if no run has a metric."""
        return self.ranked[0] if self.ranked and self.values[0] is not None else None


Telling = Callable[[SweepProgress], object]


class Optimizer:
    """One optimization. Finished runs are stored on disk."""

    def __init__(self, program: Program, request: Request, plan: OptimizationPlan, *, resume: bool = False) -> None:
        """`request` is a run of the checked script `program` on all bars. With `resume`, the runs of an earlier,
        unfinished sweep on the same bars are reused.

        Raises UsageError if the script is not a strategy or does not compile, or if there are too few bars.
        """
        refuse(program, len(request.bars), request.symbol)
        if not program.is_strategy:
            raise UsageError(*NO_STRATEGY)
        self._plan = plan
        self._whole = replace(request, inputs={**request.inputs, **plan.space.fixed})
        self.cut = _cut(self._whole, plan.holdout)
        self.seen = self._whole if self.cut is None else before_only(self._whole, self.cut)
        """The request with the bars that are not held back: the search gets no other bars."""
        self._texts = sorted((path, one.document.text) for path, one in program.libraries.items())
        self._store = SweepStore(digest_of(self.seen, self._texts), resume=resume)
        self._scores: dict[Place, Score] = {}
        self._found: dict[Place, RunOutcome] = {}
        self._keys: dict[Place, str] = {}
        self._known = len(self._store)
        self._new = 0

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __enter__(self) -> Optimizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self, hands: Hands, tell: Telling = lambda _: None, *, judged: bool = True, more: int = 0
    ) -> OptimizationResult:
        """Search for the best inputs, and judge the best run. After KeyboardInterrupt, return the results of the
        finished runs.

        `tell` is called with the progress. Without `judged`, only the search runs: neighbours and held-back bars are
        not examined. `more` is the number of later searches of the same size.

        Raises UsageError for a grid that is too large, and UnavailableError, before any run, if numpy or optuna is
        needed and not installed.
        """
        if judged:
            numbers()  # without numpy, nothing should run in vain
        plan = self._plan
        name = digest_of(
            self.seen, plan.search, plan.seed, plan.metric.text, [c.text for c in plan.constraints], plan.space
        )
        search = search_of(plan.space, plan.search, plan.trials, plan.seed, self._store.folder, name)
        clock = _Clock(search.total, tell)
        is_whole = True
        try:
            while places := search.next():
                clock.more = (clock.left - len(places)) + more * search.total
                self._run(places, hands, clock)
                search.learn({place: self._scores[place] for place in places})
        except KeyboardInterrupt:
            is_whole = False
        return self._results(hands, is_whole, judged)

    def _run(self, places: Sequence[Place], hands: Hands, clock: _Clock) -> None:
        space = self._plan.space
        wanted = dict.fromkeys(place for place in places if place not in self._found)
        missing: dict[str, Place] = {}
        for place in wanted:
            known = self._store.get(self._key(place))
            if known is not None:
                self._take(place, known)
            else:
                missing[self._key(place)] = place
        clock.show(len(places) - len(missing), 0, self._best())
        combinations = [space.inputs(place) for place in missing.values()]
        for outcomes in hands.outcomes(self.seen, combinations, max(clock.more, 0)):
            for key, outcome in self._store.add(outcomes).items():
                self._take(missing[key], outcome)
            self._new += len(outcomes)
            clock.show(len(outcomes), len(outcomes), self._best())

    def _key(self, place: Place) -> str:
        known = self._keys.get(place)
        if known is None:
            known = self._keys[place] = key_of(self._plan.space.inputs(place))
        return known

    def _take(self, place: Place, outcome: RunOutcome) -> None:
        self._found[place] = outcome
        self._scores[place] = self._score(outcome)

    def _score(self, outcome: RunOutcome) -> Score:
        plan = self._plan
        allowed = outcome.error is None and all(each.holds(outcome.figures) for each in plan.constraints)
        return score(plan.metric.value(outcome.figures), allowed)

    def _best(self) -> float | None:
        return max((value for value in self._scores.values() if value is not None), default=None)

    def _results(self, hands: Hands, is_whole: bool, judged: bool) -> OptimizationResult:
        plan, space = self._plan, self._plan.space
        order = sorted(self._found, key=lambda place: (-_worth(self._scores[place]), place))
        found = OptimizationResult(
            space,
            plan.metric.text,
            plan.search,
            plan.holdout,
            self.cut,
            [self._found[place] for place in order],
            [self._scores[place] for place in order],
            is_whole=is_whole,
            repeated=len(order) - self._new if self._known else 0,
            places={self._key(place): place for place in order},
            times=_times(self._whole),
            symbol=self._whole.symbol,
        )
        if not judged:
            return found
        notes: list[str] = []
        try:
            if found.best is not None and is_whole:
                notes = notes_of(self.seen, found.best.inputs)
                found.neighbours = self._neighbours(order[0], hands)
                found.unseen = self._unseen(found, hands)
        except KeyboardInterrupt:
            found.is_whole = False
        if found.best is not None:
            first = first_bar(self._whole.bars, self._whole.first)
            found.judgement = judge(found, order[0], self._whole, first, notes)
        return found

    def _neighbours(self, best: Place, hands: Hands) -> list[tuple[RunOutcome, float | None]]:
        """Return the neighbours of the best combination with their metrics. Untried neighbours are run now."""
        space = self._plan.space
        missing = [place for place in space.neighbours(best) if place not in self._found]
        known = {place: self._found[place] for place in space.neighbours(best) if place in self._found}
        by_key = {self._key(place): place for place in missing}
        for place in missing:
            kept = self._store.get(self._key(place))
            if kept is not None:
                known[place] = kept
        wanted = [space.inputs(place) for place in missing if place not in known]
        for outcomes in hands.outcomes(self.seen, wanted):
            known |= {by_key[key]: each for key, each in self._store.add(outcomes).items()}
        return [(known[place], self._score(known[place])) for place in space.neighbours(best)]

    def _unseen(self, found: OptimizationResult, hands: Hands) -> list[RunOutcome]:
        """Run the best combinations on the held-back bars. No other runs use these bars."""
        if self.cut is None:
            return []
        request = replace(self._whole, first=self.cut)
        chosen = [one.inputs for one, value in zip(found.ranked, found.values, strict=True) if value is not None]
        by_key: dict[str, RunOutcome] = {}
        for outcomes in hands.outcomes(request, chosen[:BEST]):
            by_key |= {key_of(each.inputs): each for each in outcomes}
        return [by_key[key_of(inputs)] for inputs in chosen[:BEST]]


def _worth(value: Score) -> float:
    return float("-inf") if value is None else value


def _cut(request: Request, holdout: float) -> int | None:
    """Return the opening time of the first held-back bar (milliseconds UTC); None without held-back bars. Raises
    UsageError if there are too few bars."""
    times = request.bars.time
    first, last = _counting(request)
    count = last - first
    held = round(count * holdout)
    if count - held < _LEAST or (holdout > 0 and held < 1):
        raise UsageError(
            f"there are too few bars to hold back {holdout:.0%} of them: {max(count, 0)}",
            "use more bars, or a holdout of 0",
        )
    return times[last - held] if held else None


def _counting(request: Request) -> tuple[int, int]:
    """Return the index of the first bar that counts, and the index after the last one."""
    last = len(request.bars) if request.last is None else first_bar(request.bars, request.last)
    return first_bar(request.bars, request.first), last


def _times(request: Request) -> tuple[int, int]:
    first, last = _counting(request)
    return request.bars.time[first], request.bars.time[last - 1]


class _Clock:
    """Measures the rate of runs, and reports the progress.

    Processes start and machine code is compiled before the first results, once. So the rate counts only from the first
    results on, and the remaining time is unknown until then.
    """

    def __init__(self, total: int, tell: Telling) -> None:
        self._total = total
        self._tell = tell
        self._begin = time.monotonic()
        self._done = self._computed = 0
        self._first: tuple[float, int] | None = None
        """The time of the first results, in seconds of `time.monotonic()`, and their number."""
        self.more = 0
        """The number of runs that will follow the present ones."""

    @property
    def left(self) -> int:
        """The number of runs that are not finished."""
        return self._total - self._done

    def show(self, done: int, computed: int, best: float | None) -> None:
        """Count `done` more finished trials (`computed` of them ran now), and report the progress."""
        self._done += done
        self._computed += computed
        now = time.monotonic()
        begin, before = self._first or (self._begin, 0)
        rate = (self._computed - before) / max(now - begin, 1e-6)
        is_known = self._first is not None and rate > 0
        left = 0.0 if self._done >= self._total else (self._total - self._done) / rate if is_known else None
        if self._first is None and self._computed:
            self._first = now, self._computed
        self._tell(SweepProgress(self._done, self._total, rate, left, best))

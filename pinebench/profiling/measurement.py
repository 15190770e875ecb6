"""Measures a run of a script: the time and the number of runs of each line and function."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import process_time
from typing import Any, NamedTuple

from pinebench.checker import Program
from pinebench.runtime import Cost, Execution, Result, Runtime, RuntimeFault, Timer, sample_cost
from pinebench.workers.jobs import opened, run_observed
from pinebench.workers.request import Request

REPEATS = 3
"""The smallest number of runs of a script with measurement, and of runs without it."""
_MOST_REPEATS, _ENOUGH = 25, 0.5
"""A short run is repeated until it has taken this many seconds, because the clock of the processor's time is coarse. It
is not repeated more often than this."""
RUNTIME, BROKER = "the runtime", "the broker"
"""Names for the time that belongs to no line: loops over bars and histories, and the fills of a strategy's orders."""
_RUNS, _TRIES = 20_000, 5
_MOST_SLOWER, _HALVINGS = 64.0, 24


@dataclass(frozen=True)
class LineCost:
    """The cost of a line: its total seconds without the functions that it calls, and its number of runs."""

    line: int
    seconds: float
    runs: int


@dataclass(frozen=True)
class FunctionCost:
    """The cost of a function: its calls, the seconds of its own lines, and the seconds with all functions that it
    calls."""

    name: str
    calls: int
    own: float
    total: float


@dataclass(frozen=True)
class Stack:
    """The seconds of one line for one path of calls: the functions from the outermost to the innermost, and the line.
    For the time of the runtime or the broker, `line` is 0, and the last of `functions` is `RUNTIME` or `BROKER`."""

    functions: tuple[str, ...]
    line: int
    seconds: float


@dataclass(frozen=True)
class Profile:
    """The costs of a run. All times are in seconds.

    `whole` is the time of a run without measurement, and `slowed` is the time of the measured run. `lines` are sorted
    by the line. `error` is the message of the error that stopped the script, or None; the costs and `bars`, the number
    of bars that ran, end at that error.
    """

    bars: int
    whole: float
    slowed: float
    lines: list[LineCost]
    functions: list[FunctionCost]
    stacks: list[Stack]
    runtime: float
    broker: float
    error: str | None = None
    file_lines: list[str] = field(default_factory=list[str])
    """The text of the script's lines."""

    @property
    def added(self) -> float:
        """The sum of the seconds of all lines, the runtime and the broker."""
        return sum([one.seconds for one in self.lines]) + self.runtime + self.broker


def profile(request: Request, repeats: int = REPEATS) -> Profile:
    """Run the script with and without measurement, and return the costs. Call it in a worker.

    `repeats` is the smallest number of runs of each kind. With 1, there is only one run of each kind, even for a short
    script. Raises the errors of a run.
    """
    program = opened(request.source, request.libraries)
    lines = len(program.document.lines)
    whole = slowed = 0.0
    count = 0
    best: _TimedRun | None = None
    while _goes_on(count, whole, repeats):
        whole += _timed(program, request, None).seconds
        run = _timed(program, request, Timer(lines))
        slowed += run.seconds
        count += 1
        if best is None:
            best = run
        elif best.timer is not None and run.timer is not None:
            # Other programs take time in the middle of a line, and only add to it.
            best.timer.root.take_lower(run.timer.root)
    assert best is not None and best.timer is not None
    whole, slowed = min(whole, slowed) / count, slowed / count
    root = best.timer.root
    measured = sum([sum(one.times) for one in root.walk()])
    root.scale(slowed / measured if measured else 1.0)
    return _profile(program, best, (whole, slowed))


def _goes_on(count: int, seconds: float, repeats: int) -> bool:
    """Whether a run that took `seconds` in `count` repetitions is repeated once more."""
    return count < repeats or (repeats > 1 and seconds < _ENOUGH and count < _MOST_REPEATS)


def cost_of(first: Request, second: Request, repeats: int = REPEATS) -> tuple[float, float]:
    """Return the seconds of one run of each of two scripts, without measurement. Their runs alternate, and each script
    runs at least `repeats` times."""
    programs = [opened(one.source, one.libraries) for one in (first, second)]
    spent = [0.0, 0.0]
    count = 0
    while _goes_on(count, spent[0], repeats):
        for k, one in enumerate((first, second)):
            spent[k] += _timed(programs[k], one, None).seconds
        count += 1
    return spent[0] / count, spent[1] / count


class _TimedRun(NamedTuple):
    """A run: its seconds of processor time, its execution, its clock, and the error that stopped it."""

    seconds: float
    execution: Execution
    timer: Timer | None
    error: RuntimeFault | None


def _timed(program: Program, request: Request, timer: Timer | None) -> _TimedRun:
    """The seconds of processor time of a run, without the preparation of the script."""
    taken: list[float] = []
    kept: list[Runtime] = []

    def finish(runtime: Runtime) -> Result:
        gc.collect()
        before = timer.preparing if timer is not None else 0.0
        began = process_time()
        result = runtime.run()
        taken.append(process_time() - began)
        if timer is not None:  # the code of requests is marked during the run
            taken[0] -= timer.preparing - before
        kept.append(runtime)
        return result

    run_observed(program, request, finish, timer=timer)
    return _TimedRun(taken[0], kept[0].execution, timer, kept[0].error)


class _CostSums:
    """The costs of lines, functions and stacks, summed over the tables of a timer."""

    def __init__(self, timer: Timer, name_of: Callable[[Any], str], cost: Cost, share: float) -> None:
        self._timer, self._name_of, self._cost, self._share = timer, name_of, cost, share
        self.seconds: dict[int, float] = {}
        self.runs: dict[int, int] = {}
        self.functions: dict[str, list[float]] = {}
        """For each function: the number of calls, its own seconds, and its seconds with the functions that it calls."""
        self.stacks: dict[tuple[tuple[str, ...], int], float] = {}

    def add(self, table: Any, way: tuple[str, ...]) -> float:
        """Add a table's costs; returns the seconds of the table with all tables below it."""
        name = self._name_of(table.key)
        own = self._timer.costs(table, self._cost)
        below = sum([self.add(one, (*way, name)) for one in table.below.values()])
        spent = 0.0
        for line, measured in own.items():
            value = measured * self._share
            self.seconds[line] = self.seconds.get(line, 0.0) + value
            spent += value
            label = {0: RUNTIME, self._timer.broker: BROKER}.get(line)
            key = ((*way, label), 0) if label is not None else ((*way, name), line)
            self.stacks[key] = self.stacks.get(key, 0.0) + value
        for line, count in self._timer.line_runs(table).items():
            self.runs[line] = self.runs.get(line, 0) + count
        known = self.functions.setdefault(name, [0, 0.0, 0.0])
        known[0] += table.entered
        known[1] += spent
        known[2] += spent + below if name not in way else 0.0
        return spent + below

    def add_outside(self) -> float:
        """Add the seconds of the broker outside of all functions, and return them."""
        outside = self._timer.root.times[0] * self._share
        if outside:
            self.stacks[("main", BROKER), 0] = self.stacks.get((("main", BROKER), 0), 0.0) + outside
            main = self.functions.setdefault("main", [0, 0.0, 0.0])
            main[1], main[2] = main[1] + outside, main[2] + outside
        return outside


def _profile(program: Program, run: _TimedRun, times: tuple[float, float]) -> Profile:
    timer = run.timer
    assert timer is not None
    whole, slowed = times
    costs = _CostSums(timer, _names(run.execution, timer), *_own_cost(timer, whole))
    for table in timer.root.below.values():
        costs.add(table, ())
    outside = costs.add_outside()
    seconds, runs, lines = costs.seconds, costs.runs, program.document.lines
    runtime, broker = seconds.pop(0, 0.0), seconds.pop(timer.broker, 0.0) + outside
    return Profile(
        run.execution.index + 1,
        whole,
        slowed,
        [LineCost(line, seconds.get(line, 0.0), runs.get(line, 0)) for line in sorted({*seconds, *runs}) if line],
        [FunctionCost(name, int(calls), own, total) for name, (calls, own, total) in costs.functions.items()],
        [Stack(way, line, value) for (way, line), value in costs.stacks.items() if value > 0],
        runtime,
        broker,
        None if run.error is None else run.error.message,
        [lines.line_text(number) for number in range(1, len(lines) + 1)],
    )


def _own_cost(timer: Timer, whole: float) -> tuple[Cost, float]:
    """The time that the clock itself needed in a run, and the share of the rest that belongs to the script, such that
    it adds up to `whole`, the run without measurement.

    A sample says how the parts of the clock compare. How much slower they are inside a script is found by halving. The
    clock also slows code between its marks, for example long loops of a request: the share takes that out evenly.
    """
    sample = sample_cost(_RUNS, _TRIES)
    timer.settle(sample.node)
    low, high = 0.0, _MOST_SLOWER

    def scaled(factor: float) -> Cost:
        return Cost(
            sample.mark * factor, sample.block * factor, sample.call * factor, sample.counter * factor, sample.node
        )

    def added(cost: Cost) -> float:
        tables = [table for below in timer.root.below.values() for table in below.walk()]
        return timer.root.times[0] + sum([sum(timer.costs(table, cost).values()) for table in tables])

    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if added(scaled(middle)) > whole else (low, middle)
    cost = scaled((low + high) / 2)
    rest = added(cost)
    return cost, whole / rest if rest else 1.0


def _names(execution: Execution, timer: Timer) -> Callable[[str], str]:
    """A function that returns the name of a table: the function's, or `main`, or the request's."""
    known: dict[int, tuple[Any, str]] = {}

    def codes(code: Any, name: str) -> Iterator[tuple[Any, str]]:
        yield code, name
        for place, inner in zip(code.request_places, code.requests, strict=True):
            yield from codes(inner, f"request on line {place[0]}")

    for code, name in codes(execution.code, "main"):
        for file in code.files:
            number = timer.module_of(file)
            if number is not None:
                known[number] = code, name

    def name_of(key: str) -> str:
        function, number, _ = key.split(" ")
        code, name = known.get(int(number), (None, "main"))
        if function == "main" or code is None:
            return name
        found = code.functions.get(function)
        return function if found is None else found.name

    return name_of

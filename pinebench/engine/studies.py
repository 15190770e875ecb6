"""Scripts that run on each new bar of the engine: their data, and the work in a worker process.

A worker keeps the running scripts between two requests, so each script computes only the new bar. If the worker is
replaced, the scripts start again on the engine's bars.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pinebench.backtesting.broker_factory import trader
from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import PinebenchError, UsageError, fault
from pinebench.indicators.catalogue import find
from pinebench.indicators.channels import Channels, channels
from pinebench.indicators.indicator_requests import IndicatorRequest
from pinebench.indicators.indicator_runs import IndicatorRun
from pinebench.market import Bars, SymbolInfo, longest_ms, random_walk
from pinebench.runtime import Result, RunBudget, Runtime
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import opened, own_version_notes
from pinebench.workers.request import Request

_LOOKED = 64
"""The largest number of bars by which an indicator may mark a signal late, such as a divergence."""
_LONGEST = 3_000
"""The number of bars after which a script begins again, so that its memory does not grow without end."""
_BUDGET = RunBudget(seconds=20, bar_seconds=1, memory=256 << 20)
_SLOW = 0.5
"""The seconds of processor time for a bar above which a script counts as slow."""
_MOST_SLOW = 3
"""The number of slow bars after which a script is stopped, so that it does not delay the alerts of others."""
_TRIED = 300

Row = tuple[int, float, float, float, float, float]
"""A bar: its opening time in milliseconds UTC, open, high, low, close and volume."""


class Study(NamedTuple):
    """A script whose values a condition needs.

    `name` is its name in the catalogue, or "" for a user's script. `inputs` is a JSON object that maps the script's
    input variables to values. `libraries` lists the folders of its libraries.
    """

    name: str
    source: str
    inputs: str
    libraries: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for alerts and trades. Each names published libraries that pinebench replaces with its own versions."""
        return _notes(self)


@lru_cache(512)
def _notes(study: Study) -> tuple[str, ...]:
    return own_version_notes(study.source, study.libraries)


class BarReading(NamedTuple):
    """The values of a script on a closed bar.

    `lines` maps labels to the last values, and `signals` maps the labels of signals that are new on this bar to their
    values. `messages` lists its alert messages on this bar, each with the title of its alertcondition or "". `error` is
    the reason why the script stopped, or "" if it runs.
    """

    lines: Mapping[str, float | None] = {}
    signals: Mapping[str, float] = {}
    messages: tuple[tuple[str, str], ...] = ()
    error: str = ""


class Setup(NamedTuple):
    """The data that a script needs to begin: the closed bars so far, and the symbol.

    `since` (milliseconds UTC) is only for a strategy that trades: orders before it are ignored.
    """

    study: Study
    bars: Bars
    symbol: SymbolInfo
    since: int | None = None


class StudyStep(NamedTuple):
    """A script and its next bar. Without a `setup`, the script must already run, and its last bar must be the one that
    opened at `before` (milliseconds UTC; -1 if there is none)."""

    key: str
    setup: Setup | None
    bar: Row
    before: int


class StrategyFill(NamedTuple):
    """A fill of a strategy: its index among the fills of its step, its time, side, quantity and price, and the
    strategy's position after it (negative if short)."""

    number: int
    time: int
    side: str
    quantity: float
    price: float
    position: float


class StudyAnswer(NamedTuple):
    """A script's answer for its bar. `is_known` is False if the script is not running and needs a setup first.

    `seconds` is the processor time that the script took.
    """

    is_known: bool
    reading: BarReading | None = None
    fills: tuple[StrategyFill, ...] = ()
    seconds: float = 0.0


def tried(study: Study, step: Timeframe) -> tuple[list[str], list[str]]:
    """Run a script on sample bars of a timeframe in a worker. Return the labels of its lines, and the titles of its
    alertconditions.

    Raises UsageError if the script stops with an error, and NotComputed if it needs something that pinebench does not
    compute.
    """
    lines, titles = _tried(study, step)
    return list(lines), list(titles)


@lru_cache(512)
def _tried(study: Study, step: Timeframe) -> tuple[tuple[str, ...], tuple[str, ...]]:
    # Whether a script can run may depend on the timeframe of the bars, for example if it asks for shorter ones.
    symbol = SymbolInfo(symbol="SAMPLE", timeframe=step.text, mintick=0.01)
    bars = random_walk(_TRIED, 1_704_067_200_000, longest_ms(step))
    request = Request(study.source, bars, symbol, json.loads(study.inputs), libraries=study.libraries, budget=_BUDGET)
    result = execute(request).result
    if result.error is not None:
        line = f" (line {result.error.line})" if result.error.line else ""
        raise UsageError(f"the script stopped{line}: {result.error.message}")
    found = channels(_computed(study, result, bars, 0))
    return tuple(_lines(found)), tuple(each.title for each in result.outputs if each.function == "alertcondition")


# in the worker


class _RunningStudy:
    """A script that keeps running, one bar at a time."""

    def __init__(self, setup: Setup) -> None:
        study = setup.study
        if setup.since is not None and (not setup.bars.time or setup.bars.time[0] > setup.since):
            raise UsageError("it must start again, but the engine has no bars from its beginning any more")
        program = opened(study.source, study.libraries)
        # Several scripts of one request may share their bars, and each adds its own.
        self.study, self.bars = study, setup.bars.last(len(setup.bars))
        made = trader(program, setup.symbol, bars=self.bars, first=setup.since) if setup.since is not None else None
        self.broker = made(self.bars) if made is not None else None
        self.runtime = Runtime(
            program, self.bars, setup.symbol, inputs=json.loads(study.inputs), strategy=self.broker, budget=_BUDGET
        )
        self.seen: set[tuple[int, str]] = set()
        self._slow = 0
        self.runtime.run()
        # The fills on earlier bars were handed over when those bars closed.
        self.filled = len(self.broker.fills) if self.broker is not None else 0
        if self.runtime.error is None:
            self._new(channels(self._computed()))

    def step(self, bar: Row) -> StudyAnswer:
        """Run one closed bar."""
        runtime, begin = self.runtime, time.thread_time()
        if runtime.error is None:
            runtime.advance(bar[0], bar[1:], closed=True)
        self._slow += time.thread_time() - begin > _SLOW
        if self._slow >= _MOST_SLOW:
            return StudyAnswer(True, BarReading(error="the script needs too much time on each bar"), self._fills())
        if runtime.error is not None:
            # The orders of earlier bars were filled before the script ran on this bar.
            return StudyAnswer(True, BarReading(error=runtime.error.message), self._fills())
        run = self._computed()
        found = channels(run)
        return StudyAnswer(
            True, BarReading(_lines(found), self._new(found), tuple(_messages(run.result))), self._fills()
        )

    def _computed(self) -> IndicatorRun:
        return _computed(self.study, self.runtime.result(), self.bars, max(len(self.bars) - _LOOKED, 0))

    def _new(self, found: Channels) -> dict[str, float]:
        first, times = max(len(self.bars) - _LOOKED, 0), self.bars.time
        new: dict[str, float] = {}
        for signal in found.signals:
            place = (times[first + signal.x] if first + signal.x < len(times) else -1, signal.label)
            if place not in self.seen:
                self.seen.add(place)
                new[signal.label] = signal.y
        return new

    def _fills(self) -> tuple[StrategyFill, ...]:
        if self.broker is None:
            return ()
        fills = self.broker.fills
        new = fills[self.filled :]
        self.filled = len(fills)
        return tuple(
            StrategyFill(number, each.time, each.action, each.quantity, each.price, each.position)
            for number, each in enumerate(new)
        )


_running: dict[str, _RunningStudy] = {}
"""The scripts that run in this process, by key."""


def advance(tasks: Sequence[StudyStep]) -> list[StudyAnswer]:
    """Run each script on its next bar and return the answers, in the same order. A worker calls this function."""
    found: list[StudyAnswer] = []
    for task in tasks:
        begin = time.thread_time()
        answer = _advance(task)
        found.append(answer._replace(seconds=time.thread_time() - begin))
    return found


def _advance(task: StudyStep) -> StudyAnswer:
    running = _running.get(task.key)
    try:
        if task.setup is not None:
            running = _running[task.key] = _RunningStudy(task.setup)
        elif (
            running is None
            # Bars may have closed without it, while no alert needed it.
            or (running.bars.time[-1] if running.bars.time else -1) != task.before
            or (len(running.bars) > _LONGEST and running.broker is None)
        ):
            _running.pop(task.key, None)
            return StudyAnswer(False)
        return running.step(task.bar)
    except Exception as error:  # whatever happens to one script, the others go on
        _running.pop(task.key, None)
        told = error if isinstance(error, PinebenchError) else fault(error)
        return StudyAnswer(True, BarReading(error=told.message))


def forget(keys: Sequence[str]) -> None:
    """Stop scripts that are no longer needed."""
    for key in keys:
        _running.pop(key, None)


def _computed(study: Study, result: Result, bars: Bars, first: int) -> IndicatorRun:
    record = find(study.name) if study.name else None
    one = IndicatorRequest(study.name, study.source, json.loads(study.inputs), record, study.libraries)
    return IndicatorRun(one, result, bars, first)


def _lines(found: Channels) -> dict[str, float | None]:
    """Return the last value of each line by its label, or by its number if it has no label."""
    last: dict[str, float | None] = {}
    for number, line in enumerate([*found.lines, *found.histograms]):
        last.setdefault(line.label or str(number), line.values[-1] if line.values else None)
    return last


def _messages(result: Result) -> Iterator[tuple[str, str]]:
    """Yield the title and the message of each alert on the last bar; the title of alert() is ""."""
    last = len(result.times) - 1
    for alert in result.alerts:
        if alert.bar == last:
            yield alert.title, alert.message

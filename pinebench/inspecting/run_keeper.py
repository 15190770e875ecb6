"""Holds a recorded run in a worker of its own, so that a user interface can show any of its bars without delay.

The script runs only in the worker, under the limits of every run. The interface receives strings and numbers. Requests
are answered one after another, from the recorded values, without another run.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from pinebench.checker import Program
from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.inspecting.frozen_values import written
from pinebench.inspecting.recorded_run import record
from pinebench.inspecting.run_recording import GLOBAL, MEMORY, NOT_RUN, VALUE, InspectedName, RunRecording, is_same
from pinebench.market import load_named
from pinebench.runtime import RunBudget
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from pinebench.why.block_why import ScriptPlace, why_at
from pinebench.why.order_life import OrderLife, order_life
from pinebench.why.why import Why
from pinebench.workers.dispatch import memory_of, result_of
from pinebench.workers.jobs import RunResult, opened
from pinebench.workers.request import Request
from pinebench.workers.worker_pool import GRACE, Worker, WorkerEnded, shared

_SECONDS = 20.0
"""The processor time in seconds that one answer may take."""
_DEEP = 40
"""The largest number of elements of a collection that are shown for one name alone."""
_PLOT = -2
"""The number of the first plot, in place of the number of a name of the recording."""
_LONGEST = 400
"""The largest number of characters of a value that are shown in a list."""


class NameValue(NamedTuple):
    """A name's value on a bar as text (`text`), its value on the bar before (`before`), and the bar on which it last
    changed. `ran` is false if its code did not run on the bar. `before` is empty on the first recorded bar."""

    text: str
    before: str
    changed: int
    ran: bool


@dataclass(frozen=True)
class TradeRow:
    """A trade of the strategy, with its profit in the account's currency. `exit_bar` is None if the trade is open.
    `side` is 1 for long and -1 for short."""

    side: int
    quantity: float
    entry_id: str
    entry_bar: int
    entry_price: float
    exit_id: str = ""
    exit_bar: int | None = None
    exit_price: float | None = None
    profit: float | None = None


@dataclass(frozen=True)
class Overview:
    """Facts about a recorded run. `times` lists the opening times of its bars in milliseconds UTC.

    `names` lists the names and calls, followed by the columns of plots, whose mode is `plot`. `rows` maps a line of
    the script (from 1) to the names that are shown at its end, as indices in `names`: a name in a function has one
    index for each call of the function. `first` is the first bar whose values are recorded, and `dropped` says which
    values were not recorded. `error` is the message of the error that stopped the script, and `error_line` its line, or
    0.
    """

    symbol: str
    timeframe: str
    times: list[int]
    bars: int
    first: int
    names: list[InspectedName]
    rows: dict[int, list[list[int]]]
    trades: list[TradeRow] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    memory: int = 0
    error: str | None = None
    error_line: int = 0


class KeptRun:
    """A run that is recorded in a worker of its own. Safe to use from many threads. `end` ends the worker."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._ended = False

    def begin(
        self, request: Request, bars: str | None = None, memory: int = MEMORY, context: Context | None = None
    ) -> Overview:
        """Run the script and record its values. The values of an earlier run are dropped.

        `bars` is a name for `market.load_named`. The worker reads these bars instead of the request's bars. `memory` is
        the limit for the values in bytes. Raises UsageError if the script or the bars cannot be used, PinebenchError if
        the worker had to be ended, and the errors of `context.check`.
        """
        with self._lock:
            self._drop()
            self._worker = shared.lasting()
            try:
                if self._ended:
                    raise UsageError("the inspector has ended")
                return self._ask(partial(_begin, bars=bars, memory=memory), request, request.budget.seconds, context)
            except BaseException:
                self._drop()
                raise

    def values(self, bar: int) -> list[NameValue]:
        """Return the values of all names on a bar. Raises UsageError for a bar whose values are not recorded."""
        return self._answered(_values, bar)

    def whole(self, number: int, bar: int) -> str:
        """Return the value of the name with the index `number` on a bar, as longer text than in `values`."""
        return self._answered(_whole, (number, bar))

    def change(self, number: int, bar: int, step: int) -> int | None:
        """Return the next bar (`step` 1) or the previous bar (`step` -1) on which a name's value changed, or None if
        there is none."""
        return self._answered(_change, (number, bar, step))

    def end(self) -> None:
        """End the worker. A thread that waits for a result gets an error, and removes the worker."""
        self._ended = True
        worker = self._worker
        if worker is not None:
            worker.kill()
        if self._lock.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._lock.release()

    def _drop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def _answered(self, job: Callable[[Any], Any], question: Any) -> Any:
        with self._lock:
            if self._worker is None:
                raise UsageError("there are no values of a run", "run the script in the inspector first")
            return self._ask(job, question, _SECONDS, None)

    def _ask(self, job: Callable[[Any], Any], question: Any, seconds: float, context: Context | None) -> Any:
        worker = self._worker
        assert worker is not None
        message = pickle.dumps((job, question), pickle.HIGHEST_PROTOCOL)
        budget = question.budget if isinstance(question, Request) else RunBudget()
        try:
            return result_of(*worker.ask(message, seconds + GRACE, memory_of(budget), context or Context()))
        except WorkerEnded as ended:
            self._drop()
            raise PinebenchError(*_why(ended, seconds)) from None


def _why(ended: WorkerEnded, seconds: float) -> tuple[str, str]:
    """Return the reason why a worker ended, and advice."""
    code = ended.stop.code if ended.stop is not None else ""
    if code == "memory-limit":
        return "the script needs more memory than a run may use", "try fewer bars"
    if code == "run-time-limit":
        return f"the script took more than {seconds:g} s", "try fewer bars"
    return "the process with the recorded run has ended", "run the script again"


# the worker's side


@dataclass
class _HeldRun:
    """The recorded run of this worker."""

    recording: RunRecording
    names: list[InspectedName]
    plots: list[list[Any]] = field(default_factory=list[list[Any]])
    """The columns of the plots; the numbers of their names begin at `_PLOT` and go down."""
    changed: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each name, a span of bars on which its value is known not to change: from the bar of its last change on."""

    @property
    def size(self) -> int:
        """The approximate number of bytes of the recorded values and the plots."""
        return self.recording.size + VALUE * sum(map(len, self.plots))

    def value(self, number: int, bar: int) -> Any:
        """Return the value of a name or a plot on a bar."""
        key = self.names[number].key
        if key[0] > _PLOT:
            return self.recording.at(key, bar)
        column = self.plots[_PLOT - key[0]]
        return column[bar] if bar < len(column) else NOT_RUN

    def changed_at(self, number: int, bar: int) -> int:
        """Return the last bar up to `bar` on which a value differs from the bar before, or the first recorded bar."""
        key = self.names[number].key
        if key[0] > _PLOT:
            return self.recording.changed(key, bar)
        while bar > self.recording.first and is_same(self.value(number, bar - 1), self.value(number, bar)):
            bar -= 1
        return bar

    def changes_next(self, number: int, bar: int) -> int | None:
        """The first bar after `bar` on which a value differs from the bar before; None if there is none."""
        key = self.names[number].key
        if key[0] > _PLOT:
            return self.recording.changes_next(key, bar)
        later = range(bar + 1, self.recording.bars)
        return next((n for n in later if not is_same(self.value(number, n - 1), self.value(number, n))), None)


_held: list[_HeldRun] = []


def _begin(request: Request, bars: str | None, memory: int) -> Overview:
    from pinebench.workers import worker

    request = _with_bars(request, bars)
    ran, recording = record(request, memory)
    names = recording.names() if recording.bars else []
    plots = [(name, column) for name, column in _plots(ran) if recording.bars]
    names += [replace(name, key=(_PLOT - number, GLOBAL)) for number, (name, _) in enumerate(plots)]
    held = _HeldRun(recording, names, [column for _, column in plots])
    _held[:] = [held]
    worker.last()
    error = ran.result.error
    program = opened(request.source, request.libraries)
    return Overview(
        request.symbol.symbol or "",
        request.symbol.timeframe,
        list(request.bars.time[: max(recording.bars, 1)]),
        recording.bars,
        recording.first,
        names,
        _rows(program, names, recording),
        _trades(ran),
        recording.dropped if recording.bars else [],
        held.size if recording.bars else 0,
        None if error is None else error.message,
        0 if error is None else error.line or 0,
    )


def _plots(ran: RunResult) -> Iterator[tuple[InspectedName, list[Any]]]:
    """Yield the columns of all plots, each with a name: the plot's title, and the column if a plot has several."""
    for output in ran.result.outputs:
        columns = {name: values for name, values in output.columns.items() if values and "color" not in name}
        for name, values in columns.items():
            title = output.title or output.function
            label = title if len(columns) == 1 else f"{title}: {name}"
            yield InspectedName(label, output.line, output.function, "plot", "", (), False, (_PLOT, GLOBAL)), values


def _with_bars(request: Request, bars: str | None) -> Request:
    """Return the request with the bars that `bars` names. Raises UsageError if there are none."""
    if bars is not None:
        data = load_named(bars)
        request = replace(request, bars=data.bars, symbol=data.symbol)
    if not len(request.bars):
        raise UsageError("there are no bars to run the script on", "name other bars")
    return request


def why_on(
    request: Request, expression: str, bar: int, bars: str | None = None, place: ScriptPlace | None = None
) -> Why:
    """Explain the value of an expression on a bar, like `why.block_why.why_at`. `bars` names bars to load in place of
    the request's bars, and `place` is the position of the expression in the script. A worker also calls this."""
    return why_at(_with_bars(request, bars), expression, bar, place)


def order_on(request: Request, order: str, bar: int, bars: str | None = None) -> OrderLife:
    """Explain the orders with the id `order` on a bar, like `why.order_life.order_life`. `bars` names bars to load in
    place of the request's bars. A worker also calls this."""
    return order_life(_with_bars(request, bars), order, bar)


def _trades(ran: RunResult) -> list[TradeRow]:
    if ran.tested is None:
        return []
    closed = [
        TradeRow(
            one.side,
            one.quantity,
            one.entry_id,
            one.entry_bar,
            one.entry_price,
            one.exit_id,
            one.exit_bar,
            one.exit_price,
            one.profit,
        )
        for one in ran.tested.trades
    ]
    open_ones = [
        TradeRow(one.side, one.quantity, one.id, one.bar, one.price, profit=figures[0])
        for one, figures in zip(ran.tested.open_trades, ran.tested.open_figures, strict=True)
    ]
    return [*closed, *open_ones]


def _rows(program: Program, names: list[InspectedName], recording: RunRecording) -> dict[int, list[list[int]]]:
    """Return the names to show at the ends of lines: those that a line declares or assigns, else its longest call."""
    by_key: dict[int, list[int]] = {}
    for number, name in enumerate(names):
        if name.line:
            by_key.setdefault(name.key[0], []).append(number)
    declared: dict[int, list[int]] = {}
    called: dict[int, int] = {}
    plotted: dict[int, int] = {}
    for k, numbers in sorted(by_key.items()):
        name = names[numbers[0]]
        if name.mode == "plot":
            plotted[name.line] = k
        elif not name.is_call:
            declared.setdefault(name.line, []).append(k)
        elif len(name.name) > len(names[by_key[called[name.line]][0]].name if name.line in called else ""):
            called[name.line] = k
    for line, k in _assigned(program, {start: k for k, start in recording.declared() if k in by_key}):
        if k not in declared.setdefault(line, []):
            declared[line].append(k)
    lines = {**{line: [k] for line, k in {**plotted, **called}.items()}, **declared}
    return {line: [by_key[k] for k in keys] for line, keys in lines.items()}


def _assigned(program: Program, by_start: dict[int, int]) -> Iterable[tuple[int, int]]:
    """Yield the lines that assign a new value to a name, with the number of the name."""
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if not isinstance(node, nodes.Reassignment) or not isinstance(node.target, nodes.Name):
                continue
            symbol: Any = program.symbol_of(node.target)
            with contextlib.suppress(AttributeError, LookupError):
                k = by_start.get(symbol.offset + symbol.name_node.start)
                if k is not None:
                    yield program.document.lines.position(program.span(node.target).start).line, k


def _held_at(bar: int) -> _HeldRun:
    held = _held[0]
    if not held.recording.first <= bar < held.recording.bars:
        raise UsageError(
            f"the values of bar {bar} are not recorded",
            f"values are recorded from bar {held.recording.first} to {held.recording.bars - 1}",
        )
    return held


def _values(bar: int) -> list[NameValue]:
    held = _held_at(bar)
    found: list[NameValue] = []
    for number in range(len(held.names)):
        value = held.value(number, bar)
        before = _text(held.value(number, bar - 1)) if bar > held.recording.first else ""
        found.append(NameValue(_text(value), before, _changed(held, number, bar), value is not NOT_RUN))
    return found


def _text(value: Any) -> str:
    text = "did not run" if value is NOT_RUN else written(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _changed(held: _HeldRun, number: int, bar: int) -> int:
    """Return the bar on which a value last changed. The result for a near bar is reused."""
    start, stop = held.changed.get(number, (-1, -2))
    if start <= bar <= stop:
        return start
    if bar == stop + 1 and bar - 1 >= held.recording.first:
        found = start if is_same(held.value(number, bar - 1), held.value(number, bar)) else bar
    else:
        found = held.changed_at(number, bar)
    held.changed[number] = found, bar
    return found


def _whole(asked: tuple[int, int]) -> str:
    number, bar = asked
    held = _held_at(bar)
    value = held.value(number, bar)
    return "did not run" if value is NOT_RUN else written(value, _DEEP)


def _change(asked: tuple[int, int, int]) -> int | None:
    number, bar, step = asked
    held = _held_at(bar)
    if step > 0:
        return held.changes_next(number, bar)
    start = held.changed_at(number, bar)
    # On the bar of a change itself, the change before it is meant.
    if start == bar and bar > held.recording.first:
        start = held.changed_at(number, bar - 1)
    return start if start < bar else None

"""The memory for runs of machine code on one chart: its initial values, the run itself, and the results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import FrameType, TracebackType
from typing import Any

from pinebench.backtesting.broker_factory import trading_days
from pinebench.broker import figures
from pinebench.compiled import lists, machine
from pinebench.compiled.handles import LOGGING, NOTING
from pinebench.compiled.kernels import STATUS
from pinebench.compiled.layouts import ACCOUNT, AREAS, CURVE, PATHS, RERUN, WALK
from pinebench.compiled.library_calls import LibraryCalls, may_be_long
from pinebench.compiled.outcomes import BY_SCRIPT, REASONS, TOO_MUCH, MachineStop
from pinebench.compiled.records import profits_of
from pinebench.compiled.request_columns import RequestColumns
from pinebench.compiled.script_code import AS_PYTHON, DAY, NA, OutputColumn, TextTable, text_of
from pinebench.compiled.script_code import ScriptCode as Generated
from pinebench.compiled.settled_values import SettledValues, UnsettledValue, input_number
from pinebench.runtime import EXACT, Chart, Execution, NotComputed, RunBudget, RuntimeFault, Sources, StackFrame, guard

ROUNDS = 500_000_000.0
"""The largest number of loop iterations in a run. A run with more is repeated in Python, which reports the loop."""
SHARE = 0.5
"""The share of a run's time limit after which library calls are stopped, because Python repeats the run."""
_REQUEST_SECONDS = 20.0
"""The seconds for which library calls are answered in a run without a budget."""
_FREE = 1 << 16
_MOST = 1 << 27
"""The largest size of the memory of a run, in floats."""
_HAS_RECORDS = ACCOUNT.has_records


@dataclass
class ScriptForm:
    """The machine code for one choice of those inputs that change the generated code of a script."""

    generated: Generated
    loaded: machine.LoadedCode
    run: Any
    measures: tuple[Any, ...]
    """The functions that compute the account on every bar after a run, its extremes, the largest positions and the
    columns of the trades; empty for an indicator."""
    profit: Any
    """Computes the exact sum of the profits after a run, if it is finite; None for an indicator."""
    requests: list[ScriptForm]
    """The machine code of the script's requests."""


def as_python(column: OutputColumn, values: list[float]) -> list[Any]:
    """Convert the values of an output to the types that the Python tier uses."""
    return list(map(AS_PYTHON[column.kind], values)) if column.kind in AS_PYTHON else values


class _RunWithoutBars:
    """A run whose bars the guard cannot count, because machine code runs them."""

    index = -1

    def stack(self, _: TracebackType | None, /) -> list[StackFrame]:
        return []

    def endless(self, _: FrameType | None, /) -> FrameType | None:
        return None


class RunMemory:
    """The memory in which a compiled script runs, with the columns of the chart that it runs on."""

    def __init__(
        self,
        form: ScriptForm,
        chart: Chart,
        shared: Sources,
        values: Mapping[int, float],
        clock: int | None,
        budget: RunBudget | None,
        paths: Sequence[Sequence[float]] = (),
    ) -> None:
        """Prepare the memory for runs of `form` on `chart`.

        - `shared`: the bars of requests.
        - `values`: initial values that are not 0, by address, besides the initial values of the form.
        - `clock`: the value of `timenow` in milliseconds UTC; None for the close of the last bar.
        - `budget`: the limits of a whole run by Python; None for a request, which is a part of another run.
        - `paths`: the price paths of the bars, if the request has bars of a shorter timeframe.
        """
        import numpy

        generated = form.generated
        self._form = form
        self._chart = chart
        self._clock = clock
        count = len(chart)
        self._count = count
        self._numpy = numpy
        self.columns = self._columns_of_chart()
        self.outputs = numpy.empty((max(len(generated.shown), 1), count))
        self._places = self.columns.ctypes.data, self.outputs.ctypes.data
        first = numpy.zeros(generated.places)
        for place, value in (*generated.first.items(), *values.items()):
            first[place] = value
        self._first = first
        rooms = (AREAS.at, AREAS.end) if form.measures else (0, 0)
        if generated.broker:
            first.view("int64")[RERUN.outputs] = self._places[1]
        self._begun = slice(0, rooms[0]), slice(rooms[1], generated.places)
        """The parts of the memory that are set before a run: all except the room for records."""
        self._beginning: list[tuple[Any, Any]] = []
        """The parts of the memory in `_begun`, with their initial values."""
        settled = [(place, node, input_number(node, generated)) for place, node in generated.settled.items()]
        self._given = [(place, number) for place, _, number in settled if number is not None]
        self._settled = [(place, node) for place, node, number in settled if number is None]
        self.texts = TextTable(generated.texts)
        self._known_texts = len(generated.texts)
        """The number of texts that are known before the first bar."""
        self._has_calls = generated.has_letters or any(call.kind for call in generated.calls)
        self._is_settled = bool(self._settled or generated.host_columns or generated.requests or self._has_calls)
        """Whether anything besides numeric inputs is known before the first bar."""
        self._calls: LibraryCalls | None = None
        """The calls of the library in the last run."""
        self._seconds = _REQUEST_SECONDS if budget is None else budget.seconds * SHARE
        self._budget: RunBudget | None = None
        """The limits of a run in which one call may take long; None for another run: a watch would cost
        more than a short run."""
        if budget is not None and may_be_long(generated):
            self._budget = replace(budget, seconds=self._seconds)
        self._requests = RequestColumns(
            generated.requests,
            chart,
            shared,
            lambda k, other: RunMemory(form.requests[k], other, shared, {}, clock, None),
        )
        self._counts = numpy.array([0, *map(len, paths)] if paths else [], dtype=numpy.int64)
        """The number of prices of each path, after an empty one, which is the path before the first bar."""
        self._prices = numpy.fromiter(chain.from_iterable(paths), numpy.float64)
        self._take(generated.places + _FREE + 4 * count)
        self._periods: figures.Periods | None = None
        self._is_measured = False
        """Whether `measure` has computed the account of the run whose records are in the memory."""
        self.held: Sequence[Any] | None = None
        """The inputs of the run that is in the memory, or None."""
        self._is_strategy = bool(form.measures)

    def _columns_of_chart(self) -> Any:
        """The columns of the chart, beside room for the columns that are computed later."""
        names, chart, numpy = self._form.generated.columns, self._chart, self._numpy
        columns = numpy.empty((len(names), self._count))
        for k, name in enumerate(names):
            if name == DAY:
                columns[k] = trading_days(chart.bars.time, chart.symbol)
            elif not name.startswith("#"):
                columns[k] = numpy.fromiter(chart.column(name), numpy.float64, self._count)
        return columns

    def _take(self, size: int) -> None:
        """Take memory of `size` floats for runs, and write the bounds that `kernels` reads."""
        columns = (CURVE.equity, CURVE.realized) if self._form.measures else ()
        end = size + len(columns) * self._count
        self.memory = self._numpy.empty(end + 2 * len(self._counts) + len(self._prices))
        self._address = self.memory.ctypes.data
        for k, place in enumerate(columns):
            begin = size + k * self._count
            self._first[place : place + lists.SPARE].view("int64")[:] = begin, 0, begin, begin + self._count
        if len(self._counts):
            self._write_paths(end)
        self._first[:5] = 0.0, self._form.generated.places, size, ROUNDS, self._count
        self._beginning = [(self.memory[part], self._first[part]) for part in self._begun]

    def _write_paths(self, place: int) -> None:
        """Write the price paths of the bars from an address on, their heads first."""
        begin = place + 2 * len(self._counts)
        heads = self.memory[place:begin].view("int64").reshape(-1, 2)
        heads[:, 0] = begin + self._counts.cumsum() - self._counts
        heads[:, 1] = self._counts
        self.memory[begin:] = self._prices
        first = self._first.view("int64")
        first[WALK.points], first[PATHS._magnified] = place, place + 2

    @property
    def has_records(self) -> bool:
        """Whether the run in the memory recorded its trades (`Account.has_records`)."""
        return bool(self.memory[_HAS_RECORDS])

    def run(self, inputs: Sequence[Any], *, is_logged: bool = False, has_records: bool = False) -> None:
        """Run all bars. `inputs` are the values of the inputs, in the order of their numbers.

        Afterwards, drawings, alerts and logs are available only if `is_logged`, and the records of fills and trades
        only if `has_records`. Raises MachineStop if machine code cannot finish the run.
        """
        if self._is_strategy:
            self._first[_HAS_RECORDS] = has_records or self._form.generated.reads_extremes
        if self._budget is None:
            self._run(inputs, is_logged=is_logged)
            return
        try:
            with guard.guarded(_RunWithoutBars(), self._budget):
                self._run(inputs, is_logged=is_logged)
        except RuntimeFault:
            raise MachineStop(TOO_MUCH) from None

    def _run(self, inputs: Sequence[Any], *, is_logged: bool) -> None:
        self.held, self._is_measured = None, False
        first = self._first
        first[LOGGING] = first[NOTING] = is_logged
        for place, number in self._given:
            first[place] = self._number(inputs[number], "float")
        settling = self._settle(inputs) if self._is_settled else None
        while True:
            for places, begin in self._beginning:
                places[:] = begin
            if settling is not None:
                self._begin_calls(settling, inputs)
            self._form.run(self._address, *self._places, self._count)
            if self._calls is not None:
                self._calls.end()
                if self._calls.raised is not None:
                    raise self._calls.raised
            memory = self.memory
            if memory[STATUS] == 0.0:
                self.held = inputs
                return
            if memory[STATUS] != 2.0 or len(memory) * 4 > _MOST:
                raise MachineStop(REASONS[float(memory[STATUS])])
            self._take(len(memory) * 4)

    def _settle(self, inputs: Sequence[Any]) -> SettledValues:
        """Compute the values that are known before the first bar, and write them into the memory."""
        generated = self._form.generated
        if len(self.texts.texts) > self._known_texts:
            self.texts.forget(self._known_texts)
        settling = SettledValues(generated, self._chart, inputs, self._clock)
        try:
            for place, node in self._settled:
                self._first[place] = self._number(settling.value(node), node.kind)
            for k, node in generated.host_columns.items():
                self.columns[k] = [self._number(value, node.kind) for value in settling.column(node)]
            self._requests.fill(self.columns, settling, inputs, self.texts.number)
        except (UnsettledValue, RuntimeFault, NotComputed):
            raise MachineStop(BY_SCRIPT) from None
        finally:
            # Also if a later request fails, the columns of the earlier ones stay for the next run, with their texts.
            self._known_texts = len(self.texts.texts)
        return settling

    def _begin_calls(self, settling: SettledValues, inputs: Sequence[Any]) -> None:
        """Prepare the calls that Python answers in a run."""
        self._requests.begin(inputs)
        if self._has_calls:
            answer = self._requests.answer
            self._calls = LibraryCalls(self._form.generated, self.memory, settling, self.texts, answer, self._seconds)

    def follow(self, execution: Execution) -> None:
        """Complete `execution`, a run in Python whose values machine code has computed: run its first bar, which sets
        up the outputs, and repeat its requests. Raises RuntimeFault and NotComputed if the script stops."""
        self._requests.attach(execution)
        execution.run_bars(0, 1)
        self._requests.make(execution, self.memory, self._form.generated.missing)

    def values(self, number: int, column: OutputColumn) -> list[Any]:
        """Return the values of an output, with the types that the Python tier uses."""
        values = self.outputs[number].tolist()
        if column.kind == "string":
            return [text_of(value, self.texts.texts) for value in values]
        return as_python(column, values)

    def net_profit(self) -> float:
        """Return the exact sum of the profits of the closed trades of a run, in the account's currency."""
        total = self._form.profit(self._address)
        return total if math.isfinite(total) else figures.exact_sum(profits_of(self.memory))

    def measure(self) -> None:
        """After a run, compute the account's value on every bar, its extremes, the largest positions, and the columns
        of the trades. Raises MachineStop if machine code cannot finish this."""
        if self._is_measured:
            return
        has_records = self.has_records
        draw, read, look, tally = self._form.measures
        draw(self._address, self._places[0], self._count)
        read(self._address, self._places[0], self._count, self._count - 1)
        look(self._address)
        tally(self._address)
        if self.memory[STATUS] == 2.0 and self.held is not None and len(self.memory) * 4 <= _MOST:
            self._take(len(self.memory) * 4)
            self.run(self.held, has_records=has_records)
            self.measure()
        if self.memory[STATUS] != 0.0:
            raise MachineStop(REASONS[float(self.memory[STATUS])])
        self._is_measured = True

    def column(self, address: int) -> Any:
        """Return the account's column at an address, such as `CURVE.equity`, which `measure` computes."""
        begin, count = self.memory[address : address + lists.BEGIN].view("int64").tolist()
        return self.memory[begin : begin + count]

    def periods(self, first: int) -> figures.Periods:
        """Return the periods of a test from bar `first` on. They are the same for all runs."""
        if self._periods is None:
            self._periods = figures.Periods.of(self._chart.bars.time, first)
        return self._periods

    def _number(self, value: Any, kind: str) -> float:
        if kind == "string":
            return self.texts.number(value)
        if isinstance(value, int) and abs(value) > EXACT:
            raise MachineStop(BY_SCRIPT)
        return NA if value is None else float(value)

"""Compiles a checked script to machine code, and runs it."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pinebench.backtesting.backtest import check_test
from pinebench.backtesting.broker_factory import before, properties_of, trader
from pinebench.broker import Broker, ClosedTrade, figures
from pinebench.checker import Program
from pinebench.compiled import machine, sources
from pinebench.compiled.boundary import refusal
from pinebench.compiled.call_log import CallLog
from pinebench.compiled.code_cache import CodeCache
from pinebench.compiled.layouts import CURVE, EXTREMES, LEDGER
from pinebench.compiled.module_writer import generate
from pinebench.compiled.outcomes import BY_SCRIPT, TOO_MANY_DRAWINGS, MachineStop, NotCompilable, Outcome
from pinebench.compiled.records import closed_count, closed_trades, columns_of, first_entry, open_trades, records_of
from pinebench.compiled.run_memory import RunMemory, ScriptForm, as_python
from pinebench.compiled.script_code import NotCovered
from pinebench.compiled.script_code import ScriptCode as Generated
from pinebench.compiled.settled_values import SettledValues, UnsettledValue
from pinebench.compiled.strategy_calls import Orders, first_values, has_rules
from pinebench.errors import PinebenchError
from pinebench.market import Bars
from pinebench.runtime import (
    Chart,
    Result,
    Runtime,
    RuntimeFault,
    Sources,
    guard,
    inputs_of,
    limits_of,
    lower,
    refuse,
    settings_of,
)
from pinebench.syntax.nodes import Node
from pinebench.workers.jobs import RunResult, others_of, perform
from pinebench.workers.request import Request

_MOST_READ = 100_000
"""The largest number of cached input values."""
_PLAIN = frozenset((str, int, float, bool))
"""The types of values that inputs accept."""
_LONGEST = 1_000_000
"""The largest length of the code of a script that is compiled, in characters."""
_COUNT = ctypes.c_int64
_PLACE = ctypes.c_void_p


class CompiledScript:
    """A script as machine code. It has a form for each choice of the inputs that change its code. A form is compiled on
    first use."""

    def __init__(self, program: Program, request: Request, cache: Path | None = None) -> None:
        machine.check()
        self.program = program
        self.request = request
        self._store = CodeCache(cache)
        self._inputs = inputs_of(program)
        self._named: dict[str, Any] = {}
        self._read: dict[tuple[str, str], tuple[Node, Any]] = {}
        self._forms: dict[Any, ScriptForm | NotCovered] = {}
        self._kept: dict[Any, NotCompilable | None] = {}
        self.stopped = ""
        """The reason why machine code did not finish the last unfinished run."""

    def form(self, inputs: Mapping[str, Any]) -> ScriptForm:
        """Return the machine code for these inputs. Raises NotCovered if machine code does not cover the script."""
        return self._form_of(self._given(inputs))

    def _given(self, inputs: Mapping[str, Any]) -> dict[Node, Any]:
        """Return the values of inputs by the nodes of their calls. A sweep passes the same values many times, so each
        value is checked once."""
        if not _PLAIN.issuperset(map(type, inputs.values())):  # it may be refused with a sentence
            return settings_of(self.program, inputs, self._inputs, self._named)
        if len(self._read) > _MOST_READ:
            self._read.clear()
        given: dict[Node, Any] = {}
        for name, value in inputs.items():
            key = (name, repr(value))  # 0.0, -0.0, 0 and False are different values
            read = self._read.get(key)
            if read is None:
                [read] = settings_of(self.program, {name: value}, self._inputs, self._named).items()
                self._read[key] = read
            if given.get(*read) != read[1]:
                return settings_of(self.program, inputs)  # which refuses two values of one input
            given[read[0]] = read[1]
        return given

    def _form_of(self, given: Mapping[Node, Any]) -> ScriptForm:
        key = _form_key(given)
        found = self._forms.get(key)
        if found is None:
            try:
                found = self._loaded(self._generated(given), {})
            except NotCovered as reason:
                found = reason
            self._forms[key] = found
        if isinstance(found, NotCovered):
            raise found
        return found

    def _generated(self, given: Mapping[Node, Any]) -> Generated:
        """Write the code of the form for the inputs `given`. The number of an input is its position in `given`."""
        settings = {
            node: lower.LaterInput(number) if isinstance(value, _LATER) else value
            for number, (node, value) in enumerate(given.items())
        }
        lowering = lower.lower(self.program, lower.LoweringSettings(settings))
        try:
            limits = asdict(limits_of(self.program))
            generated = generate(lowering.module, self._orders(), lowering.requests, limits)
        except RecursionError:
            raise NotCovered("the script is nested too deeply to be compiled") from None
        if sum(len(each.text) for each in generated.every) > _LONGEST:
            raise NotCovered("the script is too long to be compiled")
        return generated

    def _orders(self) -> Orders | None:
        """Return the writer of the orders of a strategy; None for an indicator."""
        if not self.program.is_strategy:
            return None
        properties = properties_of(self.program, self.request.properties, self.request.as_of)
        return Orders(properties, has_rules(self.program), self.request.lower is not None)

    def _key(self, generated: Generated) -> str:
        return f"{sources.identity()}\n{generated.broker}\n{generated.text}"

    def is_kept(self, inputs: Mapping[str, Any]) -> bool:
        """Return whether the machine code for these inputs is stored on disk. Raises NotCovered."""
        generated = self._generated(self._given(inputs))
        paths = map(self._store.path, map(self._key, generated.every))
        return all(path is not None and path.exists() for path in paths)

    def check(self, inputs: Mapping[str, Any]) -> None:
        """Generate the code for these inputs, but do not compile it. Raises NotCovered."""
        self._generated(self._given(inputs))

    def keep(self, inputs: Mapping[str, Any]) -> None:
        """Compile the form for these inputs and store it on disk, without loading it. Raises NotCovered."""
        self._keep(self._generated(self._given(inputs)))

    def keep_forms(self, combinations: Iterable[Mapping[str, Any]]) -> NotCompilable | None:
        """Compile the machine code for all combinations of inputs, and store it on disk. If machine code covers the
        script with none of them, return the reason for the first."""
        refused: NotCompilable | None = None
        is_covered = False
        for inputs in combinations:
            given = self._given(inputs)
            form = _form_key(given)
            if form not in self._kept:
                try:
                    self._keep(self._generated(given))
                except NotCovered as reason:
                    self._kept[form] = NotCompilable(reason.reason, reason.line)
                else:
                    self._kept[form] = None
            is_covered = is_covered or self._kept[form] is None
            refused = refused or self._kept[form]
        return None if is_covered else refused

    def _keep(self, generated: Generated) -> None:
        """Compile a form with its requests, and store the machine code on disk."""
        for each in generated.every:
            self._code(each)

    def _code(self, generated: Generated) -> list[bytes]:
        """Return the machine code of a form or a request: one object file for the script, and one for the broker of a
        strategy. Raises NotCovered for code that is nested too deeply."""
        code, form = self._store.machine_code, generated.broker
        try:
            made = [code(self._key(generated), lambda: sources.script(generated.text, form))]
        except (SyntaxError, RecursionError, MemoryError):
            raise NotCovered("the script is nested too deeply to be compiled") from None
        return [*made, code(f"{sources.identity()}\nbroker {form}", lambda: sources.broker(form), 1)] if form else made

    def _loaded(
        self, generated: Generated, known: dict[str, machine.LoadedCode], *, is_inner: bool = False
    ) -> ScriptForm:
        """Compile and load a form, or a request if `is_inner` is true. `known` has the requests that are already
        loaded, by their code."""
        is_strategy = generated.broker != ""
        loaded = known.get(generated.text) if is_inner else None
        if loaded is None:
            loaded = machine.LoadedCode(self._code(generated))
            if is_inner:
                known[generated.text] = loaded
        run = loaded.function("pine_broker_run" if is_strategy else "run", None, *[_PLACE] * 3, _COUNT)
        measures: tuple[Any, ...] = ()
        if is_strategy:
            measures = (
                loaded.function("pine_broker_Ledger_draw", None, *[_PLACE] * 2, _COUNT),
                loaded.function("pine_broker_Extremes_read", None, *[_PLACE] * 2, _COUNT, ctypes.c_double),
                loaded.function("pine_broker_Ledger_look", None, _PLACE),
                loaded.function("pine_broker_Tally_draw", None, _PLACE),
            )
        profit = loaded.function("pine_broker_closed_profit", ctypes.c_double, _PLACE) if is_strategy else None
        requests = [self._loaded(call.code, known, is_inner=True) for call in generated.requests]
        return ScriptForm(generated, loaded, run, measures, profit, requests)

    def run(self, bars: Bars, inputs: Mapping[str, Any]) -> RunResult:
        """Run the script on bars. The Python tier would return an equal result.

        Raises the errors of `perform`.
        """
        ran = None if self.form_or_none(inputs) is None else self.run_whole(bars, inputs)
        return perform(replace(self.request, bars=bars, inputs=inputs)) if ran is None else ran

    def form_or_none(self, inputs: Mapping[str, Any]) -> ScriptForm | None:
        """Return the machine code for these inputs; None if machine code does not cover the script with them."""
        try:
            return self.form(inputs)
        except NotCovered:
            return None

    def run_whole(self, bars: Bars, inputs: Mapping[str, Any]) -> RunResult | None:
        """Run the script on all bars; return None if machine code cannot finish the run."""
        form, request = self.form(inputs), replace(self.request, bars=bars, inputs=inputs)
        try:
            return perform(request, lambda runtime: self._whole(form, runtime, request))
        except MachineStop as stopped:
            self.stopped = stopped.reason
            return None

    def _whole(self, form: ScriptForm, runtime: Runtime, request: Request) -> Result:
        """Run all bars, and return the result of the run. Raises MachineStop if machine code cannot finish it."""
        chart, execution = runtime.chart, runtime.execution
        if runtime.error is not None or not len(chart):
            raise MachineStop(BY_SCRIPT)
        broker = runtime.host.strategy if self.program.is_strategy else None
        values, paths = self._values(broker), self._paths(broker, len(chart))
        prepared = RunMemory(form, chart, runtime.host.sources, values, request.clock, request.budget, paths)
        numbers = self._numbered(request.inputs)
        prepared.run(numbers, is_logged=True, has_records=True)
        try:
            with guard.guarded(execution, request.budget):
                prepared.follow(execution)
                settled = SettledValues(form.generated, chart, numbers, request.clock)
                CallLog(form.generated, prepared.memory, settled, prepared.texts.texts, runtime).tell()
        except UnsettledValue:
            raise MachineStop(TOO_MANY_DRAWINGS) from None
        except (RuntimeFault, PinebenchError):
            raise MachineStop(BY_SCRIPT) from None
        for k, column in enumerate(form.generated.shown):
            # An argument with one value in this run is a setting, but a form serves all values of an input.
            held = runtime.outputs[column.output].columns.get(column.name)
            if held is not None:
                held[:] = as_python(column, prepared.outputs[k].tolist())
        execution.index = len(chart) - 1
        if self.program.is_strategy:
            runtime.host.strategy.restore(records_of(prepared.memory, chart.bars.time, prepared.texts.texts))
        return runtime.result()

    def columns(self, bars: Bars, inputs: Mapping[str, Any]) -> list[list[Any]] | None:
        """Return the values of all outputs, in the order of the script, without its drawings; None if machine code
        cannot finish the run. Raises NotCovered if machine code does not cover the script."""
        form = self.form(inputs)
        chart = Chart(bars, self.request.symbol, look=self.request.look)
        broker, given = self._broker(bars), self.request
        values, paths = self._values(broker), self._paths(broker, len(bars))
        prepared = RunMemory(form, chart, self._sources(chart, bars), values, given.clock, given.budget, paths)
        try:
            prepared.run(self._numbered(inputs))
        except MachineStop:
            return None
        return [as_python(column, prepared.outputs[k].tolist()) for k, column in enumerate(form.generated.shown)]

    def _numbered(self, inputs: Mapping[str, Any]) -> list[Any]:
        """Return the values of the inputs, in the order of their numbers."""
        return list(self._given(inputs).values())

    def _values(self, broker: Broker | None) -> dict[int, float]:
        """Return the initial values of the broker that are not 0, by their addresses."""
        if broker is None:
            return {}
        return first_values(broker.properties, broker.account, broker.grid.tick, broker.first)

    def _paths(self, broker: Broker | None, count: int) -> list[Sequence[float]]:
        """Return the price paths of the bars if the request has bars of a shorter timeframe."""
        return [] if broker is None or self.request.lower is None else list(map(broker.path, range(count)))

    def sweep(self, bars: Bars, combinations: Iterable[Mapping[str, Any]]) -> Iterator[Outcome]:
        """Run the script with each combination of inputs, and yield the outcomes in the same order.

        Raises the errors of `perform`.
        """
        tested = before(bars, self.request.last)
        refuse(self.program, len(tested), self.request.symbol)
        shared = self._sources(Chart(tested, self.request.symbol, look=self.request.look), bars)
        prepared: dict[int, RunMemory] = {}
        broker = self._broker(tested)
        values = self._values(broker)
        for inputs in combinations:
            yield self._outcome(bars, shared, inputs, prepared, values, broker)

    def _sources(self, chart: Chart, bars: Bars) -> Sources:
        """Return the bars for the requests of a run on a chart with these bars."""
        return Sources(chart, others_of(replace(self.request, bars=bars)))

    def _broker(self, bars: Bars) -> Broker | None:
        """Return a broker for these bars, set to the last of them; None for an indicator. Raises the errors of
        `check_test`."""
        given = self.request
        more = {"lower": given.lower, "first": given.first, "as_of": given.as_of}
        made = trader(self.program, given.symbol, given.properties, bars=bars, **more)
        if made is None:
            return None
        broker = made(bars)
        check_test(broker.properties, given.symbol, bars, given.rates, given.lower, given.first)
        broker.moment.clock.index = len(bars) - 1
        return broker

    def _outcome(
        self,
        bars: Bars,
        shared: Sources,
        inputs: Mapping[str, Any],
        prepared: dict[int, RunMemory],
        values: Mapping[int, float],
        broker: Broker | None,
    ) -> Outcome:
        given = self._given(inputs)
        try:
            form = self._form_of(given)
            if not len(shared.chart):
                raise MachineStop(BY_SCRIPT)
            here = prepared.get(id(form))
            if here is None:
                clock, budget = self.request.clock, self.request.budget
                here = prepared[id(form)] = RunMemory(
                    form, shared.chart, shared, values, clock, budget, self._paths(broker, len(shared.chart))
                )
            numbers = list(given.values())
            here.run(numbers)
        except NotCovered as refused:
            return self._by_python(bars, inputs, refused.reason)
        except MachineStop as stopped:
            return self._by_python(bars, inputs, stopped.reason)
        if broker is None:
            return Outcome(inputs, lambda: self.run(bars, inputs), tier="compiled")
        return Outcome(
            inputs,
            lambda: self.run(bars, inputs),
            tier="compiled",
            traded=_Trades(here, numbers, broker),
            net_profit=here.net_profit(),
            closed_trades=closed_count(here.memory),
        )

    def _by_python(self, bars: Bars, inputs: Mapping[str, Any], reason: str) -> Outcome:
        """Return the outcome of a combination that the Python tier runs. `reason` says why machine code does not run
        it."""
        ran = perform(replace(self.request, bars=bars, inputs=inputs))
        trades = ran.tested.trades if ran.tested is not None else []
        return Outcome(
            inputs,
            lambda: ran,
            tier="python",
            reason=reason,
            net_profit=figures.exact_sum(trade.profit for trade in trades),
            closed_trades=len(trades),
            error=ran.result.error,
        )


def _form_key(given: Mapping[Node, Any]) -> Any:
    """Return the inputs that decide the form of a script. Machine code does not read them when it runs."""
    return tuple([id(node) if isinstance(value, _LATER) else (id(node), value) for node, value in given.items()])


_LATER = (int, float)
"""The values of inputs that machine code reads when it runs: numbers and bools do not decide its form."""


class _Trades:
    """The trades of a strategy's run by machine code. If the memory holds another run when the trades are read, the run
    is repeated: that takes less time than to store the records of each combination."""

    def __init__(self, prepared: RunMemory, inputs: Sequence[Any], broker: Broker) -> None:
        """`broker` has the properties of the strategy and the prices, and has not traded."""
        self._prepared = prepared
        self._inputs = inputs
        self._broker = broker

    def _memory(self, *, has_records: bool = False) -> Any:
        prepared = self._prepared
        if prepared.held is not self._inputs or (has_records and not prepared.has_records):
            prepared.run(self._inputs, has_records=has_records)
        return prepared.memory

    def trades(self) -> list[ClosedTrade]:
        return closed_trades(self._memory(has_records=True), self._broker.prices.time, self._prepared.texts.texts)

    def equity(self) -> Sequence[float]:
        self._memory()
        self._prepared.measure()
        found = array("d")
        found.frombytes(self._prepared.column(CURVE.equity).tobytes())
        return found

    def figures(self) -> dict[str, Any]:
        self._memory()
        broker, prepared = self._broker, self._prepared
        prepared.measure()
        known, memory, periods = broker.variables, prepared.memory, prepared.periods(broker.first)
        equity, realized = map(prepared.column, (CURVE.equity, CURVE.realized))
        moves = tuple(memory[CURVE.moves : CURVE.moves + CURVE.kinds["moves"].places].tolist())
        if (equity <= 0.0).any():
            moves = figures.known_moves(moves, equity.tolist())
        opened = open_trades(memory, broker.prices.time, prepared.texts.texts)
        return figures.figures_of(
            figures.TradeHistory(
                broker.known_currency,
                known.initial_capital,
                columns_of(memory),
                figures.open_profits(broker, opened),
                (float(memory[LEDGER.longest]), float(memory[LEDGER.shortest])),
                periods.span,
                periods.months_of(memoryview(realized)),
                periods.steps_of(memoryview(realized)),
                float(equity[-1]),
                tuple(memory[[EXTREMES.drawdown, EXTREMES.drawdown_percent]].tolist()),
                tuple(memory[[EXTREMES.run_up, EXTREMES.run_up_percent]].tolist()),
                moves,
                figures.held_return(broker, first_entry(memory)),
                broker.properties.risk_free_rate,
            )
        )


def is_kept(program: Program, request: Request, cache: Path | None) -> bool:
    """Return whether the machine code of a script for the request's inputs is stored in the folder `cache`."""
    made = CompiledScript(program, request, cache)
    try:
        return made.is_kept(request.inputs)
    except NotCovered:
        return False


def compile_script(program: Program, request: Request, *, cache: Path | None = None) -> CompiledScript | NotCompilable:
    """Compile a script for runs with any inputs. `cache` is a private folder for machine code; None for no cache.

    Raises UnavailableError if the packages of the extra `fast` are not installed, UsageError if other users can access
    the folder, and the errors of `refuse`.
    """
    made = prepared(program, request, cache=cache)
    if isinstance(made, NotCompilable):
        return made
    try:
        made.form(request.inputs)
    except NotCovered as reason:
        return NotCompilable(reason.reason, reason.line)
    return made


def prepared(program: Program, request: Request, *, cache: Path | None = None) -> CompiledScript | NotCompilable:
    """Return a script that is compiled on demand, or the reason why it cannot be compiled with any inputs. Raises the
    errors of `compile_script`."""
    refuse(program, 0, request.symbol)
    if (reason := refusal(program, request)) is not None:
        return NotCompilable(reason)
    return CompiledScript(program, request, cache)

"""Runs a script on bars: first all of history, then real-time updates of the last bar."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pinebench.amounts import counted
from pinebench.calendars.timeframes import Timeframe
from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.checker import BuiltinConstant, Program, Signature
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.errors import DoesNotCompile, UnavailableError, UsageError
from pinebench.runtime.alerts import Alert, Alerts, conditions, placeholders
from pinebench.runtime.chart import BarColumns, Chart, ChartSymbol, Look
from pinebench.runtime.chart_outputs import ChartOutputs
from pinebench.runtime.drawings import Drawing, Drawings, Limits
from pinebench.runtime.emit import Timer
from pinebench.runtime.execution import ExecutableCode, Execution, ValueRecorder
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.guard import OWN_LIMITS, RunBudget, guarded
from pinebench.runtime.inputs import settings_of
from pinebench.runtime.loops import Loops
from pinebench.runtime.lower import LoweringSettings, lower
from pinebench.runtime.lower.context import Lowering
from pinebench.runtime.outputs import Output, Outputs
from pinebench.runtime.published import note_of
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.replay import Before, Replay
from pinebench.runtime.requests import DAYS_OF_REQUESTS, MadeRequest, Requests, RequestSource, Sources
from pinebench.runtime.strategy import NoFills
from pinebench.runtime.tickers import Ticker
from pinebench.syntax.nodes import Node

_OVERRUNS = (*OWN_LIMITS, "RE10022")
"""The errors of a run that takes too long. They name the loop that takes the time."""
_MOST_LOGGED = 1_000_000
"""The approximate number of characters of the last logs, which are kept if a script filled the memory."""
MOST_REQUESTS = 40
"""The number of unique requests that a script may make, in every plan except the largest."""


@dataclass(slots=True)
class Log:
    """One message of `log.info()`, `log.warning()` or `log.error()`."""

    bar: int
    time: int
    level: str
    message: str
    line: int


@dataclass(slots=True)
class Result:
    """The result of a run: outputs by column, alerts, logs, notes, and the error that stopped it, or None."""

    times: Sequence[int]
    outputs: list[Output]
    alerts: list[Alert] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)
    drawings: dict[str, list[Drawing]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: RuntimeFault | None = None
    requests: list[MadeRequest] = field(default_factory=list)
    """The requests that were made, in the order of the script, one entry for each call, symbol and timeframe."""

    @property
    def plots(self) -> list[Output]:
        """The outputs with a series: plots, shapes, characters and arrows."""
        return [output for output in self.outputs if "series" in output.columns]

    def plot(self, title: str) -> list[Any]:
        """Return the values of the first plot with the title `title`. Raises KeyError if there is none."""
        for output in self.plots:
            if output.title == title:
                return output.values
        raise KeyError(title)


MakeDrawings = Callable[[Execution, Limits], Drawings]
"""Makes the drawings of an execution."""
MakeRequests = Callable[[Execution, Callable[[int, Chart], Replay], Sources], Requests]
"""Makes the requests of an execution."""


class Host:
    """The parts of a run, such as outputs and alerts, that the script and its requests share."""

    def __init__(
        self,
        outputs: Outputs,
        strategy: Any,
        sources: Sources,
        limits: Limits,
        clock: int | None,
        drawings: MakeDrawings,
        alerts: Alerts,
        timer: Timer | None = None,
        recorder: ValueRecorder | None = None,
        requests: MakeRequests = Requests,
        *,
        loops: Loops,
    ) -> None:
        self.loops = loops
        self.timer = timer
        self.recorder = recorder
        self._requests = requests
        self.outputs = outputs
        self.strategy = strategy
        self.sources = sources
        self.limits = limits
        self.drawn: Drawings | None = None
        self.alerts = alerts
        self.logs: list[Log] = []
        self.notes: dict[str, None] = {}
        self.missing: set[str] = set()
        """The notes about values that are not available; which one is read first depends on what is computed ahead."""
        self._assumed: dict[str, tuple[ChartSymbol, set[str]]] = {}
        """The assumed properties that the script reads, with their symbol, by the symbol's name."""
        self.asked: dict[object, MadeRequest] = {}
        self._asked: set[object] = set()
        self._clock = clock
        self._drawings = drawings

    def clock(self, execution: Execution) -> int:
        if self._clock is not None:
            return self._clock
        chart = execution.chart
        return chart.close_time(len(chart) - 1)

    def note(self, name: str) -> None:
        """Add a note that the value `name` is not available. The same name is noted only once."""
        self.missing.add(f"{name} is not available here and is na")

    def assume(self, read: Collection[str], symbol: ChartSymbol) -> None:
        """Record which variables that the script reads (`read`) have only assumed values for `symbol`."""
        found = [(f"syminfo.{name}", *_READ_BY.get(name, ())) for name in symbol.assumed]
        names = {name for part in found for name in part if name in read}
        if names:
            self._assumed.setdefault(_name_of(symbol), (symbol, set()))[1].update(names)

    def assumptions(self) -> list[str]:
        """Return a note for each symbol whose properties the script reads although they are only assumed."""
        told: list[str] = []
        for name, (symbol, read) in self._assumed.items():
            names: list[str] = []
            values: list[str] = []
            for each in symbol.assumed:
                by = [other for other in _READ_BY.get(each, ()) if other in read]
                if f"syminfo.{each}" in read or by:
                    value = getattr(symbol, each)
                    shown = f'"{value}"' if isinstance(value, str) else f"{value:g}"
                    names.append(each)
                    values.append(f"syminfo.{each} = {shown}" + (f" (for {', '.join(by)})" if by else ""))
            whose = "" if name == _name_of(self.sources.chart.symbol) else f" of {name}"
            words = f"the script reads {' and '.join(values)}{whose}, assumed"
            told.append(f"{words}: the symbol's TOML file can set {' and '.join(names)}")
        return told

    def count_request(self, asked: object) -> None:
        """Count the request `asked` once, however often an equal one is made. Raises RE10137 if there are too many."""
        self._asked.add(asked)
        if len(self._asked) > MOST_REQUESTS:
            raise RuntimeFault("RE10137", limit=MOST_REQUESTS)

    def alert(self, execution: Execution, message: str, frequency: str, line: int, call: int) -> None:
        i = execution.index
        alert = Alert(i, execution.chart.bars.time[i], message or "", frequency, line)
        self.alerts.say(alert, call, confirmed=execution.is_confirmed)

    def log(self, execution: Execution, level: str, message: str, line: int) -> None:
        i = execution.index
        self.logs.append(Log(i, execution.chart.bars.time[i], level, message or "", line))

    def forget(self) -> None:
        """Discard all drawings, alerts and logs so far."""
        self.alerts.forget()
        self.logs.clear()
        if self.drawn is not None:
            for drawings in self.drawn.alive.values():
                drawings.clear()

    def keep_last_logs(self) -> None:
        """Remove all logs except the last ones, so that their messages do not fill the memory."""
        letters, kept = 0, len(self.logs)
        while kept and letters < _MOST_LOGGED:
            kept -= 1
            letters += len(self.logs[kept].message)
        del self.logs[:kept]

    def drawings(self, execution: Execution) -> Drawings:
        """Return an execution's functions for drawings. Only drawings of the first execution (the script) are shown."""
        made = self._drawings(execution, self.limits)
        self.drawn = self.drawn or made
        return made

    def requests(self, execution: Execution) -> Requests:
        """Return the `request.*` functions of an execution. Their code runs on all available bars when first needed."""

        def begin(number: int, chart: Chart) -> Replay:
            replay = Replay(Execution(execution.code.requests[number], chart, self))
            replay.history()
            return replay

        return self._requests(execution, begin, self.sources)


class Watch(Protocol):
    """Notes the values of expressions of a script. `numbers` has the expressions, each with its number. `follow` gets
    the execution before its first bar, and passes a function to `Execution.watch`."""

    @property
    def numbers(self) -> Mapping[Node, int]: ...

    def follow(self, execution: Execution) -> None: ...


class Runtime:
    """A checked script with its bars.

    `inputs` are values by the title, the variable or the number of an input (see `settings_of`). `others` are the bars
    of other symbols by ticker. `clock` is the value of `timenow` in milliseconds UTC. Observers can replace `alerts`,
    and the functions `drawings` and `requests`, which make the objects for drawings and requests. `watch` notes values
    of expressions. `timer` measures the code. `recorder` stores the values of all names and calls.

    An indicator with a timeframe of its own runs on bars of that timeframe, and its outputs are shown on the chart's
    bars. It can be neither watched nor recorded.

    Raises UsageError for a script that does not compile and for an unknown input, and NotComputed for a script that
    needs something that this runtime does not compute.
    """

    def __init__(
        self,
        program: Program,
        bars: BarColumns,
        symbol: ChartSymbol,
        *,
        inputs: Mapping[str, Any] | None = None,
        others: Mapping[str, RequestSource] | None = None,
        strategy: Any = None,
        clock: int | None = None,
        budget: RunBudget | None = None,
        drawings: MakeDrawings = Drawings,
        alerts: Alerts | None = None,
        look: Look | None = None,
        watch: Watch | None = None,
        timer: Timer | None = None,
        recorder: ValueRecorder | None = None,
        requests: MakeRequests = Requests,
    ) -> None:
        refuse(program, len(bars.time), symbol)
        self.program = program
        if watch is None and recorder is None and timer is None:
            self.code = executable(program, inputs or {})
        else:
            watched = watch.numbers if watch else {}
            steps = recorder is not None and recorder.steps
            self.code = ExecutableCode(
                lowered(program, inputs or {}, watched, records=recorder is not None, steps=steps)
            )
        lowering = self.code.lowering
        self.chart = Chart(bars, symbol, look=look)
        outputs = Outputs([(output.name, output.line) for output in lowering.outputs])
        sources = Sources(self.chart, others)
        own = _own_chart(program, sources)
        if own is not self.chart and (watch is not None or recorder is not None):
            raise NotComputed(
                f"the value of an expression with {_timeframe_text(program)}", hint="Give bars of that timeframe."
            )
        self._shown: ChartOutputs | None = None
        """The outputs on the chart's bars, if the script runs on other bars."""
        if own is not self.chart:
            gaps = declared_arguments(program).get("timeframe_gaps", True)
            self._shown = ChartOutputs(outputs, own, self.chart, has_gaps=gaps is not False)
        self.error: RuntimeFault | None = None
        self.host = Host(
            outputs,
            strategy or NoFills(),
            sources,
            self._limits(program),
            clock,
            drawings,
            alerts or Alerts(),
            timer,
            recorder,
            requests,
            loops=Loops(program),
        )
        self.host.notes.update(dict.fromkeys(map(note_of, lowering.own_versions)))
        self.host.assume(lowering.read, symbol)
        if strategy is None and program.is_strategy:
            self.host.notes["orders are accepted, but never filled: this run has no broker"] = None
        self.budget = budget or RunBudget()
        self.execution = Execution(self.code, own, self.host)
        if watch is not None:
            watch.follow(self.execution)
        self.host.strategy.follow(self.execution)
        self.replay = Replay(self.execution)
        self._closed = True
        self._watched = False

    def _limits(self, program: Program) -> Limits:
        """The largest numbers of drawings that stay; a wrong number in the declaration becomes the run's error."""
        try:
            return limits_of(program)
        except RuntimeFault as fault:
            self.error = fault
            return Limits()

    def run(self, pause: Callable[[int], int] | None = None) -> Result:
        """Run all bars as history.

        `pause` is called before the first bar and then between bars, with the bar that comes next. It returns the bar
        before which it wants to be called again, and may raise an exception that ends the run.
        """
        if self.error is not None:
            return self.result()
        execution, strategy = self.execution, self.host.strategy
        first = len(self.replay.results)
        try:
            with guarded(execution, self.budget):
                if self._shown is not None:
                    self.replay.history()
                    self._shown.history()
                    return self.result()
                if not first:
                    execution.prepare()
                if not strategy.recalculates:
                    count = len(self.chart)
                    while first < count:
                        stop = count if pause is None else min(pause(first), count)
                        execution.run_history(first, strategy, stop)
                        first = stop
                else:
                    for i in range(first, len(self.chart)):
                        self._run_on_fills(i)
        except RuntimeFault as fault:
            self._stop(fault)
        if self._shown is None:
            self.replay.results = [None] * len(self.chart)
        return self.result()

    def _run_on_fills(self, i: int) -> None:
        """Run a bar of a script that also runs after every fill."""
        strategy, again = self.host.strategy, self.run_on_fills(i)
        timer = self.host.timer
        hook = timer.hook if timer is not None else lambda call: call
        hook(strategy.before_bar)(i)
        again()
        hook(strategy.after_bar)(i)

    def run_on_fills(self, i: int) -> Callable[[], None]:
        """Let the broker run the script on bar `i` after every fill, and return the function that runs it.

        Call this before the script runs on the bar, because each run after a fill begins from the current state. On
        history, the script sees the whole bar each time, as on TradingView (manual, "calc_on_order_fills").
        """
        execution, strategy, outputs = self.execution, self.host.strategy, self.host.outputs
        before = Before(execution)

        def again() -> None:
            before.restore()
            outputs.cut(i)
            execution.run_bar(i)

        strategy.recalculate = again
        return again

    def update(self, time: int, bar: tuple[float, float, float, float, float], *, closed: bool = False) -> Result:
        """Apply an update of the last bar, or the first update of the next bar, and return the result so far.

        `time` is the time at which the bar opens, in milliseconds UTC. `bar` is its open, high, low, close and volume
        so far. `closed` tells whether this is the bar's last update. If so, the orders of earlier bars are filled on it
        before the script runs. Raises UsageError for a bar that has closed, and for a bar before the last one.
        """
        self.advance(time, bar, closed=closed)
        return self.result()

    def advance(self, time: int, bar: tuple[float, float, float, float, float], *, closed: bool = False) -> None:
        """Apply an update like `update`, but return nothing. Raises the errors of `update`."""
        if self.error is not None:
            return
        bars, execution = self.chart.bars, self.execution
        last = bars.time[-1] if bars.time else None
        if last is not None and (time < last or (time == last and self._closed)):
            raise UsageError("an update must belong to the last bar or to a later bar")
        is_new = time != last
        self.chart.put(time, bar)
        self.host.sources.update()
        if self._shown is not None:
            self._advance_own(self._shown, closed=closed)
            return
        execution.is_history, execution.is_confirmed, execution.is_new = False, closed, is_new
        execution.last_index = len(self.chart) - 1
        self._closed = closed
        strategy, i = self.host.strategy, len(self.chart) - 1
        try:
            with contextlib.nullcontext() if self._watched else guarded(execution, self.budget):
                if closed:
                    strategy.before_bar(i)
                self._update(is_new)
                if closed:
                    strategy.after_bar(i)
        except RuntimeFault as fault:
            self._stop(fault)

    def _advance_own(self, shown: ChartOutputs, *, closed: bool) -> None:
        """Apply an update of the chart's last bar to the bars on which the script runs. Bars that are shorter than the
        chart's get no updates: a live bar shows nothing then."""
        execution, own = self.execution, self.execution.chart
        self._closed = closed
        number = len(own) - 1
        if own.timeframe.seconds > self.chart.timeframe.seconds:
            is_new = number >= len(self.replay.results)
            is_over = own.close_time(number) <= self.chart.close_time(len(self.chart) - 1)
            execution.is_history, execution.is_confirmed, execution.is_new = False, closed and is_over, is_new
            execution.last_index = number
            try:
                with contextlib.nullcontext() if self._watched else guarded(execution, self.budget):
                    self._update(is_new)
            except RuntimeFault as fault:
                self._stop(fault)
                return
        shown.update(closed=closed)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Guard all updates in the `with` block with one shared budget of time and memory. Raises RuntimeFault when it
        is used up."""
        self._watched = True
        try:
            with guarded(self.execution, self.budget):
                yield
        finally:
            self._watched = False

    def _update(self, is_new: bool) -> None:
        i = len(self.execution.chart) - 1
        if is_new:
            self.execution.requests.refresh()
            if self.execution.recorder is not None:
                self.execution.recorder.restored()
            self.replay.begin()
        else:
            self.host.outputs.cut(i)
            self.execution.requests.refresh()
            self.replay.again()

    def _stop(self, fault: RuntimeFault) -> None:
        if fault.bar is None:
            fault.bar = max(self.execution.index, 0)
        if self._shown is not None:
            fault.bar = self._shown.bar_of(fault.bar)
        self.stop(fault)

    def stop(self, fault: RuntimeFault) -> None:
        """End the run with an error. All outputs are removed, including the outputs of earlier bars."""
        if fault.code in _OVERRUNS:
            fault.stack = self.host.loops.cut(fault.stack)
        if fault.code == "memory-limit":
            self.host.keep_last_logs()
        self.error = fault
        self.host.outputs.cut(0)
        if self._shown is not None:
            self._shown.cut()

    @property
    def outputs(self) -> list[Output]:
        """The outputs so far, on the bars of the chart."""
        return self.host.outputs.all if self._shown is None else self._shown.all

    def result(self) -> Result:
        """Return the result so far."""
        host = self.host
        drawings = host.drawn.alive if host.drawn is not None and self.error is None else {}
        times = self.chart.bars.time
        alerts = [*host.alerts.all, *conditions(self.outputs, self.chart)] if self.error is None else []
        alerts.sort(key=lambda alert: alert.bar)
        asked = sorted(host.asked.values(), key=lambda made: (made.line, made.start or 0))
        for output in self.outputs:
            if output.function == "alertcondition":
                host.assume(placeholders(str(output.settings.get("message") or "")), self.chart.symbol)
        notes = [*host.notes, *host.assumptions(), *sorted(host.missing)]
        logs, shown = host.logs, self._shown
        if shown is not None:
            logs = [replace(log, bar=shown.bar_of(log.bar)) for log in logs]
        return Result(times, self.outputs, alerts, logs, drawings, notes, self.error, asked)


_READ_BY = {
    "timezone": (
        *("dayofmonth", "dayofweek", "hour", "month", "weekofyear", "year"),
        *("dayofmonth()", "dayofweek()", "hour()", "month()", "str.format_time()", "time()", "time_close()"),
        *("timestamp()", "weekofyear()", "year()", DAYS_OF_REQUESTS),
    ),
    "session": (
        *("session.isfirstbar", "session.isfirstbar_regular", "session.islastbar", "session.islastbar_regular"),
        *("session.ismarket", "session.ispremarket", "session.ispostmarket"),
    ),
}
"""The names by which scripts read a property of the symbol without `syminfo`."""


def _name_of(symbol: ChartSymbol) -> str:
    """The exchange and the ticker; the ticker alone for a symbol of no exchange."""
    return f"{symbol.prefix}:{symbol.symbol}" if symbol.prefix else symbol.symbol


def executable(program: Program, inputs: Mapping[str, Any]) -> ExecutableCode:
    """Return the code of a checked script with the values of its inputs. It is cached for the next run with the same
    values, on other bars or at another time. Raises the errors of `lowered`."""
    settings = settings_of(program, inputs)
    key = (id(program), *((id(node), value.__class__, repr(value)) for node, value in settings.items()))
    if key not in _CODE:
        _CODE[key] = program, ExecutableCode(lower(program, LoweringSettings(settings)))
        if len(_CODE) > _CODE_KEPT:
            _CODE.popitem(last=False)
    _CODE.move_to_end(key)
    return _CODE[key][1]


_CODE: OrderedDict[tuple[Any, ...], tuple[Program, ExecutableCode]] = OrderedDict()
"""The scripts that ran last, each with its code. A key has the `id` of the script, so the script is kept, too."""
_CODE_KEPT = 16


def lowered(
    program: Program,
    inputs: Mapping[str, Any],
    watched: Mapping[Node, int],
    *,
    records: bool = False,
    steps: bool = False,
) -> Lowering:
    """Convert a checked script to the typed form (IR), with the values of its inputs.

    `watched` are expressions whose values are noted, with their numbers. `records` says that a recorder stores all
    values, and `steps` that each statement is reported to a debugger.

    Raises UsageError for an unknown input, and NotComputed for something that this runtime does not compute.
    """
    return lower(program, LoweringSettings(settings_of(program, inputs), watched, records, steps))


def _how_to_compile(errors: list[Diagnostic]) -> str | None:
    """The hint of the first error, and how many more there are; None if there is nothing to say."""
    more = len(errors) - 1
    others = f"{counted(more, 'more error')}: 'pinebench compile' lists all" if more else ""
    return " ".join(filter(None, (errors[0].hint, others))) or None


def refuse(program: Program, bars: int, symbol: ChartSymbol) -> None:
    """Raise an error for a script that cannot run at all on `bars` bars of `symbol`. These are scripts with errors,
    scripts of another version, and scripts that need other bars."""
    version = program.document.version
    if version is None:
        raise UnavailableError(
            "the script has no //@version= line, and only v6 runs here", "begin it with the line //@version=6"
        )
    if version < 6:
        raise UnavailableError(
            f"the script is Pine v{version}, and only v6 runs here", "convert it with 'pinebench migrate'"
        )
    errors = [finding for finding in program.diagnostics if finding.severity is Severity.ERROR]
    if errors:
        line = program.document.lines.position(errors[0].span.start).line
        raise DoesNotCompile(
            f"the script does not compile: {errors[0].code} {errors[0].message} (line {line})", _how_to_compile(errors)
        )
    own = own_timeframe(program, symbol)
    count = declared_arguments(program).get("calc_bars_count")
    if isinstance(count, int) and count > 0 and own is not None:
        raise NotComputed(f"calc_bars_count = {count} with {_timeframe_text(program)}")
    if isinstance(count, int) and 0 < count < bars:
        raise NotComputed(f"calc_bars_count = {count} on {bars} bars", hint=f"Give no more than {count} bars.")


def own_timeframe(program: Program, symbol: ChartSymbol) -> Timeframe | None:
    """Return the timeframe on which an indicator runs if it differs from the chart's; otherwise None."""
    text = declared_arguments(program).get("timeframe")
    if not isinstance(text, str) or isinstance(text, BuiltinConstant) or not text:
        return None
    own = timeframe_of(text)
    return None if own == timeframe_of(symbol.timeframe) else own


def _timeframe_text(program: Program) -> str:
    return f'indicator(timeframe = "{declared_arguments(program).get("timeframe")}")'


def _own_chart(program: Program, sources: Sources) -> Chart:
    """The bars on which a script runs: the chart's, or the ones of its own timeframe, made as for a request. Raises
    NotComputed if there are no bars of a timeframe that is shorter than the chart's."""
    chart = sources.chart
    own = own_timeframe(program, chart.symbol)
    if own is None:
        return chart
    found = sources.find(Ticker(""), own)
    if found is None:
        raise NotComputed(_timeframe_text(program), hint="Give bars of that timeframe, or shorter ones.")
    found.look = replace(chart.look, visible=None)
    return found


def declared_arguments(program: Program) -> dict[str, Any]:
    """Return the constant arguments of the declaration statement by parameter."""
    declaration = program.declaration
    if declaration is None:
        return {}
    return {argument.parameter: argument.value for argument in declaration.call.arguments if argument.is_constant}


def limits_of(program: Program) -> Limits:
    """Return the largest number of drawings of each kind that the declaration statement sets. Raises RuntimeFault for a
    number below 1 if the script makes such drawings."""
    given = declared_arguments(program)
    found: dict[str, int] = {}
    for kind, name in (("line", "lines"), ("label", "labels"), ("box", "boxes"), ("polyline", "polylines")):
        value = given.get(f"max_{name}_count")
        if isinstance(value, int | float):
            if value > 0:
                found[kind] = int(value)
            elif draws(program, kind):
                raise RuntimeFault("RE10001", argName=f"max_{name}_count", value=value, funName="study", op=">")
    return Limits(**found)


def draws(program: Program, kind: str) -> bool:
    """Return whether a script has a call that makes drawings of a kind. Without such a call, a limit of 0 does not stop
    the script, because some published scripts that draw nothing declare this limit."""
    calls = (call for frame in program.frames for call in frame.calls.values())
    return any(isinstance(call.target, Signature) and call.target.name == f"{kind}.new" for call in calls)

"""A script on bars: history in one go, then live updates of the last bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.check import Program
from pinebench.diagnostics import Severity
from pinebench.errors import UsageError
from pinebench.runtime.chart import BarColumns, Chart, Symbol
from pinebench.runtime.execution import Code, Execution
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.lower import Settings, lower
from pinebench.runtime.objects import EnumMember
from pinebench.runtime.outputs import Output, Outputs
from pinebench.runtime.strategy import NoFills


@dataclass(slots=True)
class Alert:
    """What `alert()` said on a bar."""

    bar: int
    time: int
    message: str
    frequency: str


@dataclass(slots=True)
class Log:
    """What `log.info()` and its siblings said."""

    bar: int
    time: int
    level: str
    message: str
    line: int


@dataclass(slots=True)
class Result:
    """What a run left: outputs column by column, alerts, logs, notes, and the error that stopped it, if one did."""

    times: Sequence[int]
    outputs: list[Output]
    alerts: list[Alert] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: RuntimeFault | None = None

    @property
    def plots(self) -> list[Output]:
        """The outputs that have values: `plot`, and shapes, characters and arrows."""
        return [output for output in self.outputs if "series" in output.columns]

    def plot(self, title: str) -> list[Any]:
        """The values of the first plot called `title`. Raises KeyError when there is none."""
        for output in self.plots:
            if output.title == title:
                return output.values
        raise KeyError(title)


class Host:
    """What the executions of one run share."""

    def __init__(self, outputs: Outputs, strategy: Any, clock: int | None) -> None:
        self.outputs = outputs
        self.strategy = strategy
        self.drawings = None
        self.alerts: list[Alert] = []
        self.logs: list[Log] = []
        self.notes: dict[str, None] = {}
        self._clock = clock

    def clock(self, execution: Execution) -> int:
        if self._clock is not None:
            return self._clock
        chart = execution.chart
        return chart.close_time(len(chart) - 1)

    def note(self, name: str) -> None:
        """Say once that something cannot be had."""
        self.notes[f"{name} cannot be had here and is na"] = None

    def alert(self, execution: Execution, message: str, frequency: str) -> None:
        i = execution.index
        self.alerts.append(Alert(i, execution.chart.bars.time[i], message or "", frequency))

    def log(self, execution: Execution, level: str, message: str, line: int) -> None:
        i = execution.index
        self.logs.append(Log(i, execution.chart.bars.time[i], level, message or "", line))

    def requests(self, execution: Execution) -> None:
        return None


class Runtime:
    """A checked script with its bars.

    `inputs` are values by the node of the input's call. Raises UsageError for a script that does not compile and
    NotComputed, by name, for one that needs what is not computed here.
    """

    def __init__(
        self,
        program: Program,
        bars: BarColumns,
        symbol: Symbol,
        *,
        inputs: Mapping[Any, Any] | None = None,
        strategy: Any = None,
        clock: int | None = None,
    ) -> None:
        errors = [finding for finding in program.diagnostics if finding.severity is Severity.ERROR]
        if errors:
            line = program.document.lines.position(errors[0].span.start).line
            raise UsageError(f"the script does not compile: {errors[0].message} (line {line})")
        lowering = lower(program, Settings(inputs or {}))
        members = {
            f"E{number}": EnumMember(name, title) for number, name, title in lowering.types.enums.values()
        }
        self.chart = Chart(bars, symbol)
        self.code = Code(lowering.module, members)
        self.host = Host(
            Outputs([(output.name, output.line) for output in lowering.outputs]), strategy or NoFills(), clock
        )
        self.error: RuntimeFault | None = None
        self.execution = Execution(self.code, self.chart, self.chart, self.host)

    def run(self) -> Result:
        """Run all bars as history."""
        run_bar, strategy = self.execution.run_bar, self.host.strategy
        try:
            for i in range(len(self.chart)):
                strategy.before_bar(i)
                run_bar(i)
                strategy.after_bar(i)
        except RuntimeFault as fault:
            self.error = fault
            self.host.outputs.cut(0)
        return self.result()

    def result(self) -> Result:
        """What there is so far."""
        host = self.host
        return Result(self.chart.bars.time, host.outputs.all, host.alerts, host.logs, list(host.notes), self.error)

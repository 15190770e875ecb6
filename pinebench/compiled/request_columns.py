"""The values of a script's requests as columns: the code of each request runs on its bars, before the script runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from pinebench.compiled.script_code import OutputColumn, RequestCall, first_value
from pinebench.compiled.settled_values import SettledValues, UnsettledValue
from pinebench.runtime import Chart, Execution, Replay, Sources, Ticker, merged, with_gaps

ARGUMENTS = frozenset("symbol timeframe gaps lookahead ignore_invalid_symbol currency calc_bars_count".split())
"""The arguments of `request.security` that are read here, besides the expression."""


class RequestMemory(Protocol):
    """The memory for runs of the code of a request on the bars of one chart."""

    outputs: Any

    def run(self, inputs: Mapping[int, Any]) -> None: ...

    def follow(self, execution: Execution) -> None: ...

    def values(self, number: int, column: OutputColumn) -> list[Any]: ...


class RequestColumns:
    """The requests of one script on one chart. Their arguments are known before the first bar, so their values are
    columns of the script. Bars are merged by the code of the Python tier."""

    def __init__(
        self, calls: Sequence[RequestCall], chart: Chart, sources: Sources, begin: Callable[[int, Chart], RequestMemory]
    ) -> None:
        """`begin` prepares the memory for a request, given by its number in `calls`, on the bars of a chart."""
        self.calls = calls
        self._chart = chart
        self._sources = sources
        self._begin = begin
        self._memories: dict[tuple[int, Chart], RequestMemory] = {}
        self._places: dict[tuple[Chart, bool, bool], Any] = {}
        self._held: dict[int, Any] = {}
        """The arguments and inputs from which the columns of each request were computed."""
        self._asked: dict[int, dict[str, Any]] = {}

    def fill(
        self, columns: Any, settling: SettledValues, inputs: Mapping[int, Any], text: Callable[[str], float]
    ) -> None:
        """Compute the columns of all requests that another value of an input may have changed. `text` returns the
        number of a text.

        Raises UnsettledValue if a request may stop the script, and the errors of the code of requests.
        """
        for k, call in enumerate(self.calls):
            asked = {name: settling.value(value) for name, value in call.arguments.items()}
            held = (repr(asked), [inputs[number] for number in sorted(call.inputs)])
            if self._held.get(k) != held:
                self._held.pop(k, None)
                self._asked[k] = asked
                self._fill(k, columns, asked, inputs, text)
                self._held[k] = held

    def _fill(
        self, k: int, columns: Any, asked: Mapping[str, Any], inputs: Mapping[int, Any], text: Callable[[str], float]
    ) -> None:
        import numpy

        call = self.calls[k]
        chart = self._sources.asked(
            self._chart, asked["symbol"] or "", asked["timeframe"] or "", asked["calc_bars_count"]
        )
        if chart is None and not (
            asked["ignore_invalid_symbol"] or self._sources.knows(Ticker.read(asked["symbol"] or ""))
        ):
            raise UnsettledValue  # the Python tier says whether the request is an error
        is_empty = chart is None or not len(chart) or asked["currency"] not in (None, "", chart.symbol.currency)
        memory = None
        if chart is not None and len(chart):
            if (k, chart) not in self._memories:
                self._memories[k, chart] = self._begin(k, chart)
            memory = self._memories[k, chart]
            memory.run(inputs)
        for number, (column, kind) in enumerate(zip(call.columns, call.kinds, strict=True)):
            if is_empty or memory is None or chart is None:
                columns[column] = first_value(kind)
                continue
            values = memory.outputs[number]
            if kind == "string":
                numbers = {value: text(call.code.texts[int(value)]) for value in set(values.tolist())}
                is_na = (values == 0.0) & numpy.signbit(values)
                values = numpy.array([numbers[value] for value in values.tolist()])
                values[is_na] = first_value(kind)
            places = self._merged(chart, asked["lookahead"] == "lookahead_on", asked["gaps"] == "gaps_on")
            columns[column] = numpy.where(places >= 0, values[places], first_value(kind))

    def _merged(self, chart: Chart, ahead: bool, gaps: bool) -> Any:
        """For each bar of the script, the number of the requested bar whose value it sees; -1 for none."""
        import numpy

        key = (chart, ahead, gaps)
        if key not in self._places:
            places = merged(self._chart, chart, ahead)
            self._places[key] = numpy.array(with_gaps(places) if gaps else places, numpy.int64)
        return self._places[key]

    # what a run on the Python tier does besides computing values

    def attach(self, execution: Execution) -> None:
        """Let the requests of an execution have the values of machine code. No bar may have run before."""
        by_number = {call.number: k for k, call in enumerate(self.calls)}

        def begin(number: int, chart: Chart) -> Replay:
            replay = Replay(Execution(execution.code.requests[number], chart, execution.host))
            k = by_number[number]
            if len(chart):
                memory = self._memories[k, chart]
                memory.follow(replay.execution)
                shown = self.calls[k].code.shown
                columns = [memory.values(place, column) for place, column in enumerate(shown)]
                replay.results = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
            return replay

        execution.requests.begin = begin

    def make(self, execution: Execution, memory: Any) -> None:
        """Make the requests that the script made on any bar, in their order, so that the run lists them and notes what
        is missing. Raises the errors of requests."""
        made = [(memory[call.made], k) for k, call in enumerate(self.calls) if memory[call.made] > 0]
        for _, k in sorted(made):
            execution.requests.security(self.calls[k].number, None, **self._asked[k])

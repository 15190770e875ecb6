"""The values of a script's requests as columns. The code of each request runs on its bars before the script runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from pinebench.compiled.request_arguments import LOWER
from pinebench.compiled.script_code import OutputColumn, RequestCall, ScriptCode, TextTable, first_value
from pinebench.compiled.settled_values import SettledValues, UnsettledValue
from pinebench.runtime import (
    MOST_REQUESTS,
    Chart,
    Execution,
    Replay,
    Sources,
    Ticker,
    is_longer,
    merged,
    needs_rate,
    with_gaps,
    within,
)

ARGUMENTS = frozenset(
    "symbol timeframe gaps lookahead ignore_invalid_symbol ignore_invalid_timeframe currency calc_bars_count".split()
)
"""The arguments of requests that are read here, besides the expression."""


class RequestMemory(Protocol):
    """The memory for running a request's code on the bars of one chart."""

    outputs: Any
    texts: TextTable

    def run(self, inputs: Sequence[Any]) -> None: ...

    def follow(self, execution: Execution) -> None: ...

    def values(self, number: int, column: OutputColumn) -> list[Any]: ...


class RequestColumns:
    """The requests of one script on one chart.

    If the arguments of a request are known before the first bar, its values become columns of the script. Other
    requests are performed while the script runs. The code of the Python tier merges the bars.
    """

    def __init__(
        self, calls: Sequence[RequestCall], chart: Chart, sources: Sources, begin: Callable[[int, Chart], RequestMemory]
    ) -> None:
        """`begin` prepares the memory for a request on the bars of a chart. The request is given by its index in
        `calls`."""
        self.calls = calls
        self._chart = chart
        self._sources = sources
        self._begin = begin
        self._memories: dict[tuple[int, Chart], RequestMemory] = {}
        self._places: dict[tuple[Chart, bool, bool], Any] = {}
        self._held: dict[int, str] = {}
        """The arguments and inputs from which the columns of each request were computed."""
        self._asked: dict[int, dict[str, Any]] = {}
        self._inputs: Sequence[Any] = ()
        self._answers: dict[tuple[int, str, str], tuple[Chart | None, list[list[Any]]]] = {}
        """The bars and values of requests that are answered while the script runs, by number, symbol and timeframe."""
        self._answered: dict[tuple[int, str, str, str | None], tuple[float, int, dict[str, Any]]] = {}
        """The requests in `_answers`, in each currency: the number of requests until then, the request's number, and
        its arguments."""

    def fill(self, columns: Any, settling: SettledValues, inputs: Sequence[Any], text: Callable[[str], float]) -> None:
        """Compute the columns of all requests whose inputs changed since the last call. `text` numbers strings, as a
        `TextTable` does. Raises UnsettledValue if a request may stop the script, and the errors of the requests'
        code."""
        for k, call in enumerate(self.calls):
            if not call.columns:
                continue
            asked = {name: settling.value(value) for name, value in call.arguments.items()}
            held = repr((asked, [inputs[number] for number in sorted(call.inputs)]))  # 0.0 is not -0.0
            if self._held.get(k) != held:
                self._held.pop(k, None)
                self._asked[k] = asked
                self._fill(k, columns, asked, inputs, text)
                self._held[k] = held

    def _fill(
        self, k: int, columns: Any, asked: Mapping[str, Any], inputs: Sequence[Any], text: Callable[[str], float]
    ) -> None:
        import numpy

        call = self.calls[k]
        chart, memory = self._run(k, asked, inputs)
        is_empty = chart is None or needs_rate(chart, asked["currency"])
        for number, (column, kind) in enumerate(zip(call.columns, call.kinds, strict=True)):
            if is_empty or memory is None or chart is None:
                columns[column] = first_value(kind)
                continue
            values = memory.outputs[number]
            if kind == "string":
                numbers = {value: text(memory.texts.texts[int(value)]) for value in set(values.tolist())}
                is_na = (values == 0.0) & numpy.signbit(values)
                values = numpy.array([numbers[value] for value in values.tolist()])
                values[is_na] = first_value(kind)
            places = self._merged(chart, asked)
            columns[column] = numpy.where(places >= 0, values[places], first_value(kind))

    def _run(
        self, k: int, asked: Mapping[str, Any], inputs: Sequence[Any]
    ) -> tuple[Chart | None, RequestMemory | None]:
        """Return the bars of a request (None if they are missing), and the memory in which its code has run on them
        (None without bars)."""
        chart = self._sources.asked(
            self._chart, asked["symbol"] or "", asked["timeframe"] or "", asked["calc_bars_count"]
        )
        if chart is None and not (
            asked["ignore_invalid_symbol"] or self._sources.knows(Ticker.read(asked["symbol"] or ""))
        ):
            raise UnsettledValue  # the Python tier says whether the request is an error
        if chart is None or not len(chart):
            return chart, None
        if (k, chart) not in self._memories:
            self._memories[k, chart] = self._begin(k, chart)
        self._memories[k, chart].run(inputs)
        return chart, self._memories[k, chart]

    def begin(self, inputs: Sequence[Any]) -> None:
        """Clear the answers from the last run, and set the inputs of the next."""
        self._inputs = inputs
        self._answers.clear()
        self._answered.clear()

    def answer(self, k: int, item: int, bar: int, asked: dict[str, Any], made: Callable[[bool], float]) -> Any:
        """Return the value of item `item` of request `k` on bar `bar`; a list for a request for shorter bars.

        `asked` has the arguments of the request. `made` returns the number of different requests that the script has
        made so far; if its argument is true, `made` first counts this request.

        Raises UnsettledValue if the request may stop the script, and the errors of its code.
        """
        call, key = self.calls[k], (k, asked["symbol"], asked["timeframe"])
        nothing = [] if call.name == LOWER else None
        if call.name == LOWER and is_longer(self._chart, asked["timeframe"]):
            if not asked["ignore_invalid_timeframe"]:
                raise UnsettledValue
            return nothing
        is_new = key not in self._answers
        if is_new:
            chart, memory = self._run(k, asked, self._inputs)
            values = [memory.values(*each) for each in enumerate(call.code.shown)] if memory is not None else []
            self._answers[key] = chart, values
            if self._most_made() > MOST_REQUESTS:
                raise UnsettledValue
        if (*key, asked["currency"]) not in self._answered:
            self._answered[*key, asked["currency"]] = made(is_new), k, asked
        chart, values = self._answers[key]
        if chart is None or not values or needs_rate(chart, asked["currency"]):
            return nothing
        if call.name == LOWER:
            return values[item][within(self._chart, chart, bar)]
        place = int(self._merged(chart, asked)[bar])
        return values[item][place] if place >= 0 else None

    def _most_made(self) -> int:
        """Return the largest number of different requests that the script can make, with the answered ones and those in
        their code."""
        fixed = sum(1 + _inside(call.code) for call in self.calls if call.columns)
        return fixed + sum(1 + _inside(self.calls[k].code) for k, _, _ in self._answers)

    def _merged(self, chart: Chart, asked: Mapping[str, Any]) -> Any:
        """Return an array with the index of the requested bar that each bar of the script sees; -1 for none."""
        import numpy

        ahead, gaps = asked["lookahead"] == "lookahead_on", asked["gaps"] == "gaps_on"
        key = (chart, ahead, gaps)
        if key not in self._places:
            places = merged(self._chart, chart, ahead)
            self._places[key] = numpy.array(with_gaps(places) if gaps else places, numpy.int64)
        return self._places[key]

    # what a run on the Python tier does besides computing values

    def attach(self, execution: Execution) -> None:
        """Let an execution take the values of its requests from machine code. Call this before its first bar runs."""
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

    def make(self, execution: Execution, memory: Any, missing: Mapping[str, int]) -> None:
        """Repeat, in the same order, the requests that the script made on any bar, so that the run lists them and
        records missing data. `missing` are the requests for unavailable data. Raises the errors of requests."""
        requests = execution.requests
        made: list[tuple[float, Callable[[], Any]]] = [
            (memory[place], partial(requests.missing, name, None)) for name, place in missing.items()
        ]
        noted = [(memory[self.calls[k].made], k, asked) for k, asked in self._asked.items()]
        for number, k, asked in (*noted, *self._answered.values()):
            request = requests.security_lower_tf if self.calls[k].name == LOWER else requests.security
            made.append((number, partial(request, self.calls[k].number, None, **asked)))
        for number, request in sorted(made, key=lambda each: each[0]):
            if number > 0:
                request()


def _inside(code: ScriptCode) -> int:
    """Return the number of requests in the code of a request."""
    return sum(len(each.requests) for each in code.every)

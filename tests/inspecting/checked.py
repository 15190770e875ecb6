"""Compares the recorded values of a script with plots of the same names and with another way to watch values."""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from pinebench.checker import Program, open_program
from pinebench.diagnostics import Severity
from pinebench.inspecting.frozen_values import Freezer, with_colors, written
from pinebench.inspecting.recorded_run import record
from pinebench.inspecting.run_recording import GLOBAL, MEMORY, NOT_RUN, InspectedName, RunRecording
from pinebench.market import sample_bars, samples
from pinebench.runtime import UNSET, ExecutableCode, GeneratedModule, RunBudget
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from pinebench.workers.jobs import RunResult, perform
from pinebench.workers.request import Request

SYMBOL = samples.find("AAPL")
_MOST_PLOTS = 40
_COUNT = 50
_NUMBERS = ("int", "float", "bool")


def request_of(source: str, count: int = 400) -> Request:
    """A request to run a script on bars of the sample market."""
    from pinebench.calendars.timeframes import timeframe

    assert SYMBOL is not None
    bars = sample_bars(SYMBOL, timeframe("60"), count)
    return Request(source, bars, SYMBOL.info("60"), samples=True, budget=RunBudget(seconds=60))


def told(ran: RunResult) -> object:
    """Everything that a run shows, as texts, so that nan is equal to nan."""
    result = ran.result
    drawn = {kind: [repr(one.save()) for one in each if kind != "table"] for kind, each in result.drawings.items()}
    tested = ran.tested
    trades = [repr(one) for one in tested.trades] + [repr(one) for one in tested.fills] if tested is not None else []
    return (
        repr([(one.function, one.settings, one.columns) for one in result.outputs]),
        repr(result.alerts),
        repr(result.logs),
        _without_places(repr(drawn)),
        trades,
        repr(ran.figures),
        repr(result.error),
    )


def _without_places(text: str) -> str:
    """The text without the addresses of objects."""
    import re

    return re.sub(r"0x[0-9a-f]+", "", text)


def differences(source: str, random: Random, count: int = 400) -> Iterator[str]:
    """What differs between a recorded run and runs that are not recorded; nothing, if all is right."""
    request = request_of(source, count)
    plain = perform(request)
    ran, recording = record(request)
    if told(plain) != told(ran):
        yield "the recorded run shows something else"
    if plain.result.error is not None:
        return
    bars = random.sample(range(count), min(_COUNT, count))
    program = open_program(source)
    names = recording.names()
    for name in names:  # calls and collections too, which no plot shows
        for bar in bars[:5]:
            written(recording.value(name, bar))
    yield from _against_plots(program, request, recording, names, bars)
    yield from _against_watch(program, request, recording, names, bars)


def _against_plots(
    program: Program, request: Request, recording: RunRecording, names: list[InspectedName], bars: list[int]
) -> Iterator[str]:
    starts = {symbol.offset + symbol.name_node.start for symbol in program.globals.values()}
    by_name = {}
    kept = recording._kept  # pyright: ignore[reportPrivateUsage]
    for name in names:
        one = kept[name.key[0]]
        if not name.is_call and not name.function and one.kind in _NUMBERS and one.start in starts:
            by_name[name.name] = name
    known = list(by_name)
    for begin in range(0, len(known), _MOST_PLOTS):
        part = known[begin : begin + _MOST_PLOTS]
        lines = [_plot(each, by_name[each], recording) for each in part]
        text = "\n".join([request.source.rstrip("\n"), *lines, ""])
        if any(found.severity is Severity.ERROR for found in open_program(text).diagnostics):
            continue
        asked = Request(**{**request.__dict__, "source": text})
        plots = {output.title: output.values for output in perform(asked).result.plots[-len(part) :]}
        for name in part:
            for bar in bars:
                value = recording.value(by_name[name], bar)
                plotted = plots[f"asked {name}"][bar]
                if not _equal(value, plotted):
                    yield f"{name} on bar {bar}: recorded {value!r}, plotted {plotted!r}"
                    break


def _plot(name: str, entry: InspectedName, recording: RunRecording) -> str:
    kind = recording._kept[entry.key[0]].kind  # pyright: ignore[reportPrivateUsage]
    return f'plot({name}{" ? 1 : 0" if kind == "bool" else ""}, "asked {name}")'


def _equal(value: Any, plotted: Any) -> bool:
    if isinstance(value, bool):
        return plotted == (1 if value else 0)
    return value is not NOT_RUN and (value == plotted or (value != value and plotted != plotted))


class _Watch:
    """Notes the last value of each watched declaration on each bar."""

    def __init__(self, numbers: dict[nodes.Node, int]) -> None:
        self.numbers = numbers
        self.values: dict[tuple[int, int], Any] = {}

    def follow(self, execution: Any) -> None:
        def note(number: int, value: Any) -> Any:
            self.values[number, execution.index] = value
            return value

        execution.watch(note)


def _against_watch(
    program: Program, request: Request, recording: RunRecording, names: list[InspectedName], bars: list[int]
) -> Iterator[str]:
    """Compare the names that are declared once and never assigned again, in blocks and functions too."""
    declared: dict[int, nodes.Node] = {}
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.VariableDeclaration) and node.mode is None:
                declared[program.span(node.name).start] = node
    assigned = {symbol.offset + symbol.name_node.start for symbol in _symbols(program) if symbol.reassignments}
    kept = recording._kept  # pyright: ignore[reportPrivateUsage]
    by_key: dict[int, list[InspectedName]] = {}
    for name in names:
        start = kept[name.key[0]].start
        if not name.is_call and start in declared and start not in assigned and kept[name.key[0]].kind in _NUMBERS:
            by_key.setdefault(start, []).append(name)
    single = {start: found[0] for start, found in by_key.items() if len(found) == 1}
    watch = _Watch({declared[start]: number for number, start in enumerate(single)})
    perform(request, watch=watch)
    layout = recording._layout  # pyright: ignore[reportPrivateUsage]
    of_bars = {*layout.bar, *chain.from_iterable(layout.calls.values())}
    for number, name in enumerate(single.values()):
        for bar in bars:
            value = recording.value(name, bar)
            seen = watch.values.get((number, bar), NOT_RUN)
            if value is NOT_RUN and name.function:
                continue  # the last of several calls on the bar may not have reached it, while an earlier one did
            if seen is NOT_RUN and name.key[0] not in of_bars:
                continue
            same = value is seen or value == seen or (value != value and seen != seen)
            if not same:
                yield f"{name.name} (line {name.line}) on bar {bar}: recorded {value!r}, watched {seen!r}"
                break


def _symbols(program: Program) -> Iterator[Any]:
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Reassignment):
                symbol = program.symbol_of(node.target)
                if hasattr(symbol, "reassignments"):
                    yield symbol


class RecordingComparison(RunRecording):
    """A recording that also copies, on a share of the bars, everything that is not a number with all that is in it."""

    def __init__(self, share: float = 1.0, memory: int = MEMORY) -> None:
        super().__init__(memory)
        self._share = share
        self._random = Random(35)

    def begin(self, code: ExecutableCode, generated: GeneratedModule) -> None:
        """Begin with the first bar."""
        super().begin(code, generated)
        self.copies: dict[int, dict[tuple[int, int], Any]] = {}
        self._other = Freezer({type_.code: type_ for type_ in code.types})

    def bar(self, i: int, values: tuple[Any, ...]) -> None:
        """Keep the values at the end of a bar, and copy them."""
        self.copies.pop(i, None)
        if self._random.random() < self._share:
            self.copies[i] = dict(self._copied(self._layout.bar, GLOBAL, values))
            for number, row in self.calls.items():
                if number >= 0:
                    self.copies[i].update(self._copied(self._layout.calls[self.sites[number][0]], number, row))
        super().bar(i, values)

    def _copied(self, keys: list[int], number: int, row: tuple[Any, ...]) -> Iterator[tuple[tuple[int, int], Any]]:
        for k, value in zip(keys, row, strict=True):
            if self._kept[k].kind not in _NUMBERS:
                copied = NOT_RUN if value is UNSET else self._other.read(self._other.frozen(value))
                yield (k, number), with_colors(copied, self._kept[k].type)

    def wrong(self) -> Iterator[str]:
        """The values that are not the copies; each name is told once."""
        told: set[tuple[int, int]] = set()
        for bar, copies in self.copies.items():
            for key, copy in copies.items() if bar >= self.first else ():
                found = self.at(key, bar)
                if repr(found) != repr(copy) and key not in told:
                    told.add(key)
                    yield f"{self._kept[key[0]].name} on bar {bar}: kept {found!r:.200}, copied {copy!r:.200}"

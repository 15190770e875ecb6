"""Finds repainting: differences between a bar's values at its close, and its values later or after a reload.

There are three comparisons. A run on history up to an earlier bar is compared with a run on the whole history: a value
that differs has changed after its bar closed. Bars that are fed live, update by update, are compared with the same bars
in the history. Tables, texts, and outputs that wait for the last bar are compared between a live chart at its last bar
and a chart that is loaded at that time.

A comparison proves nothing about an output that never varied. Such an output may repaint if its value depends on
something that can change later. If it does not, the output cannot repaint.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pinebench.backtesting.broker_factory import trader
from pinebench.backtesting.run_recorder import DrawingChange, Event, RunRecorder, ShownText
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import Program
from pinebench.errors import PinebenchError, UsageError
from pinebench.repaint import live_updates
from pinebench.repaint.advice import Advisor, Found, RepaintFinding
from pinebench.repaint.causes import Cause, Causes
from pinebench.repaint.tested_outputs import OutputCoverage
from pinebench.runtime import (
    BarColumns,
    ChartSymbol,
    NotComputed,
    Output,
    RequestSource,
    RunBudget,
    RuntimeFault,
    declared_arguments,
    own_timeframe,
    shown,
)

KINDS: dict[str, tuple[str, bool]] = {
    "changed": ("had another value before later bars were known", True),
    "reloaded": ("had another value at the close of the live bar", True),
    "withdrawn": ("fired within a bar and did not hold at its close", True),
    "moved": ("was on closed bars, and was moved later", True),
    "redrawn": ("shows a state or a level, and was moved or deleted on closed bars", False),
    "backdated": ("is shown on bars on which it was not known yet", False),
}
"""The kinds of findings: a description, and whether the kind is repainting; the others are only information."""
_RANK = {kind: number for number, kind in enumerate(KINDS)}
LEAST_BARS = 3
_SHORTEST_TRIAL = 1.0
"""The least time, in seconds, that a changed script may run."""
_LIVE = 4
"""The number of bars that are fed live after each prefix."""
_LIVE_AT_END = {False: 150, True: 24}
"""The number of bars that are fed live up to the last bar, by whether the script makes requests. Requests make each
update slower, so that there are fewer bars."""
_HISTORIES = "on all shorter histories"
_LIVE_BARS = "on live bars"


@dataclass(frozen=True)
class Repaint:
    """One finding.

    `output` is the kind of output (`plot`, `alert`, `strategy.entry`, `label` ...) on `line`, `title` is its title, and
    `part` is the argument that changed. `bar` and `time` (milliseconds UTC) are the first bar with a difference. `then`
    is the value that was shown after bar `seen`, and `afterwards` is the later value. `bars` is the number of bars with
    a difference.
    """

    kind: str
    output: str
    title: str
    part: str
    line: int
    bar: int
    time: int
    then: Any
    afterwards: Any
    seen: int
    bars: int
    causes: tuple[Cause, ...] = ()

    @property
    def repaints(self) -> bool:
        """Whether the finding is repainting, and not only information."""
        return KINDS[self.kind][1]

    @property
    def name(self) -> str:
        """The output and its title, for people."""
        return f'{self.output} "{self.title}"' if self.title else self.output


@dataclass(frozen=True)
class RepaintVerdict:
    """The result of a check: the `findings` in the order of lines, the `prefixes` (the numbers of bars of the shorter
    histories that were compared), and the number of `live` bars."""

    findings: list[Repaint]
    bars: int
    prefixes: list[int]
    live: int
    error: RuntimeFault | None = None
    """The error that stopped the script, so that nothing was compared; else None."""
    cut: bool = False
    """Whether the time limit was reached before all prefixes were compared."""
    doubts: tuple[str, ...] = ()
    """A sentence for each thing that was not tested, so that nothing is proved about it."""
    against: tuple[str, ...] = ()
    """A sentence for each sign of repainting, although no output changed on these bars."""
    varied: tuple[str, ...] = ()
    """The outputs that had more than one value, so that they were tested: name and line."""
    constant: tuple[str, ...] = ()
    """The outputs that had the same value on all bars: name and line."""
    longer: frozenset[int] = frozenset()
    """The lines that requested bars longer than the chart's."""

    @property
    def repaints(self) -> list[Repaint]:
        """The findings that are repainting."""
        return [finding for finding in self.findings if finding.repaints]

    @property
    def verdict(self) -> bool | None:
        """Whether the script repaints: True if something changed, False if nothing did, None if it is not proved."""
        if self.repaints:
            return True
        return None if self.error is not None or self.cut or self.doubts or self.against else False

    @property
    def ok(self) -> bool:
        """Whether it is proved that nothing repaints."""
        return self.verdict is False

    @property
    def missing(self) -> list[str]:
        """A sentence for each reason why it is not proved that nothing repaints; empty if that is proved, or if the
        script repaints."""
        if self.verdict is not None:
            return []
        over = [f"the time limit was reached after {len(self.prefixes)} shorter histories"] if self.cut else []
        return [*over, *self.against, *self.doubts]


def _refuse(program: Program, bars: BarColumns, symbol: ChartSymbol) -> None:
    """Raise UsageError for too few bars, and NotComputed for a timeframe of the script that is too short."""
    if len(bars.time) < LEAST_BARS:
        raise UsageError(
            f"repainting cannot be detected on only {len(bars.time)} bars",
            f"Give at least {LEAST_BARS} bars, preferably several hundred.",
        )
    own = own_timeframe(program, symbol)
    if own is not None and own.seconds < timeframe(symbol.timeframe).seconds:
        raise NotComputed(
            f'repainting of indicator(timeframe = "{own.text}"), whose bars are shorter than the chart\'s,',
            hint="Check it on bars of that timeframe.",
        )


def check_repainting(
    program: Program,
    bars: BarColumns,
    symbol: ChartSymbol,
    *,
    inputs: Mapping[str, Any] | None = None,
    others: Mapping[str, RequestSource] | None = None,
    trading: Callable[[BarColumns], Any] | None = None,
    budget: RunBudget | None = None,
    seconds: float = 60,
) -> RepaintVerdict:
    """Run a script on several prefixes of `bars` and on live updates, and report the values that changed later.

    The arguments are the same as for `Runtime`; `others` are the bars of other symbols by ticker. `trading` makes the
    broker for the bars of each run (default: the usual broker). History is run once, and up to twice for each of up to
    `live_updates.MOST_PREFIXES` + 1 prefixes, until `seconds` have passed. If something repaints, rewrites of the
    script that may avoid it are then checked in the same way. Raises the errors of `Runtime`, and UsageError for fewer
    than three bars.
    """
    _refuse(program, bars, symbol)
    deadline = time.monotonic() + seconds

    def check_of(script: Program, allowed: RunBudget | None) -> _Check:
        broker = trading or trader(script, symbol)
        return _Check(script, bars, symbol, inputs, others or {}, broker, allowed, deadline)

    def trial(changed: Program) -> Found | None:
        if time.monotonic() > deadline:
            return None
        try:
            found = check_of(changed, patience).run()
        except PinebenchError:
            return before  # A script that cannot be run does not help.
        if found.error is not None:
            return before
        if found.cut:
            return None
        return {(*_key_of(each), each.line) for each in found.findings}

    began = time.monotonic()
    check = check_of(program, budget)
    found = check.run()
    if not found.findings:
        return found
    # A changed script may run forever, but one that helps takes about as long as the script itself.
    longest = max(_SHORTEST_TRIAL, 2 * (time.monotonic() - began))
    allowed = budget or RunBudget()
    patience = replace(allowed, seconds=min(longest, allowed.seconds), bar_seconds=min(longest, allowed.bar_seconds))
    before = {(*_key_of(each), each.line) for each in found.findings}
    blamed = [check.blamed(each) for each in found.findings]
    causes = Advisor(check.causes, trial).advise(blamed)
    whole = _open_longer_bar(program, symbol)
    findings = [
        replace(each, causes=(*told, *(whole if each.repaints else ())))
        for each, told in zip(found.findings, causes, strict=True)
    ]
    return replace(found, findings=findings)


def _open_longer_bar(program: Program, symbol: ChartSymbol) -> tuple[Cause, ...]:
    """Return the declaration statement as a cause: with `timeframe_gaps = false`, a script shows a longer bar that is
    still open."""
    declaration, own = program.declaration, own_timeframe(program, symbol)
    if declaration is None or own is None or declared_arguments(program).get("timeframe_gaps", True) is not False:
        return ()
    line = program.document.lines.position(program.span(declaration.node).start).line
    return (Cause("indicator", line, "shows a bar before that bar has closed", "use `timeframe_gaps = true`"),)


@dataclass
class _FirstDifference:
    """The first bar with a difference and its values, and all bars with this difference."""

    bar: int
    seen: int
    then: Any
    afterwards: Any
    bars: set[int] = field(default_factory=set)


_Key = tuple[str, str, str, str, int]
"""Kind, output, title, part and line."""


class _Check:
    def __init__(
        self,
        program: Program,
        bars: BarColumns,
        symbol: ChartSymbol,
        inputs: Mapping[str, Any] | None,
        others: Mapping[str, RequestSource],
        trading: Callable[[BarColumns], Any] | None,
        budget: RunBudget | None,
        deadline: float,
    ) -> None:
        self.deadline = deadline
        self.program = program
        self.bars = bars
        self.symbol = symbol
        self.others = others
        self.found: dict[_Key, _FirstDifference] = {}
        self._options: dict[str, Any] = {"inputs": inputs, "trading": trading, "budget": budget}
        self.whole = self._observed(len(bars.time))
        self.causes = Causes(program, symbol.timeframe)
        self.live = 0
        self._cut = False
        self._waiting: dict[tuple[str, int], bool] = {}
        self._faults: dict[str, RuntimeFault] = {}
        """The first error that stopped the script on a shorter history, and on a live bar."""
        self._unlike: dict[int, set[int]] = defaultdict(set)
        """For each request's line: the live bars on which the request returned another value than after a reload."""
        self._moved_by: dict[tuple[str, int], set[int]] = defaultdict(set)
        """For each kind and line of drawings: the lines that moved or deleted them."""

    def _observed(self, count: int) -> RunRecorder:
        """Return a run on the first `count` bars, with the bars of other symbols that are known by then."""
        cut = live_updates.first(self.bars, count)
        whole = count == len(self.bars.time)
        # The last bar's close is known from the calendar only. If there is a next bar, its open is not earlier.
        others = self.others if whole else live_updates.known(self.others, self.bars.time[count])
        return RunRecorder(self.program, cut, self.symbol, others=others, **self._options)

    def run(self) -> RepaintVerdict:
        times = list(self.bars.time)
        self.whole.history()
        error = self.whole.error
        if error is not None:
            return RepaintVerdict([], len(times), [], 0, error)
        self.causes = Causes(self.program, self.symbol.timeframe, self.whole.runtime.result().requests)
        self._shown = OutputCoverage(self.causes, self.whole)
        at_end = _LIVE_AT_END["request" in self._uses()]
        longest = max(len(times) - at_end, (len(times) + 1) // 2)
        looked: list[int] = []
        for count in dict.fromkeys((longest, *live_updates.prefixes(times, self.symbol))):
            if self._is_late():
                break
            if self._compare(count, at_end if count == longest else _LIVE):
                looked.append(count)
        self._drawings()
        self._shifted()
        findings = [self._finding(key, seen) for key, seen in self._strongest().items()]
        findings.sort(key=lambda finding: (finding.line, _RANK[finding.kind], finding.output, finding.part))
        return RepaintVerdict(
            findings,
            len(times),
            sorted(looked),
            self.live,
            cut=self._cut,
            doubts=(*self._shown.doubts(), *self._untested(bool(looked))),
            against=tuple(self._against(findings)),
            varied=self._shown.varied,
            constant=self._shown.constant,
            longer=self.causes.longer,
        )

    def _is_late(self) -> bool:
        self._cut = self._cut or time.monotonic() > self.deadline
        return self._cut

    def _untested(self, ran: bool) -> Iterator[str]:
        """Yield a sentence for each kind of comparison that was not made. `ran` says that the script ran on a shorter
        history without an error."""
        for place, fault in self._faults.items():
            if place == _LIVE_BARS or not ran:
                yield f"the script stopped {place}, which were not compared: {fault.message}"
        if not self.live and (self._shown.suspected or self._declares("calc_on_order_fills")):
            yield "no live bar was compared"

    def _against(self, findings: Sequence[Repaint]) -> Iterator[str]:
        """Yield a sentence for each request that returned other values live, unless a finding names it as a cause."""
        named = {cause.line for each in findings if each.repaints for cause in self.blamed(each).suspects}
        for line, bars in sorted(self._unlike.items()):
            if line not in named and self._shown.depends_on(line):
                yield (
                    f"line {line}: request.security returned another value live than after a reload, on {len(bars)} of"
                    f" {self.live} live bars; no output changed on these bars"
                )

    def _uses(self) -> set[str]:
        return {"request"} if any(self.whole.runtime.code.requests) else set()

    # history against history

    def _compare(self, count: int, live: int) -> bool:
        """Compare the first `count` bars, and `live` bars after them. Return whether the script ran on the first ones
        without an error."""
        earlier = self._observed(count)
        earlier.history()
        if earlier.error is not None:
            self._faults.setdefault(_HISTORIES, earlier.error)
            return False
        for before, after in zip(earlier.outputs, self.whole.outputs, strict=True):
            for column, values in before.columns.items():
                self._columns("changed", after, column, values, after.columns.get(column, ()), 0, count - 1)
        self._events("changed", earlier.events, range(count), count - 1)
        end = min(count + live, len(self.bars.time))
        try:
            with earlier.runtime.watched():
                self._feed(earlier, count, end)
        except RuntimeFault:
            self._cut = True
            return True  # It took too long. The differences that were found until then are kept.
        self._shown.saw(earlier)
        self._requested(earlier, count)
        if self._shown.at_end and len(earlier.runtime.chart) == end:
            self._loaded_again(earlier, end)
        return True

    def _requested(self, earlier: RunRecorder, count: int) -> None:
        """Note on which live bars the requests of a run returned another value than after a reload."""
        for key, values in earlier.returned.items():
            later = self.whole.returned.get(key, {})
            line, _ = self.whole.runtime.code.request_places[key[0]]
            for number, value in values.items():
                if number >= count and number in later and not _alike(value, later[number]):
                    self._unlike[line].add(number)

    def _loaded_again(self, live: RunRecorder, count: int) -> None:
        """Compare the last bar of a live chart with a chart that is loaded at that moment."""
        again = self.whole if count == len(self.bars.time) else self._observed(count)
        if again is not self.whole:
            again.history()
        if again.error is not None or live.error is not None:
            return
        at = count - 1
        nothing: Counter[Event] = Counter()
        before, after = live.events.get(at, nothing), again.events.get(at, nothing)
        for line, what in dict.fromkeys((event.line, event.what) for event in before):
            then, afterwards = _details(before, line, what), _details(after, line, what)
            # Signals that wait for a live bar are not on a chart that is loaded again.
            if afterwards is not None and then != afterwards and self._waits(what, line):
                self._note(("reloaded", what, "", "", line), at, at, then, afterwards)
        for now, later in zip(live.outputs, again.outputs, strict=True):
            if self._waits(later.function, later.line):
                for column, values in now.columns.items():
                    self._columns("reloaded", later, column, values[at:], later.columns[column], at, at)
        shown = _single(again.texts())
        for place, text in _single(live.texts()).items():
            later = shown.get(place)
            if later is not None and later.text != text.text:
                self._note(("reloaded", text.function, "", "text", text.line), at, at, text.text, later.text)

    def _columns(
        self,
        kind: str,
        output: Output,
        column: str,
        then: Sequence[Any],
        afterwards: Sequence[Any],
        start: int,
        at: int,
    ) -> None:
        """Compare the values `then`, from bar `start` on, with `afterwards`, and note the differences.

        `at` is the bar after which `then` was shown. A value of a later bar was shown on its own bar.
        """
        end = start + len(then)
        if list(then) == list(afterwards[start:end]):
            return
        key = (kind, output.function, output.title, column, output.line)
        for number, value in enumerate(then, start):
            if number < len(afterwards) and not _same(value, afterwards[number]):
                self._note(key, number, max(at, number), value, afterwards[number])

    def _events(self, kind: str, then: Mapping[int, Counter[Event]], bars: Iterable[int], at: int) -> None:
        """Compare the alerts, orders and new drawings on some bars with the whole run, and note the differences."""
        nothing: Counter[Event] = Counter()
        for number in bars:
            before, after = then.get(number, nothing), self.whole.events.get(number, nothing)
            if before == after:
                continue
            for line, what in dict.fromkeys(
                (event.line, event.what) for event in [*(before - after), *(after - before)]
            ):
                if self._waits(what, line):
                    continue  # It is compared with a chart that is loaded at this bar.
                self._note(
                    (kind, what, "", "", line),
                    number,
                    max(at, number),
                    _details(before, line, what),
                    _details(after, line, what),
                )

    # live against history

    def _feed(self, earlier: RunRecorder, start: int, end: int) -> None:
        """Feed the bars from `start` up to, not including, `end` live, and compare each bar at its close.

        A strategy with `calc_on_order_fills` is not compared: on history it sees the whole bar, but live it cannot.
        """
        if self._declares("calc_on_order_fills"):
            return
        lower = live_updates.lower_of(self.others, self.symbol)
        whole = self.whole.outputs
        for number in range(start, end):
            if self._is_late():
                return
            close_time = self.whole.close_time(number)
            path = live_updates.path(self.bars, number)
            if lower is not None:
                path = live_updates.inner_path(self.bars, number, lower, close_time)
            fired = self._updates(earlier, number, path if self._runs_within() else path[-1:], close_time)
            if earlier.error is not None:
                self._faults.setdefault(_LIVE_BARS, earlier.error)
                return
            self.live += 1
            for now, later in zip(earlier.outputs, whole, strict=True):
                if self._waits(later.function, later.line):
                    continue  # It is compared with a chart that is loaded at this bar.
                for column, values in now.columns.items():
                    if len(values) > number:
                        self._columns("reloaded", later, column, values[number:], later.columns[column], number, number)
            self._events("reloaded", earlier.events, (number,), number)
            self._withdrawn(fired, earlier.events.get(number, Counter()), number)

    def _runs_within(self) -> bool:
        """Whether the script runs on every update. Strategies do this only with `calc_on_every_tick`."""
        return not self.program.is_strategy or self._declares("calc_on_every_tick")

    def _declares(self, parameter: str) -> bool:
        declaration = self.program.declaration
        given = declaration.call.arguments if declaration is not None else ()
        return any(argument.parameter == parameter and argument.value is True for argument in given)

    def _updates(
        self, run: RunRecorder, number: int, path: Sequence[live_updates.Update], close_time: int
    ) -> list[Event]:
        """Feed one bar, and return the events that fired before its last update."""
        fired: list[Event] = []
        opened = self.bars.time[number]
        for bar, closed in path:
            self._move_others(run, close_time if closed else opened + 1)
            said = run.update(opened, bar, closed)
            if not closed:
                fired += said
        return fired

    def _move_others(self, run: RunRecorder, moment: int) -> None:
        """Set the bars of other symbols to the state that is known at a moment, in place."""
        for name, source in live_updates.known(self.others, moment).items():
            held = run.others[name].bars
            for column in ("time", "open", "high", "low", "close", "volume"):
                getattr(held, column)[:] = getattr(source.bars, column)

    def _withdrawn(self, fired: list[Event], at_close: Counter[Event], number: int) -> None:
        stayed = {(event.what, event.line, _identity(event)) for event in at_close}
        for event in fired:
            if (event.what, event.line, _identity(event)) not in stayed:
                self._note(("withdrawn", event.what, "", "", event.line), number, number, _shown(event), None)

    # what one run shows by itself

    def _drawings(self) -> None:
        # If a line of code also moves older drawings, they show states. In a series of marks, only the newest moves.
        states = {each.line for each in self.whole.changes if _leaves_its_price(each) and not each.newest}
        for change in self.whole.changes:
            is_mark = _leaves_its_price(change) and change.among and change.line not in states
            kind = "moved" if is_mark else "redrawn"
            self._moved_by[kind, change.line].add(change.by)
            at = int(min(max(0, min(x for x, _ in change.before)), len(self.bars.time) - 1))
            self._note((kind, change.what, "", "", change.line), at, change.bar, change.before, change.after)
        for back in self.whole.backs:
            bar = max(back.bar - back.bars, 0)
            self._note(("backdated", back.what, "", "", back.line), bar, back.bar, None, f"{back.bars} bars back")

    def _shifted(self) -> None:
        """Note plots with a negative offset."""
        for output in self.whole.outputs:
            offset = output.settings.get("offset", 0)
            if isinstance(offset, int | float) and offset < 0:
                shown = next((n for n, value in enumerate(output.values) if not _empty(value)), None)
                if shown is not None:
                    bar = int(max(shown + offset, 0))
                    key = ("backdated", output.function, output.title, "offset", output.line)
                    self._note(key, bar, shown, None, f"{-offset:g} bars back")
                    self.found[key].bars.update(n for n, value in enumerate(output.values) if not _empty(value))

    # findings

    def _note(self, key: _Key, bar: int, seen: int, then: Any, afterwards: Any) -> None:
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = _FirstDifference(bar, seen, then, afterwards)
        elif bar < known.bar:
            known.bar, known.seen, known.then, known.afterwards = bar, seen, then, afterwards
        known.bars.add(bar)

    def _strongest(self) -> dict[_Key, _FirstDifference]:
        """Return the strongest finding for each argument of each output. A change in history is stronger than a
        difference on live bars."""
        best: dict[tuple[str, str, str, int, bool], _Key] = {}
        for key in sorted(self.found, key=lambda key: _RANK[key[0]]):
            kind, output, title, part, line = key
            if not KINDS[kind][1] or kind == "moved":
                name = "moved" if kind == "redrawn" else kind
                best.setdefault((name, title, part, line, False), key)
            elif not (kind == "changed" and self._waits(output, line)):
                best.setdefault((output, title, part, line, True), key)
        return {key: self.found[key] for key in best.values()}

    def _waits(self, output: str, line: int) -> bool:
        """Whether an alert, a log or a drawing waits for the last bar or a live bar, and is not on earlier bars."""
        known = self._waiting.get((output, line))
        if known is None:
            name = f"{output}.new" if output in _DRAWN else output
            known = (output in _DRAWN or output in _WAITING) and self.causes.gates(name, line)
            self._waiting[output, line] = known
        return known

    def _finding(self, key: _Key, seen: _FirstDifference) -> Repaint:
        kind, output, title, part, line = key
        is_color = "color" in part
        then, afterwards = (_color(each) if is_color else _plain(each) for each in (seen.then, seen.afterwards))
        opened = self.bars.time[seen.bar]
        bars = len(seen.bars)
        return Repaint(kind, output, title, part, line, seen.bar, opened, then, afterwards, seen.seen, bars)

    def blamed(self, finding: Repaint) -> RepaintFinding:
        """Return a finding with its suspects."""
        kind, line, part = finding.kind, finding.line, finding.part
        function = f"{finding.output}.new" if finding.output in _DRAWN else finding.output
        behind = self.causes.of(function, line, part or None, history=False)
        within = self.causes.early(function, line) if finding.output.startswith(("alert", "strategy.")) else []
        if kind == "withdrawn":
            suspects = within
        elif kind == "backdated":
            suspects = self.causes.shifted(function, line)
        elif kind in ("moved", "redrawn"):
            suspects = self.causes.moving(finding.output, self._moved_by[kind, line])
        else:
            suspects = self.causes.of(function, line, part or None, history=kind == "changed")
        more = [each for each in (*behind, *within) if each not in suspects] if finding.repaints else []
        calls = self.causes.calls(function, line)
        place = self.causes.start(calls[0]) if calls else 0
        return RepaintFinding(_key_of(finding), line, place, tuple(suspects), tuple(more))


_WAITING = ("alert", "alertcondition", "log.info", "log.warning", "log.error")
_DRAWN = ("line", "label", "box", "polyline")


def _key_of(finding: Repaint) -> tuple[str, str, str, str]:
    group = "repaints" if finding.repaints else finding.kind
    return group, finding.output, finding.title, finding.part


def _leaves_its_price(change: DrawingChange) -> bool:
    """Return whether a drawing was moved to other prices. A drawing that keeps its prices marks a level, and is only
    extended."""
    return change.after is not None and [y for _, y in change.after] != [y for _, y in change.before]


def _same(first: Any, second: Any) -> bool:
    return first is second or first == second or (first != first and second != second)


def _alike(first: Any, second: Any) -> bool:
    """Whether two values of a request are the same. Objects and collections are not compared."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(_alike, first, second))
    plain = isinstance(first, bool | int | float | str) and isinstance(second, bool | int | float | str)
    return not plain or _same(first, second)


def _single(texts: Iterable[ShownText]) -> dict[tuple[Any, ...], ShownText]:
    """Return the texts by function, line and position, without those that are shown several times at one position."""
    found: dict[tuple[Any, ...], list[ShownText]] = defaultdict(list)
    for text in texts:
        found[text.function, text.line, text.place].append(text)
    return {place: held[0] for place, held in found.items() if len(held) == 1}


def _empty(value: Any) -> bool:
    return value is None or value is False or value != value


def _identity(event: Event) -> Any:
    """The id of an order, which identifies it on its line; None for other events."""
    if not event.what.startswith("strategy."):
        return None
    return next((value for name, value in event.detail if name == "id"), None)


def _details(events: Counter[Event], line: int, what: str) -> Any:
    found = [_shown(event) for event in events.elements() if event.line == line and event.what == what]
    return found[0] if len(found) == 1 else found or None


def _shown(event: Event) -> Any:
    if event.what == "alert" or event.what.startswith("log."):
        return event.detail[0]
    if event.what.startswith("strategy."):
        return {name: value for name, value in event.detail if value is not None and value != ""}
    return event.detail


def _color(value: Any) -> Any:
    return shown.color_text(value) if isinstance(value, int) else None


def _plain(value: Any) -> Any:
    """Convert a value to a value of JSON."""
    if isinstance(value, float):
        return value if abs(value) < 1e308 else None
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)

"""Inspects a run of the active script: shows its values on one bar next to the code, stops at breakpoints, and answers
"why"."""

from __future__ import annotations

import asyncio
import os
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pinebench import config
from pinebench.broker import CLOSE_ALL_ID, CLOSE_WORDS, MARGIN_CALL
from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.tui import worker_run
from pinebench.tui.libraries import unsaved
from pinebench.tui.results import moment
from pinebench.tui.script_tab import ScriptTab

if TYPE_CHECKING:
    from pinebench.debugger.breakpoint_stops import BreakpointStops
    from pinebench.inspecting.run_keeper import KeptRun, NameValue, Overview, TradeRow
    from pinebench.tui.base_workbench import BaseWorkbench
    from pinebench.why.order_life import OrderLife
    from pinebench.why.why import Why
    from pinebench.workers.request import Request

CHART = "chart"
"""The name of the bars of the chart in the browser."""
MOST_OF_CHART = 5000
MEMORY = 256 << 20
"""The bytes that the values of a run may take."""


_WITHOUT_ID = {CLOSE_ALL_ID: "strategy.close_all()", MARGIN_CALL: "a margin call"}
"""The exits without an id in the script, by their names in the list of trades."""


@runtime_checkable
class ShowsRun(Protocol):
    """The interface of the panel that shows an inspected run."""

    @property
    def chosen(self) -> int | None:
        """The index of the name in the panel's highlighted row; None if no row is highlighted."""
        ...

    @property
    def has_focus_within(self) -> bool:
        """Whether the panel has the focus."""
        ...

    def start(self) -> None:
        """Run the active script on the bars that the panel names."""
        ...

    def show_run(self) -> None:
        """Show the run again."""
        ...

    def show_part(self, part: str) -> None:
        """Show the part `names`, `trades` or `why`."""
        ...


class InspectedRun:
    """The run that is inspected: its script, its bars, the bar that is shown, and the values on that bar."""

    def __init__(self, bench: BaseWorkbench) -> None:
        self._bench = bench
        self._kept: KeptRun | None = None
        self.opened: ScriptTab | None = None
        """The script that ran; None before the first run."""
        self.text = ""
        """The text that ran."""
        self.overview: Overview | None = None
        self.bar = 0
        self.values: list[NameValue] = []
        """The values of the names of `overview` on `bar`."""
        self.trouble = ""
        """The reason why there are no values, or why they are not up to date; empty if all is well."""
        self.answer: Why | OrderLife | None = None
        """The last answer to "why"."""
        self._request: Request | None = None
        self._bars: str | None = None
        self._wanted: int | None = None
        self._aim: int | None = None
        """The bar that was requested last and is being read; None if no bar is being read."""
        self._listed: tuple[object, BreakpointStops] | None = None
        self._stop: int | None = None
        """The index, in `_listed`, of the stop that is shown; None if none is."""
        self._looked_up = 0

    # what a face asks

    @property
    def is_past(self) -> bool:
        """Whether the text has changed since the run."""
        return self.opened is None or self.opened.editor.text != self.text

    @property
    def warning(self) -> str:
        """A warning about the values that are shown; empty if there is none."""
        opened, overview = self.opened, self.overview
        if overview is None or opened is None:
            return self.trouble
        if opened not in self._bench.opened:
            return "the tab of the script that ran is closed"
        if self.is_past:
            return "the text was changed after the run: run it again (shift+F9)"
        if overview.error is not None:
            where = f" in line {overview.error_line}" if overview.error_line else ""
            return f"the script stopped after bar {overview.bars - 1}{where}: {overview.error}"
        if opened.outside == "changed":
            return "the file on disk differs: the values belong to the text in the editor"
        return "; ".join(overview.dropped)

    @property
    def when(self) -> str:
        """The bar that is shown, as text; empty if there is none."""
        overview = self.overview
        if overview is None or not overview.bars:
            return ""
        return f"bar {self.bar} of {overview.bars - 1}  {moment(overview.times[self.bar] / 1000)} UTC"

    def needed(self) -> Overview:
        """Return the overview of the run. Raises UsageError if there is no run with values."""
        overview = self.overview
        if overview is None:
            raise UsageError(
                self.trouble or "the inspector has no run yet", "shift+F9 runs the script in the inspector"
            )
        if not overview.bars:
            raise UsageError(f"no bar has values: {overview.error or 'there are no bars'}")
        return overview

    # the run

    async def run(self, name: str) -> None:
        """Run the active script on the bars called `name`, and record its values. Problems go to `trouble`."""
        from pinebench.inspecting.run_keeper import KeptRun

        opened = self._bench.front
        if opened is None:
            self.trouble = "no script is open"
            self.tell()
            return
        before = (self.text, self._bars, self.bar) if self.opened is opened else None
        text = opened.editor.text
        self._forget()
        self.trouble = "running…"
        self.tell()
        kept = self._kept = KeptRun()
        browser, folder = self._bench.chart_browser, self._bench.folder
        folders, changed = config.library_folders(opened.buffer.place), self._bench.changed_beside(opened)

        def work(context: Context) -> tuple[Request, str | None, Overview]:
            request, bars = _request(text, folders, name, folder, browser, context)
            context = context.narrowed(worker_run.SECONDS)
            overview = kept.begin(request, bars, MEMORY, context)
            dropped = [*overview.dropped, *unsaved(text, folders, changed)]
            return request, bars, replace(overview, dropped=dropped)

        try:
            self._request, self._bars, overview = await self._bench.lengthy("running the script in the inspector", work)
        except Exception as error:
            words = error.with_hint if isinstance(error, PinebenchError) else f"{type(error).__name__}: {error}"
            self.trouble = f"not run: {words}"
            self.tell()
            return
        if self._kept is not kept:
            return
        self.opened, self.text, self.overview, self.trouble = opened, text, overview, ""
        same = before is not None and before[1] == self._bars and overview.first <= before[2] < overview.bars
        self.bar = before[2] if before is not None and same else overview.bars - 1
        if overview.bars:
            await self.go(self.bar)
        self.tell()

    def _forget(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.end()
        if self.opened is not None:
            self.opened.editor.show_values({})
        self.overview, self.values, self.answer, self._listed, self._stop = None, [], None, None, None

    def close(self) -> None:
        """End the worker process that holds the run."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.end()

    # the bar

    async def go(self, bar: int, stop: int | None = None) -> None:
        """Show a bar, or the nearest recorded bar. `stop` is the index of a stop at a breakpoint on it.

        If bars are requested faster than they are read, only the last one is read.
        """
        overview = self.needed()
        is_reading = self._aim is not None
        self._aim = self._wanted = min(max(bar, overview.first), overview.bars - 1)
        self._stop = stop
        if is_reading:
            return
        try:
            while self._wanted is not None:
                wanted, self._wanted, kept = self._wanted, None, self._kept
                if kept is None:
                    return
                values = await asyncio.to_thread(kept.values, wanted)
                if kept is self._kept:
                    self.bar, self.values = wanted, values
                    self.tell()
        except PinebenchError as error:
            self.overview, self.values = None, []
            self.trouble = error.with_hint
            self.tell()
        finally:
            self._aim = None

    @property
    def aim(self) -> int:
        """The last requested bar: the bar that is being read, or else the bar that is shown."""
        return self.bar if self._aim is None else self._aim

    async def go_to_change(self, number: int, step: int) -> None:
        """Go to the next (`step` 1) or the previous (-1) bar on which the value of the name `number` changed."""
        overview, kept = self.needed(), self._kept
        assert kept is not None
        found = await asyncio.to_thread(kept.change, number, self.bar, step)
        if found is None:
            words = "does not change after" if step > 0 else "did not change before"
            self._bench.say(f"{overview.names[number].name} {words} bar {self.bar}")
            return
        await self.go(found)

    async def go_to_time(self, time: int) -> bool:
        """Go to the bar at a time in milliseconds UTC, or to the last bar before it; return whether there is one."""
        overview = self.overview
        if overview is None or not overview.bars:
            return False
        found = bisect_right(overview.times, time) - 1
        if not overview.first <= found < overview.bars:
            return False
        await self.go(found)
        return True

    # breakpoints

    async def go_to_stop(self, step: int) -> None:
        """Go to the next (1) or the previous (-1) stop at a breakpoint. Raises UsageError if there are no breakpoints,
        the text has changed since the run, or the values on the bar of the stop are not recorded."""
        self.needed()
        opened = self.opened
        assert opened is not None
        if self.is_past:
            raise UsageError(self.warning)
        asked = opened.editor.breakpoints.asked()
        if not asked:
            raise UsageError("the script has no breakpoints", "ctrl+l sets one on the line of the cursor")
        found = await self._stops(asked)
        for line, trouble in found.troubles.items():
            self._bench.say(f"the condition of the breakpoint on line {line} is wrong: {trouble}", "error")
        for line, fault in found.faults.items():
            self._bench.say(f"the condition of the breakpoint on line {line} could not be evaluated {fault}", "error")
        place = self._next_stop(found, step)
        if place is None:
            if not found.troubles and not found.faults:
                words = "after" if step > 0 else "before"
                cut = " among the first stops that are listed" if found.is_cut and step > 0 else ""
                self._bench.say(f"no breakpoint stops the run {words} bar {self.bar}{cut}")
            return
        bar, line = found.places[place]
        if bar < self.needed().first:
            raise UsageError(
                f"the breakpoint stops on bar {bar}, whose values were not recorded",
                f"recorded values begin with bar {self.needed().first}",
            )
        opened.editor.move_cursor((line - 1, 0), center=True)
        await self.go(bar, place)
        self._bench.say(f"bar {bar}, line {line}: stop {place + 1} of {len(found.places)}")

    def _next_stop(self, found: BreakpointStops, step: int) -> int | None:
        """The number of the next stop after the one that is looked at, or after the bar that is looked at."""
        places = range(len(found.places))
        if self._stop is not None and self._stop < len(places) and found.places[self._stop].bar == self.bar:
            place = self._stop + step
            return place if place in places else None
        if step > 0:
            return next((number for number in places if found.places[number].bar > self.bar), None)
        return next((number for number in reversed(places) if found.places[number].bar < self.bar), None)

    async def _stops(self, asked: list[tuple[int, str]]) -> BreakpointStops:
        from pinebench.debugger.breakpoint_stops import listed
        from pinebench.debugger.engine import Breakpoint

        key = (self.text, tuple(asked))
        if self._listed is None or self._listed[0] != key:
            job = partial(listed, breakpoints=[Breakpoint(*one) for one in asked], bars=self._bars)
            self._listed, self._stop = (key, await self._in_worker("looking for breakpoints", job)), None
        return self._listed[1]

    @property
    def stopped(self) -> int | None:
        """The row (from 0) at which a breakpoint stopped the run; None if no stop is shown."""
        found = self._listed
        if self._stop is None or found is None or self._stop >= len(found[1].places):
            return None
        bar, line = found[1].places[self._stop]
        return line - 1 if bar == self.bar else None

    # why

    async def why(self, expression: str, line: int = 0, call: str = "") -> None:
        """Explain the value of an expression on the bar. Raises UsageError if the text has changed since the run.

        `line` is its line, for an expression inside a block or a function; 0 for other expressions. `call` selects one
        call of the function.
        """
        from pinebench.inspecting.run_keeper import why_on
        from pinebench.why.block_why import place_of

        self.needed()
        if self.is_past:
            raise UsageError(self.warning)
        place = place_of(line or None, None, call)
        job = partial(why_on, expression=expression, bar=self.bar, bars=self._bars, place=place)
        self.answer = await self._in_worker(f"asking why {expression[:40]}", job)
        self.tell()

    async def why_trade(self, trade: TradeRow, *, at_exit: bool = False) -> None:
        """Show the life of the order that opened a trade, or that closed it if `at_exit` is set. Raises UsageError if
        the text has changed."""
        from pinebench.inspecting.run_keeper import order_on

        self.needed()
        if self.is_past:
            raise UsageError(self.warning)
        is_exit = at_exit and trade.exit_bar is not None
        bar = trade.exit_bar if is_exit and trade.exit_bar is not None else trade.entry_bar
        order = order_of_exit(trade) if is_exit else trade.entry_id
        job = partial(order_on, order=order, bar=bar, bars=self._bars)
        self.answer = await self._in_worker(f"asking for the order {order}", job)
        await self.go(bar)

    async def _in_worker(self, what: str, job: Callable[[Request], Any]) -> Any:
        """Run `job` with the request in a worker. A person can stop it. Raises UsageError if another run began
        meanwhile."""
        from pinebench.workers.dispatch import execute

        request, kept = self._request, self._kept
        assert request is not None
        answer = await self._bench.lengthy(
            what, lambda context: execute(request, job, context.narrowed(worker_run.SECONDS))
        )
        if self._kept is not kept:
            raise UsageError("another run began before the answer came", "ask again")
        return answer

    # showing

    def tell(self) -> None:
        """Show the values after the lines of the script and in the panel."""
        opened = self.opened
        if opened is not None and opened in self._bench.opened:
            opened.editor.show_values({} if self.is_past else self.notes(), None if self.is_past else self.stopped)
        panel = self.panel
        if panel is not None:
            panel.show_run()

    @property
    def panel(self) -> ShowsRun | None:
        """The inspector's panel; None if it was not shown yet."""
        found = self._bench.screen_stack[0].query("#panel-inspector") if self._bench.screen_stack else []
        return next((each for each in found if each.is_mounted and isinstance(each, ShowsRun)), None)

    def notes(self) -> dict[int, str]:
        """Return the texts to show after the ends of lines, by row (from 0)."""
        overview = self.overview
        if overview is None or not self.values:
            return {}
        found: dict[int, str] = {}
        for line, groups in overview.rows.items():
            parts = [self._note(overview, numbers) for numbers in groups]
            found[line - 1] = "  ".join(part for part in parts if part)
        return found

    def _note(self, overview: Overview, numbers: list[int]) -> str:
        """The value of a name: in a function, the one of the first call of the function that ran on the bar."""
        ran = [number for number in numbers if self.values[number].ran]
        number = ran[0] if ran else numbers[0]
        name, value = overview.names[number], self.values[number]
        calls = f" (1 of {len(ran)} calls)" if len(ran) > 1 else ""
        return f"{value.text}{calls}" if name.is_call or name.mode == "plot" else f"{name.name} = {value.text}{calls}"

    def number_of(self, name: str) -> int | None:
        """Return the index of the name or call `name` in the overview's names, or None. If there are several, one that
        ran on the bar is preferred."""
        overview, asked = self.overview, "".join(name.split())
        if overview is None or not asked:
            return None
        same = [n for n, each in enumerate(overview.names) if "".join(each.name.split()) == asked]
        ran = [n for n in same if n < len(self.values) and self.values[n].ran]
        return next(iter(ran or same), None)


def order_of_exit(trade: TradeRow) -> str:
    """Return the id of the order that closed a trade; for `strategy.close()` that is the entry's id. Raises UsageError
    if a call without an id closed it."""
    if trade.exit_id in _WITHOUT_ID:
        raise UsageError(f"{_WITHOUT_ID[trade.exit_id]} closed this trade, so its exit has no order with an id")
    return trade.exit_id.removeprefix(CLOSE_WORDS) or trade.entry_id


def _request(
    text: str, folders: tuple[str, ...], name: str, folder: str | None, browser: Any, context: Context
) -> tuple[Request, str | None]:
    """The request for a run on the bars called `name`, and the name under which the worker reads them; None if the bars
    are in the request."""
    from pinebench.market import Bars, SymbolInfo
    from pinebench.workers.request import Request

    if not name:
        raise UsageError("no bars are chosen", "for example, sample:AAPL, a file, or chart")
    if name == CHART:
        from pinebench.tools.chart_browser import ToolContext
        from pinebench.tools.priced_bars import of_chart

        read = of_chart(ToolContext(browser, context), MOST_OF_CHART)
        return Request(text, read.bars, read.symbol, libraries=folders), None
    path = name if name.startswith(worker_run.SAMPLE) else os.path.join(folder or "", os.path.expanduser(name))
    return Request(text, Bars(), SymbolInfo(), libraries=folders), path

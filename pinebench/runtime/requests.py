"""Requests while a script runs: which bars are asked for, the code run on them, and its values brought to the chart."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pinebench.calendars.timeframes import Timeframe
from pinebench.runtime.aggregation import Joined, Latest, Made
from pinebench.runtime.chart import BarColumns, Chart, Symbol
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.clock import timeframe as timeframe_of
from pinebench.runtime.library.collections import Array
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.tickers import Ticker

NA = float("nan")


@dataclass(frozen=True)
class Source:
    """The bars of one symbol, in the shortest timeframe that there is of it."""

    bars: BarColumns
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class MadeRequest:
    """A request that a run made.

    `line` and `start` (an offset, None within a library) say where its call stands. `symbol` is its ticker, empty for
    the chart's own; `timeframe` is the one that was asked for. `bars` counts the bars that it got, 0 where there are
    none, and `first` is the time of the first one in milliseconds UTC. `is_own` says that these are the chart's bars.
    """

    line: int
    start: int | None
    symbol: str
    timeframe: str
    bars: int
    first: int | None
    is_own: bool


class Sources:
    """Where the bars of other symbols and timeframes come from."""

    def __init__(self, chart: Chart, others: Mapping[str, Source] | None = None) -> None:
        """`others` are by ticker, with or without the exchange before it; the chart's own symbol may be among them,
        with bars shorter than the chart's."""
        self.chart = chart
        self.others = others or {}
        self._charts: dict[tuple[str, str, int], Chart] = {}
        self._made: list[Made | Latest] = []
        """The bars that were made of others."""

    def find(self, ticker: Ticker, timeframe: Timeframe) -> Chart | None:
        """The bars of a symbol in a timeframe, or None where they cannot be had."""
        key = (ticker.text, timeframe.text, 0)
        if key not in self._charts:
            found = self._make(ticker, timeframe)
            if found is None:
                return None
            self._charts[key] = found
        return self._charts[key]

    def find_last(self, ticker: Ticker, timeframe: Timeframe, count: int) -> Chart | None:
        """The last `count` bars of a symbol as if there were no others, all where there are no more."""
        key = (ticker.text, timeframe.text, count)
        whole = self.find(ticker, timeframe)
        if key in self._charts or whole is None or not 0 < count < len(whole):
            return self._charts.get(key, whole)
        made = Latest(whole.bars, count)
        self._made.append(made)
        main = self.chart.timeframe.text
        self._charts[key] = Chart(made.bars, whole.symbol, whole.timeframe.text, main)
        return self._charts[key]

    def knows(self, ticker: Ticker) -> bool:
        """Whether there are any bars of a symbol."""
        return self._is_own(ticker) or self._other(ticker) is not None

    def update(self) -> None:
        """Bring the bars that were made of others, and the series that were computed of bars, up to them."""
        for made in self._made:
            made.update()
        for chart in self._charts.values():
            if chart is not self.chart:
                chart.refresh()

    def _is_own(self, ticker: Ticker) -> bool:
        own = self.chart.symbol
        return ticker.name in ("", own.symbol, f"{own.prefix}:{own.symbol}")

    def _other(self, ticker: Ticker) -> Source | None:
        own = self.chart.symbol
        name = f"{own.prefix}:{own.symbol}" if self._is_own(ticker) else ticker.name
        return self.others.get(name) or self.others.get(name.rpartition(":")[2])

    def _make(self, ticker: Ticker, timeframe: Timeframe) -> Chart | None:
        look = self.chart.look
        averaged = ticker.heikin_ashi or (not ticker.name and look.heikin_ashi)
        if self._is_own(ticker) and timeframe == self.chart.timeframe and averaged == look.heikin_ashi:
            return self.chart
        source = self._other(ticker)
        earlier: BarColumns | None = None
        if self._is_own(ticker) and (source is None or not _is_shorter(timeframe, self.chart.timeframe)):
            if source is not None and _has_own_feed(timeframe):
                earlier = source.bars
            source = Source(look.standard or self.chart.bars, self.chart.symbol)
            shortest = self.chart.timeframe
        elif source is None:
            return None
        else:
            shortest = timeframe_of(source.symbol.timeframe)
        if _is_shorter(timeframe, shortest):
            return None
        main = self.chart.timeframe.text
        grid = Chart(source.bars, source.symbol, timeframe.text, main).grid

        if timeframe == shortest and earlier is None and not averaged:
            return Chart(source.bars, source.symbol, timeframe.text, main)
        before = None if earlier is None else Joined(earlier, grid).made
        made = Made(source.bars, grid if timeframe != shortest else None, before, averaged=averaged)
        self._made.append(made)
        return Chart(made.bars, source.symbol, timeframe.text, main)


def _has_own_feed(timeframe: Timeframe) -> bool:
    """Whether a timeframe is one that TradingView keeps bars of, which reach back further than the chart; all others
    are made of the chart's and begin with it (recorded probes)."""
    return timeframe.multiplier in _KEPT.get(timeframe.unit, ())


_KEPT = {"": (1, 3, 5, 15, 30, 45, 60, 120, 180, 240), "S": (1, 5, 10, 15, 30, 45), "D": (1,), "W": (1,), "M": (1,)}


def _is_shorter(first: Timeframe, second: Timeframe) -> bool:
    return first.seconds < second.seconds


class Run(Protocol):
    """The code of a request on its bars: what each gave, and how the last runs again."""

    results: list[Any]
    execution: Any

    def history(self) -> None: ...

    def again(self) -> None: ...


class Requests:
    """The `request.*` functions of one execution."""

    def __init__(self, execution: Any, begin: Callable[[int, Chart], Run], sources: Sources) -> None:
        """`begin` runs the code of a request, by its number, on the bars of a chart."""
        self.execution = execution
        self.begin = begin
        self.sources = sources
        self._runs: dict[tuple[int, str, str], tuple[Run, Chart] | None] = {}
        self._merged: dict[tuple[Chart, bool], list[int]] = {}

    def refresh(self) -> None:
        """Bring what was asked for so far up to the bars, the last of which may have changed."""
        self._merged.clear()
        for found in self._runs.values():
            if found is None:
                continue
            run, chart = found
            run.execution.last_index = len(chart) - 1
            run.execution.requests.refresh()
            run.again()
            run.history()

    def security(
        self,
        number: int,
        empty: Any,
        *,
        symbol: str | None,
        timeframe: str | None,
        gaps: str,
        lookahead: str,
        ignore_invalid_symbol: bool,
        currency: str | None,
        calc_bars_count: float,
    ) -> Any:
        """This bar's value of a request, `empty` where there is none."""
        found = self._run(number, symbol, timeframe, ignore_invalid_symbol, calc_bars_count)
        if found is None:
            return empty
        values, chart = found
        if currency and currency != chart.symbol.currency:
            self.execution.host.note(f"the rate of {chart.symbol.currency} in {currency}")
            return empty
        ahead = lookahead == "lookahead_on"
        i = self.execution.index
        if self.execution.is_history:
            places = self._places(chart, ahead)
            place, before = places[i], places[i - 1]
        else:
            place, before = self._place(chart, ahead, i), self._place(chart, ahead, i - 1)
        if place < 0 or (gaps == "gaps_on" and i and before == place):
            return empty
        return values[place]

    def ahead(self, number: int, empty: Any, **asked: Any) -> list[Any]:
        """The values of a request that is the same on all bars, on those that are computed ahead.

        Raises LookupError where its bars may change, and where there are none.
        """
        own = self.execution
        found = self._run(
            number, asked["symbol"], asked["timeframe"], asked["ignore_invalid_symbol"], asked["calc_bars_count"]
        )
        if found is None or (asked["currency"] and asked["currency"] != found[1].symbol.currency):
            raise LookupError(number)
        values, chart = found
        places = self._places(chart, asked["lookahead"] == "lookahead_on")[: len(own.chart) - 1]
        if asked["gaps"] == "gaps_on":
            places = [-1 if i and places[i - 1] == place else place for i, place in enumerate(places)]
        return [values[place] if place >= 0 else empty for place in places]

    def security_lower_tf(
        self,
        number: int,
        empty: Any,
        *,
        symbol: str | None,
        timeframe: str | None,
        ignore_invalid_symbol: bool,
        ignore_invalid_timeframe: bool,
        currency: str | None,
        calc_bars_count: float,
    ) -> Any:
        """The values on all bars of a shorter timeframe within this one; a tuple of arrays for a tuple."""
        own = self.execution.chart
        asked = timeframe_of(timeframe) if timeframe else own.timeframe
        if _is_shorter(own.timeframe, asked):
            if not ignore_invalid_timeframe:
                raise RuntimeFault("lower-timeframe", timeframe=asked.text, chart=own.timeframe.text)
            return _arrays([], empty)
        found = self._run(number, symbol, timeframe, ignore_invalid_symbol, calc_bars_count)
        if found is None or (currency and currency != found[1].symbol.currency):
            return _arrays([], empty)
        values, chart = found
        i = self.execution.index
        times = chart.bars.time
        first = bisect_right(times, own.bars.time[i] - 1)
        last = bisect_right(times, own.close_time(i) - 1)
        return _arrays(values[first:last], empty)

    def _run(
        self, number: int, symbol: str | None, timeframe: str | None, ignore: bool, count: float
    ) -> tuple[list[Any], Chart] | None:
        """The values of a request on its bars, computed once for each symbol and timeframe."""
        key = (number, symbol or "", timeframe or "")
        if key not in self._runs:
            self.execution.host.count_request((self.execution.code.asked[number], *key[1:]))
            chart = self._chart(symbol or "", timeframe or "", ignore, count)
            self._note(number, symbol or "", timeframe or "", chart)
            self._runs[key] = None if chart is None else (self.begin(number, chart), chart)
        found = self._runs[key]
        return None if found is None else (found[0].results, found[1])

    def _note(self, number: int, symbol: str, timeframe: str, chart: Chart | None) -> None:
        """Remember which bars a request got."""
        line, start = self.execution.code.request_places[number]
        asked = timeframe_of(timeframe).text if timeframe else self.execution.chart.timeframe.text
        ticker = Ticker.read(symbol)
        count = len(chart) if chart is not None else 0
        first = chart.bars.time[0] if chart is not None and count else None
        is_own = chart is not None and chart is self.execution.host.sources.chart
        self.execution.host.asked[line, start, ticker.name, asked] = MadeRequest(
            line, start, ticker.name, asked, count, first, is_own
        )

    def _chart(self, symbol: str, timeframe: str, ignore: bool, count: float) -> Chart | None:
        ticker = Ticker.read(symbol)
        asked = timeframe_of(timeframe) if timeframe else self.execution.chart.timeframe
        found = self.sources.find_last(ticker, asked, int(count) if count == count else 0)
        if found is not None:
            return found
        if self.sources.knows(ticker):
            self.execution.host.note(f"{ticker.name or 'the symbol'} in {asked.text}, for which there are no bars,")
            return None
        if ignore:
            self.execution.host.note(f"{ticker.name}, for which there are no bars,")
            return None
        raise NotComputed(f"a request for {ticker.name}", hint="Give bars for that symbol.")

    def _places(self, chart: Chart, ahead: bool) -> list[int]:
        """For each bar of this execution the requested bar that it sees, -1 for none."""
        key = (chart, ahead)
        known = self._merged.get(key)
        if known is None or len(known) < len(self.execution.chart):
            known = self._merged[key] = self._merge(chart, ahead)
        return known

    def _merge(self, chart: Chart, ahead: bool) -> list[int]:
        own = self.execution.chart
        if chart is own:
            return list(range(len(own)))
        if ahead:
            return [bisect_right(chart.bars.time, time) - 1 for time in own.bars.time]
        ends = chart.grid.closes(chart.bars.time)
        return [bisect_right(ends, end) - 1 for end in own.grid.closes(own.bars.time)]

    def _place(self, chart: Chart, ahead: bool, number: int) -> int:
        """The same for one bar while updates come, which others need not pay for."""
        own = self.execution.chart
        if chart is own or number < 0:
            return number
        times = chart.bars.time
        if ahead:
            return bisect_right(times, own.bars.time[number]) - 1
        end = own.close_time(number)
        last = bisect_left(times, end) - 1
        # A bar that is still open sees the requested one, the last of shorter ones, as far as it has come.
        if number > self.execution.last_history_index or last < 0 or chart.close_time(last) <= end:
            return last
        return last - 1

    def missing(self, name: str, empty: Any) -> Any:
        """Data that cannot be had: na with one note."""
        self.execution.host.note(name)
        return empty

    def currency_rate(self, base: str | None, to: str | None) -> float:
        """1 between a currency and itself, else na with one note."""
        if base == to:
            return 1.0
        self.execution.host.note(f"the rate of {base} in {to}")
        return NA


def _arrays(values: list[Any], empty: Any) -> Any:
    if not isinstance(empty, tuple):
        return Array(values)
    return tuple(Array([value[number] for value in values]) for number in range(len(empty)))

"""Requests while a script runs: finds the requested bars, runs the code on them, and maps its values to the chart's
bars."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pinebench.calendars import spreads
from pinebench.calendars.timeframes import Timeframe
from pinebench.runtime.aggregation import DerivedBars, LongerBars, RecentBars
from pinebench.runtime.chart import BarColumns, Chart, ChartSymbol
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.clock import timeframe as timeframe_of
from pinebench.runtime.library.collections import Array
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.tickers import Ticker

NA = float("nan")
DAYS_OF_REQUESTS = "days that a request makes of shorter bars"
"""The phrase in a note, instead of a variable, if a request reads the exchange's time zone."""


@dataclass(frozen=True)
class RequestSource:
    """The bars of one symbol, in the shortest timeframe that is available."""

    bars: BarColumns
    symbol: ChartSymbol


@dataclass(frozen=True, slots=True)
class MadeRequest:
    """A request that a run made.

    `line` and `start` are the position of its call; `start` is an offset, or None within a library. `symbol` is the
    requested ticker, empty for the chart's own symbol, and `timeframe` is the requested timeframe. `bars` is the number
    of bars that the request got. `first` is the time of the first bar in milliseconds UTC, or None if there are no
    bars. `is_own` says that the bars are the chart's own.
    """

    line: int
    start: int | None
    symbol: str
    timeframe: str
    bars: int
    first: int | None
    is_own: bool


class Sources:
    """The bars of the symbols and timeframes that requests ask for."""

    def __init__(self, chart: Chart, others: Mapping[str, RequestSource] | None = None) -> None:
        """Take the chart and the bars of other symbols, `others`, by ticker with or without the exchange before it. The
        chart's own symbol may be among them, with bars that are shorter than the chart's."""
        self.chart = chart
        self.others = others or {}
        self._charts: dict[tuple[str, str, int], Chart] = {}
        self._made: list[DerivedBars | RecentBars | spreads.SpreadBars] = []
        """The bars that were made from other bars, each after the bars that it is made from."""

    def find(self, ticker: Ticker, timeframe: Timeframe) -> Chart | None:
        """Return the bars of a symbol in a timeframe, or None if they are not available."""
        key = (ticker.text, timeframe.text, 0)
        if key not in self._charts:
            found = self._make(ticker, timeframe)
            if found is None:
                return None
            self._charts[key] = found
        return self._charts[key]

    def find_last(self, ticker: Ticker, timeframe: Timeframe, count: int) -> Chart | None:
        """Return the last `count` bars of a symbol as if earlier bars did not exist, or all bars if there are fewer."""
        key = (ticker.text, timeframe.text, count)
        whole = self.find(ticker, timeframe)
        if key in self._charts or whole is None or not 0 < count < len(whole):
            return self._charts.get(key, whole)
        made = RecentBars(whole.bars, count)
        self._made.append(made)
        main = self.chart.timeframe.text
        self._charts[key] = Chart(made.bars, whole.symbol, whole.timeframe.text, main)
        return self._charts[key]

    def asked(self, own: Chart, symbol: str, timeframe: str, count: float) -> Chart | None:
        """Return the bars for a request of a script on the bars `own`, or None if they are not available. An empty
        timeframe means the timeframe of `own`; `count` may be na."""
        wanted = timeframe_of(timeframe) if timeframe else own.timeframe
        return self.find_last(Ticker.read(symbol), wanted, int(count) if count == count else 0)

    def knows(self, ticker: Ticker) -> bool:
        """Return whether bars of a symbol are available in any timeframe."""
        if self._is_own(ticker) or self._other(ticker) is not None:
            return True
        spread = self._spread(ticker)
        return spread is not None and all(self.knows(Ticker(name)) for name in spread.symbols)

    def update(self) -> None:
        """Update the bars that are made from other bars, and the computed series of all charts except the main one."""
        for made in self._made:
            made.update()
        for chart in self._charts.values():
            if chart is not self.chart:
                chart.refresh()

    def _is_own(self, ticker: Ticker) -> bool:
        own = self.chart.symbol
        return ticker.name in ("", own.symbol, f"{own.prefix}:{own.symbol}")

    def _other(self, ticker: Ticker) -> RequestSource | None:
        own = self.chart.symbol
        name = f"{own.prefix}:{own.symbol}" if self._is_own(ticker) else ticker.name
        exchange, _, short = name.rpartition(":")
        if any(sign in exchange for sign in "-+*/"):  # of a spread, the text after the last colon is one symbol
            return self.others.get(name)
        return self.others.get(name) or self.others.get(short)

    def _make(self, ticker: Ticker, timeframe: Timeframe) -> Chart | None:
        look = self.chart.look
        averaged = ticker.heikin_ashi or (not ticker.name and look.heikin_ashi)
        if self._is_own(ticker) and timeframe == self.chart.timeframe and averaged == look.heikin_ashi:
            return self.chart
        source = self._other(ticker)
        if source is None and not self._is_own(ticker):
            source = self._spread_source(ticker, timeframe)
        earlier: BarColumns | None = None
        if self._is_own(ticker) and (source is None or not is_shorter(timeframe, self.chart.timeframe)):
            if source is not None and _has_own_feed(timeframe):
                earlier = source.bars
            source = RequestSource(look.standard or self.chart.bars, self.chart.symbol)
            shortest = self.chart.timeframe
        elif source is None:
            return None
        else:
            shortest = timeframe_of(source.symbol.timeframe)
        if is_shorter(timeframe, shortest):
            return None
        main = self.chart.timeframe.text
        grid = Chart(source.bars, source.symbol, timeframe.text, main).grid

        if timeframe == shortest and earlier is None and not averaged:
            return Chart(source.bars, source.symbol, timeframe.text, main)
        before = None if earlier is None else LongerBars(earlier, grid).made
        made = DerivedBars(source.bars, grid if timeframe != shortest else None, before, averaged=averaged)
        self._made.append(made)
        return Chart(made.bars, source.symbol, timeframe.text, main)

    # spread symbols

    def _spread(self, ticker: Ticker) -> spreads.Spread | None:
        own = self.chart.symbol
        return spreads.read(ticker.name, (*self.others, own.symbol, f"{own.prefix}:{own.symbol}"))

    def _spread_source(self, ticker: Ticker, timeframe: Timeframe) -> RequestSource | None:
        """The bars of a spread symbol such as `A/B`, in the shortest timeframe that all its symbols have.

        Days and longer bars are made from the days of the symbols, if all of them have days. None if the ticker is not
        a spread, or if bars of a symbol are missing.
        """
        spread = self._spread(ticker)
        if spread is None:
            return None
        found = [self._shortest(Ticker(name)) for name in spread.symbols]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return None
        base = max(known, key=lambda each: each.seconds)
        if not timeframe.is_intraday and base.seconds < _DAY.seconds:
            base = _DAY
        legs = [self.find(Ticker(name), base) for name in spread.symbols]
        charts = [each for each in legs if each is not None]
        if len(charts) < len(legs):
            return None
        made = spreads.SpreadBars(spread, [each.bars for each in charts])
        self._made.append(made)
        return RequestSource(made.bars, SpreadSymbol.of(spread, [each.symbol for each in charts], base.text))

    def _shortest(self, ticker: Ticker) -> Timeframe | None:
        """The shortest timeframe in which a symbol has bars; None if it has none."""
        other = self._other(ticker)
        found = [timeframe_of(other.symbol.timeframe)] if other is not None else []
        if self._is_own(ticker):
            found.append(self.chart.timeframe)
        return min(found, key=lambda each: each.seconds, default=None)


@dataclass(frozen=True)
class SpreadSymbol:
    """The properties of a spread symbol. Of TradingView's own properties of spreads, only the type is known."""

    symbol: str
    currency: str
    mintick: float
    timezone: str
    session: str
    timeframe: str
    prefix: str = ""
    description: str = ""
    type: str = "spread"
    basecurrency: str = ""
    pointvalue: float = 1.0
    mincontract: float = 1.0
    volumetype: str = "n/a"
    assumed: tuple[str, ...] = ()

    @classmethod
    def of(cls, spread: spreads.Spread, legs: Sequence[ChartSymbol], timeframe: str) -> SpreadSymbol:
        """Make the properties of a spread of the symbols `legs`. The session and the currency come from the first
        symbol. The tick is the smallest tick, or 1e-8 if prices are multiplied or divided."""
        first = legs[0]
        tick = _SCALED_TICK if spread.is_scaled else min(each.mintick for each in legs)
        assumed = tuple(name for name in first.assumed if name in ("currency", "timezone", "session"))
        words = {"description": spread.text, "assumed": assumed}
        return cls(spread.text, first.currency, tick, first.timezone, first.session, timeframe, **words)


_SCALED_TICK = 1e-8
_DAY = timeframe_of("1D")


def _has_own_feed(timeframe: Timeframe) -> bool:
    """Whether TradingView stores bars of this timeframe, so that they begin before the chart's bars. Bars of other
    timeframes are made from the chart's bars and begin with them (recorded probes)."""
    return timeframe.multiplier in _KEPT.get(timeframe.unit, ())


_KEPT = {"": (1, 3, 5, 15, 30, 45, 60, 120, 180, 240), "S": (1, 5, 10, 15, 30, 45), "D": (1,), "W": (1,), "M": (1,)}


def is_shorter(first: Timeframe, second: Timeframe) -> bool:
    """Return whether the bars of the timeframe `first` are shorter than the bars of `second`."""
    return first.seconds < second.seconds


def is_longer(own: Chart, timeframe: str) -> bool:
    """Return whether `timeframe` has longer bars than `own`. An empty string means `own`'s timeframe."""
    return bool(timeframe) and is_shorter(own.timeframe, timeframe_of(timeframe))


def needs_rate(chart: Chart, currency: str | None) -> bool:
    """Return whether a request for the bars `chart` in `currency` needs an exchange rate."""
    return bool(currency) and currency != chart.symbol.currency


def merged(own: Chart, chart: Chart, ahead: bool) -> list[int]:
    """Return the index of the bar of `chart` whose value each bar of `own` gets; -1 if there is none. Normally a value
    is available when its bar closes; with `ahead` (lookahead), already when its bar opens."""
    if chart is own:
        return list(range(len(own)))
    if ahead:
        return [bisect_right(chart.bars.time, time) - 1 for time in own.bars.time]
    ends = chart.grid.closes(chart.bars.time)
    return [bisect_right(ends, end) - 1 for end in own.grid.closes(own.bars.time)]


def with_gaps(places: list[int]) -> list[int]:
    """Return the indices `places` with -1 in place of each index that repeats the index before it."""
    return [-1 if i and places[i - 1] == place else place for i, place in enumerate(places)]


def within(own: Chart, chart: Chart, i: int) -> slice:
    """Return the range of bars of `chart` that begin within bar `i` of `own`."""
    times = chart.bars.time
    return slice(bisect_right(times, own.bars.time[i] - 1), bisect_right(times, own.close_time(i) - 1))


def _makes_days(chart: Chart) -> bool:
    """Whether the bars of a chart are days or longer, and are made of shorter ones."""
    return not chart.timeframe.is_intraday and timeframe_of(chart.symbol.timeframe).is_intraday


class RequestRun(Protocol):
    """The code of a request on its bars. It has the result of each bar, and can run the last bar again."""

    results: list[Any]
    execution: Any

    def history(self) -> None: ...

    def again(self) -> None: ...


class Requests:
    """The `request.*` functions of one execution."""

    def __init__(self, execution: Any, begin: Callable[[int, Chart], RequestRun], sources: Sources) -> None:
        """Prepare the requests of `execution`. `begin` runs the code of the request with a number on the bars of a
        chart."""
        self.execution = execution
        self.begin = begin
        self.sources = sources
        self._runs: dict[tuple[int, str, str], tuple[RequestRun, Chart] | None] = {}
        self._merged: dict[tuple[Chart, bool], list[int]] = {}

    def refresh(self) -> None:
        """Update all requests made so far, after bars were added or the last bar changed."""
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
        """Return the value of request `number` on this bar, or `empty` if there is none. The other arguments are the
        same as in Pine."""
        found = self._run(number, symbol, timeframe, ignore_invalid_symbol, calc_bars_count)
        if found is None:
            return empty
        values, chart = found
        if not self._is_in(currency, chart):
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
        """Return the values of a request with constant arguments on all bars except the last, before these bars run.

        Raises LookupError if no bars were found, or if the requested currency is not the currency of the symbol.
        """
        own = self.execution
        found = self._run(
            number, asked["symbol"], asked["timeframe"], asked["ignore_invalid_symbol"], asked["calc_bars_count"]
        )
        if found is None or not self._is_in(asked["currency"], found[1]):
            raise LookupError(number)
        values, chart = found
        places = self._places(chart, asked["lookahead"] == "lookahead_on")[: len(own.chart) - 1]
        if asked["gaps"] == "gaps_on":
            places = with_gaps(places)
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
        """Return the values on the shorter bars within this bar as an array, or a tuple of arrays for a tuple. The
        other arguments are the same as in Pine. Raises RuntimeFault for longer bars than the chart's."""
        own = self.execution.chart
        if is_longer(own, timeframe or ""):
            if not ignore_invalid_timeframe:
                asked = timeframe_of(timeframe or "")
                raise RuntimeFault("lower-timeframe", timeframe=asked.text, chart=own.timeframe.text)
            return _arrays([], empty)
        found = self._run(number, symbol, timeframe, ignore_invalid_symbol, calc_bars_count)
        if found is None or not self._is_in(currency, found[1]):
            return _arrays([], empty)
        values, chart = found
        return _arrays(values[within(own, chart, self.execution.index)], empty)

    def _is_in(self, currency: str | None, chart: Chart) -> bool:
        """Whether the values of a symbol are in the requested currency; they are if none is requested. If they are not,
        add one note."""
        if not currency:
            return True
        self.execution.host.assume(("syminfo.currency",), chart.symbol)
        if needs_rate(chart, currency):
            self.execution.host.note(f"the rate of {chart.symbol.currency} in {currency}")
            return False
        return True

    def _run(
        self, number: int, symbol: str | None, timeframe: str | None, ignore: bool, count: float
    ) -> tuple[list[Any], Chart] | None:
        """The values of a request on its bars, computed once for each symbol and timeframe."""
        key = (number, symbol or "", timeframe or "")
        if key not in self._runs:
            self.execution.host.count_request((self.execution.code.asked[number], *key[1:]))
            chart = self._chart(symbol or "", timeframe or "", ignore, count)
            self._note(number, symbol or "", timeframe or "", chart)
            if chart is not None:
                read = self.execution.code.requests[number].lowering.read
                self.execution.host.assume({*read, DAYS_OF_REQUESTS} if _makes_days(chart) else read, chart.symbol)
            self._runs[key] = None if chart is None else (self.begin(number, chart), chart)
        found = self._runs[key]
        return None if found is None else (found[0].results, found[1])

    def _note(self, number: int, symbol: str, timeframe: str, chart: Chart | None) -> None:
        """Record which bars a request got."""
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
        found = self.sources.asked(self.execution.chart, symbol, timeframe, count)
        if found is not None:
            return found
        ticker = Ticker.read(symbol)
        asked = timeframe_of(timeframe) if timeframe else self.execution.chart.timeframe
        if self.sources.knows(ticker):
            self.execution.host.note(f"{ticker.name or 'the symbol'} in {asked.text}, for which there are no bars,")
            return None
        if ignore:
            self.execution.host.note(f"{ticker.name}, for which there are no bars,")
            return None
        raise NotComputed(f"a request for {ticker.name}", hint="Give bars for that symbol.")

    def _places(self, chart: Chart, ahead: bool) -> list[int]:
        """For each bar of this execution, the number of the requested bar whose value it sees; -1 for none."""
        key = (chart, ahead)
        known = self._merged.get(key)
        if known is None or len(known) < len(self.execution.chart):
            known = self._merged[key] = merged(self.execution.chart, chart, ahead)
        return known

    def _place(self, chart: Chart, ahead: bool, number: int) -> int:
        """The number of the requested bar that bar `number` sees, as `_places` computes for all bars. Real-time updates
        use it, because they need only one or two bars."""
        own = self.execution.chart
        if chart is own or number < 0:
            return number
        times = chart.bars.time
        if ahead:
            return bisect_right(times, own.bars.time[number]) - 1
        end = own.close_time(number)
        last = bisect_left(times, end) - 1
        # A bar that is still open sees the open requested bar, or the last shorter bar so far.
        if number > self.execution.last_history_index or last < 0 or chart.close_time(last) <= end:
            return last
        return last - 1

    def missing(self, name: str, empty: Any) -> Any:
        """Return `empty` for the data `name`, which is not available, and add one note."""
        self.execution.host.note(name)
        return empty

    def currency_rate(self, base: str | None, to: str | None) -> float:
        """Return 1 for the rate between a currency and itself, else na with one note."""
        if base == to:
            return 1.0
        self.execution.host.note(f"the rate of {base} in {to}")
        return NA


def _arrays(values: list[Any], empty: Any) -> Any:
    if not isinstance(empty, tuple):
        return Array(values)
    return tuple(Array([value[number] for value in values]) for number in range(len(empty)))

"""Fetches the series that indicators and scripts request besides the bars, such as funding and open interest.

A script requests them by the chart's symbol with a suffix, such as `syminfo.tickerid + "_FUNDING"`, and the fear and
greed index as `FEAR_GREED`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, Timeframe, timeframe
from pinebench.context import Context
from pinebench.errors import UnavailableError, UsageError
from pinebench.indicators.indicator_requests import IndicatorRequest
from pinebench.indicators.indicator_runs import IndicatorFailure, IndicatorRun, compute
from pinebench.indicators.sources import SourceBars, is_pair
from pinebench.market import Bars, FeedBars, SymbolInfo, fetch, longest_ms, read_step, step_name
from pinebench.runtime import RequestSource
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_HOUR = 3_600_000
_FEEDS = ("binance", "yahoo")
"""The feeds from which shorter bars of the chart's symbol are requested."""
_MOST_SHORTER = 100_000
"""The largest number of shorter bars that are fetched. Bars of the chart before them have no value."""
_MOST_SAID = 5
"""The largest number of warnings of one script that an answer has as remarks."""


class _Series(NamedTuple):
    """A series of Binance: its name there, its name for people, and the milliseconds for which a value holds. A value
    of a series whose `holds` is 0 holds for two steps of its timeframe."""

    name: str
    about: str
    holds: int = 0


_TAKER = "_TAKER"
_SERIES = {
    "_FUNDING": _Series("funding", "funding rate", 8 * _HOUR),
    "_OI": _Series("open_interest", "open interest"),
    "_LONGS": _Series("long_accounts", "share of long accounts"),
    "_SHORTS": _Series("short_accounts", "share of short accounts"),
    _TAKER: _Series("taker_buy", "taker buy volume"),
}
"""The series of Binance by the endings with which scripts request them."""
_INDEX = "FEAR_GREED"
_STATISTICS = ("5", "15", "30", "60", "120", "240", "360", "720", "1D")
"""The timeframes of Binance's statistics, the shortest first."""


@dataclass
class IndicatorAnswer:
    """The results of the requested indicators, in the order of the requests. `feeds` maps an indicator's key to a
    description of the source of its fetched series. `remarks` holds sentences for people."""

    runs: list[IndicatorRun | IndicatorFailure] = field(default_factory=list[IndicatorRun | IndicatorFailure])
    feeds: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    remarks: list[str] = field(default_factory=list[str])

    @property
    def computed(self) -> list[IndicatorRun]:
        """The indicators that were computed."""
        return [run for run in self.runs if isinstance(run, IndicatorRun)]

    @property
    def failed(self) -> list[IndicatorFailure]:
        """The indicators that were not computed because a series could not be fetched."""
        return [run for run in self.runs if isinstance(run, IndicatorFailure)]


def compute_all(
    requests: Sequence[IndicatorRequest], loaded: SourceBars, context: Context | None = None, *, dark: bool = False
) -> IndicatorAnswer:
    """Compute indicators on bars, and fetch the series that they request. Scripts can read whether the chart is `dark`.

    If a series cannot be fetched, its indicator becomes an IndicatorFailure. The others are computed anyway. Raises the
    first error if all indicators failed, and the errors of `compute`.
    """
    answered, feeder = IndicatorAnswer(), _Feeder(loaded)
    for one in requests:
        try:
            others, told = feeder.fetch_for(one, answered.remarks)
        except (UsageError, UnavailableError) as error:
            kind = UnavailableError if isinstance(error, UnavailableError) else UsageError
            answered.runs.append(IndicatorFailure(one, kind(f"{one.key}: {error.message}", error.hint)))
            continue
        one = feeder.with_shorter(one, others, told, answered.remarks)
        series = loaded.others | others
        run = compute(one, loaded.bars, loaded.symbol, loaded.shown, series, context, dark=dark)
        answered.runs.append(run)
        answered.remarks += _said(run)
        if told:
            answered.feeds[one.key] = told
    if answered.failed and not answered.computed:
        raise answered.failed[0].error
    return answered


def _said(run: IndicatorRun) -> list[str]:
    """The warnings of the script on the last bar. Of a script of the user, also which values are not known here."""
    last = len(run.result.times) - 1
    warnings = [log.message for log in run.result.logs if log.level == "warning" and log.bar == last]
    notes = run.result.notes if run.asked.record is None else ()
    return [f"{run.asked.key}: {words}" for words in dict.fromkeys((*warnings, *notes))][:_MOST_SAID]


class _Feeder:
    """Fetches series for the bars `loaded`, each only once."""

    def __init__(self, loaded: SourceBars) -> None:
        self._loaded = loaded
        self._known: dict[str, FeedBars | UsageError | UnavailableError] = {}

    def fetch_for(
        self, request: IndicatorRequest, remarks: list[str]
    ) -> tuple[dict[str, RequestSource], dict[str, Any]]:
        """Return the series that a request's script needs, by name, and the description of their source.

        Raises UsageError if the chart's symbol has no such series, and UnavailableError if it cannot be fetched.
        """
        others: dict[str, RequestSource] = {}
        told: dict[str, Any] = {}
        for ending in _wanted(request):
            symbol = self._loaded.symbol
            name = ending if ending == _INDEX else f"{symbol.prefix}:{symbol.symbol}{ending}"
            if {name, name.rpartition(":")[2]} & set(self._loaded.others):
                continue  # bars of this name were given
            reason = self._missing(ending)
            if reason is None:
                others[name], more = self._fetched(ending)
                told = _together(told, more)
            elif ending == _TAKER:
                remarks.append(
                    f"{request.key}: {reason}; buying and selling are estimated from where each bar closes in its range"
                )
            elif request.record is not None:
                raise UsageError(reason, "request a Binance pair, such as BTCUSDT, or give the series in data")
        return others, told

    def with_shorter(
        self, request: IndicatorRequest, others: dict[str, RequestSource], told: dict[str, Any], remarks: list[str]
    ) -> IndicatorRequest:
        """Fetch the bars of a shorter timeframe that an indicator needs; return the request with this timeframe set.

        Add the bars to `others`, and the description of their source to `told`. If they cannot be fetched, add the
        reason to `remarks`.
        """
        loaded, symbol = self._loaded, self._loaded.symbol
        own = f"{symbol.prefix}:{symbol.symbol}"
        known = {own, symbol.symbol} & set(loaded.others)
        if request.record is None or not request.record.lower or known or loaded.feed not in _FEEDS or not loaded.shown:
            return request
        given = request.inputs.get(request.record.lower)
        step = timeframe(str(given) if given else _shorter(timeframe(symbol.timeframe)))
        begin = loaded.bars.time[-loaded.shown]
        count = math.ceil((time.time() * 1000 - begin) / longest_ms(step)) + 3
        name = f"{loaded.feed}:{symbol.symbol}:{step_name(step)}"
        try:
            found = self._fetch(name, min(count, _MOST_SHORTER))
        except (UsageError, UnavailableError) as error:
            remarks.append(f"{request.key}: {error.message}")
            return request
        others[own] = RequestSource(found.bars, found.symbol)
        times = found.bars.time
        told |= _together(told, _told(name, times, found))
        return replace(request, inputs={**request.inputs, request.record.lower: step.text})

    def _missing(self, ending: str) -> str | None:
        """Why the chart's symbol has no such series; None if it can be fetched."""
        loaded = self._loaded
        if loaded.kind == "sample":
            return f"made-up bars have no {_about(ending)}"
        if ending == _TAKER:
            return None if loaded.feed == "binance" else "these bars have no taker buy volume"
        prefix, symbol = loaded.symbol.prefix, loaded.symbol.symbol
        if ending == _INDEX or prefix == "BINANCE" or (not prefix and is_pair(symbol)):
            return None
        return f"{loaded.name} has no {_about(ending)}: only Binance pairs have one"

    def _fetched(self, ending: str) -> tuple[RequestSource, dict[str, Any]]:
        """The values of a series on the bars, and what an answer says of it."""
        name, holds = self._name(ending)
        found = self._fetch(name)
        bars, symbol = self._loaded.bars, self._loaded.symbol
        made = _same_bars(found, bars, name) if ending == _TAKER else _held(found, bars, symbol, holds)
        valued = [time for time, value in zip(made.time, made.close, strict=True) if not math.isnan(value)]
        if not valued:
            raise UnavailableError(
                f"{name} has no value on these bars", "request newer bars, or give the series in data"
            )
        return RequestSource(made, symbol), _told(name, valued, found)

    def _name(self, ending: str) -> tuple[str, int]:
        """The name of the bars of a series, and for how many milliseconds one of its values holds."""
        if ending == _INDEX:
            return "feargreed:INDEX:1d", 24 * _HOUR
        series, own = _SERIES[ending], timeframe(self._loaded.symbol.timeframe)
        if ending == _TAKER:
            step = own
        elif series.holds:
            step = timeframe("480")
        else:
            fitting = [each for each in map(timeframe, _STATISTICS) if each.seconds <= own.seconds]
            step = fitting[-1] if fitting else timeframe(_STATISTICS[0])
        pair = self._loaded.symbol.symbol.removesuffix(".P")
        name = f"binance:{pair}.{series.name}:{step_name(step)}"
        return name, series.holds or 2 * longest_ms(step)

    def _fetch(self, name: str, count: int = 0) -> FeedBars:
        """The last `count` values of a series, by default from the first bar on. Raises the same error again for one
        that failed."""
        known = self._known.get(name)
        if known is None:
            times = self._loaded.bars.time
            step = longest_ms(read_step(name.rpartition(":")[2]))
            if not count and times:
                count = math.ceil((time.time() * 1000 - times[0]) / step) + 3
            try:
                known = fetch(name, max(count, 1))
            except (UsageError, UnavailableError) as error:
                known = error
            self._known[name] = known
        if isinstance(known, FeedBars):
            return known
        raise known


def _told(name: str, times: Sequence[int], found: FeedBars) -> dict[str, Any]:
    """The description of the source of a series."""
    return {"source": name, "first_bar": times[0] // 1000, "last_bar": times[-1] // 1000, "read": found.freshness}


def _together(told: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The description of several series: all sources, and the bars on which all of them have values."""
    if not told:
        return more
    return {
        "source": f"{told['source']}, {more['source']}",
        "first_bar": max(told["first_bar"], more["first_bar"]),
        "last_bar": min(told["last_bar"], more["last_bar"]),
        "read": "; ".join(dict.fromkeys((told["read"], more["read"]))),
    }


def _shorter(step: Timeframe) -> str:
    """The timeframe of the bars that tell bought from sold volume within bars of `step`, as on TradingView."""
    if step.seconds <= 60:
        return "1S"
    return "1" if step.is_intraday else "5" if step.unit == "D" else "60"


def _wanted(one: IndicatorRequest) -> list[str]:
    """The endings and names of series for which a script asks."""
    if str(one.inputs.get("taker", True)).lower() == "false":
        return []
    found = [
        each.text[1:-1]
        for chunk in one.program.document.chunks
        for each in walk(chunk.body)
        if isinstance(each, nodes.Literal) and each.kind == "string"
    ]
    return [each for each in dict.fromkeys(found) if each in _SERIES or each == _INDEX]


def _about(ending: str) -> str:
    return "fear and greed index" if ending == _INDEX else _SERIES[ending].about


def _held(found: FeedBars, bars: Bars, symbol: SymbolInfo, holds: int) -> Bars:
    """For each bar the last value that was known before it closed, if it was still held when the bar opened."""
    points = list(zip(found.bars.time, found.bars.close, strict=True))
    if found.forming is not None:
        points.append((found.forming.time, found.forming.close))  # it is a value of that moment, which does not change
    made, place = Bars(), 0
    for opening, close in zip(bars.time, _closes(bars, symbol), strict=True):
        while place < len(points) and points[place][0] < close:
            place += 1
        is_held = place > 0 and points[place - 1][0] + holds > opening
        value = points[place - 1][1] if is_held else math.nan
        made.append(opening, value, value, value, value, math.nan)
    return made


def _closes(bars: Bars, symbol: SymbolInfo) -> list[float]:
    """When bars close, in milliseconds UTC: at the end of their timeframe or session, and before the next one opens."""
    step = timeframe(symbol.timeframe)
    grid = BarGrid(step, session(symbol.session, symbol.timezone), long_chart=not step.is_intraday)
    ends = [*bars.time[1:], math.inf]
    return [min(close, end) for close, end in zip(grid.closes(bars.time), ends, strict=True)]


def _same_bars(found: FeedBars, bars: Bars, name: str) -> Bars:
    """The fetched bars that open with `bars`. Raises UnavailableError if one is missing: no sum mixes two measures."""
    places = {time: place for place, time in enumerate(found.bars.time)}
    missing = sum(time not in places for time in bars.time)
    if missing:
        raise UnavailableError(
            f"{name} has no value on {missing} of {len(bars)} bars", "try again, or request fewer bars"
        )
    return found.bars.at([places[time] for time in bars.time])

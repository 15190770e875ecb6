"""Bars for the studio's chart: from the user's own files, or else from the sample market."""

from __future__ import annotations

import math
import sys
import threading
from bisect import bisect_right
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pinebench.amounts import tick_decimals
from pinebench.calendars.timeframes import Timeframe
from pinebench.market import Bars, SymbolInfo, in_timeframe, sample_bars, samples
from pinebench.runtime import aggregation
from pinebench.studio.own import OwnBars, OwnSeries

MOST_BARS = 20_000
"""The largest number of bars that a chart shows; scripts run on all bars of the symbol."""
_MOST_MADE = 5_000
_MOST_MINUTES = 120_000
"""The limits of the history that the sample market makes for scripts, in bars and in minutes."""
_DAY, _MINUTE = 86_400, 60
_SETTLED = 100
"""The extra bars before averaged ones. Each averaged bar halves the weight of the bars before it, so that after 100
bars the first one no longer matters."""


class Bar(NamedTuple):
    """One bar; `time` is the Unix time in seconds at which it opens."""

    time: int
    open: float
    high: float
    low: float
    close: float
    volume: float


class ChartBars(NamedTuple):
    """The bars of a chart as scripts see them, with their symbol and timeframe."""

    bars: Bars
    symbol: SymbolInfo
    timeframe: Timeframe
    standard: Bars | None = None
    """The market's bars, if the chart has Heikin Ashi bars; else None."""


class StudioBars:
    """The source of the chart's bars: the user's own files, and the sample market for all other symbols."""

    def __init__(self, folder: Path | None = None, kept: Path | None = None) -> None:
        """Read the files of `folder` (`NASDAQ_AAPL_60.csv`), and those in `kept`, which a person opened in the page.

        Raises UsageError, which names a file of `folder` and its fault.
        """
        self.own = OwnBars(folder, kept)
        self._lock = threading.Lock()
        self._generation = -1
        self._joined: dict[tuple[str, str], Bars] = {}
        """Bars that were made from bars of a shorter timeframe, by symbol and resolution."""
        self._symbols: tuple[samples.SampleSymbol, ...] = samples.SAMPLES

    @property
    def symbols(self) -> tuple[samples.SampleSymbol, ...]:
        """Every symbol of the sample market and of the user's own bars."""
        self._follow()
        return self._symbols

    @property
    def generation(self) -> int:
        """A number that grows whenever the user's own bars change."""
        self._follow()
        return self._generation

    def _follow(self) -> None:
        """If the user's own bars have changed, forget everything that was made from the old ones."""
        self.own.look()
        with self._lock:
            if self._generation == self.own.generation:
                return
            self._generation = self.own.generation
            self._joined = {}
            own = {one.name: _own_symbol(one) for one in self.own.series if samples.find(one.name) is None}
            self._symbols = (*samples.SAMPLES, *own.values())

    @property
    def _series(self) -> tuple[OwnSeries, ...]:
        return self.own.series

    def is_own(self, symbol: samples.SampleSymbol) -> bool:
        """Return whether the symbol's bars are the user's own: from a file, or fetched from the web."""
        return any(one.name == symbol.full_name for one in self._series)

    def info(self, symbol: samples.SampleSymbol) -> SymbolInfo:
        """Return the symbol's properties, with the timeframe of the user's first file for it, or with a day."""
        series = self._series_of(symbol)
        return series[0].symbol if series else symbol.info("D")

    def told(self, symbol: samples.SampleSymbol) -> list[str]:
        """Return sentences for people about the source of the user's bars of the symbol, and about assumed values."""
        return list(dict.fromkeys(each for one in self._series_of(symbol) for each in one.told))

    def first_bars(self, symbol: samples.SampleSymbol) -> dict[str, int]:
        """Return the opening time of the symbol's first bar, in Unix seconds, under TradingView's names
        (`first_bar_time_1d`). The sample market has no beginning, so the result for its symbols is empty."""
        found: dict[str, int] = {}
        for one in self._series_of(symbol):
            kinds = [
                "1d",
                *(["1m"] if one.timeframe.seconds < _DAY else []),
                *(["1s"] if one.timeframe.seconds < _MINUTE else []),
            ]
            for kind in kinds if one.bars.time else ():
                name, first = f"first_bar_time_{kind}", one.bars.time[0] // 1000
                found[name] = min(first, found.get(name, first))
        return found

    def has_volume(self, symbol: samples.SampleSymbol, resolution: Timeframe) -> bool:
        """Return whether the source of the symbol's bars has volumes. A volume of 0 counts as a volume."""
        source = self._source_of(symbol, resolution)
        return not self.is_own(symbol) if source is None else not all(map(math.isnan, source.bars.volume))

    def bars(
        self, symbol: samples.SampleSymbol, resolution: Timeframe, count: int, *, heikin_ashi: bool = False
    ) -> list[Bar]:
        """Return the last `count` bars, oldest first. The list is empty if all the user's bars of the symbol have
        timeframes longer than `resolution`."""
        if heikin_ashi:
            count = min(count, MOST_BARS)
            return _as_rows(averaged(self.chart(symbol, resolution, count + _SETTLED), count).bars)
        return _as_rows(self.chart(symbol, resolution, min(count, MOST_BARS)).bars)

    def whole(
        self, symbol: samples.SampleSymbol, resolution: Timeframe, count: int, until: int | None = None
    ) -> tuple[ChartBars, int]:
        """Return the bars on which scripts run, and the number of bars at their end that a chart of `count` bars shows.

        Scripts on the user's own symbols run on all their bars. The sample market has no beginning, so scripts on its
        symbols run on a number of bars that depends only on `resolution` and `count`. Bars that open after `until`
        (Unix seconds) are left out.
        """
        count = max(1, min(count, MOST_BARS))
        every = self.chart(symbol, resolution, max(count, self._depth(symbol, resolution)))
        shown = min(count, len(every.bars))
        if until is None:
            return every, shown
        bars = every.bars.at(range(bisect_right(every.bars.time, until * 1000)))
        return every._replace(bars=bars), max(0, shown - len(every.bars) + len(bars))

    def _depth(self, symbol: samples.SampleSymbol, resolution: Timeframe) -> int:
        if self.is_own(symbol):
            return sys.maxsize
        return MOST_BARS if resolution.unit else min(_MOST_MADE, _MOST_MINUTES // resolution.multiplier)

    def chart(
        self, symbol: samples.SampleSymbol, resolution: Timeframe, count: int, until: int | None = None
    ) -> ChartBars:
        """Return the last `count` bars as scripts see them, without bars that open after `until` (Unix seconds)."""
        count = max(1, count)
        joined = self._joined  # before the bars, so that no old ones are kept for new ones
        series = self._series_of(symbol)
        if not series:
            info, bars = symbol.info(resolution.text), sample_bars(symbol, resolution, count)
        else:
            finest = self._source_of(symbol, resolution)
            if finest is None:
                return ChartBars(Bars(), replace(series[0].symbol, timeframe=resolution.text), resolution)
            key = symbol.full_name, resolution.text
            if key not in joined:
                joined[key] = in_timeframe(finest.bars, finest.symbol, resolution.text)
            info, bars = replace(finest.symbol, timeframe=resolution.text), joined[key]
        bars = bars.last(count)
        if until is not None:
            bars = bars.at(range(bisect_right(bars.time, until * 1000)))
        return ChartBars(bars, info, resolution)

    def lower(self, symbol: samples.SampleSymbol, resolution: Timeframe) -> Bars | None:
        """Return the user's bars with the longest timeframe below `resolution`, or None. They give the prices inside a
        bar."""
        fine = [one for one in self._series_of(symbol) if one.timeframe.seconds < resolution.seconds]
        return max(fine, key=lambda one: one.timeframe.seconds).bars if fine else None

    def others(self, symbol: samples.SampleSymbol, resolution: Timeframe) -> dict[str, ChartBars]:
        """Return the user's symbols that scripts on a chart of `symbol` may request, each with the bars of its shortest
        timeframe."""
        found: dict[str, ChartBars] = {}
        for one in self._series:
            name, timeframe = one.name, one.timeframe
            is_shorter = timeframe.seconds < resolution.seconds
            if (name != symbol.full_name or is_shorter) and (
                name not in found or timeframe.seconds < found[name].timeframe.seconds
            ):
                found[name] = ChartBars(one.bars, replace(one.symbol, timeframe=timeframe.text), timeframe)
        return found

    def _source_of(self, symbol: samples.SampleSymbol, resolution: Timeframe) -> OwnSeries | None:
        """The user's bars that a chart of `resolution` is made from: the longest that are not longer. None without."""
        fine = [one for one in self._series_of(symbol) if one.timeframe.seconds <= resolution.seconds]
        return max(fine, key=lambda one: one.timeframe.seconds, default=None)

    def _series_of(self, symbol: samples.SampleSymbol) -> list[OwnSeries]:
        return [one for one in self._series if one.name == symbol.full_name]


def averaged(chart: ChartBars, count: int) -> ChartBars:
    """Return the chart with its last `count` bars as Heikin Ashi bars, computed from all bars of the chart."""
    made = aggregation.GrowingColumns()
    aggregation.average(chart.bars, made, 0)
    bars = Bars(made.time, made.open, made.high, made.low, made.close, made.volume)
    return chart._replace(bars=bars.last(count), standard=chart.bars.last(count))


def _as_rows(bars: Bars) -> list[Bar]:
    """Bars with times in seconds; an unknown volume becomes 0."""
    return [
        Bar(time // 1000, o, h, low, c, 0.0 if math.isnan(volume) else volume)
        for time, o, h, low, c, volume in zip(*bars.columns(), strict=True)
    ]


def _own_symbol(series: OwnSeries) -> samples.SampleSymbol:
    """The symbol of the user's own bars. Its type and its currency are empty if no source says them."""
    info = series.symbol
    around = samples.MarketHours(0, 1440, frozenset(range(7)))
    name = f"{info.symbol} (your data)"
    return samples.SampleSymbol(
        info.prefix, info.symbol, name, series.type, series.currency, tick_decimals(info.mintick), around, 1, 0, 0, 0
    )

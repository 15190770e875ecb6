"""Bars for the studio's chart: the sample market, and CSV files of a folder in its place."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import UsageError
from pinebench.market.aggregation import in_timeframe
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.information import symbol_info
from pinebench.market.reading import read_csv
from pinebench.market.sample import sample_bars
from pinebench.market.samples import SAMPLES, Session, Symbol, find
from pinebench.runtime.aggregation import Columns, average

MOST_BARS = 20_000
_SETTLED = 100
"""An averaged bar depends on all before it, on each by half as much; after so many nobody sees where they began."""


class Bar(NamedTuple):
    """One bar; `time` is the unix time in seconds at which it opens."""

    time: int
    open: float
    high: float
    low: float
    close: float
    volume: float


class Chart(NamedTuple):
    """The bars of a chart as scripts see them: whose, in which timeframe."""

    bars: Bars
    symbol: SymbolInfo
    timeframe: Timeframe
    standard: Bars | None = None
    """The market's bars, where those of the chart are averaged as Heikin Ashi are."""


def parse_resolution(text: str) -> Timeframe | None:
    """`5`, `60`, `4H`, `D`, `1D`, `W`, `3M` as a timeframe; None when it is no chart's or out of range."""
    match = re.fullmatch(r"([0-9]{0,4})([HDWM]?)", text.strip().upper())
    if match is None or not text.strip():
        return None
    count, unit = int(match[1] or 1), match[2]
    if unit == "H":
        count, unit = count * 60, ""
    most = {"": 1440, "D": 365, "W": 52, "M": 12}[unit]
    return Timeframe(count, unit) if 1 <= count <= most else None


class Market:
    """Where the chart's bars come from: CSV files of a folder first, the sample market otherwise."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read the CSV files of `folder` (`NASDAQ_AAPL_60.csv`); raises UsageError naming the file and its fault."""
        self._series = list(_read_folder(folder)) if folder is not None else []
        own = {_full_name(info): _csv_symbol(info) for info, _, _ in self._series if find(_full_name(info)) is None}
        self.symbols: tuple[Symbol, ...] = (*SAMPLES, *own.values())
        self._joined: dict[tuple[str, str], Bars] = {}
        """Bars that were made of shorter ones, by symbol and resolution."""

    def is_own(self, symbol: Symbol) -> bool:
        """Whether the symbol's bars come from a CSV file."""
        return any(_full_name(info) == symbol.full_name for info, _, _ in self._series)

    def bars(self, symbol: Symbol, resolution: Timeframe, count: int, *, heikin_ashi: bool = False) -> list[Bar]:
        """The last `count` bars, oldest first; empty where a CSV symbol has no data fine enough for `resolution`."""
        if not heikin_ashi:
            return _as_rows(self.chart(symbol, resolution, count).bars)
        return _as_rows(averaged(self.chart(symbol, resolution, count + _SETTLED), count).bars)

    def averaged(self, symbol: Symbol, resolution: Timeframe, count: int, until: int | None = None) -> Chart:
        """As `chart`, with the bars of Heikin Ashi."""
        plain = self.chart(symbol, resolution, count, until)
        return averaged(self.chart(symbol, resolution, count + _SETTLED, until), len(plain.bars))

    def chart(self, symbol: Symbol, resolution: Timeframe, count: int, until: int | None = None) -> Chart:
        """The last `count` bars as scripts see them, without those that open after `until` (unix seconds)."""
        count = max(1, min(count, MOST_BARS))
        series = self._series_of(symbol)
        if not series:
            info, bars = symbol.info(resolution.text), sample_bars(symbol, resolution, count)
        else:
            fine = [one for one in series if one[1].seconds <= resolution.seconds]
            if not fine:
                return Chart(Bars(), replace(series[0][0], timeframe=resolution.text), resolution)
            info, _, finest = max(fine, key=lambda one: one[1].seconds)
            key = (symbol.full_name, resolution.text)
            if key not in self._joined:
                self._joined[key] = in_timeframe(finest, info, resolution.text)
            info, bars = replace(info, timeframe=resolution.text), self._joined[key]
        bars = bars.last(count)
        if until is not None:
            bars = bars.at(range(bisect_right(bars.time, until * 1000)))
        return Chart(bars, info, resolution)

    def others(self, symbol: Symbol, resolution: Timeframe) -> dict[str, Chart]:
        """The own symbols that scripts on a chart of `symbol` may ask for, with the shortest bars that there are."""
        found: dict[str, Chart] = {}
        for info, timeframe, bars in self._series:
            name = _full_name(info)
            is_shorter = timeframe.seconds < resolution.seconds
            if (name != symbol.full_name or is_shorter) and (
                name not in found or timeframe.seconds < found[name].timeframe.seconds
            ):
                found[name] = Chart(bars, replace(info, timeframe=timeframe.text), timeframe)
        return found

    def _series_of(self, symbol: Symbol) -> list[tuple[SymbolInfo, Timeframe, Bars]]:
        return [one for one in self._series if _full_name(one[0]) == symbol.full_name]


def averaged(chart: Chart, count: int) -> Chart:
    """The chart with the last `count` of its bars averaged as Heikin Ashi are, all of them looked at."""
    made = Columns()
    average(chart.bars, made, 0)
    bars = Bars(made.time, made.open, made.high, made.low, made.close, made.volume)
    return chart._replace(bars=bars.last(count), standard=chart.bars.last(count))


def _as_rows(bars: Bars) -> list[Bar]:
    """Bars with times in seconds; a chart shows volume that is unknown as none."""
    return [
        Bar(time // 1000, o, h, low, c, 0.0 if math.isnan(volume) else volume)
        for time, o, h, low, c, volume in zip(*bars.columns(), strict=True)
    ]


def _full_name(info: SymbolInfo) -> str:
    return f"{info.prefix}:{info.symbol}"


_CSV_NAME = re.compile(r"[^_]+_.+_(?P<resolution>\d*[A-Za-z]?)")


def _read_folder(folder: Path) -> Iterator[tuple[SymbolInfo, Timeframe, Bars]]:
    if not folder.is_dir():
        raise UsageError(f"there is no folder '{folder}'", "name a folder of CSV files such as NASDAQ_AAPL_60.csv")
    for path in sorted(folder.glob("*.csv")):
        match = _CSV_NAME.fullmatch(path.stem)
        resolution = parse_resolution(match["resolution"]) if match else None
        if resolution is None:
            raise UsageError(f"{path}: the name does not say what it holds", "call it EXCHANGE_SYMBOL_RESOLUTION.csv")
        bars = read_csv(path).bars
        yield symbol_info(path, bars), resolution, bars


def _csv_symbol(info: SymbolInfo) -> Symbol:
    decimals = len(f"{info.mintick:.8f}".rstrip("0").partition(".")[2])
    around = Session(0, 1440, frozenset(range(7)))
    return Symbol(info.prefix, info.symbol, f"{info.symbol} (CSV)", "stock", "", decimals, around, 1, 0, 0, 0)

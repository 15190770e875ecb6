"""Bars for the studio's chart: the sample market, and CSV files of a folder in its place."""

from __future__ import annotations

import math
import re
import sys
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

MOST_BARS = 20_000
"""How many bars a chart shows at most; scripts run on all that there are."""
_MOST_MADE = 5_000
_MOST_MINUTES = 120_000
"""How far back the sample market goes for scripts: so many bars, and as many as so many minutes come to."""


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

    def bars(self, symbol: Symbol, resolution: Timeframe, count: int) -> list[Bar]:
        """The last `count` bars, oldest first; empty where a CSV symbol has no data fine enough for `resolution`."""
        return _as_rows(self.chart(symbol, resolution, min(count, MOST_BARS)).bars)

    def whole(self, symbol: Symbol, resolution: Timeframe, count: int, until: int | None = None) -> tuple[Chart, int]:
        """All bars that there are, which are what scripts run on, and how many of them a chart of `count` shows.

        Own bars are all those of the file; the sample market, which has no beginning, has a fixed number. Neither has
        those that open after `until` (unix seconds).
        """
        count = max(1, min(count, MOST_BARS))
        every = self.chart(symbol, resolution, max(count, self._depth(symbol, resolution)))
        shown = min(count, len(every.bars))
        if until is None:
            return every, shown
        bars = every.bars.at(range(bisect_right(every.bars.time, until * 1000)))
        return every._replace(bars=bars), max(0, shown - len(every.bars) + len(bars))

    def _depth(self, symbol: Symbol, resolution: Timeframe) -> int:
        if self.is_own(symbol):
            return sys.maxsize
        return MOST_BARS if resolution.unit else min(_MOST_MADE, _MOST_MINUTES // resolution.multiplier)

    def chart(self, symbol: Symbol, resolution: Timeframe, count: int, until: int | None = None) -> Chart:
        """The last `count` bars as scripts see them, without those that open after `until` (unix seconds)."""
        count = max(1, count)
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

    def lower(self, symbol: Symbol, resolution: Timeframe) -> Bars | None:
        """The longest own bars that are shorter than a chart's, for what happens inside one; None without any."""
        fine = [one for one in self._series_of(symbol) if one[1].seconds < resolution.seconds]
        return max(fine, key=lambda one: one[1].seconds)[2] if fine else None

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

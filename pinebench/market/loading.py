"""Loads bars with what is known of their symbol: one file, or one for each of several symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pinebench.calendars.sessions import ranges
from pinebench.calendars.timeframes import timeframe
from pinebench.calendars.zones import zone
from pinebench.errors import UsageError
from pinebench.market.aggregation import in_timeframe
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.information import read_symbol_info, symbol_info
from pinebench.market.reading import read_csv


class Data(NamedTuple):
    """Bars, their symbol, and what the times of the file were taken for."""

    bars: Bars
    symbol: SymbolInfo
    times: str


def load(path: Path, info: Path | None = None, wanted: str | None = None) -> Data:
    """The bars of the CSV file `path`, in the timeframe `wanted` if one is asked for.

    What is known of the symbol comes from the TOML file `info`, else from one of the data's name beside it, from the
    name, and from the bars. Raises UsageError for what cannot be read, and for a timeframe shorter than the data's.
    """
    read = read_csv(path)
    if not len(read.bars):
        raise UsageError(f"{path}: has no bars", "expected at least one row below the names of the columns")
    symbol = symbol_info(path, read.bars) if info is None else read_symbol_info(info)
    checked(symbol, info or path.with_suffix(".toml"))
    if wanted is None:
        return Data(read.bars, symbol, read.times)
    bars = in_timeframe(read.bars, symbol, wanted)
    return Data(bars, replace(symbol, timeframe=timeframe(wanted).text), read.times)


def load_all(paths: Mapping[str, Path]) -> dict[str, Data]:
    """The bars of several symbols by the names that scripts ask for: `EXCHANGE:TICKER`, or the ticker alone."""
    return {name: _named(name, load(path)) for name, path in paths.items()}


def _named(name: str, data: Data) -> Data:
    prefix, _, ticker = name.rpartition(":")
    return data._replace(symbol=replace(data.symbol, symbol=ticker, prefix=prefix or data.symbol.prefix))


def checked(symbol: SymbolInfo, path: Path) -> SymbolInfo:
    """The symbol, if it names a zone, a session and a timeframe that there are. Raises UsageError naming `path`."""
    try:
        zone(symbol.timezone)
        timeframe(symbol.timeframe)
        known = ranges(symbol.session) is not None
    except UsageError as error:
        raise UsageError(f"{path}: {error.message}", error.hint) from None
    if not known:
        raise UsageError(
            f'{path}: "{symbol.session}" is no session',
            'Sessions look like "0930-1600:23456", "1700-1700:23456" or "24x7".',
        )
    return symbol

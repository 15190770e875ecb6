"""`pinebench.bars`: the bars of a symbol, from a file, a data frame, an exchange or the sample market."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinebench.api.frames import BarTable
from pinebench.errors import UsageError
from pinebench.market import (
    ASSUMED,
    Bars,
    BarsFile,
    Data,
    Description,
    SymbolInfo,
    bar_choice,
    bars_of,
    in_another,
    named,
    symbol_fields,
    tick_of,
    timeframe_of,
    with_properties,
)
from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.runtime import RequestSource as Requested

SymbolProperties = SymbolInfo | Mapping[str, Any]
"""The properties of a symbol: a `SymbolInfo`, or some of its fields by name, such as `{"mintick": 0.25}`."""


class SymbolBars(BarTable):
    """A symbol's bars and properties, as `pinebench.bars` returns them. The bars are in columns."""

    def __init__(self, data: Data) -> None:
        self._data = data

    @property
    def symbol(self) -> SymbolInfo:
        """The symbol's properties, which are `syminfo.*` in Pine."""
        return self._data.symbol

    @property
    def timeframe(self) -> str:
        """The timeframe of the bars in Pine's notation, for example `240` or `1D`."""
        return self._data.symbol.timeframe

    @property
    def is_sample(self) -> bool:
        """Whether the bars are invented, because they come from the sample market."""
        return self._data.kind == "sample"

    @property
    def remarks(self) -> list[str]:
        """Sentences for people about assumptions, changed or skipped rows, missing bars, and joined bars."""
        return self._data.remarks

    @property
    def times(self) -> Sequence[int]:
        """The opening time of each bar, in milliseconds UTC."""
        return self._data.bars.time

    @property
    def columns(self) -> dict[str, Sequence[float]]:
        """The columns `open`, `high`, `low`, `close` and `volume`. An unknown volume is nan."""
        bars = self._data.bars
        return {"open": bars.open, "high": bars.high, "low": bars.low, "close": bars.close, "volume": bars.volume}

    def last(self, count: int) -> SymbolBars:
        """Return the last `count` bars, or all bars if there are fewer. Raises ValueError if `count` is below 1."""
        if count < 1:
            raise ValueError(f"the number of bars must be 1 or more, not {count}")
        return SymbolBars(self._data._replace(bars=self._data.bars.last(count)))

    def in_timeframe(self, timeframe: str) -> SymbolBars:
        """Return the bars joined to a longer timeframe, such as `1D`. Raises UsageError for a shorter timeframe."""
        return SymbolBars(in_another(self._data, None, timeframe))

    def data(self) -> Data:
        """Return the bars and the symbol's properties as the `Data` object that pinebench's other packages use."""
        return self._data

    def __len__(self) -> int:
        return len(self._data.bars)

    def __repr__(self) -> str:
        symbol = self.symbol
        made_up = ", made up" if self.is_sample else ""
        return printable(f"<{len(self)} bars of {symbol.full_name}, {symbol.timeframe}{made_up}>")


AnyBars = Any
"""Bars of any kind that `pinebench.bars` reads."""


def bars(
    source: AnyBars, *, symbol: SymbolProperties | None = None, timeframe: str | None = None, count: int | None = None
) -> SymbolBars:
    """Return bars from any source.

    `source` can be:

    - the path of a CSV or Parquet file;
    - `sample:SYMBOL`, for invented bars of the sample market, as in `sample:AAPL@60x500`;
    - bars from the web, such as `binance:BTCUSDT:4h`, `yahoo:AAPL:1d` or `ccxt:EXCHANGE:SYMBOL:TIMEFRAME`;
    - a pandas or polars data frame, an Arrow table, or a dictionary. Its columns are time, open, high, low, close and
      optionally volume;
    - bars that this function returned.

    `symbol` replaces properties of the symbol. `timeframe` joins the bars to a longer timeframe. `count` is the number
    of bars from the web or the sample market (default: 1,000).

    Raises UsageError if the bars are invalid, or if `count` is given for other bars, and UnavailableError if an
    exchange cannot be reached or a package is missing.

    >>> import pinebench as pb
    >>> pb.bars("sample:AAPL@60x500")
    <500 bars of NASDAQ:AAPL, 60, made up>
    >>> pb.bars({"time": [1704067200, 1704153600], "open": [1, 2], "high": [2, 3], "low": [1, 2], "close": [2, 3]})
    <2 bars of CHART, 1D>
    """
    if count is not None and not (isinstance(source, str) and bar_choice.takes_count(source)):
        raise UsageError(
            f"count = {count} has no effect on bars that are given, or whose name has a number: all of them are used",
            f"leave count out, or use bars(...).last({count})",
        )
    data = _data(source, count)
    if symbol is not None:
        data = _described(data, symbol)
    return SymbolBars(data if timeframe is None else in_another(data, None, timeframe))


def others(named_bars: Mapping[str, AnyBars] | None) -> dict[str, Requested]:
    """Return the bars of other symbols by name, in the format that `request.security()` reads during a run."""
    from pinebench.runtime import RequestSource as Requested

    found = {name: named(name, bars(one).data()) for name, one in (named_bars or {}).items()}
    return {name: Requested(data.bars, data.symbol) for name, data in found.items()}


def _data(source: AnyBars, count: int | None) -> Data:
    if isinstance(source, SymbolBars):
        return source.data()
    if isinstance(source, Data):
        return source
    if isinstance(source, str | os.PathLike):
        return bar_choice.bars_named(os.fspath(source), count=count)
    read = BarsFile(Bars(*source.columns()), "") if isinstance(source, Bars) else bars_of(source)
    tick = tick_of(read.bars)
    symbol = SymbolInfo("CHART", "", timeframe=timeframe_of(read.bars), mintick=tick.size, assumed=ASSUMED)
    return Data(
        *(read.bars, symbol, read.times, "frame"),
        zone="" if read.has_zone else "UTC",
        tick=tick.origin,
        found=read.remarks,
    )


def _described(data: Data, given: SymbolProperties) -> Data:
    """The same bars with other properties of their symbol. Bars that are made up stay made up."""
    if isinstance(given, SymbolInfo):
        return data._replace(symbol=replace(given, is_made_up=given.is_made_up or data.symbol.is_made_up))
    return with_properties(data, Description(_PLACE, symbol_fields(_PLACE, dict(given))))


_PLACE = Path("symbol")
"""The name of the argument in messages."""

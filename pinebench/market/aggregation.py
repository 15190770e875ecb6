"""Joins bars into bars of a longer timeframe, aligned to the symbol's sessions like TradingView's."""

from __future__ import annotations

from pinebench.calendars.aggregation import aggregate
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, Timeframe, timeframe
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo

TAKER = "taker_buy"
"""The series of the volume that takers bought. Its prices are volumes, too, so the prices of a longer bar are sums."""


def in_timeframe(bars: Bars, symbol: SymbolInfo, text: str) -> Bars:
    """Join the bars of `symbol` into bars of the timeframe `text`. Return `bars` itself if they have this timeframe.

    Raises UsageError if `text` is not a timeframe, or if it is shorter than the timeframe of the bars.
    """
    wanted, own = timeframe(text), timeframe(symbol.timeframe)
    if wanted == own:
        return bars
    if wanted.seconds < own.seconds or wanted.unit == "T":
        raise UsageError(
            f"bars of {own.in_words()} cannot be aggregated to bars of {wanted.in_words()}",
            "choose a timeframe longer than the data's",
        )
    made = aggregate(bars, grid_of(wanted, symbol), Bars())
    if symbol.symbol.endswith(f".{TAKER}"):
        return Bars(made.time, *(list(made.volume) for _ in range(5)))
    return made


def grid_of(length: Timeframe, symbol: SymbolInfo) -> BarGrid:
    """Return the grid of the opening and closing times of `symbol`'s bars in the timeframe `length`."""
    return BarGrid(length, session(symbol.session, symbol.timezone), long_chart=not length.is_intraday)


def complete(bars: Bars, grid: BarGrid, begin: int, end: int) -> range:
    """Return the indexes of the complete bars in `bars`, which were joined from shorter bars. The shorter bars reach
    from `begin` to `end` (milliseconds UTC). There must be at least one joined bar."""
    first, last = grid.bar(begin), grid.bar(bars.time[-1])
    return range(int(first.open < begin), len(bars) - int(last.close > end))

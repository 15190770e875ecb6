"""Joins bars into bars of a longer timeframe, aligned to the symbol's sessions like TradingView's."""

from __future__ import annotations

from pinebench.calendars.aggregation import aggregate
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, timeframe
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo


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
    grid = BarGrid(wanted, session(symbol.session, symbol.timezone), long_chart=not wanted.is_intraday)
    return aggregate(bars, grid, Bars())

"""Bars in a longer timeframe, anchored to the symbol's sessions as TradingView anchors them."""

from __future__ import annotations

from pinebench.calendars.aggregation import aggregate
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import Grid, timeframe
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo


def in_timeframe(bars: Bars, symbol: SymbolInfo, text: str) -> Bars:
    """`bars` of `symbol` joined to bars of the timeframe `text`; they themselves where they have it.

    Raises UsageError for a timeframe that is none, and for one that is shorter than theirs.
    """
    wanted, own = timeframe(text), timeframe(symbol.timeframe)
    if wanted == own:
        return bars
    if wanted.seconds < own.seconds or wanted.unit == "T":
        raise UsageError(
            f"bars of {own.in_words()} cannot be made into bars of {wanted.in_words()}",
            "ask for a longer timeframe than the data's",
        )
    grid = Grid(wanted, session(symbol.session, symbol.timezone), long_chart=not wanted.is_intraday)
    return aggregate(bars, grid, Bars())

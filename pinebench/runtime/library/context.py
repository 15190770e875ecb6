"""The properties of the chart that built-ins read: symbol, timeframe, and the times of the bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from pinebench.calendars.sessions import Session, session
from pinebench.calendars.timeframes import BarGrid, Timeframe
from pinebench.runtime.library.clock import names_own_session, timeframe, zone


class SymbolProperties(Protocol):
    """The properties of a symbol that built-ins read."""

    @property
    def mintick(self) -> float:
        """The smallest step of the price (the tick)."""
        ...

    @property
    def timezone(self) -> str:
        """The time zone of the exchange."""
        ...

    @property
    def session(self) -> str:
        """The trading hours as a session string: `0930-1600:23456`, `1700-1700:23456`, `24x7`."""
        ...


class BarContext(Protocol):
    """The bar on which a call runs, with its chart."""

    @property
    def symbol(self) -> SymbolProperties:
        """The symbol of the chart, or of the running request."""
        ...

    @property
    def timeframe(self) -> str:
        """The timeframe of the bars, as Pine writes it: `15`, `1D`, `30S`."""
        ...

    @property
    def times(self) -> Sequence[int]:
        """The opening times of the bars in milliseconds UTC, at least up to the current bar."""
        ...

    @property
    def bar_index(self) -> int:
        """The index of the current bar."""
        ...


def opening(context: BarContext) -> int:
    """Return the opening time of the current bar in milliseconds UTC."""
    return context.times[context.bar_index]


def exchange(context: BarContext) -> Session:
    """Return the trading hours of the symbol."""
    return session(context.symbol.session, context.symbol.timezone)


def grid_of(
    context: BarContext, text: str | None, session_text: str | None = None, timezone: str | None = None
) -> BarGrid:
    """Return the opening and closing times (the grid) of a timeframe's bars in a session. An empty `text` means the
    timeframe of the chart, and an empty `session_text` means the symbol's own session. On a chart of daily or longer
    bars, a shorter timeframe means daily bars."""
    symbol = context.symbol
    return _grid(context.timeframe, symbol.session, symbol.timezone, text or "", session_text or "", timezone or "")


@lru_cache(256)
def _grid(chart: str, own: str, own_zone: str, text: str, session_text: str, timezone: str) -> BarGrid:
    bars = timeframe(chart)
    wanted = timeframe(text) if text else bars
    if wanted.is_intraday and not bars.is_intraday:
        wanted = Timeframe(1, "D")
    if timezone:
        zone(timezone)  # raises RuntimeFault if the zone is unknown
    where = session(own if names_own_session(session_text) else session_text, timezone or own_zone)
    return BarGrid(wanted, where, not bars.is_intraday)

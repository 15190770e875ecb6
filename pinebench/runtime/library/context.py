"""What built-ins need to know of the chart: symbol, timeframe, and the times of the bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from pinebench.calendars.sessions import Session, session
from pinebench.calendars.timeframes import Grid, Timeframe
from pinebench.runtime.library.clock import names_own_session, timeframe, zone


class Symbol(Protocol):
    """What built-ins need to know of a symbol."""

    @property
    def mintick(self) -> float:
        """The smallest step of the price."""
        ...

    @property
    def timezone(self) -> str:
        """The time zone of the exchange."""
        ...

    @property
    def session(self) -> str:
        """When the symbol trades, as a session string: `0930-1600:23456`, `1700-1700:23456`, `24x7`."""
        ...


class Context(Protocol):
    """The surroundings of a call."""

    @property
    def symbol(self) -> Symbol:
        """The symbol of the chart, or of the request that runs."""
        ...

    @property
    def timeframe(self) -> str:
        """The timeframe of the bars, as Pine writes it: `15`, `1D`, `30S`."""
        ...

    @property
    def times(self) -> Sequence[int]:
        """When the bars opened, in milliseconds UTC, at least up to the one that runs."""
        ...

    @property
    def bar_index(self) -> int:
        """The index of the bar that runs."""
        ...


def opening(context: Context) -> int:
    """When the bar that runs opened."""
    return context.times[context.bar_index]


def exchange(context: Context) -> Session:
    """When the symbol trades."""
    return session(context.symbol.session, context.symbol.timezone)


def grid_of(context: Context, text: str | None, session_text: str | None = None, timezone: str | None = None) -> Grid:
    """The bars of a timeframe, `text` being empty for that of the chart, in a session, empty for the symbol's own.

    A chart of days or longer gives days for a shorter timeframe.
    """
    symbol = context.symbol
    return _grid(context.timeframe, symbol.session, symbol.timezone, text or "", session_text or "", timezone or "")


@lru_cache(256)
def _grid(chart: str, own: str, own_zone: str, text: str, session_text: str, timezone: str) -> Grid:
    bars = timeframe(chart)
    wanted = timeframe(text) if text else bars
    if wanted.is_intraday and not bars.is_intraday:
        wanted = Timeframe(1, "D")
    if timezone:
        zone(timezone)  # stops the script where there is none
    where = session(own if names_own_session(session_text) else session_text, timezone or own_zone)
    return Grid(wanted, where, not bars.is_intraday)

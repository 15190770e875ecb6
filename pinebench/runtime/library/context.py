"""What built-ins need to know of the chart: symbol, timeframe, time zone and the times of the bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Symbol(Protocol):
    """What built-ins need to know of a symbol."""

    @property
    def prefix(self) -> str:
        """The exchange: `NASDAQ`."""
        ...

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

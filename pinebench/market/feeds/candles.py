"""The bars of feeds, each with its closing time, and the protocol of a feed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import UnavailableError
from pinebench.market.bars import SymbolInfo
from pinebench.printable import printable


class Candle(NamedTuple):
    """A bar of a feed. `time` and `end` are its opening and closing times in milliseconds UTC."""

    time: int
    end: int
    open: float
    high: float
    low: float
    close: float
    volume: float


class CandleAnswer(NamedTuple):
    """The bars of a symbol from a requested time on, oldest first, and the service's own clock in milliseconds UTC.

    The last bar may still be forming; in that case its `end` is after `now`.
    """

    candles: list[Candle]
    now: int


class Feed(Protocol):
    """The interface of a feed, a web service that offers bars."""

    name: str
    around_the_clock: bool
    """Whether the market trades around the clock. If it does, a bar is missing wherever two bars are further apart than
    their length."""

    def native(self, symbol: str, step: Timeframe) -> Timeframe:
        """Return the timeframe to request from the service, whose bars can be joined into bars of `step`.

        Raises UsageError if there is none.
        """
        ...

    def info(self, symbol: str, step: Timeframe) -> SymbolInfo:
        """Return the properties of a symbol with bars of `step`. Raises UsageError if the service does not have it."""
        ...

    def reach(self, symbol: str, step: Timeframe) -> int | None:
        """Return how many days of history the service offers in one of its own timeframes; None for no limit."""
        ...

    def candles(self, symbol: str, step: Timeframe, since: int) -> CandleAnswer:
        """Fetch the bars of `step`, a timeframe of the service, that open at `since` (ms UTC) or later."""
        ...


class MalformedAnswer(UnavailableError):
    """An error for a service's answer without valid bars. `where` names the bars, and `what` is the fault."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: the service did not answer with valid bars: {what}", "try again later")


_LARGEST = 1e18
"""The largest price or volume: no market has a larger one, and sums and products of such numbers are finite."""
_LATEST_MS = 253_402_300_799_000
"""The end of the year 9999."""
_LONGEST_TEXT = 200


def number(value: Any, where: str, name: str) -> float:
    """Convert a cell (a JSON number or a string such as "1.5") to a number. Raises MalformedAnswer for anything else;
    its message begins with `where`, the name of the bars, and calls the cell `name`."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise MalformedAnswer(where, f"{name} must be a number, got: {_shown(value)}")
    try:
        read = float(value)
    except (ValueError, OverflowError):
        read = math.nan
    if not abs(read) <= _LARGEST or (isinstance(value, str) and "_" in value):
        raise MalformedAnswer(where, f"{name} must be a number, got: {_shown(value)}")
    return read


def stamp(value: Any, where: str) -> int:
    """Convert a cell to a whole number for a time. Raises MalformedAnswer about the bars `where` for anything else."""
    text = str(value)[:40] if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit()) or int(text) > _LATEST_MS:
        raise MalformedAnswer(where, f"expected a time, got: {_shown(value)}")
    return int(text)


def words(value: Any, default: str = "") -> str:
    """Return a service's text, such as a symbol's name, shortened and without control characters.

    Return `default` if the value is empty or not a string.
    """
    shown = printable(value[:_LONGEST_TEXT]) if isinstance(value, str) else ""
    return shown[:_LONGEST_TEXT] or default


def candle(where: str, time: int, end: int, prices: Sequence[Any], volume: Any) -> Candle:
    """Make a bar from cells; times are in ms UTC. Raises MalformedAnswer about the bars `where` if it is impossible."""
    open_, high, low, close = (number(each, where, "a price") for each in prices)
    if high < max(open_, low, close) or low > min(open_, close):
        raise MalformedAnswer(where, f"high and low do not enclose open and close ({high:g}, {low:g})")
    amount = math.nan if volume is None else number(volume, where, "the volume")
    if amount < 0:
        raise MalformedAnswer(where, f"the volume must not be negative, got: {_shown(volume)}")
    return Candle(time, end, open_, high, low, close, amount)


def in_order(where: str, candles: Sequence[Candle], now: int) -> None:
    """Raise MalformedAnswer about the bars `where` if they are not in order of time, or if one opens after `now`, in
    milliseconds UTC, by more than a minute."""
    for before, after in pairwise(candles):
        if after.time <= before.time:
            raise MalformedAnswer(where, "the bars are not in chronological order")
    if candles and candles[-1].time > now + 60_000:
        raise MalformedAnswer(where, "a bar is in the future")


def paged(fetch: Callable[[int], tuple[list[Candle], int]], since: int) -> CandleAnswer:
    """Fetch pages of bars that open at `since` or later, until one ends with the forming bar or is empty.
    `fetch(since)` returns a page and the service's clock; times are in milliseconds UTC.

    A page without new bars also ends the loop, so that a service that repeats itself cannot block us.
    """
    found: list[Candle] = []
    while True:
        page, now = fetch(since)
        page = [each for each in page if each.time >= since]
        found += page
        if not page or page[-1].end > now:
            return CandleAnswer(found, now)
        since = page[-1].time + 1


def _shown(value: Any) -> str:
    return repr(value)[:60]

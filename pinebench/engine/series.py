"""The bars of a symbol in one interval, and the path of the price that each update of the last bar implies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from pinebench.broker import path
from pinebench.errors import UsageError
from pinebench.market import Bars, SymbolInfo, binance_interval, longest_ms, read_step

KEPT = 5_000
"""The number of closed bars that a series keeps, unless a strategy needs more."""
_CUT = 1_000
_FUTURE_MS = 60_000
"""The largest number of milliseconds by which a bar may open after the feed's own clock."""
_LATE_MS = 600_000
"""The longest time in milliseconds after the end of its bar at which an update may arrive."""
_CLOSED_MS = 10 * 86_400_000
"""The longest time that a market is closed; a bar of a day or longer may include it."""
_LARGEST_PRICE, _LARGEST_VOLUME = 1e12, 1e18

Key = tuple[str, str]
"""A symbol in capitals, and an interval as the feed writes it, such as `1m`."""


def key_of(symbol: str, interval: str) -> Key:
    """Return the key of a series. The interval may have any form that feeds accept: `1wk`, `1w`, `W`.

    Raises UsageError for an interval that the feed does not have.
    """
    return symbol.upper(), binance_interval(read_step(interval))


class Update(NamedTuple):
    """The last bar of a symbol as a feed reports it.

    `time` is its opening time, `end` its closing time, and `event` the feed's clock, all in milliseconds UTC. `closed`
    says whether the bar is final.
    """

    symbol: str
    interval: str
    time: int
    end: int
    open: float
    high: float
    low: float
    close: float
    volume: float
    closed: bool
    event: int

    @property
    def key(self) -> Key:
        """The series that the update belongs to."""
        return self.symbol, self.interval


def closed_update(key: Key, bars: Bars, ends: Sequence[int], at: int) -> Update:
    """Return the update that closes the bar at index `at` of a history. `ends` holds the closing times of the bars."""
    prices = bars.open[at], bars.high[at], bars.low[at], bars.close[at], bars.volume[at]
    return Update(*key, bars.time[at], ends[at], *prices, True, ends[at])


class PriceLeg(NamedTuple):
    """A part of the price path, from `start` to `end`. It began at `since` (milliseconds UTC) or later.

    An order that became active after `since` may be newer than this movement, so the movement must not fill it.
    """

    start: float
    end: float
    since: int


class SeriesStep(NamedTuple):
    """The effect of an update: the path of the price, and the index of the bar that it closed, or None."""

    legs: Sequence[PriceLeg]
    closed: int | None


def is_plausible(update: Update) -> bool:
    """Return whether an update's numbers are possible for a bar of its interval that is forming or has just closed."""
    prices = update.open, update.high, update.low, update.close
    return (
        all(0 < price <= _LARGEST_PRICE for price in prices)
        and update.low <= min(update.open, update.close)
        and update.high >= max(update.open, update.close)
        and 0 < update.end - update.time <= _longest(update.interval)
        and update.time - _FUTURE_MS <= update.event <= update.end + _LATE_MS
        and not (update.volume < 0 or update.volume > _LARGEST_VOLUME)
    )


@lru_cache(256)
def _longest(interval: str) -> int:
    """Return the longest time in milliseconds that a bar of an interval can last; 0 for an unknown interval.

    A bar of a market with sessions may end after a holiday, and so last longer than its name says.
    """
    try:
        step = read_step(interval)
    except UsageError:
        return 0
    return longest_ms(step) + (0 if step.is_intraday else _CLOSED_MS)


@dataclass
class Series:
    """The closed bars of a symbol, oldest first, and the forming bar (or None)."""

    key: Key
    info: SymbolInfo
    bars: Bars = field(default_factory=Bars)
    ends: list[int] = field(default_factory=list[int])
    """The time at which each closed bar ended."""
    forming: Update | None = None
    most: int = KEPT
    """The largest number of closed bars that the series keeps."""

    @property
    def last(self) -> int:
        """The opening time of the last closed bar, or -1 if there is none."""
        return self.bars.time[-1] if self.bars.time else -1

    def preload(self, bars: Bars, ends: Sequence[int]) -> None:
        """Start with these closed bars."""
        self.bars, self.ends, self.forming = bars.last(self.most), list(ends)[-self.most :], None

    def apply(self, update: Update) -> SeriesStep | None:
        """Apply an update and return its effect. Return None if the update is outdated, or if it neither moves the
        price nor closes the bar."""
        known = self.forming
        if update.time <= self.last or (known is not None and update.time < known.time):
            return None
        if known is not None and update.time == known.time and update.event < known.event:
            return None
        same = known if known is not None and known.time == update.time else None
        legs = _first(update) if same is None else _next(same, update)
        if not update.closed:
            self.forming = update
            return SeriesStep(legs, None) if legs else None
        self.forming = None
        self.bars.append(update.time, update.open, update.high, update.low, update.close, update.volume)
        self.ends.append(update.end)
        if len(self.ends) > self.most:
            self._cut()
        return SeriesStep(legs, len(self.ends) - 1)

    def _cut(self) -> None:
        for column in (*self.bars.columns(), self.ends):
            del column[:_CUT]

    def price(self) -> float | None:
        """Return the newest price, or None before the first bar."""
        if self.forming is not None:
            return self.forming.close
        return self.bars.close[-1] if self.bars.close else None

    def price_time(self) -> int | None:
        """Return the time of the newest price in milliseconds UTC, or None before the first bar."""
        if self.forming is not None:
            return self.forming.event
        return self.ends[-1] if self.ends else None


def _first(update: Update) -> list[PriceLeg]:
    """Return the path through a bar without earlier updates: open, the extreme nearer to the open, the other extreme,
    close.

    The movement may have taken the whole time since the bar opened. Only its end is known to be new.
    """
    points = path(update.open, update.high, update.low, update.close)
    return [*_legs(points[0], points, update.time), PriceLeg(update.close, update.close, update.event)]


def _next(before: Update, update: Update) -> list[PriceLeg]:
    """Return the path from the price of an earlier update of the same bar, through any new extremes."""
    start, end = before.close, update.close
    high, low = max(update.high, end), min(update.low, end)
    points: list[float] = []
    is_higher, is_lower = high > max(before.high, end), low < min(before.low, end)
    if is_higher and is_lower:
        points += [high, low] if high - start < start - low else [low, high]
    elif is_higher or is_lower:
        points.append(high if is_higher else low)
    if not points and start == end:
        return []
    return [*_legs(start, [*points, end], before.event), PriceLeg(end, end, update.event)]


def _legs(start: float, points: Sequence[float], since: int) -> list[PriceLeg]:
    found: list[PriceLeg] = []
    for point in points:
        found.append(PriceLeg(start, point, since))
        start = point
    return found

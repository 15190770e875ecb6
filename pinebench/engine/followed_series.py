"""The series that an engine follows: their bars, their newest prices, and the market's clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from pinebench.engine.moments import rfc3339
from pinebench.engine.series import Key, Series, Update, closed_update
from pinebench.engine.series import key_of as series_key
from pinebench.errors import UsageError
from pinebench.market import Bars, SymbolInfo, read_step

_AHEAD_MS = 86_400_000
"""The largest lead of an update over the market's time: more than a wrong clock, less than a wrong unit of time."""


class SeriesState(NamedTuple):
    """The forming bar (or None), the newest time of the feed's clock (`event`), and the local time at which it arrived
    (`received`). Times are in milliseconds UTC."""

    forming: Update | None
    event: int
    received: int


class FollowedSeries:
    """The series that an engine follows. Any thread may call the methods."""

    def __init__(self, lock: AbstractContextManager[Any], clock: Callable[[], int]) -> None:
        """`lock` protects the series; `clock` returns the time in milliseconds UTC."""
        self._lock = lock
        self.clock = clock
        self._series: dict[Key, Series] = {}
        self._main: dict[str, Key] = {}
        """For each symbol, the series with the shortest bars, which gives its price."""
        self._market: dict[str, tuple[int, int]] = {}
        """The newest time of the feed's clock, and the time at which it was received, by symbol."""

    def missed(self, key: Key, bars: Bars, ends: Sequence[int], now: int) -> list[Update]:
        """Return the updates of the bars that closed but did not arrive while the series was followed, in order.

        `now` is the clock of the service that sent the bars, in milliseconds UTC.
        """
        self._see(key[0], now)
        last = self._series[key].last
        return [closed_update(key, bars, ends, at) for at in range(len(bars)) if bars.time[at] > last]

    def show(self, key: Key, info: SymbolInfo, bars: Bars, ends: Sequence[int]) -> None:
        """Follow a series for its prices only, without alerts and orders. Pass its updates to `see`."""
        series = Series(key, info)
        series.preload(bars, ends)
        self._add(series)

    def _add(self, series: Series, now: int | None = None) -> None:
        symbol = series.key[0]
        with self._lock:
            self._series[series.key] = series
            self._main[symbol] = min((each for each in self._series if each[0] == symbol), key=length_of)
            if now is not None:
                self._see(symbol, now)

    def see(self, updates: Sequence[Update]) -> None:
        """Process updates of series that `show` added, only for their prices."""
        with self._lock:
            for update in updates:
                series = self._series.get(update.key)
                if series is not None and (series.apply(update) is not None or series.forming == update):
                    self._see(update.symbol, update.event)

    def share(self, other: FollowedSeries) -> None:
        """Use the series and prices of another engine from now on."""
        self._series, self._main, self._market = other._series, other._main, other._market

    def seen(self, key: Key) -> SeriesState:
        """Return the forming bar and the feed's clock of a series."""
        with self._lock:
            return SeriesState(self._series[key].forming, *self._market.get(key[0], (0, 0)))

    def remember(self, key: Key, state: SeriesState) -> None:
        """Restore the forming bar and the feed's clock of a series."""
        with self._lock:
            series = self._series[key]
            if state.forming is not None and state.forming.time > series.last:
                series.forming = state.forming
            if state.event >= self._market.get(key[0], (0, 0))[0]:
                self._market[key[0]] = state.event, state.received

    def next_time(self, key: Key) -> int | None:
        """Return the time at which the next bar of a series is expected to open, or None before its first bar."""
        series = self._series.get(key)
        return series.ends[-1] if series is not None and series.ends else None

    @property
    def keys(self) -> list[Key]:
        """The series that are followed."""
        with self._lock:
            return list(self._series)

    def window(self, symbol: str, interval: str) -> Bars | None:
        """Return the closed bars of a series, oldest first, or None if it is not followed."""
        with self._lock:
            series = self._find(symbol, interval)
            return None if series is None else series.bars.last(len(series.bars))

    def _find(self, symbol: str, interval: str) -> Series | None:
        try:
            return self._series.get(series_key(symbol, interval))
        except UsageError:
            return None

    def symbol_info(self, symbol: str, interval: str) -> SymbolInfo | None:
        """Return the properties of a symbol in an interval, or None if the series is not followed."""
        series = self._find(symbol, interval)
        return None if series is None else series.info

    def price(self, symbol: str) -> float | None:
        """Return the newest price of a symbol, or None if there is none."""
        key = self._main.get(symbol)
        return None if key is None else self._series[key].price()

    def now(self, symbol: str) -> int:
        """Return the market's time in milliseconds UTC: the feed's clock, because the local one may be wrong."""
        known = self._market.get(symbol)
        if known is None:
            return self.clock()
        told, received = known
        return told + max(self.clock() - received, 0)

    def _info(self, symbol: str) -> SymbolInfo | None:
        key = self._main.get(symbol)
        return None if key is None else self._series[key].info

    def key_of(self, symbol: str, interval: str | None) -> Key:
        """Return the series of a symbol in an interval. If `interval` is None, use the shortest followed interval.

        Raises UsageError if it is not followed.
        """
        name = symbol.upper()
        with self._lock:
            key = self._main.get(name) if interval is None else series_key(name, interval)
            if key is not None and key in self._series:
                return key
            known = sorted({f"{one} {length}" for one, length in self._series})
        shown = ", ".join(known[:20]) or "nothing yet"
        raise UsageError(f"the engine does not follow {symbol[:40]} {interval or ''}".rstrip(), f"it follows {shown}")

    def _dated(self, symbol: str) -> dict[str, Any]:
        """Return the time of a symbol's newest price, and its age in seconds by the feed's clock; empty without one."""
        key = self._main.get(symbol)
        time = None if key is None else self._series[key].price_time()
        if time is None:
            return {}
        return {"price_at": rfc3339(time), "price_age": max(self.now(symbol) - time, 0) / 1000}

    def _is_ahead(self, update: Update) -> bool:
        """Return whether an update's time is too far ahead to be real: it would freeze the market's clock."""
        return update.symbol in self._market and update.time > self.now(update.symbol) + _AHEAD_MS

    def _see(self, symbol: str, event: int) -> None:
        if event >= self._market.get(symbol, (0, 0))[0]:
            self._market[symbol] = event, self.clock()


def length_of(key: Key) -> tuple[float, str]:
    """Return the length of a bar of a series in seconds, and its interval, as a sort key."""
    step = read_step(key[1])
    return step.seconds or 31 * 86_400 * step.multiplier, key[1]

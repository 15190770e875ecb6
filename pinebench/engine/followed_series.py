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
"""How far after the market's time an update may be: more than a clock that was set wrong, less than a wrong unit."""


class SeriesState(NamedTuple):
    """The bar of a series that is forming, or None; the newest time of the feed's clock, and when it was received."""

    forming: Update | None
    event: int
    received: int


class FollowedSeries:
    """The series that are followed. Its methods can be called from any thread."""

    def __init__(self, lock: AbstractContextManager[Any], clock: Callable[[], int]) -> None:
        """`lock` protects the series; `clock` gives the time in milliseconds UTC."""
        self._lock = lock
        self.clock = clock
        self._series: dict[Key, Series] = {}
        self._main: dict[str, Key] = {}
        """The series of a symbol with the shortest bars, which gives its price."""
        self._market: dict[str, tuple[int, int]] = {}
        """The newest time of the feed's clock, and when it was received, by symbol."""

    def missed(self, key: Key, bars: Bars, ends: Sequence[int], now: int) -> list[Update]:
        """The updates of the bars that closed while the series was followed, but not seen, in their order.

        `now` is the clock of the service that gave the bars, in milliseconds UTC.
        """
        self._see(key[0], now)
        last = self._series[key].last
        return [closed_update(key, bars, ends, at) for at in range(len(bars)) if bars.time[at] > last]

    def show(self, key: Key, info: SymbolInfo, bars: Bars, ends: Sequence[int]) -> None:
        """Follow a series for its prices only. `see` takes its updates; no alerts are tested and no orders are
        filled."""
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
        """Take updates of series that `show` named, for their prices only."""
        with self._lock:
            for update in updates:
                series = self._series.get(update.key)
                if series is not None and (series.apply(update) is not None or series.forming == update):
                    self._see(update.symbol, update.event)

    def share(self, other: FollowedSeries) -> None:
        """Show the prices of the series of another engine from now on."""
        self._series, self._main, self._market = other._series, other._main, other._market

    def seen(self, key: Key) -> SeriesState:
        """The forming bar and the clock of a series."""
        with self._lock:
            return SeriesState(self._series[key].forming, *self._market.get(key[0], (0, 0)))

    def remember(self, key: Key, seen: SeriesState) -> None:
        """Restore the forming bar and the clock that a series had."""
        with self._lock:
            series = self._series[key]
            if seen.forming is not None and seen.forming.time > series.last:
                series.forming = seen.forming
            if seen.event >= self._market.get(key[0], (0, 0))[0]:
                self._market[key[0]] = seen.event, seen.received

    def next_time(self, key: Key) -> int | None:
        """The time at which the next bar of a series is expected to open; None before its first bar."""
        series = self._series.get(key)
        return series.ends[-1] if series is not None and series.ends else None

    @property
    def keys(self) -> list[Key]:
        """The series that are followed."""
        with self._lock:
            return list(self._series)

    def window(self, symbol: str, interval: str) -> Bars | None:
        """The closed bars of a series, the oldest first; None if it is not followed."""
        with self._lock:
            series = self._find(symbol, interval)
            return None if series is None else series.bars.last(len(series.bars))

    def _find(self, symbol: str, interval: str) -> Series | None:
        try:
            return self._series.get(series_key(symbol, interval))
        except UsageError:
            return None

    def symbol_info(self, symbol: str, interval: str) -> SymbolInfo | None:
        """The properties of a symbol in an interval; None if the series is not followed."""
        series = self._find(symbol, interval)
        return None if series is None else series.info

    def price(self, symbol: str) -> float | None:
        """The newest price of a symbol; None if there is none."""
        key = self._main.get(symbol)
        return None if key is None else self._series[key].price()

    def now(self, symbol: str) -> int:
        """The market's time in milliseconds UTC: the feed's clock, so that a wrong clock here changes nothing."""
        known = self._market.get(symbol)
        if known is None:
            return self.clock()
        told, received = known
        return told + max(self.clock() - received, 0)

    def _info(self, symbol: str) -> SymbolInfo | None:
        key = self._main.get(symbol)
        return None if key is None else self._series[key].info

    def key_of(self, symbol: str, interval: str | None) -> Key:
        """The series of a symbol in an interval; without one, in the shortest interval that is followed.

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
        """The moment of a symbol's newest price, and its age in seconds by the feed's clock; empty without a price."""
        key = self._main.get(symbol)
        time = None if key is None else self._series[key].price_time()
        if time is None:
            return {}
        return {"price_at": rfc3339(time), "price_age": max(self.now(symbol) - time, 0) / 1000}

    def _is_ahead(self, update: Update) -> bool:
        """Whether an update is of a time that the market cannot have reached; it would stop the market's clock."""
        return update.symbol in self._market and update.time > self.now(update.symbol) + _AHEAD_MS

    def _see(self, symbol: str, event: int) -> None:
        """Note the feed's clock."""
        if event >= self._market.get(symbol, (0, 0))[0]:
            self._market[symbol] = event, self.clock()


def length_of(key: Key) -> tuple[float, str]:
    """The length of a bar of a series in seconds, and its interval, by which series are sorted."""
    step = read_step(key[1])
    return step.seconds or 31 * 86_400 * step.multiplier, key[1]

"""Collects the bars of series: their history, the updates of feeds, and the bars that were missed in between."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from pinebench.engine.feed import YAHOO, FeedConnection, FeedHistory, Fetch, grid_of
from pinebench.engine.polled_feed import Polls
from pinebench.engine.series import Key, Update
from pinebench.errors import PinebenchError
from pinebench.market import Bars, SymbolInfo, longest_ms, read_step

MOST_BARS = 50_000
"""The largest number of bars of a series: alerts on earlier bars that were missed are not sent later."""
SETUP_BARS = 1_000
"""The largest number of bars that a script gets before its first one, to warm up."""
_FETCHED_AT_ONCE = 4
_CLOCK_MS = 1_000
"""The largest lead of a service's clock in milliseconds, because the service reports whole seconds."""
_log = logging.getLogger(__name__)


class Receiver(Protocol):
    """A receiver of the bars of series, for example an engine."""

    def follow(
        self, key: Key, info: SymbolInfo, bars: Bars, ends: Sequence[int], now: int | None = None
    ) -> list[Update]:
        """Start with the history of a series. Return the updates of the bars that closed since the receiver last ran.

        `ends` holds the closing times of the bars, and `now` is the clock of the service that sent them, both in
        milliseconds UTC.
        """
        ...

    def missed(self, key: Key, bars: Bars, ends: Sequence[int], now: int) -> list[Update]:
        """Return the updates of the bars that closed but did not arrive while the series was followed. For the other
        arguments see `follow`."""
        ...

    def process(self, updates: Sequence[Update]) -> None:
        """Process updates in order."""
        ...

    def last(self, key: Key) -> int | None:
        """Return the opening time of the last closed bar that was fully processed, or None if there is none."""
        ...

    def newest(self, key: Key) -> int | None:
        """Return the opening time of the last closed bar that arrived, even if its scripts still run, or None."""
        ...

    def next_time(self, key: Key) -> int | None:
        """Return the time at which the next bar is expected to open, or None before the first bar."""
        ...

    def first_needed(self, key: Key) -> int | None:
        """Return the time (ms UTC) from which strategies need a series, or None if no strategy trades on it."""
        ...

    def now(self, symbol: str) -> int:
        """Return the current time of a symbol's market (the feed's clock), in milliseconds UTC."""
        ...

    def symbol_info(self, symbol: str, interval: str) -> SymbolInfo | None:
        """Return the properties of a symbol in an interval, or None if the series is not followed."""
        ...


class BarCollector:
    """Passes the bars of series to a receiver. Call `load` for the history first, then run `feeds`."""

    def __init__(self, receiver: Receiver, keys: Sequence[Key], address: str | None, fetch: Fetch) -> None:
        """`address` is the base of the feed's WebSocket address; `fetch` loads history."""
        self._receiver = receiver
        self._keys = list(keys)
        self._fetch = fetch
        streamed = [key for key in self._keys if not key[0].startswith(YAHOO)]
        polled = [key for key in self._keys if key[0].startswith(YAHOO)]
        self._feed = FeedConnection(streamed, self, address)
        self.feeds: list[FeedConnection | Polls] = [
            *([self._feed] if streamed else []),
            *([Polls(polled, self)] if polled else []),
        ]
        self._asked: dict[Key, int] = {}

    async def load(self) -> None:
        """Fetch the history of all series, and process the bars that closed since the receiver last ran."""
        histories = await self._histories(self._keys)
        updates: list[Update] = []
        for key, found in zip(self._keys, histories, strict=True):
            updates += self._receiver.follow(key, found.info, found.bars, found.ends, found.now)
        updates.sort(key=lambda update: update.end)
        await asyncio.to_thread(self._receiver.process, updates)

    async def connected(self, keys: Sequence[Key]) -> None:
        """Process the bars that closed while the connection was down. The forming bar comes from the feed."""
        if self._feed.connections == 1 and not self._is_late(keys):
            return
        await self._fill_gaps(keys)

    def _is_late(self, keys: Sequence[Key]) -> bool:
        """Return whether a bar may have closed since the history was fetched."""
        times, now = [self._receiver.next_time(key) for key in keys], self._now() + _CLOCK_MS
        return any(time is None or time + length(key) <= now for key, time in zip(keys, times, strict=True))

    def is_due(self, key: Key) -> bool:
        """Return whether the next bar of a series should have closed, given the sessions of its market."""
        info, last = self._receiver.symbol_info(*key), self._receiver.newest(key)
        if info is None or last is None:
            return True
        following = grid_of(key[1], info).back(last, -1)
        return following is None or following.close <= self._receiver.now(key[0])

    async def poll(self, keys: Sequence[Key]) -> set[Key] | None:
        """Fetch and process the bars that closed. Return the series that got new bars, or None if the fetch failed."""
        before = {key: self._receiver.newest(key) for key in keys}
        if not await self._fill_gaps(keys):
            return None
        return {key for key in keys if self._receiver.newest(key) != before[key]}

    async def take(self, updates: Sequence[Update]) -> None:
        """Process updates. Missing earlier bars are fetched first."""
        missing = [key for key in dict.fromkeys(update.key for update in updates) if self._is_gap(key, updates)]
        if missing:
            await self._fill_gaps(missing)
        await asyncio.to_thread(self._receiver.process, updates)

    def _is_gap(self, key: Key, updates: Sequence[Update]) -> bool:
        expected = self._receiver.next_time(key)
        first = next(update.time for update in updates if update.key == key)
        if expected is None or first <= expected or self._asked.get(key) == expected:
            return False
        self._asked[key] = expected  # a gap that stays is asked for once
        return True

    async def _fill_gaps(self, keys: Sequence[Key]) -> bool:
        """Fetch and process the bars that were missed. Return whether they could be fetched."""
        try:
            histories = await self._histories(keys)
        except PinebenchError as error:
            _log.warning("missed bars could not be fetched: %s", error.message)
            self._asked.clear()
            return False
        updates: list[Update] = []
        for key, found in zip(keys, histories, strict=True):
            updates += self._receiver.missed(key, found.bars, found.ends, found.now)
        updates.sort(key=lambda update: update.end)
        await asyncio.to_thread(self._receiver.process, updates)
        return True

    async def _histories(self, keys: Sequence[Key]) -> list[FeedHistory]:
        turn = asyncio.Semaphore(_FETCHED_AT_ONCE)

        async def one(key: Key) -> FeedHistory:
            async with turn:
                count = self._count(key, self._now())
                found = await asyncio.to_thread(self._fetch, key, count)
                # The clock here may be wrong or have stood still; what the service says counts.
                more = self._count(key, found.now)
                return await asyncio.to_thread(self._fetch, key, more) if more > count else found

        return list(await asyncio.gather(*map(one, keys)))

    def _count(self, key: Key, now: int) -> int:
        """Return how many bars of a series to fetch: enough for scripts to warm up, and all that were missed."""
        receiver, step = self._receiver, length(key)
        known = receiver.next_time(key)
        if known is not None:
            return min(max((now - known) // step + 3, 3), MOST_BARS)
        since = [time for time in (receiver.last(key), receiver.first_needed(key)) if time is not None]
        more = (now - min(since)) // step if since else 0
        return min(max(int(more), 0) + SETUP_BARS, MOST_BARS)

    def _now(self) -> int:
        return max(self._receiver.now(symbol) for symbol, _ in self._keys)


def length(key: Key) -> int:
    """Return the longest time that a bar of a series can last, in milliseconds."""
    return longest_ms(read_step(key[1]))

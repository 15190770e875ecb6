"""The feed of several engines: it collects bars, and adds them to the log while it holds the feed's lease."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
import uuid
from collections.abc import Sequence

from pinebench.engine.bar_collector import BarCollector
from pinebench.engine.cluster.bars import Row, SymbolClock, last_time, part_of, put_series, series_in
from pinebench.engine.cluster.log import KEPT_UPDATES, UPDATES, ClusterLog, Lease, NewEntry, Stale, Unreachable
from pinebench.engine.feed import Fetch, fetched
from pinebench.engine.series import Key, Series, Update, closed_update, is_plausible
from pinebench.errors import PinebenchError, UsageError
from pinebench.market import Bars, SymbolInfo

FEED = "feed"
"""The name of the feed's lease."""
LEASE_MS = 6_000
_RENEWALS = 4
_PAUSE = 2.0
_MOST_AT_ONCE = 500
_log = logging.getLogger(__name__)


class Feeder:
    """A receiver of bars that adds them to the log. After any exception, do not use it again."""

    def __init__(self, log: ClusterLog, lease: Lease) -> None:
        self._log = log
        self._lease = lease
        self._series: dict[Key, Series] = {}
        self._told: dict[Key, SymbolClock] = series_in(log)
        self._market: dict[str, tuple[int, float]] = {}
        self._is_new = False

    def follow(
        self, key: Key, info: SymbolInfo, bars: Bars, ends: Sequence[int], now: int | None = None
    ) -> list[Update]:
        """Start with the history of a series, and return the updates of the bars after those in the log.

        If the log has no bars of the series, the complete history is added in one step.
        """
        last = last_time(self._log, key)
        count = len(bars) if last is None else sum(time <= last for time in bars.time)
        series = self._series[key] = Series(key, info)
        series.preload(bars.at(range(count)), ends[:count])
        if now is not None:
            self._see(key[0], now)
        if last is None and len(bars):
            rows: list[Row] = [(bars.time[at], ends[at], *_prices(bars, at)) for at in range(len(bars))]
            self._log.append([part_of(key, rows)], uuid.uuid4().hex, lease=self._lease)
        market = self.now(key[0]) if now is None else now
        self._told[key], self._is_new = SymbolClock(info, market, self._log.now()), True
        return [closed_update(key, bars, ends, at) for at in range(count, len(bars))]

    def missed(self, key: Key, bars: Bars, ends: Sequence[int], now: int) -> list[Update]:
        """Return the updates of the bars that are not in the log yet."""
        self._see(key[0], now)
        last = self._series[key].last
        return [closed_update(key, bars, ends, at) for at in range(len(bars)) if bars.time[at] > last]

    def process(self, updates: Sequence[Update]) -> None:
        """Add updates to the log, except old ones. Raises Stale (the lease has expired) and Unreachable."""
        if self._is_new:
            put_series(self._log, self._told, self._lease)
            self._is_new = False
        fresh = [update for update in updates if self._is_fresh(update)]
        for first in range(0, len(fresh), _MOST_AT_ONCE):
            part = fresh[first : first + _MOST_AT_ONCE]
            parts = [NewEntry(UPDATES, json.dumps(part, separators=(",", ":")).encode(), KEPT_UPDATES)]
            closed: dict[Key, list[Row]] = {}
            for update in part:
                if update.closed:
                    closed.setdefault(update.key, []).append((update.time, update.end, *update[4:9]))
            parts += [part_of(key, rows) for key, rows in closed.items()]
            self._log.append(parts, uuid.uuid4().hex, lease=self._lease)

    def _is_fresh(self, update: Update) -> bool:
        series = self._series.get(update.key)
        if series is None or not is_plausible(update):
            return False
        before = series.forming
        if series.apply(update) is None and (series.forming is before or series.forming == before):
            return False
        self._see(update.symbol, update.event)
        return True

    def _see(self, symbol: str, event: int) -> None:
        if event >= self._market.get(symbol, (0, 0.0))[0]:
            self._market[symbol] = event, time.monotonic()

    def last(self, key: Key) -> int | None:
        """Return the opening time of the last closed bar, or None if there is none."""
        series = self._series.get(key)
        return series.last if series is not None and series.ends else last_time(self._log, key)

    def newest(self, key: Key) -> int | None:
        """Return the opening time of the last closed bar, or None if there is none."""
        return self.last(key)

    def next_time(self, key: Key) -> int | None:
        """Return the time at which the next bar is expected to open, or None before the first bar."""
        series = self._series.get(key)
        return series.ends[-1] if series is not None and series.ends else None

    def first_needed(self, key: Key) -> int | None:
        """Return None: the engines keep the bars that strategies need."""
        del key

    def now(self, symbol: str) -> int:
        """Return the current time of a symbol's market, in milliseconds UTC."""
        known = self._market.get(symbol)
        if known is None:
            return int(time.time() * 1000)
        return known[0] + int((time.monotonic() - known[1]) * 1000)

    def symbol_info(self, symbol: str, interval: str) -> SymbolInfo | None:
        """Return the properties of a symbol, or None if the series is not followed."""
        series = self._series.get((symbol, interval))
        return None if series is None else series.info


class FeedProcess:
    """A feed process. Several can run: the process that holds the lease works, and the others wait for it."""

    def __init__(
        self, log: ClusterLog, keys: Sequence[Key], address: str | None = None, fetch: Fetch = fetched,
        *, lease_ms: int = LEASE_MS,
    ) -> None:  # fmt: skip
        """`keys` are the series, `address` is the base of the feed's WebSocket address, and `fetch` loads history.

        The lease expires `lease_ms` milliseconds after it was last renewed.
        """
        self._log = log
        self._keys = list(keys)
        self._address = address
        self._fetch = fetch
        self._lease_ms = lease_ms
        self._stop = threading.Event()
        self.is_working = False
        """Whether the process holds the lease and has added the history."""

    def stop(self) -> None:
        """Stop the feed. May be called from any thread."""
        self._stop.set()

    def run(self) -> None:
        """Run the feed until `stop` is called. Raises UsageError for symbols that do not exist."""
        while not self._stop.is_set():
            try:
                lease = self._log.acquire(FEED, self._lease_ms)
                if lease is None:
                    self._stop.wait(self._lease_ms / 1000 / 2)
                    continue
                asyncio.run(self._feed(lease))
            except UsageError:
                raise
            except (PinebenchError, Stale, Unreachable) as error:
                _log.warning("the feed restarts: %s", error)
                self._stop.wait(_PAUSE)
            finally:
                self.is_working = False

    async def _feed(self, lease: Lease) -> None:
        gathering = BarCollector(Feeder(self._log, lease), self._keys, self._address, self._fetch)
        renewing = asyncio.create_task(self._renew(lease))
        working = asyncio.create_task(self._work(gathering))
        try:
            done, _ = await asyncio.wait({renewing, working}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except ExceptionGroup as error:
            raise error.exceptions[0] from None
        finally:
            for task in (renewing, working):
                task.cancel()
            await asyncio.gather(renewing, working, return_exceptions=True)
            try:
                await asyncio.to_thread(self._log.release, lease)
            except Unreachable:
                _log.info("the feed's lease was not released, and will expire")

    async def _work(self, gathering: BarCollector) -> None:
        await gathering.load()
        self.is_working = True
        async with asyncio.TaskGroup() as tasks:
            for feed in gathering.feeds:
                tasks.create_task(feed.run())

    async def _renew(self, lease: Lease) -> None:
        """Renew the lease until the feed is stopped. Raises Stale if it has expired."""
        pause, waited = self._lease_ms / 1000 / _RENEWALS, 0.0
        while not self._stop.is_set():
            await asyncio.sleep(0.1)
            waited += 0.1
            if waited >= pause:
                waited = 0.0
                if not await asyncio.to_thread(self._log.renew, lease, self._lease_ms):
                    raise Stale("the feed's lease has expired")


def _prices(bars: Bars, at: int) -> tuple[float, float, float, float, float]:
    return bars.open[at], bars.high[at], bars.low[at], bars.close[at], bars.volume[at]

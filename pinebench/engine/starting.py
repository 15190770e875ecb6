"""Starts an engine in a thread of its own, with its feed, its outbox, and the history of its series."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from pinebench.engine import outbox, sending
from pinebench.engine.engine import MOST_BARS, SETUP_BARS, Engine, Settings
from pinebench.engine.feed import YAHOO, Feed, Fetch, History, fetched, grid_of
from pinebench.engine.outbox import Letter, Sent
from pinebench.engine.polling import Polls
from pinebench.engine.series import Key, Update, key_of
from pinebench.errors import PinebenchError, UsageError, fault
from pinebench.market import longest_ms, read_step

INTERVAL = "4h"
_FETCHED_AT_ONCE = 4
_SENT_AT_ONCE = 8
_LONGEST_SLEEP = 30.0
_PURGED_EACH = 60.0
_READY_SECONDS = 180
_MOST_SERIES = 1_000
_log = logging.getLogger(__name__)


class Running:
    """An engine that runs in a thread. `engine` answers users; `stop` ends it.

    It can be used in a `with` block. `wait` returns when the engine has ended.
    """

    def __init__(self, engine: Engine, keys: Sequence[Key], address: str | None, fetch: Fetch) -> None:
        self.engine = engine
        self._keys = list(keys)
        self._fetch = fetch
        streamed = [key for key in self._keys if not key[0].startswith(YAHOO)]
        polled = [key for key in self._keys if key[0].startswith(YAHOO)]
        self.feed = Feed(streamed, self, address)
        engine.feeds = [*([self.feed] if streamed else []), *([Polls(polled, self)] if polled else [])]
        self._webhooks = sending.Webhooks(engine.clock, engine.settings.webhook_hosts)
        self._ready = threading.Event()
        self._asked: dict[Key, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._more: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="trading engine", daemon=True)

    # the thread

    def start(self) -> Self:
        """Start the thread, and wait until the history of all series is there.

        Raises UsageError and UnavailableError if the engine cannot begin.
        """
        self._thread.start()
        if not self._ready.wait(_READY_SECONDS):
            self.stop()
            raise UsageError("the engine did not get its history in time", "look at the connection, try later")
        if self._error is not None:
            self.stop()
            raise self._error
        return self

    _error: PinebenchError | None = None

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except asyncio.CancelledError:
            pass
        except PinebenchError as error:
            self._fail(error)
        except Exception as error:  # an engine that lost a bar must not go on
            first = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
            _log.error("the engine has ended", exc_info=first)
            self._fail(first if isinstance(first, PinebenchError) else fault(first))
        finally:
            self._ready.set()

    def _fail(self, error: PinebenchError) -> None:
        self._error = error
        self.engine.problem = error.message

    async def _main(self) -> None:
        self._loop, self._more = asyncio.get_running_loop(), asyncio.Event()
        loop, more = self._loop, self._more
        self.engine.on_change = lambda: _wake(loop, more)
        await self._load()
        self._ready.set()
        async with asyncio.TaskGroup() as tasks:
            for feed in self.engine.feeds:
                tasks.create_task(feed.run())
            tasks.create_task(self._deliver())
            tasks.create_task(self._purge())

    def stop(self) -> None:
        """End the engine: the feed, the deliveries that are under way, the scripts and all streams."""
        while self._thread.is_alive() and self._thread is not threading.current_thread():
            loop = self._loop
            if loop is not None and not loop.is_closed():
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(_cancel_all, loop)
            # Python may drop a cancellation at the moment in which what is awaited arrives.
            self._thread.join(0.5)
        self.engine.close()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the engine has ended, at most for `seconds`. Return whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def __enter__(self) -> Engine:
        return self.engine

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # bars

    async def _load(self) -> None:
        """Fetch the history of all series, and work on the bars that closed since the engine last ran."""
        histories = await self._histories(self._keys)
        updates: list[Update] = []
        for key, found in zip(self._keys, histories, strict=True):
            updates += self.engine.follow(key, found.info, found.bars, found.ends, found.now)
        updates.sort(key=lambda update: update.end)
        await asyncio.to_thread(self.engine.process, updates)

    async def connected(self, keys: Sequence[Key]) -> None:
        """Work on the bars that closed while there was no connection. The bar that is forming comes by the feed."""
        if self.feed.connections == 1 and not self._is_late(keys):
            return
        await self._fill_gaps(keys)

    def _is_late(self, keys: Sequence[Key]) -> bool:
        """Whether a bar may have closed since the history was fetched."""
        times = [self.engine.next_time(key) for key in keys]
        return any(time is None or time + _length(key) <= self._now() for key, time in zip(keys, times, strict=True))

    def is_due(self, key: Key) -> bool:
        """Whether the next bar of a series should have closed, in the sessions of its market."""
        info, last = self.engine.symbol_info(*key), self.engine.last(key)
        if info is None or last is None:
            return True
        following = grid_of(key[1], info).back(last, -1)
        return following is None or following.close <= self.engine.now(key[0])

    async def poll(self, keys: Sequence[Key]) -> set[Key] | None:
        """Fetch and work on the bars that closed. Return the series that had any; None if nothing could be fetched."""
        before = {key: self.engine.last(key) for key in keys}
        if not await self._fill_gaps(keys):
            return None
        return {key for key in keys if self.engine.last(key) != before[key]}

    async def take(self, updates: Sequence[Update]) -> None:
        """Work on updates. Bars that are missing before them are fetched first."""
        missing = [key for key in dict.fromkeys(update.key for update in updates) if self._is_gap(key, updates)]
        if missing:
            await self._fill_gaps(missing)
        await asyncio.to_thread(self.engine.process, updates)

    def _is_gap(self, key: Key, updates: Sequence[Update]) -> bool:
        expected = self.engine.next_time(key)
        first = next(update.time for update in updates if update.key == key)
        if expected is None or first <= expected or self._asked.get(key) == expected:
            return False
        self._asked[key] = expected  # a gap that stays is asked for once
        return True

    async def _fill_gaps(self, keys: Sequence[Key]) -> bool:
        """Fetch the bars that were missed, and work on them. Return whether they could be fetched."""
        try:
            histories = await self._histories(keys)
        except PinebenchError as error:
            _log.warning("missed bars could not be fetched: %s", error.message)
            self._asked.clear()
            return False
        updates: list[Update] = []
        for key, found in zip(keys, histories, strict=True):
            updates += self.engine.missed(key, found.bars, found.ends, found.now)
        updates.sort(key=lambda update: update.end)
        await asyncio.to_thread(self.engine.process, updates)
        return True

    async def _histories(self, keys: Sequence[Key]) -> list[History]:
        turn = asyncio.Semaphore(_FETCHED_AT_ONCE)

        async def one(key: Key) -> History:
            async with turn:
                count = self._count(key, self._now())
                found = await asyncio.to_thread(self._fetch, key, count)
                # The clock here may be wrong or have stood still; what the service says counts.
                more = self._count(key, found.now)
                return await asyncio.to_thread(self._fetch, key, more) if more > count else found

        return list(await asyncio.gather(*map(one, keys)))

    def _count(self, key: Key, now: int) -> int:
        """How many bars of a series are needed at a time: for scripts to warm up, and those that were missed."""
        engine, length = self.engine, _length(key)
        known = engine.next_time(key)
        if known is not None:
            return min(max((now - known) // length + 3, 3), MOST_BARS)
        since = [time for time in (engine.last(key), engine.first_needed(key)) if time is not None]
        more = (now - min(since)) // length if since else 0
        return min(max(int(more), 0) + SETUP_BARS, MOST_BARS)

    def _now(self) -> int:
        return max(self.engine.now(symbol) for symbol, _ in self._keys)

    # deliveries

    async def _deliver(self) -> None:
        more, store, clock = self._more, self.engine.store, self.engine.clock
        assert more is not None
        with ThreadPoolExecutor(_SENT_AT_ONCE, "outbox") as threads:
            loop = asyncio.get_running_loop()
            while True:
                more.clear()
                letters = outbox.due(store, clock())
                await asyncio.gather(*(loop.run_in_executor(threads, self._send, letter) for letter in letters))
                if letters:
                    continue
                due = outbox.next_due(store)
                wait = _LONGEST_SLEEP if due is None else min(max((due - clock()) / 1000, 0.05), _LONGEST_SLEEP)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await more.wait()

    def _send(self, letter: Letter) -> None:
        way = {"webhook": self._webhooks.send, "notifier": self.engine.notifiers.send}[letter.kind]
        try:
            sent = way(letter)
        except Exception as error:  # whatever one delivery meets, the others go on
            sent = Sent(False, f"{type(error).__name__}: {error}")
        outbox.note(self.engine.store, letter, sent, self.engine.clock())

    async def _purge(self) -> None:
        while True:
            await asyncio.sleep(_PURGED_EACH)
            await asyncio.to_thread(self.engine.purge)


def start_engine(
    symbols: Sequence[str],
    intervals: str | Sequence[str] = INTERVAL,
    settings: Settings | None = None,
    *,
    address: str | None = None,
    fetch: Fetch = fetched,
) -> Running:
    """Start an engine for symbols in one or more intervals, and wait until it has their history.

    Symbols are names of Binance, or of Yahoo Finance with `YAHOO:` before them.

    `address` is the beginning of the feed's WebSocket address, by default Binance's; `fetch` gives history. Raises
    UsageError for unknown symbols and intervals and for a state that another engine uses, and UnavailableError
    without a network or without the packages of the extra `trade`.
    """
    keys = series_of(symbols, [intervals] if isinstance(intervals, str) else intervals)
    engine = Engine(settings)
    try:
        return Running(engine, keys, address, fetch).start()
    except BaseException:
        engine.close()
        raise


def series_of(symbols: Sequence[str], intervals: Sequence[str]) -> list[Key]:
    """The series of all symbols in all intervals. Raises UsageError if there are none, too many, or unknown ones."""
    names = [name.upper().removeprefix("BINANCE:") for name in symbols]
    for name in names:
        if not re.fullmatch(r"[A-Z0-9]{1,40}|YAHOO:[A-Z0-9.^=-]{1,30}", name, re.ASCII):
            raise UsageError(
                f"'{name[:40]}' is not a symbol of Binance or Yahoo", "expected for example BTCUSDT or YAHOO:AAPL"
            )
    keys = list(dict.fromkeys(key_of(name, interval) for name in names for interval in intervals))
    if not keys:
        raise UsageError("the engine needs a symbol", "expected for example BTCUSDT")
    if len(keys) > _MOST_SERIES:
        raise UsageError(f"an engine follows at most {_MOST_SERIES} series, got: {len(keys)}")
    return keys


def _length(key: Key) -> int:
    return longest_ms(read_step(key[1]))


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    for task in asyncio.all_tasks(loop):
        task.cancel()


def _wake(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    if not loop.is_closed():
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(event.set)


def notifiers_of(named: Sequence[str]) -> Mapping[str, str]:
    """The notifiers that are named as `NAME=ADDRESS`. Raises UsageError for another form."""
    found: dict[str, str] = {}
    for text in named:
        name, mark, url = text.partition("=")
        if not mark or not name.strip() or not url.strip():
            raise UsageError("a notifier must be named as NAME=ADDRESS", "expected for example phone=ntfy://my-topic")
        found[name.strip()] = url.strip()
    return found

"""Starts an engine in its own thread, with its feed, its outbox, and the history of its series."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from pinebench.databases import DatabaseProblem
from pinebench.engine.bar_collector import BarCollector
from pinebench.engine.engine import EngineSettings, TradingEngine
from pinebench.engine.feed import Fetch, fetched
from pinebench.engine.outbox_delivery import Deliveries
from pinebench.engine.series import Key, key_of
from pinebench.errors import PinebenchError, UsageError, fault

INTERVAL = "4h"
_PURGED_EACH = 60.0
_READY_SECONDS = 180
_MOST_SERIES = 1_000
_log = logging.getLogger(__name__)


class RunningEngine:
    """An engine that runs in a thread. `engine` serves users. `stop` ends it.

    It can be used in a `with` block. `wait` returns after the engine has ended.
    """

    def __init__(self, engine: TradingEngine, keys: Sequence[Key], address: str | None, fetch: Fetch) -> None:
        self.engine = engine
        self._gathering = BarCollector(engine, keys, address, fetch)
        engine.feeds = self._gathering.feeds
        self._deliveries = Deliveries(engine.store, engine.notifiers, engine.settings.webhook_hosts, engine.clock)
        engine.on_change = self._deliveries.wake
        self._ready = threading.Event()
        self._closed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="trading engine", daemon=True)

    # the thread

    def start(self) -> Self:
        """Start the thread, and wait until the history of all series is loaded.

        Raises UsageError and UnavailableError if the engine cannot start.
        """
        self._thread.start()
        if not self._ready.wait(_READY_SECONDS):
            self.stop()
            raise UsageError(
                "the engine could not load its history in time", "check the connection, and try again later"
            )
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
        self._loop = asyncio.get_running_loop()
        await self._gathering.load()
        self.engine.on_closed = self._wake_scripts
        self.engine.scripts_wait = True
        self._ready.set()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._run_scripts())
            for feed in self.engine.feeds:
                tasks.create_task(feed.run())
            tasks.create_task(self._deliveries.run())
            tasks.create_task(self._purge())

    def stop(self) -> None:
        """Stop the engine: the feed, running deliveries, the scripts and all streams."""
        self.engine.give_up()
        while self._thread.is_alive() and self._thread is not threading.current_thread():
            loop = self._loop
            if loop is not None and not loop.is_closed():
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(_cancel_all, loop)
            # Python may drop a cancellation at the moment in which what is awaited arrives.
            self._thread.join(0.5)
        self.engine.close()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the engine has ended, up to `seconds`. Return whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def __enter__(self) -> TradingEngine:
        return self.engine

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def _run_scripts(self) -> None:
        """Run scripts in a thread of their own, so that prices do not wait for them."""
        while True:
            await self._closed.wait()
            self._closed.clear()
            await asyncio.to_thread(self.engine.run_scripts)

    def _wake_scripts(self) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._closed.set)

    async def _purge(self) -> None:
        while True:
            await asyncio.sleep(_PURGED_EACH)
            with contextlib.suppress(DatabaseProblem):  # the next time will do
                await asyncio.to_thread(self.engine.purge)


def start_engine(
    symbols: Sequence[str],
    intervals: str | Sequence[str] = INTERVAL,
    settings: EngineSettings | None = None,
    *,
    address: str | None = None,
    fetch: Fetch = fetched,
) -> RunningEngine:
    """Start an engine for symbols in one or more intervals, and wait until their history is loaded.

    Symbols are names at Binance, or at Yahoo Finance with `YAHOO:` before them. `address` is the base of the feed's
    WebSocket address, by default Binance's. `fetch` loads history.

    Raises UsageError for unknown symbols and intervals and for a state that another engine uses, and UnavailableError
    without a network or without the packages of the extra `trade`.
    """
    keys = series_of(symbols, [intervals] if isinstance(intervals, str) else intervals)
    engine = TradingEngine(settings)
    try:
        return RunningEngine(engine, keys, address, fetch).start()
    except BaseException:
        engine.close()
        raise


def series_of(symbols: Sequence[str], intervals: Sequence[str]) -> list[Key]:
    """Return the series of all symbols in all intervals. Raises UsageError for none, too many, or unknown ones."""
    names = [name.upper().removeprefix("BINANCE:") for name in symbols]
    for name in names:
        if not re.fullmatch(r"[A-Z0-9]{1,40}|YAHOO:[A-Z0-9.^=-]{1,30}", name, re.ASCII):
            raise UsageError(
                f"'{name[:40]}' is not a symbol of Binance or Yahoo", "expected, for example, BTCUSDT or YAHOO:AAPL"
            )
    keys = list(dict.fromkeys(key_of(name, interval) for name in names for interval in intervals))
    if not keys:
        raise UsageError("the engine needs a symbol", "expected, for example, BTCUSDT")
    if len(keys) > _MOST_SERIES:
        raise UsageError(f"an engine follows at most {_MOST_SERIES} series, got: {len(keys)}")
    return keys


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    for task in asyncio.all_tasks(loop):
        task.cancel()

"""The feed of bars: updates over a WebSocket in Binance's format, and history over REST."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from pinebench.calendars.timeframes import BarGrid, Timeframe
from pinebench.engine.series import Key, Update, is_plausible
from pinebench.errors import UsageError
from pinebench.extras import missing
from pinebench.market import Bars, SymbolInfo, fetch, longest_ms, read_step

ADDRESS = "wss://stream.binance.com:9443"
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""The first and the longest pause before a new connection, in seconds; each pause is twice the one before."""
_SILENCE = 90.0
"""The seconds without a message after which a connection counts as lost."""
_LARGEST = 1 << 20
_MOST_AT_ONCE = 500
_MOST_WAITING = 20_000
"""The largest number of messages that wait while earlier ones are processed or history is fetched."""
_log = logging.getLogger(__name__)


class FeedHistory(NamedTuple):
    """The closed bars of a series, the closing time of each bar, and the properties of the symbol.

    `now` is the clock of the service. All times are in milliseconds UTC.
    """

    bars: Bars
    ends: Sequence[int]
    info: SymbolInfo
    now: int


Fetch = Callable[[Key, int], FeedHistory]
"""Fetches the last closed bars of a series: at least `count`, if there are as many."""


class Sink(Protocol):
    """A receiver of the bars of a feed. Its methods run in the feed's event loop."""

    async def connected(self, keys: Sequence[Key]) -> None:
        """Prepare for updates of these series, which arrive from now on. Earlier bars must be fetched."""
        ...

    async def take(self, updates: Sequence[Update]) -> None:
        """Process updates in the order of their arrival."""
        ...


YAHOO = "YAHOO:"
"""The prefix of the symbols of Yahoo Finance; symbols without it are Binance's."""


def fetched(key: Key, count: int) -> FeedHistory:
    """Fetch the last `count` closed bars from Binance, or from Yahoo for a symbol such as `YAHOO:AAPL`.

    Raises UsageError for an unknown symbol, and UnavailableError without a network.
    """
    symbol, interval = key
    if symbol.startswith(YAHOO):
        found = fetch(f"yahoo:{symbol.removeprefix(YAHOO)}:{interval}", count)
        grid = grid_of(interval, found.symbol)
        return FeedHistory(found.bars, [int(end) for end in grid.closes(found.bars.time)], found.symbol, found.now)
    found = fetch(f"binance:{symbol}:{interval}", count)
    step = read_step(interval)
    return FeedHistory(found.bars, ends_of(found.bars.time, step), found.symbol, found.now)


def grid_of(interval: str, info: SymbolInfo) -> BarGrid:
    """Return the time grid of a symbol's bars in an interval, which follows the sessions of its market."""
    from pinebench.calendars.sessions import session

    step = read_step(interval)
    return BarGrid(step, session(info.session, info.timezone), long_chart=not step.is_intraday)


def ends_of(times: Sequence[int], step: Timeframe) -> list[int]:
    """Return the closing time of each bar in a market that is always open. Times are in milliseconds UTC."""
    if step.unit != "M":
        length = longest_ms(step)
        return [time + length for time in times]
    from pinebench.calendars.sessions import session

    return [int(end) for end in BarGrid(step, session("24x7", "Etc/UTC"), long_chart=True).closes(list(times))]


def parsed(text: str | bytes) -> Update | None:
    """Parse a message of the WebSocket. Return None if it is not an update of a bar, or if the bar is implausible."""
    try:
        told: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(told, dict) and isinstance(told.get("data"), dict):
        told = told["data"]
    if not isinstance(told, dict) or told.get("e") != "kline" or not isinstance(told.get("k"), dict):
        return None
    try:
        found = _update(told, told["k"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return found if is_plausible(found) else None


def _update(told: Mapping[str, Any], bar: Mapping[str, Any]) -> Update:
    symbol, interval = bar.get("s") or told["s"], bar["i"]
    if not isinstance(symbol, str) or not isinstance(interval, str) or not isinstance(bar["x"], bool):
        raise ValueError
    if any(isinstance(bar[name], bool) for name in "ohlcvtT"):
        raise ValueError
    open_, high, low, close, volume = (float(bar[name]) for name in "ohlcv")
    if not math.isfinite(volume):
        raise ValueError
    time, end = int(bar["t"]), int(bar["T"]) + 1
    event = int(told.get("E", end))
    return Update(symbol.upper(), interval, time, end, open_, high, low, close, volume, bar["x"], event)


class FeedConnection:
    """A WebSocket connection to a feed. It reconnects after failures, and passes the updates to a sink."""

    def __init__(
        self,
        keys: Sequence[Key],
        sink: Sink,
        address: str | None = None,
        *,
        pause: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        """`address` is the base of the WebSocket's address; the default is PINEBENCH_BINANCE_STREAM_URL, then Binance's
        own.

        `pause` waits for a number of seconds.
        """
        self._keys = list(keys)
        self._sink = sink
        self._address = (address or os.environ.get("PINEBENCH_BINANCE_STREAM_URL") or ADDRESS).rstrip("/")
        self._pause = pause
        self.is_connected = False
        self.heard: float | None = None
        """The time of the last message, in seconds of `time.monotonic()`; None before the first one."""
        self.ignored = 0
        """The number of messages that were not updates of a requested series."""
        self.connections = 0

    @property
    def url(self) -> str:
        """The WebSocket's address with the streams of all series."""
        names = "/".join(f"{symbol.lower()}@kline_{interval}" for symbol, interval in self._keys)
        return f"{self._address}/stream?streams={names}"

    async def run(self) -> None:
        """Connect and read until cancelled. After a lost connection, wait 1, 2, 4 … 60 seconds. Raises UsageError for
        an invalid address, and UnavailableError without the package websockets."""
        try:
            from websockets.asyncio.client import connect
            from websockets.exceptions import InvalidURI, WebSocketException
        except ImportError:
            raise missing("the trading engine", "trade") from None
        wait = FIRST_PAUSE
        while True:
            try:
                async with connect(self.url, max_size=_LARGEST, max_queue=_MOST_WAITING, open_timeout=20) as socket:
                    self.is_connected, wait = True, FIRST_PAUSE
                    self.connections += 1
                    await self._sink.connected(self._keys)
                    await self._read(socket)
            except InvalidURI as error:
                raise UsageError(f"{self._address} is not the address of a WebSocket", str(error)) from None
            except (OSError, WebSocketException, TimeoutError) as error:
                _log.warning("the feed's connection was lost: %s", error or type(error).__name__)
            finally:
                self.is_connected = False
            await self._pause(wait)
            wait = min(wait * 2, LONGEST_PAUSE)

    async def _read(self, socket: Any) -> None:
        wanted = set(self._keys)
        while True:
            async with asyncio.timeout(_SILENCE):  # unlike this, wait_for may swallow a cancellation
                texts = [await socket.recv()]
            self.heard = time.monotonic()
            # Messages that have arrived meanwhile are taken together, so that they cost one transaction.
            while len(texts) < _MOST_AT_ONCE and (more := await _ready(socket)) is not None:
                texts.append(more)
            updates = [found for found in map(parsed, texts) if found is not None and found.key in wanted]
            self.ignored += len(texts) - len(updates)
            if updates:
                await self._sink.take(updates)


async def _ready(socket: Any) -> str | bytes | None:
    """Return the next message if it has already arrived, otherwise None. A lost connection shows at the next `recv`."""
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(TimeoutError, ConnectionClosed):
        async with asyncio.timeout(0):
            return await socket.recv()
    return None

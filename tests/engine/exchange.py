"""An exchange on this computer: Binance's REST interface and its WebSocket, with a market that a test plays."""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import json
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from pinebench.engine.series import Update
from pinebench.market import Bars
from tests.engine.markets import MINUTE


class Exchange:
    """The exchange. `known` is how many bars of each symbol have closed; the next one is still open."""

    def __init__(self, markets: dict[str, Bars], known: int) -> None:
        self.markets = markets
        self.known = known
        self.paths: list[str] = []
        self._sockets: set[ServerConnection] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stopped = asyncio.Event()
        self._threads = [threading.Thread(target=self._serve_sockets), threading.Thread(target=self._serve_rest)]
        self._rest = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._rest.daemon_threads = True
        self.rest_url = f"http://127.0.0.1:{self._rest.server_port}"
        self.stream_url = ""

    def __enter__(self) -> Exchange:
        for thread in self._threads:
            thread.start()
        assert self._ready.wait(120)
        return self

    def __exit__(self, *_: object) -> None:
        self._rest.shutdown()
        self._loop.call_soon_threadsafe(self._stopped.set)
        for thread in self._threads:
            thread.join()
        self._rest.server_close()

    # the stream

    def _serve_sockets(self) -> None:
        async def main() -> None:
            server = await serve(self._connected, "127.0.0.1", 0, close_timeout=0.2, ping_interval=None)
            port = next(iter(server.sockets)).getsockname()[1]
            self.stream_url = f"ws://127.0.0.1:{port}"
            self._ready.set()
            await self._stopped.wait()
            server.close()
            # A connection that was cut while it began can keep the server from ever being closed.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(server.wait_closed(), 5)

        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # it ends every task that is left
            runner.run(main())

    async def _connected(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        self.paths.append(socket.request.path)
        self._sockets.add(socket)
        try:
            await socket.wait_closed()
        finally:
            self._sockets.discard(socket)

    @property
    def connections(self) -> int:
        return len(self.paths)

    @property
    def is_connected(self) -> bool:
        """Whether a client is there that gets what is sent."""
        return bool(self._sockets)

    def send(self, *texts: str) -> None:
        """Send messages to every client."""

        async def go() -> None:
            for socket in tuple(self._sockets):
                with contextlib.suppress(ConnectionClosed):  # its client may have been killed
                    for text in texts:
                        await socket.send(text)

        asyncio.run_coroutine_threadsafe(go(), self._loop).result(20)

    def drop(self) -> None:
        """Cut every connection. Clients may connect again at once."""

        async def go() -> set[ServerConnection]:
            cut = set(self._sockets)
            for socket in cut:
                socket.transport.abort()
            return cut

        cut = asyncio.run_coroutine_threadsafe(go(), self._loop).result(20)
        until(lambda: cut.isdisjoint(self._sockets))

    def forget(self) -> None:
        """Wait until the connections of a client that was killed are gone."""
        until(lambda: not self._sockets)

    # the history

    def _serve_rest(self) -> None:
        self._rest.serve_forever(0.05)

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        exchange = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
                is_known = asked["symbol"] in exchange.markets
                told = exchange.rest(parts.path, asked) if is_known else {"code": -1121, "msg": "Invalid symbol."}
                body = json.dumps(told).encode()
                self.send_response_only(200 if is_known else 400)
                self.send_header("Date", self.date_time_string(exchange.now // 1000))
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler

    @property
    def now(self) -> int:
        """The exchange's clock: in the middle of the bar that is open."""
        bars = next(iter(self.markets.values()))
        return bars.time[0] + self.known * MINUTE + MINUTE // 2

    def rest(self, path: str, asked: dict[str, str]) -> object:
        """The answer to a request. The last bar is still open, and is told as well, as Binance does."""
        symbol = asked["symbol"]
        if path.endswith("/exchangeInfo"):
            filters = [{"filterType": "PRICE_FILTER", "tickSize": "0.01"}]
            return {"symbols": [{"symbol": symbol, "baseAsset": "A", "quoteAsset": "USDT", "filters": filters}]}
        bars, since, rows = self.markets[symbol], int(asked["startTime"]), list[list[object]]()
        for at in range(min(self.known + 1, len(bars))):
            if bars.time[at] >= since and len(rows) < int(asked["limit"]):
                prices = [str(column[at]) for column in (bars.open, bars.high, bars.low, bars.close, bars.volume)]
                end = bars.time[at] + MINUTE - 1
                rows.append([bars.time[at], *prices, end, "0", 1, "0", "0", "0"])
        return rows


def message(update: Update) -> str:
    """An update as Binance sends it on a combined stream."""
    symbol, interval = update.key
    bar = {
        "t": update.time,
        "T": update.end - 1,
        "s": symbol,
        "i": interval,
        "o": str(update.open),
        "h": str(update.high),
        "l": str(update.low),
        "c": str(update.close),
        "v": str(update.volume),
        "x": update.closed,
    }
    data = {"e": "kline", "E": update.event, "s": symbol, "k": bar}
    return json.dumps({"stream": f"{symbol.lower()}@kline_{interval}", "data": data})


def messages(updates: Sequence[Update]) -> list[str]:
    return [message(update) for update in updates]


def until(is_true: Callable[[], object], seconds: float = 200) -> None:
    """Wait until something is true; fail if it is not in time."""
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)

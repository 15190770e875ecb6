"""Reads a streamed answer in a separate thread, so that the deadline does not depend on the service. A service can keep
a read alive forever with pings or single bytes, and can send more than was requested. So the deadline is enforced
outside the read, and an answer has a size limit in bytes."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pinebench.context import Context

LOOK_SECONDS = 0.1
"""The seconds between two checks of the reader's time limit and of its cancellation."""
Opened = contextlib.AbstractContextManager[Iterator[Any]]


class StreamError(Exception):
    """Reading failed. The cause is an error of the service's library."""


class Exchange:
    """One request and its answer. It knows the connections that both use, and `allowance`, the bytes that the answer
    may have."""

    def __init__(self, allowance: int) -> None:
        self.allowance = allowance
        self.is_cut = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()

    def uses(self, stream: Any) -> None:
        """Register the connection `stream` of the HTTP library. It is closed immediately if `cut` was called before."""
        found = stream.get_extra_info("socket")
        with self._lock:
            self._sockets += [found] if found is not None else []
            if self.is_cut:
                self._end()

    def is_over(self) -> None:
        """Release the connection, so that another exchange can use it."""
        with self._lock:
            self._sockets.clear()

    def cut(self) -> None:
        """Close the connection immediately, even while a thread reads from it. Other exchanges continue."""
        with self._lock:
            self.is_cut = True
            self._end()

    def _end(self) -> None:
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._sockets.clear()


class Connections:
    """Tracks the connections of one HTTP client, so that each exchange can be limited and ended separately. `http` is
    the HTTP library. The client must be created with `hooks`."""

    def __init__(self, http: Any) -> None:
        self._http = http
        self._own = threading.local()

    @property
    def hooks(self) -> dict[str, list[Callable[[Any], None]]]:
        """The event hooks to pass to the HTTP client."""
        return {"request": [self._watch], "response": [self._limit]}

    def belong_to(self, exchange: Exchange) -> None:
        """Assign all later requests of this thread to `exchange`."""
        self._own.exchange = exchange

    def _watch(self, request: Any) -> None:
        exchange: Exchange = self._own.exchange

        def trace(name: str, info: dict[str, Any]) -> None:
            if name.endswith((".connect_tcp.complete", ".start_tls.complete")):
                exchange.uses(info["return_value"])
            elif name.endswith(".response_closed.started"):
                exchange.is_over()

        request.extensions["trace"] = trace

    def _limit(self, response: Any) -> None:
        exchange: Exchange = self._own.exchange
        # The connection of an earlier request may be used again; only now it is known which one.
        exchange.uses(response.extensions["network_stream"])
        if response.headers.get("content-encoding", "identity") != "identity":
            # A few compressed bytes could expand to any number of bytes.
            raise self._http.DecodingError("the answer is compressed, although that was not requested")
        response.stream = _limited(self._http, response.stream, exchange.allowance)


def read(opened: Callable[[], Opened], connections: Connections, allowance: int, context: Context) -> Iterator[Any]:
    """Open a stream with `opened`. Yield None when it is open, then its events as they arrive, up to `allowance` bytes
    in total. When the deadline passes or the work is cancelled, the error of `context` is raised immediately, whatever
    the service does. Raises StreamError if reading fails."""
    arrived: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    exchange = Exchange(allowance)

    def pump() -> None:
        connections.belong_to(exchange)
        try:
            with opened() as stream:
                arrived.put(("event", None))
                for event in stream:
                    arrived.put(("event", event))
            arrived.put(("end", None))
        except Exception as error:
            arrived.put(("error", error))

    ended = False
    threading.Thread(target=pump, name="pinebench-answer", daemon=True).start()
    try:
        while True:
            context.check()
            try:
                kind, value = arrived.get(timeout=min(LOOK_SECONDS, max(context.remaining(), 0.001)))
            except queue.Empty:
                continue
            ended = kind != "event"
            if kind == "end":
                return
            if kind == "error":
                raise StreamError(str(type(value).__name__)) from value
            yield value
    finally:
        if not ended:
            exchange.cut()


def _limited(http: Any, stream: Any, limit: int) -> Any:
    class LimitedStream(http.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            left = limit
            for piece in stream:
                left -= len(piece)
                if left < 0:
                    raise http.DecodingError("the answer is longer than any requested answer")
                yield piece

        def close(self) -> None:
            stream.close()

    return LimitedStream()

"""Serves the application on a port with uvicorn, and ends connections of clients that are too slow."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from pinebench.errors import UnavailableError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_HEAD_SECONDS = 20
"""Seconds in which the head of a request must arrive, and for which a connection may be idle."""
_UNREAD_SECONDS = 60
"""Seconds after which the connection of a client that does not read its answer is closed."""
_MOST_CONNECTIONS = 2_000
_CLOSING_SECONDS = 2


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to `port` of the address `host` (0: a free port). Raises UnavailableError if that
    is not possible."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise UnavailableError(f"cannot listen at {host}: {error.strerror}", "choose another --host") from None
    alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if alone is None else alone, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise UnavailableError(f"cannot listen on port {port}: {error.strerror}", "choose another --port") from None
    return listening


class WebService:
    """Serves the application on a socket. `ready` is called as soon as the application can be reached."""

    def __init__(self, application: ASGIApp, listening: socket.socket, ready: Callable[[], object]) -> None:
        self._listening = listening
        settings = uvicorn.Config(
            application,
            http=_Connection,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_HEAD_SECONDS,
            timeout_graceful_shutdown=_CLOSING_SECONDS,
            limit_concurrency=_MOST_CONNECTIONS,
        )
        self._server = _Server(settings, ready)

    def run(self) -> None:
        """Serve until stopped, by `stop` or by a signal."""
        _give_memory_back()
        try:
            self._server.run([self._listening])
        finally:
            self._listening.close()

    def stop(self) -> None:
        """Stop the service from another thread, without waiting for pending answers."""
        self._server.should_exit = self._server.force_exit = True


_TRIM_THRESHOLD, _ARENA_MAX = -1, -8
"""The options of glibc's `mallopt`."""


def _give_memory_back() -> None:
    """Let glibc return memory to the system after a load. By default it keeps what many threads needed at once."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):  # another C library
        library = ctypes.CDLL("libc.so.6")
        library.mallopt(_ARENA_MAX, 2)
        library.mallopt(_TRIM_THRESHOLD, 1 << 17)


class _Server(uvicorn.Server):
    """uvicorn's server, which calls a function when it is ready."""

    def __init__(self, settings: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(settings)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def tell(url: str, port: int) -> None:
    """Print the server's address as JSON, in the first line of the output."""
    told = {"url": url, "mcp": f"{url}/mcp", "port": port, "pid": os.getpid()}
    print(json.dumps(told), flush=True, file=sys.stdout)


class _Connection(H11Protocol):
    """A connection that is ended if the head of a request takes too long, or if nobody reads the answer."""

    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._late = _cancelled(self._late)
        self._unread = _cancelled(self._unread)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(_UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._unread = _cancelled(self._unread)
        super().resume_writing()

    def _watch(self) -> None:
        """Limit the time until the next head is complete; a request that is being answered has no such limit."""
        cycle = cast("object | None", self.cycle)
        is_waiting = cycle is None or self.cycle.response_complete
        if not is_waiting:
            self._late = _cancelled(self._late)
        elif self._late is None:
            self._late = self.loop.call_later(_HEAD_SECONDS, self.transport.abort)


def _cancelled(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()

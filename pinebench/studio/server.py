"""The studio's HTTP server: uvicorn on the loopback address, in a separate thread."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from contextlib import suppress
from importlib.util import find_spec
from types import TracebackType
from typing import Any, cast

import uvicorn
from h11 import ProtocolError, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from pinebench.errors import UnavailableError
from pinebench.studio.asgi import HOST, Application, Talks, serve
from pinebench.studio.assistant import LONGEST_MESSAGE

_log = logging.getLogger(__name__)

_IDLE_SECONDS = 30
"""Seconds for which a connection may be idle, in which the head of a request must arrive, and in which the client must
begin to read a waiting answer."""
_BODY_SECONDS = 60
"""Seconds in which the whole body of a request must arrive."""
_WAITING = 128
_CLOSING_SECONDS = 5
_LAST_TURNS = 5
"""Turns of the event loop after which a connection that was just accepted is known, and its end is noticed."""


class StudioServer:
    """Serves an application on a loopback port from a separate thread, until `close`."""

    def __init__(self, application: Application, port: int = 0, talks: Talks | None = None) -> None:
        """Listen on `port` of the loopback address (0: any free port). With `talks`, windows can talk with the
        assistant. Raises UnavailableError if the port is taken."""
        self._listening = _listen(port)
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://{HOST}:{self.port}/chart/"
        self._settings = _settings(application, self.port, talks)
        self._uvicorn = uvicorn.Server(self._settings)
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_note)
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="studio-server", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the server; running requests are dropped."""
        with suppress(RuntimeError):  # it was closed before
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(_CLOSING_SECONDS)
        self._listening.close()

    def __enter__(self) -> StudioServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        serving = asyncio.create_task(self._uvicorn.serve([self._listening]))
        await self._closing.wait()
        # uvicorn would let running requests finish, but the objects that they need are closed next.
        self._settings.closing = True
        with suppress(NotImplementedError):  # Windows accepts clients in another way
            self._loop.remove_reader(self._listening)
        state = self._uvicorn.server_state
        for _ in range(_LAST_TURNS):
            for connection in list(state.connections):
                connection.transport.abort()
            await asyncio.sleep(0)
        ending = [serving, *state.tasks]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


def _listen(port: int) -> socket.socket:
    # If the protocol is given, asyncio sends small answers at once instead of collecting them.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":  # elsewhere the option would let two programs have one port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(_WAITING)
    except OSError as error:
        listening.close()
        raise UnavailableError(f"cannot listen on port {port}: {error.strerror}", "choose another --port") from None
    return listening


class _Settings(uvicorn.Config):
    """The settings of a server, and whether it is closing. A connection has access to nothing else of the server."""

    closing = False


def _settings(application: Application, port: int, talks: Talks | None) -> _Settings:
    """The settings for uvicorn: they do not depend on other installed packages, do not trust headers of proxies, and
    switch uvicorn's own log off."""
    return _Settings(
        serve(application, port, talks),
        http=_PageConnection,
        ws="websockets-sansio" if talks is not None and find_spec("websockets") else "none",
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        proxy_headers=False,
        server_header=False,
        headers=[("Server", "pinebench-studio")],
        log_config=None,
        log_level="critical",
        access_log=False,
        backlog=_WAITING,
        timeout_keep_alive=_IDLE_SECONDS,
    )


def _note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop. A broken connection, or a client that does not speak HTTP, is only logged at
    debug level."""
    del loop
    failure = context.get("exception")
    expected = failure is None or isinstance(failure, OSError | ProtocolError)
    _log.log(logging.DEBUG if expected else logging.ERROR, "%s", context.get("message"), exc_info=failure)


class _PageConnection(H11Protocol):
    """A connection that is ended if its client takes too long to send a head or a body, or to read an answer."""

    _late: asyncio.TimerHandle | None = None
    _untaken: asyncio.TimerHandle | None = None
    _awaited: tuple[str, object] | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        if cast(_Settings, self.config).closing:
            transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def handle_websocket_upgrade(self, event: Request) -> None:
        self._upgraded = True
        self._await(None)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(None)
        self._taken()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._untaken = self.loop.call_later(_IDLE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._taken()
        super().resume_writing()

    def _watch(self) -> None:
        """Find out what the client must send next, and start its time limit if that has changed."""
        if self._upgraded:  # pings of the WebSocket find out whether the client is there
            return
        if self.cycle is None or self.cycle.response_complete:
            self._await(("head", self.cycle))
        else:
            self._await(("body", self.cycle) if self.cycle.more_body else None)

    def _await(self, awaited: tuple[str, object] | None) -> None:
        if awaited == self._awaited:
            return
        self._awaited = awaited
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if awaited is not None:
            seconds = _IDLE_SECONDS if awaited[0] == "head" else _BODY_SECONDS
            self._late = self.loop.call_later(seconds, self.transport.abort)

    def _taken(self) -> None:
        if self._untaken is not None:
            self._untaken.cancel()
            self._untaken = None

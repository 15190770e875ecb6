"""Serves a `ServerOffer` over this process's standard streams, or over HTTP on the loopback address."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Callable
from typing import TYPE_CHECKING, Protocol

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from pinebench.errors import UnavailableError, UsageError
from pinebench.mcp.access import TokenGuard
from pinebench.mcp.server import ServerOffer

if TYPE_CHECKING:
    import socket

    from anyio.abc import ObjectSendStream

HOST = "127.0.0.1"
PATH = "/mcp"


def over_stdio(offer: ServerOffer) -> None:
    """Serve until the client closes the standard input."""

    async def serve() -> None:
        server = offer.server()
        async with stdio_server() as (reading, writing), anyio.create_task_group() as tasks:
            passing, passed = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            tasks.start_soon(_pass_on, reading, passing, writing)
            await server.run(passed, writing, server.create_initialization_options())
            tasks.cancel_scope.cancel()

    anyio.run(serve)


class _AnswerStream(Protocol):
    """The stream to which answers are written."""

    async def send(self, item: SessionMessage, /) -> None: ...


async def _pass_on(
    reading: AsyncIterable[SessionMessage | Exception],
    passing: ObjectSendStream[SessionMessage | Exception],
    writing: _AnswerStream,
) -> None:
    """Pass messages on, and answer a line that is not a message with an error. The SDK itself would send no error, and
    the client would wait."""
    async with passing:
        async for item in reading:
            if not isinstance(item, Exception):
                await passing.send(item)
            elif (refused := _refusal(item)) is not None:
                await writing.send(SessionMessage(refused))


def _refusal(error: Exception) -> types.JSONRPCError | None:
    """Return the error for a line that is not a message; None if the line is empty."""
    given = [each.get("input") for each in error.errors()] if isinstance(error, ValidationError) else [""]
    line = given[0] if isinstance(given[0], str) and len(given) == 1 else None
    if line is not None and not line.strip():
        return None
    try:
        told = [json.loads(line)] if line is not None else given
    except (ValueError, RecursionError):
        return _error(types.PARSE_ERROR, None, "a message must be one line of JSON")
    numbers = [each["id"] for each in told if isinstance(each, dict) and isinstance(each.get("id"), int | str)]
    words = "this is not a JSON-RPC 2.0 message, or a string in it contains a lone surrogate (\\ud800 to \\udfff)"
    return _error(types.INVALID_REQUEST, numbers[0] if numbers else None, words)


def _error(code: int, number: int | str | None, words: str) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=words))


def address(port: int) -> str:
    """Return the address of a server on `port`."""
    return f"http://{HOST}:{port}{PATH}"


def _bound_socket(port: int) -> socket.socket:
    import socket

    # With the protocol named, asyncio sends small answers at once instead of gathering them.
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # On Windows that option would let others listen on the same port and be sent the token.
    alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if alone is None else alone, 1)
    try:
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        raise UnavailableError(f"cannot listen on port {port}: {error.strerror}", "choose another --port") from None
    return made


def over_http(offer: ServerOffer, port: int, token: str | None, ready: Callable[[str], object]) -> None:
    """Serve on `port` of the loopback address (0: a free port) until stopped.

    `ready` is called with the address as soon as the server can be reached. Clients that do not send the `token` are
    refused. If it is None, all clients are accepted, which is only for an offer whose tools reach nothing outside.
    Requests for other host names and from pages of other sites, including other local ports, are refused too.

    Raises UsageError for an invalid port, and UnavailableError if the port is taken.
    """
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    if not 0 <= port <= 65535:
        raise UsageError(f"port must be from 0 to 65535, got: {port}")

    listening = _bound_socket(port)
    port = listening.getsockname()[1]
    # The SDK's own rule compares only the beginning of a name, so it would accept every local port.
    names = [f"{name}:{port}" for name in (HOST, "localhost", "[::1]")]
    rules = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    application = offer.server().streamable_http_app(streamable_http_path=PATH, transport_security=rules)
    settings = uvicorn.Config(
        TokenGuard(application, token), ws="none", log_level="warning", access_log=False, timeout_graceful_shutdown=2
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready(address(port))

    try:
        Server(settings).run([listening])
    finally:
        listening.close()

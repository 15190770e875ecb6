"""Serving an offer: over this process's standard streams, or over HTTP on the loopback address."""

from __future__ import annotations

import anyio
from mcp.server.stdio import stdio_server

from pinebench.errors import UnavailableError
from pinebench.mcp.server import Offer

HOST = "127.0.0.1"
PATH = "/mcp"


def over_stdio(offer: Offer) -> None:
    """Serve until the client closes our standard input."""

    async def serve() -> None:
        server = offer.server()
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(serve)


def over_http(offer: Offer, port: int) -> None:
    """Serve on `port` of the loopback address until stopped; other hosts' names and other sites' pages are refused.

    Raises UnavailableError where the port is taken.
    """
    import socket

    import uvicorn

    # With the protocol named, asyncio sends small answers at once instead of gathering them.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise UnavailableError(f"cannot listen on port {port}: {error.strerror}", "choose another --port") from None
    # The SDK refuses by itself what comes by another name than the loopback's, or from another site's page.
    application = offer.server().streamable_http_app(streamable_http_path=PATH, host=HOST)
    settings = uvicorn.Config(application, log_level="warning", access_log=False, timeout_graceful_shutdown=2)
    try:
        uvicorn.Server(settings).run([listening])
    finally:
        listening.close()

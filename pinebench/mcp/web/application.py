"""The server as a Starlette application: the MCP endpoint, OAuth, a health check and the icon, behind a check of each
request's origin."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import anyio.to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pinebench import __version__
from pinebench.context import Engine
from pinebench.databases import DatabaseProblem
from pinebench.headers import are_too_many
from pinebench.mcp.web import logs, metrics, pages
from pinebench.mcp.web.addresses import Addresses, is_local
from pinebench.mcp.web.app_page import AppPage
from pinebench.mcp.web.client_documents import RemoteDocuments
from pinebench.mcp.web.consent import Consent
from pinebench.mcp.web.endpoint import McpEndpoint
from pinebench.mcp.web.grant_store import Store
from pinebench.mcp.web.grants import ACCESS_SECONDS, Grants
from pinebench.mcp.web.metrics import Figures
from pinebench.mcp.web.oauth import OAuth
from pinebench.mcp.web.public_tools import ServedOffer
from pinebench.mcp.web.scopes import Scopes
from pinebench.printable import printable

_log = logging.getLogger(__name__)
_requests = logging.getLogger(logs.REQUESTS)

_ALLOWED = (
    "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name"
)
_METHODS = frozenset({"GET", "POST", "DELETE", "OPTIONS", "HEAD"})
_LATE_SECONDS = 90
"""The seconds without a message of the feed after which the server's state is `late`."""
_EXPOSED = "mcp-session-id, www-authenticate"


def _routes(endpoint: McpEndpoint, engine: Engine | None, figures: Figures) -> list[Route]:
    async def health(_: Request) -> Response:
        return await _health(engine)

    return [
        Route("/", health, methods=["GET"]),
        Route(metrics.PATH, figures.endpoint, methods=["GET"]),
        Route("/favicon.svg", _icon, methods=["GET"]),
        Route("/favicon.ico", _icon, methods=["GET"]),
        Route("/", endpoint, methods=["POST", "DELETE"]),
        Route("/message", endpoint, methods=["POST", "DELETE"]),
        Route("/sse", endpoint, methods=["GET", "POST", "DELETE"]),
        Route("/mcp", endpoint),
    ]


def application(
    offer: ServedOffer,
    addresses: Addresses,
    scopes: Scopes,
    engine: Engine | None = None,
    *,
    store: Store | None = None,
    passphrase: str = "",
    users: Mapping[str, str] | None = None,
    seconds: int = ACCESS_SECONDS,
    documents: RemoteDocuments | None = None,
    figures: Figures | None = None,
) -> Starlette:
    """Return the application that serves `offer`.

    `store` holds clients and tokens, `passphrase` is the hash of the owner's passphrase, and `users` are the hashes of
    the passphrases of other users, by name. Without a store, everybody who can reach the server is the owner, which is
    meant only for a server on this computer. `seconds` is the lifetime of an access token, and `figures` are offered at
    `/metrics`.
    """
    grants: Grants | None = None
    routes: list[Route] = []
    if store is not None:
        grants = Grants(store, addresses, documents or RemoteDocuments(), seconds=seconds)
        consent = Consent(grants, addresses, scopes, passphrase, users=users)
        routes += OAuth(grants, consent, addresses, scopes).routes()
    figures = figures or Figures()
    pushing = None if engine is None else engine.pushing
    if store is None:  # there is one client, and nobody else to keep turns for
        offer.turns.each = offer.turns.most
    endpoint = McpEndpoint(offer, grants, addresses, scopes, pushing, figures)
    routes += [*_routes(endpoint, engine, figures), *AppPage(asks=store is not None).routes()]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with endpoint.running():
            yield

    paths = frozenset(each.path for each in routes)
    gate = Middleware(OriginGuard, addresses=addresses, is_open=store is None, figures=figures, paths=paths)
    return Starlette(routes=routes, middleware=[gate], lifespan=lifespan, exception_handlers=_FAILURES)


async def _health(engine: Engine | None) -> Response:
    """Return the state of the server. It is public, so it says nothing about users; 503 means that the engine ended."""
    told: dict[str, object] = {
        "name": "pinebench",
        "version": __version__,
        "protocol": "MCP",
        "protocolVersion": "2025-03-26",
        "status": "ok",
    }
    if engine is not None:
        found = await anyio.to_thread.run_sync(engine.health)
        feed, outbox = found["feed"], found["outbox"]
        if found["problem"] is not None:
            told["status"] = "failed"
        elif found["trouble"] is not None or not feed["connected"] or (feed["age_seconds"] or 0) > _LATE_SECONDS:
            told["status"] = "late"
        told["engine"] = {
            "running": found["problem"] is None,
            "feed_connected": feed["connected"],
            "feed_age_seconds": feed["age_seconds"],
            "outbox_waiting": outbox["waiting"],
            "outbox_oldest_seconds": outbox["oldest_seconds"],
        }
    return JSONResponse(told, 503 if told["status"] == "failed" else 200, {"Cache-Control": "no-store"})


async def _icon(_: Request) -> Response:
    return Response(pages.ICON, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def _failed(request: Request, error: Exception) -> Response:
    _log.error("%s %s failed", request.method, printable(request.url.path[:200]), exc_info=error)
    return JSONResponse({"error": "server_error", "error_description": "the server failed; see its log"}, 500)


async def _unusable(request: Request, error: Exception) -> Response:
    """Answer that a file of the server is locked, full or damaged: the same request may succeed later."""
    _log.error("%s %s failed: %s", request.method, printable(request.url.path[:200]), error)
    told = {"error": "temporarily_unavailable", "error_description": f"{error}; try again later"}
    return JSONResponse(told, 503, {"Retry-After": "5", "Cache-Control": "no-store"})


_FAILURES = {500: _failed, DatabaseProblem: _unusable}


class OriginGuard:
    """Refuses requests for other host names, and from pages of other sites. Pages of programs on the user's own
    computer, such as the MCP Inspector, may send requests too, because every request needs a token. If no token is
    needed (`is_open`), only pages of this server may send requests."""

    def __init__(
        self, app: ASGIApp, addresses: Addresses, *, is_open: bool, figures: Figures, paths: frozenset[str]
    ) -> None:
        """`figures` count the answers. `paths` are the server's own paths; only these appear in counts and logs."""
        self._app = app
        self._figures = figures
        self._paths = paths
        self._addresses = addresses
        self._is_open = is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._check(scope, receive, self._noting(scope, send))

    def _noting(self, scope: Scope, send: Send) -> Send:
        """Pass an answer on, and count and log it. Only the server's own paths are named, and never a query."""
        method = scope["method"] if scope["method"] in _METHODS else "other"
        path = scope["path"] if scope["path"] in self._paths else "other"
        begin = time.monotonic()

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                self._figures.answered(method, path, status)
                took = round(1000 * (time.monotonic() - begin), 1)
                fields = {"method": method, "path": path, "status": status, "milliseconds": took}
                _requests.info("answered", extra={"fields": fields})
            await send(message)

        return noted

    async def _check(self, scope: Scope, receive: Receive, send: Send) -> None:
        if are_too_many(scope["headers"]):
            too_many = PlainTextResponse("the request has too many headers\n", 431, {"Connection": "close"})
            await too_many(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or self._addresses.base_for(hosts[0]) is None:
            told = PlainTextResponse(
                "the server does not have this host name; --base-url sets its public address\n", 421
            )
            await told(scope, receive, send)
            return
        origin = origins[0] if origins else None
        is_own = origin is None or self._addresses.is_own(origin)
        if len(origins) > 1 or not (is_own or (not self._is_open and is_local(str(origin)))):
            await PlainTextResponse("pages of other sites must not send requests\n", 403)(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": list(message["headers"])}
                answer = MutableHeaders(raw=message["headers"])
                answer.setdefault("X-Content-Type-Options", "nosniff")
                answer.setdefault("Referrer-Policy", "no-referrer")
                if self._addresses.is_secure:
                    answer["Strict-Transport-Security"] = "max-age=31536000"
                if origin is not None:
                    answer["Access-Control-Allow-Origin"] = origin
                    answer["Access-Control-Expose-Headers"] = _EXPOSED
                    answer.add_vary_header("Origin")
            await send(message)

        if scope["method"] == "OPTIONS" and origin is not None:
            allowed = {"Access-Control-Allow-Methods": "GET, POST, DELETE", "Access-Control-Allow-Headers": _ALLOWED}
            await Response(status_code=204, headers=allowed)(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)

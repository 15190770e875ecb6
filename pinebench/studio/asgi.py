"""The studio as a Starlette application. It accepts requests from its own pages only, and computes answers in threads,
not in the event loop."""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse
from starlette.responses import StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from pinebench.agent.threads import in_thread
from pinebench.errors import PinebenchError
from pinebench.headers import are_too_many
from pinebench.studio import assistant
from pinebench.studio.assistant import Assistant
from pinebench.studio.web import Response, StudioRequest, json_response

_log = logging.getLogger(__name__)

HOST = "127.0.0.1"
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
_TOKEN = re.compile(r"token=[^&\s]*")
_MOST_PARAMETERS = 100
_MOST_DISCARDED = 64_000_000
_WORTH_PACKING = 2_000
"""The size in bytes from which an answer is compressed."""
_TEXTS = ("application/json", "text/")
_DISCARD_SECONDS = 10
"""Seconds, and bytes (`_MOST_DISCARDED`), for which the body of a refused request is still received, so that its sender
can read the answer."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Application(Protocol):
    """The served application: a function from request to response that may be called from many threads."""

    def handle(self, request: StudioRequest) -> Response:
        """Answer one request."""
        ...

    def refusal(self, request: StudioRequest, length: int) -> Response | None:
        """Return a response that refuses `request` before its body (`length` bytes) is read; None if it may be read."""
        ...


class Talks(NamedTuple):
    """The assistant, and a function that tells whether a request is from a visitor, who cannot use the assistant."""

    assistant: Assistant
    is_visitor: Callable[[StudioRequest], bool]


def serve(application: Application, port: int, talks: Talks | None = None) -> Starlette:
    """Return `application` as an ASGI application for a server at `port` of the loopback address. `talks` lets windows
    of the page talk with the assistant."""

    async def answer(asked: HttpRequest) -> HttpResponse:
        try:
            request = _without_body(asked)
        except ValueError:
            return _Refusal(json_response({"error": "malformed address"}, 400))
        length = int(asked.headers.get("content-length", "0"))
        refusal = application.refusal(request, length) if length > 0 else None
        if refusal is not None:
            return _Refusal(refusal)
        try:
            body = await asked.body()
        except ClientDisconnect:
            return HttpResponse()  # the client has gone, so nobody reads it
        whole = StudioRequest(request.method, request.path, request.query, request.headers, body)
        try:
            return _sent(await in_thread(lambda: _packed(application.handle(whole), request)))
        except PinebenchError as error:
            return _sent(json_response({"error": error.with_hint}, 503))
        except Exception:
            _log.exception("%s %s failed", request.method, request.path)
            return _sent(json_response({"error": "the studio failed to answer; see its log"}, 500))

    async def talk(window: WebSocket) -> None:
        query = dict(window.query_params)
        request = StudioRequest("GET", window.url.path, query, dict(window.headers.items()))
        if talks is None or talks.is_visitor(request):
            await window.close(1008)
            return
        await window.accept()
        seen = query.get("seen", "")
        number = int(seen) if seen.isdecimal() and len(seen) < 10 else 0
        with suppress(WebSocketDisconnect):
            await talks.assistant.serve(_Window(window), query.get("resume", ""), number, back=query.get("back") == "1")

    routes = [WebSocketRoute(assistant.PATH, talk), Route("/{path:path}", answer, methods=list(_METHODS))]
    return Starlette(routes=routes, middleware=[Middleware(_Gate, port=port)])


class _Window:
    """The connection to a window, for the assistant."""

    def __init__(self, window: WebSocket) -> None:
        self._window = window

    async def send(self, text: str) -> None:
        try:
            await self._window.send_text(text)
        except (RuntimeError, WebSocketDisconnect) as error:
            raise ConnectionResetError(str(error)) from None

    async def received(self) -> AsyncIterator[str]:
        with suppress(WebSocketDisconnect):
            while True:
                message = await self._window.receive()
                if message["type"] == "websocket.disconnect":
                    return
                yield message.get("text") or ""

    async def close(self, code: int) -> None:
        with suppress(RuntimeError, OSError):
            await self._window.close(code)


class _Gate:
    """Accepts only requests of programs on this computer and of the studio's own pages, and adds security headers to
    all answers."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._own = {f"{name}:{port}" for name in (HOST, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            if self._refusal({**scope, "method": "GET"}) is None:
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            return

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                # Write the names as HTTP does (`Content-Type`), because some programs compare them with case.
                message["headers"] = [(name.title(), value) for name, value in message["headers"]]
                _log.debug("%s", _TOKEN.sub("token=…", f"{_request_line(scope)} {message['status']}"))
            await send(message)

        refusal = self._refusal(scope)
        app = self._app if refusal is None else _Refusal(refusal)
        await app(scope, receive, tell)

    def _refusal(self, scope: Scope) -> Response | None:
        """The response that refuses a request with a wrong host, from another site, or with errors; else None."""
        if are_too_many(scope["headers"]):
            return json_response({"error": "the request has too many headers"}, 431)
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._own:
            return json_response({"error": "refused: unknown Host"}, 403)
        origins = {f"http://{host}" for host in self._own}
        if any(origin.lower() not in origins for origin in headers.getlist("origin")):
            return json_response({"error": "refused: foreign Origin"}, 403)
        foreign = {"cross-site", "same-site"} & set(headers.getlist("sec-fetch-site"))
        if foreign and headers.get("sec-fetch-mode") != "navigate":
            return json_response({"error": "refused: the request comes from another site"}, 403)
        if "transfer-encoding" in headers:
            return json_response({"error": "the request has no Content-Length"}, 411)
        if scope["method"] not in _METHODS:
            return json_response({"error": "this method is not allowed"}, 501)
        if not scope["path"].startswith("/"):
            return json_response({"error": "malformed address"}, 400)
        return None


class _Refusal(HttpResponse):
    """An answer to a request whose body is not read.

    For a while the body is received and dropped, because otherwise its sender would see a broken connection instead of
    the answer.
    """

    def __init__(self, response: Response) -> None:
        super().__init__(response.body, response.status, {**response.headers, "Connection": "close"})
        self.headers["Content-Type"] = response.content_type

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, and end it after the body was received."""
        del scope
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(_DISCARD_SECONDS):
                await _discard(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _discard(receive: Receive) -> None:
    left = _MOST_DISCARDED
    while left > 0:
        message = await receive()
        if not message.get("more_body", False):  # the end, or the sender left
            return
        left -= len(message["body"])


def _without_body(asked: HttpRequest) -> StudioRequest:
    """The request without its body. Raises ValueError for too many parameters."""
    text = asked.scope["query_string"].decode("latin-1")
    query = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS))
    return StudioRequest(asked.method, asked.scope["path"], query, dict(asked.headers.items()))


def _packed(response: Response, request: StudioRequest) -> Response:
    """The answer, compressed if it is large enough and the client accepts gzip."""
    is_small = len(response.body) < _WORTH_PACKING or "Content-Encoding" in response.headers
    if (
        is_small
        or "gzip" not in request.headers.get("accept-encoding", "")
        or not response.content_type.startswith(_TEXTS)
    ):
        return response
    headers = {**response.headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return replace(response, body=gzip.compress(response.body, 5), headers=headers)


def _sent(response: Response) -> HttpResponse:
    if response.events is not None:
        return StreamingResponse(response.events(), response.status, response.headers, response.content_type)
    sent = HttpResponse(response.body, response.status, response.headers)
    sent.headers["Content-Type"] = response.content_type
    return sent


def _request_line(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return f"{scope['method']} {scope['path']}{'?' if query else ''}{query}"

"""The studio's HTTP server: the loopback address only, its own pages only."""

from __future__ import annotations

import logging
import re
import socketserver
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

from pinebench.errors import UnavailableError
from pinebench.studio.web import Request, Response, json_response

_log = logging.getLogger(__name__)

HOST = "127.0.0.1"
_TOKEN = re.compile(r"token=[^&\s]*")
_IDLE_SECONDS = 30
_BODY_SECONDS = 60
"""How long the whole body of a request may take to arrive."""
_MOST_DISCARDED = 64_000_000
_DISCARD_SECONDS = 10
"""How much of a body that is refused, and for how long, is taken so that its sender reads why."""
_MOST_PARAMETERS = 100

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
    """What is served: a function from request to response, safe to call from many threads."""

    def handle(self, request: Request) -> Response:
        """Answer one request."""
        ...

    def refusal(self, request: Request, length: int) -> Response | None:
        """Why the body of `request`, which has `length` bytes, is not even read; None where it is."""
        ...


class Server:
    """Serves an application on a loopback port from a thread of its own, until `close`."""

    def __init__(self, application: Application, port: int = 0) -> None:
        """Listen on `port` of the loopback address (0: a free one); raises UnavailableError when it is taken."""
        try:
            self._http = _HttpServer(application, port)
        except OSError as error:
            raise UnavailableError(f"cannot listen on port {port}: {error.strerror}", "choose another --port") from None
        self.port: int = self._http.server_address[1]
        self.url = f"http://{HOST}:{self.port}/chart/"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.1,), name="studio-server", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; requests under way are dropped."""
        self._http.closing = True
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, application: Application, port: int) -> None:
        self.application = application
        self.closing = False
        super().__init__((HOST, port), _Handler)

    def server_bind(self) -> None:
        """Listen without looking up this computer's name, which may take long and is used by nobody."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that broke is nobody's news."""
        del request
        _log.debug("connection from %s failed", client_address, exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    server: _HttpServer  # pyright: ignore[reportIncompatibleVariableOverride]
    disable_nagle_algorithm = True

    def version_string(self) -> str:
        return "pinebench-studio"

    def log_message(self, format: str, *args: object) -> None:
        _log.debug("%s", _TOKEN.sub("token=…", format % args))

    def do_GET(self) -> None:
        self._serve()

    do_HEAD = do_POST = do_PUT = do_GET

    def _serve(self) -> None:
        request = self._head()
        if isinstance(request, Response):
            self.close_connection = True
            self._send(request)
            self._discard()
            return
        body = self._body(int(self.headers.get("Content-Length") or 0))
        if body is None:
            self.close_connection = True
            return
        try:
            response = self.server.application.handle(replace(request, body=body))
        except Exception:
            if self.server.closing:  # what it needed was closed under it
                self.close_connection = True
                return
            _log.exception("%s %s failed", request.method, request.path)
            response = json_response({"error": "the studio failed to answer; see its log"}, 500)
        self._send(response)

    def _head(self) -> Request | Response:
        """The request without its body, or why it is refused."""
        malformed = self._refusal()
        if malformed is not None:
            return malformed
        try:
            address = urlsplit(self.path)
            query = dict(parse_qsl(address.query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS))
        except ValueError:
            return json_response({"error": "malformed address"}, 400)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, unquote(address.path), query, headers)
        length = int(self.headers.get("Content-Length") or 0)
        refusal = self.server.application.refusal(request, length) if length > 0 else None
        return refusal or request

    def _body(self, length: int) -> bytes | None:
        """The body, or None where its sender left or takes too long over it."""
        end = time.monotonic() + _BODY_SECONDS
        body = bytearray()
        while len(body) < length:
            if time.monotonic() > end:
                return None
            part = self.rfile.read1(min(length - len(body), 1 << 16))
            if not part:
                return None
            body += part
        return bytes(body)

    def _discard(self) -> None:
        """Let a sender who is refused finish: it would see a broken connection instead of the answer."""
        length = self.headers.get("Content-Length", "0")
        left = int(length) if length.isascii() and length.isdigit() and len(length) <= 12 else 0
        if not 0 < left <= _MOST_DISCARDED:
            return
        end = time.monotonic() + _DISCARD_SECONDS
        try:
            while left > 0 and time.monotonic() < end:
                part = self.rfile.read1(min(left, 1 << 16))
                if not part:
                    return
                left -= len(part)
        except (ConnectionError, TimeoutError):
            return

    def _refusal(self) -> Response | None:
        """Why this request is not answered: it came by another name, from another site's page, or it is malformed."""
        port = self.server.server_address[1]
        own = {f"{name}:{port}" for name in (HOST, "localhost")}
        if self.headers.get("Host", "").lower() not in own:
            return json_response({"error": "refused: unknown Host"}, 403)
        origin = self.headers.get("Origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in own}:
            return json_response({"error": "refused: foreign Origin"}, 403)
        foreign = self.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
        if foreign and self.headers.get("Sec-Fetch-Mode") != "navigate":
            return json_response({"error": "refused: asked for by another site"}, 403)
        if self.headers.get("Transfer-Encoding") is not None:
            return json_response({"error": "send a Content-Length"}, 411)
        length = self.headers.get("Content-Length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 12:
            return json_response({"error": "bad Content-Length"}, 400)
        return None

    def _send(self, response: Response) -> None:
        try:
            self.send_response(response.status)
            for name, value in {**_HEADERS, **response.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Type", response.content_type)
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(response.body)
        except (ConnectionError, TimeoutError):
            self.close_connection = True

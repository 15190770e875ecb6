"""Servers on loopback that stand in for TradingView's check, in its own answer shapes and in every broken way."""

import contextlib
import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from typing import Any, Self

from tests.loopback import LoopbackServer


@dataclass(frozen=True)
class Posted:
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    source: str


@dataclass(frozen=True)
class Answer:
    """What the server sends: a body (JSON unless it is bytes), a status and headers; `short` promises more bytes than
    it sends."""

    body: Any = field(default_factory=lambda: {"success": True, "result": {}})
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    short: bool = False
    before: Callable[[], object] | None = None


class Peer(LoopbackServer):
    """The server; use it as a context manager. The last answer is repeated."""

    def __init__(self, *answers: Answer) -> None:
        super().__init__()
        self.posted: list[Posted] = []
        self.most_at_once = 0
        self._answers: Sequence[Answer] = answers or (Answer(),)
        self._now = 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The address to compile at."""
        return f"{self.address}/pine-facade"

    def respond(self, handler: http.server.BaseHTTPRequestHandler, body: bytes) -> None:
        """Answer with the next answer."""
        _send(handler, self._work_out(handler, body))

    def _work_out(self, handler: http.server.BaseHTTPRequestHandler, body: bytes) -> Answer:
        # Over before the first byte is sent: the client may ask again while this thread still tidies up.
        with self._lock:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            answer = self._take(Posted(handler.path, dict(handler.headers.items()), _source(handler.headers, body)))
            if answer.before:
                answer.before()
            return answer
        finally:
            with self._lock:
                self._now -= 1

    def _take(self, posted: Posted) -> Answer:
        with self._lock:
            self.posted.append(posted)
            return self._answers[min(len(self.posted), len(self._answers)) - 1]


class RawPeer:
    """A server that answers every connection with bytes as they are, then closes it, or sends `drip` again and again
    until it is left; use it as a context manager."""

    def __init__(self, pieces: Sequence[bytes], drip: bytes = b"") -> None:
        self._pieces = pieces
        self._drip = drip
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self) -> str:
        """The address to compile at."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._listener.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            connection.recv(65536)
            for piece in self._pieces:
                connection.sendall(piece)
            while self._drip and not self._over.wait(0.05):
                connection.sendall(self._drip)


def _send(handler: http.server.BaseHTTPRequestHandler, answer: Answer) -> None:
    data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
    handler.send_response(answer.status)
    for name, value in answer.headers.items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(len(data) + (100 if answer.short else 0)))
    handler.end_headers()
    handler.wfile.write(data)


def _source(headers: Any, body: bytes) -> str:
    message = BytesParser().parsebytes(b"Content-Type: " + headers["content-type"].encode() + b"\r\n\r\n" + body)
    parts = message.get_payload()
    assert isinstance(parts, list)
    (part,) = parts
    assert isinstance(part, Message)
    assert part.get_param("name", header="content-disposition") == "source"
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def slowly() -> None:
    """Take long enough that two requests would overlap if they could."""
    time.sleep(0.05)

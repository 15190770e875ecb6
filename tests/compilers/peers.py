"""Servers on loopback that stand in for TradingView's check, in its own answer shapes and in every broken way."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from typing import Any


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


class Peer:
    """The server; use it as a context manager. The last answer is repeated."""

    def __init__(self, *answers: Answer) -> None:
        self.posted: list[Posted] = []
        self.most_at_once = 0
        self._answers: Sequence[Answer] = answers or (Answer(),)
        self._now = 0
        self._lock = threading.Lock()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        """The address to compile at."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/pine-facade"

    def __enter__(self) -> Peer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _take(self, posted: Posted) -> Answer:
        with self._lock:
            self.posted.append(posted)
            return self._answers[min(len(self.posted), len(self._answers)) - 1]

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        peer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

            def do_POST(self) -> None:
                try:
                    self._send(self._work_out())
                except OSError:
                    self.close_connection = True

            def _work_out(self) -> Answer:
                # Over before the first byte is sent: the client may ask again while this thread still tidies up.
                with peer._lock:
                    peer._now += 1
                    peer.most_at_once = max(peer.most_at_once, peer._now)
                try:
                    body = self.rfile.read(int(self.headers["content-length"]))
                    answer = peer._take(Posted(self.path, dict(self.headers.items()), _source(self.headers, body)))
                    if answer.before:
                        answer.before()
                    return answer
                finally:
                    with peer._lock:
                        peer._now -= 1

            def _send(self, answer: Answer) -> None:
                data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data) + (100 if answer.short else 0)))
                self.end_headers()
                self.wfile.write(data)

        return Handler


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

"""A messages service on loopback that speaks the real protocol from a script, for the real SDK to talk to.

    with FakeAnthropic([text("Hello"), busy(529), edits(("a", "b"))]) as fake:
        ...                             # ANTHROPIC_BASE_URL=fake.url
    fake.requests[0].body["messages"]

A step is a `Reply`, or a function of the request's body that makes one. A request beyond the script is answered with
500 and recorded.
"""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All words of its messages, in order."""
        parts: list[str] = []
        for message in self.body["messages"]:
            content = message["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            parts += [str(block.get("text") or block.get("content") or "") for block in blocks]
        return "\n".join(parts)


@dataclass(frozen=True)
class Reply:
    """One answer: content blocks streamed as events, or a plain HTTP error.

    `cut_after` ends the connection after so many events; `stream_error` sends an error event in the middle.
    """

    blocks: tuple[dict[str, Any], ...] = ()
    stop_reason: str = "end_turn"
    status: int = 200
    error: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    stream_error: str | None = None
    usage: dict[str, int] = field(default_factory=lambda: {"input_tokens": 1000, "output_tokens": 200})


Step = Reply | Callable[[dict[str, Any]], Reply]


def text(*parts: str, **options: Any) -> Reply:
    """A reply of words."""
    return Reply(tuple({"type": "text", "text": part} for part in parts), **options)


def script(source: str, **options: Any) -> Reply:
    """A reply with one fenced script."""
    return text(f"```pine\n{source}\n```", **options)


def edits(*replacements: tuple[str, str], **options: Any) -> Reply:
    """A reply that calls `replace_text` once for each pair of old and new text."""
    blocks = tuple(
        {
            "type": "tool_use",
            "id": f"toolu_{number}",
            "name": "replace_text",
            "input": {"old_text": old, "new_text": new},
        }
        for number, (old, new) in enumerate(replacements)
    )
    return Reply(blocks, **{"stop_reason": "tool_use", **options})


def busy(status: int = 529, **options: Any) -> Reply:
    """A refusal to answer now, to be tried again at once."""
    kind = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}.get(
        status, "api_error"
    )
    return Reply(status=status, error=kind, headers={"retry-after-ms": "1"}, **options)


class FakeAnthropic:
    """The service; use it as a context manager. `requests` are all requests for messages so far."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.requests: list[Request] = []
        self._steps = list(steps)
        self._lock = threading.Lock()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        """The address to give the SDK."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def unused(self) -> int:
        """How many steps of the script were not asked for."""
        return len(self._steps)

    def __enter__(self) -> FakeAnthropic:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, request: Request) -> Reply:
        """Record `request` and return the script's answer to it."""
        with self._lock:
            self.requests.append(request)
            if not self._steps:
                return Reply(status=500, error="api_error")
            step = self._steps.pop(0)
        return step(request.body) if callable(step) else step

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                reply = service.take(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                if not self.path.startswith("/v1/messages"):
                    reply = Reply(status=404, error="not_found_error")
                try:
                    _answer(self, reply, body)
                except OSError:
                    # The client has gone, as a cancelled one may.
                    self.close_connection = True

        return Handler


def _answer(handler: http.server.BaseHTTPRequestHandler, reply: Reply, body: dict[str, Any]) -> None:
    if reply.status != 200:
        return _plain(handler, reply.status, _error(reply.error), reply.headers)
    message = {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": list(reply.blocks),
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": reply.usage,
    }
    if not body.get("stream"):
        return _plain(handler, 200, message, reply.headers)
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    for number, event in enumerate(_events(reply, message)):
        if number == reply.cut_after:
            handler.close_connection = True
            return None
        data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        handler.wfile.flush()
    handler.wfile.write(b"0\r\n\r\n")
    return None


def _events(reply: Reply, message: dict[str, Any]) -> list[dict[str, Any]]:
    """The stream's events in the order of the protocol."""
    opening = {**message, "content": [], "stop_reason": None, "usage": {**reply.usage, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": opening}, {"type": "ping"}]
    for index, block in enumerate(reply.blocks):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in _deltas(block)]
        events.append({"type": "content_block_stop", "index": index})
    if reply.stream_error:
        return [*events, {"type": "error", **_error(reply.stream_error)}]
    ending = {"stop_reason": reply.stop_reason, "stop_sequence": None}
    return [
        *events,
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": reply.usage["output_tokens"]}},
        {"type": "message_stop"},
    ]


def _deltas(block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        return [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
    return [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(json.dumps(block["input"]))]


def _pieces(whole: str, size: int = 40) -> list[str]:
    return [whole[start : start + size] for start in range(0, len(whole), size)]


def _error(kind: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": kind.replace("_", " ")}}


def _plain(handler: http.server.BaseHTTPRequestHandler, status: int, body: Any, headers: dict[str, str]) -> None:
    data = json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("content-type", "application/json")
    handler.send_header("request-id", "req_fake")
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)

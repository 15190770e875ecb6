"""A messages service on loopback that speaks the real protocol from a script, for the real SDK to talk to.

    with FakeAnthropic([text("Hello"), busy(529), edits(("a", "b"))]) as fake:
        ...                             # ANTHROPIC_BASE_URL=fake.url
    fake.requests[0].body["messages"]

A step is a `Reply`, or a function of the request's body that makes one. A request beyond the script is answered with
500 and recorded.
"""

import http.server
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.loopback import LoopbackServer


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

    `cut_after` ends the connection after so many events, `cut_bytes` after so many bytes of the stream; `stream_error`
    sends an error event in the middle; `raw` is sent as the stream's data instead of events. `pieces` makes what is
    sent instead of the stream until it ends or the client goes, `bare` means that this begins with the HTTP head.
    `says` are the words of an error.
    """

    blocks: tuple[dict[str, Any], ...] = ()
    stop_reason: str = "end_turn"
    status: int = 200
    error: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    cut_bytes: int | None = None
    stream_error: str | None = None
    raw: bytes | None = None
    pieces: Callable[[], Iterable[bytes]] | None = None
    bare: bool = False
    says: str = ""
    usage: dict[str, Any] = field(default_factory=lambda: {"input_tokens": 1000, "output_tokens": 200})

    @property
    def events(self) -> list[dict[str, Any]]:
        """The stream's events in the order of the protocol, all but what depends on the request."""
        return _events(self, {})


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


def slowly(go_on: threading.Event, words: str, *wanted: tuple[str, dict[str, Any]]) -> Reply:
    """An answer whose words come, and whose end, with the `wanted` calls, only comes once `go_on` is set."""

    def event(kind: str, **fields: object) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()

    def pieces() -> Iterator[bytes]:
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
        yield event("message_start", message={**message, "usage": {"input_tokens": 10, "output_tokens": 1}})
        yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": words})
        while not go_on.wait(0.2):
            yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": " "})
        yield event("content_block_stop", index=0)
        for index, (name, given) in enumerate(wanted, 1):
            block = {"type": "tool_use", "id": f"call_{index}", "name": name, "input": {}}
            yield event("content_block_start", index=index, content_block=block)
            given_as = {"type": "input_json_delta", "partial_json": json.dumps(given)}
            yield event("content_block_delta", index=index, delta=given_as)
            yield event("content_block_stop", index=index)
        reason = "tool_use" if wanted else "end_turn"
        yield event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 200})
        yield event("message_stop")

    return Reply(pieces=pieces)


class FakeAnthropic(LoopbackServer):
    """The service; use it as a context manager. `requests` are all requests for messages so far."""

    protocol = "HTTP/1.1"

    def __init__(self, steps: Sequence[Step]) -> None:
        super().__init__()
        self.requests: list[Request] = []
        self._steps = list(steps)
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The address to give the SDK."""
        return self.address

    @property
    def unused(self) -> int:
        """How many steps of the script were not asked for."""
        return len(self._steps)

    def take(self, request: Request) -> Reply:
        """Record `request` and return the script's answer to it."""
        with self._lock:
            self.requests.append(request)
            if not self._steps:
                return Reply(status=500, error="api_error")
            step = self._steps.pop(0)
        return step(request.body) if callable(step) else step

    def respond(self, handler: http.server.BaseHTTPRequestHandler, body: bytes) -> None:
        """Answer with the next step."""
        asked = json.loads(body)
        reply = self.take(Request(handler.path, {k.lower(): v for k, v in handler.headers.items()}, asked))
        if not handler.path.startswith("/v1/messages"):
            reply = Reply(status=404, error="not_found_error")
        _answer(handler, reply, asked)


def _answer(handler: http.server.BaseHTTPRequestHandler, reply: Reply, body: dict[str, Any]) -> None:
    if reply.status != 200:
        return _plain(handler, reply.status, _error(reply.error, reply.says), reply.headers)
    if reply.pieces and reply.bare:
        handler.close_connection = True
        for piece in reply.pieces():
            handler.wfile.write(piece)
        return None
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
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    if reply.pieces:
        for piece in reply.pieces():
            _send_chunk(handler, piece)
        handler.wfile.write(b"0\r\n\r\n")
        return None
    pieces = [_encoded(event) for event in _events(reply, message)] if reply.raw is None else [reply.raw]
    left = reply.cut_bytes
    for number, data in enumerate(pieces):
        whole = left is None or len(data) <= left
        _send_chunk(handler, data if whole else data[:left])
        left = None if left is None else left - len(data)
        if not whole or number + 1 == reply.cut_after:
            handler.close_connection = True
            return None
    handler.wfile.write(b"0\r\n\r\n")
    return None


def _encoded(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


def _send_chunk(handler: http.server.BaseHTTPRequestHandler, data: bytes) -> None:
    if data:
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        handler.wfile.flush()


def _events(reply: Reply, message: dict[str, Any]) -> list[dict[str, Any]]:
    """The stream's events in the order of the protocol."""
    begun = {name: 1 if name == "output_tokens" else count for name, count in reply.usage.items()}
    ended = {name: count for name, count in reply.usage.items() if name == "output_tokens"}
    opening = {**message, "content": [], "stop_reason": None, "usage": begun}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": opening}, {"type": "ping"}]
    for index, block in enumerate(reply.blocks):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in _deltas(block)]
        events.append({"type": "content_block_stop", "index": index})
    if reply.stream_error:
        return [*events, {"type": "error", **_error(reply.stream_error, reply.says)}]
    ending = {"stop_reason": reply.stop_reason, "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": ending, "usage": ended}, {"type": "message_stop"}]


def _deltas(block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        return [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
    # Arguments given as text are sent as they are, sound or not.
    arguments = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
    return [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(arguments)]


def _pieces(whole: str, size: int = 40) -> list[str]:
    return [whole[start : start + size] for start in range(0, len(whole), size)]


def _error(kind: str, says: str = "") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": says or kind.replace("_", " ")}}


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

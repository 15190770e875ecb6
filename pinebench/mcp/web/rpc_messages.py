"""JSON-RPC messages over HTTP: checks which answers a client accepts, and whether a body is a message."""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.responses import Response

from pinebench.decoding import MalformedDocument, loads

LARGEST = 4 * 1024 * 1024
"""The largest size of a message in bytes."""
LARGEST_UNKNOWN = 65_536
"""The largest size in bytes of a message of a client that did not log in."""
_DEPTH = 60

PARSE_ERROR, INVALID_REQUEST, UNAUTHORIZED, BUSY = -32700, -32600, -32000, -32001

OPEN = frozenset({"initialize", "tools/list"})
"""The methods that need no token: a client lists the tools before its user logs in."""

_ZERO = re.compile(r"0(\.0{0,3})?")
_JSON = frozenset({"*/*", "application/*", "application/json"})
_STREAM = frozenset({"*/*", "text/*", "text/event-stream"})


def _accepts(accept: str, kinds: frozenset[str]) -> bool:
    for part in accept.split(","):
        kind, *parameters = (each.strip().lower() for each in part.split(";"))
        weights = [
            value.strip() for key, _, value in (each.partition("=") for each in parameters) if key.strip() == "q"
        ]
        if kind in kinds and not any(_ZERO.fullmatch(each) for each in weights):
            return True
    return False


def accepts_json(accept: str | None) -> bool:
    """Return whether the header `Accept` allows JSON: it is missing, or has a matching media range with q above 0."""
    return accept is None or _accepts(accept, _JSON)


def accepts_stream(accept: str | None) -> bool:
    """Return whether the header `Accept` names event streams. A missing header does not."""
    return accept is not None and _accepts(accept, _STREAM)


class NotAMessage(Exception):
    """An error for a body that is not a message. `code` is the JSON-RPC error code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def message(body: bytes) -> dict[str, Any]:
    """Return the message in `body`. Raises NotAMessage if it is not one object, or if a key occurs twice, because two
    programs could then read different messages from the same body."""
    try:
        told = loads(body, size=LARGEST, depth=_DEPTH, unique=True)
    except MalformedDocument as error:
        raise NotAMessage(PARSE_ERROR, f"Parse error: {error}") from None
    if not isinstance(told, dict):
        raise NotAMessage(
            INVALID_REQUEST, "the body must be one message, which is an object; batches are not supported"
        )
    return told


def error(
    code: int, message: str, number: Any = None, status: int = 400, headers: dict[str, str] | None = None
) -> Response:
    """Return a JSON-RPC error for the request with the id `number`."""
    shown = number if isinstance(number, str | int) and not isinstance(number, bool) else None
    told = {"jsonrpc": "2.0", "id": shown, "error": {"code": code, "message": message}}
    return Response(json.dumps(told), status, headers, "application/json")

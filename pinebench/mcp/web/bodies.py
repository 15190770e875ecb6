"""Reads request bodies within limits of size and time, and passes them on to a part of the SDK."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, urlencode

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope

from pinebench.decoding import MalformedDocument, loads

SECONDS = 20.0
"""The time in which a whole body must arrive."""
LARGEST_FORM = 32_768
_MOST_FIELDS = 40


class RefusedBody(Exception):
    """An error for a body that is too large (413), too slow (408) or malformed (400)."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


async def read(request: Request, largest: int) -> bytes:
    """Return the body of `request`. Raises RefusedBody if it has more than `largest` bytes, does not arrive in time, or
    the client is gone."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > largest:
        raise RefusedBody(413, f"a request may have at most {largest} bytes")
    body = bytearray()
    try:
        with anyio.fail_after(SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > largest:
                    raise RefusedBody(413, f"a request may have at most {largest} bytes")
    except TimeoutError:
        raise RefusedBody(408, "the request did not arrive in time") from None
    except ClientDisconnect:
        raise RefusedBody(400, "the client has gone") from None
    return bytes(body)


async def fields(request: Request) -> dict[str, str]:
    """Return the fields of a form, or of a JSON object with strings, integers (as strings) and nulls (left out). Raises
    RefusedBody if the body is neither, or if a name occurs twice."""
    body = await read(request, LARGEST_FORM)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        try:
            told: dict[str, Any] = loads(body, {str: (str, int, None)}, size=LARGEST_FORM, depth=3, unique=True)
        except MalformedDocument as error:
            raise RefusedBody(400, f"the body is not valid: {error}") from None
        return {name: str(value) for name, value in told.items() if value is not None}
    if kind != "application/x-www-form-urlencoded":
        raise RefusedBody(400, "the body must be a form (application/x-www-form-urlencoded) or JSON")
    try:
        return single(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise RefusedBody(400, "the body is not a valid form") from None


def single(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return the fields as an object. Raises RefusedBody if a name occurs twice, because programs disagree about which
    one counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RefusedBody(400, "a parameter must not be repeated")
    return found


def as_form(fields: dict[str, str]) -> bytes:
    """Return the fields as the body of a form."""
    return urlencode(fields).encode()


def as_json(value: Any) -> bytes:
    """Return a value as the body of a JSON request."""
    return json.dumps(value, allow_nan=False).encode()


def with_body(scope: Scope, receive: Receive, body: bytes, kind: str) -> tuple[Scope, Receive]:
    """Return the ASGI scope and `receive` of the same request with the body `body` of the media type `kind`. After the
    body, the new `receive` still reports that the client has disconnected."""
    dropped = (b"content-length", b"content-type", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in dropped]
    headers += [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return {**scope, "headers": headers}, replay

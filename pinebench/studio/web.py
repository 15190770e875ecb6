"""The interface between the server and the studio: a request, a response, and a table of routes."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import parse_qsl

from pinebench import decoding

JSON = "application/json; charset=utf-8"

_MOST_FIELDS = 100
_LONGEST_HEAD = 4096
"""The limit for the bytes before the content of a part, and for the characters of a content type. No browser sends
more."""

_LONGEST_BOUNDARY = 70  # RFC 2046, 5.1.1

SMALL_BODY = 64_000
"""The largest size of a body in bytes, unless the route allows more."""


@dataclass(frozen=True, slots=True)
class StudioRequest:
    """An HTTP request with its complete body. Header names are lower case; `path` is decoded and has no query.

    `visitor` is True if the request has no valid token. Only open routes answer the request of a visitor. `groups`
    holds the groups that the route's pattern matched.
    """

    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    visitor: bool = False
    groups: tuple[str, ...] = ()

    def form(self) -> dict[str, str]:
        """Return the fields of a form body, url-encoded or multipart; empty if the body has another type.

        Raises BadRequest for a body that is malformed or has more than `_MOST_FIELDS` fields.
        """
        kind = self.headers.get("content-type", "application/x-www-form-urlencoded")
        if len(kind) > _LONGEST_HEAD:
            raise BadRequest("the content type is too long")
        name = kind.partition(";")[0].strip().lower()
        if name == "multipart/form-data":
            return _multipart(self.body, kind)
        if name != "application/x-www-form-urlencoded":
            return {}
        try:
            text = self.body.decode("utf-8", "replace")
            return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        except ValueError:
            raise BadRequest(f"the form has more than {_MOST_FIELDS} fields") from None

    def json(self) -> object:
        """Return the body decoded as JSON, whatever its content type is. Raises BadRequest if it is not JSON."""
        try:
            return decoding.loads(self.body)
        except decoding.MalformedDocument as error:
            raise BadRequest(f"the body is not valid: {error}") from None


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response; `headers` are sent in addition to the headers that the server always sends. With `events`, the
    response streams these strings instead of `body`, until the client or the studio closes it."""

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    events: Callable[[], AsyncIterator[str]] | None = None


class BadRequest(Exception):
    """The request is invalid; the text says why, and it is sent back with status 400."""


def json_response(value: object, status: int = 200) -> Response:
    """Return `value` as a JSON response with the HTTP status `status`."""
    return Response(status, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


Handler = Callable[[StudioRequest], Response]


class _Route(NamedTuple):
    method: str
    pattern: re.Pattern[str]
    handler: Handler
    open: bool
    largest: int


class Routes:
    """A table of handlers by method and path; a handler gets the request with its `groups` filled in."""

    def __init__(self) -> None:
        self._routes: list[_Route] = []

    def add(
        self, method: str, pattern: str, handler: Handler, *, open: bool = False, largest: int = SMALL_BODY
    ) -> None:
        """Let `handler` answer requests with `method` whose full path matches the regular expression `pattern`.
        Visitors are refused unless `open` is True; a body may have at most `largest` bytes."""
        self._routes.append(_Route(method, re.compile(pattern), handler, open, largest))

    def refusal(self, request: StudioRequest, length: int) -> Response | None:
        """Return a response that refuses `request` before its body (`length` bytes) is read; None if it may be read."""
        route, _ = self._find(request.method, request.path)
        if route is not None and request.visitor and not route.open:
            return refusal()
        largest = route.largest if route is not None else SMALL_BODY
        return json_response({"error": f"at most {largest} bytes"}, 413) if length > largest else None

    def answer(self, request: StudioRequest) -> Response:
        """Call the handler of the matching route, and return its response. The status is 401 for a visitor if the route
        is not open, 405 if only the method differs, and 404 if no route has the path."""
        route, groups = self._find(request.method, request.path)
        if route is None:
            known = any(one.pattern.fullmatch(request.path) for one in self._routes)
            return json_response({"error": "no such method" if known else "no such address"}, 405 if known else 404)
        if request.visitor and not route.open:
            return refusal()
        try:
            return route.handler(replace(request, groups=groups))
        except BadRequest as error:
            return json_response({"error": str(error)}, 400)

    def _find(self, method: str, path: str) -> tuple[_Route | None, tuple[str, ...]]:
        method = "GET" if method == "HEAD" else method
        for route in self._routes:
            match = route.pattern.fullmatch(path)
            if match is not None and route.method == method:
                return route, match.groups()
        return None, ()


def refusal() -> Response:
    """Return the 401 response for a visitor whose request is refused."""
    return json_response(
        {"error": "this studio is private: open the address that 'pinebench studio' printed, with its token"}, 401
    )


def _multipart(body: bytes, content_type: str) -> dict[str, str]:
    """The fields of a multipart body. The time to read it grows only linearly, even for a malicious body.

    Raises BadRequest for a malformed body.
    """
    boundary = _parameters(content_type).get("boundary", "")
    if not 0 < len(boundary) <= _LONGEST_BOUNDARY:
        raise BadRequest("the multipart body has no boundary")
    mark = b"\r\n--" + boundary.encode("latin-1", "replace")
    parts = (b"\r\n" + body).split(mark, _MOST_FIELDS + 2)[1:-1]
    if len(parts) > _MOST_FIELDS:
        raise BadRequest(f"the form has more than {_MOST_FIELDS} fields")
    fields: dict[str, str] = {}
    for part in parts:
        end = part.find(b"\r\n\r\n", 0, _LONGEST_HEAD)
        if end < 0:
            raise BadRequest("a part of the multipart body has no header")
        name = _field_name(part[:end].decode("utf-8", "replace"))
        if name is not None:
            fields[name] = part[end + 4 :].decode("utf-8", "replace")
    return fields


def _field_name(head: str) -> str | None:
    """The name of the form field whose part has the head `head`, or None if the part is not a form field."""
    for line in head.split("\r\n"):
        name, _, value = line.partition(":")
        if name.strip().lower() == "content-disposition":
            return _parameters(value).get("name")
    return None


def _parameters(value: str) -> dict[str, str]:
    """The parameters of a header's value, `; name=value` or `; name="value"`."""
    found: dict[str, str] = {}
    pieces = value.split('"')
    for plain, quoted in zip_longest(pieces[::2], pieces[1::2], fillvalue=""):
        *complete, last = plain.split(";")
        for parameter in complete:
            name, sign, text = parameter.partition("=")
            if sign:
                found[name.strip().lower()] = text.strip()
        name, sign, text = last.partition("=")
        if sign:
            found[name.strip().lower()] = quoted or text.strip()
    return found

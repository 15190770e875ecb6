"""What travels between the server and the studio: one request, one response, and a table of routes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import parse_qs

JSON = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request, already read; header names are lower case, `path` is decoded and has no query."""

    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def form(self) -> dict[str, str]:
        """The fields of a form body, url-encoded or multipart; empty when the body is neither."""
        kind = self.headers.get("content-type", "application/x-www-form-urlencoded")
        if kind.startswith("multipart/form-data"):
            return _multipart(self.body, kind)
        if kind.startswith("application/x-www-form-urlencoded"):
            fields = parse_qs(self.body.decode("utf-8", "replace"), keep_blank_values=True)
            return {name: values[-1] for name, values in fields.items()}
        return {}

    def json(self) -> object:
        """The body as JSON, whatever its content type; raises BadRequest when it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise BadRequest("the body is not JSON") from None


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response; `headers` are added to those the server always sends."""

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)


class BadRequest(Exception):
    """The request cannot be answered as it is; the text says why and is sent back with status 400."""


def json_response(value: object, status: int = 200) -> Response:
    """`value` as a JSON response."""
    return Response(status, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


Handler = Callable[[Request, tuple[str, ...]], Response]


class Routes:
    """A table from method and path to handlers; the groups of the pattern are handed to the handler."""

    def __init__(self) -> None:
        self._routes: list[tuple[str, re.Pattern[str], Handler]] = []

    def add(self, method: str, pattern: str, handler: Handler) -> None:
        """Answer `method` on paths that match the whole of `pattern` (a regular expression) by `handler`."""
        self._routes.append((method, re.compile(pattern), handler))

    def answer(self, request: Request) -> Response:
        """The response of the first route that matches; 405 when only the method differs, 404 when nothing matches."""
        status = 404
        method = "GET" if request.method == "HEAD" else request.method
        for wanted, pattern, handler in self._routes:
            match = pattern.fullmatch(request.path)
            if match is None:
                continue
            if wanted != method:
                status = 405
                continue
            try:
                return handler(request, match.groups())
            except BadRequest as error:
                return json_response({"error": str(error)}, 400)
        return json_response({"error": "no such address" if status == 404 else "no such method"}, status)


def _multipart(body: bytes, content_type: str) -> dict[str, str]:
    header = Message()
    header["content-type"] = content_type
    boundary = header.get_param("boundary")
    if not isinstance(boundary, str) or not boundary:
        raise BadRequest("the multipart body names no boundary")
    fields: dict[str, str] = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.encode("latin-1", "replace"))[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'(?i)content-disposition:[^\r\n]*;\s*name="([^"]*)"', head)
        if name is not None:
            fields[name[1].decode("utf-8", "replace")] = content.decode("utf-8", "replace")
    return fields

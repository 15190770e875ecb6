"""The page for people at `/app`: its HTML and files, and headers that forbid frames and content from other sites."""

from __future__ import annotations

import hashlib
from functools import cached_property

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pinebench import __version__
from pinebench.errors import UnavailableError
from pinebench.files import resources

_FILES = {"app.js": "text/javascript; charset=utf-8", "app.css": "text/css; charset=utf-8"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>pinebench</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="pinebench" content="{version}"><meta name="pinebench-login" content="{login}">
<link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/app/app.css?v={style}">
</head><body><div id="root"></div><script src="/app/app.js?v={script}"></script></body></html>
"""


class AppPage:
    """The page for people. With `asks` its user must log in. Without it, everybody who can reach the server is the
    owner."""

    def __init__(self, *, asks: bool) -> None:
        self._login = "oauth" if asks else "none"

    def routes(self) -> list[Route]:
        """Return the routes of the page and of its files."""
        return [Route("/app", self._page, methods=["GET"]), Route("/app/{name}", self._file, methods=["GET"])]

    @cached_property
    def _built(self) -> dict[str, bytes]:
        """The files by name. Raises UnavailableError, with the command that builds them, if one is missing."""
        return {name: resources.built(name).encode() for name in _FILES}

    async def _page(self, _: Request) -> Response:
        try:
            digests = {name: hashlib.sha256(body).hexdigest()[:16] for name, body in self._built.items()}
        except UnavailableError as error:
            return PlainTextResponse(f"{error.message}\n{error.hint}\n", 503)
        whole = _PAGE.format(version=__version__, login=self._login, style=digests["app.css"], script=digests["app.js"])
        return Response(whole, 200, {**_HEADERS, "Cache-Control": "no-store"}, "text/html; charset=utf-8")

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _FILES:
            return PlainTextResponse("no such file\n", 404, _HEADERS)
        try:
            body = self._built[name]
        except UnavailableError as error:
            return PlainTextResponse(f"{error.message}\n{error.hint}\n", 503)
        kept = "private, max-age=31536000, immutable" if "v" in request.query_params else "no-cache"
        return Response(body, 200, {**_HEADERS, "Cache-Control": kept}, _FILES[name])

"""Access to the studio, as in Jupyter: a request needs the token from the printed address, or the cookie that this
address sets."""

from __future__ import annotations

import hmac
import html
import secrets
from dataclasses import replace
from typing import Protocol
from urllib.parse import quote, urlencode

from pinebench.studio.web import Response, StudioRequest

_HTML = "text/html; charset=utf-8"

_FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>pinebench studio</title>{head}
<style>
body {{ margin: 15vh auto; max-width: 34em; padding: 0 1em; font: 15px/1.5 system-ui, sans-serif }}
body {{ background: #0a0d11; color: #d3d9e3 }}
input, button {{ font: inherit; padding: .4em .7em }}
input {{ width: 100%; box-sizing: border-box; margin: .4em 0 }}
</style>
</head><body>{body}</body></html>"""

_LOCKED = """<h1>This studio is private</h1>
<p>Open the address that <code>pinebench studio</code> printed, with the token in it, or enter the token here.
A studio makes a new token each time it starts.</p>
<form method="get"><label>Token<input name="token" type="password" autocomplete="off" required autofocus></label>
<button>Open</button></form>"""


class GuardedApplication(Protocol):
    """The application whose access is checked."""

    def handle(self, request: StudioRequest) -> Response:
        """Answer one request."""
        ...

    def refusal(self, request: StudioRequest, length: int) -> Response | None:
        """Return a response that refuses `request` before its body (`length` bytes) is read; None if it may be read."""
        ...


class OwnerAccess:
    """An application that distinguishes the requests of its owner, who started it, from requests of visitors."""

    def __init__(self, application: GuardedApplication, token: str = "") -> None:
        """Give access to `application` with the token `token`; empty means a new one."""
        self.token = token or secrets.token_urlsafe(32)
        # Browsers keep cookies by host and not by port, so each studio needs a different name for its cookie.
        self._cookie = f"pinebench-studio-{secrets.token_hex(4)}"
        self._application = application

    def handle(self, request: StudioRequest) -> Response:
        """Answer one request, as a request of the owner or of a visitor."""
        is_page = request.method == "GET" and (request.path == "/" or request.path.startswith("/chart"))
        if is_page and self._is_token(request.query.get("token")):
            return self._welcome(request)
        answer = self._application.handle(self._seen(request))
        if is_page and answer.status == 401:
            return Response(401, _FRAME.format(head="", body=_LOCKED).encode(), _HTML)
        return answer

    def refusal(self, request: StudioRequest, length: int) -> Response | None:
        """Return a response that refuses `request` before its body (`length` bytes) is read; None if it may be read."""
        return self._application.refusal(self._seen(request), length)

    def is_visitor(self, request: StudioRequest) -> bool:
        """Return whether `request` is not from the studio's owner: neither its query nor its cookies hold the token."""
        return self._seen(request).visitor

    def _seen(self, request: StudioRequest) -> StudioRequest:
        """The request with `visitor` set: True if neither the query nor the cookies hold the token."""
        known = self._is_token(request.query.get("token")) or self._is_token(_cookie(request.headers, self._cookie))
        return replace(request, visitor=not known)

    def _welcome(self, request: StudioRequest) -> Response:
        """Set the cookie, and lead the browser to the same address without the token.

        This is not an HTTP redirection. A browser does not send a `SameSite=Strict` cookie with a redirection that
        began outside of the site, for example in a mail or in the file that opens the studio's window. So the response
        is a page of this site that leads to the address; the next request then comes from the site itself.
        """
        rest = urlencode({name: value for name, value in request.query.items() if name != "token"}, safe="/")
        path = quote(request.path if request.path != "/" else "/chart/")
        address = html.escape(f"{path}?{rest}" if rest else path)
        head = f'<meta http-equiv="refresh" content="0;url={address}">'
        cookie = f"{self._cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
        body = f'<p><a href="{address}">Open the studio</a></p>'
        return Response(200, _FRAME.format(head=head, body=body).encode(), _HTML, {"Set-Cookie": cookie})

    def _is_token(self, text: str | None) -> bool:
        return text is not None and hmac.compare_digest(text.encode("utf-8", "replace"), self.token.encode())


def _cookie(headers: dict[str, str], name: str) -> str | None:
    for pair in headers.get("cookie", "").split(";"):
        known, _, value = pair.strip().partition("=")
        if known == name:
            return value
    return None

"""Access over HTTP: clients must send a token, which is stored in a file that only its owner can read."""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from typing import TYPE_CHECKING

from pinebench import config, files
from pinebench.errors import UsageError
from pinebench.files.regular_files import reason
from pinebench.headers import are_too_many

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_FILE = "mcp-token"
_TOKEN = re.compile(rb"[A-Za-z0-9_-]{43}")
_REFUSED = b"""\
this server is somebody's own: send its token in the header 'Authorization: Bearer TOKEN'.
'pinebench mcp --http' names the token and its file when it starts.
"""


def token_file() -> str:
    """Return the path of the file with the token. The file may not exist yet."""
    return os.path.join(config.state_folder(), _FILE)


def kept_token(name: str = _FILE) -> str:
    """Return the token of this user from the file `name` in the state folder; create one if there is none. The token
    stays the same, so clients need to be set up only once. A token that other users could read is replaced. Raises
    UsageError if the file cannot be read or written."""
    path = os.path.join(config.private_state_folder(), name)
    found = _read(path)
    if found is None:
        files.write_atomically(path, secrets.token_urlsafe(32).encode() + b"\n", private=True)
        # Another server may have written its own token in the meantime: the last one counts for both.
        found = _read(path)
    if found is None:
        raise UsageError(
            f"{path} cannot be made readable only by you", "choose another folder with PINEBENCH_STATE_DIR"
        )
    return found


def _read(path: str) -> str | None:
    """Return the token in the file at `path`; None if there is none, or if other users may know it or may have written
    it."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _SAFELY)) as file:
            found = os.fstat(file.fileno())
            text = file.read(100).strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {reason(error)}", "delete it; pinebench then makes a new one"
        ) from None
    is_private = os.name == "nt" or (not stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.geteuid())
    return text.decode() if is_private and _TOKEN.fullmatch(text) else None


_SAFELY = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)


class TokenGuard:
    """An ASGI application that requires the token. A request without the token, or with too many headers, does not
    reach the guarded application, and its body is not read."""

    def __init__(self, application: ASGIApp, token: str | None) -> None:
        """With None as the token, every request is accepted."""
        self._application = application
        self._expected = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on lifespan messages and requests with the token; refuse other requests with 401 or 431."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif scope["type"] == "http" and are_too_many(scope["headers"]):
            await _refuse(scope, send, 431, b"the request has too many headers\n")
        elif scope["type"] == "http" and self._is_known(scope):
            await self._application(scope, receive, send)
        elif scope["type"] == "http":
            await _refuse(scope, send, 401, _REFUSED, (b"www-authenticate", b'Bearer realm="pinebench"'))

    def _is_known(self, scope: Scope) -> bool:
        if self._expected is None:
            return True
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._expected)


async def _refuse(scope: Scope, send: Send, status: int, words: bytes, *more: tuple[bytes, bytes]) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(words)).encode()),
        *more,
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else words})

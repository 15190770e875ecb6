"""The addresses under which the server may be reached. Requests for any other address are refused, because of DNS
rebinding."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from pinebench.errors import UsageError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PATHS = ("/mcp", "/message", "/sse", "")
"""The paths of the protected resource. A client may use any of them, because all of them lead to the same server."""

_HOST = re.compile(r"[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]")


class Addresses:
    """The addresses of one server. `base` is the public address, or None for a server on this computer only."""

    def __init__(self, port: int, base: str | None = None) -> None:
        self.base = base
        self._local = tuple(f"http://{name}:{port}" for name in LOOPBACK)
        self._bases = {each.partition("//")[2]: each for each in self._local}
        if base is not None:
            self._bases[urlsplit(base).netloc] = base
        self.main = base or self._local[0]
        """The address to show to people."""

    @property
    def audience(self) -> str:
        """The server's name in its tokens. Tokens for another public address are not accepted."""
        return self.base or "this computer"

    @property
    def is_secure(self) -> bool:
        """Whether people reach the server over HTTPS."""
        return self.main.startswith("https:")

    def base_for(self, host: str) -> str | None:
        """Return the address that a client used, from the header `Host`; None for a name that is not this server's. If
        the server has a public address, the result is that address, since a proxy may send a name of this computer."""
        found = self._bases.get(host.lower())
        return self.base if found is not None and self.base is not None else found

    def is_own(self, origin: str) -> bool:
        """Return whether the header `Origin` names a page of this server."""
        return origin in self._local or (self.base is not None and origin == _origin(self.base))

    def is_resource(self, uri: str) -> bool:
        """Return whether the resource indicator `uri` (RFC 8707) names this server."""
        return uri.rstrip("/") in {base + path for base in self._bases.values() for path in PATHS}


def _origin(base: str) -> str:
    found = urlsplit(base)
    return f"{found.scheme}://{found.netloc}"


def is_local(origin: str) -> bool:
    """Return whether the header `Origin` names a page of a program on the user's own computer, at any port."""
    return re.fullmatch(r"http://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", origin) is not None


def checked_base(text: str) -> str:
    """Return the public address `text` without a final slash. Raises UsageError if it cannot be a public address."""
    wrong = UsageError(f"{text[:200]} is not a public address", "expected https://host, without a path, query or user")
    try:
        found = urlsplit(text)
        port = found.port
    except ValueError:
        raise wrong from None
    host = found.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    if found.scheme not in ("http", "https") or not _HOST.fullmatch(shown) or found.path not in ("", "/"):
        raise wrong
    if "@" in found.netloc or found.query or found.fragment or "?" in text or "#" in text:
        raise wrong
    if found.scheme == "http" and shown not in LOOPBACK:
        raise UsageError(
            f"{text[:200]}: tokens must not be sent without encryption", "expected an address with https://"
        )
    return f"{found.scheme}://{shown}" + (f":{port}" if port is not None else "")

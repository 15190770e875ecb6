"""Rules for the redirect addresses of clients, to which codes are sent."""

from __future__ import annotations

import re

from mcp.shared.auth import InvalidRedirectUriError, OAuthClientInformationFull
from pydantic import AnyUrl, TypeAdapter

MOST = 20
_LONGEST = 2_000
_LOCAL = frozenset({"127.0.0.1", "localhost", "[::1]"})
_APPLICATIONS = frozenset(
    {
        "claude",
        "code-oss",
        "cursor",
        "goose",
        "raycast",
        "vscode",
        "vscode-insiders",
        "vscodium",
        "warp",
        "windsurf",
        "zed",
    }
)
"""Schemes of known programs. Other programs must use a scheme with a dot, as RFC 8252 says: `com.example.app`."""
_URL: TypeAdapter[AnyUrl] = TypeAdapter(AnyUrl)
_OWN_SCHEME = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)+")


_NOT_IN_HOSTS = frozenset(";,'\"()<>{}|^`$!&+=~")
"""Characters that have a meaning of their own in a content security policy, or that no host name contains."""


def problem(uri: AnyUrl, text: str = "") -> str | None:
    """Return the reason why codes must not be sent to `uri`, which was given as `text`; None if they may be sent."""
    whole = str(uri)
    if len(whole) > _LONGEST or not whole.isprintable() or not (text or whole).isprintable():
        return f"an address has at most {_LONGEST} printable characters"
    if uri.username is not None or uri.password is not None:
        return "an address must not contain a user name"
    if uri.fragment is not None:
        return "an address must not have a fragment"
    if "*" in whole or "%2a" in whole.lower():
        return "an address must not have a wildcard"
    if "\\" in text or re.search(r"\s", text):
        return "an address must not have a backslash or a space"
    if set(uri.host or "") & _NOT_IN_HOSTS:
        return "the host of an address has letters, digits, dots and hyphens"
    if uri.scheme == "https":
        return None if uri.host else "an address needs a host"
    if uri.scheme == "http":
        return (
            None if uri.host in _LOCAL else "http:// is allowed only for this computer: 127.0.0.1, [::1] or localhost"
        )
    if uri.scheme in _APPLICATIONS or _OWN_SCHEME.fullmatch(uri.scheme):
        return None
    return "the scheme must be https, or a program's own scheme that contains a dot, such as com.example.app"


def parsed(text: str) -> AnyUrl:
    """Return the address `text` in normalized form. Raises pydantic.ValidationError if it is not an address."""
    return _URL.validate_python(text)


class PublicClient(OAuthClientInformationFull):
    """A client as the authorization server knows it. Every client is public: its codes are protected by PKCE, not by a
    secret."""

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """Return the address to send a code to. Raises InvalidRedirectUriError if the client did not register it. On
        the client's own computer the port may differ, because programs use any free port (RFC 8252)."""
        registered = [parsed(str(each)) for each in self.redirect_uris or []]
        if redirect_uri is None:
            if len(registered) == 1:
                return registered[0]
            raise InvalidRedirectUriError("redirect_uri is missing, and the client registered several")
        if redirect_uri in registered or any(_differ_in_port(redirect_uri, each) for each in registered):
            found = problem(redirect_uri)
            if found is None:
                return redirect_uri
        raise InvalidRedirectUriError("redirect_uri is not registered for this client")


def _differ_in_port(uri: AnyUrl, registered: AnyUrl) -> bool:
    """Return whether two addresses of the client's own computer are the same except for the port."""

    def parts(one: AnyUrl) -> tuple[str | None, ...]:
        return one.scheme, one.host, one.path, one.query, one.fragment, one.username, one.password

    return uri.scheme == "http" and uri.host in _LOCAL and parts(uri) == parts(registered)


def shown(uri: AnyUrl) -> str:
    """Return the part of a redirect address that a person must recognise: its host, or the program's scheme."""
    if uri.scheme == "http":
        return f"{uri.host} (a program on your own computer)"
    return str(uri.host) if uri.scheme == "https" else f"the program that opens {uri.scheme}: links"


def source(uri: AnyUrl) -> str:
    """Return the address as a source expression of a content security policy."""
    if uri.scheme not in ("http", "https"):
        return f"{uri.scheme}:"
    return f"{uri.scheme}://{uri.host}" + (f":{uri.port}" if uri.port is not None else "")

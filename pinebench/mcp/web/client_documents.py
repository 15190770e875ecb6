"""Client metadata documents: a client whose id is an https address is described by the JSON at that address. Anybody
can make the server fetch one, so the fetch reaches public addresses only: the name is resolved once, each of its
addresses is checked, and the connection goes to the checked address."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import httpx2
from anyio.lowlevel import RunVar
from pydantic import ValidationError

from pinebench.decoding import MalformedDocument, loads
from pinebench.mcp.web.redirects import MOST, PublicClient, problem
from pinebench.public_addresses import is_public

SECONDS = 5.0
LARGEST = 10_000
"""The largest size of a document in bytes. The draft of the specification recommends at most 5 KB."""
_KEPT_SECONDS = 3_600.0
_REFUSED_SECONDS = 60.0
_MOST_KEPT = 200
_AT_ONCE, _EACH = 32, 2
"""The largest number of documents that are fetched at the same time, in total and from one address."""

Resolver = Callable[[str, int], Awaitable[list[str]]]

_SHAPE = {"client_id": str, "redirect_uris": [str], "client_name?": (str, None)}


class RefusedError(Exception):
    """An error for a metadata document that cannot be fetched or is not valid. Its message is for the log."""


_resolving: RunVar[anyio.CapacityLimiter | None] = RunVar("resolving")


async def _resolved(host: str, port: int) -> list[str]:
    # In threads of their own: a slow name server must hold nothing else.
    limit = _resolving.get(None) or anyio.CapacityLimiter(_AT_ONCE)
    _resolving.set(limit)
    look = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await anyio.to_thread.run_sync(look, abandon_on_cancel=True, limiter=limit)
    return [str(each[4][0]) for each in found]


def looks_like_one(client_id: str) -> bool:
    """Return whether `client_id` is the address of a document rather than the id of a client that registered."""
    return client_id.startswith("https://")


def checked_address(client_id: str) -> tuple[str, int, str]:
    """Return host, port and path of the address `client_id`. Raises RefusedError if it cannot be a client's id."""
    try:
        found = urlsplit(client_id)
        port = found.port or 443
    except ValueError:
        raise RefusedError("not an address") from None
    host, path = found.hostname or "", found.path
    plain = client_id.isascii() and client_id.isprintable() and " " not in client_id and "\\" not in client_id
    if len(client_id) > 500 or not plain or not host or "@" in found.netloc:
        raise RefusedError("not a plain address")
    if found.query or found.fragment or "?" in client_id or "#" in client_id or path in ("", "/"):
        raise RefusedError("an id needs a path, and neither a query nor a fragment")
    if {".", ".."} & set(path.lower().replace("%2e", ".").split("/")):
        raise RefusedError("an id must not have '.' or '..' as a part of its path")
    return host, port, path


class RemoteDocuments:
    """Fetches documents. It caches them for an hour, and refusals for a minute.

    `resolve` returns the IP addresses of a host, `allows` decides whether an IP address may be used, and `trust` has
    the certificates to trust (default: the system's).
    """

    def __init__(
        self,
        resolve: Resolver = _resolved,
        allows: Callable[[str], bool] = is_public,
        trust: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._resolve = resolve
        self._allows = allows
        self._trust = trust
        self._clock = clock
        self._fetching: Counter[str] = Counter()
        self._kept: OrderedDict[str, tuple[float, PublicClient | RefusedError]] = OrderedDict()

    async def client(self, client_id: str) -> PublicClient:
        """Return the client that the document at `client_id` describes. Raises RefusedError if it cannot be fetched or
        is not valid."""
        found = self._kept.get(client_id)
        if found is None or found[0] < self._clock():
            found = await self._looked_up(client_id)
            self._kept[client_id] = found
            self._drop()
        if isinstance(found[1], RefusedError):
            raise found[1]
        return found[1]

    def _drop(self) -> None:
        """Drop the oldest entries if there are too many, refused ones first."""
        while len(self._kept) > _MOST_KEPT:
            refused = (name for name, (_, found) in self._kept.items() if isinstance(found, RefusedError))
            self._kept.pop(next(refused, next(iter(self._kept))))

    async def _looked_up(self, client_id: str) -> tuple[float, PublicClient | RefusedError]:
        try:
            with anyio.fail_after(SECONDS):
                client = _described(client_id, await self._fetched(client_id))
        except RefusedError as error:
            return self._clock() + _REFUSED_SECONDS, error
        except (OSError, TimeoutError, ValueError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            return self._clock() + _REFUSED_SECONDS, RefusedError(f"cannot be fetched: {type(error).__name__}")
        return self._clock() + _KEPT_SECONDS, client

    async def _fetched(self, client_id: str) -> bytes:
        host, port, path = checked_address(client_id)
        addresses = await self._resolve(host, port)
        refused = [each for each in addresses if not self._allows(each)]
        if refused or not addresses:
            raise RefusedError("its host has no address, or one that is not public")
        address = addresses[0]
        if self._fetching.total() >= _AT_ONCE or self._fetching[address] >= _EACH:
            raise RefusedError("too many documents are being fetched: try again in a minute")
        self._fetching[address] += 1
        try:
            return await self._read(client_id, address, host, port, path)
        finally:
            self._fetching[address] -= 1
            if not self._fetching[address]:
                del self._fetching[address]

    async def _read(self, client_id: str, address: str, host: str, port: int, path: str) -> bytes:
        shown = f"[{address}]" if ":" in address else address
        # The name is not resolved again, so that it cannot lead elsewhere the second time.
        asked = httpx2.URL(f"https://{shown}:{port}{path}")
        headers = {"Host": urlsplit(client_id).netloc, "Accept": "application/json", "User-Agent": "pinebench"}
        verify = self._trust if self._trust is not None else True
        async with (
            httpx2.AsyncClient(verify=verify, trust_env=False, follow_redirects=False, timeout=SECONDS) as carrier,
            carrier.stream("GET", asked, headers=headers, extensions={"sni_hostname": host}) as answer,
        ):
            if answer.status_code != 200:
                raise RefusedError(f"answers {answer.status_code}")
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise RefusedError("must not be compressed")
            body = bytearray()
            async for chunk in answer.aiter_raw():
                body += chunk
                if len(body) > LARGEST:
                    raise RefusedError(f"has more than {LARGEST} bytes")
        return bytes(body)


def _described(client_id: str, body: bytes) -> PublicClient:
    try:
        told: dict[str, Any] = loads(body, _SHAPE, size=LARGEST, depth=8, unique=True)
        if told["client_id"] != client_id:
            raise RefusedError("names another client_id than its own address")
        if told.get("token_endpoint_auth_method", "none") != "none" or "client_secret" in told:
            raise RefusedError("its document must not ask for a client secret, because everybody can read the document")
        client = PublicClient.model_validate_json(
            json.dumps(
                {
                    "client_id": client_id,
                    "client_name": told.get("client_name") or None,
                    "redirect_uris": told["redirect_uris"][: MOST + 1],
                    "token_endpoint_auth_method": "none",
                }
            )
        )
    except (MalformedDocument, ValidationError) as error:
        raise RefusedError(f"is not valid: {str(error)[:200]}") from None
    uris = client.redirect_uris or []
    if not 1 <= len(uris) <= MOST:
        raise RefusedError(f"must name from 1 to {MOST} redirect addresses")
    for uri, text in zip(uris, told["redirect_uris"], strict=True):
        if (found := problem(uri, text)) is not None:
            raise RefusedError(found)
    return client

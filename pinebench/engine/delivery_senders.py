"""Sends deliveries: webhooks over HTTP to allowed addresses, and notifications through the library apprise."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from typing import Any
from urllib.parse import SplitResult, urlsplit

from pinebench import __version__
from pinebench.engine.outbox import Letter, SendResult
from pinebench.errors import UsageError
from pinebench.extras import missing
from pinebench.public_addresses import is_public

SECONDS = 10.0
"""The time limit of one try, in seconds."""
_LONGEST_URL = 2_000
_AGAIN = (408, 409, 425, 429)
Resolve = Callable[[str, int], list[str]]
"""Returns the numerical addresses of a host and a port. Raises OSError if there are none."""


def check_url(url: str, allowed: Collection[str] = ()) -> None:
    """Raise UsageError if webhooks must not be sent to `url`. `allowed` lists private hosts that may be used.

    Only numeric addresses are checked here. Host names are resolved and checked again for every delivery.
    """
    parts = _parts(url)
    host = parts.hostname or ""
    try:
        is_fine = host in allowed or is_public(host)
    except ValueError:  # it is a name
        return
    if not is_fine:
        raise UsageError(
            f"webhooks are not sent to {host}", "use a public address; webhook-hosts in engine.toml allows others"
        )


def _parts(url: str) -> SplitResult:
    """Return the parts of a webhook's address. Raises UsageError if it is not a valid http or https address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    is_plain = url.isascii() and url.isprintable() and " " not in url and "\\" not in url and len(url) <= _LONGEST_URL
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain or port == 0:
        raise UsageError("a webhook must be an HTTP or HTTPS address", "expected, for example, https://host/path")
    if parts.username is not None or parts.password is not None:
        hint = "remove them; the secret signs the deliveries"
        raise UsageError("the address of a webhook must not contain a user name or a password", hint)
    return parts


def resolve(host: str, port: int) -> list[str]:
    """Return the numeric addresses of a host. Raises OSError if there are none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


class Webhooks:
    """A webhook sender. Each attempt resolves the address once, and the connection goes to exactly that address."""

    def __init__(
        self,
        now: Callable[[], int],
        allowed: Collection[str] = (),
        resolve: Resolve = resolve,
        seconds: float = SECONDS,
    ) -> None:
        """`now` returns the time in milliseconds UTC. `allowed` are hosts that may have private addresses.

        A try is cut off after `seconds`, no matter how slowly the receiver answers.
        """
        self._allowed = frozenset(allowed)
        self._seconds = seconds
        self._resolve = resolve
        self._now = now

    def send(self, letter: Letter) -> SendResult:
        """Send one delivery and return the result. Redirects are not followed."""
        try:
            parts = _parts(letter.target)
            host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
            deadline = time.monotonic() + self._seconds
            addresses = self._resolved(host, port)
            if host not in self._allowed and not all(map(is_public, addresses)):
                return SendResult(False, f"{host} is not an address of the public internet", True)
            status = self._post(parts, addresses[0], port, letter, deadline)
        except UsageError as error:
            return SendResult(False, error.message, True)
        except (OSError, http.client.HTTPException, IndexError, UnicodeError) as error:
            return SendResult(False, f"{type(error).__name__}: {error}")
        if 200 <= status < 300:
            return SendResult(True)
        is_final = 300 <= status < 500 and status not in _AGAIN
        return SendResult(False, f"the receiver answered with HTTP {status}", is_final)

    def _resolved(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host. Raises TimeoutError if the name server needs longer than a try may take."""
        found: Future[list[str]] = Future()

        def look() -> None:
            try:
                found.set_result(self._resolve(host, port))
            except BaseException as error:
                found.set_exception(error)

        threading.Thread(target=look, name="addresses", daemon=True).start()
        try:
            return found.result(self._seconds)
        except TimeoutError:
            raise TimeoutError(f"the address of {host} was not found within {self._seconds:g} s") from None

    def _post(self, parts: SplitResult, address: str, port: int, letter: Letter, deadline: float) -> int:
        host = parts.hostname or ""
        connection = _PinnedConnection(host, port, address, deadline, is_secure=parts.scheme == "https")
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", target, letter.body.encode(), self._headers(letter))
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException):
            if not connection.was_cut:
                raise
            status = 0
        finally:
            connection.done()
        if connection.was_cut:  # half of an answer is not an answer
            raise TimeoutError(f"the receiver did not answer within {self._seconds:g} s")
        return status

    def _headers(self, letter: Letter) -> dict[str, str]:
        seconds = str(self._now() // 1000)
        told = {
            "Content-Type": "application/json",
            "User-Agent": f"pinebench/{__version__}",
            "Idempotency-Key": letter.id,
            "X-Pinebench-Timestamp": seconds,
            "Connection": "close",
        }
        if letter.secret:
            told["X-Pinebench-Signature"] = signature(letter.secret, seconds, letter.body)
        return told


def signature(secret: str, timestamp: str, body: str) -> str:
    """Return the signature of a delivery: `sha256=` and the HMAC of timestamp, full stop and body, in hexadecimal."""
    found = hmac.new(secret.encode(), f"{timestamp}.{body}".encode(), hashlib.sha256)
    return f"sha256={found.hexdigest()}"


class _PinnedConnection(http.client.HTTPConnection):
    """A connection to one numerical address, with the host's name in its requests and for its certificate."""

    def __init__(self, host: str, port: int, address: str, deadline: float, *, is_secure: bool) -> None:
        super().__init__(host, port, timeout=max(deadline - time.monotonic(), 0.01))
        self._address = address
        self._deadline = deadline
        self._is_secure = is_secure
        self._guard: socket.socket | None = None
        self._end = threading.Timer(0, lambda: None)
        self.was_cut = False
        if is_secure:
            self.default_port = 443

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), self.timeout)
        # A receiver that sends a byte now and then never meets the limit of one operation: the connection ends in time.
        self._guard = plain.dup()
        self._end = threading.Timer(max(self._deadline - time.monotonic(), 0), self._cut)
        self._end.daemon = True
        self._end.start()
        if self._is_secure:
            try:
                self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
            except BaseException:
                plain.close()
                raise
        else:
            self.sock = plain

    def _cut(self) -> None:
        self.was_cut = True
        if self._guard is not None:
            with contextlib.suppress(OSError):
                self._guard.shutdown(socket.SHUT_RDWR)

    def done(self) -> None:
        """Close the connection at the end. (http.client calls `close` earlier, while it still reads a response.)"""
        self._end.cancel()
        self.close()
        if self._guard is not None:
            self._guard.close()
            self._guard = None


class Notifiers:
    """A sender to the notifiers that the owner configured, such as mail or ntfy.

    `urls` maps names to apprise addresses.
    """

    def __init__(self, urls: Mapping[str, str]) -> None:
        """Raises UnavailableError if apprise is missing, and UsageError for an address that it does not know."""
        self.names = frozenset(urls)
        self._ways: dict[str, Any] = {}
        for name, url in urls.items():
            self._ways[name] = _way(name, url)

    def send(self, letter: Letter) -> SendResult:
        """Send one delivery and return the result."""
        way = self._ways.get(letter.target)
        if way is None:
            return SendResult(False, f"there is no notifier '{letter.target}'", True)
        told = json.loads(letter.body)
        title = f"{told['symbol']} {told['interval']}"
        words = told.get("message") or f"{json.dumps(told['condition'])} at {told['value']}"
        if way.notify(body=words, title=title):
            return SendResult(True)
        return SendResult(False, "the notifier did not accept the message")


def _way(name: str, url: str) -> Any:
    try:
        import apprise
    except ImportError:
        raise missing("sending notifications", "notify") from None
    way = apprise.Apprise()
    if not way.add(url):
        raise UsageError(f"apprise does not know the address of notifier {name}", "expected, for example, ntfy://TOPIC")
    return way

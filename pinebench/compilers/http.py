"""Posts a form over HTTP, with a limit on the total time for the answer."""

from __future__ import annotations

import http.client
import threading
import time
import urllib.request
import uuid
import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pinebench.context import Context

LARGEST_ANSWER = 16 * 1024 * 1024
"""The largest answer in bytes. A longer one cannot be a useful answer."""
_LOOK_SECONDS = 0.1
"""The seconds between checks of a waiting request for cancellation."""


class HttpError(Exception):
    """Raised if there was no complete answer. The message says why."""


class HttpReply(NamedTuple):
    """An answer: its HTTP status, its body, and its headers `Retry-After` and `Location`."""

    status: int
    body: bytes
    retry_after: str | None = None
    location: str | None = None


def post(url: str, name: str, value: str, headers: Mapping[str, str], seconds: float, context: Context) -> HttpReply:
    """Send `value` as the form field `name` to `url`, and wait for the answer. Redirections are not followed.

    Raises HttpError if the answer is not complete after `seconds`, and CancelledError or DeadlineError as soon as
    `context` ends.
    """
    seconds = min(seconds, context.remaining())
    end = time.monotonic() + seconds
    try:
        request = _form(url, name, value, headers)
    except ValueError as error:
        raise HttpError(str(error)) from None
    work = _Work(lambda: _send(request, end))
    while not work.done.wait(max(0.0, min(_LOOK_SECONDS, end - time.monotonic()))):
        context.check()
        if time.monotonic() >= end:
            raise HttpError(f"no complete answer within {seconds:.0f} s")
    if work.error is not None:
        context.check()
        raise HttpError(_reason(work.error)) from None
    assert work.reply is not None
    return work.reply


class _Work(threading.Thread):
    """A request in its own thread, which is abandoned if it takes too long. A thread is needed because name look-up,
    handshake and headers have no time limit."""

    def __init__(self, send: Callable[[], HttpReply]) -> None:
        super().__init__(daemon=True, name="pinebench http")
        self._send = send
        self.done = threading.Event()
        self.reply: HttpReply | None = None
        self.error: Exception | None = None
        self.start()

    def run(self) -> None:
        """Send the request and store the reply or the error."""
        try:
            self.reply = self._send()
        except Exception as error:  # any error is handed to the waiting thread
            self.error = error
        finally:
            self.done.set()


def _form(url: str, name: str, value: str, headers: Mapping[str, str]) -> urllib.request.Request:
    boundary = uuid.uuid4().hex
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode()
        + value.encode("utf-8", "replace")
        + f"\r\n--{boundary}--\r\n".encode()
    )
    kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    return urllib.request.Request(url, data=body, headers={**headers, **kind}, method="POST")


def _send(request: urllib.request.Request, end: float) -> HttpReply:
    opener = urllib.request.build_opener(_AsItComes)
    with opener.open(request, timeout=max(end - time.monotonic(), 0.1)) as response:
        body = _read(response, end)
        found = response.headers
        if "gzip" in found.get("Content-Encoding", ""):
            body = _unpacked(body)
        return HttpReply(response.status, body, found.get("Retry-After"), found.get("Location"))


def _read(response: http.client.HTTPResponse, end: float) -> bytes:
    """Read the whole body piece by piece, so that a slow server is noticed."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(65536):
        parts.append(part)
        size += len(part)
        if size > LARGEST_ANSWER:
            raise HttpError(f"the answer is longer than {LARGEST_ANSWER // 1024 // 1024} MB")
        if time.monotonic() > end:
            raise TimeoutError("the answer is too slow")
    if response.length:
        raise http.client.IncompleteRead(b"".join(parts))
    return b"".join(parts)


def _unpacked(body: bytes) -> bytes:
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body, LARGEST_ANSWER)


def _reason(error: Exception) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "the answer was cut off"
    reason = getattr(error, "reason", None) or error
    return str(reason).strip().splitlines()[0] if str(reason).strip() else type(error).__name__


class _AsItComes(urllib.request.HTTPErrorProcessor):
    """Treats every status as an answer. Redirections in particular are not followed, so the source only goes to one
    address."""

    def http_response(self, *exchanged: Any, **_: Any) -> Any:
        """Return the response unchanged. The arguments are a request and its response."""
        return exchanged[-1]

    https_response = http_response

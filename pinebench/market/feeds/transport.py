"""Sends requests to the web services of feeds, with time limits, retries after growing pauses, and size limits."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from pinebench.errors import UnavailableError, UsageError
from pinebench.extras import missing

TRIES = 5
"""The number of times that a request is sent before the service counts as unavailable."""
_FIRST_PAUSE = 0.5
LONGEST_PAUSE = 20.0
"""The longest pause in seconds that a service can ask for; a longer one counts as unavailable."""
_TIMEOUT = (5, 15)
"""The seconds to connect, and the seconds between two parts of an answer."""
_LARGEST = 30_000_000
_BUSY = (418, 429, 500, 502, 503, 504)


class Reply(NamedTuple):
    """The parsed JSON of an answer, and the service's own clock in milliseconds UTC."""

    content: Any
    now: int


class FeedRefusal(UsageError):
    """An error for a request that the service refused. `where` names the bars, `status` is the HTTP status, and `said`
    is the service's own message."""

    def __init__(self, where: str, status: int, said: str) -> None:
        super().__init__(f"{where}: the service refused: {said or f'HTTP {status}'}", "check the symbol and timeframe")
        self.status = status
        self.said = said


class Transport:
    """Sends HTTP requests for JSON. `pause` waits for the given number of seconds."""

    def __init__(self, pause: Callable[[float], None] = time.sleep) -> None:
        self._pause = pause
        self._session: Any = None

    def get(self, where: str, url: str, parameters: Mapping[str, object]) -> Reply:
        """Send a GET request and return the answer. `where` names the requested bars in messages.

        Raises UnavailableError if the package requests is missing, or if the service cannot be reached or does not
        return JSON, and FeedRefusal if it rejects the request.
        """
        try:
            import requests
        except ImportError:
            raise missing("fetching bars from the web", "data") from None
        self._session = self._session or _session()
        problem = ""
        for attempt in range(TRIES):
            try:
                answer = self._session.get(url, params=parameters, timeout=_TIMEOUT, stream=True)
                status, headers, body = answer.status_code, answer.headers, _body(answer)
            except (requests.RequestException, OSError) as error:
                problem = _said(error)
            else:
                if status not in _BUSY:
                    return _reply(where, status, headers, body)
                problem = f"it answered with HTTP {status}"
                asked = _asked_pause(headers)
                if asked > LONGEST_PAUSE:
                    hint = f"try again in {round(asked)} seconds"
                    raise UnavailableError(f"{where}: the service has received too many requests", hint)
                if asked:
                    self._pause(asked)
                    continue
            if attempt < TRIES - 1:
                self._pause(_FIRST_PAUSE * 2**attempt)
        raise UnavailableError(
            f"{where}: the service cannot be reached: {problem}", "check the connection, and try again later"
        )


def _session() -> Any:
    import requests

    from pinebench import __version__

    session = requests.Session()
    session.headers.update({"User-Agent": f"Mozilla/5.0 (pinebench {__version__})", "Accept": "application/json"})
    return session


def _body(answer: Any) -> bytes:
    """Read the whole body of an answer. Raises OSError if it is too large."""
    parts, size = list[bytes](), 0
    with answer:
        for part in answer.iter_content(65_536):
            size += len(part)
            if size > _LARGEST:
                raise OSError(f"the answer is larger than {_LARGEST // 1_000_000} MB")
            parts.append(part)
    return b"".join(parts)


def _reply(where: str, status: int, headers: Mapping[str, str], body: bytes) -> Reply:
    try:
        content = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        content = None
    if status >= 400:
        raise FeedRefusal(where, status, _words(content))
    if content is None:
        hint = "check whether a proxy or a sign-in page answers instead of the service"
        raise UnavailableError(f"{where}: the answer of the service is not JSON", hint)
    return Reply(content, _clock(headers))


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not JSON")


def _words(content: Any) -> str:
    """Return the service's own error message: Binance's `msg`, Yahoo's `description`."""
    if not isinstance(content, dict):
        return ""
    chart = content.get("chart") or content.get("finance")
    error = chart.get("error") if isinstance(chart, dict) else None
    found = error.get("description") if isinstance(error, dict) else content.get("msg")
    return str(found or "").partition("\n")[0][:300]


def _clock(headers: Mapping[str, str]) -> int:
    """Return the service's clock in milliseconds UTC, so that a wrong local clock cannot decide which bar is closed."""
    try:
        return int(parsedate_to_datetime(headers["Date"]).timestamp() * 1000)
    except (KeyError, ValueError, TypeError):
        return int(time.time() * 1000)


def _asked_pause(headers: Mapping[str, str]) -> float:
    text = headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0


_CAUSES = (
    ("NameResolutionError", "its name was not found: there is no network, or the DNS does not answer"),
    ("ProxyError", "the proxy did not let the request through"),
    ("Connection refused", "it refused the connection"),
    ("CERTIFICATE", "its certificate is not valid"),
    ("timed out", "it did not answer in time"),
)
"""Parts of the error messages of requests, each with an explanation."""


def _said(error: Exception) -> str:
    text = str(error)
    return next((words for mark, words in _CAUSES if mark in text), text.partition("\n")[0][:300])

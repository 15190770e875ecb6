"""Access to Anthropic's models through the SDK: key, model, address, retries, limits and prices. No other module uses
the SDK. The authoring loop and the conversation with tools share it."""

from __future__ import annotations

import math
import os
import re
import weakref
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from pinebench.authoring.answer import PartialReply
from pinebench.authoring.author import AuthorUnavailable, Usage
from pinebench.authoring.environment import API_KEY, MODEL, foreign_file, setting
from pinebench.authoring.foreign import Foreign
from pinebench.authoring.stream import Connections, read
from pinebench.context import Context
from pinebench.extras import how_to_install

DEFAULT_MODEL = "claude-sonnet-5-5"
MODELS = {
    "claude-haiku-5-5": "fast and cheap",
    "claude-sonnet-5-5": "the default",
    "claude-opus-5-5": "for the hardest tasks",
}
"""Models that are offered by name; any other name works too."""
BACK_OFF_SECONDS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""The waits in seconds before trying again after 429, 529, another 5xx or a cut stream."""
LONGEST_BACK_OFF_SECONDS = 60.0
"""If `retry-after` is longer than this many seconds, the run ends instead of waiting."""
SILENCE_SECONDS = 90.0
"""A stream that sends nothing for this many seconds counts as cut; a working stream sends a ping every few seconds."""

CHARACTERS_PER_TOKEN = 16
"""An upper bound for the average number of characters in a token; an answer with more is too long."""
BYTES_PER_TOKEN = 400
"""An upper bound for the number of bytes that the events of a stream take for one token."""
SENT_BYTES_PER_TOKEN = 2.5
"""A lower bound for the average bytes in a token of a request: code and numbers have about 3, sentences about 4."""
MOST_PICTURE_TOKENS = 5_000
"""The largest number of tokens of a picture; the service makes larger pictures smaller."""
TOOL_USE_TOKENS = 600
"""The largest number of tokens that the service adds to a request with tools."""
SMALLEST_STREAM_BYTES = 1_000_000
"""Room for the events around an answer, and for a service's error message."""

_WRITTEN = 1.25
"""The price of a token that is written into the cache, as a multiple of the price of an input token."""
_BILLING = "check the credit of the account that the key belongs to"
_TOO_LONG = "the script or the request is too long for one message"

# Dollars per million tokens, in and out, as far as known. A model that is not listed counts as the most expensive one,
# so that a budget ends too early rather than too late. Cache writes cost 1.25 times the input, cache reads a tenth of
# it.
_PRICES = {
    r"\b(3|4|4[-.][01])-opus|opus-4(?!\d|[-.][5-9](?!\d))": (15.0, 75.0),
    "haiku": (1.0, 5.0),
    "sonnet": (3.0, 15.0),
    "opus": (5.0, 25.0),
}
"""Dollars per million input and output tokens, by a pattern in the model's name; the first match counts. Opus 3, 4 and
4.1 cost more than 4.5."""
_DEAREST = (25.0, 125.0)


class Service:
    """Anthropic's service, for one key and one model. Cancelling a request does not disturb other requests.

    `model` defaults to `PINEBENCH_MODEL`, then to DEFAULT_MODEL. `key` defaults to `ANTHROPIC_API_KEY` from the
    environment or the project's `.env`. `purpose` names, in messages, the activity that needs the service. `again` is
    appended to the advice to try again, and `otherwise` to the advice to set a key. `key_from` and `model_from`
    describe the origin of the key and the model. `foreign` masks secrets. `client` is the SDK's client. Raises
    AuthorUnavailable without a key or the SDK.
    """

    def __init__(
        self,
        model: str | None = None,
        key: str | None = None,
        *,
        purpose: str = "talking with Claude",
        again: str = "",
        otherwise: str = "",
    ) -> None:
        try:
            import anthropic
        except ImportError:
            raise AuthorUnavailable(f"{purpose} needs the extra 'ai'", how_to_install("ai")) from None
        found, chosen = setting(API_KEY), setting(MODEL)
        self.key_from = "the caller" if key else found.origin if found else ""
        key = key or (found.value if found else "")
        if not key:
            raise _no_key(otherwise)
        self.model_from = "the caller" if model else chosen.origin if chosen else "pinebench's default"
        self.model = model or (chosen.value if chosen else DEFAULT_MODEL)
        self.foreign = Foreign(key, *_secrets())
        self._again = again
        self._sdk = anthropic
        self._connections = Connections(_http())
        try:
            # The address comes from the real environment alone, and no answer can change it. We retry ourselves,
            # because the SDK's waits can be neither limited nor cancelled.
            self.client = anthropic.Anthropic(
                api_key=_sendable(key),
                base_url=os.environ.get("ANTHROPIC_BASE_URL") or None,
                max_retries=0,
                default_headers={"accept-encoding": "identity"},
                http_client=anthropic.DefaultHttpxClient(follow_redirects=False, event_hooks=self._connections.hooks),
            )
        except (ValueError, ImportError, _http().InvalidURL) as error:
            raise AuthorUnavailable(
                f"Claude cannot be reached: {self.brief(error)}",
                "check ANTHROPIC_BASE_URL and the proxies in the environment",
            ) from None
        # The connections end with the object that uses them; at the end of the program the system ends them.
        weakref.finalize(self, self.client.close).atexit = False
        self.foreign.watch("anthropic", _http().__name__, _http().__name__.replace("httpx", "httpcore"))

    def events(self, request: Mapping[str, Any], room: int, answer: PartialReply, context: Context) -> Iterator[Any]:
        """Send `request` and add the streamed events to `answer`; yield each event after it was added. An answer longer
        than `room` tokens is cut off. Raises the errors of `context`, and StreamError if the stream cannot be read."""

        def opened() -> Any:
            return self.client.messages.create(
                model=self.model, max_tokens=room, stream=True, timeout=SILENCE_SECONDS, **request
            )

        allowance = SMALLEST_STREAM_BYTES + room * BYTES_PER_TOKEN
        for event in read(opened, self._connections, allowance, context):
            answer.take(event)
            if answer.characters > room * CHARACTERS_PER_TOKEN:
                answer.end(room)
                return
            yield event

    def room(self, asked: int, wanted: int, dollars: float) -> int:
        """Return the largest number of tokens, up to `wanted`, with which an answer and its request of `asked` tokens
        together cost at most `dollars`.

        The result is 0 or less if the request alone may cost that much. The whole request is charged at the price for
        writing to the service's cache, even if the cache had a part of it a moment ago: the cache expires after five
        minutes, and a tool, a question to the user or a wait between attempts may take longer.
        """
        price_in, price_out = price(self.model)
        return int(min(wanted, (dollars * 1_000_000 - _WRITTEN * asked * price_in) / price_out))

    def is_final(self, error: Exception) -> bool:
        """Return whether `error` means that the service would refuse the same request again."""
        return isinstance(error, self._sdk.APIStatusError) and not is_passing(error)

    def asked_wait(self, trouble: Exception) -> float:
        """Return how many seconds the service wants the client to wait. Raises AuthorUnavailable if that is longer than
        LONGEST_BACK_OFF_SECONDS."""
        headers = getattr(getattr(trouble, "response", None), "headers", None)
        if headers is None:
            return 0.0
        seconds = _wanted_wait(headers)
        if seconds > LONGEST_BACK_OFF_SECONDS:
            raise AuthorUnavailable(
                f"Claude cannot be reached: {self.brief(trouble)}; the service asks for a pause of {seconds:.0f} s",
                f"try again after the pause{self._again}",
            )
        return seconds

    def unavailable(self, error: Exception) -> AuthorUnavailable:
        """Return the error for the user that corresponds to `error` from the SDK or a stream."""
        kind, status = described(error).get("type"), getattr(error, "status_code", None)
        # An error inside a stream has the stream's own status, 200.
        if kind in ("authentication_error", "permission_error") or status in (401, 403):
            return AuthorUnavailable(f"Claude refused the key: {self.brief(error)}", f"check {API_KEY}")
        if kind == "not_found_error" or status == 404:
            return AuthorUnavailable(f"there is no model '{self.model}'", f"choose another with --model or {MODEL}")
        if isinstance(error, self._sdk.APITimeoutError):
            return AuthorUnavailable("Claude sent nothing for too long", f"try again{self._again}")
        if status is not None and not is_passing(error):
            # The same request would be refused again.
            too_long = kind == "request_too_large" or status == 413
            hint = _TOO_LONG if too_long else _BILLING if kind == "billing_error" or status == 402 else None
            return AuthorUnavailable(f"Claude refused the request: {self.brief(error)}", hint)
        return AuthorUnavailable(f"Claude cannot be reached: {self.brief(error)}", f"try again later{self._again}")

    def brief(self, error: Exception) -> str:
        """Return `error` as one short line, without secrets and control characters."""
        said = described(error).get("message")
        message = said if isinstance(said, str) and said else getattr(error, "message", "") or str(error)
        line = self.foreign.line((message.strip().splitlines() or [""])[0]).strip() or type(error).__name__
        status = getattr(error, "status_code", None)
        return f"{f'HTTP {status}: ' if status else ''}{line[:200]}"


def most_tokens(request: Mapping[str, Any]) -> int:
    """Return an upper limit for the tokens of `request`, estimated before the service counts them. Tools that only a
    search finds do not count."""
    shown = [tool for tool in request.get("tools", ()) if not tool.get("defer_loading")]
    return most_tokens_of([request.get("system", ""), shown, request["messages"]]) + (TOOL_USE_TOKENS if shown else 0)


def most_tokens_of(value: Any) -> int:
    """Return an upper limit for the tokens of a JSON value in a request, estimated before the service counts them."""
    return math.ceil(_sent_tokens(value))


def _sent_tokens(value: Any) -> float:
    if isinstance(value, dict):
        if value.get("type") == "image":
            return MOST_PICTURE_TOKENS
        return sum(map(_sent_tokens, value)) + sum(map(_sent_tokens, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_sent_tokens, value))
    return (len(str(value).encode("utf-8", "surrogatepass")) + 2) / SENT_BYTES_PER_TOKEN


def cost(model: str, usage: Usage) -> float:
    """Return the estimated cost of `usage`, in dollars, at the price of `model`."""
    price_in, price_out = price(model)
    counted_in = usage.input_tokens + _WRITTEN * usage.cache_write_tokens + 0.1 * usage.cache_read_tokens
    return (counted_in * price_in + usage.output_tokens * price_out) / 1_000_000


def price(model: str) -> tuple[float, float]:
    """Return the estimated prices of input and output tokens of `model`, in dollars per million tokens."""
    return next((price for family, price in _PRICES.items() if re.search(family, model)), _DEAREST)


def has_known_price(model: str) -> bool:
    """Return whether the price of `model` is known. Otherwise `price` assumes a price above all known ones."""
    return any(re.search(family, model) for family in _PRICES)


def is_passing(error: Any) -> bool:
    """Return whether a request may succeed later although it was refused with the SDK's status error `error`."""
    if error.status_code < 300:
        return _passes_in_stream(error)
    return error.status_code in (408, 409, 429) or error.status_code >= 500


def _passes_in_stream(error: Any) -> bool:
    """Return whether an error inside a stream is temporary. Such an error has the stream's own status, 200."""
    passing = ("overloaded_error", "api_error", "rate_limit_error", "timeout_error")
    # An error without a readable description counts as a cut.
    return not described(error) or described(error).get("type") in passing


def _http() -> Any:
    """Return the HTTP library that the SDK uses."""
    from importlib import import_module
    from importlib.util import find_spec

    return import_module("httpx2" if find_spec("httpx2") else "httpx")


def _secrets() -> Iterator[str]:
    """Yield the secrets of the environment besides the key, which no screen and no journal may show."""
    yield os.environ.get("ANTHROPIC_AUTH_TOKEN", "")
    for name, value in os.environ.items():
        if name.upper() in ("ANTHROPIC_BASE_URL", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"):
            yield value.rpartition("@")[0].rpartition("/")[2].partition(":")[2]


def _no_key(otherwise: str) -> AuthorUnavailable:
    foreign = foreign_file()
    if foreign:
        return AuthorUnavailable(f"there is no {API_KEY}", f"{foreign} is ignored, because it belongs to another user")
    return AuthorUnavailable(f"there is no {API_KEY}", f"set it in the environment or in the project's .env{otherwise}")


def _sendable(key: str) -> str:
    """Return `key` without surrounding blanks. Raises ValueError if it holds characters that a header cannot carry."""
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        raise ValueError(f"{API_KEY} has characters that no key can have")
    return key


def _wanted_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds that a service asks to wait: a number, or the time until a date by the service's own clock."""
    from email.utils import parsedate_to_datetime

    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return seconds if seconds > 0 else 0.0  # NaN counts as no wait
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
        now = parsedate_to_datetime(headers["date"]) if "date" in headers else datetime.now(UTC)
        return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def described(error: Any) -> dict[str, Any]:
    """Return the service's own description of an error, with its `type` and `message`; empty if there is none."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    return inner if isinstance(inner, dict) else {}

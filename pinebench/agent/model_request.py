"""Sends one request of a conversation to the service and streams the answer. It retries while the service is busy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import dropwhile
from typing import Any, NamedTuple, cast

from pinebench.authoring.answer import PartialReply
from pinebench.authoring.author import AuthorUnavailable, Usage
from pinebench.authoring.service import BACK_OFF_SECONDS, Service, cost, described, most_tokens, most_tokens_of
from pinebench.authoring.stream import StreamError
from pinebench.context import Context

ANSWER_TOKENS = 16_000
"""The largest size of one answer in tokens."""
CUT = "\n\n(The connection was cut; the answer begins again.)\n\n"


SMALLEST_ANSWER_TOKENS = 1_000
"""The number of tokens below which no useful answer is possible."""


class NoRoom(Exception):
    """The remaining dollars do not cover the request and an answer."""


class TooLong(AuthorUnavailable):
    """The service says that the conversation is too long for the model."""


class CountedRequest(NamedTuple):
    """A request that was answered. `blocks` are its content blocks with their roles, and `tokens` is the service's own
    count for the request and the answer together."""

    model: str
    blocks: list[tuple[str, dict[str, Any]]]
    tokens: int


def request_tokens(request: Mapping[str, Any], model: str, earlier: CountedRequest | None) -> int:
    """Return an upper limit for the tokens of `request`. If it continues `earlier`, only the blocks added since are
    estimated. Both requests must have the same system prompt and tools."""
    blocks = _blocks(request)
    if earlier is None or earlier.model != model or blocks[: len(earlier.blocks)] != earlier.blocks:
        return most_tokens(request)
    added = dropwhile(lambda each: each[0] == "assistant", blocks[len(earlier.blocks) :])
    return earlier.tokens + most_tokens_of(list(added))


def _blocks(request: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the content blocks of a request with their roles, without the cache marks, which change with each
    request."""
    return [
        (message["role"], {name: value for name, value in block.items() if name != "cache_control"})
        for message in request["messages"]
        for block in message["content"]
    ]


class RequestAttempt:
    """The incoming answer to a request, and the cost of all attempts. `room` is the largest number of tokens for the
    answer, and `most` is an upper limit for the tokens of the request."""

    def __init__(self, request: Mapping[str, Any], most: int) -> None:
        self._request = request
        self._most = most
        self.answer = PartialReply()
        self.room = ANSWER_TOKENS
        self._earlier: list[PartialReply] = []

    def again(self) -> None:
        """Discard the partial answer before a new attempt, but keep its cost."""
        self._earlier.append(self.answer)
        self.answer = PartialReply()

    def total(self, model: str) -> Usage:
        """Return the cost of all attempts so far, at the price of `model`."""
        spent = Usage()
        for each in (*self._earlier, self.answer):
            spent += each.usage + Usage(dollars=cost(model, each.usage))
        return spent

    def asked(self) -> int:
        """Return the tokens of the request: the service's own count if there is one, else the upper limit."""
        return max(map(_asked, self._earlier), default=0) or self._most

    def counted(self, model: str) -> CountedRequest | None:
        """Return the request with the number of tokens that `model` counted for it; None if the answer is incomplete or
        has no such number."""
        if self.answer.stop is None or not _asked(self.answer):
            return None
        return CountedRequest(model, _blocks(self._request), self.answer.usage.tokens)


def _asked(answer: PartialReply) -> int:
    return answer.usage.tokens - answer.usage.output_tokens


def pieces(
    service: Service,
    request: Mapping[str, Any],
    attempt: RequestAttempt,
    context: Context,
    back_off: tuple[float, ...] = BACK_OFF_SECONDS,
    left: float = math.inf,
) -> Iterator[str]:
    """Send `request` and yield the text of the answer in pieces. At the end, `attempt` holds the complete answer.

    If a stream breaks off, the partial answer is discarded and the request is sent again after a wait. `back_off` has
    the waits in seconds. All attempts together cost at most `left` dollars. Raises NoRoom if an attempt could cost
    more, TooLong if the conversation is too long for the model, AuthorUnavailable, and the errors of `context`.
    """
    trouble: Exception | None = None
    asked, shown = 0.0, False
    for wait in (0.0, *back_off):
        context.sleep(max(wait, asked))
        if shown:
            yield CUT
        shown = False
        attempt.again()
        rest = left - attempt.total(service.model).dollars
        attempt.room = service.room(attempt.asked(), ANSWER_TOKENS, rest)
        if attempt.room < SMALLEST_ANSWER_TOKENS:
            raise NoRoom
        try:
            for event in service.events(request, attempt.room, attempt.answer, context):
                piece = _text_in(event)
                if piece:
                    shown = True
                    yield service.foreign.script(piece)
            trouble = EOFError("the stream ended before the answer did")
        except StreamError as error:
            trouble = cast("Exception", error.__cause__)
            context.check()
            if service.is_final(trouble):
                raise _refusal(service, trouble) from None
        if attempt.answer.stop is not None:
            return
        asked = service.asked_wait(trouble)
    assert trouble is not None
    raise service.unavailable(trouble)


def _text_in(event: Any) -> str:
    if getattr(event, "type", None) != "content_block_delta":
        return ""
    delta = event.delta
    return str(getattr(delta, "text", "") or "") if getattr(delta, "type", None) == "text_delta" else ""


def _refusal(service: Service, error: Exception) -> AuthorUnavailable:
    said = str(described(error).get("message", "")).lower()
    unavailable = service.unavailable(error)
    if getattr(error, "status_code", None) in (400, 413) and ("too long" in said or "too large" in said):
        return TooLong(unavailable.message, "start a new conversation, or send a shorter message")
    return unavailable

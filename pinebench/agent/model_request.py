"""One request of a conversation to the service: streamed, and tried again while the service is busy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pinebench.authoring.answer import PartialReply
from pinebench.authoring.author import AuthorUnavailable, Usage
from pinebench.authoring.service import BACK_OFF_SECONDS, Service, cost, described
from pinebench.authoring.stream import StreamError
from pinebench.context import Context

ANSWER_TOKENS = 16_000
"""The largest size of one answer in tokens."""
CUT = "\n\n(The connection was cut; the answer begins again.)\n\n"


SMALLEST_ANSWER_TOKENS = 1_000
"""With room for fewer tokens than this, no useful answer is possible."""


class NoRoom(Exception):
    """The limit of dollars has no room for the request and an answer."""


class TooLong(AuthorUnavailable):
    """The service says that the conversation is too long for the model."""


class RequestAttempt:
    """The answer that is arriving, and the cost of the request, with all tries. `room` is the number of tokens that
    the answer may have."""

    def __init__(self) -> None:
        self.answer = PartialReply()
        self.room = ANSWER_TOKENS
        self._earlier: list[PartialReply] = []

    def again(self) -> None:
        """Drop the answer that has arrived, but not its cost."""
        self._earlier.append(self.answer)
        self.answer = PartialReply()

    def total(self, model: str) -> Usage:
        """The cost of all tries so far; `model` decides about the price."""
        spent = Usage()
        for each in (*self._earlier, self.answer):
            spent += each.usage + Usage(dollars=cost(model, each.usage))
        return spent

    def asked(self) -> int:
        """The largest number of tokens that the service has counted for the request in a try."""
        return max((each.usage.tokens - each.usage.output_tokens for each in self._earlier), default=0)


def pieces(
    service: Service,
    request: Mapping[str, Any],
    attempt: RequestAttempt,
    context: Context,
    back_off: tuple[float, ...] = BACK_OFF_SECONDS,
    left: float = math.inf,
) -> Iterator[str]:
    """Send `request` and yield the pieces of the answer's text. `attempt` holds the complete answer in the end.

    A stream that ends early is dropped as a whole, with everything that it had begun, and the request is tried again
    after the waits `back_off`, in seconds. All tries together cost at most `left` dollars. Raises NoRoom if a try could
    cost more, TooLong, AuthorUnavailable, and what `context` raises.
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
        attempt.room = service.room(request, ANSWER_TOKENS, rest, attempt.asked())
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
        return TooLong(unavailable.message, "begin a new conversation, or say less at once")
    return unavailable

"""A service that never ends, or never begins, does not hold a run: the clock and the limits do, and what is said is
what happened."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pinebench import context
from pinebench.authoring import loop, session
from pinebench.authoring.answer import PartialReply
from pinebench.authoring.author import AuthorBudget, AuthorUnavailable
from pinebench.authoring.claude import Claude
from pinebench.authoring.events import UnansweredEvent
from pinebench.authoring.service import Service
from pinebench.compilers.local import LocalCompiler
from pinebench.context import CancelledError, Context
from tests.authoring.fake_anthropic import Reply, busy, edits, script, text
from tests.authoring.fake_anthropic import slowly as written_slowly
from tests.authoring.support import CLEAN, OUTPUT, REQUEST, UNDECLARED, claude, ending, isolate, service

LIMITED = AuthorBudget(seconds=20.0)
STEP = 0.02
"""Seconds between what a slow service sends: far less than any limit on silence."""


def event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


OPENING = event("message_start", message={"id": "m", "type": "message", "usage": {"input_tokens": 7}})


def slowly(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        time.sleep(STEP)
        yield piece


def forever(piece: bytes) -> Iterator[bytes]:
    while True:
        yield piece


def pings() -> Iterator[bytes]:
    yield OPENING
    yield from slowly(forever(event("ping")))


def one_byte_after_another() -> Iterator[bytes]:
    yield OPENING + b'event: content_block_delta\ndata: {"type": "'
    yield from slowly(forever(b"x"))


def empty_words() -> Iterator[bytes]:
    yield OPENING + event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    yield from slowly(forever(event("content_block_delta", index=0, delta={"type": "text_delta", "text": ""})))


def head_without_end() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nx-long: "
    yield from slowly(forever(b"x"))


def nothing() -> Iterator[bytes]:
    while True:
        time.sleep(STEP)
        yield b""


class Clock:
    """The clock of a run. It stands, however long a busy machine takes, until the service sends what has no end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._now = 1000.0
        self._is_sent = False
        take = PartialReply.take

        def taken(answer: PartialReply, event: Any) -> None:
            take(answer, event)
            if self._is_sent and answer.counts:
                self._end()

        monkeypatch.setattr(PartialReply, "take", taken)
        for module in (context, loop):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: self._now, sleep=time.sleep))

    def ends_when_begun(self, pieces: Callable[[], Iterator[bytes]]) -> Callable[[], Iterator[bytes]]:
        """The pieces of an answer: the time is over as soon as its first event has arrived."""

        def sent() -> Iterator[bytes]:
            self._is_sent = True
            yield from pieces()

        return sent

    def ends_when_asked(self, pieces: Callable[[], Iterator[bytes]]) -> Callable[[], Iterator[bytes]]:
        """The pieces of an answer: the time is over as soon as they are asked for."""

        def sent() -> Iterator[bytes]:
            self._end()
            yield from pieces()

        return sent

    def _end(self) -> None:
        self._now = 2000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the test's runs."""
    return Clock(monkeypatch)


@pytest.mark.parametrize("pieces", [pings, one_byte_after_another, empty_words])
def test_the_clock_ends_a_stream_that_goes_on(write, clock: Clock, pieces: Callable[[], Iterator[bytes]]) -> None:
    told = write(script(UNDECLARED), Reply(pieces=clock.ends_when_begun(pieces)), budget=LIMITED)
    assert (told.finished.outcome, told.disk) == ("budget", UNDECLARED)
    assert told.finished.message == "20 seconds have passed"
    cut = told.events[-2]
    assert isinstance(cut, UnansweredEvent)
    assert cut.usage.input_tokens == 7


@pytest.mark.parametrize("pieces", [head_without_end, nothing])
def test_a_service_that_never_answers_is_an_outage(write, clock: Clock, pieces: Callable[[], Iterator[bytes]]) -> None:
    told = write(script(UNDECLARED), Reply(pieces=clock.ends_when_asked(pieces), bare=True), budget=LIMITED)
    assert (told.finished.outcome, told.disk) == ("unavailable", UNDECLARED)
    assert "Claude cannot be reached" in told.finished.message
    assert "sent nothing until the time limit was reached" in told.finished.message


def test_a_service_that_never_answers_the_first_request_is_an_outage(write, clock: Clock) -> None:
    with pytest.raises(AuthorUnavailable):
        write(Reply(pieces=clock.ends_when_asked(head_without_end), bare=True), budget=LIMITED)


def test_calling_off_is_noticed_while_a_stream_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    asked: list[object] = []

    def hang(_: object) -> Reply:
        asked.append(1)
        return Reply(pieces=pings)

    with service(monkeypatch, hang):
        limits = Context(cancelled=lambda: bool(asked))
        events = session.write(REQUEST, Claude(), LocalCompiler(), AuthorBudget(), limits, template="none")
        with pytest.raises(CancelledError):
            list(events)


def test_giving_one_answer_up_leaves_the_other_answers_of_the_service_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    go_on = threading.Event()
    request = {"messages": [{"role": "user", "content": "Go."}]}
    steps = (text("At once."), written_slowly(go_on, "One."), written_slowly(go_on, "Two."))
    with service(monkeypatch, *steps) as fake:
        it = Service()

        def begin(answer: PartialReply) -> Iterator[Any]:
            events = it.events(request, 1000, answer, Context())
            while not answer.content:
                next(events)
            return events

        # The connection of the first answer is used again, and the third answer has a connection of its own.
        assert list(it.events(request, 1000, PartialReply(), Context()))
        kept, given_up = PartialReply(), PartialReply()
        going = begin(kept)
        begin(given_up).close()  # type: ignore[attr-defined]
        go_on.set()
        assert list(going) and kept.stop == "end_turn"
        assert given_up.stop is None and len(fake.requests) == 3


@pytest.mark.parametrize(
    "trouble",
    [
        busy(529),
        busy(503, says="the house is on fire"),
        Reply(status=429, error="rate_limit_error", headers={"retry-after": "30"}),
        script(CLEAN, cut_after=3),
    ],
)
def test_an_outage_that_outlives_the_clock_is_reported_as_that_outage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Reply
) -> None:
    isolate(monkeypatch, tmp_path)
    for steps, is_left in (([script(UNDECLARED)], True), ([], False)):
        with service(monkeypatch, *steps, *[trouble] * 3):
            author = Claude(back_off=(0.0, 60.0))
            events = session.write(REQUEST, author, LocalCompiler(), LIMITED, Context(), template="none")
            if not is_left:
                with pytest.raises(AuthorUnavailable):
                    list(events)
                continue
            _, finished = ending(events)
        assert (finished.outcome, finished.source) == ("unavailable", UNDECLARED)
        assert "Claude cannot be reached" in finished.message


def test_a_wait_until_a_date_is_waited_or_told(write) -> None:
    now = datetime.now(UTC)
    later = format_datetime(now + timedelta(hours=1), usegmt=True)
    limited = Reply(status=429, error="rate_limit_error", headers={"retry-after": later})
    with pytest.raises(AuthorUnavailable, match=r"a pause of (3600|359\d) s"):
        write(limited)
    past = format_datetime(now - timedelta(hours=1), usegmt=True)
    assert write(
        Reply(status=429, error="rate_limit_error", headers={"retry-after": past}), script(CLEAN)
    ).finished.success


def test_an_answer_ends_where_the_room_for_it_ends(write) -> None:
    sent: list[int] = []

    def words() -> Iterator[bytes]:
        yield OPENING + event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        piece = event("content_block_delta", index=0, delta={"type": "text_delta", "text": "// filling\n" * 100})
        while True:
            sent.append(len(piece))
            yield piece

    endless = Reply(pieces=words)
    told = write(endless, endless, endless, script(CLEAN), budget=AuthorBudget(tokens=100_000))
    assert sum(sent) < 30_000_000
    assert told.finished.usage.output_tokens >= 16_000
    assert told.disk in (CLEAN, None)


@pytest.mark.parametrize(
    "pieces",
    [
        lambda: [OPENING, b"data: " + b"x" * 20_000_000],
        lambda: [OPENING, *[event("ping", filling="x" * 100_000)] * 200],
    ],
)
def test_what_is_not_even_an_answer_has_a_limit_too(write, pieces: Callable[[], list[bytes]]) -> None:
    told = write(script(UNDECLARED), Reply(pieces=pieces), edits(("lenght", "length")))
    assert told.finished.success
    assert len(told.fake.requests) == 3


def test_a_packed_answer_is_not_unpacked(write) -> None:
    packed = Reply(pieces=lambda: [b"\x1f\x8b"], headers={"content-encoding": "gzip"})
    told = write(packed, script(CLEAN))
    assert told.finished.success
    assert told.fake.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("depth", [200, 900, 5_000, 200_000])
def test_json_nested_deep_is_an_answer_that_cannot_be_used(write, depth: int) -> None:
    nest = "[" * depth + "]" * depth
    call = {"type": "tool_use", "id": "toolu_x", "name": "replace_text"}
    in_a_call = Reply(({**call, "input": f'{{"old_text": {nest}}}'},), stop_reason="tool_use")
    at_the_start = f'{{"type": "content_block_start", "index": 0, "content_block": {{"type": "x", "y": {nest}}}}}'
    in_the_stream = Reply(raw=OPENING + f"event: content_block_start\ndata: {at_the_start}\n\n".encode())
    in_an_error = Reply(pieces=lambda: [f"event: error\ndata: {nest}\n\n".encode()])
    for odd in (in_a_call, in_the_stream, in_an_error):
        told = write(script(UNDECLARED), odd, edits(("lenght", "length")), script(CLEAN))
        assert (told.finished.success, told.disk) == (True, CLEAN), odd


@pytest.mark.parametrize("count", [-1, -(10**9), 10**30, 10**4000, 1.5, "x" * 10_000, None, [], {}, float("inf")])
def test_a_count_that_is_none_is_unknown_and_lowers_nothing(write, capfd, count: object) -> None:
    sound = {"input_tokens": 1000, "output_tokens": 200}
    odd = script(UNDECLARED, usage=dict.fromkeys((*sound, "cache_read_input_tokens"), count))
    told = write(odd, edits(("lenght", "length"), usage=sound))
    usage = told.finished.usage
    assert told.finished.success
    assert (usage.input_tokens, usage.cache_read_tokens) == (1000, 0)
    assert usage.output_tokens in (200, 201)  # a stream counts its first token when it begins
    assert "Warning" not in capfd.readouterr().err


def test_a_later_count_that_is_smaller_lowers_nothing(write) -> None:
    def counts() -> list[bytes]:
        opening = {"id": "m", "type": "message", "usage": {"input_tokens": 900, "output_tokens": 300}}
        return [
            event("message_start", message=opening),
            event("content_block_start", index=0, content_block={"type": "text", "text": f"```pine\n{CLEAN}```"}),
            event("message_delta", delta={"stop_reason": "end_turn"}, usage={"input_tokens": 3, "output_tokens": 2}),
            event("message_stop"),
        ]

    told = write(Reply(pieces=counts))
    assert (told.finished.success, told.finished.usage.tokens) == (True, 1200)


@pytest.mark.parametrize(
    ("kind", "words", "hint"),
    [
        ("authentication_error", "refused the key", "ANTHROPIC_API_KEY"),
        ("permission_error", "refused the key", "ANTHROPIC_API_KEY"),
        ("not_found_error", "there is no model", "--model"),
        ("request_too_large", "refused the request", "too long"),
        ("billing_error", "refused the request", "credit"),
    ],
)
def test_an_error_inside_a_stream_gets_its_own_advice(write, kind: str, words: str, hint: str) -> None:
    told = write(script(UNDECLARED), Reply(stream_error=kind))
    assert (told.finished.outcome, len(told.fake.requests)) == ("unavailable", 2)
    assert words in told.finished.message
    assert hint in (told.finished.hint or "")


@pytest.mark.parametrize("by_key", [True, False])
def test_what_an_interrupted_answer_cost_counts_when_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_key: bool
) -> None:
    isolate(monkeypatch, tmp_path)
    going = threading.Event()
    seen: list[str] = []
    take = PartialReply.take

    def taken(answer: PartialReply, event: Any) -> None:
        take(answer, event)
        if answer.text.startswith("I shall write"):
            seen.append(answer.text)
            if by_key:
                raise KeyboardInterrupt

    monkeypatch.setattr(PartialReply, "take", taken)
    budget = AuthorBudget()
    try:
        with service(monkeypatch, written_slowly(going, "I shall write"), script(CLEAN)) as fake:
            events = session.write(
                REQUEST,
                claude(),
                LocalCompiler(),
                budget,
                Context(cancelled=lambda: bool(seen)),
                template="none",
                output=OUTPUT,
            )
            with pytest.raises(KeyboardInterrupt if by_key else CancelledError):
                list(events)
            going.set()
            seen.clear()
            _, finished = ending(
                session.resume(OUTPUT, lambda started: (started, claude(), LocalCompiler()), Context())
            )
            one, two = (request.body["messages"] for request in fake.requests)
    finally:
        going.set()
    assert (finished.success, finished.attempts) == (True, 1)
    assert finished.usage.input_tokens == 1010, "10 of the interrupted answer, and 1,000 of the other one"
    assert one == two

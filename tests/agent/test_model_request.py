"""The room for answers: what a conversation costs, and that it ends at its limit of dollars."""

import dataclasses
import json
from typing import Any

import pytest

from pinebench.agent.consent import ConsentRequest
from pinebench.authoring.service import Service
from tests.agent.support import calls, conversation, results_in, service, talk
from tests.authoring.fake_anthropic import Reply, script, text

FAULTY = '//@version=6\nindicator("A")\nplot(nothing_like_it(close))\n'


def test_a_limit_of_dollars_ends_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    looking = [calls(("template_list", {}))] * 20
    with service(monkeypatch, *looking) as fake:
        it = conversation(settings={"dollars": 0.06})
        events = talk(it, "Go.")
    assert events[-1]["stop_reason"] == "budget" and 1 <= len(fake.requests) < 10


def counted(body: dict[str, Any], made: Reply) -> Reply:
    """A reply that uses all the room it got, to a request that the service counts: 3 bytes are a token, and all of
    them are written into the cache."""
    shown = [tool for tool in body["tools"] if not tool.get("defer_loading")]
    asked = len(json.dumps([body["system"], shown, body["messages"]])) // 3
    usage = {"input_tokens": 0, "cache_creation_input_tokens": asked, "output_tokens": body["max_tokens"]}
    return dataclasses.replace(made, usage=usage)


@pytest.mark.parametrize("limit", [0.001, 0.03, 0.05, 0.1, 0.5, 0.7])
@pytest.mark.parametrize("cut", [False, True])
def test_a_limit_of_dollars_is_never_passed(monkeypatch: pytest.MonkeyPatch, limit: float, cut: bool) -> None:
    looking = calls(("template_list", {}), cut_after=2 if cut else None)
    with service(monkeypatch, *[lambda body: counted(body, looking)] * 20) as fake:
        it = conversation(settings={"dollars": limit})
        events = talk(it, "Go. " * 2_000, "Go on.")
    assert it.spent.dollars <= limit and len(fake.requests) < 20
    if limit < 0.5:
        assert events[-1]["stop_reason"] == "budget" and "raise the limit" in events[-1]["message"]


LONG = "word " * 30_000
"""Words that we estimate at 60,000 tokens."""
WRITTEN = {"input_tokens": 0, "cache_creation_input_tokens": 25_000, "output_tokens": 100}
READ = {"input_tokens": 100, "cache_read_input_tokens": 25_000, "output_tokens": 100}


def test_a_conversation_that_the_service_has_counted_is_not_estimated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looking = calls(("template_list", {}), usage=WRITTEN)
    with service(monkeypatch, looking, text("So.", usage=READ), text("And so.", usage=READ)) as fake:
        it = conversation(settings={"dollars": 0.29})
        events = talk(it, LONG, "And?")
    assert events[-1]["stop_reason"] == "end_turn" and len(fake.requests) == 3
    # What is in the cache counts in full, because it may be forgotten.
    left = 0.29 - (1.25 * 25_000 * 3 + 2 * 100 * 15 + 2_500 * 3 + 100 * 3) / 1_000_000
    assert fake.requests[2].body["max_tokens"] < (left - 1.25 * 25_200 * 3 / 1_000_000) / 15 * 1_000_000 < 16_000


@pytest.mark.parametrize("change", ["forget", "model"])
def test_a_count_holds_only_for_the_same_beginning_and_model(monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    with service(monkeypatch, text("So.", usage=WRITTEN), text("And so.")) as fake:
        it = conversation(settings={"dollars": 0.29})
        talk(it, LONG)
        if change == "forget":
            it.clear()
        else:
            it.use(Service("claude-sonnet-of-another-time"))
        events = talk(it, LONG.upper() if change == "forget" else "And?")
    assert events[-1]["stop_reason"] == "budget" and len(fake.requests) == 1


def test_a_cut_try_that_was_counted_is_not_estimated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with service(monkeypatch, text("So it is.", usage=WRITTEN, cut_after=4), text("So.", usage=READ)) as fake:
        events = talk(conversation(settings={"dollars": 0.29}), LONG)
    assert events[-1]["stop_reason"] == "end_turn" and len(fake.requests) == 2


def test_an_answer_that_the_limit_of_dollars_cut_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with service(monkeypatch, text("Half of", stop_reason="max_tokens")) as fake:
        it = conversation(settings={"dollars": 0.1})
        events = talk(it, "Go.")
    assert 1_000 <= fake.requests[0].body["max_tokens"] < 16_000
    assert events[-1]["stop_reason"] == "budget" and "Half of" in it.history.dumps()


def test_what_a_tool_spends_is_part_of_the_cost_and_ends_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def approve(_: ConsentRequest) -> bool:
        return True

    dear = {"input_tokens": 100_000, "output_tokens": 100}
    cheap = {"input_tokens": 100, "output_tokens": 10}
    wanted = calls(("pine_write", {"request": "an average", "template": "none"}), usage=cheap)
    steps = (wanted, script(FAULTY, usage=dear), script(FAULTY, usage=dear), text("So.", usage=cheap))
    with service(monkeypatch, *steps) as fake:
        it = conversation(approve=approve, settings={"dollars": 0.5})
        events = talk(it, "Go.")
    assert len(fake.requests) == 3, "the tool ends at the limit of the conversation, and nothing is asked beyond"
    assert events[-1]["stop_reason"] == "budget"
    assert it.spent.dollars == pytest.approx(events[-1]["usage"]["dollars"]) == pytest.approx(0.6034, abs=0.001)
    written = results_in(it.history.messages[-1])["call_0"]["content"]
    assert written["dollars"] == pytest.approx(0.603, abs=0.001)

"""The history stays valid whatever is added, and a cut never parts a call from its result."""

import json
import random
from typing import Any

import pytest

from pinebench import decoding
from pinebench.agent.chat_history import LEFT_OUT, NO_PICTURE, MessageHistory, fault_in
from pinebench.agent.fences import END, fenced

PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGFsbG8="}}


def use(identifier: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identifier, "name": "quote_get", "input": given}


def result(identifier: str, words: str, *more: dict[str, Any]) -> dict[str, Any]:
    content = [{"type": "text", "text": fenced({"text": words})}, *more]
    return {"type": "tool_result", "tool_use_id": identifier, "content": content}


def words(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}]


def long_talk(turns: int, seed: int = 7) -> MessageHistory:
    """Turns with up to four rounds of up to three calls, some with long results or pictures, some without an answer."""
    dice = random.Random(seed)
    it = MessageHistory()
    for turn in range(turns):
        it.say(f"question {turn}")
        for round in range(dice.randrange(5)):
            names = [f"t{turn}_{round}_{at}" for at in range(dice.randrange(1, 4))]
            more = [PICTURE] if dice.random() < 0.2 else []
            results = [result(name, "x" * dice.choice((10, 500, 9_000)), *more) for name in names]
            it.exchange([*words("I look."), *map(use, names)], results)
        if dice.random() < 0.9:
            it.answer(words(f"answer {turn} " + "y" * dice.randrange(2_000)))
    return it


def test_two_hundred_turns_stay_within_the_budget_and_keep_every_pair() -> None:
    budget = 12_000
    dice = random.Random(5)
    it = MessageHistory()
    cuts = 0
    for turn in range(200):
        it.say(f"question {turn}")
        for round in range(dice.randrange(5)):
            names = [f"t{turn}_{round}_{at}" for at in range(dice.randrange(1, 4))]
            it.exchange(list(map(use, names)), [result(name, "x" * dice.choice((10, 2_000, 9_000))) for name in names])
            cuts += it.fit(budget)
            assert fault_in(it.messages) is None
            assert it.tokens <= budget
        it.answer(words(f"answer {turn}"))
        assert f"question {turn}" in json.dumps(it.messages[-11:]), "the question that is being answered stays"
    # A cut goes well below the budget, so that the service's cache is of use for a while after it.
    assert 0 < cuts < 200
    assert it.messages[0]["content"][0]["text"] == LEFT_OUT
    assert json.dumps(it.messages).count(LEFT_OUT) == 1


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 60))])
def test_any_talk_is_cut_to_any_budget_and_stays_valid(seed: int) -> None:
    it = long_talk(40, seed)
    assert fault_in(it.messages) is None
    for budget in (60_000, 20_000, 6_000, 2_500):
        before = it.tokens
        assert it.fit(budget) is (it.tokens < before)
        assert fault_in(it.messages) is None and it.tokens <= max(budget, 1)
        assert "question 39" in json.dumps(it.messages)
        assert fault_in(it.request()) is None


def test_results_are_shortened_before_anything_is_left_out() -> None:
    it = MessageHistory()
    for turn in range(3):
        it.say(f"question {turn}")
        it.exchange([use(f"t{turn}")], [result(f"t{turn}", "x" * 20_000, PICTURE)])
        it.answer(words(f"answer {turn}"))
    before = it.dumps()
    assert not it.fit(30_000) and it.dumps() == before
    assert it.fit(18_000)
    told = it.dumps()
    assert all(f"question {turn}" in told and f"answer {turn}" in told for turn in range(3))
    assert LEFT_OUT not in told and NO_PICTURE in told and "were left out to save room" in told
    # The last turn is whole, and every fence is closed.
    assert "x" * 20_000 in told
    for message in it.messages:
        for block in message["content"]:
            if block["type"] == "tool_result":
                assert block["content"][0]["text"].endswith(END)


def test_one_endless_turn_loses_its_first_rounds_but_not_the_words_of_the_user() -> None:
    it = MessageHistory()
    it.say("the task")
    for round in range(40):
        it.exchange([use(f"r{round}", symbol="a" * 600)], [result(f"r{round}", "x" * 900)])
        if round == 3:
            it.say("and hurry")  # said after a stop
    assert it.fit(3_000) and it.tokens <= 3_000
    assert fault_in(it.messages) is None
    told = it.dumps()
    assert "the task" in told and "and hurry" in told and "r39" in told and '"r0"' not in told


def test_words_that_were_not_answered_are_joined_by_the_next_ones() -> None:
    it = MessageHistory()
    it.say("one")
    it.say("two")
    it.exchange([use("a")], [result("a", "x")])
    it.say("three")
    assert [message["role"] for message in it.messages] == ["user", "assistant", "user"]
    assert [block["type"] for block in it.messages[2]["content"]] == ["tool_result", "text"]
    assert fault_in(it.messages) is None
    it.take_back()
    assert not it


def test_the_last_two_messages_of_the_user_are_marked_for_the_cache_and_the_history_is_not() -> None:
    it = long_talk(5)
    marked = [
        (at, place)
        for at, message in enumerate(it.request())
        for place, block in enumerate(message["content"])
        if "cache_control" in block
    ]
    users = [at for at, message in enumerate(it.messages) if message["role"] == "user"]
    assert [at for at, _ in marked] == users[-2:]
    assert all(place == len(it.messages[at]["content"]) - 1 for at, place in marked)
    assert "cache_control" not in it.dumps()


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([{"role": "assistant", "content": words("a")}], "not from the user"),
        ([{"role": "user", "content": words("a")}, {"role": "user", "content": words("b")}], "not from the assistant"),
        ([{"role": "user", "content": []}], "empty"),
        ([{"role": "user", "content": words("a")}, {"role": "assistant", "content": [use("x")]}], "no results"),
        (
            [
                {"role": "user", "content": words("a")},
                {"role": "assistant", "content": [use("x"), use("y")]},
                {"role": "user", "content": [result("x", "1")]},
            ],
            "results of",
        ),
        ([{"role": "user", "content": [result("x", "1")]}], "results of"),
        (
            [
                {"role": "user", "content": words("a")},
                {"role": "assistant", "content": [use("x")]},
                {"role": "user", "content": [*words("b"), result("x", "1")]},
            ],
            "begin with its results",
        ),
    ],
)
def test_faults_are_found_and_never_loaded(messages: list[dict[str, Any]], fault: str) -> None:
    assert fault in str(fault_in(messages))
    with pytest.raises(decoding.MalformedDocument, match="not a conversation"):
        MessageHistory.loads(json.dumps(messages))


def test_what_was_written_is_read_again() -> None:
    it = long_talk(20)
    assert MessageHistory.loads(it.dumps()).messages == it.messages
    for wrong in ("", "[1]", '{"a": 1}', '[{"role": "system", "content": []}]'):
        with pytest.raises(decoding.MalformedDocument):
            MessageHistory.loads(wrong)

"""The entries that faces show: the same ones while a conversation runs and after it was kept."""

import asyncio
from typing import Any

import pytest

from pinebench.agent.chat_history import MessageHistory
from pinebench.agent.events import Error, Text, ToolUse
from pinebench.agent.timeline import Timeline
from tests.agent.support import calls, conversation, service
from tests.authoring.fake_anthropic import text


def shown(timeline: Timeline) -> list[tuple[Any, ...]]:
    return [(each.kind, each.text, each.name, each.input, each.state) for each in timeline.entries]


def test_a_kept_conversation_is_shown_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [("template_list", {}), ("no_such_tool", {"a": 1}), ("pine_explain", {"name": "ta.sma"})]
    steps = (calls(*wanted, said="I look."), calls(("template_list", {})), text("So."), text("Yes."))

    async def story() -> tuple[Timeline, MessageHistory]:
        live, it = Timeline(), conversation()
        for words, data in (("What is it?", {"script_in_front": {"text": "plot(close)"}}), ("Sure?", None)):
            live.say(words)
            async for event in it.say(words, data):
                live.take(event)
        return live, it.history

    with service(monkeypatch, *steps) as fake:
        live, history = asyncio.run(story())
    assert [entry.kind for entry in live.entries] == [
        *("user", "answer", "call", "call", "call", "call", "answer", "user", "answer")
    ]
    assert [entry.state for entry in live.entries if entry.kind == "call"] == ["done", "failed", "done", "done"]
    again = Timeline.of(MessageHistory.loads(history.dumps()))
    assert shown(again) == shown(live)
    assert [entry.result for entry in again.entries] == [entry.result for entry in live.entries]
    # The model got the data before the words; nobody is shown them.
    first = fake.requests[0].body["messages"][0]["content"]
    assert "plot(close)" in first[0]["text"] and first[1]["text"] == "What is it?"


def test_calls_without_a_result_are_ended_with_their_turn() -> None:
    timeline = Timeline()
    for event in (Text("I"), Text(" look."), ToolUse("1", "template_list", {}), Error("it broke", "try again")):
        timeline.take(event)
    assert [(entry.kind, entry.text, entry.state) for entry in timeline.entries] == [
        ("answer", "I look.", ""),
        ("call", "", "failed"),
        ("error", "it broke (try again)", ""),
    ]

"""A scripted service for conversations, and what collects their events."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pinebench.agent.chat import Conversation, Settings
from pinebench.agent.chat_history import fault_in
from pinebench.agent.events import Event
from pinebench.authoring.service import Service
from pinebench.tools.chart_browser import ChartBrowser
from tests.authoring import support
from tests.authoring.fake_anthropic import FakeAnthropic, Reply, Step, text
from tests.authoring.support import NO_WAIT

__all__ = ["FakeAnthropic", "Reply", "Step", "calls", "conversation", "results_in", "service", "talk", "text"]

NO_PORT = 1
"""A debug port at which nobody answers."""


def calls(
    *wanted: tuple[str, dict[str, Any] | str], said: str = "", stop_reason: str = "tool_use", **how: Any
) -> Reply:
    """A reply with words and a call of each of the `wanted` tools; ids are `call_0`, `call_1` and so on.

    Arguments that are a text are sent as they are, sound or not.
    """
    blocks: list[dict[str, Any]] = [{"type": "text", "text": said}] if said else []
    blocks += [
        {"type": "tool_use", "id": f"call_{at}", "name": name, "input": given}
        for at, (name, given) in enumerate(wanted)
    ]
    return Reply(tuple(blocks), stop_reason=stop_reason, **how)


@contextmanager
def service(monkeypatch: pytest.MonkeyPatch, *steps: Step) -> Iterator[FakeAnthropic]:
    """A scripted service whose requests are checked: a conversation that a real service would refuse fails the test."""
    with support.service(monkeypatch, *steps) as fake:
        yield fake
    for request in fake.requests:
        assert fault_in(request.body["messages"]) is None


def conversation(chart_browser: ChartBrowser | None = None, **options: Any) -> Conversation:
    """A conversation with the service of the environment, or with `service`, without waits."""
    settings = {"back_off": NO_WAIT, "wait": 0.0, **options.pop("settings", {})}
    browser = chart_browser or ChartBrowser(port=NO_PORT)
    return Conversation(browser, options.pop("service", None) or Service(), settings=Settings(**settings), **options)


def talk(it: Conversation, *messages: str, meanwhile: Callable[[Event], object] | None = None) -> list[dict[str, Any]]:
    """Say the messages one after the other; the events of all turns as JSON values."""

    async def story() -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []
        for message in messages:
            async for event in it.say(message):
                told.append(event.as_json())
                if meanwhile is not None:
                    meanwhile(event)
        return told

    told = asyncio.run(story())
    assert fault_in(it.history.messages) is None
    return told


def kinds(events: list[dict[str, Any]]) -> list[str]:
    """The types of events; pieces of text in a row count once."""
    found = [event["type"] for event in events]
    return [kind for at, kind in enumerate(found) if kind != "text" or at == 0 or found[at - 1] != "text"]


def said(events: list[dict[str, Any]]) -> str:
    """The text of all events."""
    return "".join(event["content"] for event in events if event["type"] == "text")


def results_in(message: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The results in a message by their ids: the decoded object in `content`, whether it failed, and how many pictures
    it has."""
    found: dict[str, dict[str, Any]] = {}
    for block in message["content"]:
        if block["type"] != "tool_result":
            continue
        words = "".join(each.get("text", "") for each in block["content"])
        inner = words.removeprefix("<tool_data>\n").removesuffix("\n</tool_data>")
        found[block["tool_use_id"]] = {
            "content": json.loads(inner) if inner.startswith("{") else words,
            "is_error": block.get("is_error", False),
            "images": sum(each["type"] == "image" for each in block["content"]),
        }
    return found

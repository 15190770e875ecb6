"""The entries of a conversation that a user interface shows: messages, calls with their results, and remarks."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from pinebench.agent.chat_history import Block, MessageHistory
from pinebench.agent.events import Error, Event, Text, ToolError, ToolResult, ToolUse, TurnEnd
from pinebench.agent.fences import BEGIN, END
from pinebench.tools.chart_browser import Image


@dataclass(eq=False)
class TimelineEntry:
    """An entry of a conversation: a text from the user, the model or pinebench, or a tool call. Only a call has `id`,
    `name`, `input` and `state`. Its `result` is None until it has finished."""

    kind: Literal["user", "answer", "note", "error", "call"]
    text: str = ""
    id: str = ""
    name: str = ""
    input: dict[str, Any] = field(default_factory=dict[str, Any])
    state: Literal["", "running", "done", "failed"] = ""
    result: dict[str, Any] | None = None
    images: tuple[Image, ...] = ()


class Timeline:
    """The entries of one conversation, in order. `dollars` is the total cost of the turns that were added."""

    def __init__(self) -> None:
        self.entries: list[TimelineEntry] = []

    @classmethod
    def of(cls, history: MessageHistory) -> Timeline:
        """Return the entries of a stored conversation, without the data that accompanied the user's messages."""
        made = cls()
        for message in history.messages:
            for block in message["content"]:
                made._recall(message["role"], block)
        return made

    def say(self, text: str) -> None:
        """Add a message from the user."""
        self.entries.append(TimelineEntry("user", text))

    def note(self, text: str) -> None:
        """Add a message from pinebench."""
        self.entries.append(TimelineEntry("note", text))

    def take(self, event: Event) -> TimelineEntry | None:
        """Add an event and return the entry that it created or changed; None if it changed nothing visible."""
        match event:
            case Text():
                last = self.entries[-1] if self.entries else None
                if last is None or last.kind != "answer":
                    return self._add(TimelineEntry("answer", event.text))
                last.text += event.text
                return last
            case ToolUse():
                return self._add(
                    TimelineEntry("call", id=event.id, name=event.name, input=event.input, state="running")
                )
            case ToolResult():
                return self._end(event.id, "done", event.result, event.images)
            case ToolError():
                hint = {"hint": event.hint} if event.hint else {}
                return self._end(event.id, "failed", {"success": False, "error": event.error, **hint})
            case Error():
                self._stop()
                return self._add(TimelineEntry("error", f"{event.message}{f' ({event.hint})' if event.hint else ''}"))
            case TurnEnd():
                self._stop()
                return self._add(TimelineEntry("note", event.words)) if event.words else None

    def _add(self, entry: TimelineEntry) -> TimelineEntry:
        self.entries.append(entry)
        return entry

    def _end(
        self, identifier: str, state: Literal["done", "failed"], result: dict[str, Any], images: tuple[Image, ...] = ()
    ) -> TimelineEntry | None:
        # Ids of calls come again in later answers.
        found = next((each for each in reversed(self.entries) if each.kind == "call" and each.id == identifier), None)
        if found is not None:
            found.state, found.result, found.images = state, result, images
        return found

    def _stop(self) -> None:
        """Mark the calls without a result as stopped, because the turn has ended."""
        for entry in self.entries:
            if entry.state == "running":
                entry.state, entry.result = "failed", {"success": False, "error": "stopped before it ended"}

    def _recall(self, role: str, block: Block) -> None:
        match block["type"]:
            case "text" if not block["text"].startswith(BEGIN):
                self._add(TimelineEntry("user" if role == "user" else "answer", block["text"]))
            case "tool_use":
                self._add(
                    TimelineEntry(
                        "call", id=block["id"], name=block["name"], input=block.get("input") or {}, state="running"
                    )
                )
            case "tool_result":
                failed = bool(block.get("is_error"))
                self._end(block["tool_use_id"], "failed" if failed else "done", data_in(block))
            case _:
                pass


def data_in(block: Block) -> dict[str, Any]:
    """Return the JSON object in a block of fenced data or a `tool_result` block; empty if it is missing or
    incomplete."""
    content = block.get("text") if block["type"] == "text" else block.get("content")
    texts = content if isinstance(content, list) else [{"text": content}]
    words = "".join(str(each.get("text") or "") for each in texts)
    inner = words.removeprefix(f"{BEGIN}\n").removesuffix(f"\n{END}")
    try:
        found = json.loads(inner)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

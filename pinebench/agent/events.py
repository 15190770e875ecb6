"""The events of a conversation, in the order in which they happen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pinebench.authoring.author import Usage
from pinebench.tools.chart_browser import Image


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the model's answer."""

    text: str

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON values."""
        return {"type": "text", "content": self.text}


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call is starting."""

    id: str
    name: str
    input: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON values."""
        return {"type": "tool_use", "id": self.id, "name": self.name, "input": self.input}


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool call succeeded. The event has the result that the model received, and its pictures."""

    id: str
    name: str
    result: dict[str, Any]
    images: tuple[Image, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON values, with the pictures encoded in base64."""
        from base64 import b64encode

        pictures = [{"data": b64encode(each.data).decode(), "mimeType": each.mime_type} for each in self.images]
        told: dict[str, Any] = {"type": "tool_result", "id": self.id, "name": self.name, "result": self.result}
        return {**told, "images": pictures} if pictures else told


@dataclass(frozen=True, slots=True)
class ToolError:
    """A tool call failed, was refused, or was not performed. The model receives the error too."""

    id: str
    name: str
    error: str
    hint: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON values."""
        told = {"type": "tool_error", "id": self.id, "name": self.name, "error": self.error}
        return {**told, "hint": self.hint} if self.hint else told


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The last event of a turn that the service answered. `stop` is the service's stop reason, or `tool_rounds`,
    `budget` or `cancelled`. `words` explains every reason except `end_turn`. `usage` is the cost of the turn, and
    `rounds` the number of rounds of tool calls."""

    stop: str
    words: str = ""
    usage: Usage = field(default_factory=Usage)
    rounds: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON values."""
        usage = {
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "cache_read_tokens": self.usage.cache_read_tokens,
            "cache_write_tokens": self.usage.cache_write_tokens,
            "dollars": round(self.usage.dollars, 6),
        }
        told = {"type": "done", "stop_reason": self.stop, "usage": usage, "rounds": self.rounds}
        return {**told, "message": self.words} if self.words else told


@dataclass(frozen=True, slots=True)
class Error:
    """The last event of a turn that the service could not answer. A command that fails with it exits with
    `exit_code`."""

    message: str
    hint: str = ""
    exit_code: int = 1

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON values."""
        told = {"type": "error", "error": self.message}
        return {**told, "hint": self.hint} if self.hint else told


Event = Text | ToolUse | ToolResult | ToolError | TurnEnd | Error

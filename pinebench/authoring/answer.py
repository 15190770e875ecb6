"""A streamed reply of the Messages API, built from its events as they arrive."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pinebench import decoding
from pinebench.authoring.author import Usage

_LARGEST_COUNT = 1_000_000_000
"""The largest count of tokens that is accepted; a larger one is ignored."""
_LARGEST_NUMBER = 2**53
"""The largest whole number that all programs read exactly."""
_CHARACTERS_PER_TOKEN = 3.5
"""The estimate for the part of an answer that arrived before a cut, which the service has not counted yet."""
_SENT_BACK = ("text", "thinking", "redacted_thinking", "tool_use")
"""The kinds of blocks that are sent back when a conversation continues."""
_APPENDED = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""The field of a block to which each kind of delta is appended."""


class ToolCall(NamedTuple):
    """A tool call of a reply. `arguments` is None if the model did not send a JSON object."""

    identifier: str
    name: str
    arguments: dict[str, Any] | None


@dataclass(slots=True)
class PartialReply:
    """The part of a reply that has arrived so far. `begun` is true once anything has arrived. `stop` is the reason why
    the reply ended; None until then. `counts` has the service's token counts, by their names in the API. Texts and
    calls are not cleaned yet: they may contain secrets and control characters."""

    stop: str | None = None
    counts: dict[str, int] = field(default_factory=dict[str, int])
    begun: bool = False
    characters: int = 0
    _blocks: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    _pieces: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    def take(self, event: Any) -> None:
        """Add one event of the stream to the reply. Missing fields are ignored."""
        self.begun = True
        index = _field(event, "index") or 0
        match _field(event, "type"):
            case "message_start":
                self._count(_field(_field(event, "message"), "usage"))
            case "content_block_start":
                self._blocks[index] = _plain(_field(event, "content_block"))
                self.characters += sum(len(value) for value in self._blocks[index].values() if isinstance(value, str))
            case "content_block_delta":
                self._append(index, _plain(_field(event, "delta")))
            case "message_delta":
                self.stop = _field(_field(event, "delta"), "stop_reason") or self.stop
                self._count(_field(event, "usage"))
            case _:
                return

    def end(self, tokens: int) -> None:
        """End the reply, because it is longer than `tokens`. At least `tokens` are charged for it."""
        self.stop = "max_tokens"
        self.counts["output_tokens"] = max(tokens, self.counts.get("output_tokens", 0))

    @property
    def text(self) -> str:
        """The text of the reply."""
        return "\n".join(str(block.get("text") or "") for block in self._of_type("text"))

    @property
    def calls(self) -> list[ToolCall]:
        """The tool calls of the reply, in order."""
        return [
            ToolCall(str(block.get("id")), str(block.get("name")), self._arguments(index, block))
            for index, block in sorted(self._blocks.items())
            if block.get("type") == "tool_use"
        ]

    @property
    def content(self) -> list[dict[str, Any]]:
        """The blocks of the reply, ready to be sent back in a conversation. Empty texts are left out, and arguments
        that are not an object are replaced, because the service accepts neither."""
        arguments = {call.identifier: _shallow(call.arguments or {}) for call in self.calls}
        return [
            {**_shallow(block), **({"input": arguments[str(block.get("id"))]} if block["type"] == "tool_use" else {})}
            for _, block in sorted(self._blocks.items())
            if block.get("type") in _SENT_BACK and (block["type"] != "text" or str(block.get("text") or "").strip())
        ]

    @property
    def usage(self) -> Usage:
        """The tokens of the reply, without their cost: the service's own count, or an estimate if that is higher. The
        service counts a reply only at its end, but also charges for a reply that was cut off."""
        arrived = 0 if self.stop is not None else math.ceil(self.characters / _CHARACTERS_PER_TOKEN)
        return Usage(
            self.counts.get("input_tokens", 0),
            max(arrived, self.counts.get("output_tokens", 0)),
            self.counts.get("cache_read_input_tokens", 0),
            self.counts.get("cache_creation_input_tokens", 0),
        )

    def _of_type(self, kind: str) -> list[dict[str, Any]]:
        return [block for _, block in sorted(self._blocks.items()) if block.get("type") == kind]

    def _append(self, index: int, delta: dict[str, Any]) -> None:
        kind = str(delta.get("type"))
        piece = str(delta.get("partial_json" if kind == "input_json_delta" else _APPENDED.get(kind, "")) or "")
        self.characters += len(piece)
        if kind == "input_json_delta":
            self._pieces.setdefault(index, []).append(piece)
        elif kind in _APPENDED and index in self._blocks:
            name = _APPENDED[kind]
            self._blocks[index][name] = str(self._blocks[index].get(name) or "") + piece

    def _arguments(self, index: int, block: dict[str, Any]) -> dict[str, Any] | None:
        text = "".join(self._pieces.get(index, ()))
        try:
            found = decoding.loads(text) if text.strip() else block.get("input") or {}
        except decoding.MalformedDocument:
            return None
        return found if isinstance(found, dict) else None

    def _count(self, usage: object) -> None:
        # Later counts are totals. A count that is missing or not valid leaves the old one unchanged.
        for name, value in _plain(usage).items():
            if type(value) is int and self.counts.get(name, 0) < value <= _LARGEST_COUNT:
                self.counts[name] = value


def _shallow(values: dict[str, Any]) -> dict[str, Any]:
    """Return `values` without nested values, which may be nested too deep to send, and without numbers that not every
    program can read."""
    return {name: value for name, value in values.items() if value is None or isinstance(value, str) or _counts(value)}


def _counts(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) <= _LARGEST_NUMBER


def _field(thing: Any, name: str) -> Any:
    return getattr(thing, name, None)


def _plain(thing: Any) -> dict[str, Any]:
    """Return a part of an event as a dictionary, without its missing fields."""
    if isinstance(thing, dict):
        return dict(thing)
    dump = getattr(thing, "model_dump", None)
    return dump(exclude_none=True, warnings=False) if dump else {}

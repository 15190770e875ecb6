"""A streamed reply of the Messages protocol put together event by event, as far as it arrives."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pinebench import decoding
from pinebench.authoring.author import Usage

_LARGEST_COUNT = 1_000_000_000
"""No answer has so many tokens: a larger count is none."""
_LARGEST_NUMBER = 2**53
"""Up to here every whole number is one that all programs read alike."""
_SENT_BACK = ("text", "thinking", "redacted_thinking", "tool_use")
"""The kinds of blocks that a conversation goes on with."""
_NEW_TEXT = re.compile(r'"new_text"\s*:\s*"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*)')
_APPENDED = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""Which field of a block a piece of each kind goes to."""


class ToolCall(NamedTuple):
    """A tool call: its id, the tool's name, and its arguments, None where they are no JSON object."""

    identifier: str
    name: str
    arguments: dict[str, Any] | None


@dataclass(slots=True)
class Answer:
    """What has arrived of one reply; `begun` once anything has, `stop` is why it ended, None until it has.

    `counts` are the service's own counts of tokens by their name in the protocol. What its words and calls hold is
    foreign text, as it came.
    """

    stop: str | None = None
    counts: dict[str, int] = field(default_factory=dict[str, int])
    begun: bool = False
    characters: int = 0
    _blocks: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    _pieces: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    def take(self, event: Any) -> None:
        """Take one event into account; what is missing in it counts as nothing."""
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
        """Stop here: it is longer than the `tokens` that it may have, which is what it is charged with at least."""
        self.stop = "max_tokens"
        self.counts["output_tokens"] = max(tokens, self.counts.get("output_tokens", 0))

    @property
    def text(self) -> str:
        """Its words."""
        return "\n".join(str(block.get("text") or "") for block in self._of_type("text"))

    @property
    def so_far(self) -> str:
        """Its words and what its calls put in, as far as they have arrived."""
        put_in = (_put_in("".join(pieces)) for _, pieces in sorted(self._pieces.items()))
        return "\n".join(part for part in (self.text, *put_in) if part)

    @property
    def calls(self) -> list[ToolCall]:
        """The tool calls in it, in order."""
        return [
            ToolCall(str(block.get("id")), str(block.get("name")), self._arguments(index, block))
            for index, block in sorted(self._blocks.items())
            if block.get("type") == "tool_use"
        ]

    @property
    def content(self) -> list[dict[str, Any]]:
        """Its blocks as they are sent back in a conversation: the service takes neither empty words nor arguments that
        are no object."""
        arguments = {call.identifier: _shallow(call.arguments or {}) for call in self.calls}
        return [
            {**_shallow(block), **({"input": arguments[str(block.get("id"))]} if block["type"] == "tool_use" else {})}
            for _, block in sorted(self._blocks.items())
            if block.get("type") in _SENT_BACK and (block["type"] != "text" or str(block.get("text") or "").strip())
        ]

    @property
    def usage(self) -> Usage:
        """The tokens it took as far as the service has counted them; no cost yet."""
        return Usage(
            self.counts.get("input_tokens", 0),
            self.counts.get("output_tokens", 0),
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
        except decoding.Malformed:
            return None
        return found if isinstance(found, dict) else None

    def _count(self, usage: object) -> None:
        # Later counts are totals; what one leaves out, or gives as something that is no count, stays as it was.
        for name, value in _plain(usage).items():
            if type(value) is int and self.counts.get(name, 0) < value <= _LARGEST_COUNT:
                self.counts[name] = value


def _put_in(arguments: str) -> str:
    """The text that a call puts in, from as much of its arguments as there is."""
    found = _NEW_TEXT.search(arguments)
    try:
        return str(decoding.loads(f'"{found.group(1)}"')) if found is not None else ""
    except decoding.Malformed:  # cut in the middle of an escape
        return ""


def _shallow(values: dict[str, Any]) -> dict[str, Any]:
    """`values` without what is nested, which could be nested deeper than anybody can send, and without numbers that no
    JSON can hold."""
    return {name: value for name, value in values.items() if value is None or isinstance(value, str) or _counts(value)}


def _counts(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) <= _LARGEST_NUMBER


def _field(thing: Any, name: str) -> Any:
    return getattr(thing, name, None)


def _plain(thing: Any) -> dict[str, Any]:
    """A part of an event as a dictionary without what it leaves out."""
    if isinstance(thing, dict):
        return dict(thing)
    dump = getattr(thing, "model_dump", None)
    return dump(exclude_none=True, warnings=False) if dump else {}

"""The message history of a conversation: always valid for the service, and cut to fit a token budget."""

from __future__ import annotations

import copy
import json
from itertools import pairwise
from typing import Any

from pinebench import decoding
from pinebench.agent.fences import END

CHARACTERS_PER_TOKEN = 3.5
"""The estimate for text and JSON."""
IMAGE_TOKENS = 1_600
"""The estimate for a picture; the service makes larger pictures smaller."""
OVERHEAD_TOKENS = 10
"""The estimate for the JSON around a message or a block."""
AFTER_CUT = 0.6
"""The part of the budget that is left after a cut, so that the next cut comes late and the service's cache stays useful
until then."""
SHORTENED = 1_000
"""The number of characters that a shortened result keeps."""

LEFT_OUT = "(Earlier parts of this conversation were left out to save room.)"
NO_PICTURE = "(A picture was here. It was left out.)"

_NOTE = {"type": "text", "text": NO_PICTURE}

Message = dict[str, Any]
Block = dict[str, Any]

_MESSAGES = [{"role": frozenset({"user", "assistant"}), "content": [{"type": str}]}]


class MessageHistory:
    """The messages of one conversation, in the service's format. They are always valid: the user comes first, roles
    alternate, and the results of an answer's tool calls are in the next message. That is why `exchange` adds tool calls
    and their results together."""

    def __init__(self, messages: list[Message] | None = None) -> None:
        self._messages: list[Message] = messages or []

    @classmethod
    def loads(cls, text: str) -> MessageHistory:
        """Read what `dumps` wrote. Raises decoding.MalformedDocument for anything else."""
        messages = decoding.loads(text, _MESSAGES)
        problem = fault_in(messages)
        if problem:
            raise decoding.MalformedDocument(f"the messages are not a conversation: {problem}")
        return cls(messages)

    def dumps(self) -> str:
        """Return the history as JSON."""
        return json.dumps(self._messages, ensure_ascii=True)

    @property
    def messages(self) -> list[Message]:
        """The messages. Callers must not change them."""
        return self._messages

    def __bool__(self) -> bool:
        return bool(self._messages)

    def say(self, text: str, data: str = "") -> None:
        """Add a user message, with fenced `data` that goes with it. If the previous user message has no answer yet, the
        new one is appended to it."""
        self._add("user", [{"type": "text", "text": each} for each in (data, text) if each])

    def answer(self, content: list[Block]) -> None:
        """Add a model's answer without tool calls. An empty answer is ignored."""
        if content:
            self._add("assistant", content)

    def exchange(self, content: list[Block], results: list[Block]) -> None:
        """Add a model's answer with tool calls, and a message with their results: one `tool_result` block for each
        call."""
        self._add("assistant", content)
        self._add("user", results)

    def take_back(self) -> None:
        """Remove the user's last message and everything after it."""
        self._messages = self._messages[: self._starts()[-1]] if self._starts() else []

    def request(self) -> list[Message]:
        """Return the messages for a request, with cache marks: the service can cache everything up to the user's last
        two messages."""
        sent = [{**message, "content": list(message["content"])} for message in self._messages]
        users = [message for message in sent if message["role"] == "user"]
        for message in users[-2:]:
            *before, last = message["content"]
            message["content"] = [*before, {**last, "cache_control": {"type": "ephemeral"}}]
        return sent

    # -- the budget ------------------------------------------------------------------------------------------------

    @property
    def tokens(self) -> int:
        """The estimated size in tokens."""
        return sum(map(_tokens, self._messages))

    def fit(self, budget: int) -> bool:
        """Shorten the history if it exceeds `budget` tokens. Return whether it became shorter. Long results and
        pictures of earlier turns are shortened first, then whole turns are dropped, oldest first, and then the last
        turn is shortened. Its user message and last round of tool calls always remain."""
        before = self.tokens
        if before <= budget:
            return False
        target = int(budget * AFTER_CUT)
        self._messages = copy.deepcopy(self._messages)
        starts = self._starts()
        self._shorten(0, starts[-1] if starts else 0, target)
        left_out = self._leave_turns_out(target)
        begun = self._starts()[-1] if self._starts() else 0
        self._shorten(begun, len(self._messages) - 1, target)
        left_out = self._leave_rounds_out(begun, target) or left_out
        self._shorten(begun, len(self._messages), target)
        if left_out:
            self._note_left_out()
        return self.tokens < before

    def _shorten(self, begin: int, end: int, target: int) -> None:
        """Shorten results of the messages from `begin` to before `end`, until the size is at most `target` tokens."""
        excess = self.tokens - target
        for message in self._messages[begin:end]:
            if excess <= 0:
                return
            excess -= _tokens(message)
            for block in message["content"]:
                if block["type"] == "tool_result":
                    block["content"] = _shortened(block.get("content"))
            excess += _tokens(message)

    def _leave_turns_out(self, target: int) -> bool:
        """Remove the first turns until the size is at most `target` tokens; the last turn stays."""
        starts, left, first = self._starts(), self.tokens, 0
        for begin, end in pairwise(starts):
            if left <= target:
                break
            left -= sum(map(_tokens, self._messages[begin:end]))
            first = end
        self._messages = self._messages[first:]
        return first > 0

    def _leave_rounds_out(self, begun: int, target: int) -> bool:
        """Remove the first rounds of tools of the last turn; messages of the user among their results stay."""
        done = False
        # The first message of the turn, a round (an answer and its results), and a last round that stays.
        while self.tokens > target and len(self._messages) - begun > 4:
            kept = [block for block in self._messages[begun + 2]["content"] if block["type"] != "tool_result"]
            self._messages[begun]["content"] += kept
            del self._messages[begun + 1 : begun + 3]
            done = True
        return done

    def _note_left_out(self) -> None:
        first = self._messages[0]["content"]
        if first[0].get("text") != LEFT_OUT:
            first.insert(0, {"type": "text", "text": LEFT_OUT})

    def _starts(self) -> list[int]:
        """Return the indices of the messages with which a turn begins: messages of the user without results."""
        return [
            at
            for at, message in enumerate(self._messages)
            if message["role"] == "user" and all(block["type"] != "tool_result" for block in message["content"])
        ]

    def _add(self, role: str, content: list[Block]) -> None:
        if self._messages and self._messages[-1]["role"] == role:
            last = self._messages[-1]
            self._messages[-1] = {**last, "content": [*last["content"], *content]}
        else:
            self._messages.append({"role": role, "content": content})


def without_pictures(history: MessageHistory) -> MessageHistory:
    """Return a copy of `history` with a note in place of each picture."""
    messages = copy.deepcopy(history.messages)
    for message in messages:
        for block in message["content"]:
            if block["type"] == "tool_result" and isinstance(block.get("content"), list):
                block["content"] = [_NOTE if each["type"] == "image" else each for each in block["content"]]
    return MessageHistory(messages)


def fault_in(messages: list[Message]) -> str | None:
    """Describe the first fault for which the service would refuse `messages`; None if they are valid."""
    open_calls: list[str] = []
    for at, message in enumerate(messages):
        expected = "user" if at % 2 == 0 else "assistant"
        if message["role"] != expected:
            return f"message {at} is from the {message['role']}, not from the {expected}"
        if not message["content"]:
            return f"message {at} is empty"
        results = [str(block.get("tool_use_id")) for block in message["content"] if block["type"] == "tool_result"]
        if sorted(results) != sorted(open_calls):
            return f"message {at} has results of the calls {results}, but the calls before it are {open_calls}"
        if results and any(block["type"] != "tool_result" for block in message["content"][: len(results)]):
            return f"message {at} does not begin with its results"
        open_calls = [str(block.get("id")) for block in message["content"] if block["type"] == "tool_use"]
        if len(set(open_calls)) != len(open_calls):
            return f"message {at} has two calls with the same id"
    return f"the calls {open_calls} have no results" if open_calls else None


def _tokens(message: Message) -> int:
    return OVERHEAD_TOKENS + sum(map(_block_tokens, message["content"]))


def _block_tokens(block: Block) -> int:
    if block["type"] == "image":
        return IMAGE_TOKENS
    inner = block.get("content")
    if block["type"] == "tool_result" and isinstance(inner, list):
        return OVERHEAD_TOKENS + sum(map(_block_tokens, inner))
    words = block.get("text") if block["type"] == "text" else json.dumps(block, ensure_ascii=False)
    return OVERHEAD_TOKENS + int(len(words or "") / CHARACTERS_PER_TOKEN)


def _shortened(content: Any) -> Any:
    if isinstance(content, str):
        return _head(content)
    if not isinstance(content, list):
        return content
    return [_shortened_block(block) for block in content]


def _shortened_block(block: Block) -> Block:
    if block["type"] == "image":
        return _NOTE
    return {**block, "text": _head(block["text"])} if block["type"] == "text" else block


def _head(text: str) -> str:
    if len(text) <= SHORTENED + 200:
        return text
    closed = f"\n{END}" if text.endswith(END) else ""  # the fence around foreign text stays closed
    return f"{text[:SHORTENED]}\n... ({len(text) - SHORTENED:,} characters were left out to save room){closed}"

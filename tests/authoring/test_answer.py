"""What is sent back to a service, and kept in a journal, is plain JSON whatever the service sent."""

import json
from types import SimpleNamespace
from typing import Any

from pinebench import decoding
from pinebench.authoring.answer import PartialReply


def opened(index: int, **block: Any) -> SimpleNamespace:
    return SimpleNamespace(type="content_block_start", index=index, content_block=block)


def test_what_goes_on_can_be_written_and_read_again() -> None:
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    answer = PartialReply()
    answer.take(opened(0, type="text", text="words", citations=deep, score=float("nan")))
    odd = {"old_text": "a", "nan": float("nan"), "huge": 10**400, "one": 1, "deep": deep, "none": None}
    answer.take(opened(1, type="tool_use", id="x", name="replace_text", input=odd))
    assert answer.content == [
        {"type": "text", "text": "words"},
        {"type": "tool_use", "id": "x", "name": "replace_text", "input": {"old_text": "a", "one": 1, "none": None}},
    ]
    assert decoding.loads(json.dumps(answer.content)) == answer.content

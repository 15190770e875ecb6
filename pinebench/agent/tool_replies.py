"""Converts the outcome of a tool call to a message for the model: fenced JSON of limited size, and pictures."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import Any

from pinebench.agent.fences import cleaned, fenced
from pinebench.authoring.foreign import Foreign
from pinebench.tools.chart_browser import ChartBrowser, Image
from pinebench.tools.tool_calls import ToolOutcome, for_model

MOST_IMAGES = 4
"""The largest number of pictures of one result."""

_NO_IMAGES = "pictures are off here, so you do not see it; a person finds it in the file"


@dataclass(frozen=True, slots=True)
class ToolReply:
    """The reply to a tool call: its result as JSON values, its pictures, and whether it failed. `references` names
    tools that the model can use from now on. `skill` is the text of a skill, which the model receives unchanged."""

    result: dict[str, Any]
    images: tuple[Image, ...] = ()
    failed: bool = False
    references: tuple[str, ...] = ()
    skill: str = ""

    def block(self, identifier: str) -> dict[str, Any]:
        """Return the `tool_result` block for the call `identifier`."""
        content: list[dict[str, Any]] = [{"type": "tool_reference", "tool_name": name} for name in self.references]
        if self.skill:
            content = [{"type": "text", "text": f"<skill>\n{self.skill}\n</skill>"}]
        elif not content:
            content = [{"type": "text", "text": fenced(self.result)}, *map(_picture, self.images)]
        block = {"type": "tool_result", "tool_use_id": identifier, "content": content}
        return {**block, "is_error": True} if self.failed else block


def told(chart_browser: ChartBrowser, name: str, outcome: ToolOutcome, foreign: Foreign, *, images: bool) -> ToolReply:
    """Return the reply to the model for a call of `name`: secrets are masked, long results are cut, and pictures are
    included only if `images` is true."""
    if outcome.images and not images:
        outcome = outcome._replace(result={**outcome.result, "pictures": _NO_IMAGES})
    result = for_model(chart_browser, name, outcome)
    shown = outcome.images[:MOST_IMAGES] if images else ()
    return ToolReply(cleaned(result, foreign), shown, failed=not result["success"])


def failed(error: str, hint: str = "") -> ToolReply:
    """Return the reply to the model for a call that was not performed."""
    return ToolReply({"success": False, "error": error, **({"hint": hint} if hint else {})}, failed=True)


def _picture(image: Image) -> dict[str, Any]:
    source = {"type": "base64", "media_type": image.mime_type, "data": b64encode(image.data).decode()}
    return {"type": "image", "source": source}

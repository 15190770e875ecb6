"""Reads, from the user's account, the source of scripts that run on the chart."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, cast

from pinebench.tools.chart_browser import ToolContext

PINE_ID = re.compile(r"(?:USER|PUB|STD);[^@\[\]]+")
"""The id of a saved, published or built-in script."""


class ScriptText(NamedTuple):
    """A script's text. `certain` is True if exactly this text runs on the chart; `problem` is the reason why the text
    is unknown, or None."""

    text: str
    certain: bool
    problem: str | None


def script_text(at: ToolContext, pine_id: str | None, meta_id: str, version: str | None) -> ScriptText:
    """Return the text of the script that a study runs. `pine_id`, `meta_id` and `version` are the study's script id,
    description id and version, as the page reports them."""
    known = PINE_ID.search(pine_id or "") or PINE_ID.search(meta_id)
    if known is None:
        return ScriptText("", False, "its script is built in or was never saved, so its text cannot be read")
    answer: dict[str, Any] = at.page.call(
        "get_script",
        {"id": known[0], "version": version or "last", "limit": 10_000},
        timeout=15.0,
        read=True,
        context=at.context,
    )
    data = cast("dict[str, Any]", answer["data"]) if isinstance(answer["data"], dict) else {}
    text = data.get("source") if answer["status"] == 200 else None
    if isinstance(text, str) and text.strip():
        return ScriptText(text, version is not None, None)
    said = f"HTTP {answer['status']}" if answer["status"] else answer["text"]
    reason = "it is protected, invite-only or deleted, or nobody is logged in"
    return ScriptText("", False, f"TradingView does not give its text ({said}): {reason}")

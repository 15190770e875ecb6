"""Marks text from tools as data. It puts each result inside a fence that no text in the result can close."""

from __future__ import annotations

import re
from typing import Any, cast

from pinebench.authoring.foreign import Foreign
from pinebench.printable import json_text

BEGIN, END = "<tool_data>", "</tool_data>"

_UNSEEN = re.compile("[\U000e0000-\U000e007f\u200b\u2060-\u2064\ufeff]")
"""Invisible characters that a model reads: Unicode tags, and blanks of no width."""
_HALVES = re.compile("[\ud800-\udfff]")


def fenced(result: dict[str, Any]) -> str:
    r"""Return `result` as JSON inside the fence. Each `</` in a JSON string becomes `<\/`, so that no text in the
    result can close the fence."""
    text = _HALVES.sub("\ufffd", json_text(result, separators=(",", ":")).replace("</", "<\\/"))
    return f"{BEGIN}\n{text}\n{END}"


def cleaned(value: Any, foreign: Foreign) -> Any:
    """Return a JSON value with its secrets masked and its invisible characters removed."""
    if isinstance(value, str):
        return foreign.script(_HALVES.sub("\ufffd", _UNSEEN.sub("", value)), "\r")
    if isinstance(value, list):
        return [cleaned(each, foreign) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        return {cleaned(key, foreign): cleaned(each, foreign) for key, each in found.items()}
    return value

"""Messages for models, with names of tools instead of the commands that a person types in a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, cast

TOOLS = {
    "backtest": "pine_backtest",
    "compile": "pine_analyze",
    "doctor": "tv_health_check",
    "explain": "pine_explain",
    "fix": "pine_fix",
    "format": "pine_format",
    "launch": "tv_launch",
    "lint": "pine_lint",
    "migrate": "pine_migrate",
    "pull": "pine_get_source",
    "push": "pine_set_source",
    "run": "pine_run",
    "template": "template_search",
    "write": "pine_write",
}
"""The tool that does the same as a command. A command without a tool is left to a person."""

_COMMAND = re.compile(r"(\brun )?(['`])pinebench ([a-z-]+)((?: [^'`\n]*)?)\2")
_OPTION = re.compile(r"--([a-z-]+)[ =]([^\s-]\S*)")
_TOLD = frozenset({"error", "hint", "advice", "notes", "note", "remarks", "problem", "stopped", "message"})
"""The keys of results whose texts are pinebench's own messages."""


def for_models(text: str) -> str:
    """Replace each quoted command in `text`, such as 'pinebench launch', with the tool that does the same. A command in
    backticks, as in findings (which are Markdown), is left unchanged if no tool does the same."""
    return _COMMAND.sub(_as_tool, text)


def result_for_models(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result with its messages rewritten by `for_models`. Text by other people is unchanged."""
    foreign = result.get("untrusted", [])
    return {key: each if key in foreign else _translated(each, key in _TOLD) for key, each in result.items()}


def _translated(value: Any, told: bool) -> Any:
    if isinstance(value, str):
        return for_models(value) if told else value
    if isinstance(value, list):
        return [_translated(each, told) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _translated(each, key in _TOLD) for key, each in cast("dict[str, Any]", value).items()}
    return value


def _as_tool(match: re.Match[str]) -> str:
    begin, quote, command, rest = match[1] or "", match[2], match[3], match[4]
    tool = TOOLS.get(command)
    given = {name.replace("-", "_"): value for name, value in _OPTION.findall(rest)}
    if tool is None or not _takes(tool, given):
        if quote == "`":
            return match[0]
        return f"{begin}'pinebench {command}{rest}', which a person runs"
    options = ", ".join(f"{name} = {value}" for name, value in given.items())
    name = f"`{tool}`" if quote == "`" else tool
    return f"{'call ' if begin else ''}{name}{f' with {options}' if options else ''}"


def _takes(tool: str, given: Collection[str]) -> bool:
    """Return whether a tool has the options of a command as arguments."""
    if not given:
        return True
    from pinebench.tools import registry

    return registry.tools()[tool].arguments.keys() >= set(given)

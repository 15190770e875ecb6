"""Which calls need the consent of a person before they are performed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from pinebench.tools.registry import Tool

_GRAVE_ARGUMENTS = ("confirm", "discard", "delete_all")
"""Flags with which a tool goes further than it does by itself: they overwrite, throw away, or remove everything."""
_HARMLESS: dict[str, tuple[str, Any]] = {"chart_manage_indicator": ("action", "add")}
"""Calls of destructive tools that destroy nothing: the tool, and the argument with its value."""


class Asked(NamedTuple):
    """A call that needs consent: its id, the tool's name, its arguments, and the reason to ask."""

    id: str
    name: str
    input: dict[str, Any]
    reason: str


Approver = Callable[[Asked], Awaitable[bool]]
"""Asks a person whether a call may be performed."""


async def refuse(asked: Asked) -> bool:
    """Refuse, because nobody is there to ask."""
    del asked
    return False


def reason_to_ask(tool: Tool, arguments: Mapping[str, object]) -> str | None:
    """The reason why a person must allow this call; None if it may be performed at once."""
    harmless = _HARMLESS.get(tool.name)
    if tool.destroys and (harmless is None or arguments.get(harmless[0]) != harmless[1]):
        return "it may remove or replace something that cannot be restored"
    if tool.spends:
        return "it costs money"
    grave = next((name for name in _GRAVE_ARGUMENTS if arguments.get(name) not in (None, False)), None)
    return f"it says {grave}" if grave else None

"""Decides which tool calls need a person's consent."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, NamedTuple

from pinebench.tools.registry import Tool

_GRAVE_ARGUMENTS = ("confirm", "confirm_external_data", "discard", "delete_all")
"""Flags that make a tool overwrite, discard or remove more than it does without them."""
_ADDRESS = re.compile(r"[\W_]*[A-Za-z][A-Za-z0-9+.-]{1,20}:[/\\]{2}")
"""The beginning of an address. Some programs ignore characters before it, such as blanks and invisible characters."""
_SHOWS = "it only changes what the chart shows, and the same tool changes it back"
_MOVES = "it only moves the view"
_RESTORES = "it only reads, and puts the chart back as it was"
HARMLESS: dict[str, str] = {
    "target_switch": "it only chooses the page to control",
    "chart_set_symbol": _SHOWS,
    "chart_set_timeframe": _SHOWS,
    "chart_set_type": _SHOWS,
    "indicator_toggle_visibility": _SHOWS,
    "pane_set_symbol": _SHOWS,
    "pane_focus": _MOVES,
    "chart_scroll_to_date": _MOVES,
    "chart_set_visible_range": _MOVES,
    "ui_scroll": _MOVES,
    "ui_hover": _MOVES,
    "ui_fullscreen": _MOVES,
    "ui_open_panel": _MOVES,
    "tab_new": "it opens the chart a second time, and closes nothing",
    "tab_switch": _MOVES,
    "batch_run": _RESTORES,
    "compare_symbols": _RESTORES,
    "scan_symbols": _RESTORES,
    "pine_smart_compile": "it shows the editor's script on the chart, and the text stays",
    "pine_new": "unsaved changes stay, or a copy of them is in a file, unless discard says otherwise",
    "pine_open": "unsaved changes stay, or a copy of them is in a file, unless discard says otherwise",
    "data_export_csv": "it only makes a new file",
    "draw_shape": "it adds a drawing, and touches no other one",
    "watchlist_add": "it adds a symbol, and removes none",
    "get_notifications": "the alerts that it reads stay in the history",
    "workbench_propose_script": "it is a proposal: a person decides about each change",
    "replay_step": "it only continues a replay that was started",
    "replay_autoplay": "it only continues a replay that was started",
}
"""The tools that change something and need no consent, each with the reason. Every other tool that changes something is
asked about, so that a new one is asked about too."""
_HARMLESS_IF: dict[str, tuple[str, tuple[Any, ...]]] = {
    "chart_manage_indicator": ("action", ("add",)),
    "script_save": ("replaces", (None,)),
}
"""Tools that need no consent if the named argument has one of the listed values: the call then only adds something."""
_ADDRESSES = ("webhook", "url", "address")
"""The arguments that name a receiver outside of this computer."""


class ConsentRequest(NamedTuple):
    """A tool call that needs consent. `reason` says why."""

    id: str
    name: str
    input: dict[str, Any]
    reason: str


Approver = Callable[[ConsentRequest], Awaitable[bool | None]]
"""Asks a person whether a call may be performed; None says that nobody was there to answer."""


async def ask_nobody(request: ConsentRequest) -> None:
    """Return None: there is nobody to ask."""
    del request


def allowing(tools: Collection[str], approve: Approver) -> Approver:
    """Return an approver that allows every call of `tools` and passes other calls to `approve`. A person has consented
    to `tools` in advance."""

    async def answer(asked: ConsentRequest) -> bool | None:
        return True if asked.name in tools else await approve(asked)

    return answer


def reason_to_ask(tool: Tool, arguments: Mapping[str, object]) -> str | None:
    """Return why a person must allow this call; None if it needs no consent."""
    if tool.spends:
        return "it costs money"
    if _leads_out(arguments):
        return "it sends something to an address outside of this computer"
    if tool.destroys and not _only_adds(tool, arguments):
        return "it may remove or replace something that cannot be restored"
    grave = next((name for name in _GRAVE_ARGUMENTS if arguments.get(name) not in (None, False)), None)
    if grave:
        return f"it contains the word {grave}"
    if tool.changes and tool.name not in HARMLESS and not _only_adds(tool, arguments):
        return "it changes something of yours"
    return None


def _only_adds(tool: Tool, arguments: Mapping[str, object]) -> bool:
    known = _HARMLESS_IF.get(tool.name)
    return known is not None and arguments.get(known[0]) in known[1]


def _leads_out(arguments: Mapping[str, object]) -> bool:
    """Return whether an argument names a receiver or is an address, at any depth."""
    if any(arguments.get(name) is not None for name in _ADDRESSES):
        return True
    return any(map(_is_outside, arguments.values()))


def _is_outside(value: object) -> bool:
    if isinstance(value, str):
        return _ADDRESS.match(value) is not None
    if isinstance(value, Mapping):
        return _leads_out(value)
    return isinstance(value, list | tuple | set) and any(map(_is_outside, value))

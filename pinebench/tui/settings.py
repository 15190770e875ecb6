"""The settings that the workbench saves between sessions: its theme, its panels, and the recent files."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from pinebench import config, files
from pinebench.errors import UsageError

_FILE = "workbench.json"
RECENT = 20
_BREAKPOINTS = "breakpoints.json"
_MOST_FILES = 200
"""The number of files whose breakpoints are kept."""


@dataclass
class WorkbenchSettings:
    """The saved settings. `places` maps the absolute path of a file to the row and the column of its cursor, from 0."""

    theme: str = ""
    panel: str = "problems"
    dock: bool = True
    dock_rows: int = 0
    """The rows of the dock that the person chose; 0 for as many as its panel needs."""
    dock_columns: int = 0
    """The columns of the dock beside the text that the person chose; 0 for the usual part of the screen."""
    recent: list[str] = field(default_factory=list[str])
    places: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    bars: dict[str, Any] = field(default_factory=dict[str, Any])
    """The bars that the run panel used last."""
    assistant: dict[str, str] = field(default_factory=dict[str, str])
    """The last values of the assistant's fields, except the request."""

    def opened(self, path: str) -> None:
        """Put `path` first among the recent files."""
        self.recent = [path, *(each for each in self.recent if each != path)][:RECENT]
        self.places = {each: place for each, place in self.places.items() if each in self.recent}


def load() -> WorkbenchSettings:
    """Read the settings. A setting that is missing or invalid in the file gets its default."""
    found = WorkbenchSettings()
    with contextlib.suppress(UsageError, ValueError, OSError):
        plain = json.loads(files.read(os.path.join(config.state_folder(), _FILE)).text)
        for each in fields(found) if isinstance(plain, dict) else ():
            value = plain.get(each.name)
            if isinstance(value, type(getattr(found, each.name))):
                setattr(found, each.name, value)
    found.recent = [path for path in found.recent if isinstance(path, str)][:RECENT]
    found.places = {path: place for path, place in found.places.items() if _is_place(place)}
    found.assistant = {key: value for key, value in found.assistant.items() if isinstance(value, str)}
    return found


def _is_place(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) and part >= 0 for part in value)


def store(remembered: WorkbenchSettings) -> None:
    """Write the settings. Raises UsageError if they cannot be written."""
    path = os.path.join(config.private_state_folder(), _FILE)
    files.write_atomically(path, json.dumps(asdict(remembered)).encode(), private=True, durable=False)


def breakpoints_of(path: str) -> list[tuple[int, str, str]]:
    """Return a file's saved breakpoints by its absolute path: the row (from 0), the row's text, and the condition."""
    found = _breakpoints().get(path)
    return [(*one,) for one in found if _is_breakpoint(one)] if isinstance(found, list) else []


def keep_breakpoints(path: str, breakpoints: Sequence[tuple[int, str, str]]) -> None:
    """Save the breakpoints of a file; the breakpoints of other files stay. Raises UsageError if they cannot be
    written."""
    if breakpoints_of(path) == list(breakpoints):
        return

    def changed(data: bytes | None) -> bytes:
        kept = _parsed(data)
        kept.pop(path, None)
        if breakpoints:
            kept[path] = [list(one) for one in breakpoints]
        return json.dumps(dict(list(kept.items())[-_MOST_FILES:])).encode()

    # Several workbenches write this file, each the breakpoints of its own scripts.
    files.change(os.path.join(config.private_state_folder(), _BREAKPOINTS), changed, private=True)


def _breakpoints() -> dict[str, Any]:
    with contextlib.suppress(UsageError, OSError):
        return _parsed(files.read_bytes(os.path.join(config.state_folder(), _BREAKPOINTS)))
    return {}


def _parsed(data: bytes | None) -> dict[str, Any]:
    """The breakpoints of files in the content of their file; none if it is damaged."""
    with contextlib.suppress(ValueError, RecursionError):
        found = json.loads(data or b"")
        if isinstance(found, dict):
            return found
    return {}


def _is_breakpoint(value: Any) -> bool:
    return isinstance(value, list) and [type(part) for part in value] == [int, str, str] and value[0] >= 0

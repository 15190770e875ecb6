"""The settings that the workbench keeps from one start to the next: its theme, its panels, the recent files."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from pinebench import config, files
from pinebench.errors import UsageError

_FILE = "workbench.json"
RECENT = 20


@dataclass
class Remembered:
    """The settings. `places` maps the absolute path of a file to the row and the column of its cursor, from 0."""

    theme: str = ""
    panel: str = "problems"
    dock: bool = True
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


def load() -> Remembered:
    """Read the settings. A setting that is missing or wrong in the file has its default."""
    found = Remembered()
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


def store(remembered: Remembered) -> None:
    """Write the settings. Raises UsageError if they cannot be written."""
    path = os.path.join(config.private_state_folder(), _FILE)
    files.write_atomically(path, json.dumps(asdict(remembered)).encode(), private=True, durable=False)

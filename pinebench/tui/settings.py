"""What the workbench remembers from one start to the next: its theme, its panels, the files that were open last."""

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
    """What is remembered; places are rows and columns from 0, by absolute paths."""

    theme: str = ""
    panel: str = "problems"
    dock: bool = True
    recent: list[str] = field(default_factory=list[str])
    places: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    bars: dict[str, Any] = field(default_factory=dict[str, Any])
    """What the run panel was asked last."""
    assistant: dict[str, str] = field(default_factory=dict[str, str])
    """What the assistant's lines held last, beside the request."""

    def opened(self, path: str) -> None:
        """Put `path` first among the recent files."""
        self.recent = [path, *(each for each in self.recent if each != path)][:RECENT]
        self.places = {each: place for each, place in self.places.items() if each in self.recent}


def load() -> Remembered:
    """What was remembered; what is missing or wrong in the file is as it is at the first start."""
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
    """Remember it. Raises UsageError where it cannot be written."""
    path = os.path.join(config.private_state_folder(), _FILE)
    files.write_atomically(path, json.dumps(asdict(remembered)).encode(), private=True, durable=False)

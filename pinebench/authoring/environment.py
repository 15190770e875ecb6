"""Keys and preferences from the real environment, or from the project's `.env`.

Only the names in ALLOWED are ever read from a `.env`, and the file never changes this process's environment: a cloned
project can bring a key or a model's name, but no address that a key would be sent to and no switch that makes
anything less safe.
"""

from __future__ import annotations

import os
from pathlib import Path

from pinebench import config

API_KEY = "ANTHROPIC_API_KEY"
MODEL = "PINEBENCH_MODEL"
ALLOWED = frozenset({API_KEY, MODEL})
"""The names that count in a `.env`."""


def setting(name: str, start: Path | None = None) -> str | None:
    """The value of `name`: from the real environment when it is set there, else from the `.env` of the project around
    `start`.

    `start` is a folder, the current one by default. An empty value counts as none.
    """
    return os.environ.get(name) or (_from_project(name, start or Path.cwd()) if name in ALLOWED else None)


def read_env(text: str) -> dict[str, str]:
    """The allowed settings in the text of a `.env`: `NAME=value` lines, quotes stripped, comments and everything else
    skipped."""
    settings: dict[str, str] = {}
    for line in text.splitlines():
        name, separator, value = line.strip().removeprefix("export ").partition("=")
        if separator and name.strip() in ALLOWED:
            settings[name.strip()] = _unquoted(value.strip())
    return settings


def _from_project(name: str, start: Path) -> str | None:
    path = config.environment_file(str(start))
    try:
        text = Path(path).read_text("utf-8-sig") if path else ""
    except (OSError, UnicodeDecodeError):
        return None
    return read_env(text).get(name) or None


def _unquoted(value: str) -> str:
    quote = value[:1]
    if quote in ("'", '"') and (end := value.find(quote, 1)) > 0:
        return value[1:end]
    return value.partition(" #")[0].strip()

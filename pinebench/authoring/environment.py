"""Keys and preferences from the real environment, or from the project's `.env`.

Only the names in ALLOWED are ever read from a `.env`, and the file never changes this process's environment: a cloned
project can bring a key or a model's name, but no address that a key would be sent to and no switch that makes
anything less safe.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from pinebench import config, files
from pinebench.errors import UsageError

API_KEY = "ANTHROPIC_API_KEY"
MODEL = "PINEBENCH_MODEL"
ALLOWED = frozenset({API_KEY, MODEL})
"""The names that count in a `.env`."""


LARGEST_BYTES = 65_536
"""More than any `.env` needs; a larger one is not read."""


class Setting(NamedTuple):
    """A value, and in words where it came from."""

    value: str
    origin: str


def setting(name: str, start: Path | None = None) -> Setting | None:
    """What `name` is set to: in the real environment, else in the `.env` of the project around `start`.

    `start` is a folder, the current one by default. An empty value counts as none. A `.env` that belongs to another
    user counts for nothing.
    """
    value = os.environ.get(name)
    if value:
        return Setting(value, f"{name} in the environment")
    path = config.environment_file(str(start or Path.cwd())) if name in ALLOWED else None
    value = read_env(_content(path)).get(name) if path and not foreign_file(start) else None
    return Setting(value, str(path)) if value else None


def foreign_file(start: Path | None = None) -> str | None:
    """The path of the `.env` that is left alone because another user owns it; None where there is none such."""
    path = config.environment_file(str(start or Path.cwd()))
    if path is None or os.name == "nt":
        return None
    try:
        owners = {os.stat(path).st_uid, os.lstat(path).st_uid}
    except OSError:
        return None
    return path if owners != {os.geteuid()} else None


def read_env(text: str) -> dict[str, str]:
    """The allowed settings in the text of a `.env`: `NAME=value` lines, quotes stripped, comments and everything else
    skipped."""
    settings: dict[str, str] = {}
    for line in text.splitlines():
        name, separator, value = line.strip().removeprefix("export ").partition("=")
        if separator and name.strip() in ALLOWED:
            settings[name.strip()] = _unquoted(value.strip())
    return settings


def _content(path: str) -> str:
    try:
        return files.read(path, LARGEST_BYTES).text
    except UsageError:
        return ""


def _unquoted(value: str) -> str:
    quote = value[:1]
    if quote in ("'", '"') and (end := value.find(quote, 1)) > 0:
        return value[1:end]
    return value.partition(" #")[0].strip()

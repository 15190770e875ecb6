"""Keys and preferences from the process's environment, or from the project's `.env`. Only the names in ALLOWED are read
from a `.env`, and the file never changes this process's environment. So a cloned project can supply a key or a model
name, but no address that would receive a key, and no switch that reduces safety."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from pinebench import config, files
from pinebench.errors import UsageError

API_KEY = "ANTHROPIC_API_KEY"
MODEL = "PINEBENCH_MODEL"
ALLOWED = frozenset({API_KEY, MODEL})
"""The names that are read from a `.env`."""


LARGEST_BYTES = 65_536
"""A `.env` with more bytes than this is not read."""


class ServiceSetting(NamedTuple):
    """The value of a setting, and a description of its origin."""

    value: str
    origin: str


def setting(name: str, start: Path | None = None) -> ServiceSetting | None:
    """Return the value of `name` from the process's environment, or from the `.env` of the project that contains
    `start`, a folder (default: the current one). An empty value counts as missing. A `.env` of another user is ignored.
    """
    value = os.environ.get(name)
    if value:
        return ServiceSetting(value, f"{name} in the environment")
    path = config.environment_file(str(start or Path.cwd())) if name in ALLOWED else None
    value = read_env(_content(path)).get(name) if path and not foreign_file(start) else None
    return ServiceSetting(value, str(path)) if value else None


def foreign_file(start: Path | None = None) -> str | None:
    """Return the path of a `.env` that is ignored because another user owns it; None if there is none."""
    path = config.environment_file(str(start or Path.cwd()))
    if path is None or os.name == "nt":
        return None
    try:
        owners = {os.stat(path).st_uid, os.lstat(path).st_uid}
    except OSError:
        return None
    return path if owners != {os.geteuid()} else None


def read_env(text: str) -> dict[str, str]:
    """Return the allowed settings in the text of a `.env` file, from lines `NAME=value`. The word `export` and
    quotation marks are removed, and other lines are skipped."""
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

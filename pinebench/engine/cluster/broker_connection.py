"""The connection to the message broker. Its address is in `engine.toml` or the environment, never on a command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pinebench import files
from pinebench.engine import settings_file
from pinebench.engine.cluster.log import ClusterLog
from pinebench.engine.cluster.redis_log import RedisLog
from pinebench.errors import UsageError

URL, PASSWORD_FILE = "PINEBENCH_BROKER_URL", "PINEBENCH_BROKER_PASSWORD_FILE"
"""The variables that name the broker and its password instead of the file."""


class LogConnection(NamedTuple):
    """A log, the owner's number of user groups (or None), and a warning if the broker may lose data (or None)."""

    log: ClusterLog
    groups: int | None
    doubt: str | None


def has_broker(folder: str | None = None) -> bool:
    """Return whether the owner's file or the environment names a broker. Raises UsageError for an invalid file."""
    return bool(os.environ.get(URL) or settings_file.broker(folder))


def connect(folder: str | None = None, environment: Mapping[str, str] | None = None) -> LogConnection:
    """Connect to the message broker of an engine's folder (default: the user's).

    The section `[broker]` of `engine.toml` names it. Environment variables take precedence. Raises UsageError if no
    broker is named or a setting is wrong, Unreachable if the broker does not answer, and UnavailableError without the
    package redis.
    """
    environment = os.environ if environment is None else environment
    told: dict[str, Any] = dict(settings_file.broker(folder))
    if environment.get(URL):
        told["url"] = environment[URL]
    if environment.get(PASSWORD_FILE):
        told["password-file"] = environment[PASSWORD_FILE]
    url = told.get("url")
    if not url:
        hint = f'write [broker] with url = "redis://HOST:6379/0" into {settings_file.FILE}, or set {URL}'
        raise UsageError("no message broker is configured", hint)
    try:
        parts = urlsplit(url)
        has_password = parts.password is not None or "password=" in parts.query
    except ValueError:
        raise UsageError("the broker's address is not valid", "expected redis://HOST:6379/0") from None
    if has_password:
        raise UsageError(
            "the address of the broker contains a password",
            "put the password into a file, and name the file with password-file",
        )
    log = RedisLog(
        url,
        told.get("name", "pinebench"),
        user=told.get("user"),
        password=_password(told.get("password-file")),
        ca_file=told.get("ca-file"),
    )
    log.now()
    return LogConnection(log, told.get("groups"), log.keeps())


def _password(path: str | None) -> str | None:
    if path is None:
        return None
    return files.read(path).text.rstrip("\r\n")

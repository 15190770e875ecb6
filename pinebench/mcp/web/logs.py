"""The log of the chart server: one line of text or of JSON for each record, without secrets."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any

from pinebench.printable import in_json, printable

REQUESTS = "pinebench.requests"
"""The logger that has a line for each request."""
_HIDDEN = "[hidden]"
_PARTS = (
    (re.compile(r"(?i)\b(bearer|basic)(\s+)[\w.~+/=-]+"), rf"\1\2{_HIDDEN}"),
    (
        re.compile(
            r"(?i)([\"']?\b(?:code|token|access_token|refresh_token|id_token|code_verifier|passphrase|password|secret"
            r"|client_secret|api_?key)[\"']?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|[^\s&,;)}\]]+)"
        ),
        rf"\1{_HIDDEN}",
    ),
    (re.compile(r"(\w+://)[^\s/@]+@"), rf"\1{_HIDDEN}@"),
    (re.compile(r"/bot\d+:[\w-]+"), f"/bot{_HIDDEN}"),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), _HIDDEN),
)
"""The forms of secrets, each with its replacement: headers, fields, users of addresses, bots of Telegram, and
our own codes and tokens."""


def without_secrets(text: str) -> str:
    """Return the text with everything that looks like a secret masked."""
    for pattern, instead in _PARTS:
        text = pattern.sub(instead, text)
    return text


class LogLines(logging.Formatter):
    """Writes one line of text for each record, followed by its traceback with indented lines."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the log lines of a record."""
        words = printable(without_secrets(f"{record.levelname} {record.name}: {record.getMessage()}{_told(record)}"))
        return f"{_time(record)} {words}{self._traceback(record)}"

    def _traceback(self, record: logging.LogRecord) -> str:
        if not record.exc_info:
            return ""
        lines = without_secrets(self.formatException(record.exc_info)).splitlines()
        return "".join(f"\n    {printable(line)}" for line in lines)


class JsonLines(logging.Formatter):
    """Writes one JSON object for each record: `time`, `level`, `logger`, `message`, further fields, and `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the log line of a record, as JSON."""
        told: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        for name, value in _fields(record).items():
            told[name] = without_secrets(value) if isinstance(value, str) else value
        if record.exc_info:
            told["exception"] = without_secrets(self.formatException(record.exc_info))
        return in_json(json.dumps(told, ensure_ascii=True))


def begin(*, as_json: bool) -> None:
    """Log warnings to stderr from now on.

    With `as_json`, write JSON, and also a line for each request and each note.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else LogLines())
    # With -v there is a handler already, which logs more.
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=as_json)
    if as_json:
        logging.getLogger("pinebench").setLevel(logging.INFO)


def note(message: str, hint: str | None = None) -> None:
    """Write a message for people into the log."""
    logging.getLogger("pinebench").info("%s%s", message, f" ({hint})" if hint else "")


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {})


def _told(record: logging.LogRecord) -> str:
    return "".join(f" {name}={value}" for name, value in _fields(record).items())

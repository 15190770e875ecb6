"""Times in the engine: milliseconds UTC internally, RFC 3339 strings in answers."""

from __future__ import annotations

from datetime import UTC, datetime

from pinebench.errors import UsageError

_FURTHEST = 253_402_300_799_000
"""The last millisecond that a date can have, at the end of the year 9999."""


def rfc3339(time: int) -> str:
    """Format a time (milliseconds UTC) as RFC 3339, with milliseconds if it has any."""
    moment = datetime.fromtimestamp(time / 1000, UTC)
    text = moment.isoformat(timespec="milliseconds" if time % 1000 else "seconds")
    return text.replace("+00:00", "Z")


def moment_of(name: str, text: str) -> int:
    """Parse an RFC 3339 time to milliseconds UTC. Raises UsageError, which names `name`, for other text."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise UsageError(
            f"{name} is not a time with its zone: {text[:60]}", "expected, for example, 2027-01-31T09:30:00Z"
        )
    return min(int(found.timestamp() * 1000), _FURTHEST)

"""Dates that people write, as milliseconds UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from pinebench.errors import UsageError


def moment(name: str, text: str | None) -> int | None:
    """Milliseconds UTC of a date in ISO 8601 (UTC where it names no zone); None for None.

    `name` is the option or argument for messages. Raises UsageError for a text that is not such a date.
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{name} {text[:40]}: is not a date", "expected for example 2024-01-31 or 2024-01-31T14:30"
        ) from None
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)

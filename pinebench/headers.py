"""The limit for the headers of a request, which the chart server and the studio share."""

from __future__ import annotations

from collections.abc import Collection

_MOST_LINES, _MOST_BYTES = 200, 64_000
"""The limits of a head, in lines and bytes: no browser, client or proxy sends more."""


def are_too_many(lines: Collection[tuple[bytes, bytes]]) -> bool:
    """Return whether a request has more than 200 header lines, or more than 64,000 bytes in them.

    `lines` are the names and values, as ASGI passes them.
    """
    return len(lines) > _MOST_LINES or sum(len(name) + len(value) for name, value in lines) > _MOST_BYTES

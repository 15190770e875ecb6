"""Checks the length of a string before it is made, so that one call cannot use up the memory."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench.runtime.faults import RuntimeFault

TEXT_LIMIT = 1_000_000
"""The largest number of characters of one text: far more than TradingView allows in a string, and little memory."""


def judged(size: int) -> int:
    """Return `size`, the length of a string that will be made. Raises `text-limit` if it is above the limit."""
    if size > TEXT_LIMIT:
        raise RuntimeFault("text-limit", limit=f"{TEXT_LIMIT:,}")
    return size


def together(separator: str, texts: Iterable[str]) -> str:
    """Join the texts with the separator. Raises `text-limit` before the result becomes too long."""
    found: list[str] = []
    size = 0
    for text in texts:
        size = judged(size + len(text) + len(separator))
        found.append(text)
    return separator.join(found)

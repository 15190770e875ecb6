"""How large a text may become: judged before it is made, so that one call cannot take all memory."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench.runtime.faults import RuntimeFault

TEXT_LIMIT = 1_000_000
"""Characters of one text: far beyond what TradingView lets a string have, and no burden for the memory."""


def judged(size: int) -> int:
    """The size of a text that is to be made; raises RE10139 for one above the limit."""
    if size > TEXT_LIMIT:
        raise RuntimeFault("RE10139")
    return size


def together(separator: str, texts: Iterable[str]) -> str:
    """The texts with the separator between them; raises RE10139 as soon as they are too long."""
    found: list[str] = []
    size = 0
    for text in texts:
        size = judged(size + len(text) + len(separator))
        found.append(text)
    return separator.join(found)

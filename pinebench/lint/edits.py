"""Makes edits in a text; below all that finds fixes and all that tries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.diagnostics import Edit


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with `edits` made; they must not overlap, and their spans count in `text` as it is given."""
    parts: list[str] = []
    position = 0
    for (start, end), replacement in sorted(edits):
        parts += (text[position:start], replacement)
        position = end
    return "".join(parts) + text[position:]

"""Makes edits in a text; below all that finds fixes and all that tries them."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
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


class Shift:
    """Where places are before and after edits."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = sorted(edits)
        self._deltas = list(accumulate((len(text) - (end - start) for (start, end), text in self._edits), initial=0))
        self._starts = [edit.span.start for edit in self._edits]
        self._new = [start + delta for start, delta in zip(self._starts, self._deltas, strict=False)]

    def after(self, place: int) -> int:
        """Where `place` of the text before is; inside what was replaced, where that begins."""
        number = bisect_right(self._starts, place) - 1
        if number < 0:
            return place
        (start, end), text = self._edits[number]
        if place < end:
            return self._new[number] + min(place - start, len(text))
        return place + self._deltas[number + 1]

    def edit_at(self, place: int) -> Edit | None:
        """The edit that put in what stands at `place` of the changed text, or None."""
        number = bisect_right(self._new, place) - 1
        return (
            self._edits[number] if number >= 0 and place < self._new[number] + len(self._edits[number].text) else None
        )

    def before(self, place: int) -> int:
        """Where `place` of the changed text was; inside what was put in, where the edit begins."""
        number = bisect_right(self._new, place) - 1
        if number < 0:
            return place
        (start, end), text = self._edits[number]
        if place < self._new[number] + len(text):
            return min(start + place - self._new[number], max(start, end))
        return place - self._deltas[number + 1]

"""The breakpoints of a script in the editor: they stay with their lines while the text changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class GutterBreakpoint:
    """A breakpoint on a row (from 0). It stops if `condition` is true; an empty condition is always true.

    `text` is the row's text without the blanks around it.
    """

    row: int
    text: str
    condition: str = ""


class Breakpoints:
    """The breakpoints of one script, by rows."""

    def __init__(self) -> None:
        self._all: dict[int, GutterBreakpoint] = {}

    def __len__(self) -> int:
        return len(self._all)

    def at(self, row: int) -> GutterBreakpoint | None:
        """Return the breakpoint on a row; None if there is none."""
        return self._all.get(row)

    def asked(self) -> list[tuple[int, str]]:
        """Return the line (from 1) and the condition of each breakpoint, in the order of the script."""
        return [(row + 1, self._all[row].condition) for row in sorted(self._all)]

    def toggle(self, row: int, text: str) -> bool:
        """Set or remove the breakpoint on a row, whose text is `text`; return whether there is one now."""
        if self._all.pop(row, None) is not None:
            return False
        self._all[row] = GutterBreakpoint(row, text.strip())
        return True

    def set(self, row: int, text: str, condition: str) -> None:
        """Set a breakpoint with a condition on a row, whose text is `text`."""
        self._all[row] = GutterBreakpoint(row, text.strip(), condition.strip())

    def clear(self) -> None:
        """Remove all breakpoints."""
        self._all.clear()

    def kept(self) -> list[tuple[int, str, str]]:
        """Return the row, the text of the row, and the condition of each breakpoint, for `restore`."""
        return [(one.row, one.text, one.condition) for _, one in sorted(self._all.items())]

    def restore(self, kept: Sequence[tuple[int, str, str]], lines: Sequence[str]) -> None:
        """Set the breakpoints that `kept` returned, in a text that may have changed meanwhile and now has `lines`.

        A breakpoint goes to the nearest row with the text of its row. It is dropped if there is none.
        """
        texts = [line.strip() for line in lines]
        for row, text, condition in kept:
            same = [number for number, each in enumerate(texts) if each == text and number not in self._all]
            if same:
                place = min(same, key=lambda number: abs(number - row))
                self._all[place] = GutterBreakpoint(place, text, condition)

    def changed(self, first: int, gone: int, come: Sequence[str]) -> None:
        """Move the breakpoints after a change of the text: the rows `come` replaced `gone` rows from `first` on.

        A breakpoint on a changed row goes to the row that has its text now. The breakpoint of a removed row is removed
        too.
        """
        kept: dict[int, GutterBreakpoint] = {}
        for row, one in sorted(self._all.items()):
            place: int | None = row
            if row >= first + gone:
                place = row + len(come) - gone
            elif row >= first:
                place = _row_of(one, row - first, gone, come)
                place = None if place is None else place + first
                one.text = one.text if place is None else come[place - first].strip()
            if place is not None and place not in kept:
                one.row = place
                kept[place] = one
        self._all = kept


def _row_of(one: GutterBreakpoint, place: int, gone: int, come: Sequence[str]) -> int | None:
    """The row of `come` on which a breakpoint of the changed row number `place` is now; None if it was removed."""
    rows = sorted(range(len(come)), key=lambda row: abs(row - place))
    if one.text:
        same = next((row for row in rows if come[row].strip() == one.text), None)
        if same is None:
            same = next((row for row in rows if one.text in come[row]), None)
        if same is not None:
            return same
    if gone == len(come):
        return place
    return 0 if gone == 1 else None  # one line that was split keeps it on its first part

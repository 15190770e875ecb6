"""Proposed changes to a text, and the rows to which each of them still applies after the text has changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from pinebench.diagnostics import Edit, Span
from pinebench.tui.editor_text import PineDocument, split


class Hunk(NamedTuple):
    """A change: `lines` replace the rows from `start` up to `end`, which is not included. Rows count from 0."""

    start: int
    end: int
    lines: tuple[str, ...]


class PlacedHunk(NamedTuple):
    """The position of a change in the current text. `hunk` is the change with its row numbers in that text, or None if
    it no longer applies. `done` is True if the text already has the change."""

    hunk: Hunk | None
    done: bool = False


def hunks(before: str, after: str) -> list[Hunk]:
    """Return the changes that turn `before` into `after`. Line ends are ignored."""
    old, new = split(before)[0], split(after)[0]
    return [
        Hunk(start, end, tuple(new[first:last]))
        for kind, start, end, first, last in _compared(old, new)
        if kind != "equal"
    ]


def placed(changes: Sequence[Hunk], before: str, now: str) -> list[PlacedHunk]:
    """Find each of `changes`, which are made for the text `before`, in the text `now`.

    A change still applies if its rows, and the nearest lines above and below that are not blank, follow each other in
    `now` as they did in `before`. So it never overwrites other changes of these lines.
    """
    old, new = split(before)[0], split(now)[0]
    compared = _compared(old, new)
    same = [(start, end, first - start) for kind, start, end, first, _ in compared if kind == "equal"]
    found: list[PlacedHunk] = []
    for number, change in enumerate(changes):
        floor = changes[number - 1].end if number else 0
        ceiling = changes[number + 1].start if number + 1 < len(changes) else len(old)
        top, bottom = _with_neighbours(old, change, floor, ceiling)
        shift = next((shift for start, end, shift in same if start <= top and bottom <= end), None)
        # A change at the very beginning or the very end of the text only fits at the same end.
        if shift and change.start == top == 0:
            shift = None
        if shift is not None and change.end == bottom == len(old) and bottom + shift != len(new):
            shift = None
        if shift is not None:
            found.append(PlacedHunk(Hunk(change.start + shift, change.end + shift, change.lines)))
        else:
            found.append(PlacedHunk(None, _is_done(change, same, new)))
    return found


def edits(document: PineDocument, changes: Sequence[Hunk]) -> list[Edit]:
    """Turn `changes` into edits of the text of `document`. The changes must be in order, with rows of `document`."""
    return [_edit(document, change) for change in changes]


def _edit(document: PineDocument, change: Hunk) -> Edit:
    start, end, lines = change
    count = document.line_count
    if start == end:
        if start < count:
            place = document.offset((start, 0))
            return Edit(Span(place, place), "".join(f"{line}\n" for line in lines))
        place = len(document.text)
        return Edit(Span(place, place), "".join(f"\n{line}" for line in lines))
    if lines:
        last = end - 1
        return Edit(document.span((start, 0), (last, len(document[last]))), "\n".join(lines))
    if end < count:
        return Edit(document.span((start, 0), (end, 0)), "")
    above = (start - 1, len(document[start - 1])) if start else (0, 0)
    return Edit(document.span(above, (count - 1, len(document[count - 1]))), "")


def _compared(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """The differences between `old` and `new`, as SequenceMatcher gives them.

    The lines that are equal at the beginning and at the end are not given to SequenceMatcher. They are most of the
    lines if only a few have changed.
    """
    start = _alike(old, new)
    rest = _alike(old[start:][::-1], new[start:][::-1])
    middle_old, middle_new = old[start : len(old) - rest], new[start : len(new) - rest]
    found: list[tuple[str, int, int, int, int]] = [("equal", 0, start, 0, start)] if start else []
    for kind, a, b, c, d in SequenceMatcher(None, middle_old, middle_new, autojunk=False).get_opcodes():
        found.append((kind, a + start, b + start, c + start, d + start))
    if rest:
        found.append(("equal", len(old) - rest, len(old), len(new) - rest, len(new)))
    return _joined(found)


def _joined(found: list[tuple[str, int, int, int, int]]) -> list[tuple[str, int, int, int, int]]:
    """Join equal parts that follow each other."""
    parts: list[tuple[str, int, int, int, int]] = []
    for kind, a, b, c, d in found:
        if parts and kind == "equal" == parts[-1][0]:
            parts[-1] = (kind, parts[-1][1], b, parts[-1][3], d)
        else:
            parts.append((kind, a, b, c, d))
    return parts


def _with_neighbours(lines: list[str], change: Hunk, floor: int, ceiling: int) -> tuple[int, int]:
    """The rows of a change with the next line that is not blank above and below it.

    They go from `floor` to `ceiling` at most, where the changes before and after it are.
    """
    top, bottom = change.start, change.end
    while top > floor:
        top -= 1
        if lines[top].strip():
            break
    while bottom < ceiling:
        bottom += 1
        if lines[bottom - 1].strip():
            break
    return top, bottom


def _is_done(change: Hunk, same: list[tuple[int, int, int]], new: list[str]) -> bool:
    """Whether `new` already has exactly the lines of `change` between the equal parts above and below it."""
    above, below = 0, len(new)
    for start, end, shift in same:
        if start < change.start:
            above = min(end, change.start) + shift
        if end > change.end:
            below = max(start, change.end) + shift
            break
    return tuple(new[above:below]) == change.lines


def _alike(one: list[str], other: list[str]) -> int:
    """The number of equal lines at the beginning of both lists."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))

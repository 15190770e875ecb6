"""Merges two edited versions of a script by its top-level statements (a three-way merge with their common base)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from pinebench.syntax.document import parse


class MergedPart(NamedTuple):
    """Statements that were changed, added or removed by one side (`here` or `there`), or by both sides in the same way.

    `lines` are the first and the last line in the merged script, from 1; for removed statements, both are the line
    after them. `text` is their first line, stripped.
    """

    side: str
    kind: str
    lines: tuple[int, int]
    text: str

    def __str__(self) -> str:
        first, last = self.lines
        place = f"line {first}" if first == last else f"lines {first} to {last}"
        return f"{self.kind} {self.side}, {place}: {self.text}"


class MergedScript(NamedTuple):
    """A merged script, and the statements that each side changed, added or removed, in the order of the script.

    `check` says whether it compiles, or why that is not known.
    """

    text: str
    parts: tuple[MergedPart, ...]
    check: str

    def told(self) -> str:
        """Describe the merged parts for people: adjacent changes of both sides, and whether the script compiles."""
        shown = [str(part) for part in self.parts[:_MOST_TOLD]]
        if len(self.parts) > _MOST_TOLD:
            shown.append(f"{len(self.parts) - _MOST_TOLD} further changes")
        touching = [str(one.lines[1]) for one, other in pairwise(self.parts) if _touch(one, other)]
        if touching:
            shown.append(f"changes of both sides are adjacent at line {', '.join(touching)}")
        return "; ".join((*shown, self.check))


_MOST_TOLD = 8
_LONGEST_TOLD = 60


def merge(base: str, ours: str, theirs: str, folders: Sequence[str] = ()) -> MergedScript | None:
    """Merge two edited versions of `base`. Return None if both changed the same statement, or if the result has errors.

    Neighbouring statements changed by different sides can only be merged if no side added or removed a statement there.
    A result that compiles may still have the wrong meaning, so the caller must tell the user. `folders` may contain the
    source of imported libraries.
    """
    taken: list[str] = []
    parts: list[MergedPart] = []
    line = 1
    for part in _regions(_statements(base), _statements(ours), _statements(theirs)):
        for old, own, other in _pieces(*part):
            if own == other or other == old:
                kept, side = own, "here"
            elif own == old:
                kept, side = other, "there"
            else:
                return None
            if kept != old:
                parts.append(_part("on both sides" if own == other else side, old, kept, line))
            taken += kept
            line += "".join(kept).count("\n")
    text = "".join(taken)
    check = _checked(text, folders)
    return MergedScript(text, tuple(parts), check) if check else None


def _part(side: str, old: Sequence[str], kept: Sequence[str], line: int) -> MergedPart:
    """Describe the part of a merge in which the statements `old` became `kept`, which begin on `line` of the result."""
    kind = "removed" if not kept else "changed" if old else "added"
    text = "".join(kept or old).strip()
    height = text.count("\n") if kept else 0
    first = text.partition("\n")[0].strip()
    shown = first if len(first) <= _LONGEST_TOLD else f"{first[: _LONGEST_TOLD - 1]}…"
    return MergedPart(side, kind, (line, line + height), shown)


def _touch(one: MergedPart, other: MergedPart) -> bool:
    """Return whether two parts of different sides are adjacent, so that the user should read them together."""
    return one.side != other.side and other.lines[0] - one.lines[1] <= 1


def _checked(text: str, folders: Sequence[str]) -> str:
    """Return words on whether a script compiles or why it was not checked; "" if our own checker finds errors."""
    from pinebench.checker import open_program
    from pinebench.diagnostics import Severity
    from pinebench.linter.findings import UNCHECKED_SCRIPT

    program = open_program(text, tuple(folders), fresh=True)
    if any(each.severity is Severity.ERROR for each in program.diagnostics):
        return ""
    version = next((each.values[0][1] for each in program.diagnostics if each.code == UNCHECKED_SCRIPT), None)
    if version is not None:
        return f"it was not compiled, because it is written in Pine v{version}"
    unread = [path for path, source in program.libraries_read.items() if source is None]
    return f"it compiles, but calls of {', '.join(unread)} were not checked" if unread else "it compiles"


_Part = tuple[Sequence[str], Sequence[str], Sequence[str]]


def _statements(text: str) -> list[str]:
    """Return the texts of the top-level statements, each with the comments and blank lines after it."""
    whole = text if text.endswith("\n") or not text else text + "\n"
    return [chunk.text for chunk in parse(whole).chunks]


def _regions(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[_Part]:
    """Yield the three texts in successive regions. A statement that all three have in common is a region of its own."""
    own, other = _places(base, ours), _places(base, theirs)
    shared = [(-1, -1, -1), *((at, own[at], other[at]) for at in sorted(own.keys() & other.keys()))]
    shared.append((len(base), len(ours), len(theirs)))
    for (a, b, c), (d, e, f) in pairwise(shared):
        yield base[a + 1 : d], ours[b + 1 : e], theirs[c + 1 : f]
        yield base[d : d + 1], ours[e : e + 1], theirs[f : f + 1]


def _places(base: list[str], changed: list[str]) -> dict[int, int]:
    """Map the index of each statement of `base` that is unchanged in `changed` to its index there."""
    blocks = SequenceMatcher(None, base, changed, autojunk=False).get_matching_blocks()
    return {a + i: b + i for a, b, size in blocks for i in range(size)}


def _pieces(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[_Part]:
    """Yield a region statement by statement if all three texts have equally many there, otherwise as a whole."""
    if len(base) == len(ours) == len(theirs):
        for i in range(len(base)):
            yield base[i : i + 1], ours[i : i + 1], theirs[i : i + 1]
    else:
        yield base, ours, theirs

"""Merges two changed versions of a script by its top-level statements, with the version from which both began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from pinebench.syntax.document import parse


class MergedScript(NamedTuple):
    """A merged script, and the number of statements that each side has changed, added or removed."""

    text: str
    ours: int
    theirs: int


def merge(base: str, ours: str, theirs: str) -> MergedScript | None:
    """Merge two texts that began as `base`; None if both changed the same statement, or if the result has errors.

    Neighbouring statements that were changed by different sides are told apart only if no side added or removed a
    statement there. The result compiles, but that proves nothing about its meaning: the caller must tell a person.
    """
    taken: list[str] = []
    counts = [0, 0]
    for part in _regions(_statements(base), _statements(ours), _statements(theirs)):
        for old, own, other in _pieces(*part):
            if own == other or other == old:
                taken += own
            elif own == old:
                taken += other
            else:
                return None
            counts[0] += own != old and len(own or old)
            counts[1] += other != old and len(other or old)
    text = "".join(taken)
    return MergedScript(text, *counts) if compiles(text) else None


def compiles(text: str) -> bool:
    """Whether a script has no errors for our own checker."""
    from pinebench.checker import open_program
    from pinebench.diagnostics import Severity

    return all(each.severity is not Severity.ERROR for each in open_program(text, ()).diagnostics)


_Part = tuple[Sequence[str], Sequence[str], Sequence[str]]


def _statements(text: str) -> list[str]:
    """The texts of the top-level statements, each with the comments and blank lines after it."""
    whole = text if text.endswith("\n") or not text else text + "\n"
    return [chunk.text for chunk in parse(whole).chunks]


def _regions(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[_Part]:
    """The three texts in regions that follow each other. A statement that all three have is a region of its own."""
    own, other = _places(base, ours), _places(base, theirs)
    shared = [(-1, -1, -1), *((at, own[at], other[at]) for at in sorted(own.keys() & other.keys()))]
    shared.append((len(base), len(ours), len(theirs)))
    for (a, b, c), (d, e, f) in pairwise(shared):
        yield base[a + 1 : d], ours[b + 1 : e], theirs[c + 1 : f]
        yield base[d : d + 1], ours[e : e + 1], theirs[f : f + 1]


def _places(base: list[str], changed: list[str]) -> dict[int, int]:
    """The place in `changed` of each statement of `base` that is unchanged there."""
    blocks = SequenceMatcher(None, base, changed, autojunk=False).get_matching_blocks()
    return {a + i: b + i for a, b, size in blocks for i in range(size)}


def _pieces(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[_Part]:
    """A region as one piece, or statement by statement if all three have the same number of statements there."""
    if len(base) == len(ours) == len(theirs):
        for i in range(len(base)):
            yield base[i : i + 1], ours[i : i + 1], theirs[i : i + 1]
    else:
        yield base, ours, theirs

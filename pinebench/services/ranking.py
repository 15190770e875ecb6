"""Scores completions by their type, their uses nearby, and their uses in real scripts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache

from pinebench import reference
from pinebench.checker import NA, UNKNOWN_BASE, VOID, Base, assignable
from pinebench.services.data import uses

_WORDS = re.compile(r"[A-Za-z_]\w*")
NEAR = 4000
"""The number of characters before a position that count as near; after it, half as many."""


class Nearby:
    """Scores words by the number of their uses in the text, and by the distance of the uses from a position."""

    def __init__(self, text: str, offset: int) -> None:
        start = max(0, offset - NEAR)
        self._scores: dict[str, float] = {}
        for match in _WORDS.finditer(text, start, offset):
            self._add(match.group(), offset - match.end())
        for match in _WORDS.finditer(text, offset, offset + NEAR // 2):
            self._add(match.group(), 2 * (match.start() - offset) + 60)

    def _add(self, word: str, distance: int) -> None:
        self._scores[word] = self._scores.get(word, 0.0) + 6.0 / (1.0 + distance / 120.0)

    def score(self, word: str) -> float:
        """Return the score of `word`; 0 if it is not used nearby."""
        found = self._scores.get(word)
        return 3.0 * math.log1p(found) if found else 0.0


@cache
def order(kind: str, owner: str = "") -> Mapping[str, int]:
    """Return the rank of each name by its use in real scripts, from 0 for the most used.

    `kind` is `names`, `methods`, `members` or `parameters`. `owner` is the namespace of `members`, or the function of
    `parameters`; the other kinds have no owner.
    """
    if kind == "methods":
        return _places(uses.METHODS.split())
    if kind == "parameters":
        return _places(reference.often_named().get(owner, ()))
    words = (word.split("=") for word in uses.WORDS.split())
    counts = {**{word: int(count) for word, count in words}, **reference.uses()}
    known = [(name, number) for name, number in counts.items() if name.rpartition(".")[0] == owner]
    known.sort(key=lambda pair: (-pair[1], pair[0]))
    return _places(name.rpartition(".")[2] for name, _ in known)


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def popularity(kind: str, name: str, owner: str = "") -> float:
    """Return the score of `name` by its use in real scripts: from 10 down to 0.5, or 0 if it is unused.

    `kind` and `owner` are as for `order`.
    """
    place = order(kind, owner).get(name)
    return 0.0 if place is None else max(0.5, 10.0 - 2.0 * math.log1p(place))


def fits(expected: tuple[Base, ...], base: Base | None) -> float:
    """Return the score of a value of type `base` where one of the types `expected` is expected."""
    if not expected or base is None or base is UNKNOWN_BASE:
        return 0.0
    if base is VOID:
        return -8.0
    if base is NA:
        return 0.0
    if any(base is wanted for wanted in expected):
        return 5.0
    return 3.0 if any(_takes(wanted, base) for wanted in expected) else -4.0


def _takes(wanted: Base, base: Base) -> bool:
    if wanted.kind == "union":
        return any(_takes(member, base) for member in wanted.arguments)
    if wanted.kind in ("variable", "any", "unknown"):
        return True
    if wanted.kind == "any-enum":
        return base.kind == "enum"
    if wanted.kind == "any-udt":
        return base.kind == "udt"
    if wanted.kind == "source":
        return base.name in ("float", "int")
    if wanted.arguments and wanted.kind == base.kind:
        return all(map(_takes, wanted.arguments, base.arguments))
    return assignable(wanted, base)


def matches(prefix: str, name: str) -> float | None:
    """Return the score of a name for the typed letters `prefix`. Return None if the name does not begin with the first
    letter, or does not contain the others in this order."""
    if not prefix:
        return 0.0
    if name.startswith(prefix):
        return 6.0
    low, wanted = name.lower(), prefix.lower()
    if low.startswith(wanted):
        return 5.0
    if low[:1] != wanted[:1]:
        return None
    place = 0
    for letter in wanted:
        place = low.find(letter, place) + 1
        if not place:
            return None
    return -6.0

"""Decides whether a file may be another file that the user has renamed and edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

PART = 1 / 3
"""The smallest part of a text's lines that the edited text must still have."""


def may_be(before: str, after: str) -> bool:
    """Return whether the text `after` may be an edited version of `before`. Always true if `before` is empty.

    Blank lines do not count. This is only a guess: the user has to decide.
    """
    lines = Counter(_lines(before))
    return (lines & Counter(_lines(after))).total() >= PART * lines.total()


def exchanged(last: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Find files whose contents were probably exchanged: each is more similar to another file's last text than to its
    own.

    Map each of them to that other file. `last` has the last known texts of files that are missing or have changed, and
    `now` has the current texts of existing files. A file that is only a copy of an unchanged file is not in the result:
    the other file must be missing, or must itself be more similar to a different file. This is only a guess: the user
    has to decide.
    """
    known = {file: frozenset(_lines(text)) for file, text in last.items()}
    nearest: dict[str, str] = {}
    for file, text in now.items():
        lines = frozenset(_lines(text))
        alike = {other: len(lines & each) / max(len(lines), len(each), 1) for other, each in known.items()}
        most = max(alike.values())
        nearest[file] = file if alike[file] == most or most < PART else max(alike, key=alike.__getitem__)
    return {file: other for file, other in nearest.items() if other != file and nearest.get(other) != other}


def _lines(text: str) -> list[str]:
    return list(filter(None, map(str.strip, text.splitlines())))

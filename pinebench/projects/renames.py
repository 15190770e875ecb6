"""Whether a file may be another one that a person has renamed and edited."""

from __future__ import annotations

from collections import Counter

PART = 1 / 3
"""The part of a text's lines that the edited text still has at least."""


def may_be(before: str, after: str) -> bool:
    """Whether `after` may be `before` after some edits. It may always be if nothing is known of `before`.

    Blank lines do not count. The answer proves nothing: a person has to decide.
    """
    lines = _lines(before)
    return (lines & _lines(after)).total() >= PART * lines.total()


def _lines(text: str) -> Counter[str]:
    return Counter(filter(None, map(str.strip, text.splitlines())))

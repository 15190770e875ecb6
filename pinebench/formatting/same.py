"""Checks whether two scripts have the same tokens in the same blocks, and the same comments. Positions do not count.

The parser only sees the tokens of a script, so equal tokens make equal trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pinebench.syntax.scanner import Scan, scan

LAYOUT = frozenset(("NEWLINE", "INDENT", "DEDENT"))
"""Tokens for lines and blocks, whose text has no meaning."""


def scans_of(text: str, version: int) -> Iterator[Scan]:
    """Yield the chunks (top-level statements) of a script, scanned by the layout rules of Pine `version`."""
    source = text + "\n"
    unclosed: dict[str, int] = {}
    position = 0
    while position < len(source):
        scanned = scan(source, position, version, unclosed)
        yield scanned
        position = scanned.end


def say_the_same(first: Sequence[Scan], second: Sequence[Scan]) -> bool:
    """Return whether two scanned scripts have the same tokens, comments and faults in the same order."""
    return len(first) == len(second) and all(map(_same, first, second))


def _same(one: Scan, other: Scan) -> bool:
    return (
        one.types == other.types
        and [fault.code for fault in one.faults] == [fault.code for fault in other.faults]
        and _words(one) == _words(other)
        and _comments(one) == _comments(other)
    )


def _words(scanned: Scan) -> list[str]:
    return [token[2] for kind, token in zip(scanned.types, scanned.tokens, strict=True) if kind not in LAYOUT]


def _comments(scanned: Scan) -> list[str]:
    offset, source = scanned.offset, scanned.source
    return [source[offset + start : offset + end].rstrip() for start, end in scanned.comments]

"""Where strings end: those that run over several lines, and those that are never closed."""

from __future__ import annotations

import re

STRINGS = {
    '"""': r'"""(?>(?:[^"\\]+|\\[\s\S]|"(?!""))*)"""',
    "'''": r"'''(?>(?:[^'\\]+|\\[\s\S]|'(?!''))*)'''",
    '"': r'"(?>(?:[^"\\\r\n]+|\\[^\r\n]|(?:\r\n?|\n)(?=[ \t\r\n]))*)"',
    "'": r"'(?>(?:[^'\\\r\n]+|\\[^\r\n]|(?:\r\n?|\n)(?=[ \t\r\n]))*)'",
}
"""Patterns of the strings that may run over several lines, by their delimiter. Their groups are atomic and
not possessive: Python before 3.11.5, such as Debian 12's, matches possessive groups wrongly."""
_PATTERNS = {delimiter: re.compile(pattern) for delimiter, pattern in STRINGS.items()}
_UNCLOSED_END = re.compile(r"[\r\n][^ \t\r\n]")
_SEARCH_END = re.compile(r"[\r\n][^ \t\r\n]|\\[\r\n]")
"""Behind which a later search may end otherwise: a line in column one, a backslash that ends its line."""
_LINE_END = re.compile(r"[^\r\n]*")
_CODE = re.compile(r"[A-Za-z_][\w.]*[ \t]*(?:[:+*/%-]?=|\(|//)").match


def looks_like_code(text: str, start: int = 0) -> bool:
    """Whether a line of `text` that begins at `start` can hardly be anything but a statement."""
    return _CODE(text, start) is not None


def closed_end(source: str, delimiter: str, start: int, unclosed: dict[str, int]) -> int:
    """The end of the string that opens with `delimiter` at `start`, or -1 when it is never closed.

    A failed search is remembered in `unclosed`: up to where it failed, every later search would fail as well.
    """
    if start < unclosed.get(delimiter, -1):
        return -1
    match = _PATTERNS[delimiter].match(source, start)
    if match:
        return match.end()
    failed = _SEARCH_END.search(source, start) if len(delimiter) == 1 else None
    unclosed[delimiter] = failed.start() + 1 if failed else len(source)
    return -1


def broken_end(source: str, delimiter: str, start: int) -> int:
    """Where to go on after the string at `start`, which is never closed as it should be.

    That is the end of its line, unless the line in column one that cut it off holds its other end.
    """
    cut = _given_up(source, start) - 1
    tail = _LINE_END.match(source, cut)
    if len(delimiter) == 1 and tail and tail.group().count(delimiter) % 2 and not looks_like_code(tail.group()):
        return source.index(delimiter, cut) + 1
    line_end = _LINE_END.match(source, start)
    return line_end.end() if line_end else start + 1


def _given_up(source: str, start: int) -> int:
    """Where the search for the end of a wrapped string gives up: the first line that begins in column one."""
    match = _UNCLOSED_END.search(source, start)
    return match.end() if match else len(source)

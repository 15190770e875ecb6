"""Finds the ends of strings, including strings over several lines and strings that are never closed."""

from __future__ import annotations

from pinebench.patterns import lazy_pattern

STRINGS = {
    '"""': r'"""(?>(?:[^"\\]+|\\[\s\S]|"(?!""))*)"""',
    "'''": r"'''(?>(?:[^'\\]+|\\[\s\S]|'(?!''))*)'''",
    '"': r'"(?>(?:[^"\\\r\n]+|\\[^\r\n]|(?:\r\n?|\n)(?=[ \t\r\n]))*)"',
    "'": r"'(?>(?:[^'\\\r\n]+|\\[^\r\n]|(?:\r\n?|\n)(?=[ \t\r\n]))*)'",
}
"""Patterns of strings that may continue over several lines, by their delimiter.

The groups are atomic and not possessive, because Python before 3.11.5 (such as Debian 12's) matches possessive groups
wrongly.
"""
_PATTERNS = {delimiter: lazy_pattern(pattern) for delimiter, pattern in STRINGS.items()}
_UNCLOSED_END = lazy_pattern(r"[\r\n][^ \t\r\n]")
_SEARCH_END = lazy_pattern(r"[\r\n][^ \t\r\n]|\\[\r\n]")
"""A place after which a later search may have another result: a line in column one, or a backslash at the end of a
line."""
_LINE_END = lazy_pattern(r"[^\r\n]*")
_CODE = lazy_pattern(r"[A-Za-z_][\w.]*[ \t]*(?:[:+*/%-]?=|\(|//)")


def looks_like_code(text: str, start: int = 0) -> bool:
    """Return whether the line of `text` that starts at `start` is almost certainly a statement."""
    return _CODE.match(text, start) is not None


def closed_end(source: str, delimiter: str, start: int, unclosed: dict[str, int]) -> int:
    """Return the end of the string that starts with `delimiter` at `start`, or -1 if it is never closed. `unclosed`
    caches failed searches: a search that starts before the offset of an earlier failure fails, too."""
    if start < unclosed.get(delimiter, -1):
        return -1
    match = _PATTERNS[delimiter].match(source, start)
    if match:
        return match.end()
    failed = _SEARCH_END.search(source, start) if len(delimiter) == 1 else None
    unclosed[delimiter] = failed.start() + 1 if failed else len(source)
    return -1


def broken_end(source: str, delimiter: str, start: int) -> int:
    """Return the offset at which scanning continues after the string at `start`, which is not closed properly.

    This is the end of its line. If the next line begins in column one and closes the string, it is the offset after the
    closing quotation mark.
    """
    cut = _given_up(source, start) - 1
    tail = _LINE_END.match(source, cut)
    if len(delimiter) == 1 and tail and tail.group().count(delimiter) % 2 and not looks_like_code(tail.group()):
        return source.index(delimiter, cut) + 1
    line_end = _LINE_END.match(source, start)
    return line_end.end() if line_end else start + 1


def _given_up(source: str, start: int) -> int:
    """The offset where the search for the end of a wrapped string stops: the first line that starts in column one."""
    match = _UNCLOSED_END.search(source, start)
    return match.end() if match else len(source)

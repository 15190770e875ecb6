"""Translates Java's regular expressions, which `str.match` accepts, to Python's syntax."""

from __future__ import annotations

import re
from functools import lru_cache

from pinebench.errors import UnavailableError
from pinebench.regular_expressions import Pattern

_CLASSES = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": r"\x00-\x7f",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": r"!-/:-@\[-`{-~",
    "Graph": "!-~",
    "Print": " -~",
    "Blank": r" \t",
    "Cntrl": r"\x00-\x1f\x7f",
    "XDigit": "0-9a-fA-F",
    "Space": r" \t\n\x0b\f\r",
}
_ESCAPES = {
    "z": r"\Z",
    "Z": r"(?=(?:\r\n|[\n\r\x85\u2028\u2029])?\Z)",
    "h": r"[ \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000]",
    "H": r"[^ \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000]",
    "R": r"(?:\r\n|[\n\x0b\f\r\x85\u2028\u2029])",
    "e": r"\x1b",
}


@lru_cache(128)
def compiled(pattern: str) -> Pattern:
    """Translate and parse a Java pattern. Raises UnavailableError if it is not valid or not supported here."""
    try:
        return Pattern(_translated(pattern))
    except re.error as error:
        raise UnavailableError(
            f'str.match cannot read the regular expression "{pattern[:100]}": {error}',
            "It takes Java's regular expressions, except class intersections and Unicode properties.",
        ) from error


def _translated(pattern: str) -> str:
    out: list[str] = []
    flags, pattern = _leading_flags(pattern)
    position, depth = 0, 0  # depth: inside how many brackets
    while position < len(pattern):
        letter = pattern[position]
        if letter == "\\":
            text, position = _escape(pattern, position + 1, depth > 0)
            out.append(text)
            continue
        if depth and letter == "[":
            raise re.error("a class inside a class")
        if depth and pattern.startswith("&&", position):
            raise re.error("an intersection of classes")
        if letter == "[" and not depth:
            depth = 1
            out.append("[")
            position += 1
            for start in ("^]", "]", "^"):
                if pattern.startswith(start, position):
                    out.append(start.replace("]", r"\]"))
                    position += len(start)
                    break
            continue
        if letter == "]" and depth:
            depth = 0
        if not depth and pattern.startswith("(?<", position) and pattern[position + 3 : position + 4] not in ("=", "!"):
            out.append("(?P<")
            position += 3
            continue
        out.append(letter)
        position += 1
    return flags + "".join(out)


def _leading_flags(pattern: str) -> tuple[str, str]:
    """Split leading flags from a pattern. Flags that Python has are kept; `u` and `U` do not change anything here."""
    found = re.match(r"\(\?([a-zA-Z]+)\)", pattern)
    if found is None:
        return "", pattern
    known = "".join(letter for letter in found[1] if letter in "imsx")
    return (f"(?{known})" if known else ""), pattern[found.end() :]


def _escape(pattern: str, position: int, in_class: bool) -> tuple[str, int]:
    """The translation of an escape sequence, and the position after it. `position` is after the backslash."""
    letter = pattern[position : position + 1]
    if letter == "Q":
        end = pattern.find(r"\E", position)
        text = pattern[position + 1 : end if end >= 0 else len(pattern)]
        return re.escape(text), end + 2 if end >= 0 else len(pattern)
    if letter in "pP":
        found = re.compile(r"\{(?:Is|java)?(\w+)\}|(\w)").match(pattern, position + 1)
        members = _CLASSES.get((found[1] or found[2]) if found else "")
        if found is None or members is None or (in_class and letter == "P"):
            raise re.error("an unknown Unicode property")
        if in_class:
            return members, found.end()
        return f"[{'^' if letter == 'P' else ''}{members}]", found.end()
    if letter == "k":
        found = re.compile(r"<(\w+)>").match(pattern, position + 1)
        if found is not None:
            return f"(?P={found[1]})", found.end()
    if letter in _ESCAPES and letter:
        text = _ESCAPES[letter]
        if in_class and text[0] == "[" and text[1] != "^":
            return text[1:-1], position + 1
        return text, position + 1
    return "\\" + letter, position + 1

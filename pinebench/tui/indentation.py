"""The indentation and the comment marks of lines of a script."""

from __future__ import annotations

import re
from collections.abc import Sequence

INDENT = 4
_OPENS_BLOCK = re.compile(
    r"=>[ \t]*(?://.*)?$|^[ \t]*(?:(?:export[ \t]+)?(?:type|enum)[ \t]+\w+[ \t]*$)"
    r"|(?:^|[=:\]][ \t]*|^[ \t]*else[ \t]+)[ \t]*(?:if|for|while|switch|once)\b(?!.*=>)|^[ \t]*else[ \t]*(?://.*)?$"
)
_ENDS_BLOCK = re.compile(r"^[ \t]*(?:break|continue)[ \t]*(?://.*)?$")
_BLANK = re.compile(r"[ \t]*")
_SLASHES = re.compile(r"([ \t]*)//[ ]?")


def blank(line: str) -> str:
    """Return the indentation of a line."""
    found = _BLANK.match(line)
    return found.group() if found else ""


def indent_after(before: str, *, in_brackets: bool) -> str:
    """Return the indentation of a new line after the code `before`. `in_brackets` is True if a bracket is open."""
    indent = blank(before)
    if in_brackets:
        return indent if before.rstrip()[-1:] not in "([" else indent + " " * INDENT
    if _OPENS_BLOCK.search(before):
        return indent + " " * INDENT
    if _ENDS_BLOCK.match(before) and len(indent) >= INDENT and not indent.endswith("\t"):
        return indent[:-INDENT]
    return indent


def dedented(line: str) -> str:
    """Return `line` with one step less of indentation."""
    if line.startswith("\t"):
        return line[1:]
    width = len(line) - len(line.lstrip(" "))
    return line[min(width, (width - 1) % INDENT + 1 if width else 0) :]


def commented(lines: Sequence[str]) -> list[str]:
    """Turn lines into comments. If all of them are already comments, turn them into code."""
    told = [line for line in lines if line.strip()]
    if all(map(_SLASHES.match, told)):
        return [_SLASHES.sub(r"\1", line, count=1) if _SLASHES.match(line) else line for line in lines]
    width = min(len(blank(line)) for line in told)
    return [f"{line[:width]}// {line[width:]}" if line.strip() else line for line in lines]

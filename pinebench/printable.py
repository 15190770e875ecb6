"""Makes text from outside safe to print, so that it can neither control a terminal nor fake a line.

Every text that pinebench did not write itself passes through here before it is printed: file names, settings,
arguments, scripts, and the answers of a page, a browser, a model or a service.
"""

from __future__ import annotations

import re
from typing import Any

from pinebench.patterns import lazy_pattern

_HARMLESS = "\u200c\u200d"
"""The joiners. Scripts such as Persian, and many emoji, need them, and they do not move the cursor."""

_C_NAMES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}

_SUSPECT = lazy_pattern(r"[^ -~]")

_NOT_IN_XML = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}


def printable(text: str, keep: str = "") -> str:
    """Replace control characters, line ends, bidi marks, other invisible marks and lone surrogates in `text` with
    escapes.

    The escapes are as in a Python string: `\\x1b`, `\\n`, `\\u202e`; a byte of a file name that is not UTF-8 is
    `\\xe9`. Characters in `keep` stay, for texts in which a line feed or a tab is allowed.
    """
    if text.isprintable():
        return text
    return _SUSPECT.sub(lambda match: _shown(match[0], keep), text)


def quoted_name(path: str) -> str:
    """Return `path` as git writes it in a diff: unchanged, or in quotation marks with C escapes if needed."""
    quotable = printable(path)
    if quotable == path and '"' not in path and "\\" not in path:
        return path
    inner = "".join(_in_c(character) for character in path)
    return f'"{inner}"'


def in_json(text: str) -> str:
    """Escape the characters in JSON `text` that could control a terminal. Its meaning stays the same, and so do line
    feeds between values."""
    # inside strings JSON allows any of them as \uXXXX, and outside of strings none of them occurs
    return text if text.isascii() and "\x7f" not in text else _SUSPECT.sub(_json_escape, text)


def json_text(value: object, **layout: Any) -> str:
    """Return `value` as JSON without characters that could control a terminal. All JSON is printed through this
    function.

    `layout` has options of `json.dumps`, such as `indent`. Raises the errors of `json.dumps`.
    """
    import json  # imported here, because most commands print no JSON

    return in_json(json.dumps(value, ensure_ascii=False, **layout))


def in_xml(text: str) -> str:
    """Return `text` without characters that XML does not allow, or that could control a terminal."""
    return printable(text, keep="\n").translate(_NOT_IN_XML)


def _shown(character: str, keep: str) -> str:
    if character in keep or not _steers(character):
        return character
    if "\udc80" <= character <= "\udcff":  # Python's form of a byte that could not be decoded
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _steers(character: str) -> bool:
    if character.isprintable() or character in _HARMLESS:
        return False
    from unicodedata import category  # imported here, because most text is plain

    return category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _in_c(character: str) -> str:
    code = ord(character)
    if code in _C_NAMES:
        return "\\" + _C_NAMES[code]
    if not _steers(character):
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))


def _json_escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in "\n\r\t" or not _steers(character):
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))

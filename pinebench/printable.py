"""The one door to the screen: text from elsewhere is shown so that it can neither steer a terminal nor forge a line.

Whatever a person reads and pinebench did not write itself (names of files, settings, arguments, scripts, what a page,
a browser, a model or a service says) passes through here before it is printed.
"""

from __future__ import annotations

import re
from typing import Any

_HARMLESS = "\u200c\u200d"
"""The joiners: scripts such as Persian and many emoji cannot be written without them, and they move nothing."""

_C_NAMES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}

_SUSPECT = re.compile(r"[^ -~]")

_NOT_IN_XML = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}


def printable(text: str, keep: str = "") -> str:
    """`text` with control characters, line ends, bidi marks, other invisible marks and lone surrogates as escapes.

    They look as in a Python string: `\\x1b`, `\\n`, `\\u202e`; a byte of a file name that is not UTF-8 is `\\xe9`.
    `keep` names characters that stay, for text in which a line feed or a tab means what it says.
    """
    if text.isprintable():
        return text
    return _SUSPECT.sub(lambda match: _shown(match[0], keep), text)


def quoted_name(path: str) -> str:
    """`path` as git writes it in a diff: as it is, or between quotation marks with C escapes where it must be."""
    quotable = printable(path)
    if quotable == path and '"' not in path and "\\" not in path:
        return path
    inner = "".join(_in_c(character) for character in path)
    return f'"{inner}"'


def in_json(text: str) -> str:
    """JSON `text` that means the same and holds no character that could steer a terminal; line feeds between its
    values stay."""
    # Within a string JSON allows any of them as \uXXXX, and outside of strings none of them can stand.
    return text if text.isascii() and "\x7f" not in text else _SUSPECT.sub(_json_escape, text)


def json_text(value: object, **layout: Any) -> str:
    """`value` as JSON that holds no character that could steer a terminal: the one way in which JSON is printed.

    `layout` is what `json.dumps` takes, such as `indent`; it raises what that raises.
    """
    import json  # here, because most commands print no JSON

    return in_json(json.dumps(value, ensure_ascii=False, **layout))


def in_xml(text: str) -> str:
    """`text` without the characters that XML cannot hold, or that could steer a terminal."""
    return printable(text, keep="\n").translate(_NOT_IN_XML)


def _shown(character: str, keep: str) -> str:
    if character in keep or not _steers(character):
        return character
    if "\udc80" <= character <= "\udcff":  # how Python holds a byte that could not be decoded
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _steers(character: str) -> bool:
    if character.isprintable() or character in _HARMLESS:
        return False
    from unicodedata import category  # here, because most text is plain

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

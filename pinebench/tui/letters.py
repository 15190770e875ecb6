"""Makes Textual recognise alt with a letter or symbol from its two bytes, even if the next key arrives immediately.

Otherwise Textual waits for more bytes. If the bytes of another key follow, it reads both as typed characters: over a
slow line, alt+w and a page down in one packet would write `^w` into the script.
"""

from __future__ import annotations

import string
from typing import Any, NamedTuple, cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

_BACKSPACE = "\x1b\x7f"
_SIGNS = {";": "semicolon", ",": "comma", ".": "full_stop", "<": "less_than_sign", ">": "greater_than_sign"}
_SIGNS |= {"-": "minus", "+": "plus", "=": "equals_sign"}
_DIGITS = "0"


class _Key(NamedTuple):
    """A key in the form that Textual's table has."""

    value: str


def know() -> None:
    """Add alt with letters and symbols to Textual's table of keys. No other key has a longer sequence that begins with
    the same bytes."""
    known = cast("dict[str, Any]", ANSI_SEQUENCES_KEYS)
    for letter in string.ascii_lowercase:
        known.setdefault(f"\x1b{letter}", (_Key(f"alt+{letter}"),))
    known[_BACKSPACE] = (_Key("alt+backspace"),)  # Textual takes it for ctrl+w, which closes a tab
    for digit in _DIGITS:
        known[f"\x1b{digit}"] = (_Key(f"alt+{digit}"),)
    for sign, name in _SIGNS.items():
        known[f"\x1b{sign}"] = (_Key(f"alt+{name}"),)  # Textual has letters of other alphabets for some

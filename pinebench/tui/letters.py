"""Makes Textual know a letter held with alt by its two bytes alone, however soon the next key comes.

Left to itself it waits whether more bytes follow, and where those of another key do it takes the two for typed
characters: over a slow line alt+w and a page down in one packet would write `^w` into the script.
"""

from __future__ import annotations

import string
from typing import Any, NamedTuple, cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS


class _Key(NamedTuple):
    """A key as that table has keys."""

    value: str


def know() -> None:
    """Have every terminal's letters with alt known from now on; no longer sequence begins like one of them."""
    known = cast("dict[str, Any]", ANSI_SEQUENCES_KEYS)
    for letter in string.ascii_lowercase:
        known.setdefault(f"\x1b{letter}", (_Key(f"alt+{letter}"),))

"""A few lines at the bottom of the terminal that are redrawn in the same place."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Sequence
from typing import TextIO

from pinebench.patterns import lazy_pattern

_COLOUR = lazy_pattern(r"\x1b\[[0-9;]*m")


class LiveView:
    """Draws lines over its previous lines. Each line is cut to the terminal's width, so that it does not wrap."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = 0

    def draw(self, lines: Sequence[str]) -> None:
        """Replace the previous lines with `lines`."""
        size = shutil.get_terminal_size()
        shown = [cut(line, size.columns - 1) for line in lines[: max(1, size.lines - 1)]]
        back = f"\x1b[{self._drawn}F" if self._drawn else ""
        self._stream.write(back + "\x1b[J" + "".join(f"{line}\n" for line in shown))
        self._stream.flush()
        self._drawn = len(shown)


def cut(line: str, width: int) -> str:
    """Return `line` cut to `width` columns. Colour codes do not count, and an open colour is reset at the cut."""
    shown: list[str] = []
    left = width
    coloured = False
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if _COLOUR.fullmatch(piece):
            shown.append(piece)
            coloured = piece != "\x1b[0m"
            continue
        for character in piece:
            columns = _columns(character)
            if columns > left:
                return "".join(shown) + ("\x1b[0m" if coloured else "")
            if columns >= 0:
                shown.append(character)
                left -= columns
    return "".join(shown)


def _columns(character: str) -> int:
    """The number of columns of a character; -1 for a character that must not be printed on the terminal."""
    kind = unicodedata.category(character)
    if kind in ("Cc", "Cs", "Cn", "Zl", "Zp"):
        return -1
    if kind in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

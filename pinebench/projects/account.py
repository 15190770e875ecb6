"""The saved scripts of an account on TradingView, with which a folder of files is kept in step."""

from __future__ import annotations

import hashlib
from typing import Protocol

from pinebench.tradingview.script_service import SavedScript

Answer = tuple[bool, str]
"""The answer to a save: whether the service says that it saved, and otherwise its reason."""


class ScriptAccount(Protocol):
    """The scripts that an account has saved.

    Every function raises PinebenchError if no answer came. A save may have happened then, or may happen later.
    """

    def scripts(self) -> list[SavedScript]:
        """All saved scripts, each with its newest version."""
        ...

    def source(self, script_id: str, version: str) -> str | None:
        """The text of a version; None if there is no such version."""
        ...

    def save(self, script_id: str, source: str, base: str) -> Answer:
        """Save a text as the next version. `base` is the version from which it was made.

        A service that checks `base` saves only if it is the newest version. TradingView's service does not check it, so
        the caller must look afterwards.
        """
        ...

    def create(self, name: str, source: str) -> Answer:
        """Save a text as a new script. A name that is taken is refused."""
        ...


def number_of(version: str) -> int:
    """The number of a version such as `3.0`; 0 if it is not one."""
    head = version.partition(".")[0]
    return int(head) if head.isdecimal() and len(head) < 10 else 0


def plain(text: str) -> str:
    """A text as the service keeps it: without byte order mark, with line feeds."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def digest(text: str) -> str:
    """The SHA-256 of a text; line ends and blank lines at the end do not count."""
    return hashlib.sha256(plain(text).rstrip("\n").encode("utf-8", "surrogatepass")).hexdigest()

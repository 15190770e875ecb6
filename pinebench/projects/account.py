"""The saved scripts of a TradingView account, which are synchronized with a folder of files."""

from __future__ import annotations

import hashlib
from typing import Protocol

from pinebench.tradingview.script_service import SavedScript

Answer = tuple[bool, str]
"""The answer to a save: whether the service says that it saved, and otherwise its reason."""


class ScriptAccount(Protocol):
    """The scripts that an account has saved.

    Every method raises PinebenchError if no answer came. A save may still have happened, or may happen later.
    """

    def scripts(self) -> list[SavedScript]:
        """Return all saved scripts, each with its newest version."""
        ...

    def source(self, script_id: str, version: str) -> str | None:
        """Return the text of a version; None if there is no such version."""
        ...

    def save(self, script_id: str, source: str, base: str) -> Answer:
        """Save `source` as the next version. `base` is the version that the text was edited from.

        A service that checks `base` refuses if there is a newer version. TradingView's service does not check it, so
        the caller must verify afterwards.
        """
        ...

    def create(self, name: str, source: str) -> Answer:
        """Save `source` as a new script. The service refuses a name that another script has."""
        ...


def number_of(version: str) -> int:
    """Return the number of a version such as `3.0`; 0 for anything else."""
    head = version.partition(".")[0]
    return int(head) if head.isdecimal() and len(head) < 10 else 0


def plain(text: str) -> str:
    """Return a text as the service stores it: without a byte order mark, and with line feeds as line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def digest(text: str) -> str:
    """Return the SHA-256 of a text. The kind of line ends and the blank lines at the end do not count."""
    return hashlib.sha256(plain(text).rstrip("\n").encode("utf-8", "surrogatepass")).hexdigest()

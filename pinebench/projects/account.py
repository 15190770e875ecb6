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
        """Save a text as the next version. `base` is the version that the text was edited from.

        A service that checks `base` refuses if there is a newer version. TradingView's service does not check it, so
        the caller must verify afterwards.
        """
        ...

    def create(self, name: str, source: str) -> Answer:
        """Save a text as a new script. A name that another script has is refused."""
        ...


def number_of(version: str) -> int:
    """Return the number of a version such as `3.0`; 0 for anything else."""
    head = version.partition(".")[0]
    return int(head) if head.isdecimal() and len(head) < 10 else 0


def plain(text: str) -> str:
    """Return a text in the service's form: without byte order mark, with line feeds."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def digest(text: str) -> str:
    """Return the SHA-256 of a text, without regard to line ends and to blank lines at the end."""
    return hashlib.sha256(plain(text).rstrip("\n").encode("utf-8", "surrogatepass")).hexdigest()

"""The interface for drafts in an earlier version of Pine. The caller supplies the function that converts them to v6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class VersionRemark(Protocol):
    """A remark about one line of a script that was converted to v6."""

    @property
    def line(self) -> int: ...

    @property
    def text(self) -> str: ...


class ConvertedDraft(Protocol):
    """The result of a conversion: the draft's `text` in v6, and its original `version`, or None if that is unknown.

    `refused` tells why the draft was not converted; None if it was. A v6 draft is returned unchanged, without remarks.
    """

    @property
    def text(self) -> str: ...

    @property
    def version(self) -> int | None: ...

    @property
    def remarks(self) -> Sequence[VersionRemark]: ...

    @property
    def refused(self) -> str | None: ...


Migrate = Callable[[str], ConvertedDraft]
"""Converts the text of a draft to v6. Never raises."""


def in_v6(script: str | None, migrate: Migrate) -> str | None:
    """Return the script to compare changes with: the given script, converted to v6 if possible; None without a
    script."""
    if script is None:
        return None
    brought = migrate(script)
    return script if brought.refused else brought.text

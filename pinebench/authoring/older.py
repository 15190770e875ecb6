"""The interface for drafts in an earlier version of Pine: the caller passes a function that converts them to v6."""

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
    """The result of a conversion: the draft's `text` in v6, and the `version` that it was written in, None if unknown.

    `refused` says why the draft was not converted, None if it was. A draft of v6 is returned unchanged, without
    remarks.
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
    """Return the script that changes are compared with: the given one, or its conversion to v6; None without a
    script."""
    if script is None:
        return None
    brought = migrate(script)
    return script if brought.refused else brought.text

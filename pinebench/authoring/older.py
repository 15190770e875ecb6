"""Drafts in an earlier version of Pine: brought to v6 before they are judged, by whoever the face names for that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Remarked(Protocol):
    """What is told about one line of a script that was brought to v6."""

    @property
    def line(self) -> int: ...

    @property
    def text(self) -> str: ...


class Brought(Protocol):
    """What became of a draft: its `text` in v6 and the `version` it was written in, None where nobody knows.

    `refused` says why it was left as it is, None where it was not. A draft of v6 comes back as it was, without remarks.
    """

    @property
    def text(self) -> str: ...

    @property
    def version(self) -> int | None: ...

    @property
    def remarks(self) -> Sequence[Remarked]: ...

    @property
    def refused(self) -> str | None: ...


Migrate = Callable[[str], Brought]
"""Brings the text of a draft to v6; never raises."""

"""What a migration tells a person: remarks with their lines."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """What a remark is about; the value is the word that reports use."""

    CHANGED = "changed"
    """Written anew, with the meaning it had."""
    DIFFERS = "differs"
    """Behaves otherwise in v6 than it did, or may."""
    LOOK = "look"
    """Could not be settled: a person must decide."""


class Remark(NamedTuple):
    """One remark: `line` counts in the migrated script and `was` in the old one, both from 1."""

    kind: Kind
    line: int
    was: int
    text: str

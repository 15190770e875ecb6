"""The remarks of a migration, with their lines."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class RemarkKind(Enum):
    """The kind of a remark. The value is the word that reports show."""

    CHANGED = "changed"
    """Rewritten, with the same meaning as before."""
    DIFFERS = "differs"
    """Behaves differently in v6, or may do so."""
    LOOK = "look"
    """Needs a decision by a person."""


class Remark(NamedTuple):
    """One remark. `line` is its line in the migrated script, and `was` is its line in the old script, both from 1."""

    kind: RemarkKind
    line: int
    was: int
    text: str

"""The grammar file, and what its tables are made of and known by."""

from __future__ import annotations

import zlib
from pathlib import Path

from pinebench import resources

_FORMAT = 2
"""To be raised when the shape of the tables changes."""

Reduction = tuple[int, str, str]
"""Number of children, rule, name of the builder (empty where the only child passes through)."""


def grammar_path() -> Path:
    """The grammar file, in a checkout as well as in an installed package."""
    return resources.folder("grammars") / "pine.lark"


def grammar_hash(grammar: str) -> str:
    """A short hash of the grammar's text, kept in the tables so that stale ones are never used."""
    return f"{_FORMAT}-{zlib.crc32(grammar.encode()):08x}-{len(grammar)}"

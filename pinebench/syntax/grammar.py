"""Finds the grammar file, and computes the hash by which outdated parser tables are recognized."""

from __future__ import annotations

import os
import zlib

from pinebench.files import resources

_FORMAT = 2
"""The version of the tables' format; increase it when the format changes."""

Reduction = tuple[int, str, str]
"""The number of children, the rule, and the name of the builder (empty if the only child is passed on)."""


def grammar_text() -> str:
    """Return the text of the grammar file, from a checkout or from an installed package."""
    with open(os.path.join(resources.folder_path("grammars"), "pine.lark"), encoding="utf-8") as file:
        return file.read()


def grammar_hash(grammar: str) -> str:
    """Return a short hash of the grammar's text. It is stored in the tables, so that outdated tables are never used."""
    return f"{_FORMAT}-{zlib.crc32(grammar.encode()):08x}-{len(grammar)}"

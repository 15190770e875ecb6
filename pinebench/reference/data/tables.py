"""The records of all built-ins, read from the text files beside this module.

The first line of a file says what it holds. `== KIND NAME` begins a record, whose form `pinebench.reference.records`
explains.
"""

from __future__ import annotations

import os

FILES = ("charts", "collections", "constants", "drawings", "plain", "strategy", "ta", "values")
"""The files with records, without their ending."""

Tables = dict[str, dict[str, str]]
"""Records by kind and name."""

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def read(text: str) -> Tables:
    """Return the records in the text of a file."""
    tables: Tables = {"function": {}, "variable": {}, "constant": {}}
    for part in text.removesuffix("\n").split("\n== ")[1:]:
        head, _, record = part.partition("\n")
        kind, _, name = head.partition(" ")
        tables[kind][name] = f"\n{record}\n"
    return tables


def _read_file(name: str) -> Tables:
    with open(os.path.join(_FOLDER, f"{name}.txt"), encoding="utf-8") as file:
        return read(file.read())


_TABLES = [_read_file(name) for name in FILES]
FUNCTIONS = dict(sorted(row for tables in _TABLES for row in tables["function"].items()))
VARIABLES = dict(sorted(row for tables in _TABLES for row in tables["variable"].items()))
CONSTANTS = dict(sorted(row for tables in _TABLES for row in tables["constant"].items()))

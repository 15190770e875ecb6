"""Loads the parser's tables from a module that Lark's LALR(1) analysis made, after comparing it with the grammar."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

from pinebench.records import NamedTuple
from pinebench.syntax.grammar import Reduction, grammar_hash, grammar_text

TABLES_FILE = "_tables.py"


class Tables(NamedTuple):
    """LALR(1) tables. They are tuples of constants, because Python loads these very fast.

    `states` holds, for each state, its terminals, and for each terminal the next state of a shift, or `-1 - n` for
    reduction number `n` of `reductions`. `gotos` holds, for each rule, the states before it and the states after it.
    """

    states: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...]
    reductions: tuple[Reduction, ...]
    gotos: tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...]
    start: int
    end: int


def load() -> Tables:
    """Load the tables for the packaged grammar.

    They are read from the generated module next to this file, or else from the user's cache folder. Otherwise Lark
    makes them, and they are stored in the first of the two places that is writable.
    """
    grammar = grammar_text()
    wanted = grammar_hash(grammar)
    beside = os.path.join(os.path.dirname(__file__), TABLES_FILE)
    tables = read(beside, wanted)
    if tables is not None:
        return tables
    cached = _cache_file(wanted)  # not earlier, because finding the cache folder takes as long as reading the tables
    tables = read(cached, wanted)
    if tables is not None:
        return tables
    from pinebench.syntax import generate

    text = generate.module_text(grammar)
    if not write_atomically(beside, text):
        write_atomically(cached, text)
    return _execute(text)


def make(path: str | os.PathLike[str]) -> bool:
    """Write the tables of the packaged grammar to `path`, for building the package. Return False if that is
    impossible."""
    from pinebench.syntax import generate

    return write_atomically(path, generate.module_text(grammar_text()))


def write_atomically(path: str | os.PathLike[str], text: str) -> bool:
    """Write `text` to `path` in one step, so that no reader sees a part of it. Return False if the folder is not
    writable."""
    from pinebench import files  # imported here, because the tables are rarely written
    from pinebench.errors import UsageError

    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_atomically(path, text.encode())
    except (OSError, UsageError):
        return False
    return True


def _cache_file(wanted: str) -> str:
    import platformdirs

    return os.path.join(platformdirs.user_cache_dir("pinebench"), f"tables-{wanted}.py")


def read(path: str | os.PathLike[str], wanted: str) -> Tables | None:
    """Read the tables in the module at `path`. None if there is no such file, or if its grammar's hash is not
    `wanted`."""
    if not os.path.isfile(path):
        return None
    specification = importlib.util.spec_from_file_location("pinebench.syntax._tables", path)
    if specification is None or specification.loader is None:
        return None
    module = importlib.util.module_from_spec(specification)
    try:
        specification.loader.exec_module(module)
        return _tables(vars(module)) if wanted == module.GRAMMAR_HASH else None
    except (OSError, SyntaxError, AttributeError, ValueError):
        return None


def _execute(text: str) -> Tables:
    namespace: dict[str, Any] = {}
    exec(compile(text, TABLES_FILE, "exec"), namespace)
    return _tables(namespace)


def _tables(namespace: dict[str, Any]) -> Tables:
    return Tables(*(namespace[name] for name in ("STATES", "REDUCTIONS", "GOTOS", "START", "END")))

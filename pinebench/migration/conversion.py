"""Bringing a script that is open in an editor to v6: whether that is offered, its edits, and what is told afterwards.

Editors ask for it beside the actions of `services`: `conversion` gives one more.
"""

from __future__ import annotations

from typing import NamedTuple

from pinebench.diagnostics import Edit
from pinebench.migration.dialect import reads_as_4
from pinebench.migration.migration import NEWEST, Migration, migrate
from pinebench.migration.remarks import Kind
from pinebench.services.layout import edits_between
from pinebench.syntax import Snapshot

TITLE = "Convert to Pine v6"


class Conversion(NamedTuple):
    """The `edits` that bring a script to v6, none where `migration.refused` says why it stays."""

    edits: tuple[Edit, ...]
    migration: Migration

    @property
    def report(self) -> list[str]:
        """What a person must know, a line each: what to look at, what behaves otherwise, then what is written anew."""
        kinds = (Kind.LOOK, Kind.DIFFERS, Kind.CHANGED)
        remarks = sorted(self.migration.remarks, key=lambda remark: kinds.index(remark.kind))
        return [f"line {remark.line}, {_WORDS[remark.kind]}: {remark.text}" for remark in remarks]

    @property
    def summary(self) -> str:
        """The report for a message: in one line how much, then the lines that ask for a person."""
        if self.migration.refused:
            return f"The script was left as it is: {self.migration.refused}"
        changed = sum(remark.kind is Kind.CHANGED for remark in self.migration.remarks)
        asking = self.report[: len(self.migration.remarks) - changed]
        more = [f"and {len(asking) - _SHOWN} more"] if len(asking) > _SHOWN else []
        head = f"Converted from Pine v{self.migration.version} to v{NEWEST}: {changed} places rewritten"
        return "\n".join([f"{head}, {len(asking)} to know about" if asking else head, *asking[:_SHOWN], *more])


_WORDS = {Kind.CHANGED: "changed", Kind.DIFFERS: "differs", Kind.LOOK: "look at"}
_SHOWN = 12
"""So many lines of the report fit into a message."""


def is_old(snapshot: Snapshot) -> bool:
    """Whether a script is of an earlier version: by its version line, or where it has none by its names."""
    version = snapshot.version
    return reads_as_4(snapshot) if version is None else version < NEWEST


def conversion(text: str, libraries: tuple[str, ...] = ()) -> Conversion:
    """How the script `text` becomes one of v6; `libraries` as `migrate` takes them."""
    done = migrate(text, libraries)
    return Conversion(tuple(edits_between(text, done.text)), done)

"""Converts a script in an editor to v6: decides whether to offer the conversion, and returns its edits and its report.

Editors offer the conversion next to the actions of `services`.
"""

from __future__ import annotations

from typing import NamedTuple

from pinebench.amounts import counted
from pinebench.diagnostics import Edit
from pinebench.migration.earlier_syntax import reads_as_4
from pinebench.migration.migration import NEWEST, Migration, migrate
from pinebench.migration.remarks import RemarkKind
from pinebench.services.format_edits import edits_between
from pinebench.syntax import Snapshot

TITLE = "Convert to Pine v6"


class Conversion(NamedTuple):
    """The `edits` that convert a script to v6. There are none if `migration.refused` says why it was not changed."""

    edits: tuple[Edit, ...]
    migration: Migration

    @property
    def report(self) -> list[str]:
        """The report, one line for each remark: first open decisions, then differences, then changes."""
        kinds = (RemarkKind.LOOK, RemarkKind.DIFFERS, RemarkKind.CHANGED)
        remarks = sorted(self.migration.remarks, key=lambda remark: kinds.index(remark.kind))
        return [f"line {remark.line}, {_WORDS[remark.kind]}: {remark.text}" for remark in remarks]

    @property
    def summary(self) -> str:
        """The report as a message: one line with the counts of remarks, then the lines that need attention."""
        if self.migration.refused:
            return f"The script was not changed: {self.migration.refused}"
        changed = sum(remark.kind is RemarkKind.CHANGED for remark in self.migration.remarks)
        asking = self.report[: len(self.migration.remarks) - changed]
        more = [f"and {len(asking) - _SHOWN} more"] if len(asking) > _SHOWN else []
        head = f"Converted from Pine v{self.migration.version} to v{NEWEST}: {counted(changed, 'place')} rewritten"
        return "\n".join([f"{head}, {len(asking)} to know about" if asking else head, *asking[:_SHOWN], *more])


_WORDS = {RemarkKind.CHANGED: "changed", RemarkKind.DIFFERS: "differs", RemarkKind.LOOK: "look at"}
_SHOWN = 12
"""The largest number of lines of the report that a message shows."""


def is_old(snapshot: Snapshot) -> bool:
    """Return whether a script is older than v6. Without a version line, the names that it uses decide."""
    version = snapshot.version
    return reads_as_4(snapshot) if version is None else version < NEWEST


def conversion(text: str, libraries: tuple[str, ...] = ()) -> Conversion:
    """Convert the script `text` to v6. For `libraries` see `migrate`."""
    done = migrate(text, libraries)
    return Conversion(tuple(edits_between(text, done.text)), done)

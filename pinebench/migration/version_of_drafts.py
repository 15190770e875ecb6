"""Migrates drafts that a model wrote in an earlier version of Pine, as the version line or the declaration shows."""

from __future__ import annotations

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.migration.earlier_syntax import declares_study
from pinebench.migration.migration import NEWEST, Migration, migrate
from pinebench.migration.remarks import Remark, RemarkKind
from pinebench.syntax import Document
from pinebench.syntax.document import find_version

_BEFORE_INDICATOR = "//@version=4"


def migrate_draft(text: str, libraries: tuple[str, ...] = ()) -> Migration:
    """Migrate a draft to v6 like `migrate`; read a draft that says v6 but calls `study()` as a script of v4.

    A draft is read as v4 only if it has errors as v6 and none after the migration. Otherwise the errors of the
    unchanged draft are clearer. A strategy that says v6 is never read as v4, because the defaults of v4 would change
    its orders.
    """
    done = migrate(text, libraries)
    version, place = find_version(text)
    if version != NEWEST or place is None or not declares_study(Document(text).snapshot):
        return done
    relabelled = text[: place.start] + _BEFORE_INDICATOR + text[place.end :]
    read = migrate(relabelled, libraries)
    if read.refused or read.errors or _passes(text, libraries):
        return done
    why = Remark(RemarkKind.CHANGED, 1, 1, "the script says v6, but has `study()` as in v4: it was read as v4")
    return read._replace(remarks=(why, *read.remarks))


def _passes(text: str, libraries: tuple[str, ...]) -> bool:
    return not any(each.severity is Severity.ERROR for each in open_program(text, libraries).diagnostics)

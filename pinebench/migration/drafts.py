"""Drafts that a model wrote in an earlier version of Pine, by their version line or by how they declare themselves."""

from __future__ import annotations

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.migration.dialect import declares_study
from pinebench.migration.migration import NEWEST, Migration, migrate
from pinebench.migration.remarks import Kind, Remark
from pinebench.syntax import Document
from pinebench.syntax.document import find_version

_BEFORE_INDICATOR = "//@version=4"


def migrate_draft(text: str, libraries: tuple[str, ...] = ()) -> Migration:
    """Bring a draft to v6 as `migrate` does; one that says v6 and declares itself by `study()` is read as v4.

    The latter counts only where it has no errors afterwards: else what is wrong with the draft as it stands is told
    more clearly. A script that says v6 and is a strategy stays, since older defaults would change its orders.
    """
    done = migrate(text, libraries)
    version, place = find_version(text)
    if version != NEWEST or place is None or not declares_study(Document(text).snapshot):
        return done
    relabelled = text[: place.start] + _BEFORE_INDICATOR + text[place.end :]
    read = migrate(relabelled, libraries)
    if read.refused or read.errors or _passes(text, libraries):
        return done
    why = Remark(Kind.CHANGED, 1, 1, "it says v6, and declares itself by `study()` as v4 did: it was read as v4")
    return read._replace(remarks=(why, *read.remarks))


def _passes(text: str, libraries: tuple[str, ...]) -> bool:
    return not any(each.severity is Severity.ERROR for each in open_program(text, libraries).diagnostics)

"""Migrates scripts of Pine v3, v4 and v5 to v6, and reports the changes, differences, and open decisions."""

from pinebench.migration.conversion import TITLE, Conversion, conversion, is_old
from pinebench.migration.migration import OLDEST, Migration, migrate
from pinebench.migration.remarks import Remark, RemarkKind
from pinebench.migration.version_of_drafts import migrate_draft

__all__ = [
    "OLDEST",
    "TITLE",
    "Conversion",
    "Migration",
    "Remark",
    "RemarkKind",
    "conversion",
    "is_old",
    "migrate",
    "migrate_draft",
]

"""The limits of the tables: the engine stores only the newest rows of each user, so that no user fills the disk."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from pinebench.engine import audit_log

_HOUR_MS = 3_600_000


class RowLimit(NamedTuple):
    """A limit on a table. Of a user's rows for which the SQL condition `may_go` is true, only `most` are kept: the
    first in the order `order`.

    `key` lists the columns that identify a row. In `may_go`, `:recent` is the time an hour ago. Rows that are newer are
    always kept, because a bar that is processed again after a crash must find its own rows.
    """

    table: str
    key: str
    order: str
    may_go: str
    most: int


BOUNDS = [
    RowLimit("firing", "alert, bar, number", "time desc, bar desc", "time < :recent", 20_000),
    RowLimit("ending", "alert", "time desc", "time < :recent", 10_000),
    RowLimit("outbox", "id", "created desc", "state != 'waiting' and created < :recent", 10_000),
    RowLimit("script", "id", "since desc, id desc", "problem != ''", 1_000),
]


def keep(db: sqlite3.Connection, now: int) -> None:
    """Delete the oldest rows beyond the limits. `db` must be in a transaction. `now` is in milliseconds UTC."""
    for table, key, order, may_go, most in BOUNDS:
        known = {"recent": now - _HOUR_MS, "most": most}
        counted = f"select subject from {table} where {may_go} group by subject having count(*) > :most"
        for (subject,) in db.execute(counted, known).fetchall():
            old = f"select {key} from {table} where subject = :subject and {may_go} order by {order}"
            gone = f"delete from {table} where ({key}) in ({old} limit -1 offset :most)"
            db.execute(gone, {**known, "subject": subject})
    audit_log.keep(db)

"""The limits of the tables: the engine keeps only the newest rows of each user, so that no user fills the disk."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from pinebench.engine import audit_log

_HOUR_MS = 3_600_000


class RowLimit(NamedTuple):
    """The largest number of rows of one user in a table, among the rows that `may_go`. The newest rows by `order` are
    kept.

    `key` has the columns that name a row. In `may_go`, `:recent` is the time an hour ago: newer rows are always kept.
    If a bar comes again after a kill, they show that its work is done already.
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
    """Drop the oldest rows beyond the limits, in a transaction. `now` is in milliseconds UTC."""
    for table, key, order, may_go, most in BOUNDS:
        known = {"recent": now - _HOUR_MS, "most": most}
        counted = f"select subject from {table} where {may_go} group by subject having count(*) > :most"
        for (subject,) in db.execute(counted, known).fetchall():
            old = f"select {key} from {table} where subject = :subject and {may_go} order by {order}"
            gone = f"delete from {table} where ({key}) in ({old} limit -1 offset :most)"
            db.execute(gone, {**known, "subject": subject})
    audit_log.keep(db)

"""The audit log: one line for each event of orders, alerts, strategies and the kill switch.

Lines are only ever added. The newest lines of each user are kept: the database itself refuses to delete them.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from pinebench.engine.engine_store import EngineStore
from pinebench.engine.moments import rfc3339
from pinebench.printable import printable

MOST_LINES = 100_000
"""The number of lines that are kept for each user."""
FLOOR = "audit from "
"""The prefix of the setting with the id of a user's oldest stored line."""


def write(db: sqlite3.Connection, time: int, subject: str, *words: object) -> None:
    """Add a line of `words`. `db` must be in a transaction. `time` is in milliseconds UTC. Characters that could forge
    another line are escaped."""
    line = " ".join([rfc3339(time), *(_word(each) for each in words)])
    db.execute("insert into audit (time, subject, line) values (?, ?, ?)", (time, subject, line))


class AuditLine(NamedTuple):
    """A line of the audit log, and its number, which is used to request older lines."""

    id: int
    text: str


def lines(store: EngineStore, subject: str | None = None, most: int = 1_000) -> list[str]:
    """Return the last `most` lines of a user, or of all users if `subject` is None, oldest first."""
    return [each.text for each in page(store, subject, most)]


def page(store: EngineStore, subject: str | None, most: int, before: int | None = None) -> list[AuditLine]:
    """Return the last `most` lines of a user, or of all users if `subject` is None, oldest first.

    With `before`, only lines with smaller numbers are returned.
    """
    wanted = {"subject = ?": subject, "id < ?": before}
    given = {name: value for name, value in wanted.items() if value is not None}
    where = " and ".join(given) or "true"
    rows = store.rows(f"select id, line from audit where {where} order by id desc limit ?", (*given.values(), most))
    return [AuditLine(row["id"], row["line"]) for row in reversed(rows)]


def keep(db: sqlite3.Connection) -> None:
    """Delete the oldest lines of each user who has more than `MOST_LINES`. `db` must be in a transaction."""
    counted = "select subject from audit group by subject having count(*) > ?"
    for (subject,) in db.execute(counted, (MOST_LINES,)).fetchall():
        newest = "select id from audit where subject = ? order by id desc limit 1 offset ?"
        first = db.execute(newest, (subject, MOST_LINES - 1)).fetchone()[0]
        db.execute("insert or replace into setting values (?, ?)", (f"{FLOOR}{subject}", str(first)))
        db.execute("delete from audit where subject = ? and id < ?", (subject, first))


def _word(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10f}".rstrip("0").rstrip(".")
    return printable(str(value))

"""The audit log: one line for each thing that happened to orders, alerts and the kill switch. Lines are only added."""

from __future__ import annotations

import sqlite3

from pinebench.engine.moments import rfc3339
from pinebench.engine.store import Store
from pinebench.printable import printable


def write(db: sqlite3.Connection, time: int, subject: str, *words: object) -> None:
    """Add a line in a transaction. Characters that could fake another line are written as escapes."""
    line = " ".join([rfc3339(time), *(_word(each) for each in words)])
    db.execute("insert into audit (time, subject, line) values (?, ?, ?)", (time, subject, line))


def lines(store: Store, subject: str | None = None, most: int = 1_000) -> list[str]:
    """The last `most` lines of a subject, or of all subjects with None, the oldest first."""
    where, values = ("", ()) if subject is None else ("where subject = ?", (subject,))
    rows = store.rows(f"select line from audit {where} order by id desc limit ?", (*values, most))
    return [row["line"] for row in reversed(rows)]


def _word(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10f}".rstrip("0").rstrip(".")
    return printable(str(value))

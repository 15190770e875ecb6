"""The rows that a transaction changes, as data: triggers record them, and other copies of the state apply them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

_NOTED = "_noted_change"
_PREPARED = """
create table if not exists reply (id text primary key, time integer not null, body text not null) without rowid;
create table if not exists forming (symbol text, interval text, body text not null, primary key (symbol, interval))
    without rowid;
create table if not exists place (stream text primary key, number integer not null) without rowid;
create table if not exists copied (one integer primary key, log text not null, number integer not null,
    nonce text not null);
"""
_LOCAL = ("copied",)
"""Tables whose rows belong to this copy only."""

Values = Sequence[Any]


class RowChange(NamedTuple):
    """A changed row of a table, identified by the values of its primary key. `row` has its new values, or is None if
    the row was deleted."""

    table: str
    key: Values
    row: Values | None


class Changes(NamedTuple):
    """The row changes of a transaction, and the last automatic id of each table (SQLite's sequence)."""

    rows: Sequence[RowChange]
    numbers: dict[str, int]


def prepare(db: sqlite3.Connection) -> None:
    """Create the tables that a copy needs in addition to an engine's own tables, if they are missing."""
    for statement in _PREPARED.split(";")[:-1]:
        db.execute(statement)


def watch(db: sqlite3.Connection) -> None:
    """Record all row changes of this connection from now on."""
    tables = [row[0] for row in db.execute("select name from main.sqlite_master where type = 'table'")]
    watched = {table: _columns(db, table) for table in tables if not table.startswith("sqlite_")}
    most = max(len(columns) for columns, _ in watched.values())
    places = ", ".join(f"c{number}" for number in range(most))
    db.execute(f"create temp table {_NOTED} (n integer primary key, name, gone, {places})")
    for table, (columns, _) in watched.items():
        if table in _LOCAL:
            continue
        into = ", ".join(f"c{number}" for number in range(len(columns)))
        for what, gone, version in (("insert", 0, "new"), ("update", 0, "new"), ("delete", 1, "old")):
            values = ", ".join(f'{version}."{column}"' for column in columns)
            db.execute(
                f"create temp trigger noted_{table}_{what} after {what} on main.{table} begin"
                f" insert into {_NOTED} (name, gone, {into}) values ('{table}', {gone}, {values}); end"
            )


def _columns(db: sqlite3.Connection, table: str) -> tuple[list[str], list[int]]:
    """Return the columns of a table, and the indices of the columns of its primary key."""
    rows = db.execute(f"select name, pk from pragma_table_info('{table}') order by cid").fetchall()
    keys = sorted((row[1], place) for place, row in enumerate(rows) if row[1])
    return [row[0] for row in rows], [place for _, place in keys]


def taken(db: sqlite3.Connection) -> Changes:
    """Return the changes of the transaction so far, each changed row once, and clear the record."""
    last: dict[tuple[str, tuple[Any, ...]], RowChange] = {}
    known: dict[str, tuple[list[str], list[int]]] = {}
    for row in db.execute(f"select * from temp.{_NOTED} order by n").fetchall():
        table = row[1]
        columns, keys = known.setdefault(table, _columns(db, table)) if table not in known else known[table]
        values = tuple(row[3 : 3 + len(columns)])
        key = tuple(values[place] for place in keys)
        last.pop((table, key), None)
        last[table, key] = RowChange(table, key, None if row[2] else values)
    if last:
        db.execute(f"delete from temp.{_NOTED}")
    return Changes(list(last.values()), dict(db.execute("select name, seq from sqlite_sequence").fetchall()))


def write(db: sqlite3.Connection, changes: Changes) -> None:
    """Apply the changes of another copy. They are not recorded again. `db` must be in a transaction. Raises
    sqlite3.DatabaseError for an unknown table."""
    known: dict[str, list[str]] = {}
    for table, key, row in changes.rows:
        if table not in known:
            columns, keys = _columns(db, table)
            if table in _LOCAL or not keys:
                raise sqlite3.DatabaseError(f"there is no table {table} that is copied")
            known[table] = [columns[place] for place in keys]
        if row is None:
            where = " and ".join(f'"{name}" = ?' for name in known[table])
            db.execute(f"delete from main.{table} where {where}", tuple(key))
        else:
            marks = ", ".join("?" * len(row))
            db.execute(f"insert or replace into main.{table} values ({marks})", tuple(row))
    for table, number in changes.numbers.items():
        if not db.execute("update sqlite_sequence set seq = max(seq, ?) where name = ?", (number, table)).rowcount:
            db.execute("insert into sqlite_sequence values (?, ?)", (table, number))
    db.execute(f"delete from temp.{_NOTED}")


def packed(changes: Changes) -> bytes:
    """Encode changes as bytes for the log."""
    return zlib.compress(json.dumps(changes, separators=(",", ":")).encode(), 1)


def unpacked(body: bytes) -> Changes:
    """Decode the changes that `packed` encoded. Raises ValueError for any other bytes."""
    try:
        rows, numbers = json.loads(zlib.decompress(body))
        return Changes([RowChange(*row) for row in rows], numbers)
    except (zlib.error, TypeError) as error:
        raise ValueError(str(error)) from None

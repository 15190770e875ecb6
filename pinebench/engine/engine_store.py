"""The engine's state in one SQLite file: alerts, queues, subscriptions, orders, accounts and the audit log.

Every change is one transaction, so that a process that is killed leaves the complete change or nothing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pinebench import config, databases, files
from pinebench.databases import DatabaseProblem
from pinebench.errors import UsageError
from pinebench.files.locks import Lock, LockHeld

FILE = "engine.sqlite3"
_SUBJECT = "the engine's state"
_LOCKED_SECONDS = 5
"""The seconds for which a change waits while another program has the file."""
LOCK = "engine.lock"
_TRIES, _PAUSE = 4, 0.05
"""The attempts to get a lock, and the seconds between them: a process that only checks the lock holds it briefly."""
VERSION = 1
"""The version of the tables; a later version may not be opened."""
_SCHEMA = """
create table series (symbol text, interval text, last integer not null, close real not null,
    primary key (symbol, interval)) without rowid;
create table setting (name text primary key, value text not null) without rowid;
create table alert (id text primary key, subject text not null, symbol text not null, interval text not null,
    condition text not null, frequency text not null, rearms integer not null, armed integer not null,
    expires integer, message text not null, webhook text, secret text, notifiers text not null,
    created integer not null) without rowid;
create index alert_of on alert (subject, created);
create table firing (alert text, bar integer, number integer, subject text not null, symbol text not null,
    interval text not null, condition text not null, value real, message text not null, time integer not null,
    primary key (alert, bar, number)) without rowid;
create index firing_of on firing (subject, time);
create table ending (alert text primary key, subject text not null, symbol text not null, interval text not null,
    condition text not null, reason text not null, time integer not null) without rowid;
create table notification (id integer primary key autoincrement, subject text not null, time integer not null,
    body text not null);
create index notification_of on notification (subject, id);
create table subscription (subject text primary key, symbols text, types text, delivered integer not null)
    without rowid;
create table event (id integer primary key autoincrement, subject text not null, time integer not null,
    frame text not null);
create index event_of on event (subject, id);
create table outbox (id text primary key, subject text not null, alert text not null, kind text not null,
    target text not null, secret text, body text not null, created integer not null, tries integer not null,
    due integer not null, state text not null, problem text not null) without rowid;
create index outbox_due on outbox (state, due);
create table account (subject text primary key, capital real not null, realized real not null, fees real not null,
    day integer not null, day_equity real not null) without rowid;
create table paper_order (id text primary key, turn integer not null, subject text not null, symbol text not null,
    side text not null, type text not null, quantity real not null, price real, state text not null,
    reason text not null, created integer not null, active integer, filled integer, fill_price real, fee real,
    take_profit real, stop_loss real, parent text, oco text, reduces integer not null) without rowid;
create index order_of on paper_order (subject, created);
create index order_waiting on paper_order (state);
create table position (subject text, symbol text, side text not null, quantity real not null, entry real not null,
    primary key (subject, symbol)) without rowid;
create table script (id text primary key, subject text not null, symbol text not null, interval text not null,
    source text not null, inputs text not null, since integer not null, fills integer not null,
    problem text not null) without rowid;
create table audit (id integer primary key autoincrement, time integer not null, subject text not null,
    line text not null);
create index audit_of on audit (subject, id);
create trigger audit_stays before update on audit begin select raise(abort, 'the audit log is append-only'); end;
"""
_AUDIT_REMAINS = (
    "create trigger audit_remains before delete on audit when old.id >= coalesce((select cast(value as integer)"
    " from setting where name = 'audit from ' || old.subject), 0)"
    " begin select raise(abort, 'the audit log is append-only'); end"
)
"""A trigger: only lines of the audit log before the first one to keep, set by `audit_log.keep`, can be deleted."""
_log = logging.getLogger(__name__)
TABLES = frozenset(re.findall(r"create table (\w+)", _SCHEMA))
"""The names of all tables."""


class EngineStore:
    """The file with the state. Any thread may use it. A transaction holds `lock` until it ends."""

    def __init__(self, folder: str | None = None, *, beside: bool = False) -> None:
        """Open the file in `folder`, or in the user's state folder. Raises UsageError if it cannot be opened.

        Only one engine at a time can use a folder: a second one gets UsageError. With `beside`, the file must exist,
        and an engine may use it at the same time.
        """
        folder = folder_of(folder)
        self.path = os.path.join(folder, FILE)
        self.lock = threading.RLock()
        self._depth = 0
        self._seen: int | None = 0
        self.on_commit: Callable[[sqlite3.Connection], None] | None = None
        """Called with the connection before each commit. If it raises, nothing is committed."""
        self.is_read_only = False
        """Whether nothing may be changed: the state follows another one."""
        self._held = Lock(os.path.join(folder, LOCK))
        if not beside:
            take(self._held, folder)
        elif not os.path.isfile(self.path):
            raise UsageError(f"{folder} has no state of an engine", "'pinebench mcp --trade SYMBOL' starts an engine")
        try:
            with files.open_private(self.path, "ab"):
                pass
            self._db = sqlite3.connect(
                self.path, timeout=_LOCKED_SECONDS, check_same_thread=False, isolation_level=None
            )
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            self._held.release()
            raise UsageError(f"{self.path}: the engine's state cannot be opened: {error}") from None

    def _prepare(self) -> None:
        db = self._db
        db.row_factory = sqlite3.Row
        db.execute("pragma journal_mode = wal")
        # With FULL, what was committed is also there after a loss of power.
        db.execute("pragma synchronous = full")
        for beside in ("-wal", "-shm"):
            files.restrict(self.path + beside)
        version = db.execute("pragma user_version").fetchone()[0]
        if version > VERSION:
            raise sqlite3.DatabaseError("it was written by a later version of pinebench")
        if version < VERSION:
            db.executescript(f"begin immediate; {_SCHEMA} pragma user_version = {VERSION}; commit;")
        made = db.execute("select sql from sqlite_master where name = 'audit_remains'").fetchone()
        if made is None or made["sql"].lower() != _AUDIT_REMAINS:
            db.executescript(f"begin immediate; drop trigger if exists audit_remains; {_AUDIT_REMAINS}; commit;")
        self._seen = db.execute("pragma data_version").fetchone()[0]

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit all changes in the block together, or none if it raises. A nested transaction is part of the outer
        one. Raises DatabaseProblem if the file is locked, full or damaged."""
        with self.lock:
            if self._depth:
                yield self._db
                return
            with self._explained(), databases.transaction(self._db) as db:
                self._depth = 1
                try:
                    yield db
                    if self.on_commit is not None:
                        self.on_commit(db)
                finally:
                    self._depth = 0

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise DatabaseProblem for errors of the file. Then `is_changed` is true, because the change is lost."""
        try:
            with databases.explained(_SUBJECT):
                yield
        except DatabaseProblem as problem:
            self._seen = None
            _log.error("%s: %s", self.path, problem.message)
            raise

    def is_changed(self) -> bool:
        """Return whether another process has changed the file since the last call, or a change by this process has
        failed. During a transaction no other process can change it."""
        with self.lock, self._explained():
            now = self._db.execute("pragma data_version").fetchone()[0]
            before, self._seen = self._seen, now
            return before != now

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        with self.lock, self._explained():
            return self._db.execute(query, values).fetchall()

    def row(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Row | None:
        """Return the first row of a query, or None if there is none."""
        with self.lock, self._explained():
            return self._db.execute(query, values).fetchone()

    def count(self, table: str, **values: object) -> int:
        """Return the number of rows of a table whose columns have these values."""
        where = " and ".join(f"{name} = ?" for name in values) or "true"
        return self.rows(f"select count(*) from {table} where {where}", tuple(values.values()))[0][0]

    def setting(self, name: str) -> str | None:
        """Return the value of a setting, or None if it was not set."""
        found = self.row("select value from setting where name = ?", (name,))
        return None if found is None else found["value"]

    def set(self, name: str, value: str | None) -> None:
        """Set a setting, or delete it if `value` is None."""
        with self.transaction() as db:
            if value is None:
                db.execute("delete from setting where name = ?", (name,))
            else:
                db.execute("insert or replace into setting values (?, ?)", (name, value))

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copy the current state to an empty database. Other processes may change the state meanwhile."""
        with self.lock:
            self._db.backup(other)

    def copy_from(self, other: sqlite3.Connection) -> None:
        """Replace the state with a copy of another database, in one step."""
        with self.lock:
            other.backup(self._db)

    def close(self) -> None:
        """Close the file. May be called more than once."""
        with self.lock:
            self._db.close()
            self._held.release()


def folder_of(folder: str | None) -> str:
    """Return the folder of an engine's state (default: in the user's state folder), and make it private."""
    if folder is None:
        return config.private_state_folder("engine")
    files.private_folder(folder)
    return folder


def take(lock: Lock, folder: str) -> None:
    """Lock a folder. Raises UsageError if an engine uses it, or if the lock cannot be made."""
    for left in reversed(range(_TRIES)):
        try:
            lock.acquire()
            return
        except LockHeld:
            if not left:
                hint = "stop it first, or name another folder"
                raise UsageError(f"{folder}: another engine uses this folder", hint) from None
        except OSError as error:
            raise UsageError(f"{lock.path} cannot be opened: {error.strerror}") from None
        time.sleep(_PAUSE)

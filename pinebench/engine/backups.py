"""Backups of an engine's state. They can be made while the engine runs, and restored while it is stopped."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Generator
from contextlib import closing
from typing import NamedTuple

from pinebench import files
from pinebench.engine import audit_log, risk
from pinebench.engine.engine_store import FILE, LOCK, TABLES, VERSION, EngineStore, folder_of, take
from pinebench.engine.moments import rfc3339
from pinebench.errors import UsageError
from pinebench.files.locks import Lock
from pinebench.files.regular_files import open_regular, reason

_BEFORE = "engine.before-restore-{}.sqlite3"
_COPY = "engine.restoring.sqlite3"
_WAL = b"\x02\x02"
"""The bytes in a database's header that say that its newest changes may be in a WAL file."""


class Backup(NamedTuple):
    """A copy of the state: its path, its size in bytes, and the time of the newest line in its audit log, if any."""

    path: str
    size: int
    newest: str | None


def backup(folder: str | None, path: str, *, replace: bool = False) -> Backup:
    """Copy the state in `folder` (default: the user's) to the file `path`, which only its owner can read.

    The engine may keep running: the copy is a consistent snapshot. The file appears complete and checked, or not at
    all. Raises UsageError if there is no state, if the state is damaged, if `path` exists and `replace` is false, or if
    the file cannot be written.
    """
    files.check_place(path)
    if os.path.lexists(path) and not replace:
        raise UsageError(f"{path} exists", "choose another name, or replace it with --force")
    part = f"{path}.part"
    with _telling(path), closing(EngineStore(folder, beside=True)) as store:
        with _fresh(part) as copy:
            store.copy_to(copy)
            copy.execute("pragma journal_mode = delete")
            newest = _checked(copy, store.path)
        _settle(part)
        os.replace(part, path)
        _settle(os.path.dirname(os.path.abspath(path)))
    return Backup(path, os.path.getsize(path), newest)


def restore(folder: str | None, path: str, now: int) -> Backup:
    """Replace the state in `folder` with the copy at `path`, and save the old state. `now` is in milliseconds UTC.

    The replacement is one transaction: a process that is killed leaves the old state or the new one. Trading that is
    halted stays halted. Event numbers continue after all earlier ones, so that clients that resume a stream miss
    nothing. Return the copy of the old state; its size is 0 if there was none.

    Raises UsageError if an engine runs, or if the copy is damaged or not the state of an engine.
    """
    folder = folder_of(folder)
    held = Lock(os.path.join(folder, LOCK))
    take(held, folder)
    place, before = os.path.join(folder, FILE), os.path.join(folder, _BEFORE.format(rfc3339(now).replace(":", "")))
    try:
        with _telling(path), _fresh(os.path.join(folder, _COPY)) as copy:
            _fill(copy, path)
            had = os.path.exists(place) and os.path.getsize(place) > 0
            halted = _keep(place, before) if had else None
            _prepare(copy, path, halted, now)
            with files.open_private(place, "ab"), closing(sqlite3.connect(place, isolation_level=None)) as state:
                state.execute("pragma journal_mode = wal")
                state.execute("pragma synchronous = full")
                copy.backup(state)
                newest = _checked(state, place)
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, _COPY))
    finally:
        held.release()
    return Backup(before, os.path.getsize(before) if had else 0, newest)


def _fill(copy: sqlite3.Connection, path: str) -> None:
    """Read the backup at `path` into `copy`, without changing the file."""
    with open_regular(path) as file:
        head = file.read(20)
    if head[18:] == _WAL:
        hint = "recent changes may be missing from it; make backups with 'pinebench engine backup'"
        raise UsageError(f"{path} is only a copy of the database's main file", hint)
    # Nothing else uses the file, so SQLite need not make files beside it, which a read-only folder would forbid.
    address = f"file:{_quoted(os.path.abspath(path))}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as source:
        _checked(source, path)
        source.backup(copy)
    copy.execute("pragma journal_mode = delete")


def _prepare(copy: sqlite3.Connection, path: str, halted: str | None, now: int) -> None:
    with _whole(copy):
        if halted is not None:
            copy.execute("insert or replace into setting values (?, ?)", (risk.HALTED, halted))
        copy.execute(
            "insert into sqlite_sequence select 'event', 0 where not exists (select 1 from sqlite_sequence"
            " where name = 'event')"
        )
        copy.execute("update sqlite_sequence set seq = max(seq, ?) where name = 'event'", (now,))
        audit_log.write(copy, now, "", "RESTORED", f"({os.path.basename(path)})")
    _checked(copy, path)


def _keep(place: str, before: str) -> str | None:
    """Save a copy of the state at `place` as `before`. Return why its trading is halted; None if it is not.

    A state that cannot be read is moved to `before` as it is.
    """
    try:
        with closing(sqlite3.connect(place)) as state, _fresh(f"{before}.part") as copy:
            state.backup(copy)
            found = state.execute("select value from setting where name = ?", (risk.HALTED,)).fetchone()
    except sqlite3.Error:
        for beside in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.replace(place + beside, f"{before}{beside}")
        os.replace(place, before)
        return "the state was damaged and was restored from a backup; check it, then resume trading"
    _settle(f"{before}.part")
    os.replace(f"{before}.part", before)
    return None if found is None else found[0]


@contextlib.contextmanager
def _fresh(path: str) -> Generator[sqlite3.Connection]:
    """Open a new private database at `path`. Files that an earlier run left there are removed."""
    for beside in ("", "-journal", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + beside)
    files.open_private(path, "ab").close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        yield db


@contextlib.contextmanager
def _whole(db: sqlite3.Connection) -> Generator[None]:
    db.execute("begin immediate")
    yield
    db.execute("commit")


@contextlib.contextmanager
def _telling(path: str) -> Generator[None]:
    """Turn errors of files and databases into UsageError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{path} is not a complete backup of an engine's state: {error}") from None
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {reason(error)}") from None


def _checked(db: sqlite3.Connection, path: str) -> str | None:
    """Check that a database is a complete state of an engine, and return the time of the newest line of its audit
    log (None without a line). Raises UsageError if it is not."""
    found = db.execute("pragma integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise UsageError(f"{path}: the database is damaged: {found}", "use an earlier backup, if there is one")
    version = db.execute("pragma user_version").fetchone()[0]
    tables = {row[0] for row in db.execute("select name from sqlite_master where type = 'table'")}
    if not version or not tables >= TABLES:
        raise UsageError(f"{path} is not the state of an engine", "name a file that 'pinebench engine backup' wrote")
    if version > VERSION:
        raise UsageError(f"{path} was written by a later version of pinebench", "update pinebench")
    row = db.execute("select time from audit order by id desc limit 1").fetchone()
    return None if row is None else rfc3339(row[0])


def _settle(path: str) -> None:
    """Force a file or a folder to disk (fsync)."""
    if os.name == "nt" and os.path.isdir(path):
        return
    handle = os.open(path, os.O_RDWR if os.path.isfile(path) else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _quoted(path: str) -> str:
    from urllib.parse import quote

    return quote(path)

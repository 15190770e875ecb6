"""The script store: every saved version of every script, in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pinebench import databases, files
from pinebench.databases import DatabaseProblem
from pinebench.errors import UnavailableError

_LOCKED_SECONDS = 60
"""Seconds to wait for another studio that is writing to the same file."""

_SCHEMA = """
create table if not exists script (
    id text primary key, name text not null unique collate nocase, created real not null);
create table if not exists version (
    script text not null references script (id) on delete cascade, number integer not null, title text not null,
    kind text not null, source text not null, saved real not null, primary key (script, number));
create table if not exists document (name text primary key, json text not null);
create table if not exists draft (page text primary key, json text not null);
create table if not exists desk (page text primary key, json text not null);
"""

_MOST_DRAFTS = 50
_MOST_DESKS = 20
_ATTEMPTS = 5

SAMPLE = "USER;00000000000000000000000000000001"
"""The id of the sample script that a new studio contains."""


class NameTaken(Exception):
    """Another script already has this name."""


class NewerVersion(Exception):
    """The text is based on a version that is no longer the newest; `newest` is the newest version."""

    def __init__(self, newest: StoredScript) -> None:
        super().__init__(newest.name)
        self.newest = newest


class StoredScript(NamedTuple):
    """The newest version of one script; `modified` is a Unix time in seconds."""

    id: str
    name: str
    title: str
    kind: str
    version: int
    modified: float


class Version(NamedTuple):
    """One saved version of a script. `saved` is a Unix time in seconds, and `lines` is the number of lines of its
    source."""

    number: int
    saved: float
    lines: int


class ScriptStore:
    """Scripts and small documents in SQLite. A save always adds a version and never replaces one.

    The store is thread-safe: it has one connection with a lock, and every write is a transaction. Several studios may
    share a file.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open or create the store at `path`, readable only by its owner; None keeps everything in memory."""
        self._path = path
        self._subject = f"the script store {path}"
        self._lock = threading.Lock()
        self._db, self._file = _opened_surely(path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the lock and a transaction during the body; the file exists then.

        Raises UnavailableError if the file cannot be written.
        """
        with self._lock:
            try:
                self._keep_file()
                with databases.explained(self._subject), self._db:
                    yield self._db
                self._keep_file()  # if it was deleted or replaced in this moment, what was written is copied
            except (DatabaseProblem, sqlite3.OperationalError, OSError) as error:
                advice = (
                    f"check the free space and the permissions of {self._path}; what you wrote is still in the editor"
                )
                raise UnavailableError(f"the scripts cannot be saved: {error}", advice) from None

    def _keep_file(self) -> None:
        """If the open file was deleted or replaced, copy everything into the file that is at its path now.

        Without this, SQLite would continue to use the deleted file, which nobody can open again.
        """
        if self._path is None or _identity(self._path) == self._file:
            return
        current, file = _opened_surely(self._path)
        try:
            with current:
                _copy(self._db, current)
        except BaseException:
            current.close()
            raise
        self._db.close()
        self._db, self._file = current, file

    def scripts(self) -> list[StoredScript]:
        """Return all scripts, the most recently saved script first."""
        rows = self._rows(
            "select s.id, s.name, v.title, v.kind, v.number, v.saved from script s join version v on v.script = s.id "
            "where v.number = (select max(number) from version where script = s.id) order by v.saved desc, s.name"
        )
        return [
            StoredScript(_text(id), _text(name), _text(title), _text(kind), _whole(number), _moment(saved))
            for id, name, title, kind, number, saved in rows
        ]

    def source(self, script_id: str, version: int | None = None) -> str | None:
        """Return the source of one version (None: the newest), or None if there is no such version."""
        rows = self._rows(
            "select source from version where script = ? and (? is null or number = ?) order by number desc limit 1",
            (script_id, version, version),
        )
        return _text(rows[0][0]) if rows else None

    def versions(self, script_id: str) -> list[Version]:
        """Return every version of a script, the newest first; empty if there is no such script."""
        rows = self._rows(
            "select number, saved, length(source) - length(replace(source, char(10), '')) + 1 from version "
            "where script = ? order by number desc",
            (script_id,),
        )
        return [Version(_whole(number), _moment(saved), _whole(lines)) for number, saved, lines in rows]

    def find(self, script_id: str) -> StoredScript | None:
        """Return the newest version of the script with this id, or None."""
        return next((script for script in self.scripts() if script.id == script_id), None)

    def create(self, name: str, source: str, title: str, kind: str, script_id: str | None = None) -> StoredScript:
        """Save `source` as version 1 of a new script, by default with a new id. Raises NameTaken."""
        script_id = script_id or f"USER;{uuid.uuid4().hex}"
        now = time.time()
        try:
            with self._writing() as db:
                db.execute("insert into script values (?, ?, ?)", (script_id, name, now))
                db.execute("insert into version values (?, 1, ?, ?, ?, ?)", (script_id, title, kind, source, now))
        except sqlite3.IntegrityError:
            raise NameTaken(name) from None
        return StoredScript(script_id, name, title, kind, 1, now)

    def save(self, script_id: str, source: str, title: str, kind: str, base: int | None = None) -> StoredScript | None:
        """Save `source` as the next version; return None if there is no such script. `base` is the version on which the
        text is based. Raises NewerVersion if a newer version exists."""
        with self._writing() as db:
            if base is not None:
                # Take the write lock first, because two studios may save to the same file at once.
                db.execute("update script set created = created where id = ?", (script_id,))
                newest = db.execute("select max(number) from version where script = ?", (script_id,)).fetchone()[0]
                overtaken = newest is not None and newest != base
            else:
                overtaken = False
            if not overtaken:
                db.execute(
                    "insert into version select ?, max(number) + 1, ?, ?, ?, ? from version where script = ? "
                    "having max(number) is not null",
                    (script_id, title, kind, source, time.time(), script_id),
                )
        script = self.find(script_id)
        if overtaken and script is not None:
            raise NewerVersion(script)
        return script

    def rename(self, script_id: str, name: str) -> StoredScript | None:
        """Give a script another name; return None if there is no such script. Raises NameTaken."""
        try:
            with self._writing() as db:
                db.execute("update script set name = ? where id = ?", (name, script_id))
        except sqlite3.IntegrityError:
            raise NameTaken(name) from None
        return self.find(script_id)

    def delete(self, script_id: str) -> bool:
        """Delete a script with all its versions; return False if there was no such script."""
        with self._writing() as db:
            return db.execute("delete from script where id = ?", (script_id,)).rowcount > 0

    def document(self, name: str) -> str | None:
        """Return the JSON text stored under `name` (layouts, watchlist), or None."""
        rows = self._rows("select json from document where name = ?", (name,))
        return _text(rows[0][0]) if rows else None

    def put_document(self, name: str, json: str) -> None:
        """Store a JSON text under `name`; it replaces the previous one."""
        with self._writing() as db:
            db.execute("insert or replace into document values (?, ?)", (name, json))

    def replace_document(self, name: str, before: str | None, json: str) -> bool:
        """Store `json` under `name` only if it replaces the text `before` (None: no text); return whether it did."""
        with self._writing() as db:
            if before is None:
                return db.execute("insert or ignore into document values (?, ?)", (name, json)).rowcount > 0
            where = (json, name, before)
            return db.execute("update document set json = ? where name = ? and json = ?", where).rowcount > 0

    def drafts(self) -> dict[str, str]:
        """Return the drafts (unsaved texts) as JSON, by the id of their page, the newest first."""
        rows = self._rows("select page, json from draft order by rowid desc")
        return {_text(page): _text(json) for page, json in rows}

    def put_draft(self, page: str, json: str | None) -> None:
        """Store the draft in a page's editor; None removes it. Only the newest `_MOST_DRAFTS` drafts stay."""
        with self._writing() as db:
            if json is None:
                db.execute("delete from draft where page = ?", (page,))
                return
            db.execute("insert or replace into draft values (?, ?)", (page, json))
            db.execute(
                "delete from draft where page not in (select page from draft order by rowid desc limit ?)",
                (_MOST_DRAFTS,),
            )

    def desks(self) -> dict[str, str]:
        """Return the open charts (the desk) of each page as JSON, by the page's id, the newest page first."""
        rows = self._rows("select page, json from desk order by rowid desc")
        return {_text(page): _text(json) for page, json in rows}

    def put_desk(self, page: str, json: str | None) -> None:
        """Store the open charts (the desk) of a page; None removes them. Only the newest `_MOST_DESKS` desks stay."""
        with self._writing() as db:
            db.execute("delete from desk where page = ?", (page,))
            if json is None:
                return
            db.execute("insert into desk values (?, ?)", (page, json))
            kept = "delete from desk where page not in (select page from desk order by rowid desc limit ?)"
            db.execute(kept, (_MOST_DESKS,))

    def take_desk(self, is_wanted: Callable[[str], bool]) -> str | None:
        """Remove and return the newest desk (as JSON) for which `is_wanted` returns true; None if there is none. Pages
        that ask at the same time get different desks."""
        with self._writing() as db:
            db.execute("delete from desk where page = ''")  # take the write lock before reading
            for page, json in db.execute("select page, json from desk order by rowid desc").fetchall():
                if is_wanted(_text(json)):
                    db.execute("delete from desk where page = ?", (page,))
                    return _text(json)
        return None

    def _rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock, databases.explained(self._subject), closing(self._db.execute(sql, values)) as cursor:
            return cursor.fetchall()


def _opened_surely(path: Path | None) -> tuple[sqlite3.Connection, tuple[int, int] | None]:
    """Open the store at `path`, and return it with the identity of the file that was opened.

    SQLite opens a path and does not tell which file it got. So the identity is looked at before and after; if the file
    was replaced meanwhile, it is opened again. Otherwise later writes could go into a deleted file.
    """
    for _ in range(_ATTEMPTS):
        before = _made(path)
        db = _opened(path)
        if _identity(path) == before:
            return db, before
        db.close()
    raise OSError(None, "another program keeps replacing the file", str(path))


def _made(path: Path | None) -> tuple[int, int] | None:
    """The identity of the file at `path`, which is created if it is missing."""
    if path is None:
        return None
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with files.open_private(path, "ab") as file:  # the files that SQLite puts beside it take its permissions
        found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino


def _opened(path: Path | None) -> sqlite3.Connection:
    """Open the store at `path`, and create the missing tables."""
    db = sqlite3.connect(path or ":memory:", check_same_thread=False, timeout=_LOCKED_SECONDS)
    # Invalid text in a damaged file must not make the other scripts unreadable.
    db.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        with db:
            db.execute("pragma foreign_keys = on")
            db.executescript(_SCHEMA)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _identity(path: Path | None) -> tuple[int, int] | None:
    """A value that differs for different files at the same path; None if there is no file."""
    try:
        found = os.stat(path) if path is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found is not None else None


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy everything that is missing in `target`. If another text has the number of a version, the version gets the
    next free number."""
    for id, name, created in source.execute("select id, name, created from script").fetchall():
        taken = target.execute("select 1 from script where name = ? and id <> ?", (name, id)).fetchone()
        own = f"{name} ({_text(id)[-4:]})" if taken else name
        target.execute("insert or ignore into script values (?, ?, ?)", (id, own, created))
    rows = source.execute("select script, number, title, kind, source, saved from version order by number").fetchall()
    for script, number, title, kind, text, saved in rows:
        known = target.execute("select 1 from version where script = ? and source = ?", (script, text)).fetchone()
        if known is None:
            last = target.execute("select max(number) from version where script = ?", (script,)).fetchone()[0]
            used = target.execute("select 1 from version where script = ? and number = ?", (script, number)).fetchone()
            place = last + 1 if used else number
            values = (script, place, title, kind, text, saved)
            target.execute("insert into version values (?, ?, ?, ?, ?, ?)", values)
    for table in ("document", "draft", "desk"):
        for row in source.execute(f"select * from {table}").fetchall():
            target.execute(f"insert or ignore into {table} values (?, ?)", row)


_LAST_MOMENT = 253_402_300_799.0  # the end of the year 9999


def _text(value: object) -> str:
    """The value of a text column as text. SQLite does not check types, so a damaged file may hold any value there."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value if value is not None else "")


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _moment(value: object) -> float:
    """The value of a time column in Unix seconds; 0 if it is not a valid time."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= _LAST_MOMENT else 0.0

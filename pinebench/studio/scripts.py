"""The script store: every saved version of every script, in one SQLite file."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from pinebench import files

_LOCKED_SECONDS = 60
"""Longest wait for another studio that is writing to the same file."""

_SCHEMA = """
create table if not exists script (
    id text primary key, name text not null unique collate nocase, created real not null);
create table if not exists version (
    script text not null references script (id) on delete cascade, number integer not null, title text not null,
    kind text not null, source text not null, saved real not null, primary key (script, number));
create table if not exists document (name text primary key, json text not null);
create table if not exists draft (page text primary key, json text not null);
"""

_MOST_DRAFTS = 50

SAMPLE = "USER;00000000000000000000000000000001"
"""The id of the script that a fresh studio holds."""


class NameTaken(Exception):
    """Another script already has this name."""


class Script(NamedTuple):
    """The newest version of one script; `modified` is unix time in seconds."""

    id: str
    name: str
    title: str
    kind: str
    version: int
    modified: float


class Version(NamedTuple):
    """One saved version of a script; `saved` is unix time in seconds, `lines` counts the lines of its source."""

    number: int
    saved: float
    lines: int


class ScriptStore:
    """Scripts and small documents in SQLite; saving always adds a version and never replaces one.

    Thread-safe: one connection behind a lock, transactions for every write. Several studios may share a file.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open or create the store at `path`, for its owner alone; None keeps everything in memory."""
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            files.open_private(path, "ab").close()  # the files that SQLite puts beside it take its permissions
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path or ":memory:", check_same_thread=False, timeout=_LOCKED_SECONDS)
        # A file that was damaged, or written by somebody else, must not hide the scripts that are in order.
        self._db.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            with self._lock, self._db:
                self._db.execute("pragma foreign_keys = on")
                self._db.executescript(_SCHEMA)
        except sqlite3.Error:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def scripts(self) -> list[Script]:
        """All scripts, the one saved last first."""
        rows = self._rows(
            "select s.id, s.name, v.title, v.kind, v.number, v.saved from script s join version v on v.script = s.id "
            "where v.number = (select max(number) from version where script = s.id) order by v.saved desc, s.name"
        )
        return [
            Script(_text(id), _text(name), _text(title), _text(kind), _whole(number), _moment(saved))
            for id, name, title, kind, number, saved in rows
        ]

    def source(self, script_id: str, version: int | None = None) -> str | None:
        """The source of one version, the newest when `version` is None; None when there is no such one."""
        rows = self._rows(
            "select source from version where script = ? and (? is null or number = ?) order by number desc limit 1",
            (script_id, version, version),
        )
        return _text(rows[0][0]) if rows else None

    def versions(self, script_id: str) -> list[Version]:
        """Every version of a script, the newest first; none where there is no such script."""
        rows = self._rows(
            "select number, saved, length(source) - length(replace(source, char(10), '')) + 1 from version "
            "where script = ? order by number desc",
            (script_id,),
        )
        return [Version(_whole(number), _moment(saved), _whole(lines)) for number, saved, lines in rows]

    def find(self, script_id: str) -> Script | None:
        """The script with this id, or None."""
        return next((script for script in self.scripts() if script.id == script_id), None)

    def create(self, name: str, source: str, title: str, kind: str, script_id: str | None = None) -> Script:
        """Save `source` as version 1 of a new script, by default with an id of its own; raises NameTaken."""
        script_id = script_id or f"USER;{uuid.uuid4().hex}"
        with self._lock:
            try:
                with self._db:
                    now = time.time()
                    self._db.execute("insert into script values (?, ?, ?)", (script_id, name, now))
                    self._db.execute(
                        "insert into version values (?, 1, ?, ?, ?, ?)", (script_id, title, kind, source, now)
                    )
            except sqlite3.IntegrityError:
                raise NameTaken(name) from None
        return Script(script_id, name, title, kind, 1, now)

    def save(self, script_id: str, source: str, title: str, kind: str) -> Script | None:
        """Save `source` as the next version; None when there is no such script."""
        with self._lock, self._db:
            self._db.execute(
                "insert into version select ?, max(number) + 1, ?, ?, ?, ? from version where script = ? "
                "having max(number) is not null",
                (script_id, title, kind, source, time.time(), script_id),
            )
        return self.find(script_id)

    def rename(self, script_id: str, name: str) -> Script | None:
        """Give a script another name; None when there is no such script; raises NameTaken."""
        with self._lock:
            try:
                with self._db:
                    self._db.execute("update script set name = ? where id = ?", (name, script_id))
            except sqlite3.IntegrityError:
                raise NameTaken(name) from None
        return self.find(script_id)

    def delete(self, script_id: str) -> bool:
        """Delete a script with all its versions; False when there was none."""
        with self._lock, self._db:
            return self._db.execute("delete from script where id = ?", (script_id,)).rowcount > 0

    def document(self, name: str) -> str | None:
        """The JSON text kept under `name` (layouts, watchlist), or None."""
        rows = self._rows("select json from document where name = ?", (name,))
        return _text(rows[0][0]) if rows else None

    def put_document(self, name: str, json: str) -> None:
        """Keep a JSON text under `name`, replacing the last one."""
        with self._lock, self._db:
            self._db.execute("insert or replace into document values (?, ?)", (name, json))

    def drafts(self) -> dict[str, str]:
        """The unsaved texts by the page that holds them, as JSON, the newest first."""
        rows = self._rows("select page, json from draft order by rowid desc")
        return {_text(page): _text(json) for page, json in rows}

    def put_draft(self, page: str, json: str | None) -> None:
        """Keep what stands unsaved in a page's editor, nothing where that is None; the oldest ones are dropped."""
        with self._lock, self._db:
            if json is None:
                self._db.execute("delete from draft where page = ?", (page,))
                return
            self._db.execute("insert or replace into draft values (?, ?)", (page, json))
            self._db.execute(
                "delete from draft where page not in (select page from draft order by rowid desc limit ?)",
                (_MOST_DRAFTS,),
            )

    def _rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock, closing(self._db.execute(sql, values)) as cursor:
            return cursor.fetchall()


_LAST_MOMENT = 253_402_300_799.0  # the end of the year 9999


def _text(value: object) -> str:
    """What a column of text holds, in which SQLite keeps whatever it is given."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value if value is not None else "")


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _moment(value: object) -> float:
    """A time in seconds, the beginning of time where it is none."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= _LAST_MOMENT else 0.0

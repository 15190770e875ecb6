"""Clients, codes and tokens in a private SQLite file. Only the SHA-256 of secrets is stored, so nobody who reads the
file can log in."""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Literal, NamedTuple

from pinebench import config, databases, files
from pinebench.errors import UsageError

_FILE = "serve.sqlite3"
_SUBJECT = "the file with the server's log-ins"
_LOCKED_SECONDS = 0.5
"""The seconds for which a call waits while another program has locked the file. Nobody else is answered meanwhile."""
_SCHEMA = """
create table if not exists setting (name text primary key, value text not null) without rowid;
create table if not exists client (id text primary key, metadata text not null, made real not null) without rowid;
create table if not exists family (id text primary key, client text not null, subject text not null,
    audience text not null, made real not null) without rowid;
create table if not exists code (hash text primary key, family text not null, request text not null,
    ends real not null, used integer not null default 0) without rowid;
create table if not exists token (hash text primary key, kind text not null, family text not null,
    scopes text not null, ends real not null, used integer not null default 0) without rowid;
create index if not exists token_family on token (family);
create index if not exists family_client on family (client);
"""

MOST_CLIENTS = 1_000
"""The largest number of registered clients. If there are more, the oldest client that was never approved is removed."""

Kind = Literal["access", "refresh"]


def digest(secret: str) -> str:
    """Return the SHA-256 of a code or token. It needs no salt and no slow hash, because the secret has 256 random
    bits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Family(NamedTuple):
    """One approval by the user `subject`, with all its codes and tokens. `audience` is the server's name in them."""

    id: str
    client: str
    subject: str
    audience: str


class StoredGrant(NamedTuple):
    """A code or token: its family, a code's request or a token's scopes, its expiry in Unix seconds, and whether it was
    used."""

    family: Family
    content: str
    ends: float
    used: bool


class Store:
    """The file with clients, codes and tokens, for one process or several. Its methods take less than a millisecond,
    and any thread may call them. They raise DatabaseProblem if the file is locked, full or damaged."""

    def __init__(self, folder: str | None = None, clock: Callable[[], float] = time.time) -> None:
        """Open or make the file in `folder` (default: the user's state folder). `clock` returns unix seconds. Raises
        UsageError if it cannot be opened."""
        self.clock = clock
        path = os.path.join(folder or config.private_state_folder(), _FILE)
        self._lock = threading.Lock()
        try:
            files.open_private(path, "ab").close()
            self._db = sqlite3.connect(path, timeout=_LOCKED_SECONDS, isolation_level=None, check_same_thread=False)
            self._db.execute("pragma journal_mode = wal")
            self._db.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(
                f"{path} cannot be opened: {error}", "choose another folder with PINEBENCH_STATE_DIR"
            ) from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _changing(self) -> Generator[sqlite3.Connection]:
        """Make all changes of the body, or none of them; other processes wait."""
        with self._lock, databases.explained(_SUBJECT), databases.transaction(self._db) as db:
            yield db

    def _one(self, query: str, *values: object) -> tuple[object, ...] | None:
        with self._lock, databases.explained(_SUBJECT):
            return self._db.execute(query, values).fetchone()

    def setting(self, name: str) -> str | None:
        """Return the setting `name`; None if there is none."""
        found = self._one("select value from setting where name = ?", name)
        return None if found is None else str(found[0])

    def set_setting(self, name: str, value: str) -> None:
        """Store `value` as the setting `name`."""
        with self._changing() as db:
            db.execute("insert or replace into setting values (?, ?)", (name, value))

    def add_client(self, client: str, metadata: str) -> None:
        """Store a client that registered. If there are too many, the oldest clients without an approval are removed."""
        with self._changing() as db:
            db.execute("insert into client values (?, ?, ?)", (client, metadata, self.clock()))
            db.execute(
                "delete from client where id in (select id from client"
                " where not exists (select 1 from family where client = client.id) order by made"
                " limit max(0, (select count(*) from client) - ?))",
                (MOST_CLIENTS,),
            )

    def keep_client(self, client: str, metadata: str) -> None:
        """Store a client that the owner approves, even if it was removed after its registration."""
        with self._changing() as db:
            db.execute("insert or ignore into client values (?, ?, ?)", (client, metadata, self.clock()))

    def client(self, client: str) -> str | None:
        """Return the metadata of a client that registered; None if it is not known."""
        found = self._one("select metadata from client where id = ?", client)
        return None if found is None else str(found[0])

    def add_code(self, code: str, family: Family, request: str, seconds: float) -> None:
        """Store a new family with its code, which expires after `seconds`. Expired codes and tokens are removed."""
        now = self.clock()
        with self._changing() as db:
            _tidy(db, now)
            db.execute("insert into family values (?, ?, ?, ?, ?)", (*family, now))
            db.execute("insert into code values (?, ?, ?, ?, 0)", (digest(code), family.id, request, now + seconds))

    def code(self, code: str) -> StoredGrant | None:
        """Return the record of `code`, even if it has expired or was used; None if it is not known."""
        return self._kept(
            "select family.id, client, subject, audience, request, ends, used from code"
            " join family on family.id = code.family where hash = ?",
            code,
        )

    def token(self, token: str, kind: Kind) -> StoredGrant | None:
        """Return the record of a token, even if expired or used; None if it is not known. Its content is the scopes."""
        return self._kept(
            "select family.id, client, subject, audience, scopes, ends, used from token"
            " join family on family.id = token.family where hash = ? and kind = ?",
            token,
            kind,
        )

    def _kept(self, query: str, secret: str, *more: str) -> StoredGrant | None:
        found = self._one(query, digest(secret), *more)
        if found is None:
            return None
        family, (content, ends, used) = found[:4], found[4:]
        return StoredGrant(Family(*map(str, family)), str(content), float(str(ends)), bool(used))

    def spend_code(self, code: str) -> bool:
        """Mark `code` as used. Return False if it was used before, even by another process at the same time."""
        with self._changing() as db:
            return db.execute("update code set used = 1 where hash = ? and used = 0", (digest(code),)).rowcount == 1

    def spend_refresh(self, token: str) -> bool:
        """Mark a refresh token as used, and end the access tokens of its family. Return False if it was used before."""
        hashed = digest(token)
        with self._changing() as db:
            spent = db.execute("update token set used = 1 where hash = ? and used = 0", (hashed,)).rowcount == 1
            if spent:
                db.execute(
                    "delete from token where kind = 'access' and family = (select family from token where hash = ?)",
                    (hashed,),
                )
            return spent

    def add_tokens(self, family: str, tokens: Iterable[tuple[Kind, str, str, float]]) -> bool:
        """Store new tokens of a family. Return False if the family was revoked. Each of `tokens` has its kind, the
        token, its scopes, and the seconds until it expires."""
        now = self.clock()
        rows = [(digest(token), kind, family, scopes, now + seconds) for kind, token, scopes, seconds in tokens]
        with self._changing() as db:
            if db.execute("select 1 from family where id = ?", (family,)).fetchone() is None:
                return False
            db.executemany("insert into token values (?, ?, ?, ?, ?, 0)", rows)
            return True

    def revoke(self, family: str) -> None:
        """Revoke a family: its codes and tokens are no longer accepted."""
        with self._changing() as db:
            for query in ("delete from token where family = ?", "delete from code where family = ?"):
                db.execute(query, (family,))
            db.execute("delete from family where id = ?", (family,))

    def revoke_subject(self, subject: str) -> None:
        """Revoke all families of a user. A family is one approval with all tokens that came from it."""
        with self._changing() as db:
            for table in ("token", "code"):
                db.execute(f"delete from {table} where family in (select id from family where subject = ?)", (subject,))
            db.execute("delete from family where subject = ?", (subject,))

    def revoke_all(self) -> None:
        """Revoke the tokens of every family."""
        with self._changing() as db:
            for table in ("token", "code", "family"):
                db.execute(f"delete from {table}")


def _tidy(db: sqlite3.Connection, now: float) -> None:
    """Remove codes and tokens that have ended. A used refresh token stays until its end, so that a second use is
    noticed."""
    db.execute("delete from token where ends < ?", (now,))
    db.execute(
        "delete from code where ends < ? and not exists (select 1 from token where token.family = code.family)", (now,)
    )
    db.execute(
        "delete from family where not exists (select 1 from token where family = family.id)"
        " and not exists (select 1 from code where family = family.id)"
    )


def new_secret() -> str:
    """Return 256 new random bits as text, for a code, a token or a name."""
    return secrets.token_urlsafe(32)

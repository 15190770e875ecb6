"""Explains problems with SQLite files: a file that is locked, damaged or not writable, or a full disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from pinebench.errors import UnavailableError

_LOCKED = {"SQLITE_BUSY", "SQLITE_LOCKED"}
_DAMAGED = {"SQLITE_CORRUPT", "SQLITE_NOTADB"}
_REASONS = {
    "SQLITE_FULL": ("its disk is full", "free space on the disk; nothing was changed"),
    "SQLITE_READONLY": (
        "it cannot be written",
        "check the permissions of the file and of its folder; nothing was changed",
    ),
    "SQLITE_CANTOPEN": ("it cannot be opened", "check that its folder is there and can be written"),
    "SQLITE_IOERR": ("its disk does not answer", "check the disk and its free space; nothing was changed"),
}


class DatabaseProblem(UnavailableError, sqlite3.DatabaseError):
    """An SQLite file cannot be used now. The failed change left the file as it was.

    It is also an SQLite error, so code that handles SQLite errors handles this one. `is_passing` says whether the same
    change may succeed later. It is false if the file is damaged.
    """

    def __init__(self, message: str, hint: str, *, is_passing: bool) -> None:
        super().__init__(message, hint)
        self.is_passing = is_passing

    def __str__(self) -> str:
        return self.message


def problem(error: sqlite3.Error, subject: str) -> DatabaseProblem | None:
    """Return the problem with the file that caused `error`, or None if the error is about a query, not about the file.

    `subject` names the file in the message, such as "the engine's state"; leave its path out if strangers may read the
    message.
    """
    if isinstance(error, DatabaseProblem):
        return error
    name = _kind(error)
    if name in _LOCKED:
        hint = "nothing was changed; try again, and close the other program if this happens again"
        return DatabaseProblem(f"{subject} is locked by another program", hint, is_passing=True)
    if name in _DAMAGED:
        hint = "keep a copy of the file, then restore a backup, or move the file away: pinebench then makes a new one"
        return DatabaseProblem(f"{subject} is damaged: {error}", hint, is_passing=False)
    if name in _REASONS:
        why, hint = _REASONS[name]
        return DatabaseProblem(f"{subject} cannot be used: {why}", hint, is_passing=True)
    return None


def _kind(error: sqlite3.Error) -> str:
    """The primary name of SQLite for an error, for example SQLITE_IOERR for SQLITE_IOERR_WRITE; empty without one."""
    name: str = getattr(error, "sqlite_errorname", "")
    return "_".join(name.split("_")[:2])


@contextmanager
def explained(subject: str) -> Generator[None]:
    """Convert SQLite errors about the file `subject` to DatabaseProblem. Errors about a query pass unchanged."""
    try:
        yield
    except sqlite3.Error as error:
        found = problem(error, subject)
        if found is None:
            raise
        raise found from error


@contextmanager
def transaction(db: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """Commit all changes of the body, or none. The connection stays usable, even after a failed commit.

    The connection must have `isolation_level=None`, so that Python begins no transaction of its own.
    """
    db.execute("begin immediate")
    try:
        yield db
        db.execute("commit")
    except BaseException:
        # A full disk ends the transaction, and a busy file does not: SQLite decides what is still open.
        if db.in_transaction:
            db.execute("rollback")
        raise

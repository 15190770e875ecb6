"""What went wrong with an SQLite file is a sentence, nothing of a failed change stays, and the connection goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pinebench import databases
from pinebench.databases import DatabaseProblem
from pinebench.errors import UnavailableError


def opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=0.01)
    db.execute("create table if not exists entry (text text)")
    return db


def add(db: sqlite3.Connection, text: str) -> None:
    with databases.explained("the diary"), databases.transaction(db):
        db.execute("insert into entry values (?)", (text,))


def entries(db: sqlite3.Connection) -> list[str]:
    return [row[0] for row in db.execute("select text from entry")]


def test_a_locked_file_is_a_sentence_and_works_again(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "file")) as db, closing(opened(tmp_path / "file")) as other:
        other.execute("begin exclusive")
        with pytest.raises(DatabaseProblem, match="the diary is locked by another program") as caught:
            add(db, "one")
        assert caught.value.is_passing
        assert isinstance(caught.value, UnavailableError)
        assert caught.value.hint and "try again" in caught.value.hint
        other.execute("rollback")
        add(db, "two")
        assert entries(db) == ["two"]


def test_a_commit_that_is_locked_out_is_undone(tmp_path: Path) -> None:
    """A reader keeps a writer from committing. What it wrote must not stay open, or the next change cannot begin."""
    with closing(opened(tmp_path / "file")) as db, closing(opened(tmp_path / "file")) as other:
        other.execute("begin")
        entries(other)
        with pytest.raises(DatabaseProblem, match="locked"):
            add(db, "one")
        other.execute("rollback")
        add(db, "two")
        assert entries(db) == entries(other) == ["two"]


def test_a_full_disk_is_a_sentence_and_works_again(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "file")) as db:
        pages = db.execute("pragma page_count").fetchone()[0]
        db.execute(f"pragma max_page_count = {pages}")
        with pytest.raises(DatabaseProblem, match="cannot be used: its disk is full") as caught:
            add(db, "x" * 100_000)
        assert caught.value.is_passing
        db.execute("pragma max_page_count = 1000000")
        add(db, "two")
        assert entries(db) == ["two"]


def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with closing(opened(path)) as db:
        add(db, "x" * 100_000)
    content = path.read_bytes()
    for name, damaged in (("page", content[:4096] + b"\xff" * (len(content) - 4096)), ("head", b"y" * len(content))):
        path.write_bytes(damaged)
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as db,
            pytest.raises(DatabaseProblem, match="the diary is damaged") as caught,
        ):
            add(db, "two")
        assert not caught.value.is_passing, name


def test_faults_of_a_query_are_not_told_as_faults_of_the_file(tmp_path: Path) -> None:
    with (
        closing(opened(tmp_path / "file")) as db,
        pytest.raises(sqlite3.OperationalError, match="no such table"),
        databases.explained("the diary"),
    ):
        db.execute("select text from missing")

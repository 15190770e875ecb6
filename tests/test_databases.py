"""What went wrong with an SQLite file is a sentence, nothing of a failed change stays, and the connection goes on."""

import sqlite3
from collections.abc import Callable
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


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a page": lambda content: content[:4096] + b"\xff" * (len(content) - 4096),
    "the head": lambda content: b"y" * len(content),
    "cut off in a page": lambda content: content[: len(content) // 2 + 100],
    "cut off after a page": lambda content: content[:4096],
    "cut off in the head": lambda content: content[:50],
    "zeros": lambda content: content[:4096] + bytes(len(content) - 4096),
    "another program's file": lambda content: b"PK\x03\x04" + content[4:],
    "the size of its pages": lambda content: content[:16] + b"\x03\x07" + content[18:],
    "the first page": lambda content: content[:100] + b"\xaa" * 3996 + content[4096:],
    "pages in another order": lambda content: content[:4096] + content[8192:] + content[4096:8192],
}


def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    """Whatever is damaged, who reads or writes it gets a sentence, and no other error."""
    path = tmp_path / "file"
    with closing(opened(path)) as db:
        for _ in range(5):
            add(db, "x" * 10_000)
    content = path.read_bytes()
    for name, damaged in DAMAGES.items():
        path.write_bytes(damaged(content))
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as db,
            pytest.raises(DatabaseProblem, match="the diary is damaged") as caught,
            databases.explained("the diary"),
        ):
            entries(db)
            add(db, "x" * 100_000)
            pytest.fail(f"{name}: nobody noticed it")
        assert not caught.value.is_passing, name


LOCKS = ("begin exclusive", "begin immediate", "begin; insert into entry values ('theirs')", "begin; delete from entry")


def test_a_lock_of_any_kind_is_a_sentence_and_passes(tmp_path: Path) -> None:
    for mode in ("delete", "wal", "truncate"):
        path = tmp_path / mode
        with closing(opened(path)) as db, closing(opened(path)) as other:
            db.execute(f"pragma journal_mode = {mode}")
            for number, lock in enumerate(LOCKS):
                for statement in lock.split("; "):
                    other.execute(statement)
                with pytest.raises(DatabaseProblem, match="locked by another program") as caught:
                    add(db, "lost")
                assert caught.value.is_passing
                other.execute("rollback")
                add(db, str(number))
            assert entries(db) == [*map(str, range(len(LOCKS)))], mode


def test_faults_of_a_query_are_not_told_as_faults_of_the_file(tmp_path: Path) -> None:
    with (
        closing(opened(tmp_path / "file")) as db,
        pytest.raises(sqlite3.OperationalError, match="no such table"),
        databases.explained("the diary"),
    ):
        db.execute("select text from missing")

"""A studio from opening to closing: what keeps it from starting is said in one line."""

import sqlite3
from pathlib import Path

import pytest

from pinebench.errors import UnavailableError
from pinebench.studio.session import StudioSession


def test_a_store_that_is_no_database_is_named(tmp_path: Path) -> None:
    store = tmp_path / "studio.sqlite3"
    store.write_bytes(b"no database at all, but long enough to be looked into" * 20)
    with pytest.raises(UnavailableError, match=r"studio\.sqlite3 cannot be used: file is not a database"):
        StudioSession(store=store)


@pytest.mark.live
def test_a_store_with_other_tables_is_named(tmp_path: Path) -> None:
    store = tmp_path / "studio.sqlite3"
    with sqlite3.connect(store) as other:
        other.execute("create table document (other text)")
    other.close()
    with pytest.raises(UnavailableError, match="cannot be used"):
        StudioSession(store=store)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UnavailableError, match="cannot be used"):
        StudioSession(store=tmp_path / "file" / "studio.sqlite3")

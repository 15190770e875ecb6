"""The script store: nothing saved is ever lost."""

import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from pinebench.errors import UnavailableError
from pinebench.studio.scripts import NameTaken, ScriptStore


def test_a_script_is_found_again_with_its_source(tmp_path: Path) -> None:
    store = ScriptStore(tmp_path / "sub" / "scripts.sqlite3")
    made = store.create("Mine", "plot(1) // 😀", "Title", "indicator")
    store.close()
    again = ScriptStore(tmp_path / "sub" / "scripts.sqlite3")
    assert again.scripts() == [made]
    assert again.source(made.id) == "plot(1) // 😀"
    assert (made.version, made.kind, made.title) == (1, "indicator", "Title")


def test_saving_adds_a_version_and_keeps_the_old_ones() -> None:
    store = ScriptStore()
    made = store.create("Mine", "first", "A", "indicator")
    saved = store.save(made.id, "second", "B", "strategy")
    assert saved is not None
    assert (saved.version, saved.title, saved.kind) == (2, "B", "strategy")
    assert [store.source(made.id, version) for version in (None, 1, 2, 3)] == ["second", "first", "second", None]


def test_a_name_belongs_to_one_script() -> None:
    store = ScriptStore()
    store.create("Mine", "", "", "")
    other = store.create("Other", "", "", "")
    with pytest.raises(NameTaken):
        store.create("mine", "", "", "")
    with pytest.raises(NameTaken):
        store.rename(other.id, "MINE")
    assert sorted(script.name for script in store.scripts()) == ["Mine", "Other"]


def test_the_script_saved_last_comes_first() -> None:
    store = ScriptStore()
    first, second = store.create("A", "", "", ""), store.create("B", "", "", "")
    assert store.scripts()[0].id == second.id
    store.save(first.id, "x", "", "")
    assert store.scripts()[0].id == first.id


def test_what_is_not_there_is_not_saved_renamed_or_deleted() -> None:
    store = ScriptStore()
    assert store.save("USER;x", "", "", "") is None
    assert store.rename("USER;x", "y") is None
    assert store.delete("USER;x") is False
    assert store.scripts() == []


def test_deleting_takes_all_versions() -> None:
    store = ScriptStore()
    made = store.create("Mine", "a", "", "")
    store.save(made.id, "b", "", "")
    assert store.delete(made.id)
    assert store.source(made.id, 1) is None


def test_eight_threads_saving_lose_nothing(tmp_path: Path) -> None:
    stores = [ScriptStore(tmp_path / "scripts.sqlite3") for _ in range(2)]
    made = stores[0].create("Mine", "0", "", "")

    def work(number: int) -> None:
        for i in range(20):
            assert stores[number % 2].save(made.id, f"{number}:{i}", "", "") is not None

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sources = {stores[0].source(made.id, version) for version in range(2, 162)}
    assert sources == {f"{number}:{i}" for number in range(8) for i in range(20)}


DAMAGE = [
    "update version set saved = 'x'",
    "update version set saved = 9e999",
    "update version set saved = -9e999",
    "update version set saved = x'00ff'",
    "update version set title = x'ff00', kind = 7, source = cast(x'ff41' as text)",
    "update script set name = x'41ff'",
    "update script set name = cast(x'41ff' as text), created = 'x'",
    "update version set number = 'x'",
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_row_hides_no_script(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "studio.sqlite3"
    ScriptStore(path).create("Mine", "plot(1)", "Mine", "indicator")
    with sqlite3.connect(path) as other:
        other.execute(damage)
    other.close()
    store = ScriptStore(path)
    store.create("Other", "plot(2)", "Other", "indicator")
    listed = store.scripts()
    assert len(listed) == 2
    assert all(isinstance(value, str) for script in listed for value in script[:4])
    assert all(0 <= script.modified < 1e12 for script in listed)
    assert "plot(2)" in [store.source(script.id) for script in listed]
    for script in listed:
        assert store.versions(script.id)


@pytest.mark.skipif(os.name == "nt", reason="permissions are of another kind there")
def test_the_store_is_its_owners_alone_and_an_open_one_is_corrected(tmp_path: Path) -> None:
    path = tmp_path / "state" / "studio.sqlite3"
    ScriptStore(path).close()
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.chmod(0o644)
    store = ScriptStore(path)
    store.create("Mine", "", "", "")
    assert {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {path.name: 0o600}


def test_a_deleted_folder_takes_nothing_with_it(tmp_path: Path) -> None:
    path = tmp_path / "state" / "scripts.sqlite3"
    store = ScriptStore(path)
    made = store.create("Mine", "first", "A", "indicator")
    store.put_document("layouts", "[]")
    shutil.rmtree(path.parent)
    saved = store.save(made.id, "second", "A", "indicator")
    assert saved is not None and saved.version == 2
    store.put_draft("page", '"x"')
    store.close()
    again = ScriptStore(path)
    assert [again.source(made.id, version) for version in (1, 2)] == ["first", "second"]
    assert again.document("layouts") == "[]" and again.drafts() == {"page": '"x"'}
    assert path.stat().st_mode & 0o777 == 0o600
    again.close()


def test_another_file_in_its_place_keeps_what_both_hold(tmp_path: Path) -> None:
    path = tmp_path / "scripts.sqlite3"
    store = ScriptStore(path)
    made = store.create("Mine", "ours", "A", "indicator", "USER;1")
    backup = ScriptStore(tmp_path / "backup.sqlite3")
    backup.create("Mine", "theirs", "A", "indicator", "USER;1")
    backup.create("Second", "also theirs", "B", "indicator", "USER;2")
    backup.close()
    os.replace(tmp_path / "backup.sqlite3", path)
    store.save(made.id, "newer", "A", "indicator")
    assert [store.source("USER;1", version) for version in (1, 2, 3)] == ["theirs", "ours", "newer"]
    assert store.source("USER;2") == "also theirs"
    store.close()


def test_what_cannot_be_saved_is_said_and_what_is_kept_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "state" / "scripts.sqlite3"
    store = ScriptStore(path)
    made = store.create("Mine", "first", "A", "indicator")
    shutil.rmtree(path.parent)
    path.parent.write_text("a file where the folder was")
    with pytest.raises(UnavailableError, match="cannot be saved"):
        store.save(made.id, "second", "A", "indicator")
    assert store.source(made.id) == "first"
    path.parent.unlink()
    assert store.save(made.id, "second", "A", "indicator") is not None
    store.close()


def test_a_full_a_locked_and_a_damaged_store_are_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.studio.scripts._LOCKED_SECONDS", 0.01)
    path = tmp_path / "scripts.sqlite3"
    store = ScriptStore(path)
    made = store.create("Mine", "first", "A", "indicator")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin exclusive")
        with pytest.raises(UnavailableError, match=r"cannot be saved: .* is locked by another program"):
            store.save(made.id, "second", "A", "indicator")
        with pytest.raises(UnavailableError, match="is locked by another program"):
            store.scripts()
        other.execute("rollback")
    # A full disk: SQLite gets no page more.
    store._db.execute(f"pragma max_page_count = {store._db.execute('pragma page_count').fetchone()[0]}")
    with pytest.raises(UnavailableError, match=r"cannot be saved: .* its disk is full"):
        store.save(made.id, "x" * 100_000, "A", "indicator")
    store._db.execute("pragma max_page_count = 1000000")
    assert store.source(made.id) == "first"
    saved = store.save(made.id, "x" * 100_000, "A", "indicator")
    assert saved is not None and saved.version == 2
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    store = ScriptStore(path)
    with pytest.raises(UnavailableError, match=r"cannot be saved: .* is damaged"):
        store.create("Other", "x" * 100_000, "A", "indicator")
    with pytest.raises(UnavailableError, match="is damaged"):
        store.scripts()
    store.close()

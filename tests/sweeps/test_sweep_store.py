"""The runs of a sweep on disk: a locked, full or damaged file is a sentence, and what was kept stays."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

import pytest

from pinebench import config
from pinebench.databases import DatabaseProblem
from pinebench.sweeps import sweep_store as stores
from pinebench.sweeps.combination_runs import RunOutcome
from pinebench.sweeps.sweep_store import SweepStore


def outcome(number: int) -> RunOutcome:
    """A run that failed, with a long reason."""
    return RunOutcome({"length": number}, error="x" * 10_000)


@contextmanager
def locked(path: Path) -> Generator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin exclusive")
        yield
        other.execute("rollback")


def test_what_a_file_does_not_take_is_a_sentence_and_can_be_kept_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_LOCKED_SECONDS", 0.01)
    path = Path(config.private_state_folder("sweeps")) / "one" / "runs.sqlite"
    with SweepStore("one", resume=False) as store:
        store.add([outcome(1)])
        with locked(path), pytest.raises(DatabaseProblem, match=r"runs\.sqlite, is locked by another program"):
            store.add([outcome(2)])
        base = store._base
        base.execute(f"pragma max_page_count = {base.execute('pragma page_count').fetchone()[0]}")
        with pytest.raises(DatabaseProblem, match="its disk is full"):
            for number in range(3, 100):
                store.add([outcome(number)])
        base.execute("pragma max_page_count = 1000000")
        kept = len(store)
        store.add([outcome(200)])
    with SweepStore("one", resume=True) as store:
        assert len(store) == kept + 1
        for number, is_kept in ((1, True), (2, False), (200, True)):
            assert (store.get(stores.key_of({"length": number})) is not None) == is_kept


def test_a_damaged_file_is_a_sentence_and_leaves_no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(config.private_state_folder("sweeps")) / "two" / "runs.sqlite"
    with SweepStore("two", resume=False) as store:
        for number in range(20):
            store.add([outcome(number)])
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    for _ in range(2):
        with pytest.raises(DatabaseProblem, match="is damaged") as caught:
            SweepStore("two", resume=True)
        assert "move the file away" in cast("str", caught.value.hint)
    with SweepStore("two", resume=False) as store:
        assert len(store) == 0

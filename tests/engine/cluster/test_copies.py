"""Copies of a state: the same rows everywhere, no change without the log, and no log that lacks what was kept."""

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pinebench.engine.cluster import copies, row_changes
from pinebench.engine.cluster.copies import Copy
from pinebench.engine.cluster.log import IncompleteLog, NewEntry, Stale, Unreachable, changes_of
from pinebench.engine.cluster.row_changes import Changes, RowChange
from pinebench.engine.engine_store import TABLES
from tests.engine.cluster.memory import MemoryLog
from tests.engine.cluster.support import World, rows


def leading(world: World, name: str = "one") -> Copy:
    copy = world.copy(name)
    lease = world.log.acquire("group:0", 10_000)
    assert lease is not None
    copy.lead(lease, lambda db: None)
    return copy


def edit(copy: Copy, numbers: Random) -> None:
    """One transaction with a few changes of any kind."""
    with copy.store.transaction() as db:
        for _ in range(numbers.randint(1, 6)):
            name, value = f"k{numbers.randint(0, 9)}", numbers.choice([0.1 + 0.2, 1e300, -0.0, 2.5, 7])
            match numbers.randint(0, 6):
                case 0:
                    db.execute(
                        "insert or replace into setting values (?, ?)",
                        (name, "é\x00'\" \ud83d".encode("utf-8", "replace").decode()),
                    )
                case 1:
                    db.execute("delete from setting where name = ?", (name,))
                case 2:
                    db.execute("insert into event (subject, time, frame) values (?, 1, '{}')", (name,))
                case 3:
                    db.execute("delete from event where id = (select max(id) from event)")
                case 4:
                    db.execute("insert or ignore into account values (?, ?, 0, 0, 1, ?)", (name, value, value))
                    db.execute("update account set realized = realized + ? where subject = ?", (value, name))
                case 5:
                    db.execute("insert or replace into position values (?, 'S', 'buy', ?, ?)", (name, value, value))
                    db.execute("update position set quantity = quantity / 3 where subject = ?", (name,))
                case _:
                    db.execute("insert into audit (time, subject, line) values (1, ?, 'x')", (name,))


@pytest.mark.parametrize("seed", range(4))
def test_a_follower_gets_the_same_rows_also_from_the_middle_on(tmp_path: Path, seed: int) -> None:
    world, numbers = World(tmp_path), Random(seed)
    leader, near, far = leading(world), world.copy("near"), world.copy("far")
    for _ in range(40):
        edit(leader, numbers)
        if numbers.random() < 0.3:
            near.follow(0)
    for follower in (near, far):
        while follower.follow(0):
            pass
        assert follower.number == leader.number > 20
        assert rows(follower.store, *sorted(TABLES)) == rows(leader.store, *sorted(TABLES))
        # A number that was given is never given again, by whoever leads.
        assert rows(follower.store, "sqlite_sequence") == rows(leader.store, "sqlite_sequence")


def test_a_change_is_in_the_log_before_it_is_kept_and_never_without_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    copy = leading(world)
    copy.store.set("a", "1")
    world.lose()
    with pytest.raises(Stale):
        copy.store.set("a", "2")
    copy.cease()
    with pytest.raises(Stale):
        copy.store.set("a", "3")
    assert copy.store.setting("a") == "1"
    assert world.log.ends(changes_of(0)) == (1, 1)
    with copy.store.transaction() as db:  # nothing changed, so that nothing is refused
        db.execute("delete from setting where name = 'none'")


def test_a_change_whose_answer_was_lost_is_taken_from_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path)
    copy, append = leading(world), MemoryLog.append

    def cut_off(self: MemoryLog, *given: Any, **more: Any) -> int:
        append(self, *given, **more)
        raise Unreachable("the connection broke")

    monkeypatch.setattr(MemoryLog, "append", cut_off)
    with pytest.raises(Unreachable):
        copy.store.set("a", "1")
    monkeypatch.undo()
    assert copy.store.setting("a") is None
    copy.cease()
    copy.check()
    assert len(copy.follow(0)) == 1
    assert copy.store.setting("a") == "1"
    assert copy.follow(0) == []


def test_a_log_that_lost_something_is_refused(tmp_path: Path) -> None:
    world = World(tmp_path)
    copy = leading(world)
    for number in range(3):
        copy.store.set("a", str(number))
    copy.cease()
    with pytest.raises(IncompleteLog, match="does not belong to this state"):
        _moved(copy, MemoryLog(world.clock))
    shorter = MemoryLog(world.clock)
    shorter._identity = world.log.identity()
    shorter.append([NewEntry(changes_of(0), b"")], "n")
    with pytest.raises(IncompleteLog, match="lost changes 2 to 3"):
        _moved(copy, shorter)
    for _ in range(2):
        shorter.append([NewEntry(changes_of(0), b"")], "n")
    with pytest.raises(IncompleteLog, match=r"change 3 of group 0 .* differs"):
        _moved(copy, shorter)
    _moved(copy, world.log)


def _moved(copy: Copy, log: MemoryLog) -> None:
    copy._log = log
    copy.check()


def test_a_new_copy_begins_with_the_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "SNAPSHOT_EACH", 10)
    world, numbers = World(tmp_path), Random(1)
    leader, late = leading(world), world.copy("late")
    edit(leader, numbers)
    late.follow(0)
    for _ in range(40):
        edit(leader, numbers)
        leader.snapshot()
    first, last = world.log.ends(changes_of(0))
    assert 1 < first <= last - 4
    with pytest.raises(IncompleteLog):
        late.follow(0)
    late.check()
    for copy in (late, world.copy("new")):
        while copy.follow(0):
            pass
        assert rows(copy.store, *sorted(TABLES)) == rows(leader.store, *sorted(TABLES))
    # It can lead, and what it changes is noted.
    leader.cease()
    world.lose()
    lease = world.log.acquire("group:0", 10_000)
    assert lease is not None
    late.lead(lease, lambda db: None)
    late.store.set("by", "late")
    while leader.follow(0):
        pass
    assert leader.store.setting("by") == "late"


def test_without_a_snapshot_a_hole_in_the_changes_is_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    leader = leading(world)
    for number in range(5):
        leader.store.set("a", str(number))
    world.log.cut(changes_of(0), 3)
    with pytest.raises(IncompleteLog, match="no longer has changes before 3"):
        world.copy("new")


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"x\x9c", row_changes.packed(Changes([RowChange("copied", (1,), (1, "x", 99, "x"))], {})),
     row_changes.packed(Changes([RowChange("sqlite_master", (1,), None)], {})),
     row_changes.packed(Changes([RowChange("setting", ("a",), ("a",))], {}))],
)  # fmt: skip
def test_a_change_that_is_not_understood_changes_nothing(tmp_path: Path, body: bytes) -> None:
    world = World(tmp_path)
    copy = world.copy("one")
    world.log.append([NewEntry(changes_of(0), body)], "n")
    before = rows(copy.store, *sorted(TABLES))
    with pytest.raises((ValueError, sqlite3.Error)):
        copy.follow(0)
    assert copy.number == 0
    assert rows(copy.store, *sorted(TABLES)) == before

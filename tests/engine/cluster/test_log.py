"""The contract of a log, which Redis and the log of the other tests keep."""

import threading
from collections.abc import Iterator

import pytest

from pinebench.engine.cluster.log import UPDATES, ClusterLog, IncompleteLog, Lease, NewEntry, Stale, group_of
from tests.engine.cluster.broker import Broker
from tests.engine.cluster.memory import MemoryLog
from tests.engine.exchange import until


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.soak)])
def log(request: pytest.FixtureRequest) -> Iterator[ClusterLog]:
    if request.param == "memory":
        yield MemoryLog()
        return
    with Broker() as broker:
        yield broker.log()


def bodies(log: ClusterLog, stream: str, after: int = 0) -> list[bytes]:
    return [entry.body for entry in log.read({stream: after}, 100, 0)[stream]]


def test_entries_are_numbered_without_gaps_and_know_the_time_and_the_updates_before_them(log: ClusterLog) -> None:
    assert log.ends("a") == (1, 0)
    assert [log.append([NewEntry("a", b"1")], "n1"), log.append([NewEntry("a", b"2")], "n2")] == [1, 2]
    log.append([NewEntry(UPDATES, b"u"), NewEntry("b", b"3")], "n3")
    log.append([NewEntry("a", b"4")], "n4")
    found = log.read({"a": 1, "b": 0, "empty": 0}, 100, 0)
    assert [(entry.number, entry.nonce, entry.body) for entry in found["a"]] == [(2, "n2", b"2"), (3, "n4", b"4")]
    assert [entry.seen for entry in found["a"]] == [0, 1]
    assert [entry.body for entry in found["b"]] == [b"3"]
    assert found["empty"] == []
    times = [entry.time for entry in (*found["a"], *found["b"])]
    assert max(times) <= log.now()
    assert log.ends("a") == (1, 3)
    assert log.read({"a": 0}, 2, 0)["a"][-1].number == 2
    entry = log.entry("a", 2)
    assert entry is not None
    assert entry.body == b"2"
    assert log.entry("a", 9) is None


def test_a_stream_whose_beginning_was_dropped_is_never_read_over_a_hole(log: ClusterLog) -> None:
    for number in range(5):
        log.append([NewEntry("a", b"%d" % number)], f"n{number}")
    log.cut("a", 4)
    assert log.ends("a") == (4, 5)
    assert bodies(log, "a", 3) == [b"3", b"4"]
    with pytest.raises(IncompleteLog):
        log.read({"a": 2}, 10, 0)
    log.cut("a", 9)
    assert log.ends("a") == (6, 5)
    assert log.append([NewEntry("a", b"5")], "n") == 6


def test_only_the_holder_of_a_lease_adds(log: ClusterLog) -> None:
    lease = log.acquire("x", 60_000)
    assert lease is not None
    assert log.acquire("x", 60_000) is None
    assert log.is_held("x")
    assert not log.is_held("y")
    log.append([NewEntry("a", b"1")], "n1", lease=lease)
    log.put("v", b"1", lease)
    log.release(Lease("x", "of another"))
    assert log.is_held("x")
    log.release(lease)
    assert not log.renew(lease, 60_000)
    with pytest.raises(Stale):
        log.append([NewEntry("a", b"2"), NewEntry("b", b"2")], "n2", lease=lease)
    with pytest.raises(Stale):
        log.put("v", b"2", lease)
    again = log.acquire("x", 60_000)
    assert again is not None
    with pytest.raises(Stale):
        log.append([NewEntry("a", b"2")], "n2", lease=lease)
    assert (bodies(log, "a"), bodies(log, "b"), log.get("v"), log.get("w")) == ([b"1"], [], b"1", None)
    assert log.renew(again, 60_000)


def test_a_lease_ends_by_itself(log: ClusterLog) -> None:
    lease = log.acquire("x", 150)
    assert lease is not None
    until(lambda: not log.is_held("x"))
    assert not log.renew(lease, 60_000)
    with pytest.raises(Stale):
        log.append([NewEntry("a", b"1")], "n", lease=lease)
    assert log.acquire("x", 60_000) is not None


def test_what_is_sent_twice_is_added_once_and_a_number_is_never_given_twice(log: ClusterLog) -> None:
    lease = log.acquire("x", 60_000)
    assert log.append([NewEntry("a", b"1"), NewEntry("b", b"1")], "n1", lease=lease, expected=1) == 1
    assert log.append([NewEntry("a", b"1"), NewEntry("b", b"1")], "n1", lease=lease, expected=1) == 1
    with pytest.raises(Stale):
        log.append([NewEntry("a", b"other")], "n2", lease=lease, expected=1)
    assert log.append([NewEntry("a", b"2")], "n3", lease=lease, expected=2) == 2
    assert (bodies(log, "a"), bodies(log, "b")) == ([b"1", b"2"], [b"1"])


def test_a_reader_waits_for_the_next_entry(log: ClusterLog) -> None:
    got: list[bytes] = []
    thread = threading.Thread(target=lambda: got.extend(e.body for e in log.read({"a": 0, "b": 0}, 9, 20_000)["b"]))
    thread.start()
    log.append([NewEntry("b", b"1")], "n")
    thread.join(120)
    assert got == [b"1"]
    assert log.read({"a": 0}, 9, 1) == {"a": []}


def test_writers_that_add_at_once_lose_nothing(log: ClusterLog) -> None:
    def add(name: str) -> None:
        for number in range(50):
            log.append([NewEntry("a", f"{name}{number}".encode())], f"{name}{number}")

    threads = [threading.Thread(target=add, args=(name,)) for name in "xyz"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = log.read({"a": 0}, 1_000, 0)["a"]
    assert [entry.number for entry in found] == list(range(1, 151))
    for name in "xyz":
        mine = [entry.body for entry in found if entry.body.startswith(name.encode())]
        assert mine == [f"{name}{number}".encode() for number in range(50)]
    assert [entry.time for entry in found] == sorted(entry.time for entry in found)


def test_long_streams_can_be_bounded_and_engines_are_known(log: ClusterLog) -> None:
    for number in range(300):
        log.append([NewEntry("a", b"x" * 100, 10)], f"n{number}")
    first, last = log.ends("a")
    assert last == 300
    assert first > 1
    assert log.identity() == log.identity()
    assert log.attend("", 0) == []
    assert log.attend("one", 60_000) == ["one"]
    assert sorted(log.attend("two", 60_000)) == ["one", "two"]
    log.attend("two", 1)
    until(lambda: log.attend("", 0) == ["one"])


def test_a_user_stays_in_a_group() -> None:
    """The groups of users are kept in states and logs: they must never change."""
    assert [group_of(name, 4) for name in ("owner", "anna", "bert", "user0", "é")] == [1, 2, 2, 1, 3]
    assert {group_of(f"user{number}", 8) for number in range(200)} == set(range(8))

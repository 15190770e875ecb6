"""Copies of the state: whole and of one moment, refused while an engine runs, and never half put back."""

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pinebench.engine import backups, owner_view
from pinebench.engine.engine import TradingEngine
from pinebench.engine.engine_store import EngineStore
from pinebench.errors import UsageError
from tests.engine.markets import BEGIN, MINUTE, closes, engine_of, play
from tests.engine.worker import market, prepare

ROOT = Path(__file__).parents[2]
NOW = BEGIN + 86_400_000


def firings(engine: TradingEngine) -> list[float]:
    return [each["value"] for each in engine.alerts.history("anna")][::-1]


def begun(folder: Path, count: int = 3) -> TradingEngine:
    """An engine with an alert that fires on each bar, and `count` bars that were worked on."""
    engine = engine_of(str(folder), closes(100.0))
    engine.pushing.subscribe("anna")
    engine.set_alert("anna", "BTCUSDT", {"price_above": 1}, frequency="once_per_bar")
    play(engine, closes(*range(100, 101 + count)), 1)
    return engine


def test_a_copy_of_a_running_engine_is_put_back(tmp_path: Path) -> None:
    engine, copy = begun(tmp_path / "state"), tmp_path / "copy.sqlite3"
    kept = backups.backup(str(tmp_path / "state"), str(copy))
    assert kept.size == copy.stat().st_size > 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    play(engine, closes(*range(100, 106)), 4)
    assert firings(engine) == [101, 102, 103, 104, 105]
    with pytest.raises(UsageError, match="another engine uses this folder"):
        backups.restore(str(tmp_path / "state"), str(copy), NOW)
    assert firings(engine) == [101, 102, 103, 104, 105]
    engine.close()
    before = backups.restore(str(tmp_path / "state"), str(copy), NOW)
    engine = engine_of(str(tmp_path / "state"), closes(100.0, 101, 102, 103))
    assert firings(engine) == [101, 102, 103]
    engine.close()
    with sqlite3.connect(before.path) as db:
        assert db.execute("select count(*) from firing").fetchone()[0] == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite3", "state"]
    assert not (tmp_path / "state" / "engine.restoring.sqlite3").exists()
    # A new computer has no state yet.
    assert backups.restore(str(tmp_path / "new"), str(copy), NOW).size == 0
    engine = engine_of(str(tmp_path / "new"), closes(100.0, 101, 102, 103))
    assert firings(engine) == [101, 102, 103]
    engine.close()


def test_a_client_that_takes_up_its_stream_after_a_restore_misses_nothing(tmp_path: Path) -> None:
    folder, copy = tmp_path / "state", tmp_path / "copy"
    engine = begun(folder, 1)
    backups.backup(str(folder), str(copy))
    play(engine, closes(*range(100, 106)), 2)
    (last,) = engine.store.rows("select max(id) as id from event")
    engine.close()
    backups.restore(str(folder), str(copy), NOW)
    engine = engine_of(str(folder), closes(100.0, 101))
    play(engine, closes(100, 101, 200), 2)

    async def next_one() -> float:
        async for _, told in engine.pushing.stream("anna", last["id"]):
            return told["params"]["value"]
        raise AssertionError

    assert asyncio.run(next_one()) == 200
    engine.close()


def test_a_restore_does_not_undo_a_halt(tmp_path: Path) -> None:
    begun(tmp_path / "state").close()
    backups.backup(str(tmp_path / "state"), str(tmp_path / "copy"))
    owner_view.halt(str(tmp_path / "state"), "news")
    backups.restore(str(tmp_path / "state"), str(tmp_path / "copy"), NOW)
    assert owner_view.status(str(tmp_path / "state"))["halted"] == "news"


def test_a_file_that_is_no_whole_copy_changes_nothing(tmp_path: Path) -> None:
    folder, copy = tmp_path / "state", tmp_path / "copy"
    begun(folder).close()
    backups.backup(str(folder), str(copy))
    whole = copy.read_bytes()
    torn = bytearray(whole)
    torn[len(torn) // 2 : len(torn) // 2 + 6000] = b"\xff" * 6000
    other = tmp_path / "other"
    with sqlite3.connect(other) as db:
        db.execute("create table x (y)")
    later = tmp_path / "later"
    later.write_bytes(whole)
    with sqlite3.connect(later) as db:
        db.execute("pragma user_version = 99")
    cases = {
        "missing": (None, "there is no such file"),
        "empty": (b"", "is not the state of an engine"),
        "text": (b"hello" * 1000, "is not a complete backup"),
        "cut": (whole[: len(whole) // 2], "complete backup|damaged"),
        "torn": (bytes(torn), "complete backup|damaged"),
        "live": ((folder / "engine.sqlite3").read_bytes(), "is only a copy"),
        "other": (other.read_bytes(), "is not the state of an engine"),
        "later": (later.read_bytes(), "later version"),
    }
    for name, (content, words) in cases.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(UsageError, match=words):
            backups.restore(str(folder), str(tmp_path / name), NOW)
    with pytest.raises(UsageError, match="is a folder, not a file"):
        backups.restore(str(folder), str(tmp_path), NOW)
    engine = engine_of(str(folder), closes(100.0, 101, 102, 103))
    assert firings(engine) == [101, 102, 103]
    engine.close()


def test_a_damaged_state_is_kept_and_replaced_but_trading_stays_halted(tmp_path: Path) -> None:
    folder, copy = tmp_path / "state", tmp_path / "copy"
    begun(folder).close()
    backups.backup(str(folder), str(copy))
    (folder / "engine.sqlite3").write_bytes(b"garbage" * 1000)
    before = backups.restore(str(folder), str(copy), NOW)
    assert Path(before.path).read_bytes() == b"garbage" * 1000
    assert "damaged" in owner_view.status(str(folder))["halted"]


def test_a_copy_replaces_no_other_file(tmp_path: Path) -> None:
    folder, copy = tmp_path / "state", tmp_path / "copy"
    with pytest.raises(UsageError, match="has no state of an engine"):
        backups.backup(str(folder), str(copy))
    begun(folder).close()
    copy.write_text("mine")
    with pytest.raises(UsageError, match="exists"):
        backups.backup(str(folder), str(copy))
    assert copy.read_text() == "mine"
    backups.backup(str(folder), str(copy), replace=True)
    backups.restore(str(tmp_path / "new"), str(copy), NOW)
    with pytest.raises(UsageError, match=str(tmp_path / "no")):
        backups.backup(str(folder), str(tmp_path / "no" / "copy"))


def test_copies_under_load_are_each_of_one_moment(tmp_path: Path) -> None:
    """Every firing has its notification, its event and its line, also in the middle of a market."""
    folder = tmp_path / "state"
    engine = begun(folder, 1)
    over = threading.Event()

    def load() -> None:
        play(engine, closes(*[100 + at % 7 for at in range(400)]), 2)
        over.set()

    thread = threading.Thread(target=load)
    thread.start()
    counts: list[int] = []
    while not over.is_set():
        backups.backup(str(folder), str(tmp_path / "copy"), replace=True)
        with sqlite3.connect(tmp_path / "copy") as db:
            found = {
                db.execute(f"select count(*) from {what}").fetchone()[0]
                for what in ("firing", "notification", "event", "audit where line like '%TRIGGERED%'")
            }
            assert len(found) == 1
            assert db.execute("select (last - ?) / ? from series", (BEGIN, MINUTE)).fetchone()[0] in found
        counts += found
    thread.join()
    engine.close()
    assert len(set(counts)) > 2


def interrupted(code: str, folder: Path, seconds: float) -> bool:
    """Run code in a process that is killed after a time. Return whether it was killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "FOLDER": str(folder)}, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    try:
        process.wait(seconds)
        assert process.returncode == 0
        return False
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        return True
    finally:
        process.stdout.close()


_RESTORING = """
import os
from pinebench.engine import backups
folder = os.environ["FOLDER"]
print("begun", flush=True)
for at in range(200):
    backups.restore(folder + "/state", folder + ("/one" if at % 2 else "/two"), 1_800_000_000_000 + at)
"""


def kills_while_restoring(folder: Path, kills: int) -> None:
    engine = begun(folder / "state", 40)
    backups.backup(str(folder / "state"), str(folder / "one"))
    play(engine, closes(*range(100, 200)), 41)
    engine.close()
    backups.backup(str(folder / "state"), str(folder / "two"))
    for at in range(kills):
        assert interrupted(_RESTORING, folder, 0.01 + 0.013 * (at % 17))
        store = EngineStore(str(folder / "state"))
        assert store.rows("pragma integrity_check")[0][0] == "ok"
        counts = {store.count(table) for table in ("firing", "notification", "event")}
        assert counts in ({40}, {99})
        store.close()
    for path in (folder / "one", folder / "two"):
        backups.restore(str(folder / "state"), str(path), 1_900_000_000_000)


def test_a_restore_that_is_killed_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    kills_while_restoring(tmp_path, 4)


@pytest.mark.soak
def test_fifty_restores_that_are_killed(tmp_path: Path) -> None:
    kills_while_restoring(tmp_path, 50)


def test_an_engine_that_is_killed_goes_on_from_a_copy_that_was_made_under_load(tmp_path: Path) -> None:
    """The bars after the copy are worked on again: each alert is there once, as if nothing had happened."""
    state, count = tmp_path / "state", 90
    engine = prepare(str(state), 1, count)
    id = engine.set_alert("user0", "COIN0", {"crossing": {"level": 100.0}}, frequency="once_per_bar")
    engine.close()
    command = [sys.executable, "-m", "tests.engine.worker", str(state), "1", str(count)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    backups.backup(str(state), str(tmp_path / "copy"))
    process.kill()
    process.wait()
    process.stdout.close()
    backups.restore(str(tmp_path / "new"), str(tmp_path / "copy"), NOW)
    subprocess.run([*command[:3], str(tmp_path / "new"), *command[4:]], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    engine = prepare(str(tmp_path / "new"), 1, count)
    bars = market(0, count)
    fired = [each["bar"] for each in engine.store.rows("select bar from firing where alert = ? order by bar", (id,))]
    hits = [
        bars.time[at]
        for at in range(50, count)
        if bars.close[at - 1] <= 100 < bars.close[at] or bars.close[at - 1] >= 100 > bars.close[at]
    ]
    assert fired == hits
    engine.close()

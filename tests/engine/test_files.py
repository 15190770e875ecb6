"""An engine whose file is locked, full or damaged: nothing is lost or doubled, and users get a sentence."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pinebench.databases import DatabaseProblem
from pinebench.engine import engine as engines
from pinebench.engine import outbox, outbox_delivery
from pinebench.engine.delivery_senders import Notifiers
from pinebench.engine.engine import TradingEngine
from pinebench.engine.engine_store import FILE
from pinebench.engine.outbox import Letter, SendResult
from pinebench.engine.outbox_delivery import Deliveries
from tests.engine.exchange import until
from tests.engine.markets import closed, closes, engine_of

BARS = closes(*range(100, 120))
HOOK = {"url": "https://example.com/hook", "secret": "0123456789abcdef"}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again soon, so that the tests need not wait."""
    monkeypatch.setattr("pinebench.engine.engine_store._LOCKED_SECONDS", 0.01)
    monkeypatch.setattr(engines, "_RETRY_SECONDS", 0.01)
    monkeypatch.setattr(outbox_delivery, "_RETRY_SECONDS", 0.01)


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Another program that has the engine's file."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as other:
        other.execute("begin immediate")
        yield
        other.execute("rollback")


@contextmanager
def full(engine: TradingEngine) -> Generator[None]:
    """A disk without a free page."""
    pages = engine.store.rows("pragma page_count")[0][0]
    engine.store.rows(f"pragma max_page_count = {pages}")
    with contextlib.suppress(DatabaseProblem):
        for number in range(1000):  # the free room inside of the file is used up
            engine.store.set(f"filled {number}", "x" * 1000)
    yield
    engine.store.rows("pragma max_page_count = 1000000")


def firings(engine: TradingEngine) -> list[float]:
    return [each["value"] for each in engine.alerts.history("anna", 10_000)]


def begun(folder: Path) -> TradingEngine:
    engine = engine_of(str(folder), BARS.at(range(1)))
    engine.set_alert("anna", "BTCUSDT", {"price_above": 1}, frequency="once_per_bar", webhook=HOOK)
    engine.pushing.subscribe("anna")
    return engine


def test_bars_wait_for_a_locked_file_and_are_worked_on_once(tmp_path: Path) -> None:
    engine = begun(tmp_path)
    order = engine.place_order("anna", "BTCUSDT", "buy", 1)
    with locked(tmp_path):
        working = threading.Thread(target=engine.process, args=([closed(BARS, at) for at in (1, 2, 3)],))
        working.start()
        until(lambda: engine.trouble is not None)
        assert "locked by another program" in (engine.health()["trouble"] or "")
        assert engine.alerts.history("anna") == []  # reading goes on
        for change in (
            lambda: engine.set_alert("ben", "BTCUSDT", {"price_above": 1}),
            lambda: engine.paper.cancel("anna", order),
            lambda: engine.notifications("anna"),
        ):
            with pytest.raises(DatabaseProblem, match="the engine's state is locked") as caught:
                change()
            assert str(tmp_path) not in f"{caught.value.message} {caught.value.hint}"
    working.join(60)
    assert not working.is_alive()
    assert engine.trouble is None
    assert firings(engine) == [103, 102, 101]
    assert engine.order_state("anna", order) == "Filled"
    assert len(outbox.due(engine.store, 1 << 50)) == len(engine.notifications("anna")) == 3
    engine.close()


def test_what_could_not_be_removed_is_still_there(tmp_path: Path) -> None:
    """An alert and an order that a locked file keeps from being cancelled fire and fill as before."""
    engine = begun(tmp_path)
    (alert,) = engine.alerts.listing("anna")
    order = engine.place_order("anna", "BTCUSDT", "buy", 1, "limit", 99)
    with locked(tmp_path):
        for change in (lambda: engine.alerts.cancel("anna", alert["id"]), lambda: engine.paper.cancel("anna", order)):
            with pytest.raises(DatabaseProblem):
                change()
    low = closes(100, 98)
    engine.process([closed(low, 1)])
    assert firings(engine) == [98]
    assert engine.order_state("anna", order) == "Filled"
    engine.close()


def test_an_order_that_is_placed_while_the_file_is_locked_is_refused_or_filled_never_both(tmp_path: Path) -> None:
    engine = begun(tmp_path)
    with locked(tmp_path), pytest.raises(DatabaseProblem):
        engine.place_order("anna", "BTCUSDT", "buy", 1)
    engine.process([closed(BARS, 1)])
    assert engine.orders("anna") == []
    engine.close()


def test_a_full_disk_ends_nothing(tmp_path: Path) -> None:
    engine = begun(tmp_path)
    with full(engine):
        with pytest.raises(DatabaseProblem, match="its disk is full"):
            for _ in range(200):
                engine.place_order("ben", "BTCUSDT", "buy", 1)
        working = threading.Thread(target=engine.process, args=([closed(BARS, at) for at in range(1, 20)],))
        working.start()
        until(lambda: engine.trouble is not None)
        assert "disk is full" in (engine.trouble or "")
    working.join(60)
    assert not working.is_alive()
    assert firings(engine) == [float(value) for value in range(119, 100, -1)]
    engine.close()


def test_an_engine_that_waits_for_its_file_can_be_ended(tmp_path: Path) -> None:
    engine, met = begun(tmp_path), list[str]()

    def work() -> None:
        try:
            engine.process([closed(BARS, 1)])
        except DatabaseProblem as problem:
            met.append(problem.message)

    with locked(tmp_path):
        working = threading.Thread(target=work)
        working.start()
        until(lambda: engine.trouble is not None)
        engine.close()
        working.join(60)
    assert met == ["the engine's state is locked by another program"]
    engine = engine_of(str(tmp_path), BARS.at(range(2)))
    assert firings(engine) == [101]
    engine.close()


def test_a_damaged_file_is_a_sentence_for_everybody(tmp_path: Path) -> None:
    engine = begun(tmp_path)
    engine.process([closed(BARS, at) for at in range(1, 20)])
    engine.close()
    path = tmp_path / FILE
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    engine = None
    try:
        engine = engine_of(str(tmp_path), BARS)
        engine.process([closed(closes(*range(100, 121)), 20)])
    except Exception as error:
        assert "damaged" in str(error) or "malformed" in str(error), error
        assert type(error).__name__ in ("DatabaseProblem", "UsageError")
    else:
        pytest.fail("nobody noticed the damage")
    finally:
        if engine is not None:
            engine.close()


def test_a_delivery_whose_end_cannot_be_noted_is_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, sent = begun(tmp_path), list[str]()
    engine.process([closed(BARS, 1)])
    release = threading.Event()

    def send(letter: Letter) -> SendResult:
        sent.append(letter.id)
        assert release.wait(60)
        return SendResult(True)

    async def run() -> None:
        deliveries = Deliveries(engine.store, Notifiers({}), (), lambda: 1 << 50)
        monkeypatch.setitem(deliveries._ways, "webhook", send)
        task = asyncio.create_task(deliveries.run())
        await asyncio.to_thread(until, lambda: bool(sent))
        with locked(tmp_path):
            release.set()
            deliveries.wake()
            await asyncio.sleep(0.1)  # many times the pause between two tries
        await asyncio.to_thread(until, lambda: not outbox.due(engine.store, 1 << 50))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert len(sent) == 1
    engine.close()

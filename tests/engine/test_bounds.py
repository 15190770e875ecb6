"""What one user makes the engine keep is bounded, in every table; others lose nothing by it."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench.engine import audit_log, bounds
from pinebench.engine.engine import TradingEngine
from pinebench.engine.engine_store import TABLES, EngineStore
from pinebench.engine.risk import RiskLimits
from pinebench.errors import UsageError
from tests.engine.markets import Clock, closes, engine_of, play

HOUR = 3_600_000
UNBOUNDED = {
    "series": "one row for each series, which the owner names",
    "setting": "a few names, and one for each user and symbol",
    "alert": "1,000 of each user (alerts.MOST_ALERTS)",
    "notification": "the newest 1,000 of each user (push_subscriptions)",
    "event": "the newest 1,000 of each user (push_subscriptions)",
    "subscription": "one for each user",
    "account": "one for each user",
    "position": "one for each user and symbol",
    "paper_order": "the newest 10,000 of each user (orders.purge)",
    "audit": "the newest 100,000 of each user (audit_log.keep)",
}
"""The tables without a bound of this kind, each with the reason."""


def test_every_table_is_bounded() -> None:
    assert {each.table for each in bounds.BOUNDS} | UNBOUNDED.keys() == TABLES


def test_the_oldest_rows_of_a_user_go_and_what_is_new_or_not_over_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "BOUNDS", [each._replace(most=3) for each in bounds.BOUNDS])
    engine = engine_of(str(tmp_path), closes(100))
    now = engine.clock()
    with engine.store.transaction() as db:
        for user, count in (("mallory", 9), ("anna", 2)):
            for number in range(count):
                # Of the nine, the last two happened within the hour.
                time = now - (count - number - 1) * HOUR // 2 - 1
                id = f"{user}{number}"
                db.execute("insert into firing values (?, ?, 0, ?, 'B', '1m', '{}', 1, '', ?)", (id, time, user, time))
                db.execute("insert into ending values (?, ?, 'B', '1m', '{}', '', ?)", (id, user, time))
                sent = (id, user, time, "waiting" if number == 0 else "sent")
                db.execute("insert into outbox values (?, ?, '', 'webhook', '', '', '', ?, 1, 1, ?, '')", sent)
                script = (id, user, time, "" if number == 0 else "stopped")
                db.execute("insert into script values (?, ?, 'B', '1m', '', '{}', ?, 0, ?)", script)
    engine.purge()
    kept = {
        each.table: [
            row[0][-1] for row in engine.store.rows(f"select {named} from {each.table} where subject='mallory'")
        ]
        for each, named in zip(bounds.BOUNDS, ("alert", "alert", "id", "id"), strict=True)
    }
    assert {table: sorted(found) for table, found in kept.items()} == {
        "firing": ["4", "5", "6", "7", "8"],
        "ending": ["4", "5", "6", "7", "8"],
        "outbox": ["0", "4", "5", "6", "7", "8"],
        "script": ["0", "6", "7", "8"],
    }
    assert all(engine.store.count(each.table, subject="anna") == 2 for each in bounds.BOUNDS)
    engine.close()


FLOODS: dict[str, Callable[[TradingEngine, int], object]] = {
    "orders that are refused": lambda engine, _: engine.place_order(MALLORY, ONE, "buy", 1e9),
    "orders that are filled": lambda engine, at: engine.place_order(MALLORY, ONE, ("buy", "sell")[at % 2], 0.01),
    "orders that are cancelled": lambda engine, _: engine.paper.cancel(
        MALLORY, engine.place_order(MALLORY, ONE, "buy", 0.01, "limit", 1)
    ),
    "orders with brackets": lambda engine, at: engine.place_order(
        MALLORY, ONE, "buy", 0.01, take_profit=1_000_000, stop_loss=1
    ),
    "orders with names of their own": lambda engine, at: engine.place_order(
        MALLORY, ONE, "sell", 1e9, client_id=f"{engine.clock()} {at}"
    ),
    "alerts that fire": lambda engine, _: engine.set_alert(MALLORY, ONE, {"price_above": 1}),
    "alerts that are cancelled": lambda engine, _: engine.alerts.cancel(
        MALLORY, engine.set_alert(MALLORY, ONE, {"price_above": 1e9})
    ),
    "alerts with webhooks": lambda engine, _: engine.set_alert(
        MALLORY, ONE, {"price_above": 1}, webhook={"url": "https://example.com/", "secret": "x" * 16}
    ),
    "subscriptions": lambda engine, at: (
        engine.pushing.subscribe(MALLORY),
        at % 2 or engine.pushing.unsubscribe(MALLORY),
    ),
    "strategies": lambda engine, _: engine.stop_trading(MALLORY, engine.trade(MALLORY, ONE, None, STRATEGY, {})),
}
"""What a user can do without end."""
MALLORY, ONE = "mallory", "BTCUSDT"
STRATEGY = '//@version=6\nstrategy("S")\nif close < 0\n    strategy.entry("L", strategy.long)\n'


def test_nothing_that_a_user_does_makes_the_state_grow_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "BOUNDS", [each._replace(most=4) for each in bounds.BOUNDS])
    for name, value in {
        "orders.MOST_KEPT": 8,
        "orders.PURGED_EACH": 4,
        "audit_log.MOST_LINES": 8,
        "outbox.MOST_WAITING": 8,
        "push_subscriptions.MOST_WAITING": 8,
    }.items():
        monkeypatch.setattr(f"pinebench.engine.{name}", value)
    bars = closes(*(100.0 for _ in range(400)))
    clock = Clock(bars.time[1])
    engine = engine_of(
        str(tmp_path), bars.at([0]), clock=clock, limits=RiskLimits(orders_a_minute=None, open_orders=20)
    )
    at = 1

    def rows(flood: Callable[[TradingEngine, int], object]) -> int:
        nonlocal at
        for number in range(12):
            with contextlib.suppress(UsageError):  # a bound may be a refusal, too
                flood(engine, number)
            if number % 4 == 3:
                play(engine, bars, at, at + 1)
                at += 1
        clock.time += 2 * HOUR
        engine.purge()
        clock.time -= 2 * HOUR  # orders wait for prices that come after them
        return sum(engine.store.rows(f"select count(*) from {table}")[0][0] for table in TABLES)

    for name, flood in FLOODS.items():
        counts = [rows(flood) for _ in range(6)]
        assert counts[-1] <= max(counts[:3]) + 2, (name, counts)
    engine.close()


def test_the_audit_log_keeps_its_newest_lines_and_the_database_refuses_to_drop_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_log, "MOST_LINES", 3)
    store = EngineStore(str(tmp_path))
    for _ in range(2):  # a log that was cut goes on
        with store.transaction() as db:
            for number in range(5):
                audit_log.write(db, number, "mallory", "LINE", number)
            audit_log.write(db, 0, "anna", "LINE")
            audit_log.keep(db)
        assert [line.split()[-1] for line in audit_log.lines(store, "mallory")] == ["2", "3", "4"]
    assert len(audit_log.lines(store, "anna")) == 2
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), store.transaction() as db:
        db.execute("delete from audit where subject = 'mallory'")
    assert len(audit_log.lines(store)) == 5
    pages: list[audit_log.AuditLine] = []
    while page := audit_log.page(store, None, 2, pages[0].id if pages else None):
        pages = [*page, *pages]
    assert [each.text for each in pages] == audit_log.lines(store)
    assert audit_log.page(store, "anna", 5, pages[-1].id) == [
        each for each in pages[:-1] if each.text.endswith(" LINE")
    ]
    store.close()


def test_a_state_of_an_earlier_version_gets_the_new_rule(tmp_path: Path) -> None:
    EngineStore(str(tmp_path)).close()
    db = sqlite3.connect(tmp_path / "engine.sqlite3")
    db.executescript(
        "drop trigger audit_remains; create trigger audit_remains before delete on audit"
        " begin select raise(abort, 'the audit log is append-only'); end;"
    )
    db.close()
    store = EngineStore(str(tmp_path))
    assert "coalesce" in store.rows("select sql from sqlite_master where name = 'audit_remains'")[0]["sql"]
    store.close()

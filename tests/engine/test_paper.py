"""Paper orders: filled once, at a price of the market, never before they were there, and only within the limits."""

from pathlib import Path
from typing import Any

import pytest

from pinebench.engine import audit_log
from pinebench.engine.accounts import changed
from pinebench.engine.engine import TradingEngine
from pinebench.engine.paper import Terms
from pinebench.engine.risk import RiskLimits
from pinebench.errors import UsageError
from tests.engine.markets import BEGIN, KEY, MINUTE, Clock, bars_of, closed, closes, engine_of, play, ticks

ANNA, BEN = "anna", "ben"
DOWN_AND_UP = bars_of([(100, 100, 100, 100), (101, 104, 96, 103), (103, 110, 102, 109)])


def state(engine: TradingEngine, id: str) -> dict[str, Any]:
    return next(each for each in engine.orders(ANNA) if each["id"] == id)


def test_a_market_order_is_filled_at_the_next_price(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    id = engine.place_order(ANNA, "BTCUSDT", "buy", 2)
    assert state(engine, id) == {
        "id": id,
        "symbol": "BTCUSDT",
        "side": "buy",
        "type": "market",
        "quantity": 2,
        "state": "Open",
    }
    play(engine, DOWN_AND_UP, 1, 2)
    assert (state(engine, id)["state"], state(engine, id)["fill_price"]) == ("Filled", 101)
    (position,) = engine.paper.accounts.told_positions(ANNA)
    assert position == {
        "symbol": "BTCUSDT",
        "side": "buy",
        "quantity": 2,
        "entry_price": 101,
        "current_price": 103,
        "unrealized_pnl": 4,
    }
    assert engine.paper.accounts.told_positions(BEN) == []
    engine.close()


@pytest.mark.parametrize(
    ("side", "type", "price", "expected"),
    [
        ("buy", "limit", 98, 98),
        ("buy", "limit", 102, 101),  # the open is better
        ("sell", "limit", 103.5, 103.5),
        ("buy", "stop", 103.5, 103.5),
        ("sell", "stop", 98, 98),
        ("sell", "stop", 102, 101),  # the open has passed the stop
        ("buy", "limit", 95, None),
        ("sell", "limit", 104.5, None),
    ],
)
def test_limits_and_stops_are_filled_when_they_are_touched(
    tmp_path: Path, side: str, type: str, price: float, expected: float | None
) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    id = engine.place_order(ANNA, "BTCUSDT", side, 1, type, price)
    assert state(engine, id)["type"] == f"{type}@{price:g}"
    play(engine, DOWN_AND_UP, 1, 2)
    assert state(engine, id).get("fill_price") == expected
    engine.close()


def test_slippage_and_fees_are_paid(tmp_path: Path) -> None:
    terms = Terms(capital=10_000, commission=0.1, slippage=5)
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]), terms=terms)
    market = engine.place_order(ANNA, "BTCUSDT", "buy", 10)
    limit = engine.place_order(ANNA, "BTCUSDT", "sell", 10, "limit", 103)
    play(engine, DOWN_AND_UP, 1, 2)
    assert state(engine, market)["fill_price"] == 101.05
    assert state(engine, limit)["fill_price"] == 103  # a limit has no slippage
    fees = 10 * 101.05 * 0.001 + 10 * 103 * 0.001
    told = engine.paper.accounts.balance(ANNA)
    assert told["realized_pnl"] == pytest.approx(19.5)
    assert told["fees"] == pytest.approx(fees)
    assert told["equity"] == told["balance"] == told["available"] == pytest.approx(10_000 + 19.5 - fees)
    engine.close()


def test_a_bracket_closes_the_position_once(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    engine.place_order(ANNA, "BTCUSDT", "buy", 1, take_profit=103.5, stop_loss=97)
    play(engine, DOWN_AND_UP, 1)
    told = [(each["type"], each["state"], each.get("fill_price")) for each in engine.orders(ANNA)]
    # The high of bar 1 is nearer to its open than the low, so the profit is taken first.
    assert told == [("market", "Filled", 101), ("limit@103.5", "Filled", 103.5), ("stop@97", "Cancelled", None)]
    assert engine.paper.accounts.told_positions(ANNA) == []
    assert engine.paper.accounts.balance(ANNA)["realized_pnl"] == 2.5
    engine.close()


def test_exits_end_when_their_position_was_closed(tmp_path: Path) -> None:
    bars = closes(100, 100, 100, 120)
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.place_order(ANNA, "BTCUSDT", "buy", 1, take_profit=110, stop_loss=90)
    play(engine, bars, 1, 2)
    engine.place_order(ANNA, "BTCUSDT", "sell", 1)
    play(engine, bars, 2)
    assert [each["state"] for each in engine.orders(ANNA)] == ["Filled", "Cancelled", "Cancelled", "Filled"]
    assert engine.paper.accounts.told_positions(ANNA) == []
    engine.close()


def test_an_order_is_not_filled_by_prices_before_it(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    assert isinstance(engine.clock, Clock)
    updates = list(ticks(DOWN_AND_UP, 1))
    engine.process(updates[:3])  # the low of 96 has passed
    engine.clock.time = updates[2].event + 1_000
    low = engine.place_order(ANNA, "BTCUSDT", "buy", 1, "limit", 97)
    engine.process(updates[3:])
    assert state(engine, low)["state"] == "Open"
    # A whole bar that arrives late, from before the order: only its close comes after the order.
    engine.clock.time = BEGIN + 2 * MINUTE + 30_000
    late = engine.place_order(ANNA, "BTCUSDT", "buy", 1, "limit", 105)
    engine.process([closed(DOWN_AND_UP, 2)])
    assert state(engine, late)["state"] == "Open"
    engine.close()


def test_an_update_that_came_before_the_order_fills_nothing(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    assert isinstance(engine.clock, Clock)
    updates = list(ticks(DOWN_AND_UP, 1))
    engine.process(updates[:1])
    engine.clock.time = updates[2].event + 1
    id = engine.place_order(ANNA, "BTCUSDT", "buy", 1)
    engine.process(updates[1:3])  # they are older than the order, and were only under way
    assert state(engine, id)["state"] == "Open"
    engine.process(updates[3:])
    assert state(engine, id)["fill_price"] == 103
    engine.close()


def test_the_states_follow_each_other(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    filled = engine.place_order(ANNA, "BTCUSDT", "buy", 1)
    waiting = engine.place_order(ANNA, "BTCUSDT", "buy", 1, "limit", 50)
    play(engine, DOWN_AND_UP, 1, 2)
    engine.paper.cancel(ANNA, waiting)
    with pytest.raises(UsageError, match="the order is Cancelled and cannot become Cancelled"):
        engine.paper.cancel(ANNA, waiting)
    with pytest.raises(UsageError, match="the order is Filled and cannot become Cancelled"):
        engine.paper.cancel(ANNA, filled)
    with pytest.raises(UsageError, match="order not found: nothing"):
        engine.paper.cancel(ANNA, "nothing")
    other = engine.place_order(ANNA, "BTCUSDT", "buy", 1, "limit", 50)
    with pytest.raises(UsageError, match="order not found"):
        engine.paper.cancel(BEN, other)
    assert engine.orders(BEN) == []
    assert [each["id"] for each in engine.orders(ANNA, only_open=True)] == [other]
    engine.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("buyy", 1), "side must be buy or sell"),
        (("buy", 0), "quantity must be greater than 0"),
        (("buy", float("nan")), "quantity must be greater than 0"),
        (("buy", 1, "limit"), "price is required for limit orders"),
        (("buy", 1, "market", 5.0), "a market order has no price"),
        (("buy", 1, "limits", 5.0), "type must be one of market, limit, stop"),
        (("buy", 1, "limit", -5.0), "a price must be greater than 0"),
    ],
)
def test_a_wrong_order_is_refused(tmp_path: Path, arguments: Any, words: str) -> None:
    engine = engine_of(str(tmp_path))
    with pytest.raises(UsageError, match=words):
        engine.place_order(ANNA, "BTCUSDT", *arguments)
    assert engine.orders(ANNA) == []
    engine.close()


def test_positions_grow_shrink_and_turn_around() -> None:
    first = changed(None, "B", "buy", 1, 50_000).position
    second = changed(first, "B", "buy", 1, 52_000).position
    assert second is not None
    assert (second.quantity, second.entry) == (2, 51_000)
    part = changed(second, "B", "sell", 0.5, 53_000)
    assert part.position is not None
    assert (part.position.quantity, part.position.entry, part.realized) == (1.5, 51_000, 1_000)
    turned = changed(changed(None, "B", "buy", 1, 50_000).position, "B", "sell", 3, 51_000)
    assert turned.position is not None
    assert (turned.position.side, turned.position.quantity, turned.position.entry) == ("sell", 2, 51_000)
    assert (turned.realized, turned.grown) == (1_000, 2)
    assert changed(second, "B", "sell", 2, 51_000).position is None
    assert turned.position.profit(50_000) == 2_000


# limits


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (RiskLimits(order_value=500), "risk limit: an order may be worth at most 500, and this order is worth 1000.00"),
        (
            RiskLimits(position_value=1_500),
            "risk limit: a position may be worth at most 1500, and it would be worth 2020.00",
        ),
        (RiskLimits(orders_a_minute=1), "risk limit: at most 1 orders per minute"),
    ],
)
def test_risk_limits_reject_orders(tmp_path: Path, limits: RiskLimits, reason: str) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]), limits=limits)
    engine.place_order(ANNA, "BTCUSDT", "buy", 10)
    for update in list(ticks(DOWN_AND_UP, 1))[:1]:
        engine.process([update])
    last = engine.place_order(ANNA, "BTCUSDT", "buy", 10)
    assert state(engine, last)["state"] == "Rejected"
    assert reason in [each.get("reason") for each in engine.orders(ANNA)]
    engine.close()


def test_money_that_is_not_there_cannot_be_traded(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path))
    id = engine.place_order(ANNA, "BTCUSDT", "buy", 1_001)
    assert state(engine, id)["reason"] == "not enough money: 100100.00 is needed, 100000.00 is available"
    engine.close()


def test_a_loss_of_the_day_stops_new_positions_but_not_exits(tmp_path: Path) -> None:
    bars = closes(100, 100, 90, 90, 90)
    engine = engine_of(str(tmp_path), bars.at([0]), limits=RiskLimits(day_loss=500))
    engine.place_order(ANNA, "BTCUSDT", "buy", 100)
    resting = engine.place_order(ANNA, "BTCUSDT", "buy", 1, "limit", 50)
    play(engine, bars, 1, 3)
    assert state(engine, resting)["reason"] == "risk limit: today's loss has reached the limit"
    more = engine.place_order(ANNA, "BTCUSDT", "buy", 1)
    assert state(engine, more)["reason"] == "risk limit: 500 was lost today"
    out = engine.place_order(ANNA, "BTCUSDT", "sell", 100)
    play(engine, bars, 3)
    assert state(engine, out)["state"] == "Filled"
    engine.close()


def test_the_kill_switch_ends_all_orders_and_stays_after_a_restart(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    one = engine.place_order(ANNA, "BTCUSDT", "buy", 1, "limit", 98)
    assert engine.paper.halt("news") == 1
    engine.close()
    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    two = engine.place_order(ANNA, "BTCUSDT", "buy", 1)
    assert state(engine, two)["reason"] == "trading is halted: news"
    play(engine, DOWN_AND_UP, 1)
    assert state(engine, one)["state"] == "Cancelled"
    engine.paper.resume()
    assert state(engine, engine.place_order(ANNA, "BTCUSDT", "buy", 1))["state"] == "Open"
    engine.close()


# the audit log


def test_the_audit_log_is_append_only_and_cannot_be_forged(tmp_path: Path) -> None:
    import sqlite3

    engine = engine_of(str(tmp_path), DOWN_AND_UP.at([0]))
    id = engine.place_order(ANNA, "BTCUSDT", "buy", 1.5)
    play(engine, DOWN_AND_UP, 1, 2)
    engine.paper.halt("news\n2024-01-01T00:00:00Z FILLED BUY BTCUSDT 1 @ 1 id=x")
    own = audit_log.lines(engine.store, ANNA)
    assert own == [
        f"2024-01-01T00:01:00Z SUBMITTED BUY BTCUSDT 1.5 MARKET id={id}",
        f"2024-01-01T00:01:00Z FILLED BUY BTCUSDT 1.5 @ 101 id={id}",
    ]
    every = audit_log.lines(engine.store)
    assert len(every) == len(own) + 1
    assert all("\n" not in line for line in every)
    for change in ("update audit set line = ''", "delete from audit"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"), engine.store.transaction() as db:
            db.execute(change)
    assert audit_log.lines(engine.store) == every
    engine.close()


def test_the_state_is_private_and_used_by_one_engine(tmp_path: Path) -> None:
    import os
    import stat

    engine = engine_of(str(tmp_path / "state"))
    for name in os.listdir(tmp_path / "state"):
        assert stat.S_IMODE(os.stat(tmp_path / "state" / name).st_mode) == 0o600, name
    with pytest.raises(UsageError, match="another engine uses this folder"):
        engine_of(str(tmp_path / "state"))
    engine.close()
    assert KEY in engine_of(str(tmp_path / "state")).keys


def test_orders_are_told_in_pages_and_old_ones_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.engine.orders.MOST_KEPT", 8)
    monkeypatch.setattr("pinebench.engine.orders.PURGED_EACH", 4)
    engine = engine_of(str(tmp_path), closes(100), limits=RiskLimits(order_value=1.0, orders_a_minute=None))
    resting = engine.place_order(ANNA, "BTCUSDT", "buy", 0.001, "limit", 1)
    ids = [engine.place_order(ANNA, "BTCUSDT", "buy", 5) for _ in range(40)]  # each one is rejected
    kept = [each["id"] for each in engine.orders(ANNA)]
    assert len(kept) <= 12 and kept[0] == resting and kept[1:] == ids[-len(kept) + 1 :]
    page = [each["id"] for each in engine.orders(ANNA, most=3)]
    assert page == kept[-3:]
    assert [each["id"] for each in engine.orders(ANNA, most=3, before=page[0])] == kept[-6:-3]
    with pytest.raises(UsageError, match="order not found"):
        engine.orders(BEN, before=page[0])
    engine.close()

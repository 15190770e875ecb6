"""The tools of the trading engine: their answers to the letter, and the advice where no engine runs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.engine import TradingEngine
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.engine.markets import bars_of, engine_of, play

BARS = bars_of([(100, 100, 100, 100), (101, 104, 96, 103), (103, 110, 102, 109)])
TRADING = [each for each in registry.tools().values() if each.group == "trading"]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[TradingEngine]:
    found = engine_of(str(tmp_path), BARS.at([0]))
    yield found
    found.close()


def use(
    engine: TradingEngine | None, name: str, /, subject: str | None = "anna", **arguments: object
) -> dict[str, Any]:
    context = Context(engine=engine, subject=subject)
    return call(ChartBrowser(port=9), name, arguments, context)


def test_each_tool_says_how_to_start_the_engine() -> None:
    assert [each.name for each in TRADING] == [
        *("place_order", "halt_trading", "cancel_order", "get_orders", "get_positions", "get_balance"),
        *("set_alert", "list_alerts", "cancel_alert", "get_notifications"),
        *("subscribe_notifications", "unsubscribe_notifications", "list_subscriptions"),
    ]
    given: dict[str, Any] = {"symbol": "BTCUSDT", "side": "buy", "quantity": 1, "condition": {"price_above": 1}}
    given |= {"order_id": "x", "alert_id": "x"}
    for each in TRADING:
        told = use(None, each.name, **{name: given[name] for name in each.required})
        assert told["success"] is False
        assert told["error"] == "Trading engine not running"
        assert "--trade" in told["hint"]


def test_orders_go_from_pending_to_filled(engine: TradingEngine) -> None:
    placed = use(engine, "place_order", symbol="btcusdt", side="buy", quantity=2)
    assert placed == {"success": True, "order_id": placed["order_id"], "status": "Pending"}
    play(engine, BARS, 1, 2)
    (order,) = use(engine, "get_orders")["orders"]
    assert order["state"] == "Filled"
    assert use(engine, "get_orders", filter="open")["orders"] == []
    (position,) = use(engine, "get_positions")["positions"]
    assert (position["entry_price"], position["unrealized_pnl"]) == (101, 4)
    balance = use(engine, "get_balance")
    assert balance["data"] == "exchange"
    assert (balance["equity"], balance["realized_pnl"], balance["unrealized_pnl"]) == (100_004, 0, 4)
    again = use(engine, "cancel_order", order_id=placed["order_id"])
    assert again["error"] == "the order is Filled and cannot become Cancelled"
    assert use(engine, "cancel_order", order_id="none")["error"] == "order not found: none"
    assert use(engine, "cancel_order", "ben", order_id=placed["order_id"])["error"].startswith("order not found")
    assert use(engine, "get_orders", "ben")["orders"] == []


def test_an_order_can_be_cancelled(engine: TradingEngine) -> None:
    order = {"symbol": "BTCUSDT", "side": "buy", "type": "limit", "quantity": 1, "price": 50}
    placed = use(engine, "place_order", **order)
    assert use(engine, "cancel_order", order_id=placed["order_id"]) == {"success": True, "ok": True}


def test_an_order_with_an_id_of_the_client_is_taken_once(engine: TradingEngine) -> None:
    order = {"symbol": "BTCUSDT", "side": "buy", "quantity": 2, "client_order_id": "page-1"}
    first, second = use(engine, "place_order", **order), use(engine, "place_order", **order)
    assert first["order_id"] == second["order_id"] and first["status"] == "Open"
    play(engine, BARS, 1, 2)
    assert use(engine, "place_order", **order)["status"] == "Filled"
    assert len(use(engine, "get_orders")["orders"]) == 1
    (position,) = use(engine, "get_positions")["positions"]
    assert position["quantity"] == 2


@pytest.mark.parametrize(
    "other", [{"side": "sell"}, {"quantity": 3}, {"take_profit": 200}, {"type": "limit", "price": 90}]
)
def test_an_id_of_the_client_never_hides_another_order(engine: TradingEngine, other: dict[str, Any]) -> None:
    order: dict[str, Any] = {"symbol": "BTCUSDT", "side": "buy", "quantity": 2, "client_order_id": "page-1"}
    use(engine, "place_order", **order)
    assert use(engine, "place_order", **order | other)["error"] == "client_order_id belongs to another order"
    assert use(engine, "place_order", "ben", **order | other)["success"] is True, "ids are each user's own"


def test_an_order_that_only_reduces_never_turns_a_position(engine: TradingEngine) -> None:
    closing: dict[str, Any] = {
        "symbol": "BTCUSDT",
        "side": "sell",
        "quantity": 9,
        "reduce_only": True,
        "client_order_id": "c",
    }
    assert "no position" in use(engine, "place_order", **closing)["error"]
    use(engine, "place_order", symbol="BTCUSDT", side="buy", quantity=2)
    play(engine, BARS, 1, 2)
    assert "no position" in use(engine, "place_order", **{**closing, "side": "buy"})["error"]
    assert "cannot have take_profit" in use(engine, "place_order", **{**closing, "take_profit": 1})["error"]
    placed = use(engine, "place_order", **closing)
    play(engine, BARS, 2, 3)
    assert use(engine, "get_positions")["positions"] == []
    closed = use(engine, "get_orders")["orders"][-1]
    assert (closed["id"], closed["quantity"], closed["state"]) == (placed["order_id"], 2, "Filled")
    assert use(engine, "place_order", **closing)["order_id"] == placed["order_id"]


def test_the_owner_stops_trading_and_nobody_else(engine: TradingEngine) -> None:
    order = {"symbol": "BTCUSDT", "side": "buy", "quantity": 2}
    use(engine, "place_order", **order)
    assert use(engine, "halt_trading")["error"] == "only the owner of the engine can stop trading"
    assert use(engine, "halt_trading", None, reason="news") == {"success": True, "halted": True, "ended": 1}
    assert use(engine, "get_balance")["halted"] == "news"
    use(engine, "place_order", **order)
    assert [each["state"] for each in use(engine, "get_orders")["orders"]] == ["Cancelled", "Rejected"]
    assert use(engine, "halt_trading", None, on=False) == {"success": True, "halted": False, "ended": 0}
    assert "halted" not in use(engine, "get_balance")


def test_prices_tell_how_old_they_are(engine: TradingEngine) -> None:
    use(engine, "place_order", symbol="BTCUSDT", side="buy", quantity=2)
    play(engine, BARS, 1, 2)
    engine.clock.time += 90_000  # type: ignore[attr-defined]
    (position,) = use(engine, "get_positions")["positions"]
    assert position["price_age"] == 90 and position["price_at"] == "2024-01-01T00:02:00Z"
    (followed,) = use(engine, "get_balance")["followed"]
    expected = {"symbol": "BTCUSDT", "intervals": ["1m"], "price": 103, "price_at": "2024-01-01T00:02:00Z"}
    assert followed == expected | {"price_age": 90}


def test_the_history_leaves_the_queue_as_it_is(engine: TradingEngine) -> None:
    alert = use(engine, "set_alert", symbol="BTCUSDT", condition={"price_above": 102})["alert_id"]
    play(engine, BARS, 1, 2)
    for _ in range(2):
        (fired,) = use(engine, "get_notifications", history=True)["notifications"]
        assert (fired["alert_id"], fired["value"]) == (alert, 103)
    assert use(engine, "get_notifications", "ben", history=True)["notifications"] == []
    assert [each["alert_id"] for each in use(engine, "get_notifications")["notifications"]] == [alert]
    assert use(engine, "get_notifications")["notifications"] == []


def test_nothing_is_lost_that_does_not_fit_into_one_answer(engine: TradingEngine) -> None:
    """A bare list does not show that it was cut, and what is taken out of the queue is not there any more."""
    words = "x" * 3_900
    for _ in range(40):
        use(engine, "set_alert", symbol="BTCUSDT", condition={"price_above": 102}, message=words, frequency="all")
        use(engine, "place_order", symbol="BTCUSDT", side="buy", quantity=0.001, type="limit", price=1)
    alerts = [each["id"] for each in engine.alerts.listing("anna")]
    orders = [each["id"] for each in engine.orders("anna")]
    play(engine, BARS, 1, 2)

    def pages(name: str, key: str, id: str, /, newest_last: bool, **more: Any) -> list[str]:
        found: list[str] = []
        before: dict[str, Any] = {}
        while page := use(engine, name, **more, **before):
            assert page["success"] and "truncated" not in page, page
            if not page[key]:
                return found
            ids = [each[id] for each in page[key]]
            found = [*ids, *found] if newest_last else [*found, *ids]
            before = {"before": ids[0] if newest_last else ids[-1]}
        raise AssertionError

    assert pages("list_alerts", "alerts", "id", newest_last=True) == alerts
    assert pages("get_orders", "orders", "id", newest_last=True, limit=7) == orders
    fired = pages("get_notifications", "notifications", "id", newest_last=False, history=True)
    assert len(set(fired)) == len(fired) == 40
    assert fired == pages("get_notifications", "notifications", "id", newest_last=False, history=True, limit=1)
    assert use(engine, "get_notifications", "ben", history=True, before=fired[0])["error"].startswith(
        "notification not"
    )
    assert "before works only with history" in use(engine, "get_notifications", before=fired[0])["error"]
    assert "alert not found" in use(engine, "list_alerts", "ben", before=alerts[0])["error"]
    taken: list[str] = []
    while got := use(engine, "get_notifications")["notifications"]:
        assert sum(len(each["message"]) for each in got) <= 60_000
        taken += [each["alert_id"] for each in got]
    assert sorted(taken) == sorted(alerts)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"side": "buy", "quantity": 1}, "symbol is missing"),
        ({"symbol": "BTCUSDT", "side": "long", "quantity": 1}, "side must be one of buy, sell"),
        ({"symbol": "BTCUSDT", "side": "buy", "quantity": 0}, "quantity must be greater than 0"),
        ({"symbol": "BTCUSDT", "side": "buy", "quantity": 1, "type": "limit"}, "price is required for limit orders"),
        ({"symbol": "ETHUSDT", "side": "buy", "quantity": 1}, "the engine does not follow ETHUSDT"),
    ],
)
def test_wrong_orders_are_refused(engine: TradingEngine, given: dict[str, Any], words: str) -> None:
    told = use(engine, "place_order", **given)
    assert told["success"] is False
    assert words in told["error"]


def test_an_alert_is_set_listed_fired_and_cancelled(engine: TradingEngine) -> None:
    condition = {"price_above": 103}
    set_ = use(engine, "set_alert", symbol="BTCUSDT", condition=condition)
    other = use(engine, "set_alert", symbol="BTCUSDT", condition={"price_below": 1})
    first, second = use(engine, "list_alerts")["alerts"]
    assert {first["id"], second["id"]} == {set_["alert_id"], other["alert_id"]}
    assert {"id", "symbol", "condition", "created_at"} <= first.keys()
    play(engine, BARS, 1, 2)
    assert use(engine, "get_notifications", "ben")["notifications"] == []
    (fired,) = use(engine, "get_notifications")["notifications"]
    assert fired == {
        "alert_id": set_["alert_id"],
        "symbol": "BTCUSDT",
        "condition": condition,
        "triggered_at": "2024-01-01T00:02:00Z",
        "value": 103,
    }
    assert use(engine, "cancel_alert", alert_id=other["alert_id"]) == {"success": True, "ok": True}
    assert use(engine, "cancel_alert", alert_id="x")["error"] == "alert not found: x"


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ({}, "condition must have exactly one known key"),
        ({"price": 1}, "condition has no field 'price'"),
        ({"indicator_signal": {"indicator": "rsi"}}, "condition.indicator_signal.signal is missing"),
        ({"indicator_signal": {"indicator": "supertrend", "signal": "flip"}}, "supertrend has no signal 'flip'"),
    ],
)
def test_wrong_conditions_are_refused(engine: TradingEngine, condition: object, words: str) -> None:
    told = use(engine, "set_alert", symbol="BTCUSDT", condition=condition)
    assert told["success"] is False
    assert words in told["error"]


def test_a_webhook_needs_a_public_address_and_a_secret(engine: TradingEngine) -> None:
    given: dict[str, Any] = {"symbol": "BTCUSDT", "condition": {"price_above": 1}}
    hook = {"url": "http://169.254.169.254/latest/meta-data", "secret": "0123456789abcdef"}
    assert "webhooks are not sent to 169.254.169.254" in use(engine, "set_alert", webhook=hook, **given)["error"]
    hook = {"url": "https://example.com", "secret": "short"}
    assert "16 characters" in use(engine, "set_alert", webhook=hook, **given)["error"]


def test_subscriptions_belong_to_users_who_log_in(engine: TradingEngine) -> None:
    told = use(engine, "subscribe_notifications", None)
    assert told["success"] is False
    assert told["error"].startswith("No authentication token")
    assert use(engine, "list_subscriptions") == {"success": True, "subscribed": False}
    subscribed = use(engine, "subscribe_notifications", symbols=["btcusdt"], alert_types=["price_above"])
    filters = {"symbols": ["BTCUSDT"], "alert_types": ["price_above"]}
    assert subscribed == {"success": True, "status": "subscribed", **filters}
    listed = use(engine, "list_subscriptions")
    assert listed == {"success": True, "subscribed": True, **filters, "offline_queue_size": 0, "connected": False}
    everything = use(engine, "subscribe_notifications", symbols=[], alert_types=[])
    assert (everything["symbols"], everything["alert_types"]) == (None, None)
    assert use(engine, "unsubscribe_notifications")["status"] == "unsubscribed"
    assert use(engine, "unsubscribe_notifications")["status"] == "not_found"


def test_the_whole_answer_of_lists_is_named() -> None:
    assert {each.name: each.bare for each in TRADING if each.bare} == {
        "get_orders": "orders",
        "get_positions": "positions",
        "list_alerts": "alerts",
        "get_notifications": "notifications",
    }


def test_indicators_are_computed_on_the_bars_of_the_engine(engine: TradingEngine) -> None:
    play(engine, BARS, 1, 2)
    told = use(engine, "get_indicators", symbol="btcusdt", interval="1m", indicators=["donchian"])
    assert told["success"] is True, told
    assert (told["symbol"], told["interval"], told["source"]) == ("BINANCE:BTCUSDT", "1m", "engine_cache")
    assert told["data"] == "exchange"
    assert told["last_bar"] == BARS.time[1] // 1000
    assert told["bars"] > 0

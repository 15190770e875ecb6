"""What belongs to one of several users: nobody else sees, changes or hears it."""

import http.client
import json
from pathlib import Path
from typing import Any

from pinebench.engine.engine import TradingEngine
from pinebench.mcp.web.grant_store import Family, new_secret
from tests.engine.markets import closes, engine_of, play
from tests.mcp.web.support import Server

SCOPES = "charts alerts trading"


def token_of(server: Server, subject: str) -> str:
    """A token of a user, as the owner's approval makes one for the owner."""
    family, token = Family(f"of {subject}", server.client(), subject, "this computer"), new_secret()
    server.store.add_code(new_secret(), family, "{}", 300)
    assert server.store.add_tokens(family.id, [("access", token, SCOPES, 1000)])
    return token


def answer(server: Server, name: str, token: str, **arguments: Any) -> Any:
    result = server.call(name, token, **arguments).told["result"]
    text = result["content"][0]["text"]
    return text if result.get("isError") else json.loads(text)


def heard(server: Server, token: str, count: int, last: int | None = None) -> list[tuple[int, dict[str, Any]]]:
    """The next events of a stream."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    headers = {"Authorization": f"Bearer {token}"} | ({} if last is None else {"Last-Event-ID": str(last)})
    connection.request("GET", "/mcp", headers=headers)
    told, found, number = connection.getresponse(), list[tuple[int, dict[str, Any]]](), 0
    while len(found) < count:
        name, _, value = told.readline().decode().strip().partition(": ")
        if name == "id":
            number = int(value)
        elif name == "data":
            found.append((number, json.loads(value)["params"]))
    told.close()
    connection.close()
    return found


def test_alerts_orders_and_notifications_belong_to_one_user(tmp_path: Path) -> None:
    engine: TradingEngine = engine_of(str(tmp_path / "engine"), closes(100.0))
    with Server(tmp_path, engine=engine) as server:
        users = {name: token_of(server, name) for name in ("anna", "ben", "owner")}
        alerts: dict[str, str] = {}
        orders: dict[str, str] = {}
        for place, (name, token) in enumerate(users.items()):
            answer(server, "subscribe_notifications", token)
            alerts[name] = answer(
                server,
                "set_alert",
                token,
                symbol="BTCUSDT",
                condition={"price_above": 101 + place},
                frequency="once_per_bar",
                message=f"for {name}",
            )["alert_id"]
            placed = {"symbol": "BTCUSDT", "side": "buy", "quantity": 1 + place, "type": "limit", "price": 50}
            orders[name] = answer(server, "place_order", token, **placed)["order_id"]
        # Who knows the id of somebody else still cannot do anything with it.
        for name, token in users.items():
            for other in users.keys() - {name}:
                assert "not found" in answer(server, "cancel_alert", token, alert_id=alerts[other])
                assert "not found" in answer(server, "cancel_order", token, order_id=orders[other])
        answer(server, "place_order", users["anna"], symbol="BTCUSDT", side="buy", quantity=3)
        play(engine, closes(100, 101, 102, 103, 104, 105), 1)
        for place, (name, token) in enumerate(users.items()):
            assert [each["id"] for each in answer(server, "list_alerts", token)] == [alerts[name]]
            mine = [each["id"] for each in answer(server, "get_orders", token, filter="open")]
            assert mine == [orders[name]]
            held = [each["quantity"] for each in answer(server, "get_positions", token)]
            assert held == ([3] if name == "anna" else [])
            assert answer(server, "get_balance", token)["unrealized_pnl"] == (12 if name == "anna" else 0)
            assert answer(server, "list_subscriptions", token)["offline_queue_size"] == 5 - place
            told = answer(server, "get_notifications", token)
            assert [each["alert_id"] for each in told] == [alerts[name]] * (5 - place)
            assert {each["message"] for each in told} == {f"for {name}"}
            assert answer(server, "get_notifications", token) == []
        events = {name: heard(server, token, 5 - place) for place, (name, token) in enumerate(users.items())}
        for name, token in users.items():
            assert {told["alert_id"] for _, told in events[name]} == {alerts[name]}
            # The number of somebody else's event gives only own ones behind it.
            first = events["anna"][0][0]
            behind = [each for each in events[name] if each[0] > first]
            assert heard(server, token, len(behind), first) == behind
        numbers = [number for found in events.values() for number, _ in found]
        assert len(numbers) == len(set(numbers)) == 12
        answer(server, "unsubscribe_notifications", users["anna"])
        assert answer(server, "list_subscriptions", users["ben"])["subscribed"] is True
    engine.close()


def test_a_revoked_user_is_out_and_the_others_stay(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path / "engine"), closes(100.0))
    with Server(tmp_path, engine=engine) as server:
        anna, ben = token_of(server, "anna"), token_of(server, "ben")
        server.store.revoke("of anna")
        assert not server.is_let_in(anna)
        assert server.is_let_in(ben)
    engine.close()

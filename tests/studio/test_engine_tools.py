"""The studio's tools for charts, alerts and orders: for its owner only, and no other tools."""

import json

from pinebench.studio.app import Studio
from pinebench.studio.web import Response, StudioRequest


def asked(name: str, given: object, *, visitor: bool = False) -> Response:
    request = StudioRequest("POST", f"/studio/api/tools/{name}", body=json.dumps(given).encode(), visitor=visitor)
    return Studio().handle(request)


def test_visitors_neither_call_tools_nor_hear_of_alerts() -> None:
    assert asked("list_indicators", {}, visitor=True).status == 401
    assert Studio().handle(StudioRequest("GET", "/studio/api/alerts/fired", visitor=True)).status == 401


def test_other_tools_are_not_called() -> None:
    assert asked("pine_run", {}).status == 404
    assert asked("no_tool", {}).status == 404
    assert asked("list_indicators", []).status == 400


def test_tools_answer_without_an_engine() -> None:
    assert json.loads(asked("list_indicators", {}).body)["total"] > 100
    told = json.loads(asked("place_order", {"symbol": "BTCUSDT", "side": "buy", "quantity": 1}).body)
    assert (told["success"], told["error"]) == (False, "Trading engine not running")

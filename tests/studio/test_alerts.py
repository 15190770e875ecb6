"""TradingView's alert service on the studio's store."""

import json
from typing import Any

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.web import StudioRequest

CONDITION = {"type": "cross_up", "series": [{"type": "barset"}, {"type": "value", "value": 240.5}], "resolution": "60"}
WANTED = {"symbol": '={"symbol":"NASDAQ:AAPL"}', "conditions": [CONDITION], "message": "Käse 😀", "resolution": "60"}


@pytest.fixture
def studio() -> Studio:
    return Studio()


def ask(studio: Studio, path: str, payload: object = None) -> tuple[int, dict[str, Any]]:
    body = b"" if payload is None else json.dumps({"payload": payload}).encode()
    request = StudioRequest("POST" if body else "GET", f"/pricealerts/{path}", {}, {"content-type": "text/plain"}, body)
    answer = studio.handle(request)
    return answer.status, json.loads(answer.body)


def test_an_alert_is_made_listed_and_deleted(studio: Studio) -> None:
    assert ask(studio, "list_alerts") == (200, {"s": "ok", "r": []})
    status, made = ask(studio, "create_alert", WANTED)
    assert (status, made["s"]) == (200, "ok")
    other = ask(studio, "create_alert", {**WANTED, "conditions": None, "condition": CONDITION})[1]["r"]
    listed = ask(studio, "list_alerts")[1]["r"]
    assert listed == [made["r"], other]
    assert listed[0]["alert_id"] != listed[1]["alert_id"]
    assert listed[0]["condition"] == CONDITION
    assert (listed[0]["message"], listed[0]["active"], listed[0]["last_fire_time"]) == ("Käse 😀", True, None)
    assert ask(studio, "delete_alerts", {"alert_ids": [made["r"]["alert_id"]]})[1]["r"] == {"deleted": 1}
    assert ask(studio, "list_alerts")[1]["r"] == [other]


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"symbol": "AAPL"},
        {"symbol": "", "conditions": [CONDITION]},
        {"symbol": "AAPL", "conditions": [{"type": "cross", "series": [1]}]},
        {"symbol": "AAPL", "conditions": ["cross"]},
        {"symbol": "AAPL", "conditions": {"type": "cross"}},
    ],
)
def test_what_is_no_alert_is_refused(studio: Studio, payload: object) -> None:
    status, answer = ask(studio, "create_alert", payload)
    assert (status, answer["s"]) == (400, "error")
    assert ask(studio, "list_alerts")[1]["r"] == []


def test_a_body_without_a_payload_is_refused(studio: Studio) -> None:
    for body in (b"[]", b"{}", b"nonsense"):
        assert studio.handle(StudioRequest("POST", "/pricealerts/create_alert", {}, {}, body)).status == 400
    assert ask(studio, "delete_alerts", {"alert_ids": 5})[0] == 400


def test_an_alert_ends_when_it_has_fired_unless_it_may_go_on(studio: Studio) -> None:
    once = ask(studio, "create_alert", WANTED)[1]["r"]["alert_id"]
    often = ask(studio, "create_alert", {**WANTED, "auto_deactivate": False})[1]["r"]["alert_id"]
    stopped = ask(studio, "create_alert", {**WANTED, "auto_deactivate": False, "active": False})[1]["r"]["alert_id"]
    body = json.dumps({"ids": [once, often, stopped], "time": 1_700_000_000}).encode()
    assert studio.handle(StudioRequest("POST", "/studio/api/alerts/fired", {}, {}, body)).status == 200
    listed = {each["alert_id"]: each for each in ask(studio, "list_alerts")[1]["r"]}
    assert {number: each["active"] for number, each in listed.items()} == {once: False, often: True, stopped: False}
    assert listed[often]["last_fire_time"].startswith("2023-11-14")

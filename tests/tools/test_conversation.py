"""Conversations about a chart in a real browser: many readings at once, a picture, a failure in the middle, consent,
and a panel that must be opened first. The studio's own assistant drives its own page."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websocket

from pinebench.agent.consent import ConsentRequest
from pinebench.agent.repairs import performed
from pinebench.context import Context
from pinebench.tools import registry
from pinebench.tools.registry import Tool
from pinebench.tools.tool_calls import ToolOutcome, ToolRefused, failure
from pinebench.tradingview.errors import (
    ConnectionFailed,
    ConnectionLost,
    EditorNotFound,
    NoChart,
    PageBusy,
    PathMissing,
)
from tests.agent.support import calls, conversation, kinds, results_in, service, talk
from tests.authoring.fake_anthropic import text
from tests.authoring.support import isolate
from tests.tools.conftest import Bench

pytestmark = pytest.mark.live

READINGS = (
    ("chart_get_state", {}),
    ("quote_get", {}),
    ("data_get_study_values", {}),
    ("data_get_pine_lines", {}),
    ("data_get_pine_labels", {}),
    ("data_get_ohlcv", {"summary": True}),
)
REPORT = "AAPL trades calmly above its averages."


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    isolate(monkeypatch, tmp_path)
    yield


def test_six_readings_then_a_picture_then_the_report(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (
        calls(*READINGS, said="I read the chart."),
        calls(("capture_screenshot", {"region": "chart"})),
        text(REPORT),
    )
    with service(monkeypatch, *steps) as fake:
        events = talk(conversation(bench.chart_browser), "Analyse my chart.")
    assert kinds(events) == [
        *("text", *["tool_use"] * 6, *["tool_result"] * 6),
        *("tool_use", "tool_result", "text", "done"),
    ], events
    assert len(fake.requests) == 3
    found = results_in(fake.requests[1].body["messages"][-1])
    assert list(found) == [f"call_{at}" for at in range(6)]
    assert all(one["content"]["success"] for one in found.values())
    # The numbers are those of the page, and they say that they are made up.
    state, quote = found["call_0"]["content"], found["call_1"]["content"]
    assert quote["symbol"].endswith(state["symbol"].rpartition(":")[2]) and quote["data"] == "sample"
    assert quote["last"] == bench.use("quote_get")["last"]
    picture = results_in(fake.requests[2].body["messages"][-1])["call_0"]
    assert picture["images"] == 1 and picture["content"]["region"] == "chart"
    assert events[-1]["rounds"] == 2


def test_a_failure_in_the_middle_and_a_change_that_reads_after_it_see(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = bench.use("chart_get_state")["symbol"]
    wanted = calls(
        ("chart_set_symbol", {"symbol": "NASDAQ:MSFT"}),
        ("quote_get", {}),
        ("indicator_set_inputs", {"entity_id": "none", "inputs": {"a": 1}}),
        ("quote_get", {"symbol": "NASDAQ:NVDA"}),
        ("chart_get_state", {}),
    )
    with service(monkeypatch, wanted, text("So.")) as fake:
        events = talk(conversation(bench.chart_browser), "Look at Microsoft.")
    bench.use("chart_set_symbol", symbol=before)
    found = results_in(fake.requests[1].body["messages"][-1])
    assert [one["is_error"] for one in found.values()] == [False, False, True, False, False], events
    assert found["call_1"]["content"]["symbol"].endswith("MSFT")
    assert found["call_3"]["content"]["symbol"].endswith("NVDA")
    assert found["call_4"]["content"]["symbol"].endswith("MSFT")


def test_one_of_three_calls_needs_consent_and_only_an_allowed_one_changes_the_text(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = '//@version=6\nindicator("Mine")\nplot(close)\n'
    bench.use("pine_set_source", source=source)
    other = source.replace("Mine", "Other")
    wanted = calls(("pine_current", {}), ("pine_set_source", {"source": other}), ("quote_get", {}))
    for allowed in (False, True):
        asked: list[ConsentRequest] = []

        async def approve(one: ConsentRequest, allowed: bool = allowed, asked: list[ConsentRequest] = asked) -> bool:
            asked.append(one)
            return allowed

        with service(monkeypatch, wanted, text("So.")) as fake:
            talk(conversation(bench.chart_browser, approve=approve), "Change it.")
        found = results_in(fake.requests[1].body["messages"][-1])
        assert [one["is_error"] for one in found.values()] == [False, not allowed, False]
        assert [one.name for one in asked] == ["pine_set_source"]
        assert bench.use("pine_get_source")["source"] == (other if allowed else source)


def test_a_closed_editor_is_opened(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.use("pine_set_source", source='//@version=6\nindicator("Kept")\nplot(close)\n')
    bench.use("ui_open_panel", panel="pine-editor", action="close")
    with service(monkeypatch, calls(("pine_get_source", {}), ("pine_get_errors", {})), text("So.")) as fake:
        talk(conversation(bench.chart_browser), "Read it.")
    found = results_in(fake.requests[1].body["messages"][-1])
    assert "Kept" in found["call_0"]["content"]["source"] and not found["call_1"]["is_error"]


def no_connection(cause: Exception) -> ConnectionFailed:
    """What the connection raises because of `cause`."""
    error = ConnectionFailed(str(cause), "look at the browser")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("name", "error", "tries", "opened"),
    [
        ("pine_get_source", EditorNotFound("the Pine editor could not be opened"), 3, 2),
        ("pine_set_source", EditorNotFound("the Pine editor could not be opened"), 3, 2),
        ("quote_get", PathMissing("chart", "x"), 3, 0),
        ("quote_get", no_connection(NoChart("the page is still loading")), 3, 0),
        ("chart_set_symbol", no_connection(PageBusy("a dialog blocks it")), 3, 0),
        ("quote_get", no_connection(ConnectionRefusedError("nobody listens")), 1, 0),
        ("quote_get", ConnectionLost("it was closed"), 1, 0),
        ("chart_set_symbol", PathMissing("chart", "x"), 1, 0),
        (
            "data_get_trades",
            ToolRefused("the strategy 'A' has no report", "open the strategy tester (ui_open_panel)"),
            3,
            2,
        ),
        ("quote_get", ToolRefused("no such symbol"), 1, 0),
    ],
)
def test_a_call_is_repaired_and_tried_again_twice_at_most(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str, error: Any, tries: int, opened: int
) -> None:
    called: list[str] = []

    def answer(_browser: Any, tool: Tool | str, _given: Any, _context: Any) -> ToolOutcome:
        called.append(tool if isinstance(tool, str) else tool.name)
        if tool == "ui_open_panel":
            return ToolOutcome({"success": True})
        return ToolOutcome(failure(error), error=error)

    monkeypatch.setattr("pinebench.agent.repairs.answer", answer)
    outcome = performed(bench.chart_browser, registry.find(name), {}, Context(), wait=0.0)
    assert outcome.error is error
    assert (called.count(name), called.count("ui_open_panel")) == (tries, opened)


def test_the_assistant_of_a_studio_drives_its_own_page(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    session = bench.session
    session.drive(bench.driver.port, bench.driver.tab)
    address = f"ws://127.0.0.1:{session.port}/api/chat?token={session.token}"
    with service(monkeypatch, calls(*READINGS), calls(("capture_screenshot", {})), text(REPORT)) as fake:
        socket = websocket.create_connection(address, origin=f"http://127.0.0.1:{session.port}", timeout=120)
        socket.send(json.dumps({"type": "chat", "content": "Analyse my chart."}))
        events: list[dict[str, Any]] = []
        while not events or events[-1]["type"] not in ("done", "error"):
            events.append(json.loads(socket.recv()))
        socket.send(json.dumps({"type": "screenshot", "region": "chart"}))
        picture = json.loads(socket.recv())
        socket.close()
    assert [event["type"] for event in events].count("tool_result") == 7, events
    assert len(results_in(fake.requests[1].body["messages"][-1])) == 6
    assert picture["type"] == "screenshot" and picture["mimeType"] == "image/png" and len(picture["data"]) > 1000
    connection = http.client.HTTPConnection("127.0.0.1", session.port, timeout=120)
    told: dict[str, Any] = {}
    for path in ("status", "state", "screenshot?region=chart"):
        connection.request("GET", f"/api/{path}{'&' if '?' in path else '?'}token={session.token}")
        answer = connection.getresponse()
        data = answer.read()
        told[path] = data if path.startswith("screenshot") else json.loads(data)
        assert answer.status == 200, data
    assert told["status"]["connected"] and told["state"]["symbol"]
    assert told["screenshot?region=chart"].startswith(b"\x89PNG")
    connection.close()
    session.studio.driver.close()

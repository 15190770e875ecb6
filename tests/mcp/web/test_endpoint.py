"""The endpoint's rules: who is answered, in which form, and what a session id means."""

import contextlib
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.mcp.web import endpoint, public_tools
from pinebench.mcp.web.scopes import ENGINE, LISTED
from pinebench.mcp.web.shares import CallTurns
from tests.engine.markets import closes, engine_of, play
from tests.mcp.web.support import BOTH, HELLO, Answer, Engine, Server, events

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("state"), groups="templates,chart", engine=Engine()) as served:
        yield served


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    return str(server.log_in()["access_token"])


@pytest.mark.parametrize("path", ["/mcp", "/", "/message"])
def test_a_message_may_be_sent_to_each_address(server: Server, path: str) -> None:
    answer = server.ask("POST", path, json.dumps(INITIALIZE))
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.told["result"]["serverInfo"]["name"] == "pinebench"


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        (None, 200),
        ("*/*", 200),
        ("application/*", 200),
        ("application/json", 200),
        ("text/event-stream, application/json;q=0.5", 200),
        ("APPLICATION/JSON", 200),
        ("application/json;q=0.001", 200),
        (BOTH, 200),
        ("text/plain", 406),
        ("text/event-stream", 406),
        ("", 406),
        ("application/json;q=0", 406),
        ("application/json;q=0.", 406),
        ("application/json; q=0.0", 406),
        ("application/json;Q=0.000", 406),
        ("*/*;q=0", 406),
        ("application/jsonp", 406),
        ("application/json;q=0, text/plain", 406),
    ],
)
def test_the_rules_for_accept(server: Server, accept: str | None, status: int) -> None:
    answer = server.ask("POST", "/mcp", json.dumps(LIST), {} if accept is None else {"Accept": accept})
    assert answer.status == status
    assert status == 200 or (answer.told["error"]["code"], answer.told["id"]) == (-32600, None)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, -32700),
        ("", 400, -32700),
        ("\xff", 400, -32700),
        ('{"id":1,"id":2}', 400, -32700),
        ("NaN", 400, -32700),
        ("[" * 5_000, 400, -32700),
        ('{"a":' * 200 + "1" + "}" * 200, 400, -32700),
        ("1" * 5_000, 400, -32700),
        (json.dumps([LIST, LIST]), 400, -32600),
        ('"text"', 400, -32600),
        (json.dumps({"jsonrpc": "2.0", "id": 9, "method": "ping"}), 401, -32000),
        (
            json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "get_orders"}}),
            401,
            -32000,
        ),
        (json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), 401, -32000),
        (json.dumps({"jsonrpc": "2.0", "id": 9, "method": "Initialize"}), 401, -32000),
        (json.dumps({"jsonrpc": "2.0", "id": 9, "method": ["initialize"]}), 401, -32000),
        (json.dumps({"jsonrpc": "2.0", "method": "tools/list"}), 401, -32000),
        ("x" * 70_000, 413, -32600),
    ],
)
def test_what_is_refused_without_a_token(server: Server, body: str, status: int, code: int) -> None:
    answer = server.ask("POST", "/mcp", body.encode("latin-1"), {"Mcp-Session-Id": "kept"})
    assert (answer.status, answer.told["error"]["code"]) == (status, code)
    assert answer.headers["mcp-session-id"] == "kept"
    if status == 401:
        assert answer.told["id"] in (9, None)
        assert f'{server.url}/.well-known/oauth-protected-resource/mcp"' in answer.headers["www-authenticate"]


def test_the_fifteen_tools_are_listed_to_everybody_and_others_to_whom_they_were_granted(
    server: Server, token: str
) -> None:
    open_to_all = [tool["name"] for tool in server.say(LIST).told["result"]["tools"]]
    assert open_to_all == list(LISTED) and len(LISTED) == 15
    # Tools that drive the chart must be chosen by the person; others were chosen already.
    more = [tool["name"] for tool in server.say(LIST, token).told["result"]["tools"]]
    assert "template_list" in more and "chart_get_state" not in more
    assert server.call("chart_get_state", token).status == 403
    driver = server.log_in(scope="charts tools:chart")
    assert driver["scope"] == "charts"


def test_a_granted_scope_is_no_wider_than_what_was_asked_for(server: Server) -> None:
    told = server.log_in(scope="charts")
    assert told["scope"] == "charts"
    assert server.call("list_indicators", told["access_token"]).status == 200
    refused = server.call("set_alert", told["access_token"], symbol="BTCUSDT")
    assert refused.status == 403 and 'scope="alerts"' in refused.headers["www-authenticate"]
    assert server.ask("GET", "/mcp", headers={"Authorization": f"Bearer {told['access_token']}"}).status == 403


@pytest.mark.parametrize("name", ENGINE)
def test_tools_of_the_engine_are_refused_with_advice_where_none_runs(name: str, plain: Server) -> None:
    told = plain.call(name, None).told["result"]
    assert told["isError"] is True
    assert "engine not running" in told["content"][0]["text"] and "--trade" in told["content"][0]["text"]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("plain"), auth=False) as served:
        yield served


def test_without_tokens_only_pages_of_this_server_may_ask(plain: Server) -> None:
    assert plain.is_let_in(None)
    assert plain.is_let_in(None, {"Origin": plain.url})
    assert not plain.is_let_in(None, {"Origin": "http://localhost:1"})
    assert plain.ask("GET", "/.well-known/oauth-authorization-server").status == 404


FILES: list[dict[str, Any]] = [
    {"symbol": "/etc/passwd"},
    {"symbol": ["/etc/passwd"]},
    {"ticker": "../secret.csv"},
    {"symbol": "prices.csv"},
    {"data": ["/etc/passwd"]},
    {"data": '["/etc/passwd"]'},
    {"data": ["BTCUSDT=/etc/passwd", "sample:NASDAQ:AAPL"]},
    {"indicators": [{"pine": "/home/me/mine.pine"}]},
    {"indicators": {"pine": "/home/me/mine.pine"}},
    {"indicators": '[{"pine": "/home/me/mine.pine"}]'},
    {"indicators": "rsi, mine.pine"},
    {"panels": [{"pine": "mine.PINE"}]},
]
"""Arguments that name files of the server, in every form in which a tool takes them."""


def test_files_of_the_server_cannot_be_read(plain: Server) -> None:
    answers = [(given, plain.call("generate_chart", None, **given).told["result"]) for given in FILES]
    others = [{**given, "indicators": ["rsi"]} for given in FILES if "symbol" in given or "ticker" in given]
    answers += [(given, plain.call("get_indicators", None, **given).told["result"]) for given in others]
    read = [
        (given, told)
        for given, told in answers
        if not told["isError"] or "cannot be read from here" not in told["content"][0]["text"]
    ]
    assert read == []


def test_answers_have_the_form_of_chartgens(plain: Server) -> None:
    listed = plain.call("list_indicators", None).told["result"]
    (text,) = listed["content"]
    assert text["text"].startswith('{\n  "indicators": [\n') and set(json.loads(text["text"])) == {
        "indicators",
        "total",
    }
    charted = plain.call("generate_chart", None, width=400, height=300, bars=20, indicators=["rsi"]).told["result"]
    assert [each["type"] for each in charted["content"]] == ["image", "text"]
    assert json.loads(charted["content"][1]["text"])["source"] == "sample"
    wrong = plain.call("generate_chart", None, format="gif").told["result"]
    assert wrong["isError"] is True and wrong["content"][0]["text"].startswith("format cannot be 'gif'")


def test_each_tool_says_what_it_does_to_the_world(plain: Server) -> None:
    hints = {tool["name"]: tool["annotations"] for tool in plain.say(LIST).told["result"]["tools"]}
    reading = {name for name, hint in hints.items() if hint.get("readOnlyHint")}
    assert {"generate_chart", "get_orders", "get_balance", "list_alerts", "list_subscriptions"} <= reading
    destructive = {name for name, hint in hints.items() if hint.get("destructiveHint")}
    assert {"place_order", "cancel_order"} <= destructive and not destructive & reading
    assert hints["subscribe_notifications"]["idempotentHint"] is True
    assert all("outputSchema" not in tool for tool in plain.say(LIST).told["result"]["tools"])


def test_an_unknown_tool_is_a_result_that_names_it(server: Server, token: str) -> None:
    told = server.call("no_such_tool", token).told["result"]
    assert told["isError"] is True and "no_such_tool" in told["content"][0]["text"]


def test_calls_are_answered_as_json_also_to_clients_that_accept_streams(
    server: Server, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.mcp.web.json_answers.SECONDS", 60.0)  # a busy machine may need longer than usual
    known = {"Authorization": f"Bearer {token}", "Accept": BOTH}
    begun = server.ask("POST", "/mcp", json.dumps(INITIALIZE), known)
    assert (begun.status, begun.headers["content-type"]) == (200, "application/json")
    session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert server.say(told, token, {"Accept": BOTH, **session}).status == 202
    call = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "list_indicators", "arguments": {}}}
    answer = server.say(call, token, {"Accept": BOTH, **session})
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["mcp-session-id"] == session["Mcp-Session-Id"]
    assert answer.told["result"]["structuredContent"]["total"] >= 38
    assert server.ask("DELETE", "/mcp", headers=known | session).status == 200
    # The session is over, and its id means nothing any more: each message is answered on its own.
    assert server.say(call, token, session).told["result"]["isError"] is False


def test_a_session_id_of_the_client_is_returned_and_of_another_client_opens_nothing(server: Server, token: str) -> None:
    begun = server.ask(
        "POST", "/mcp", json.dumps(INITIALIZE), {"Authorization": f"Bearer {token}", "Accept": BOTH}
    ).headers["mcp-session-id"]
    other = server.log_in()["access_token"]
    stolen = {"Mcp-Session-Id": begun, "Accept": BOTH}
    assert server.ask("DELETE", "/mcp", headers={"Authorization": f"Bearer {other}", **stolen}).status == 405
    assert server.say({"jsonrpc": "2.0", "id": 1, "method": "ping"}, other, stolen).told == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {},
    }
    own = {"Mcp-Session-Id": "fixed-by-somebody", "Accept": BOTH}
    assert server.say(INITIALIZE, token, own).headers["mcp-session-id"] == "fixed-by-somebody"
    assert "mcp-session-id" not in server.say(LIST, None, {"Mcp-Session-Id": "x" * 300}).headers


def test_the_modern_protocol_needs_no_handshake(server: Server, token: str) -> None:
    told = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": MODERN}}
    modern = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
    for accept in ("application/json", BOTH):
        answer = server.say(told, token, {**modern, "Accept": accept})
        assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
        assert "generate_chart" in [tool["name"] for tool in answer.told["result"]["tools"]]


def test_health_and_icon_are_open(server: Server) -> None:
    health = server.ask("GET", "/")
    assert health.told["status"] == "ok" and health.told["protocol"] == "MCP"
    for path in ("/favicon.svg", "/favicon.ico"):
        icon = server.ask("GET", path)
        assert icon.headers["content-type"].startswith("image/svg+xml") and icon.body.startswith(b"<svg")


NONE: dict[str, str] = {}


class Listener:
    """An open stream. It reads event by event, so that it never waits for an end that does not come."""

    def __init__(
        self, server: Server, token: str, path: str = "/mcp", body: str | None = None, headers: dict[str, str] = NONE
    ) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        known = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        self._connection.request("GET" if body is None else "POST", path, body, known | headers)
        self.answer = self._connection.getresponse()

    def block(self) -> str:
        """The next event or comment."""
        lines: list[str] = []
        while True:
            line = self.answer.readline().decode().replace("\r", "")
            if line in ("\n", ""):
                return "".join(lines)
            lines.append(line)

    def event(self) -> tuple[int, str]:
        """The number of the next event, and its alert."""
        found = events(self.block() + "\n\n")[0]
        assert found["event"] == "message"
        told = json.loads(found["data"])
        assert told["method"] == "notifications/alert_triggered"
        return int(found["id"]), told["params"]["alert_id"]

    def close(self) -> None:
        self._connection.close()
        self.answer.close()


@pytest.mark.parametrize("path", ["/mcp", "/sse"])
def test_alerts_are_pushed_in_order_and_taken_up_where_a_stream_broke(tmp_path: Path, path: str) -> None:
    engine = Engine()
    with Server(tmp_path, engine=engine) as server:
        token = server.log_in()["access_token"]
        for name in ("a", "b"):
            engine.pushing.fire("owner", name)
        engine.pushing.fire("somebody else", "foreign")
        stream = Listener(server, token, path, headers={"Mcp-Session-Id": "mine"})
        assert stream.answer.status == 200
        assert stream.answer.headers["content-type"].startswith("text/event-stream")
        assert "no-cache" in stream.answer.headers["cache-control"]
        assert stream.answer.headers["mcp-session-id"] == "mine"
        assert stream.block() == ": connected\n"
        assert [stream.event(), stream.event()] == [(1, "a"), (2, "b")]
        second = Listener(server, token, path)
        engine.pushing.fire("owner", "c")
        assert stream.event() == (3, "c")
        assert second.block() == ": connected\n" and second.event() == (3, "c")
        stream.close()
        second.close()
        again = Listener(server, token, path, headers={"Last-Event-Id": "1"})
        assert again.block() == ": connected\n"
        assert [again.event(), again.event()] == [(2, "b"), (3, "c")]
        again.close()


def test_an_alert_of_the_engine_is_set_fires_and_is_pushed_to_its_user(tmp_path: Path) -> None:
    bars = closes(100, 100, 106, 107)
    engine = engine_of(str(tmp_path / "engine"), bars.at([0]))
    with Server(tmp_path, engine=engine) as server:
        token = server.log_in()["access_token"]
        assert json.loads(answered(server.call("subscribe_notifications", token)))["status"] == "subscribed"
        stream = Listener(server, token)
        assert stream.block() == ": connected\n"
        wanted = {"symbol": "BTCUSDT", "condition": {"price_above": 105}}
        alert = json.loads(answered(server.call("set_alert", token, **wanted)))["alert_id"]
        assert json.loads(answered(server.call("list_subscriptions", token)))["connected"] is True
        order = {"symbol": "BTCUSDT", "side": "buy", "type": "market", "quantity": 1}
        assert json.loads(answered(server.call("place_order", token, **order)))["status"] == "Pending"
        play(engine, bars, 1)
        number, fired = stream.event()
        assert fired == alert
        stream.close()
        assert [each["state"] for each in json.loads(answered(server.call("get_orders", token)))] == ["Filled"]
        assert [each["alert_id"] for each in json.loads(answered(server.call("get_notifications", token)))] == [alert]
        assert json.loads(answered(server.call("list_alerts", token))) == []
        assert answered(server.call("cancel_order", token, order_id="none")).startswith("order not found: none")
        again = Listener(server, token, headers={"Last-Event-Id": str(number - 1)})
        assert again.block() == ": connected\n" and again.event() == (number, alert)
        again.close()
    engine.close()


def answered(answer: Answer) -> str:
    (content,) = answer.told["result"]["content"]
    return str(content["text"])


def test_a_stream_ends_when_its_token_is_revoked(tmp_path: Path) -> None:
    engine = Engine()
    with Server(tmp_path, engine=engine) as server:
        told = server.log_in()
        stream = Listener(server, told["access_token"])
        assert stream.block() == ": connected\n"
        assert server.form("/revoke", {"token": told["refresh_token"], "client_id": told["client_id"]}).status == 200
        engine.pushing.fire("owner", "secret")
        assert stream.block() == "" and stream.answer.read() == b""


def test_a_client_of_the_modern_protocol_is_told_of_alerts_until_its_token_is_revoked(tmp_path: Path) -> None:
    engine = Engine()
    with Server(tmp_path, engine=engine) as server:
        told = server.log_in()
        asked = {"notifications": {"resourceSubscriptions": ["alerts://queue"]}, "_meta": MODERN}
        body = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": asked}
        modern = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen", "Accept": BOTH}
        stream = Listener(server, told["access_token"], "/mcp", json.dumps(body), modern)
        assert "acknowledged" in stream.block()
        engine.pushing.fire("somebody else", "foreign")
        engine.pushing.fire("owner", "a")
        assert '"uri":"alerts://queue"' in stream.block()
        assert server.form("/revoke", {"token": told["access_token"], "client_id": told["client_id"]}).status == 200
        engine.pushing.fire("owner", "b")
        assert "alerts://queue" not in stream.answer.read().decode()


def test_a_stream_without_an_engine_stays_open(server: Server, tmp_path: Path) -> None:
    with Server(tmp_path) as quiet:
        stream = Listener(quiet, quiet.log_in()["access_token"])
        assert stream.answer.status == 200 and stream.block() == ": connected\n"
        stream.close()
    assert refused(server.ask("GET", "/mcp"))
    assert refused(server.ask("GET", "/sse", headers={"Authorization": "Bearer wrong"}))


def refused(answer: Answer) -> bool:
    return answer.status == 401 and answer.headers["www-authenticate"].startswith('Bearer realm="pinebench"')


def begun(server: Server, token: str) -> str:
    """The id of a new session of a client."""
    answer = server.ask("POST", "/mcp", json.dumps(INITIALIZE), {"Accept": BOTH, "Authorization": f"Bearer {token}"})
    assert answer.status == 200, answer
    return answer.headers["mcp-session-id"]


def lives(server: Server, token: str, session: str) -> bool:
    """Whether a session is still there: its messages are answered as the SDK answers them in sessions."""
    told = {"Accept": BOTH, "Authorization": f"Bearer {token}", "Mcp-Session-Id": session}
    return server.ask("DELETE", "/mcp", "", told).status == 200


class Rude:
    """A client that logged in, and does the same again and again."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._told = server.log_in()

    @property
    def token(self) -> str:
        return str(self._told["access_token"])

    def refresh(self) -> None:
        new = self.server.refresh(self._told["client_id"], self._told["refresh_token"])
        self._told |= new.told

    def greet(self, number: int, **headers: str) -> str:
        """Begin a session, with one version after another. Return its id, or ""."""
        version = ("2025-03-26", "2025-06-18", "1999-01-01")[number % 3]
        told = {**INITIALIZE, "id": number, "params": {**HELLO, "protocolVersion": version}}
        return self._post(json.dumps(told), headers).headers.get("mcp-session-id", "")

    def say(self, number: int, session: str) -> Answer:
        told = {"jsonrpc": "2.0", "id": number, "method": "tools/list"}
        return self._post(json.dumps(told), {"Mcp-Session-Id": session})

    def babble(self, text: str) -> Answer:
        return self._post(text, {})

    def end(self, session: str) -> bool:
        return lives(self.server, self.token, session)

    def _post(self, body: str, headers: dict[str, str]) -> Answer:
        given = {"Accept": BOTH, "Authorization": f"Bearer {self.token}", **headers}
        return self.server.ask("POST", "/mcp", body, given)


SESSION_FLOODS: dict[str, Callable[[Rude, str, int], object]] = {
    "it begins sessions": lambda rude, _, at: rude.greet(at),
    "it names sessions itself": lambda rude, _, at: rude.greet(at, **{"Mcp-Session-Id": f"own{at}"}),
    "it begins the session of another": lambda rude, other, at: rude.greet(at, **{"Mcp-Session-Id": other}),
    "it ends the session of another": lambda rude, other, _: rude.end(other),
    "it speaks in the session of another": lambda rude, other, at: rude.say(at, other),
    "it has its tokens refreshed": lambda rude, _, at: (rude.refresh(), rude.greet(at)),
    "it ends what it began": lambda rude, _, at: rude.end(rude.greet(at)),
    "it speaks in sessions that are not": lambda rude, _, at: rude.say(at, f"none{at}"),
    "it sends what is no message": lambda rude, _, at: rude.babble("[" * at),
}
"""What one client does without end, beside the session of another one."""


def test_a_client_that_begins_sessions_without_end_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_SESSIONS_EACH", 3)
    monkeypatch.setattr(endpoint, "_MOST_SESSIONS", 6)
    with Server(tmp_path) as served:
        rude, other, late = Rude(served), str(served.log_in()["access_token"]), str(served.log_in()["access_token"])
        mine = [begun(served, rude.token) for _ in range(10)]
        assert [rude.end(each) for each in mine] == [False] * 7 + [True] * 3
        for name, flood in SESSION_FLOODS.items():
            kept = begun(served, other)
            for at in range(9):
                flood(rude, kept, at)
            assert lives(served, other, kept), name
            assert lives(served, late, begun(served, late)), name


HOG = '//@version=6\nindicator("h")\nvar a = 0.0\nfor i = 0 to 100000000\n    a += i\nplot(a)'


def test_slow_calls_of_one_client_do_not_hold_the_call_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_tools, "SECONDS", 6.0)
    with Server(tmp_path) as served:
        hog, other = (str(served.log_in()["access_token"]) for _ in range(2))
        begin = threading.Barrier(5)
        answers: list[Answer] = []

        def slow() -> None:
            begin.wait(60)
            with contextlib.suppress(TimeoutError):  # the last ones wait longer than this client does
                answers.append(served.call("generate_chart", hog, indicators=[{"pine": HOG}], format="summary"))

        threads = [threading.Thread(target=slow) for _ in range(4)]
        for thread in threads:
            thread.start()
        begin.wait(60)
        found = served.call("get_indicators", other, symbol="sample:BTCUSDT", indicators=["rsi"])
        assert found.status == 200 and not found.told["result"].get("isError")
        for thread in threads:
            thread.join()
        assert answers and all(each.told["result"]["isError"] for each in answers)


def test_a_client_with_too_many_waiting_calls_hears_that_the_server_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CallTurns, "is_full", lambda _turns, owner: owner[1] is not None)
    with Server(tmp_path) as served:
        token = str(served.log_in()["access_token"])
        answer = served.call("get_indicators", token, symbol="sample:BTCUSDT", indicators=["rsi"])
        assert (answer.status, answer.headers["retry-after"], answer.told["error"]["code"]) == (429, "5", -32001)
        assert served.call("list_indicators", token).status == 200


def test_a_request_with_too_many_headers_is_refused(server: Server) -> None:
    for headers in ({f"x-{number}": "1" for number in range(300)}, {"x-long": "y" * 64_000}):
        answer = server.ask("GET", "/", headers=headers)
        assert answer.status in (400, 431), answer  # the framing itself refuses what is far too long
    assert server.ask("GET", "/", headers={f"x-{number}": "1" for number in range(50)}).status == 200


def test_the_oldest_stream_of_a_client_makes_room_for_its_next_one_and_no_other_clients(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.mcp.web.endpoint._STREAMS_EACH", 2)
    mine, other = (str(server.log_in()["access_token"]) for _ in range(2))

    def opened(token: str) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = server.connect()
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        connection.request("GET", "/mcp", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.readline() == b": connected\n"
        return connection, answer

    streams = [opened(other), opened(other), *(opened(mine) for _ in range(3))]
    assert streams[2][1].read().strip() == b""  # the oldest of mine has ended
    for number in (0, 1, 3, 4):  # the others are open: reading finds the end of the first line, and then nothing
        assert streams[number][1].readline() == b"\n"
        sock = streams[number][0].sock
        assert sock is not None
        sock.settimeout(0.05)
        with pytest.raises(TimeoutError):
            streams[number][1].readline()
    for connection, _ in streams:
        connection.close()


def test_if_all_places_are_taken_a_client_gives_its_own_oldest_one_and_a_new_client_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.mcp.web.endpoint._MOST_STREAMS", 3)
    with Server(tmp_path, engine=Engine()) as server:
        mine, other, late = (str(server.log_in()["access_token"]) for _ in range(3))
        streams = [Listener(server, token) for token in (mine, other, mine)]
        assert [each.answer.status for each in streams] == [200] * 3
        streams.append(Listener(server, mine))
        assert (streams[3].answer.status, streams[3].block()) == (200, ": connected\n")
        assert streams[0].block() == ": connected\n" and streams[0].block() == "", "my oldest one has ended"
        refused = Listener(server, late)
        assert (refused.answer.status, refused.answer.headers["retry-after"]) == (503, "30")
        alerts = server.engine.pushing
        for subject in ("owner",):
            alerts.fire(subject, "still open")
        assert streams[1].block() == ": connected\n" and streams[1].event() == (1, "still open")
        for each in (*streams, refused):
            each.close()


@pytest.mark.soak
def test_two_hundred_streams_beside_a_hog_hold_nobody_up(tmp_path: Path) -> None:
    """Ten clients have twenty streams each, and one of them draws without a pause: the others are answered."""
    with Server(tmp_path, engine=Engine()) as server:
        tokens = [str(server.log_in()["access_token"]) for _ in range(11)]
        streams = [Listener(server, token) for token in tokens[:10] for _ in range(20)]
        assert [each.answer.status for each in streams] == [200] * 200
        assert {each.block() for each in streams} == {": connected\n"}
        over = threading.Event()

        def hog() -> None:
            while not over.is_set():
                server.call("generate_chart", tokens[0], symbol="sample:BTCUSDT", indicators=["supertrend", "rsi"])

        hogs = [threading.Thread(target=hog) for _ in range(6)]
        for each in hogs:
            each.start()
        try:
            for _ in range(10):
                told = server.call("get_indicators", tokens[10], symbol="sample:BTCUSDT", indicators=["rsi"])
                assert told.status == 200 and not told.told["result"].get("isError"), told.text
                assert server.ask("GET", "/").status == 200
        finally:
            over.set()
            for each in hogs:
                each.join()
        late = Listener(server, tokens[0])  # the hog's own oldest stream makes room
        assert late.block() == ": connected\n" and streams[0].block() == ""
        server.engine.pushing.fire("owner", "alert")
        assert [each.event()[1] for each in (streams[1], streams[20], streams[-1], late)] == ["alert"] * 4
        for each in (*streams, late):
            each.close()

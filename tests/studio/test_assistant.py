"""The studio's assistant over its WebSocket: whose conversation it is, what a broken connection costs (nothing), and
the routes for programs."""

import asyncio
import http.client
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websocket

from pinebench.studio.session import StudioSession
from tests.agent.support import calls, results_in, service
from tests.authoring.fake_anthropic import Reply, text
from tests.authoring.support import isolate
from tests.page_modules import answer_of
from tests.studio.support import Driver, reload
from tests.studio.test_look import findings

pytestmark = pytest.mark.live
LIMIT = 60.0
LOST_MESSAGE = """void ((send) => {
  WebSocket.prototype.send = function () { WebSocket.prototype.send = send; this.close(); };
})(WebSocket.prototype.send)"""
"""Loses the next message of the page together with its connection."""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


@pytest.fixture(scope="module")
def studio() -> Iterator[StudioSession]:
    """A studio without a browser."""
    with StudioSession() as session:
        yield session


class Window:
    """A window of the studio that talks with the assistant."""

    def __init__(self, studio: StudioSession) -> None:
        self._studio = studio
        self.key, self.seen, self.taken = "", 0, 0
        self.events: list[dict[str, Any]] = []
        self.socket: Any = None
        self.connect()

    def connect(self, *, reading: bool = True) -> None:
        """Connect, or come back."""
        self.socket = open_socket(self._studio, f"&resume={self.key}&seen={self.seen}")
        if reading:
            hello = json.loads(self.socket.recv())
            assert hello["type"] == "connected" and (not self.key or hello == {**hello, "key": self.key})
            assert hello["complete"]
            self.key, self.taken = hello["key"], hello["taken"]

    def lose(self) -> None:
        """Break the connection without a word."""
        self.socket.shutdown()

    def send(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def read(self) -> dict[str, Any]:
        """The next event, whose number follows the one before."""
        event = json.loads(self.socket.recv())
        if event["type"] == "connected":
            self.key = event["key"]
            return event
        assert event["seq"] == self.seen + 1
        self.seen += 1
        self.events.append(event)
        return event

    def until(self, *kinds: str) -> dict[str, Any]:
        """Read until an event of one of `kinds`."""
        while (event := self.read())["type"] not in kinds:
            pass
        return event

    def ask(self, words: str) -> list[dict[str, Any]]:
        """Say `words`; the events of the turn."""
        begun = len(self.events)
        self.send("chat", content=words)
        self.until("done", "error")
        return self.events[begun:]


def open_socket(studio: StudioSession, more: str = "", *, token: str | None = None, **options: Any) -> Any:
    address = f"ws://127.0.0.1:{studio.port}/api/chat?token={studio.token if token is None else token}{more}"
    options = {"origin": f"http://127.0.0.1:{studio.port}", "timeout": LIMIT, **options}
    return websocket.create_connection(address, **options)


def said(events: list[dict[str, Any]]) -> str:
    return "".join(event["content"] for event in events if event["type"] == "text")


def echo(body: dict[str, Any]) -> Reply:
    return text(f"So far: {json.dumps(body['messages'])}")


def test_a_conversation_with_tools_over_the_socket(studio: StudioSession, monkeypatch: pytest.MonkeyPatch) -> None:
    source = '//@version=6\nindicator("A")\nplot(close)\n'
    first = calls(("pine_run", {"source": source, "image": True}), ("no_such_tool", {}), said="I look.")
    with service(monkeypatch, first, text("It is a line."), echo) as fake:
        window = Window(studio)
        events = window.ask("Draw it.")
        kinds = [event["type"] for event in events]
        assert kinds[0] == "start" and kinds[-1] == "done"
        assert kinds.count("tool_use") == 2 and {"tool_result", "tool_error"} < set(kinds)
        [result] = [event for event in events if event["type"] == "tool_result"]
        assert result["images"][0]["mimeType"] == "image/png"
        assert said(events) == "I look.It is a line." and events[-1]["usage"]["dollars"] > 0
        assert len(results_in(fake.requests[1].body["messages"][-1])) == 2
        # Without a browser, tools that need a page are not offered.
        names = {tool["name"] for tool in fake.requests[0].body["tools"]}
        assert "pine_run" in names and "quote_get" not in names
        window.send("clear_history")
        assert window.until("cleared", "error")["type"] == "cleared"
        assert "Draw it." not in said(window.ask("And now?"))
        window.send("screenshot", region="full")
        assert "no browser" in window.until("screenshot", "error")["error"]
        window.socket.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {"token": ""},
        {"token": "wrong"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"host": "evil.example"},
        {"header": ["Sec-Fetch-Site: cross-site"]},
    ],
    ids=str,
)
def test_a_wrong_token_origin_or_host_gets_nothing(studio: StudioSession, wrong: dict[str, Any]) -> None:
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        open_socket(studio, **wrong)
    assert refused.value.status_code == 403
    # A key of a conversation does not help without the token.
    window = Window(studio)
    with pytest.raises(websocket.WebSocketBadStatusException):
        open_socket(studio, f"&resume={window.key}", **wrong)
    window.socket.close()


def test_two_windows_never_share_a_history(studio: StudioSession, monkeypatch: pytest.MonkeyPatch) -> None:
    with service(monkeypatch, *[echo] * 12):
        one, two = Window(studio), Window(studio)
        assert one.key != two.key
        for round in range(3):
            one.send("chat", content=f"alpha {round}")
            two.send("chat", content=f"omega {round}")
            one.until("done", "error")
            two.until("done", "error")
            one.lose()
            one.connect()
        assert "omega" not in json.dumps(one.events) and "alpha" not in json.dumps(two.events)
        assert "alpha 0" in said(one.ask("alpha?")) and "omega 0" in said(two.ask("omega?"))
        for window in (one, two):
            window.socket.close()
    # A key that was never given begins a conversation of its own.
    stranger = open_socket(studio, "&resume=x&seen=3")
    hello = json.loads(stranger.recv())
    assert hello["key"] not in ("x", one.key, two.key) and hello["complete"] is False
    stranger.close()


@pytest.mark.parametrize(("turns", "least"), [(1, 10), pytest.param(4, 50, marks=pytest.mark.soak)])
def test_reconnects_lose_no_message(
    studio: StudioSession, monkeypatch: pytest.MonkeyPatch, turns: int, least: int
) -> None:
    dice = random.Random(3)
    long = "".join(f"word {at}, " for at in range(60))
    steps = [calls(("template_list", {}), ("pine_rules", {}), said=long), text(long + "end.")] * turns
    with service(monkeypatch, *steps, echo) as fake:
        window = Window(studio)
        reconnects = 0
        for turn in range(turns):
            window.send("chat", content=f"question {turn}")
            while True:
                for _ in range(dice.randrange(1, 5)):
                    if window.read()["type"] in ("done", "error"):
                        break
                if window.events and window.events[-1]["type"] in ("done", "error"):
                    break
                window.lose()
                window.connect(reading=False)
                if dice.random() < 0.3:  # it breaks again before anything was read
                    window.lose()
                    window.connect(reading=False)
                    reconnects += 1
                reconnects += 1
        assert reconnects >= least
        assert [event["type"] for event in window.events].count("done") == turns
        assert said(window.events) == (long + long + "end.") * turns
        assert [event["seq"] for event in window.events] == list(range(1, len(window.events) + 1))
        told = said(window.ask("What was said?"))
        assert all(f"question {turn}" in told for turn in range(turns))
        assert len(fake.requests) == 2 * turns + 1
        window.socket.close()


def test_a_message_that_is_sent_again_is_taken_once(studio: StudioSession, monkeypatch: pytest.MonkeyPatch) -> None:
    with service(monkeypatch, text("One."), text("Two.")) as fake:
        window = Window(studio)
        for number in (1, 2):
            window.send("chat", content=f"Say {number}.", number=number)
            window.until("done")
        window.lose()
        window.connect()
        assert window.taken == 2
        window.send("chat", content="Say 2.", number=2)
        window.send("clear_history", number=3)
        assert window.read()["type"] == "cleared" and len(fake.requests) == 2
        window.socket.close()


def test_events_say_which_message_was_taken_last(studio: StudioSession, monkeypatch: pytest.MonkeyPatch) -> None:
    with service(monkeypatch, text("One.")):
        window = Window(studio)
        window.send("chat", content="Say 1.", number=1)
        window.until("done")
        window.send("clear_history", number=2)
        window.until("cleared")
        assert [(event["type"], event["taken"]) for event in window.events if event["type"] != "text"] == [
            ("start", 1),
            ("done", 1),
            ("cleared", 2),
        ]
        window.socket.close()


TAKEN_MESSAGES = """
const sockets = [];
globalThis.location = { host: '' };
globalThis.sessionStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
globalThis.setTimeout = (call) => call();
globalThis.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor() { super(); sockets.push(this); }
  send(text) { this.sent.push(JSON.parse(text).content); }
  tell(event) { this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(event) })); }
};
const assistant = new f.Assistant();
assistant.connect();
sockets[0].tell({ type: 'connected', key: 'k', complete: true, taken: 0 });
for (const content of given) assistant.say(content);
sockets[0].tell({ type: 'start', seq: 1, content: given[0], taken: 2 });
const held = assistant.sent.map(({ number }) => number);
sockets[0].dispatchEvent(new Event('close'));
sockets[1].tell({ type: 'connected', key: 'k', complete: true, taken: 2 });
assistant.say('later');
return { held, again: sockets[1].sent, last: assistant.count };
"""


def test_the_page_drops_messages_that_were_taken_and_sends_the_others_again() -> None:
    assert answer_of("assistant", TAKEN_MESSAGES, ["one", "two", "three"]) == {
        "held": [3],
        "again": ["three", "later"],
        "last": 4,
    }


def test_a_grave_call_is_asked_in_the_window_and_waits_for_one_that_comes_back(
    studio: StudioSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = calls(("template_list", {}), ("pine_write", {"request": "x"}))
    with service(monkeypatch, wanted, text("As you like."), wanted, text("Stopped?")) as fake:
        window = Window(studio)
        window.send("chat", content="Write.")
        question = window.until("confirm")
        assert question["name"] == "pine_write" and "money" in question["reason"]
        window.lose()
        window.connect()
        window.send("confirm", id=question["id"], allow=False)
        error = window.until("tool_error")
        assert "did not allow" in error["error"] and window.until("done")
        assert len(fake.requests) == 2
        # A stop ends the wait.
        window.send("chat", content="Write.")
        window.until("confirm")
        window.send("chat", content="Hello?")
        assert "an answer is being written" in window.until("error")["error"]
        window.send("stop")
        assert window.until("done")["stop_reason"] == "cancelled"
        assert said(window.ask("And?")) == "Stopped?"
        window.socket.close()


def test_what_is_not_a_message_and_a_missing_key_are_said(studio: StudioSession) -> None:
    window = Window(studio)
    for wrong in ("", "x", "[]", '{"type": "other"}', '{"type": "chat"}', '{"type": "chat", "content": 1}'):
        window.socket.send(wrong)
        assert "the message" in window.until("error")["error"]
    events = window.ask("Hello.")
    assert "there is no ANTHROPIC_API_KEY" in events[-1]["error"]
    window.socket.close()


def fetch(studio: StudioSession, method: str, path: str, body: str = "", **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=LIMIT)
    connection.request(method, path, body or None, headers)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, json.loads(data) if answer.getheader("content-type", "").startswith(
        "application/json"
    ) else data


ROUTES = [
    ("GET", "/api/status"),
    ("GET", "/api/state"),
    ("GET", "/api/screenshot"),
    ("GET", "/api/tools"),
    ("POST", "/api/tool"),
]


def test_the_routes_answer_the_owner_only(studio: StudioSession) -> None:
    token = f"?token={studio.token}"
    for method, path in ROUTES:
        body = '{"name": "template_list"}' if method == "POST" else ""
        assert fetch(studio, method, path, body)[0] == 401
        assert fetch(studio, method, f"{path}?token=wrong", body)[0] == 401
        assert fetch(studio, method, path + token, body, Origin="http://evil.example")[0] == 403
        assert fetch(studio, method, path + token, body, Host="evil.example")[0] == 403
    status, told = fetch(studio, "GET", "/api/status" + token)
    assert status == 200 and told["connected"] is False and "no browser" in told["error"]
    assert fetch(studio, "GET", "/api/state" + token)[0] == 503
    assert fetch(studio, "GET", "/api/screenshot" + token)[0] == 503
    status, told = fetch(studio, "GET", "/api/tools" + token)
    assert status == 200 and {"pine_analyze", "template_list"} < {tool["name"] for tool in told["tools"]}
    status, told = fetch(studio, "POST", "/api/tool" + token, '{"name": "template_search", "args": {"query": "ema"}}')
    assert status == 200 and told["success"]
    for body, code in (("", 400), ("[]", 400), ('{"name": "nothing"}', 503), ('{"name": "template_search"}', 400)):
        assert fetch(studio, "POST", "/api/tool" + token, body)[0] == code, body


def test_the_panel_shows_words_tools_pictures_and_questions(
    page: Driver, session: StudioSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = '//@version=6\nindicator("A")\nplot(close)\n'
    steps = (
        calls(("pine_run", {"source": source, "image": True}), ("no_such_tool", {}), said="I <b>look</b>."),
        calls(("pine_write", {"request": "x"})),
        text("It is a line:\n```pine\nplot(close)\n```\nThat is all."),
    )
    panel = "document.querySelector('[data-name=\"assistant-panel\"]')"
    with service(monkeypatch, *steps):
        page.click('[data-name="assistant-button"]')
        page.until(
            f"{panel} !== null && [...{panel}.querySelectorAll('.assistant__quick button')].some((b) => !b.disabled)"
        )
        page.js(f"{panel}.querySelector('.assistant__quick button').click()")
        page.until(f"{panel}.querySelector('[data-name=\"assistant-question\"]') !== null")
        # The connection breaks while the question waits, and nothing that was shown is gone.
        for window in list(session.assistant._windows.values()):
            asyncio.run_coroutine_threadsafe(_broken(window), session._server._loop).result(LIMIT)
        # It breaks again with the answer on its way, which arrives by the next one.
        page.js(LOST_MESSAGE)
        page.click('[data-name="assistant-refuse"]')
        page.until(f"{panel}.textContent.includes('That is all.')")
        shown = page.js(f"{panel}.textContent")
        assert "Analyse my chart" in shown and "I <b>look</b>." in shown and "You refused it." in shown
        assert shown.count("It is a line:") == 1
        assert page.js(f"{panel}.querySelectorAll('[data-name=\"assistant-call\"]').length") == 3
        assert page.js(f"{panel}.querySelectorAll('.assistant__call--failed').length") == 2
        assert page.js(f"{panel}.querySelector('pre').textContent").strip() == "plot(close)"
        page.until(f"{panel}.querySelector('img')?.naturalWidth > 100")
        assert findings(page, '[data-name="assistant-panel"]') == []
        page.js(f"{panel}.querySelector('.watchlist__head button').click()")
        page.until(f"!{panel}.textContent.includes('That is all.')")


def test_a_page_that_is_loaded_again_may_go_on_with_its_last_conversation(
    page: Driver, session: StudioSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = "document.querySelector('[data-name=\"assistant-panel\"]')"
    offer = '[data-name="assistant-go-on"]'

    def opened() -> None:
        page.until("document.querySelector('[data-name=\"assistant-button\"]') !== null")
        page.js(f"{panel} === null && document.querySelector('[data-name=\"assistant-button\"]').click()")
        page.until(f"{panel} !== null && {panel}.querySelector('.assistant__quick button:enabled') !== null")

    with service(monkeypatch, calls(("template_list", {}), ("pine_write", {"request": "x"})), text("One."), echo):
        opened()
        assert page.js(f"document.querySelector('{offer}') === null")
        page.js(f"{panel}.querySelector('.assistant__quick button').click()")
        page.until(f"{panel}.querySelector('[data-name=\"assistant-refuse\"]') !== null")
        page.click('[data-name="assistant-refuse"]')
        page.until(f"{panel}.textContent.includes('One.')")
        shown = page.js(f"{panel}.querySelector('.assistant__entries').textContent")
        key = page.js("sessionStorage.getItem('pinebench.assistant')")
        # While the window has it open, no other one gets it, even with its key.
        stranger = open_socket(session, f"&resume={key}&seen=0&back=1")
        assert json.loads(stranger.recv())["key"] != key
        stranger.close()
        reload(page, session)
        opened()
        assert "One." not in page.js(f"{panel}.textContent")
        page.click(offer)
        page.until(f"{panel}.textContent.includes('One.')")
        page.until(f"{panel}.querySelector('.assistant__entries').textContent === {json.dumps(shown)}")
        assert page.js(f"document.querySelector('{offer}') === null")
        # It is the same conversation.
        page.js(f"{panel}.querySelector('textarea').focus()")
        page.js("document.execCommand('insertText', false, 'And now?')")
        page.click('[data-name="assistant-send"]')
        page.until(f"{panel}.textContent.includes('So far:') && {panel}.textContent.includes('Analyse my chart')")
        page.until(f"{panel}.querySelector('[data-name=\"assistant-send\"]') !== null")
        page.js(f"{panel}.querySelector('.watchlist__head button').click()")
        page.until(f"!{panel}.textContent.includes('One.')")
        assert page.js("sessionStorage.getItem('pinebench.assistant')") is None


async def _broken(window: Any) -> None:
    await window._socket.close(1012)

"""A chart server in a thread, and clients that speak with it as bytes and as the protocol says."""

import base64
import hashlib
import http.client
import json
import secrets
import threading
import time
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import anyio

from pinebench.mcp.web import passphrases, web_server
from pinebench.mcp.web.addresses import Addresses
from pinebench.mcp.web.application import application
from pinebench.mcp.web.client_documents import RemoteDocuments
from pinebench.mcp.web.grant_store import Store
from pinebench.mcp.web.metrics import Figures
from pinebench.mcp.web.public_tools import ServedOffer
from pinebench.mcp.web.scopes import LISTED, SHOWN_TO_USERS, Scopes
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser

PASSPHRASE = "correct horse battery"
KEPT = passphrases.hashed(PASSPHRASE, 4)
HERE = "http://127.0.0.1:5555/callback"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
BOTH = "application/json, text/event-stream"


class Alerts:
    """Fired alerts of every user, in memory: what the engine is for the server. Any thread may fire one."""

    def __init__(self) -> None:
        self._fired: dict[str, list[dict[str, Any]]] = {}
        self._delivered: dict[str, int] = {}
        self._changed = threading.Condition()
        self.filters: dict[str, tuple[list[str] | None, list[str] | None]] = {}
        self.open = 0

    def fire(self, subject: str, alert: str) -> None:
        told = {"jsonrpc": "2.0", "method": "notifications/alert_triggered", "params": {"alert_id": alert}}
        self._fired.setdefault(subject, []).append(told)

    def subscribe(self, subject: str, symbols: list[str] | None = None, types: list[str] | None = None) -> object:
        self.filters[subject] = (symbols, types)
        return {"status": "subscribed"}

    def unsubscribe(self, subject: str) -> object:
        self.filters.pop(subject, None)
        return {"status": "unsubscribed"}

    def listing(self, subject: str) -> dict[str, Any]:
        waiting = len(self._fired.get(subject, [])) - self._delivered.get(subject, 0)
        return {"subscribed": subject in self.filters, "offline_queue_size": waiting, "connected": self.open > 0}

    async def stream(self, subject: str, after: int | None = None) -> AsyncIterator[tuple[int, dict[str, Any]]]:
        at = self._delivered.get(subject, 0) if after is None else after
        self.open += 1
        try:
            while True:
                fired = self._fired.get(subject, [])
                while at < len(fired):
                    at += 1
                    yield at, fired[at - 1]
                    self._delivered[subject] = max(at, self._delivered.get(subject, 0))
                await anyio.sleep(0.01)
        finally:
            self.open -= 1


class Engine:
    """What the server knows of the engine."""

    def __init__(self) -> None:
        self.pushing = Alerts()
        self.problem: str | None = None
        self.trouble: str | None = None
        self.feed = {"connected": True, "connections": 1, "ignored": 0, "age_seconds": 0.5}

    def health(self) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "trouble": self.trouble,
            "feed": self.feed,
            "outbox": {"waiting": 2, "failed": 1, "oldest_seconds": 7.0},
            "halted": False,
            "series": 3,
            "alerts": 4,
            "orders": 5,
            "fired": 6,
        }


class Answer(NamedTuple):
    """An answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Form(HTMLParser):
    """The fields of a page's form, as a browser would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: list[tuple[str, str]] = []
        self.action = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = given["action"]
        is_sent = given.get("type") == "hidden" or (given.get("type") == "checkbox" and "checked" in given)
        if tag == "input" and is_sent:
            self.fields.append((given["name"], given["value"]))


class Clock:
    """A clock that can be set forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


class Pair(NamedTuple):
    """A verifier and its challenge."""

    verifier: str
    challenge: str


def pkce() -> Pair:
    verifier = secrets.token_urlsafe(48)
    hashed = hashlib.sha256(verifier.encode()).digest()
    return Pair(verifier, base64.urlsafe_b64encode(hashed).decode().rstrip("="))


class Visitor:
    """Somebody who speaks with the server on a port of this computer."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(
        self, method: str, path: str, body: str | bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request and read the whole answer. A redirect is not followed."""
        connection = self.connect()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read())
        finally:
            connection.close()

    def form(self, path: str, fields: Any, headers: dict[str, str] | None = None) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(fields), kind | (headers or {}))

    def say(self, told: Any, token: str | None = None, headers: dict[str, str] | None = None) -> Answer:
        """Send a message of JSON-RPC to the endpoint."""
        known = {"Authorization": f"Bearer {token}"} if token else {}
        return self.ask("POST", "/mcp", json.dumps(told), known | (headers or {}))

    def call(self, name: str, token: str | None, **arguments: Any) -> Answer:
        told = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        return self.say(told, token)

    def tool(self, name: str, token: str, **arguments: Any) -> Any:
        """What a tool answers that goes well."""
        answer = self.call(name, token, **arguments)
        assert answer.status == 200, answer
        result = answer.told["result"]
        assert not result.get("isError"), result
        return json.loads(result["content"][0]["text"])

    def is_let_in(self, token: str | None, headers: dict[str, str] | None = None) -> bool:
        """Whether a token opens the door."""
        return self.say({"jsonrpc": "2.0", "id": 1, "method": "ping"}, token, headers).status == 200

    def register(self, *redirects: str, **more: Any) -> Answer:
        told = {"redirect_uris": list(redirects or (HERE,)), "client_name": "a client", **more}
        return self.ask("POST", "/register", json.dumps(told), {"Content-Type": "application/json"})

    def client(self, *redirects: str) -> str:
        return str(self.register(*redirects).told["client_id"])

    def begin(self, client: str, challenge: str, **more: str | None) -> Answer:
        """Ask for authorization. An argument that is None is left out."""
        usual = {
            "client_id": client,
            "redirect_uri": HERE,
            "response_type": "code",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "state": "s",
        }
        given = {name: value for name, value in {**usual, **more}.items() if value is not None}
        return self.ask("GET", f"/authorize?{urlencode(given)}")

    def approve(self, page: Answer, passphrase: str = PASSPHRASE, **more: Any) -> Answer:
        """Answer the consent page as a browser does."""
        form = Form(page.text)
        fields = [*form.fields, ("passphrase", passphrase), ("decision", "allow")]
        fields = [each for each in fields if each[0] not in more]
        fields += [(name, value) for name, value in more.items() if isinstance(value, str)]
        fields += [(name, one) for name, value in more.items() if isinstance(value, list) for one in value]
        return self.form(form.action, fields, self.as_browser(page))

    def as_browser(self, page: Answer) -> dict[str, str]:
        return {"Cookie": page.headers["set-cookie"].partition(";")[0], "Origin": self.url}

    def code(self, client: str, challenge: str, **more: str | None) -> str:
        answer = self.approve(self.begin(client, challenge, **more))
        assert answer.status == 302, answer
        return sent(answer)["code"]

    def exchange(self, client: str, code: str, verifier: str, **more: str | None) -> Answer:
        usual = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": HERE,
            "client_id": client,
            "code_verifier": verifier,
        }
        return self.form("/token", {name: value for name, value in {**usual, **more}.items() if value is not None})

    def refresh(self, client: str, token: str, **more: str) -> Answer:
        usual = {"grant_type": "refresh_token", "refresh_token": token, "client_id": client}
        return self.form("/token", {**usual, **more})

    def log_in(self, client: str | None = None, **more: str | None) -> dict[str, Any]:
        """Go through the whole flow, and give the answer of the token endpoint, and the client's id."""
        own = client or self.client()
        pair = pkce()
        told = self.exchange(own, self.code(own, pair.challenge, **more), pair.verifier)
        assert told.status == 200, told
        return {**told.told, "client_id": own}


class Server(Visitor):
    """A server on a free port of this computer, and its visitor."""

    def __init__(
        self,
        folder: Path,
        *,
        groups: str | None = None,
        base: str | None = None,
        auth: bool = True,
        engine: Any = None,
        documents: RemoteDocuments | None = None,
        figures: Figures | None = None,
        users: dict[str, str] | None = None,
    ) -> None:
        listening = web_server.listen("127.0.0.1", 0)
        super().__init__(listening.getsockname()[1])
        self.clock = Clock()
        self.folder = folder
        self.store = Store(str(folder), self.clock)
        self.engine = engine
        tools = registry.tools()
        others = registry.chosen(groups) if groups else []
        scopes = Scopes(others)
        listed = [tools[name] for name in (*LISTED, *SHOWN_TO_USERS) if name in tools]
        offer = ServedOffer(ChartBrowser(port=9), [*listed, *others], scopes, engine, figures=figures)
        self.application = application(
            offer,
            Addresses(self.port, base),
            scopes,
            engine,
            store=self.store if auth else None,
            passphrase=KEPT,
            users={name: passphrases.hashed(word, 4) for name, word in (users or {}).items()},
            documents=documents,
            figures=figures,
        )
        started = threading.Event()
        self._service = web_server.WebService(self.application, listening, started.set)
        self._thread = threading.Thread(target=self._service.run, daemon=True)
        self._thread.start()
        while not started.wait(0.05):
            assert self._thread.is_alive()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._service.stop()
        self._thread.join(120)
        self.store.close()


def sent(answer: Answer) -> dict[str, str]:
    """The parameters of the address to which an answer leads."""
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}


def events(text: str) -> list[dict[str, str]]:
    """The events of a stream."""
    found: list[dict[str, str]] = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = [line.partition(": ") for line in block.splitlines() if line and not line.startswith(":")]
        if lines:
            found.append({name: value for name, _, value in lines})
    return found

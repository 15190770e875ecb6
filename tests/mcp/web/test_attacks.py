"""Attacks on the door: whoever makes one must not get in. Each attack returns what it got; nothing is the right answer.

What an honest client gets by the same steps is in `test_flow.py`, so that a door that is closed to all does not pass.
"""

from __future__ import annotations

import json
import logging
import re
import socket
import sqlite3
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from pinebench.mcp.web import bodies, redirects, web_server
from pinebench.mcp.web.documents import Documents
from pinebench.mcp.web.grant_store import digest
from tests.mcp.web.support import BOTH, HELLO, HERE, PASSPHRASE, Answer, Form, Server, pkce, sent

Attack = Callable[[Server], Any]
ATTACKS: dict[str, Attack] = {}


def attack(function: Attack) -> Attack:
    ATTACKS[function.__name__] = function
    return function


def several(name: str, given: list[Any], make: Callable[[Server, Any], Any]) -> None:
    """Several attacks that differ in one value."""
    for at, value in enumerate(given):
        ATTACKS[f"{name}-{at}-{str(value)[:40]!a}"] = lambda server, value=value: make(server, value)


async def resolve(host: str, port: int) -> list[str]:
    """Names of the tests; no name is looked up outside."""
    del port
    names = {"inside.example": ["10.0.0.7"], "both.example": ["93.184.216.34", "127.0.0.1"], "none.example": []}
    if host in names:
        return names[host]
    return [str(each[4][0]) for each in socket.getaddrinfo(host, 1, flags=socket.AI_NUMERICHOST)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    documents = Documents(resolve)
    with Server(tmp_path_factory.mktemp("state"), groups="templates,chart", documents=documents) as served:
        yield served


def got_in(server: Server, answer: Answer) -> str:
    """The token that an answer gives, if it opens the door."""
    token = answer.told.get("access_token") if answer.status == 200 else None
    return str(token) if token and server.is_let_in(str(token)) else ""


def leads(answer: Answer) -> str:
    """The address to which an answer sends the browser."""
    return answer.headers.get("location", "")


# Addresses to which a client wants its codes sent.

several(
    "register_an_address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>1</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://evil.example/1",
        "about:blank",
        "intent://evil#Intent;end",
        "view-source:https://evil.example/",
        "ws://evil.example/",
        "http://evil.example/cb",
        "http://localhost.evil.example/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://127.0.0.1@evil.example/cb",
        "https://claude.ai@evil.example/cb",
        "https://claude.ai:x@evil.example/cb",
        "https://claude.ai\\@evil.example/cb",
        "https://claude.ai/cb#fragment",
        "https://*.example.org/cb",
        "https://%2a.example.org/cb",
        "com.example.*:/cb",
        "myapp://cb",
        "https://",
        "//evil.example/cb",
        "/callback",
        "http://[::]/cb",
        "http://0.0.0.0/cb",
        "https://claude.ai/" + "x" * 3_000,
        "",
    ],
    lambda server, uri: server.register(uri).status == 201,
)
several(
    "register_nothing_usable",
    [[], [HERE] * 21, None, "https://claude.ai/cb", {"a": HERE}, [1]],
    lambda server, uris: server.ask("POST", "/register", json.dumps({"redirect_uris": uris})).status == 201,
)
several(
    "send_the_code_elsewhere",
    [
        "https://evil.example/callback",
        "http://evil.example:5555/callback",
        f"{HERE}.evil",
        f"{HERE}/../evil",
        f"{HERE}?next=https://evil.example",
        f"{HERE}#x",
        f"{HERE}/",
        "http://127.0.0.1:5555/Callback",
        "http://x@127.0.0.1:5555/callback",
        "http://127.0.0.1:5555@evil.example/callback",
        "https://127.0.0.1:5555/callback",
        "http://localhost:5555/callback",
        "//evil.example/callback",
        "javascript:alert(1)",
        "",
    ],
    lambda server, uri: (
        leads(server.begin(server.client(), pkce().challenge, redirect_uri=uri))
        or server.begin(server.client(), pkce().challenge, redirect_uri=uri).status == 200
    ),
)


@attack
def name_two_redirect_addresses(server: Server) -> Any:
    query = urllib.parse.urlencode(
        {"client_id": server.client(), "redirect_uri": [HERE, "https://evil.example/"], "response_type": "code"},
        doseq=True,
    )
    answer = server.ask("GET", f"/authorize?{query}")
    return leads(answer) or answer.status == 200


@attack
def be_an_unknown_client(server: Server) -> Any:
    answer = server.begin("00000000-0000-0000-0000-000000000000", pkce().challenge)
    assert answer.told["error"] == "invalid_client"
    return leads(answer) or answer.status != 400


several(
    "inject_into_a_query_of_the_database",
    ["' or '1'='1", "x' union select 1 --", "%", "\x00", "../../etc/passwd"],
    lambda server, text: (
        server.begin(text, pkce().challenge).status == 200
        or server.is_let_in(urllib.parse.quote(text))
        or server.exchange(text, text, pkce().verifier).status == 200
        or server.refresh(server.client(), text).status == 200
    ),
)


# PKCE.


def _wrong_request(server: Server, change: dict[str, str | None]) -> Any:
    answer = server.begin(server.client(), pkce().challenge, **change)
    if answer.status == 302:
        told = sent(answer)
        assert told["state"] == "s" and told["iss"] == server.url and leads(answer).startswith(HERE)
        return told.get("code")
    return answer.status == 200


several(
    "weaken_the_request",
    [
        {"code_challenge_method": "plain"},
        {"code_challenge_method": "s256"},
        {"code_challenge_method": ""},
        {"code_challenge": None},
        {"code_challenge": ""},
        {"code_challenge": "short"},
        {"code_challenge": "x" * 44},
        {"code_challenge": "=" * 43},
        {"response_type": "token"},
        {"response_type": "code token"},
        {"response_type": None},
        {"response_mode": "fragment"},
        {"response_mode": "form_post"},
        {"request": "eyJhbGciOiJub25lIn0.e30."},
        {"request_uri": "https://evil.example/request"},
        {"scope": "admin"},
        {"scope": "tools:ui"},
        {"resource": "https://other.example/mcp"},
        {"resource": "http://127.0.0.1:1/mcp"},
    ],
    _wrong_request,
)


def _wrong_exchange(server: Server, change: dict[str, Any]) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    given: dict[str, Any] = {name: value(pair) if callable(value) else value for name, value in change.items()}
    if given.get("client_id") == "another":
        given["client_id"] = server.client()
    return got_in(
        server, server.exchange(given.pop("client_id", client), given.pop("code", code), pair.verifier, **given)
    )


several(
    "exchange_a_code_wrongly",
    [
        {"code_verifier": None},
        {"code_verifier": ""},
        {"code_verifier": "x" * 42},
        {"code_verifier": "x" * 43},
        {"code_verifier": lambda pair: pair.challenge},
        {"code_verifier": lambda pair: pair.verifier + "="},
        {"code_verifier": lambda _: pkce().verifier},
        {"redirect_uri": None},
        {"redirect_uri": "https://evil.example/"},
        {"redirect_uri": HERE + "/"},
        {"redirect_uri": "http://127.0.0.1:5556/callback"},
        {"client_id": "another"},
        {"client_id": ""},
        {"client_id": None},
        {"grant_type": "refresh_token"},
        {"grant_type": "password"},
        {"grant_type": "client_credentials"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "x"},
        {"code": ""},
        {"code": "x" * 43},
        {"resource": "https://other.example/mcp"},
    ],
    _wrong_exchange,
)


@attack
def use_a_code_twice(server: Server) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    first = server.exchange(client, code, pair.verifier).told
    assert server.is_let_in(first["access_token"])
    second = server.exchange(client, code, pair.verifier)
    # Whoever stole the code, neither of the two keeps anything.
    return (
        second.status == 200
        or server.is_let_in(first["access_token"])
        or server.refresh(client, first["refresh_token"]).status == 200
    )


@attack
def use_a_stolen_code_as_another_client_after_its_owner(server: Server) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    first = server.exchange(client, code, pair.verifier).told
    return got_in(server, server.exchange(server.client(), code, pair.verifier)) or server.is_let_in(
        first["access_token"]
    )


@attack
def use_a_code_at_the_same_moment(server: Server) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    answers: list[Answer] = []
    ready = threading.Barrier(4)

    def exchange() -> None:
        ready.wait()
        answers.append(server.exchange(client, code, pair.verifier))

    threads = [threading.Thread(target=exchange) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(bool(got_in(server, each)) for each in answers)


@attack
def use_an_old_code(server: Server) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    with ahead(server, 301):
        return server.exchange(client, code, pair.verifier).status == 200


@attack
def put_a_code_into_the_address(server: Server) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    given = {"grant_type": "authorization_code", "code": code, "redirect_uri": HERE, "client_id": client}
    query = urllib.parse.urlencode({**given, "code_verifier": pair.verifier})
    answers = [
        server.ask("GET", f"/token?{query}"),
        server.form(f"/token?{query}", {}),
        server.form(f"/token?{query}", given),
    ]
    return any(each.status == 200 for each in answers)


@attack
def name_a_parameter_of_the_exchange_twice(server: Server) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    given = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", HERE), ("client_id", client)]
    given += [("code_verifier", "x" * 43), ("code_verifier", pair.verifier)]
    return server.form("/token", given).status == 200


# Tokens.


class ahead:
    """The server's clock is set forward in the body."""

    def __init__(self, server: Server, seconds: float) -> None:
        self._server = server
        self._seconds = seconds

    def __enter__(self) -> None:
        self._server.clock.ahead += self._seconds

    def __exit__(self, *_: object) -> None:
        self._server.clock.ahead -= self._seconds


several(
    "carry_the_token_elsewhere",
    [
        ("?access_token={}", {}),
        ("?token={}", {}),
        ("", {"Cookie": "access_token={}"}),
        ("", {"Authorization": "Basic {}"}),
        ("", {"Authorization": "{}"}),
        ("", {"Authorization": "Bearer {} x"}),
        ("", {"Authorization": "Bearer {}, Bearer {}"}),
        ("", {"Authorization": "Bearer {}x"}),
        ("", {"Authorization": "DPoP {}"}),
        ("", {"X-Authorization": "Bearer {}"}),
        ("", {"Mcp-Session-Id": "{}"}),
        ("", {"Proxy-Authorization": "Bearer {}"}),
    ],
    lambda server, way: (
        server.ask(
            "POST",
            "/mcp" + way[0].format(token_of(server)),
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
            {name: value.format(token_of(server), token_of(server)) for name, value in way[1].items()},
        ).status
        == 200
    ),
)

_TOKENS: dict[int, dict[str, Any]] = {}


def token_of(server: Server) -> str:
    """A token that is used for nothing else, so that one approval is enough."""
    if server.port not in _TOKENS:
        _TOKENS[server.port] = server.log_in()
    return str(_TOKENS[server.port]["access_token"])


@attack
def send_two_tokens(server: Server) -> Any:
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 0\r\n"
    return raw(server, f"{head}Authorization: Bearer x\r\nAuthorization: Bearer {token_of(server)}\r\n\r\n") == 200


several(
    "use_what_is_no_access_token",
    ["", "x", "x" * 43, "x" * 201, "undefined", "null", "Bearer", "\xe9" * 43],
    lambda server, token: server.is_let_in(None, {"Authorization": f"Bearer {token}"}),
)


@attack
def use_what_the_database_holds(server: Server) -> Any:
    told = server.log_in()
    assert server.is_let_in(told["access_token"])
    return server.is_let_in(digest(told["access_token"])) or got_in(
        server, server.refresh(told["client_id"], digest(told["refresh_token"]))
    )


@attack
def read_secrets_in_the_database(server: Server) -> Any:
    client, pair = server.client(), pkce()
    code = server.code(client, pair.challenge)
    told = server.exchange(client, code, pair.verifier).told
    file = server.folder / "serve.sqlite3"
    assert file.stat().st_mode & 0o077 == 0
    with sqlite3.connect(file) as db:
        kept = "\n".join(db.iterdump())
    assert digest(code) in kept and digest(told["access_token"]) in kept
    return [each for each in (code, told["access_token"], told["refresh_token"], PASSPHRASE) if each in kept]


@attack
def use_a_refresh_token_as_an_access_token(server: Server) -> Any:
    return server.is_let_in(server.log_in()["refresh_token"])


@attack
def use_an_access_token_as_a_refresh_token(server: Server) -> Any:
    told = server.log_in()
    return got_in(server, server.refresh(told["client_id"], told["access_token"]))


@attack
def use_a_code_as_an_access_token(server: Server) -> Any:
    client = server.client()
    return server.is_let_in(server.code(client, pkce().challenge))


@attack
def use_an_access_token_after_its_end(server: Server) -> Any:
    told = server.log_in()
    with ahead(server, told["expires_in"] + 1):
        return server.is_let_in(told["access_token"])


@attack
def use_a_refresh_token_after_its_end(server: Server) -> Any:
    told = server.log_in()
    with ahead(server, 31 * 86_400):
        return server.refresh(told["client_id"], told["refresh_token"]).status == 200


@attack
def use_a_refresh_token_twice(server: Server) -> Any:
    told = server.log_in()
    stolen = server.refresh(told["client_id"], told["refresh_token"]).told
    assert server.is_let_in(stolen["access_token"])
    again = server.refresh(told["client_id"], told["refresh_token"])
    return (
        again.status == 200
        or server.is_let_in(stolen["access_token"])
        or server.refresh(told["client_id"], stolen["refresh_token"]).status == 200
    )


@attack
def end_the_approval_of_others_by_using_an_own_token_twice(server: Server) -> Any:
    client = server.client()
    victim, own = server.log_in(client), server.log_in(client)
    server.refresh(client, own["refresh_token"])
    server.refresh(client, own["refresh_token"])
    return not server.is_let_in(victim["access_token"])


@attack
def use_the_old_access_token_after_a_refresh(server: Server) -> Any:
    told = server.log_in()
    assert server.refresh(told["client_id"], told["refresh_token"]).status == 200
    return server.is_let_in(told["access_token"])


@attack
def refresh_the_token_of_another_client(server: Server) -> Any:
    told = server.log_in()
    return got_in(server, server.refresh(server.client(), told["refresh_token"]))


several(
    "widen_scopes_by_a_refresh",
    ["charts alerts", "trading", "tools:chart", "charts  charts", "*"],
    lambda server, scope: (
        server.refresh((told := server.log_in(scope="charts"))["client_id"], told["refresh_token"], scope=scope).status
        == 200
    ),
)


@attack
def widen_scopes_after_narrowing_them(server: Server) -> Any:
    told = server.log_in()
    narrow = server.refresh(told["client_id"], told["refresh_token"], scope="charts").told
    assert narrow["scope"] == "charts"
    return server.call("get_balance", narrow["access_token"]).status == 200


@attack
def use_a_revoked_token(server: Server) -> Any:
    told = server.log_in()
    given = {"token": told["access_token"], "client_id": told["client_id"]}
    assert server.form("/revoke", given).status == 200
    return server.is_let_in(told["access_token"]) or got_in(
        server, server.refresh(told["client_id"], told["refresh_token"])
    )


@attack
def revoke_the_token_of_another_client(server: Server) -> Any:
    told = server.log_in()
    server.form("/revoke", {"token": told["access_token"], "client_id": server.client()})
    return not server.is_let_in(told["access_token"])


@attack
def use_a_token_of_another_address(server: Server) -> Any:
    token = token_of(server)
    with Server(server.folder, base="https://charts.example.org") as other:
        return other.is_let_in(token)


@attack
def refresh_a_token_of_another_address(server: Server) -> Any:
    told = server.log_in()
    with Server(server.folder, base="https://charts.example.org") as other:
        return other.refresh(told["client_id"], told["refresh_token"]).status == 200


@attack
def refresh_for_another_resource(server: Server) -> Any:
    told = server.log_in()
    return got_in(
        server, server.refresh(told["client_id"], told["refresh_token"], resource="https://other.example/mcp")
    )


# Names and origins.

several(
    "come_by_another_name",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{}"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "localhost:{}@evil.example"},
        {"Host": "localhost:{}.evil.example"},
        {"Host": ""},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://localhost:1@evil.example"},
        {"Origin": "https://localhost:{}"},
        {"Origin": "file://"},
        {"Origin": ""},
    ],
    lambda server, headers: server.is_let_in(
        token_of(server), {name: value.format(server.port) for name, value in headers.items()}
    ),
)


@attack
def make_the_server_name_another_one(server: Server) -> Any:
    forged = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "Forwarded": "host=evil.example",
        "X-Original-URL": "/x",
    }
    told = server.ask("GET", "/.well-known/oauth-authorization-server", headers=forged)
    refused = server.say({"jsonrpc": "2.0", "id": 1, "method": "ping"}, None, forged)
    return "evil" in told.text or "evil" in refused.headers["www-authenticate"]


@attack
def send_two_names(server: Server) -> Any:
    head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nHost: evil.example\r\n\r\n"
    return raw(server, head) == 200


several(
    "ask_without_a_token_by_another_way",
    [
        ("GET", "/mcp"),
        ("GET", "/sse"),
        ("HEAD", "/mcp"),
        ("PUT", "/mcp"),
        ("PATCH", "/mcp"),
        ("DELETE", "/mcp"),
        ("POST", "/mcp/"),
        ("POST", "//mcp"),
        ("POST", "/%6dcp"),
        ("POST", "/sse"),
        ("POST", "/mcp;x"),
        ("POST", "/../mcp"),
        ("TRACE", "/mcp"),
        ("CONNECT", "/mcp"),
    ],
    lambda server, way: (
        server.ask(way[0], way[1], json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})).status == 200
    ),
)


@attack
def override_the_method(server: Server) -> Any:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_indicators"}})
    tricks = {"X-HTTP-Method-Override": "GET", "Mcp-Method": "initialize", "Mcp-Protocol-Version": "2026-07-28"}
    return server.ask("POST", "/mcp", body, tricks).status == 200


@attack
def hide_a_call_behind_an_open_method(server: Server) -> Any:
    call = '"params":{"name":"list_indicators"}'
    bodies = [
        f'{{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call",{call}}}',
        f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"tools/list",{call}}}',
        f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","\\u006dethod":"tools/list",{call}}}',
        f'[{{"jsonrpc":"2.0","id":1,"method":"tools/list"}},{{"jsonrpc":"2.0","id":2,"method":"tools/call",{call}}}]',
    ]
    return [body for body in bodies if b'"total"' in server.ask("POST", "/mcp", body).body]


@attack
def fix_the_session_of_a_victim(server: Server) -> Any:
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    session = server.say(begin, None, {"Accept": BOTH}).headers["mcp-session-id"]
    fixed = {"Mcp-Session-Id": session, "Accept": BOTH}
    assert server.say(begin, token_of(server), fixed).headers["mcp-session-id"] == session
    return server.is_let_in(None, fixed)


@attack
def take_over_a_session(server: Server) -> Any:
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    session = server.say(begin, token_of(server), {"Accept": BOTH}).headers["mcp-session-id"]
    return server.is_let_in(None, {"Mcp-Session-Id": session, "Accept": BOTH})


# The consent page.


def _waiting(server: Server) -> tuple[Answer, list[tuple[str, str]]]:
    page = server.begin(server.client(), pkce().challenge)
    return page, [*Form(page.text).fields, ("passphrase", PASSPHRASE), ("decision", "allow")]


@attack
def show_the_page_in_a_frame(server: Server) -> Any:
    page, _ = _waiting(server)
    policy = page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store" and "samesite=strict" in page.headers["set-cookie"].lower()
    assert "httponly" in page.headers["set-cookie"].lower()
    assert page.headers["referrer-policy"] == "same-origin"
    return "frame-ancestors 'none'" not in policy or page.headers["x-frame-options"] != "DENY"


@attack
def run_a_script_on_the_page(server: Server) -> Any:
    name = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"
    client = server.register(client_name=name).told["client_id"]
    page = server.begin(client, pkce().challenge, state='"><script>alert(2)</script>')
    assert "default-src 'none'" in page.headers["content-security-policy"]
    return "<script" in page.text.lower() or "<img" in page.text


@attack
def deceive_by_a_name(server: Server) -> Any:
    client = server.register(client_name="Claude\u202e\u0000\n").told.get("client_id", "")
    page = server.begin(client, pkce().challenge)
    assert "127.0.0.1" in page.text or page.status == 400
    return "\u202e" in page.text


several(
    "answer_the_page_from_elsewhere",
    [
        {"Cookie": ""},
        {"Cookie": "pinebench-consent-x=x"},
        {"Cookie": "pinebench-consent="},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    lambda server, headers: (
        (waiting := _waiting(server))
        and leads(server.form("/consent", waiting[1], server.as_browser(waiting[0]) | headers))
    ),
)
several(
    "answer_the_page_without_what_it_holds",
    ["csrf", "request", "passphrase"],
    lambda server, name: (
        (waiting := _waiting(server))
        and leads(
            server.form("/consent", [each for each in waiting[1] if each[0] != name], server.as_browser(waiting[0]))
        )
    ),
)


@attack
def answer_the_request_of_another_browser(server: Server) -> Any:
    (mine, fields), (other, others) = _waiting(server), _waiting(server)
    swapped = [each for each in fields if each[0] != "request"] + [each for each in others if each[0] == "request"]
    del other
    return leads(server.form("/consent", swapped, server.as_browser(mine)))


@attack
def answer_twice(server: Server) -> Any:
    page, fields = _waiting(server)
    assert "code=" in leads(server.form("/consent", fields, server.as_browser(page)))
    return leads(server.form("/consent", fields, server.as_browser(page)))


@attack
def approve_by_a_link(server: Server) -> Any:
    page, fields = _waiting(server)
    return leads(server.ask("GET", "/consent?" + urllib.parse.urlencode(fields), headers=server.as_browser(page)))


@attack
def grant_more_than_was_asked_for(server: Server) -> Any:
    client, pair = server.client(), pkce()
    page = server.begin(client, pair.challenge, scope="charts")
    answer = server.approve(page, scope=["charts", "trading", "tools:chart", "*"])
    return server.exchange(client, sent(answer)["code"], pair.verifier).told["scope"] != "charts"


@attack
def be_granted_nothing(server: Server) -> Any:
    page, fields = _waiting(server)
    fields = [each for each in fields if each[0] != "scope"]
    return leads(server.form("/consent", fields, server.as_browser(page)))


@attack
def go_on_after_a_denial(server: Server) -> Any:
    page, _ = _waiting(server)
    denied = sent(server.approve(page, decision="deny"))
    assert denied["error"] == "access_denied"
    return denied.get("code") or leads(server.approve(page))


several(
    "guess_the_passphrase",
    ["", PASSPHRASE + " ", PASSPHRASE.upper(), PASSPHRASE[:-1], "x" * 2_000, "\x00", "scrypt$4$"],
    lambda server, guess: _guessed(server, guess),
)


def _guessed(server: Server, guess: str) -> Any:
    page, _ = _waiting(server)
    answer = server.approve(page, guess)
    found = leads(answer)
    # An honest answer follows, so that wrong ones of this table do not add up.
    assert "code=" in leads(server.approve(server.begin(server.client(), pkce().challenge)))
    return found


@attack
def guess_on_and_on_at_one_page(server: Server) -> Any:
    page, _ = _waiting(server)
    answers = [server.approve(page, f"wrong {at}") for at in range(5)]
    assert sent(answers[-1])["error"] == "access_denied"
    found = leads(server.approve(page))
    assert "code=" in leads(server.approve(server.begin(server.client(), pkce().challenge)))
    return found


# Bodies.


@attack
def fill_the_memory(server: Server) -> Any:
    token = {"Authorization": f"Bearer {token_of(server)}"}
    statuses = [
        declared(server, "/mcp", 5_000_000, token),
        declared(server, "/token", 100_000, {}),
        declared(server, "/register", 100_000, {}),
        declared(server, "/consent", 100_000, {}),
        declared(server, "/revoke", 100_000, {}),
        declared(server, "/mcp", 100_000, {}),
    ]
    return [status for status in statuses if status != 413]


@attack
def fill_the_memory_in_pieces(server: Server) -> Any:
    with line(server) as open_line:
        head = f"POST /token HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        open_line.sendall(head.encode())
        piece = b"2000\r\n" + b"x" * 0x2000 + b"\r\n"
        for _ in range(5):
            open_line.sendall(piece)
        return open_line.recv(100).split()[1] != b"413"


several(
    "smuggle_a_length",
    ["-1", "+5", "5, 5", "0x10", "\u0665", "1e3"],
    lambda server, length: (
        raw(
            server,
            f"POST /token HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: {length}\r\n\r\nhello",
        )
        == 200
    ),
)
several(
    "send_a_strange_body",
    [
        ("application/json", "[" * 10_000),
        ("application/json", '{"a":' * 5_000),
        ("application/json", '{"grant_type":"authorization_code","grant_type":"x"}'),
        ("application/json", '{"grant_type":{"a":1}}'),
        ("application/json", "1" * 10_000),
        ("application/json", '"\ud800"'.encode("utf-8", "surrogatepass").decode("latin-1")),
        ("application/x-www-form-urlencoded", "&".join(f"a{at}=1" for at in range(3_000))),
        ("application/x-www-form-urlencoded", "grant_type=%ff%fe&code=%00"),
        ("multipart/form-data; boundary=x", "--x\r\n\r\n--x--"),
        ("text/plain", "grant_type=authorization_code"),
    ],
    lambda server, body: (
        server.ask("POST", "/token", body[1].encode("latin-1"), {"Content-Type": body[0]}).status not in (400, 401)
    ),
)


# Headers and logs.


@attack
def inject_a_header_by_the_state(server: Server) -> Any:
    answer = server.approve(server.begin(server.client(), pkce().challenge, state="x\r\nSet-Cookie: a=b&code=evil#é"))
    assert sent(answer)["state"] == "x\r\nSet-Cookie: a=b&code=evil#é"
    return "set-cookie" in answer.headers or sent(answer)["code"] == "evil"


@attack
def inject_a_header_by_the_session(server: Server) -> Any:
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nMcp-Session-Id: a\x0bSet-Cookie: b=c\r\n"
    with line(server) as open_line:
        open_line.sendall(f"{head}Content-Length: 0\r\n\r\n".encode())
        return b"Set-Cookie" in open_line.recv(2_000)


# Metadata documents of clients.

several(
    "make_the_server_fetch",
    [
        "https://127.0.0.1/client",
        "https://127.0.0.1:1/client",
        "https://[::1]/client",
        "https://[::ffff:127.0.0.1]/client",
        "https://[::ffff:7f00:1]/client",
        "https://[64:ff9b::7f00:1]/client",
        "https://[2002:7f00:1::]/client",
        "https://[fe80::1]/client",
        "https://[fd00::1]/client",
        "https://0.0.0.0/client",
        "https://0/client",
        "https://2130706433/client",
        "https://0x7f.1/client",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/client",
        "https://192.168.1.1/client",
        "https://224.0.0.1/client",
        "https://255.255.255.255/client",
        "https://inside.example/client",
        "https://both.example/client",
        "https://none.example/client",
        "https://user@inside.example/client",
        "https://inside.example/",
        "https://inside.example",
        "https://inside.example/a/../client",
        "https://inside.example/a/%2E%2e/client",
        "https://inside.example/client?a=b",
        "https://inside.example/client#a",
        "https://inside.example\\@evil/client",
        "https://inside.example:99999/client",
        "https:///client",
        "http://127.0.0.1/client",
        "HTTPS://127.0.0.1/client",
        "file:///etc/passwd",
        "ftp://127.0.0.1/client",
        "gopher://127.0.0.1:6379/_x",
    ],
    lambda server, client: server.begin(client, pkce().challenge).status != 400,
)


def raw(server: Server, head: str) -> int:
    """The status of the answer to bytes as they are; 0 if there is none."""
    with line(server) as open_line:
        open_line.sendall(head.encode())
        words = open_line.recv(100).split()
    return int(words[1]) if len(words) > 1 else 0


def declared(server: Server, path: str, length: int, headers: dict[str, str]) -> int:
    """The status of the answer to a body that is announced and never sent."""
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return raw(
        server, f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{told}Content-Length: {length}\r\n\r\n"
    )


def line(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 20)


@pytest.mark.parametrize("name", ATTACKS)
def test_nobody_gets_in(name: str, server: Server) -> None:
    assert not ATTACKS[name](server)
    assert server.is_let_in(token_of(server)), "the server does not answer any more"


def test_the_table_is_as_long_as_it_should_be() -> None:
    assert len(ATTACKS) >= 60


def test_after_ten_wrong_passphrases_also_the_right_one_must_wait(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        client = server.client()
        for at in range(10):
            page = server.begin(client, pkce().challenge)
            assert server.approve(page, f"wrong {at}").status == 403
        answer = server.approve(server.begin(client, pkce().challenge))
        assert answer.status == 429 and 0 < int(answer.headers["retry-after"]) <= 901


def test_wrong_passphrases_of_strangers_do_not_lock_the_owner_out_of_a_known_browser(tmp_path: Path) -> None:
    """It has ten wrong ones of its own. A forged mark, and that of another user or passphrase, help nobody."""
    with Server(tmp_path, users={"ben": "hoops-and-loops"}) as server:
        client = server.client()

        def asked(passphrase: str, known: str = "", user: str = "") -> Answer:
            page = server.begin(client, pkce().challenge)
            headers = server.as_browser(page) | {"Sec-Fetch-Site": "same-origin"}
            headers["Cookie"] += f"; {known}" if known else ""
            form = Form(page.text)
            fields = [each for each in form.fields if each[0] != "user"]
            return server.form(
                form.action,
                [*fields, ("user", user), ("passphrase", passphrase), ("decision", "allow")],
                headers,
            )

        entered = asked(PASSPHRASE)
        cookie = entered.headers["set-cookie"]
        assert entered.status == 302 and {"HttpOnly", "SameSite=strict", "Path=/consent"} <= {*cookie.split("; ")}
        known = cookie.partition(";")[0]
        page = server.begin(client, pkce().challenge, state="code=1")
        headers = server.as_browser(page) | {"Sec-Fetch-Site": "same-origin"}
        form = Form(page.text)
        ended = [
            server.form(form.action, [*form.fields, ("passphrase", f"wrong {at}"), ("decision", "allow")], headers)
            for at in range(5)
        ]
        assert ended[-1].status == 302 and not any("set-cookie" in each.headers for each in ended)
        assert asked(PASSPHRASE).status == 302
        bens = asked("hoops-and-loops", user="ben").headers["set-cookie"].partition(";")[0]
        assert [asked(f"wrong {at}").status for at in range(12)] == [403] * 10 + [429] * 2
        number = known.partition("=")[2].partition(".")[0]
        for forged in ("", bens, f"pinebench-known={number}.", f"pinebench-known={number}x.{known.partition('.')[2]}"):
            assert asked(PASSPHRASE, forged).status == 429, forged
        assert asked(PASSPHRASE, known, user="ben").status == 429
        assert asked(PASSPHRASE, known).status == 302
        assert asked("hoops-and-loops", bens, "ben").status == 302
        assert [asked(f"wrong {at}", known).status for at in range(12)] == [403] * 10 + [429] * 2
        assert asked(PASSPHRASE, known).status == 429
        assert asked("hoops-and-loops", bens, "ben").status == 302


def test_a_slow_body_and_a_slow_head_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "SECONDS", 0.1)
    monkeypatch.setattr(web_server, "_HEAD_SECONDS", 0.1)
    with Server(tmp_path) as server:
        head = f"POST /token HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        assert raw(server, f"{head}Content-Length: 10\r\n\r\nabc") == 408
        assert raw(server, head) == 0
        with line(server) as silent:
            assert silent.recv(10) == b""


def test_a_log_line_cannot_be_faked(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        server.begin("https://inside.example/x\nERROR all is lost\x1b[2J", pkce().challenge)
        client = server.register(client_name="x\nERROR all is lost").told.get("client_id", "")
        page = server.begin(client, pkce().challenge)
        server.approve(page, "wrong\nERROR all is lost")
        server.approve(page)
    assert caplog.records
    for record in caplog.records:
        assert record.getMessage().isprintable() and "wrong\\n" not in record.getMessage()


HOSTS = (
    *("evil.com;sandbox", "evil.com,script-src", "evil.com'x", 'evil.com"x', "a(b).com", "evil.com%3bsandbox", "*.com"),
    *("evil.com script-src", "evil.com\tx", "evil.com\nx", "'self'", "evil.com;", ";script-src", "evil.com:443;x"),
    *(
        "evil.com%20x",
        "evil.com\uff1bx",
        "[::1];x",
        "evil.com<x>",
        "data:",
        "https:",
        "evil.com\u3000x",
        "evil.com%2cx",
    ),
)
"""Hosts of redirect addresses with words of a policy."""
_PLAIN = re.compile(r"[A-Za-z0-9.:\[\]-]*")


def test_no_host_brings_words_into_the_policy_of_a_page(server: Server) -> None:
    """The host of a redirect address stands in the header of the consent page."""
    for host in HOSTS:
        for uri in (f"https://{host}/cb", f"http://{host}:8000/cb", f"com.example.{host}:/cb"):
            try:
                found = redirects.parsed(uri)
            except ValidationError:
                continue
            refused = redirects.problem(found, uri) is not None
            assert refused or _PLAIN.fullmatch(f"{found.scheme}{found.host or ''}"), uri
            registered = server.register(uri)
            assert (registered.status == 201) is not refused, uri
            if registered.status == 201:
                page = server.begin(registered.told["client_id"], pkce().challenge, redirect_uri=uri)
                policy = page.headers["content-security-policy"]
                assert "sandbox" not in policy and "script-src" not in policy and policy.count("form-action") == 1, uri

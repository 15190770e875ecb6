"""Attacks on names, origins, sessions, the consent page, bodies, headers and metadata documents."""

import json
import urllib.parse
from typing import Any

from tests.mcp.web.attacks import AttackTable, declared, leads, line, raw, token_of
from tests.mcp.web.support import BOTH, HELLO, PASSPHRASE, Answer, Form, Server, pkce, sent

ATTACKS = AttackTable()
attack, several = ATTACKS.attack, ATTACKS.several

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
        raw(server, f"POST /token HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: {length}\r\n\r\nhello")
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

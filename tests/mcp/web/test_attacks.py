"""Attacks on the door: whoever makes one must not get in. Each attack returns what it got; nothing is the right answer.

What an honest client gets by the same steps is in `test_flow.py`, so that a door that is closed to all does not pass.
"""

import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from pinebench.mcp.web import bodies, redirects, web_server
from pinebench.mcp.web.client_documents import RemoteDocuments
from tests.mcp.web import attacks_on_grants, attacks_on_pages
from tests.mcp.web.attacks import line, raw, token_of
from tests.mcp.web.support import PASSPHRASE, Answer, Form, Server, pkce

ATTACKS = attacks_on_grants.ATTACKS | attacks_on_pages.ATTACKS


async def resolve(host: str, port: int) -> list[str]:
    """Names of the tests; no name is looked up outside."""
    del port
    names = {"inside.example": ["10.0.0.7"], "both.example": ["93.184.216.34", "127.0.0.1"], "none.example": []}
    if host in names:
        return names[host]
    return [str(each[4][0]) for each in socket.getaddrinfo(host, 1, flags=socket.AI_NUMERICHOST)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    documents = RemoteDocuments(resolve)
    with Server(tmp_path_factory.mktemp("state"), groups="templates,chart", documents=documents) as served:
        yield served


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
                form.action, [*fields, ("user", user), ("passphrase", passphrase), ("decision", "allow")], headers
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

"""Attacks on addresses of clients, codes and tokens."""

import json
import sqlite3
import threading
import urllib.parse
from typing import Any

from pinebench.mcp.web.grant_store import digest
from tests.mcp.web.attacks import AttackTable, ahead, got_in, leads, raw, token_of
from tests.mcp.web.support import HERE, PASSPHRASE, Answer, Server, pkce, sent

ATTACKS = AttackTable()
attack, several = ATTACKS.attack, ATTACKS.several

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

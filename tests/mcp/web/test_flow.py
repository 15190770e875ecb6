"""The honest way in: register, authorise, token, call, refresh, push; by hand and by the official SDK."""

import json
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.client import Client
from mcp.client.extension import ClientExtension, NotificationBinding
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from mcp_types import NotificationParams
from pydantic import AnyUrl

from pinebench.cli import main
from pinebench.mcp.web import consent, grant_store, owner, passphrases
from pinebench.mcp.web.grant_store import Store
from tests.mcp.web.support import HERE, PASSPHRASE, Answer, Engine, Form, Server, pkce, sent


def test_the_metadata_names_everything_that_a_client_needs(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        told = server.ask("GET", "/.well-known/oauth-authorization-server").told
        assert told["issuer"] == server.url
        assert [told[f"{each}_endpoint"].removeprefix(server.url) for each in ("authorization", "token")] == [
            "/authorize",
            "/token",
        ]
        assert told["code_challenge_methods_supported"] == ["S256"]
        assert told["client_id_metadata_document_supported"] is True
        for path in ("", "/mcp", "/sse", "/message"):
            resource = server.ask("GET", f"/.well-known/oauth-protected-resource{path}").told
            assert resource["resource"] == server.url + path
            assert resource["authorization_servers"] == [server.url]
        # A client that knows the server by another of its names is told that name.
        other = f"localhost:{server.port}"
        assert server.ask("GET", "/.well-known/oauth-authorization-server", headers={"Host": other}).told["issuer"] == (
            f"http://{other}"
        )


@pytest.mark.parametrize("kind", ["form", "json"])
def test_a_client_registers_gets_a_token_and_refreshes_it(tmp_path: Path, kind: str) -> None:
    with Server(tmp_path) as server:
        registered = server.register(token_endpoint_auth_method="client_secret_post", scope="charts unknown")
        assert registered.status == 201
        told = registered.told
        assert (told["token_endpoint_auth_method"], told["redirect_uris"]) == ("none", [HERE])
        assert "client_secret" not in told and told["scope"] == "charts"
        client, pair = told["client_id"], pkce()
        page = server.begin(client, pair.challenge, state="a b&c", resource=f"{server.url}/mcp")
        assert page.status == 200 and "a client" in page.text and HERE in page.text
        answer = server.approve(page)
        assert sent(answer)["state"] == "a b&c" and sent(answer)["iss"] == server.url
        given = {
            "grant_type": "authorization_code",
            "code": sent(answer)["code"],
            "client_id": client,
            "redirect_uri": HERE,
            "code_verifier": pair.verifier,
            "resource": f"{server.url}/mcp",
        }
        token = post(server, "/token", given, kind)
        assert token.status == 200 and "no-store" in token.headers["cache-control"]
        assert (token.told["token_type"], token.told["expires_in"]) == ("Bearer", 604_800)
        assert token.told["scope"] == "charts alerts trading"
        assert server.call("list_indicators", token.told["access_token"]).told["result"]["isError"] is False
        given = {"grant_type": "refresh_token", "refresh_token": token.told["refresh_token"], "client_id": client}
        fresh = post(server, "/token", given, kind)
        assert server.is_let_in(fresh.told["access_token"])
        revoked = post(server, "/revoke", {"token": fresh.told["access_token"], "client_id": client}, kind)
        assert revoked.status == 200 and not server.is_let_in(fresh.told["access_token"])


def post(server: Server, path: str, given: dict[str, str], kind: str) -> Answer:
    if kind == "form":
        return server.form(path, given)
    return server.ask("POST", path, json.dumps(given), {"Content-Type": "application/json"})


def test_a_token_is_alive_after_a_restart(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        told = server.log_in()
    with Server(tmp_path) as server:
        assert server.is_let_in(told["access_token"])
        assert server.refresh(told["client_id"], told["refresh_token"]).status == 200


def test_a_program_of_the_users_computer_may_take_another_port(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        client, pair = server.client("http://127.0.0.1/callback"), pkce()
        other = "http://127.0.0.1:61234/callback"
        code = server.code(client, pair.challenge, redirect_uri=other)
        assert server.exchange(client, code, pair.verifier, redirect_uri=other).status == 200


@pytest.mark.parametrize(
    "uri", ["https://claude.ai/api/mcp/auth_callback", "cursor://anysphere/cb", "com.example.app:/cb"]
)
def test_the_page_allows_the_browser_to_go_to_the_client(tmp_path: Path, uri: str) -> None:
    with Server(tmp_path) as server:
        client = server.client(uri)
        page = server.begin(client, pkce().challenge, redirect_uri=uri)
        source = {"https": "https://claude.ai", "cursor": "cursor:"}.get(uri.partition(":")[0], "com.example.app:")
        assert f"form-action 'self' {source}" in page.headers["content-security-policy"]
        assert server.approve(page).headers["location"].startswith(uri)


def test_scopes_that_drive_the_chart_must_be_chosen_by_the_person(tmp_path: Path) -> None:
    with Server(tmp_path, groups="chart,templates") as server:
        client, pair = server.client(), pkce()
        page = server.begin(client, pair.challenge)
        chosen = [value for name, value in Form(page.text).fields if name == "scope"]
        assert chosen == ["charts", "alerts", "trading", "tools:templates"] and 'value="tools:chart"' in page.text
        code = sent(server.approve(page, scope=["charts", "tools:chart"]))["code"]
        told = server.exchange(client, code, pair.verifier).told
        assert told["scope"] == "charts tools:chart"
        listed = server.say({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, told["access_token"]).told
        assert "chart_get_state" in [tool["name"] for tool in listed["result"]["tools"]]


def test_the_oldest_clients_that_nobody_approved_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(tmp_path) as server:
        kept = server.log_in()["client_id"]
        monkeypatch.setattr(grant_store, "MOST_CLIENTS", 20)
        for at in range(25):
            server.store.add_client(f"client {at}", "{}")
        assert server.store.client(kept) is not None and server.store.client("client 0") is None
        assert server.store.client("client 24") is not None


FLOODS: dict[str, Callable[[Server, str, int], object]] = {
    "new clients ask": lambda server, _, at: server.begin(server.client(), pkce().challenge),
    "the same client asks": lambda server, client, _: server.begin(client, pkce().challenge),
    "the same client asks by POST": lambda server, client, _: server.form("/authorize", {"client_id": client}),
    "strangers register": lambda server, _, at: server.register(client_name=f"n{at}"),
    "unknown clients ask": lambda server, _, at: server.begin(f"unknown {at}", pkce().challenge),
    "clients of other hosts ask": lambda server, _, at: server.begin(f"https://127.0.0.1/{at}.json", pkce().challenge),
    "wrong codes": lambda server, client, at: server.exchange(client, f"code {at}", pkce().verifier),
    "wrong refresh tokens": lambda server, client, at: server.refresh(client, f"token {at}"),
    "forged answers": lambda server, _, at: server.form("/consent", {"request": f"e30.{at}", "decision": "allow"}),
    "answers without a cookie": lambda server, client, _: server.form(
        "/consent", Form(server.begin(client, pkce().challenge).text).fields
    ),
    "denials": lambda server, _, at: server.approve(server.begin(server.client(), pkce().challenge), decision="deny"),
    "revocations": lambda server, client, at: server.form("/revoke", {"token": f"t{at}", "client_id": client}),
    "calls without a token": lambda server, _, at: server.say({"jsonrpc": "2.0", "id": at, "method": "initialize"}),
}
"""What anybody without a token can do without end."""


def test_nobody_crowds_a_login_out_whatever_they_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(tmp_path) as server:
        monkeypatch.setattr(consent, "_MOST_ANSWERED", 3)
        for number, (name, flood) in enumerate(FLOODS.items()):
            monkeypatch.setattr(grant_store, "MOST_CLIENTS", number + 3)  # so many were approved, and three others
            client, pair = server.client(), pkce()
            page = server.begin(client, pair.challenge)
            for at in range(8):
                flood(server, client, at)
            answer = server.approve(page)
            assert answer.status == 302, (name, answer)
            token = server.exchange(client, sent(answer)["code"], pair.verifier).told["access_token"]
            assert server.is_let_in(token), name
            assert server.approve(page).status == 400, "a page is answered once"


class _Fired(NotificationParams):
    """The parameters of a fired alert, as far as this test reads them."""

    alert_id: str


class _Hearing(ClientExtension):
    """Hears fired alerts; the SDK's client drops what nobody asked for."""

    identifier = "org.example/alerts"

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.came = anyio.Event()

    def notifications(self) -> list[NotificationBinding[Any]]:
        return [NotificationBinding(method="notifications/alert_triggered", params_type=_Fired, handler=self._hear)]

    async def _hear(self, fired: _Fired) -> None:
        self.heard.append(fired.alert_id)
        self.came.set()


class Memory:
    """Where the SDK's client keeps what it got."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_logs_in_calls_refreshes_and_hears_alerts(tmp_path: Path, mode: Any) -> None:
    engine = Engine()
    with Server(tmp_path, engine=engine) as server:
        memory, came = Memory(), []

        async def redirect(address: str) -> None:
            split = urlsplit(address)
            page = await anyio.to_thread.run_sync(server.ask, "GET", f"{split.path}?{split.query}")
            came.append(sent(await anyio.to_thread.run_sync(server.approve, page)))

        async def called_back() -> AuthorizationCodeResult:
            return AuthorizationCodeResult(code=came[-1]["code"], state=came[-1]["state"], iss=came[-1]["iss"])

        metadata = OAuthClientMetadata(client_name="the SDK", redirect_uris=[AnyUrl(HERE)])
        provider = OAuthClientProvider(f"{server.url}/mcp", metadata, memory, redirect, called_back)

        async def run() -> None:
            hearing = _Hearing()
            async with httpx2.AsyncClient(auth=provider, timeout=120) as carrier:
                way = streamable_http_client(f"{server.url}/mcp", http_client=carrier)
                async with Client(way, mode=mode, extensions=[hearing]) as client:
                    assert "generate_chart" in [tool.name for tool in (await client.list_tools()).tools]
                    told = await client.call_tool("list_indicators", {})
                    assert told.structured_content is not None and told.structured_content["total"] >= 38
                    first = memory.tokens
                    assert first is not None and provider.context.client_info is not None
                    provider.context.token_expiry_time = 1.0
                    assert (await client.call_tool("list_indicators", {})).is_error is False
                    assert memory.tokens is not None and memory.tokens.access_token != first.access_token
                    assert not await anyio.to_thread.run_sync(server.is_let_in, first.access_token)
                    if mode == "auto":
                        async with client.listen(resource_subscriptions=["alerts://queue"]) as listening:
                            engine.pushing.fire("owner", "a")
                            async for _ in listening:
                                break
                        read = await client.read_resource("alerts://queue")
                        assert '"connected"' in str(read.contents[0])
                    else:
                        engine.pushing.fire("owner", "a")
                        await hearing.came.wait()
                        assert hearing.heard == ["a"]

        anyio.run(run)
        assert len(came) == 1


def test_the_first_line_says_where_the_server_is_and_the_passphrase_is_shown_once(tmp_path: Path) -> None:
    first, errors = start(tmp_path)
    assert first["url"] == f"http://127.0.0.1:{first['port']}" and first["pid"] > 0
    shown = [line for line in errors if "passphrase of this server is" in line]
    assert len(shown) == 1
    file = tmp_path / "serve.sqlite3"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    passphrase = shown[0].split("is: ")[1].split()[0]
    assert passphrase.encode() not in file.read_bytes()
    again, errors = start(tmp_path)
    assert again["port"] and not [line for line in errors if "passphrase" in line]


def start(folder: Path, *arguments: str) -> tuple[dict[str, Any], list[str]]:
    """Start the command, and stop it when it is ready: its first line, and what it told the person."""
    command = [sys.executable, "-m", "pinebench", "mcp", "--serve", "--port", "0", *arguments]
    environment = {"PATH": "/usr/bin:/bin", "PINEBENCH_STATE_DIR": str(folder), "HOME": str(folder)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    line = process.stdout.readline()
    process.terminate()
    errors = process.communicate(timeout=60)[1].splitlines()
    assert process.returncode == 0, errors
    return json.loads(line), errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "0.0.0.0"], "--base-url"),
        (["--no-auth", "--host", "0.0.0.0"], "--no-auth is for this computer only"),
        (["--no-auth", "--base-url", "https://x.example"], "--no-auth is for this computer only"),
        (["--base-url", "http://x.example"], "must not be sent without encryption"),
        (["--base-url", "https://x.example/path"], "not a public address"),
        (["--passphrase-file", "/nowhere"], "--passphrase-file /nowhere: the file cannot be read"),
        (["--token-seconds", "604801"], "604800"),
        (["--http"], "--serve"),
    ],
)
def test_what_does_not_fit_together_is_said(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path))
    assert main(["mcp", "--serve", "--port", "0", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_another_passphrase_ends_every_approval(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        first, made = owner.kept(server.store, "the first one")
        assert made is None
        token = server.log_in()["access_token"]
        assert owner.kept(server.store, "the first one") == (first, None) == owner.kept(server.store, None)
        assert server.is_let_in(token)
        assert owner.kept(server.store, "another one")[0] != first
        assert not server.is_let_in(token)


def test_two_processes_can_share_the_file(tmp_path: Path) -> None:
    one, other = Store(str(tmp_path)), Store(str(tmp_path))
    threads = [
        threading.Thread(target=lambda at=at: (one, other)[at % 2].add_client(f"client {at}", "{}")) for at in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(other.client(f"client {at}") == "{}" for at in range(40))
    one.close()
    other.close()


def test_the_passphrase_is_kept_as_a_slow_hash() -> None:
    kept = passphrases.hashed(PASSPHRASE)
    assert kept.startswith("scrypt$15$") and PASSPHRASE not in kept and kept != passphrases.hashed(PASSPHRASE)
    assert passphrases.is_right(PASSPHRASE, kept) and not passphrases.is_right(PASSPHRASE + "x", kept)
    made = {passphrases.made() for _ in range(20)}
    assert len(made) == 20 and all(len(each.replace("-", "")) == 24 for each in made)

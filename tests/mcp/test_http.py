"""The MCP server over HTTP: on this computer, for this computer."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import httpx2
import mcp_types
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from pinebench.errors import UnavailableError, UsageError
from pinebench.mcp import access, transports
from pinebench.mcp.server import ServerOffer
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser, Image, ToolContext
from pinebench.tools.registry import Needs, Tool

TOKEN = "t" * 43
KNOWN = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server of this process, which can be reached as soon as its address is told."""
    told: list[int] = []
    servers: list[uvicorn.Server] = []
    startup = uvicorn.Server.startup

    async def noted(server: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        servers.append(server)
        await startup(server, sockets)

    def tell(address: str) -> None:
        port = int(address.removeprefix("http://127.0.0.1:").removesuffix("/mcp"))
        socket.create_connection(("127.0.0.1", port)).close()
        told.append(port)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvicorn.Server, "startup", noted)
        offer = ServerOffer(ChartBrowser(port=9), registry.chosen("templates"))
        thread = threading.Thread(target=transports.over_http, args=(offer, 0, TOKEN, tell), daemon=True)
        thread.start()
        while not told:
            thread.join(0.01)
            assert thread.is_alive()
        yield told[0]
        servers[0].should_exit = True
        thread.join(120)


def test_tools_are_called_over_http(port: int) -> None:
    async def run() -> Any:
        async with httpx2.AsyncClient(headers=KNOWN) as carrier:
            way = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=carrier)
            async with Client(way, mode="legacy") as client:
                return await client.call_tool("template_list", {})

    assert anyio.run(run).structured_content["count"] > 10


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:{port}"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost:{port}", "Origin": "http://localhost:{port}"}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Host": "localhost:{port}@evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "http://localhost:{port}.evil.example"}, 403),
        ({"Origin": "http://localhost:{port}@evil.example"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
    ],
)
def test_other_hosts_names_and_other_sites_are_refused(port: int, headers: dict[str, str], status: int) -> None:
    told = {name: value.replace("{port}", str(port)) for name, value in headers.items()}
    assert asked(port, KNOWN | told) == status
    assert asked(port, told) == 401


def asked(port: int, headers: dict[str, str], method: str = "POST", path: str = "/mcp") -> int:
    """The status of the answer to a request that begins a conversation."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request(method, path, body, sent | headers)
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    assert answer.status != 401 or TOKEN.encode() not in read
    return answer.status


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN}, Bearer {TOKEN}"},
        {"Authorization": f"Bearer {'x' * 60_000}"},
        {"Authorization": "Bearer \xff\xfe"},
        {"Authorization": "Bearer undefined"},
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
        {"Cookie": f"token={TOKEN}"},
        {"X-Authorization": f"Bearer {TOKEN}"},
        {"Mcp-Session-Id": TOKEN},
    ],
)
def test_whoever_has_no_token_is_refused(port: int, headers: dict[str, str]) -> None:
    assert asked(port, headers) == 401


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE", "PUT", "POST", "TRACE"])
@pytest.mark.parametrize(
    "path", ["/mcp", "/", "/mcp/", f"/mcp?token={TOKEN}", "/.well-known/oauth-protected-resource", "//mcp", "/%6dcp"]
)
def test_nothing_is_said_without_a_token_by_any_method_at_any_address(port: int, method: str, path: str) -> None:
    assert asked(port, {}, method, path) == 401


def test_a_second_header_does_not_open_the_door(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), 20) as line:
        head = f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer x\r\n"
        line.sendall(f"{head}Authorization: Bearer {TOKEN}\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 401 ")


def test_too_many_headers_are_refused_with_and_without_a_token(port: int) -> None:
    many = {f"X-{number}": "x" for number in range(300)}
    for headers in (many, {**many, **KNOWN}, {"X": "x" * 65_000, **KNOWN}):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        connection.request("POST", "/mcp", "{}", headers)
        # The server's parser refuses one header that is too long before it is a request.
        assert connection.getresponse().status in (431, 400)
        connection.close()

    async def application(*_: object) -> None:
        raise AssertionError("it was reached")

    told: list[int] = []

    async def send(message: Any) -> None:
        told.append(message.get("status", 0))

    async def receive() -> Any:
        raise AssertionError("the body was read")

    scope: Any = {"type": "http", "method": "GET", "headers": [(b"x", b"y")] * 300}
    anyio.run(access.TokenGuard(application, None), scope, receive, send)
    assert told[0] == 431, "also where no token is asked for"


def test_a_body_is_not_waited_for_without_a_token(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), 20) as line:
        line.sendall(f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 999999999\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 401 ")


def test_a_websocket_without_a_token_is_refused(port: int) -> None:
    asks = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "x" * 24,
        "Sec-WebSocket-Version": "13",
    }
    assert asked(port, asks, "GET") == 401


def test_the_scheme_may_be_written_in_any_case(port: int) -> None:
    assert asked(port, {"Authorization": f"bearer  {TOKEN}"}) == 200


def test_the_token_stays_the_same_and_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    token = access.kept_token()
    assert len(token) == 43 and access.kept_token() == token
    file = Path(access.token_file())
    assert file.read_text(encoding="ascii") == token + "\n"
    if os.name == "posix":
        assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize("text", [b"", b"short\n", b"\xff" * 43, b"x" * 44, b"x" * 1_000_000])
def test_what_is_no_token_is_replaced(text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path))
    file = Path(access.token_file())
    file.write_bytes(text)
    file.chmod(0o600)
    token = access.kept_token()
    assert len(token) == 43 and token not in text.decode("latin-1")


@pytest.mark.skipif(os.name != "posix", reason="permissions")
def test_a_token_that_others_could_read_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path))
    token = access.kept_token()
    file = Path(access.token_file())
    file.chmod(0o644)
    assert access.kept_token() != token
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "folder"])
def test_a_token_is_not_taken_from_elsewhere(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    file, other = Path(access.token_file()), tmp_path / "other"
    file.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.symlink_to(other)
        if kind == "link":
            other.write_text("x" * 43, encoding="ascii")
            other.chmod(0o600)
    with pytest.raises(UsageError, match=re.escape(str(file))):
        access.kept_token()
    assert not other.exists() or other.read_text(encoding="ascii") == "x" * 43


def test_a_port_that_is_taken_is_named(port: int) -> None:
    with pytest.raises(UnavailableError, match=f"cannot listen on port {port}"):
        transports.over_http(ServerOffer(ChartBrowser(port=9), []), port, TOKEN, print)
    with pytest.raises(UsageError, match="port must be from 0 to 65535, got: 70000"):
        transports.over_http(ServerOffer(ChartBrowser(port=9), []), 70_000, TOKEN, print)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_stops_it_gets_a_good_end(number: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pinebench", "mcp", "--http", "--port", "0", "--tools", "health"]
    environment = {**os.environ, "PINEBENCH_STATE_DIR": str(tmp_path)}
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert server.stderr is not None
    try:
        line = server.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line)
        assert address is not None and int(address[1]) > 0, line
        told = re.search(r"Authorization: Bearer ([\w-]{43})'", server.stderr.readline())
        assert told is not None and (tmp_path / "mcp-token").read_text(encoding="ascii") == f"{told[1]}\n"
        assert asked(int(address[1]), {"Authorization": f"Bearer {told[1]}"}) == 200
        assert asked(int(address[1]), {}) == 401
        server.send_signal(number)
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.communicate()


def _request(session: str) -> Any:
    """A request of a client with this session."""
    client = SimpleNamespace(client_info=SimpleNamespace(name=f"client {session}"))
    carried = SimpleNamespace(headers={"mcp-session-id": session})
    return SimpleNamespace(session=SimpleNamespace(client_params=client), request=carried)


def test_the_last_screenshot_is_of_the_client_that_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def picture(at: ToolContext) -> dict[str, Any]:
        at.images.append(Image(b"of A", "image/png"))
        return {}

    drawn = Tool("chart", "Draw.", needs=Needs.NOTHING, name="picture", function=picture)
    monkeypatch.setitem(registry.tools(), drawn.name, drawn)
    offer = ServerOffer(ChartBrowser(port=9), [drawn])
    asked = mcp_types.ReadResourceRequestParams(uri="pinebench://screenshot")

    async def run() -> None:
        await offer._call_tool(_request("A"), mcp_types.CallToolRequestParams(name="picture"))
        assert (await offer._read_resource(_request("A"), asked)).contents
        with pytest.raises(MCPError, match="no picture has been taken yet"):
            await offer._read_resource(_request("B"), asked)

    anyio.run(run)


def test_a_client_does_not_change_a_page_that_another_client_changed_since_its_last_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look(_: ToolContext) -> dict[str, Any]:
        return {"looked": True}

    def change(_: ToolContext) -> dict[str, Any]:
        return {"changed": True}

    reads = Tool("chart", "Look.", needs=Needs.BROWSER, name="look", function=look)
    changes = Tool("chart", "Change.", needs=Needs.BROWSER, changes=True, name="change", function=change)
    for each in (reads, changes):
        monkeypatch.setitem(registry.tools(), each.name, each)
    offer = ServerOffer(ChartBrowser(port=9), [reads, changes])

    async def call(session: str, tool: str) -> Any:
        params = mcp_types.CallToolRequestParams(name=tool)
        return (await offer._call_tool(_request(session), params)).structured_content

    words = "another client, client B, has called change on the page since your last call"

    async def run() -> None:
        assert (await call("A", "change"))["changed"] and (await call("A", "change"))["changed"]
        assert (await call("B", "change"))["changed"]
        refused = await call("A", "change")
        assert (refused["success"], refused["error"]) == (False, f"not performed: {words}")
        assert (await call("A", "change"))["changed"]
        assert (await call("B", "look"))["notes"] == [words.replace("B", "A")]
        assert "notes" not in await call("B", "look")
        assert (await call("B", "change"))["changed"]
        assert (await call("A", "look"))["notes"] == [words]
        assert (await call("A", "change"))["changed"]

    anyio.run(run)

"""The MCP server over HTTP: on this computer, for this computer."""

from __future__ import annotations

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
from typing import Any

import anyio
import pytest
import uvicorn
from mcp.client.client import Client

from pinebench.errors import UnavailableError, UsageError
from pinebench.mcp import serving
from pinebench.mcp.server import Offer
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser


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
        offer = Offer(ChartBrowser(port=9), registry.chosen("templates"))
        thread = threading.Thread(target=serving.over_http, args=(offer, 0, tell), daemon=True)
        thread.start()
        while not told:
            thread.join(0.01)
            assert thread.is_alive()
        yield told[0]
        servers[0].should_exit = True
        thread.join(20)


def test_tools_are_called_over_http(port: int) -> None:
    async def run() -> Any:
        async with Client(f"http://127.0.0.1:{port}/mcp", mode="legacy") as client:
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
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= {name: value.replace("{port}", str(port)) for name, value in headers.items()}
    connection.request("POST", "/mcp", body, sent)
    assert connection.getresponse().status == status
    connection.close()


def test_a_port_that_is_taken_is_named(port: int) -> None:
    with pytest.raises(UnavailableError, match=f"cannot listen on port {port}"):
        serving.over_http(Offer(ChartBrowser(port=9), []), port, print)
    with pytest.raises(UsageError, match="port must be from 0 to 65535, got: 70000"):
        serving.over_http(Offer(ChartBrowser(port=9), []), 70_000, print)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_stops_it_gets_a_good_end(number: int) -> None:
    command = [sys.executable, "-m", "pinebench", "mcp", "--http", "--port", "0", "--tools", "health"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        line = server.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line)
        assert address is not None and int(address[1]) > 0, line
        server.send_signal(number)
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.communicate()

"""The MCP server over HTTP: on this computer, for this computer."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
import uvicorn
from mcp.client.client import Client

from pinebench.errors import UnavailableError
from pinebench.mcp import serving
from pinebench.mcp.server import Offer
from pinebench.tools import registry
from pinebench.tools.desk import Desk


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server of this process."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        free = probe.getsockname()[1]
    servers: list[uvicorn.Server] = []
    with pytest.MonkeyPatch.context() as patch:
        made = uvicorn.Server

        def server(config: Any) -> uvicorn.Server:
            servers.append(made(config))
            return servers[-1]

        patch.setattr(uvicorn, "Server", server)
        offer = Offer(Desk(port=9), registry.chosen("templates"))
        thread = threading.Thread(target=serving.over_http, args=(offer, free), daemon=True)
        thread.start()
        while not (servers and servers[0].started):
            thread.join(0.01)
            assert thread.is_alive()
        yield free
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
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
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
        serving.over_http(Offer(Desk(port=9), []), port)

"""Clients that others wrote speak with the MCP server: the conformance suite, the TypeScript SDK, the Inspector.

They come from npm, so these tests need its registry; the suite asks for a newer Node than most systems have.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.indicators import catalogue
from pinebench.studio.session import StudioSession
from tests.mcp.web.support import PASSPHRASE, Engine, Server
from tests.studio.support import Tabs
from tests.tradingview.support import start_browser

pytestmark = [pytest.mark.soak, pytest.mark.live]

PACKAGES = (
    "@modelcontextprotocol/conformance@0.1.16",
    "@modelcontextprotocol/inspector@0.15.0",
    "@modelcontextprotocol/sdk@1.32.2",
    "node@22",
)
UNKNOWN = {"http": {"server-sse-polling"}, "serve": set[str]()}
"""Scenarios that do not apply: `--http` does not keep the events of a stream that breaks off within a call. Its calls
are short and its clients near, so they call again. `--serve` keeps them."""

ROOT = Path(__file__).resolve().parents[2]
SERVER = (sys.executable, "-m", "pinebench", "mcp")


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the clients and a newer Node."""
    folder = tmp_path_factory.mktemp("node")
    (folder / "package.json").write_text('{"private": true}')
    subprocess.run(["npm", "install", "--silent", *PACKAGES], cwd=folder, check=True, timeout=600)
    return folder


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The options that name a studio's page."""
    launched = start_browser(tmp_path_factory.mktemp("profile"))
    with StudioSession() as session:
        tabs = Tabs(launched.port, session)
        driver = tabs()
        yield ["--cdp-port", str(driver.port), "--target", driver.tab]
        tabs.close()
    launched.stop()


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PINEBENCH_STATE_DIR": str(folder / "state")}


@pytest.mark.parametrize("way", UNKNOWN)
def test_every_scenario_of_the_conformance_suite_that_applies_passes(node: Path, tmp_path: Path, way: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.soak.conformance", way, str(port)]
    server = subprocess.Popen(command, env=environment(tmp_path), cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        until_open(port, server)
        suite = [str(node / "node_modules/node/bin/node"), str(node / "node_modules/.bin/conformance")]
        asked = ["server", "--url", f"http://127.0.0.1:{port}/mcp", "--suite", "all"]
        ended = subprocess.run([*suite, *asked], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
    told = re.findall(r"^(.) ([\w-]+): (\d+) passed, (\d+) failed", ended.stdout, re.MULTILINE)
    assert len(told) >= 30
    failed = {name for _, name, passed, failures in told if int(failures) or not int(passed)}
    assert failed == UNKNOWN[way]


def until_open(port: int, server: subprocess.Popen[bytes]) -> None:
    """Return once something listens."""
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"the server ended with {server.returncode}")


def test_the_typescript_client_lists_calls_reads_and_cancels(node: Path, page: list[str], tmp_path: Path) -> None:
    script = Path(__file__).with_name("mcp_client.mjs")
    command = ["node", str(script), str(node), *SERVER, "--tools", "all", *page]
    ended = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    seen: dict[str, Any] = json.loads(ended.stdout)
    assert seen["tools"] > 90
    assert seen["readOnly"] is True
    assert seen["quote"]["success"] and seen["quote"]["symbol"] == "NASDAQ:AAPL"
    assert seen["refused"][0] is True and "date is not a date: never" in seen["refused"][1]
    assert "pinebench://script" in seen["resources"]
    assert seen["explained"] == "CE10272"
    assert seen["prompt"] == 1
    assert seen["picture"] == [["image/png", "iVBORw0K"]]
    assert seen["batch"] == [2, True, True]
    assert seen["cancelled"] is True
    assert seen["after"] == [True, "NASDAQ:AAPL"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["--method", "tools/list"], '"pine_smart_compile"'),
        (["--method", "tools/call", "--tool-name", "quote_get"], '"symbol": "NASDAQ:AAPL"'),
        (["--method", "resources/read", "--uri", "pinebench://reference/ta.sma"], "ta.sma"),
        (["--method", "prompts/list"], '"review_script"'),
    ],
)
def test_the_inspectors_command_line(node: Path, page: list[str], tmp_path: Path, asked: list[str], words: str) -> None:
    inspector = node / "node_modules/.bin/mcp-inspector"
    command = [str(inspector), "--cli", *SERVER, *page, *asked]
    ended = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    json.loads(ended.stdout)
    assert words in ended.stdout


def test_the_typescript_client_logs_in_to_the_chart_server(node: Path, tmp_path: Path) -> None:
    engine = Engine()
    engine.pushing.fire("owner", "an alert")
    with Server(tmp_path, engine=engine) as server:
        script = Path(__file__).with_name("chart_client.mjs")
        command = ["node", str(script), str(node), f"{server.url}/mcp", PASSPHRASE]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        "pages": 1,
        "open": False,
        "asked": True,
        "state": "a state",
        "tools": 16,  # a user who may trade also sees the kill switch
        "total": len(catalogue.ALL),
        "heard": ["an alert"],
        "session": True,
        "refreshed": True,
    }


def test_the_inspector_calls_the_chart_server(node: Path, tmp_path: Path) -> None:
    """Its command line has no way to log in; its page does so by the TypeScript SDK, as the test above."""
    with Server(tmp_path, auth=False) as server:
        inspector = node / "node_modules/.bin/mcp-inspector"
        command = [str(inspector), "--cli", f"{server.url}/mcp", "--transport", "http", "--method", "tools/call"]
        command += ["--tool-name", "list_indicators"]
        ended = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["structuredContent"]["total"] == len(catalogue.ALL)

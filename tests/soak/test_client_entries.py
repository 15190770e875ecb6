"""Real clients start the server from the entry that `mcp --install` wrote: the Inspector, Codex and Gemini CLI.

They come from npm, so these tests need its registry. None of them needs a model or an account for what is asked here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.soak

PACKAGES = ("@modelcontextprotocol/inspector@0.15.0", "@openai/codex@0.169.0", "@google/gemini-cli@0.61.0")
LIMIT = 180
"""Seconds that a client may take, the start of the server included."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the clients' programs."""
    folder = tmp_path_factory.mktemp("node")
    (folder / "package.json").write_text('{"private": true}')
    subprocess.run(["npm", "install", "--silent", *PACKAGES], cwd=folder, check=True, timeout=900)
    return folder / "node_modules/.bin"


def installed(name: str, home: Path) -> dict[str, str]:
    """Enter pinebench into a client of the home folder `home`; returns the environment for the client."""
    environment = {**os.environ, "HOME": str(home), "PINEBENCH_STATE_DIR": str(home / "state")}
    for variable in ("CODEX_HOME", "XDG_CONFIG_HOME"):
        environment.pop(variable, None)
    command = [sys.executable, "-m", "pinebench", "mcp", "--install", name, "--tools", "check", "--read-only"]
    subprocess.run(command, cwd=home, env=environment, check=True, capture_output=True)
    return environment


def test_the_inspector_lists_the_tools(programs: Path, tmp_path: Path) -> None:
    environment = installed("claude-code", tmp_path)
    asked = ["--config", ".mcp.json", "--server", "pinebench", "--method", "tools/list"]
    command = [str(programs / "mcp-inspector"), "--cli", *asked]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT)
    assert ended.returncode == 0, ended.stderr
    assert "pine_lint" in {tool["name"] for tool in json.loads(ended.stdout)["tools"]}


def test_codex_lists_the_server_and_its_tools(programs: Path, tmp_path: Path) -> None:
    environment = installed("codex", tmp_path)
    codex = str(programs / "codex")
    listed = subprocess.run([codex, "mcp", "list", "--json"], env=environment, capture_output=True, timeout=LIMIT)
    (server,) = json.loads(listed.stdout)
    assert (server["name"], server["enabled"]) == ("pinebench", True)
    found = codex_status(codex, environment)
    assert (found["name"], found["serverInfo"]["name"]) == ("pinebench", "pinebench")
    assert "pine_lint" in found["tools"]


def codex_status(codex: str, environment: dict[str, str]) -> dict[str, Any]:
    """What Codex tells editors about its only server once it has started it."""
    pipe = subprocess.PIPE
    server = subprocess.Popen(
        [codex, "app-server"], env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    )
    assert server.stdin is not None and server.stdout is not None
    about = {"clientInfo": {"name": "test", "title": "test", "version": "1"}}
    for message in (
        {"id": 1, "method": "initialize", "params": about},
        {"method": "initialized"},
        {"id": 2, "method": "mcpServerStatus/list", "params": {}},
    ):
        server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    try:
        answers = map(json.loads, server.stdout)
        (status,) = next(each["result"]["data"] for each in answers if each.get("id") == 2)
    finally:
        server.kill()
        server.wait()
    return status


def test_gemini_connects_to_the_server(programs: Path, tmp_path: Path) -> None:
    environment = installed("gemini", tmp_path)
    trusted = tmp_path / ".gemini/trustedFolders.json"
    trusted.write_text(json.dumps({str(tmp_path): "TRUST_FOLDER"}))
    command = [str(programs / "gemini"), "mcp", "list"]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT)
    assert ended.returncode == 0, ended.stderr
    assert "pinebench: " in ended.stdout + ended.stderr
    assert " - Connected" in ended.stdout + ended.stderr

"""Clients' configurations: pinebench is entered beside what stands there, and nothing is ever lost."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pinebench.cli import main
from pinebench.errors import UsageError
from pinebench.mcp import clients


@pytest.mark.parametrize("name", clients.CLIENTS)
def test_an_entry_joins_what_is_there(name: str, tmp_path: Path) -> None:
    client = clients.client(name, tmp_path / "project", tmp_path / "home", "linux")
    client.path.parent.mkdir(parents=True)
    client.path.write_text(json.dumps({client.key: {"other": {"command": "x"}}, "more": 1}), encoding="utf-8")
    _, text = clients.changed(client, ["--read-only"])
    clients.write(client, text)
    settings = json.loads(client.path.read_text(encoding="utf-8"))
    assert settings["more"] == 1
    assert settings[client.key]["other"] == {"command": "x"}
    assert settings[client.key]["pinebench"]["args"] == ["-m", "pinebench", "mcp", "--read-only"]
    assert clients.changed(client, ["--read-only"]) == (client.path.read_text(encoding="utf-8"), text)


@pytest.mark.parametrize(
    "text",
    [
        "{ // mine\n}",
        "[]",
        '{"mcpServers": []}',
        '{"mcpServers": 5}',
        "not json",
        '{"a": 1, "a": 2}',
        '{"mcpServers": {"pinebench": 5}}',
    ],
)
def test_what_cannot_be_understood_is_left_alone(text: str, tmp_path: Path) -> None:
    client = clients.client("claude-code", tmp_path)
    client.path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be changed by a program"):
        clients.changed(client, [])
    assert client.path.read_text(encoding="utf-8") == text


def test_what_its_owner_chose_for_pinebench_stays(tmp_path: Path) -> None:
    client = clients.client("claude-code", tmp_path)
    mine = {"command": "old", "args": ["x"], "env": {"PINEBENCH_CDP_PORT": "9333"}, "disabled": True}
    client.path.write_text(json.dumps({"mcpServers": {"pinebench": mine}}), encoding="utf-8")
    _, text = clients.changed(client, [])
    assert json.loads(text)["mcpServers"]["pinebench"] == {**mine, **clients.entry(client, [])}


@pytest.mark.parametrize(
    ("platform", "part"), [("darwin", "Application Support"), ("win32", "Claude"), ("linux", "Claude")]
)
def test_claude_desktop_has_a_place_on_each_system(platform: str, part: str, tmp_path: Path) -> None:
    path = clients.client("claude-desktop", tmp_path, tmp_path, platform).path
    assert part in path.parts
    assert path.name == "claude_desktop_config.json"


def test_install_shows_the_change_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["mcp", "--install", "claude-code", "--tools", "data", "--cdp-port", "9333"]) == 0
    shown = capsys.readouterr()
    assert '+    "pinebench": {' in shown.out
    entry = json.loads((tmp_path / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]
    assert entry["args"] == ["-m", "pinebench", "mcp", "--tools", "data", "--cdp-port", "9333"]
    assert main(["mcp", "--install", "claude-code", "--tools", "data", "--cdp-port", "9333"]) == 0
    assert "has it already" in capsys.readouterr().err
    assert main(["mcp", "--tools", "nothing"]) == 2


def test_no_entry_that_cannot_start_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "pinebench.mcp.server", None)
    assert main(["mcp", "--install", "claude-code"]) == 3
    assert "mcp" in capsys.readouterr().err
    assert not (tmp_path / ".mcp.json").exists()


@pytest.mark.parametrize("name", ["claude-code", "cursor", "vscode"])
def test_a_served_entry_holds_address_and_token_and_is_its_owners_alone(name: str, tmp_path: Path) -> None:
    client = clients.client(name, tmp_path / "project", tmp_path / "home", "linux")
    served = clients.Served("http://127.0.0.1:7843/mcp", "t" * 43)
    clients.write(client, clients.changed(client, ["--read-only"])[1])
    clients.write(client, clients.changed(client, [], served)[1], private=True)
    entered = json.loads(client.path.read_text(encoding="utf-8"))[client.key]["pinebench"]
    headers = {"Authorization": f"Bearer {'t' * 43}"}
    assert entered == {"type": "http", "url": "http://127.0.0.1:7843/mcp", "headers": headers}
    assert sys.platform == "win32" or client.path.stat().st_mode & 0o777 == 0o600
    clients.write(client, clients.changed(client, [])[1])
    assert not {"url", "headers"} & set(json.loads(client.path.read_text(encoding="utf-8"))[client.key]["pinebench"])


def test_the_command_line_enters_a_served_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    assert main(["mcp", "--http", "--port", "7999", "--install", "claude-code"]) == 0
    token = (tmp_path / "state" / "mcp-token").read_text(encoding="ascii").strip()
    entered = json.loads((tmp_path / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]
    assert entered["url"] == "http://127.0.0.1:7999/mcp"
    assert entered["headers"] == {"Authorization": f"Bearer {token}"}
    assert "keep it out of repositories" in capsys.readouterr().err
    assert main(["mcp", "--http", "--install", "claude-desktop"]) == 2
    assert main(["mcp", "--http", "--port", "0", "--install", "cursor"]) == 2

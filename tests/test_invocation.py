"""Whatever folder a client opens, the command that it was given runs this pinebench, and no file of that folder."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench import __version__, invocation
from pinebench.cli import main
from pinebench.mcp import clients
from pinebench.skills import plugin

HOSTILE = "from pathlib import Path\nPath(__file__).with_name('RAN').write_text('ran')\n"
SHADOWED = ("pinebench", "argparse", "json", "site", "sitecustomize", "usercustomize", "lark", "platformdirs")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A cloned repository whose files have the names of modules."""
    folder = tmp_path / "clone"
    folder.mkdir()
    for name in SHADOWED:
        (folder / f"{name}.py").write_text(HOSTILE)
    return folder


def ran(command: list[str], folder: Path, given: str = "") -> str:
    """What a command printed in `folder`; no file of the folder has run."""
    ended = subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True, timeout=120, check=False)
    assert not (folder / "RAN").exists(), command
    return ended.stdout + ended.stderr


def test_a_hostile_file_would_run_without_isolation(hostile: Path) -> None:
    subprocess.run([sys.executable, "-m", "pinebench", "--version"], cwd=hostile, capture_output=True, check=False)
    assert (hostile / "RAN").exists(), "the trap of these tests does not work"


def test_the_command_runs_this_pinebench_in_a_hostile_folder(hostile: Path) -> None:
    assert __version__ in ran([*invocation.command(), "--version"], hostile)
    assert invocation.is_isolated(invocation.command())


@pytest.mark.parametrize("name", clients.CLIENTS)
def test_no_entry_of_a_client_runs_files_of_the_open_folder(
    name: str, hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    client = clients.client(name, tmp_path / "project", tmp_path / "home", "linux")
    clients.write(client, clients.changed(client, ["--tools", "check"]))
    entry = client.form.read(client.path.read_text(encoding="utf-8"))[client.key]["pinebench"]
    said = ran([entry["command"], *entry["args"], "--help"], hostile)
    assert "--tools" in said


def test_the_hook_of_the_plugin_runs_no_file_of_the_open_folder(hostile: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    plugin.build(folder, invocation.command())
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    command = shlex.split(hooks["PostToolUse"][0]["hooks"][0]["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(folder)))
    script = hostile / "-x.pine"
    script.write_text('//@version=6\nindicator("x")\nplot(clsoe)\n', encoding="utf-8")
    event = {"cwd": "", "tool_input": {"file_path": "-x.pine"}}
    assert "clsoe" in ran(command, hostile, json.dumps(event))


@pytest.mark.parametrize(
    ("arguments", "isolated"),
    [
        (["-m", "pinebench", "mcp"], False),
        (["-s", "-m", "pinebench", "mcp"], False),
        (["-I", "-m", "pinebench", "mcp"], True),
        (["-E", "-P", "-m", "pinebench", "mcp"], True),
        (["-EP", "-m", "pinebench"], True),
        (["mcp", "--read-only"], True),
        (["-c", "..."], True),
        ([], True),
    ],
)
def test_entries_of_earlier_versions_are_recognised(arguments: list[str], isolated: bool) -> None:
    assert invocation.is_isolated(arguments) is isolated


@pytest.mark.parametrize("command", ["mcp", "skills"])
def test_installing_mends_an_entry_of_an_earlier_version_and_says_so(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    old = {"command": "/old/python", "args": ["-m", "pinebench", "mcp", "--read-only"], "env": {"A": "b"}}
    Path(".mcp.json").write_text(json.dumps({"mcpServers": {"pinebench": old}}), encoding="utf-8")
    assert main([command, "--install", "claude-code"]) == 0
    assert "any pinebench.py of the folder that was open" in " ".join(capsys.readouterr().err.split())
    entry = json.loads(Path(".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]
    program, *words = invocation.command()
    assert entry == {"command": program, "args": [*words, "mcp", "--read-only"], "env": {"A": "b"}}
    assert main([command, "--install", "claude-code"]) == 0
    assert "any pinebench.py" not in " ".join(capsys.readouterr().err.split())


def test_a_pinebench_that_is_found_by_pythonpath_only_is_named_by_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invocation, "ISOLATED", ())
    command = invocation.command.__wrapped__()
    said = subprocess.run([*command, "--version"], cwd=os.sep, capture_output=True, text=True, timeout=60, check=True)
    assert __version__ in said.stdout

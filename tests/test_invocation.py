"""Whatever folder a client opens, the command that it was given runs this pinebench, and no file of that folder."""

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


HERE = {"PYTHONPATH": "."}
TRAPS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "a package": (("pinebench/__init__.py", "pinebench/__main__.py"), {}),
    "a package without a beginning": (("pinebench/__main__.py", "pinebench/cli/__init__.py"), {}),
    "a package of a library": (("lark/__init__.py", "platformdirs/__init__.py", "numpy/__init__.py"), {}),
    "modules of Python": (("os.py", "re.py", "io.py", "encodings/__init__.py", "typing.py", "random.py"), {}),
    "the folder on the path": (("pinebench.py", "sitecustomize.py", "usercustomize.py"), HERE),
    "an empty path": (("pinebench.py", "sitecustomize.py"), {"PYTHONPATH": ""}),
    "a path that is not the folder alone": (("pinebench.py", "json.py"), {"PYTHONPATH": "/nowhere::."}),
    "a file for the prompt": (("startup.py", "pinebench.py"), {"PYTHONSTARTUP": "startup.py", "PYTHONINSPECT": ""}),
    "a home of Python": (("lib/python3/os.py", "pinebench.py"), {"PYTHONUSERBASE": ".", "PYTHONPLATLIBDIR": "lib"}),
    "a breakpoint and warnings": (
        ("trap.py",),
        {"PYTHONBREAKPOINT": "trap.x", "PYTHONWARNINGS": "error::trap.X", **HERE},
    ),
    "an environment": (("pyvenv.cfg", "bin/python3", "pinebench.pth", "pinebench.egg-link"), {}),
    "a compiled module": (("pinebench.pyc", "__pycache__/pinebench.cpython-311.pyc"), {}),
}
"""Files of a foreign folder that Python could run, and what a foreign configuration could set in the environment."""


def test_no_trap_of_a_folder_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = HOSTILE.replace("Path(__file__).with_name('RAN')", "Path.cwd().joinpath('RAN')")
    for number, (name, (files, environment)) in enumerate(TRAPS.items()):
        folder = tmp_path / str(number)
        for file in files:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(hostile)
        (folder / "x.pine").write_text('//@version=6\nindicator("x")\nplot(clsoe)\n', encoding="utf-8")
        with monkeypatch.context() as patch:
            for variable, value in environment.items():
                patch.setenv(variable, value)
            assert "clsoe" in ran([*invocation.command(), "lint", "x.pine"], folder), name


def test_a_worker_that_is_started_in_a_hostile_folder_runs_no_file_of_it(hostile: Path) -> None:
    (hostile / "x.pine").write_text('//@version=6\nindicator("x")\nplot(close, "Close")\n', encoding="utf-8")
    assert "Close" in ran([*invocation.command(), "run", "x.pine", "--data", "sample:AAPL@1Dx5"], hostile)


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
        (["-mpinebench", "mcp"], False),
        (["-um", "pinebench", "mcp"], False),
        (["-m", "pinebench.cli", "mcp"], False),
        (["-W", "IGNORE", "-m", "pinebench"], False),
        (["-WIP", "-m", "pinebench"], False),
        (["run", "--with", "x", "python", "-m", "pinebench", "mcp"], False),
        (["-Im", "pinebench"], True),
        (["-uP", "-X", "dev", "-mpinebench"], True),
        (["-m", "pinebench_other"], True),
        (["mcp", "--read-only"], True),
        (["-c", "..."], True),
        ([], True),
    ],
)
def test_entries_of_earlier_versions_are_recognised(arguments: list[str], isolated: bool) -> None:
    assert invocation.is_isolated(arguments) is isolated


_OLD = ("-m", "pinebench", "mcp", "--tools", "check,data", "--read-only")
"""The arguments of the entries that every earlier version wrote."""


def test_entries_of_all_earlier_versions_are_mended_for_every_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they lie on the user's disk, or in the history of a repository; what the owner chose beside stays."""
    for variable in ("CODEX_HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    program, *words = invocation.command()
    for name in clients.CLIENTS:
        client = clients.client(name)
        old = {"command": "/old/bin/python3", "args": [*_OLD], "env": {"A": "b"}}
        before = client.form.put("", (client.key, "pinebench"), {"type": "stdio", **old} if client.typed else old)
        for install in ("mcp", "skills"):
            if (install, name) == ("skills", "claude-desktop"):
                continue
            client.path.parent.mkdir(parents=True, exist_ok=True)
            client.path.write_text(before, encoding="utf-8")
            assert clients.is_open(client), name
            if install == "mcp":
                main(["doctor", "--cdp-port", "9"])
                assert f"pinebench mcp --install {name}" in capsys.readouterr().out, name
            assert main([install, "--install", name]) == 0, name
            assert "a file pinebench.py from the" in " ".join(capsys.readouterr().err.split()), name
            entry = client.form.read(client.path.read_text(encoding="utf-8"))[client.key]["pinebench"]
            assert (entry["command"], entry["args"], entry["env"]) == (program, [*words, *_OLD[2:]], {"A": "b"}), name
            assert not clients.is_open(client) and clients.mended(client) is None


def test_a_plugin_of_an_earlier_version_is_mended(hostile: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    plugin.build(folder, [sys.executable, "-m", "pinebench"])
    hooks = folder / "hooks" / "hooks.json"
    hooks.write_text(hooks.read_text(encoding="utf-8").replace("-I ", ""), encoding="utf-8")
    said = " ".join(plugin.build(folder, invocation.command()))
    assert "hooks.json: replaced" in said and ".mcp.json: replaced" in said
    [server] = json.loads((folder / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"].values()
    assert invocation.is_isolated(server["args"])
    assert "--tools" in ran([server["command"], *server["args"], "--help"], hostile)
    assert " -I " in hooks.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["mcp", "skills"])
def test_installing_mends_an_entry_of_an_earlier_version_and_says_so(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    old = {"command": "/old/python", "args": ["-m", "pinebench", "mcp", "--read-only"], "env": {"A": "b"}}
    Path(".mcp.json").write_text(json.dumps({"mcpServers": {"pinebench": old}}), encoding="utf-8")
    assert main([command, "--install", "claude-code"]) == 0
    assert "a file pinebench.py from the" in " ".join(capsys.readouterr().err.split())
    entry = json.loads(Path(".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]
    program, *words = invocation.command()
    assert entry == {"command": program, "args": [*words, "mcp", "--read-only"], "env": {"A": "b"}}
    assert main([command, "--install", "claude-code"]) == 0
    assert "a file pinebench.py" not in " ".join(capsys.readouterr().err.split())


def test_a_pinebench_that_is_found_by_pythonpath_only_is_named_by_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invocation, "ISOLATED", ())
    command = invocation.command.__wrapped__()
    said = subprocess.run([*command, "--version"], cwd=os.sep, capture_output=True, text=True, timeout=60, check=True)
    assert __version__ in said.stdout

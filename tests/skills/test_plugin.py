"""The Claude Code plugin has the documented layout, costs few tokens, and its hook checks what was edited."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pinebench import __version__, invocation
from pinebench.cli import main
from pinebench.errors import UsageError
from pinebench.mcp.instructions import INSTRUCTIONS
from pinebench.mcp.server import entry
from pinebench.skills import catalogue, plugin
from pinebench.tools import registry

COMMAND = invocation.command()
EVENTS = {
    *("PreToolUse", "PostToolUse", "Notification", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact"),
    *("SessionStart", "SessionEnd"),
}
"""The events that a hook can be for, as the reference of plugins lists them."""
FOLDERS = {".claude-plugin", "commands", "agents", "skills", "hooks", "scripts"}
"""The folders that a plugin may have at its root."""
KEBAB = r"[a-z0-9]+(-[a-z0-9]+)*"
MOST_TOKENS = 5_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin, as the command writes it."""
    where = tmp_path_factory.mktemp("plugin") / "pine plugin"
    plugin.build(where, COMMAND)
    return where


def layout(folder: Path) -> list[str]:
    """What is wrong with a plugin's folder by the documented layout."""
    wrong: list[str] = []
    manifest = json.loads((folder / ".claude-plugin" / "plugin.json").read_text(encoding="utf-8"))
    if not re.fullmatch(KEBAB, manifest.get("name", "")):
        wrong.append("the name is not in kebab case")
    if not re.fullmatch(r"\d+\.\d+\.\d+.*", manifest.get("version", "")) or not manifest.get("description"):
        wrong.append("the manifest has no version or no description")
    if not isinstance(manifest.get("author"), dict) or not manifest["author"].get("name"):
        wrong.append("the author is not an object with a name")
    if {path.name for path in (folder / ".claude-plugin").iterdir()} != {"plugin.json"}:
        wrong.append(".claude-plugin holds more than the manifest")
    wrong += [f"unknown folder {path.name}" for path in folder.iterdir() if path.is_dir() and path.name not in FOLDERS]
    for path in (folder / "commands").iterdir():
        keys = catalogue.parts(path.read_text(encoding="utf-8")).keys
        if not re.fullmatch(rf"{KEBAB}\.md", path.name) or not keys.get("description"):
            wrong.append(f"the command {path.name} has no description, or a bad name")
    for path in (folder / "skills").iterdir():
        catalogue.read(path)  # raises an error for what the format of skills forbids
    servers = json.loads((folder / ".mcp.json").read_text(encoding="utf-8")).get("mcpServers", {})
    if not servers or not all(isinstance(each.get("command"), str) for each in servers.values()):
        wrong.append(".mcp.json names no server with a command")
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    for event, entries in hooks.items():
        if event not in EVENTS:
            wrong.append(f"unknown event {event}")
        for each in entries:
            re.compile(each["matcher"])
            if not all(run["type"] == "command" and run["command"] and run["timeout"] > 0 for run in each["hooks"]):
                wrong.append("a hook has no command")
    for text in (hooks, servers):
        for path in re.findall(r"\$\{CLAUDE_PLUGIN_ROOT\}/([\w./-]+)", json.dumps(text)):
            if not (folder / path).is_file():
                wrong.append(f"{path} is missing")
    return wrong


def test_its_layout_is_the_documented_one(folder: Path) -> None:
    assert layout(folder) == []
    manifest = json.loads((folder / plugin.MANIFEST).read_text(encoding="utf-8"))
    assert (manifest["name"], manifest["version"]) == ("pinebench", __version__)
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == set(plugin.contents(COMMAND))


def test_a_wrong_layout_is_found(folder: Path, tmp_path: Path) -> None:
    import shutil

    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / ".claude-plugin" / "skills").mkdir()
    (broken / "hooks" / "check_edited.py").unlink()
    assert len(layout(broken)) == 2


def test_its_skills_are_ours(folder: Path) -> None:
    """Only the call of tools that are not offered differs: it runs where `pinebench` is not on the PATH."""
    for skill in catalogue.ours():
        text = (folder / "skills" / skill.name / "SKILL.md").read_text(encoding="utf-8")
        [call] = re.findall(r"`(.*) call TOOL", text)
        assert shlex.split(call) == list(COMMAND)
        assert text.replace(call, "pinebench") == skill.text
        by_name = plugin.contents(("pinebench",))[f"skills/{skill.name}/SKILL.md"]
        assert by_name == skill.text
    assert subprocess.run([*COMMAND, "call", "pine_explain", '{"name": "close"}'], capture_output=True).returncode == 0


def test_a_plugin_of_a_pinebench_on_the_path_names_no_path_of_this_machine() -> None:
    texts = plugin.contents(("pinebench",))
    assert [name for name, text in texts.items() if sys.prefix in text or str(Path.home()) in text] == []
    servers = json.loads(texts[".mcp.json"])["mcpServers"]
    assert servers["pinebench"]["command"] == "pinebench" and "pine_repaint_check" in servers["pinebench"]["args"][-1]


def test_its_commands_run_where_pinebench_is_not_on_the_path(folder: Path) -> None:
    """A command for a shell in a text for models begins as the skills' calls do."""
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.md")]
    begun = [word for text in texts for word in re.findall(r"`([^`\n]*?) (?:call TOOL|lint|explain|backtest) ?", text)]
    assert len(begun) >= 13 and {tuple(shlex.split(each)) for each in begun} == {COMMAND}


def test_a_plugin_that_names_paths_of_this_machine_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for by_name in (None, ("pinebench",)):
        monkeypatch.setattr(invocation, "by_name", lambda by_name=by_name: by_name)
        assert main(["skills", "--plugin", str(tmp_path / "made")]) == 0
        told = capsys.readouterr().err
        assert (sys.executable in told and "put pinebench on the PATH" in told) == (by_name is None)


def test_its_server_starts_and_costs_few_tokens(folder: Path) -> None:
    server = json.loads((folder / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]
    assert [server["command"], *server["args"][:-2]] == [*COMMAND, "mcp"]
    assert server["args"][-2] == "--tools"
    offered = registry.chosen(server["args"][-1])
    tools = [entry(each).model_dump(mode="json", by_alias=True, exclude_none=True) for each in offered]
    skills = "".join(f"{each.name}: {each.description}\n" for each in catalogue.ours())
    commands = "".join(path.read_text(encoding="utf-8").split("---")[1] for path in (folder / "commands").iterdir())
    idle = len(json.dumps(tools, separators=(",", ":"))) + len(INSTRUCTIONS) + len(skills) + len(commands)
    assert idle / 4 <= MOST_TOKENS
    assert {each.name for each in offered} >= {each for each in registry.tools() if each.startswith("quant_")}


def hook(folder: Path, event: object) -> subprocess.CompletedProcess[str]:
    """Run the hook as Claude Code does: by a shell, with the event on standard input."""
    hooks: Any = json.loads((folder / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    (run,) = hooks["hooks"]["PostToolUse"][0]["hooks"]
    command = shlex.split(run["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(folder)))
    text = event if isinstance(event, str) else json.dumps(event)
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


def test_the_hook_checks_every_edited_script(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "my script.pine"
    script.write_text('//@version=6\nindicator("x")\nplot(clsoe)\n', encoding="utf-8")
    found = hook(folder, {"tool_name": "Edit", "tool_input": {"file_path": str(script)}})
    assert found.returncode == 2 and "clsoe" in found.stderr and found.stdout == ""
    script.write_text('//@version=6\nindicator("x")\nplot(close)\n', encoding="utf-8")
    fine = hook(folder, {"cwd": str(tmp_path), "tool_input": {"file_path": script.name}})
    assert (fine.returncode, fine.stdout, fine.stderr) == (0, "", "")
    for version in (4, 5):
        script.write_text(f'//@version={version}\nstudy("x")\nplot(clsoe)\n', encoding="utf-8")
        old = hook(folder, {"tool_input": {"file_path": str(script)}})
        assert old.returncode == 2 and f"Pine v{version} and was not checked" in old.stderr and old.stdout == ""
    (tmp_path / "pinebench.toml").write_text('[lint]\nignore = ["PB0001"]\n', encoding="utf-8")
    hidden = hook(folder, {"tool_input": {"file_path": str(script)}})
    assert hidden.returncode == 2 and "1 not checked" in hidden.stderr


@pytest.mark.parametrize(
    "event", ["", "[]", "{", {"tool_input": {"file_path": "notes.md"}}, {"tool_input": {"file_path": 5}}]
)
def test_the_hook_leaves_everything_else_alone(folder: Path, event: object) -> None:
    done = hook(folder, event)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_folder_of_the_user_is_never_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "a.txt").write_text("mine", encoding="utf-8")
    assert main(["skills", "--plugin", str(mine)]) == 2
    assert [path.name for path in mine.iterdir()] == ["a.txt"]
    with pytest.raises(UsageError, match="is not a folder"):
        plugin.build(mine / "a.txt", COMMAND)
    made = tmp_path / "made"
    assert main(["skills", "--plugin", str(made)]) == 0
    (made / "commands" / "check.md").write_text("mine", encoding="utf-8")
    assert main(["skills", "--plugin", str(made)]) == 0
    kept = [path.read_text(encoding="utf-8") for path in (tmp_path / "state" / "replaced").iterdir()]
    assert kept == ["mine"]

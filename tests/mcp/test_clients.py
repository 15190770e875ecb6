"""Clients' configurations: pinebench is entered beside what stands there, and nothing is ever lost."""

import json
import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from pinebench import invocation
from pinebench.cli import main
from pinebench.errors import UsageError
from pinebench.mcp import clients

OTHERS = {
    "JSON": '{"KEY": {"other": {"command": "x"}}, "more": 1}',
    "TOML": 'more = 1 # one\n[KEY.other]\ncommand = "x"\n',
}
"""A client's configuration that names another server, by its form."""

LAYOUTS = [
    "",
    "{}",
    "\n",
    "{ // mine\n}",
    "{ /* mine */ }",
    '{"mcpServers": {}}',
    '{"mcpServers": {},}',
    '{"mcpServers": {"a": {"command": "x"}}}',
    '{"mcpServers": {"a": {"command": "x"},},}',
    '{"mcpServers": {"a": {"command": "x"}}, "z": [1, 2,]}',
    '{\n  "mcpServers": {\n    "a": {"command": "x"} // mine\n  }\n}\n',
    '{\n  "mcpServers": {\n    "a": {"command": "x"}, // mine\n    // more\n  },\n}\n',
    '{\n  "mcpServers": {\n    "a": {"command": "x"} /* mine\n   */\n  }\n}\n',
    '{\n  "mcpServers": {\n    "a": {"command": "x"} /* mine */, // and "this, }"\n  }\n}\n',
    '{\n\t"mcpServers": {\n\t\t"a": {"command": "// no comment", "args": ["/*", ",]"]}\n\t}\n}',
    '// first\r\n{\r\n    "z": true,\r\n    "mcpServers": {\r\n        "a": {}\r\n    }\r\n}\r\n// last\r\n',
    '{\n  // before\n  "z": 1\n  // behind\n}\n',
    '{"mcpServers": {"\u00e9 \\"x\\"": {"env": {"KEY": "\\u0041"}}}}',
    "// nothing but this\n",
]
"""Configurations as people and editors write them."""

ENTERED = [
    '{"mcpServers": {"pinebench": {"command": "old", "args": ["-m", "pinebench", "mcp"]}}}',
    '{"mcpServers": {"pinebench": {"command": "old",}, "a": {}}}',
    '{"mcpServers": {"a": {}, "pinebench": {"env": {"A": "b"}} /* mine */}}',
    '{\n  "mcpServers": {\n    "a": {}, // a\n'
    '    "pinebench": { // this\n      "disabled": true // yes\n    } // end\n  }\n}',
    '{\n  "mcpServers": {\n    "pinebench": {\n      // why\n'
    '      "args": [\n        "x" // no\n      ],\n    },\n  }\n}',
]
"""Those that name pinebench already; `no` is within what is replaced."""


def written(name: str, text: str, folder: Path) -> clients.ClientProgram:
    client = clients.client(name, folder / "project", folder / "home", "linux")
    client.path.parent.mkdir(parents=True)
    client.path.write_bytes(text.encode())
    return client


def entry_of(client: clients.ClientProgram) -> dict[str, Any]:
    return client.form.read(client.path.read_text(encoding="utf-8"))[client.key]["pinebench"]


@pytest.mark.parametrize("name", clients.CLIENTS)
def test_an_entry_joins_what_is_there(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    form = clients.client(name, tmp_path, tmp_path, "linux").form.name
    key = clients.client(name, tmp_path, tmp_path, "linux").key
    client = written(name, OTHERS[form].replace("KEY", key), tmp_path)
    clients.write(client, clients.changed(client, ["--read-only"]))
    found = client.form.read(client.path.read_text(encoding="utf-8"))
    assert found["more"] == 1
    assert found[client.key]["other"] == {"command": "x"}
    assert found[client.key]["pinebench"]["args"] == [*invocation.command()[1:], "mcp", "--read-only"]
    again = clients.changed(client, ["--read-only"])
    assert again.before == again.after
    clients.write(client, clients.removed(client))
    assert client.path.read_text(encoding="utf-8").strip() == OTHERS[form].replace("KEY", key).strip()


@pytest.mark.parametrize("text", [*LAYOUTS, *ENTERED])
def test_nothing_else_of_a_configuration_changes(text: str, tmp_path: Path) -> None:
    client = written("claude-code", text, tmp_path)
    before = client.form.read(text)
    clients.write(client, clients.changed(client, ["--tools", "data"]))
    entered = client.path.read_bytes().decode()
    others = {name: each for name, each in before.get("mcpServers", {}).items() if name != "pinebench"}
    assert client.form.read(entered)["mcpServers"].items() >= others.items()
    assert comments(entered) == [each for each in comments(text) if each != "// no"]
    if "\n" in text:
        assert ("\r\n" in entered, "\n" in entered.replace("\r\n", "")) == ("\r\n" in text, "\r\n" not in text)
    clients.write(client, clients.removed(client))
    left = client.path.read_bytes().decode()
    expected = {**before, "mcpServers": others}
    assert client.form.read(left) == expected
    inside = "pinebench" in text  # what is written within its entry goes with it
    assert comments(left) == comments(text) or (inside and set(comments(left)) < set(comments(text)))


def comments(text: str) -> list[str]:
    """The comments of a text that is JSON otherwise."""
    pieces = re.finditer(r'"(?:[^"\\\n]|\\.)*"|(//[^\n\r]*|/\*.*?\*/)', text, re.DOTALL)
    return sorted(piece[1].strip() for piece in pieces if piece[1])


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"mcpServers": []}',
        '{"mcpServers": 5}',
        "not json",
        '{"a": 1, "a": 2}',
        '{"mcpServers": {"pinebench": 5}}',
        '{"a": 1,, "b": 2}',
        '{"a": 1} {"b": 2}',
        "{ /* never ends",
        "[" * 5000,
    ],
)
def test_what_cannot_be_understood_is_left_alone(text: str, tmp_path: Path) -> None:
    client = clients.client("claude-code", tmp_path)
    client.path.write_text(text, encoding="utf-8")
    for change in (lambda: clients.changed(client, []), lambda: clients.removed(client)):
        with pytest.raises(UsageError, match="cannot be changed by a program"):
            change()
    assert client.path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "text", ["mcp_servers = 5", "[mcp_servers]\npinebench = 1", "[[mcp_servers]]", "a = ", "a = 1\na = 2", "\x00"]
)
def test_toml_that_cannot_be_understood_is_left_alone(text: str, tmp_path: Path) -> None:
    client = written("codex", text, tmp_path)
    with pytest.raises(UsageError, match=r"cannot be changed by a program.*"):
        clients.changed(client, [])
    assert client.path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        '# mine\nmodel = "gpt" # this\n\n[mcp_servers.a]\ncommand = "x"\n\n[profiles.b] # last\nc = 1\n',
        'mcp_servers = { a = { command = "x" } } # mine\n',
        '[mcp_servers]\n# mine\na = { command = "x" }\n',
        '[mcp_servers.pinebench] # mine\ncommand = "old"\nargs = ["-m", "pinebench", "mcp"]\nstartup_timeout_sec = 20\n'
        '[mcp_servers.pinebench.env]\nA = "b" # why\n[tools]\nweb = true\n',
        '[mcp_servers."pinebench"]\nargs = []\n',
        '# mine\r\nmodel = "x"\r\n',
    ],
)
def test_nothing_else_of_toml_changes(text: str, tmp_path: Path) -> None:
    client = written("codex", text, tmp_path)
    before = client.form.read(text)
    clients.write(client, clients.changed(client, ["--read-only"]))
    entered = client.path.read_bytes().decode()
    kept = before.get("mcp_servers", {}).get("pinebench", {})
    assert entry_of(client) == {**kept, **clients.entry(client, ["--read-only"])}
    assert re.findall("#.*", entered) == re.findall("#.*", text)
    clients.write(client, clients.removed(client))
    left = client.form.read(client.path.read_bytes().decode())
    others = {name: each for name, each in before.get("mcp_servers", {}).items() if name != "pinebench"}
    assert left.get("mcp_servers", {}) == others
    assert {name: each for name, each in left.items() if name != "mcp_servers"} == {
        name: each for name, each in before.items() if name != "mcp_servers"
    }


@pytest.mark.parametrize("name", clients.CLIENTS)
def test_what_its_owner_chose_for_pinebench_stays(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    mine = {"command": "old", "args": ["x"], "env": {"PINEBENCH_CDP_PORT": "9333"}, "disabled": True}
    client = clients.client(name, tmp_path, tmp_path, "linux")
    client.path.parent.mkdir(parents=True, exist_ok=True)
    client.path.write_text(client.form.put("", (client.key, "pinebench"), mine), encoding="utf-8")
    clients.write(client, clients.changed(client, []))
    assert entry_of(client) == {**mine, **clients.entry(client, [])}


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
    monkeypatch.setattr(invocation, "by_name", lambda: None)
    assert main(["mcp", "--install", "claude-code", "--tools", "data", "--cdp-port", "9333"]) == 0
    shown = capsys.readouterr()
    assert '+    "pinebench": {' in shown.out
    entry = json.loads((tmp_path / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]
    assert entry["args"] == [*invocation.command()[1:], "mcp", "--tools", "data", "--cdp-port", "9333"]
    assert main(["mcp", "--install", "claude-code", "--tools", "data", "--cdp-port", "9333"]) == 0
    assert "has this entry" in capsys.readouterr().err
    assert main(["mcp", "--tools", "nothing"]) == 2


def test_a_configuration_that_others_get_names_no_path_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the PATH leads to another pinebench or to none, the entry starts this one, and the user is told."""
    monkeypatch.chdir(tmp_path)
    scripts = Path(sysconfig.get_path("scripts"))
    other = tmp_path / "other" / "pinebench"
    for found, is_ours in ((scripts / "pinebench", True), (other, False), (None, False)):
        monkeypatch.setattr(shutil, "which", lambda *_, found=found, **__: found and str(found))
        for name, path, key in (("claude-code", ".mcp.json", "mcpServers"), ("vscode", ".vscode/mcp.json", "servers")):
            assert main(["mcp", "--install", name, "--tools", "data"]) == 0
            told = capsys.readouterr().err
            entry = json.loads((tmp_path / path).read_text(encoding="utf-8"))[key]["pinebench"]
            words = [entry["command"], *entry["args"]]
            assert (words == ["pinebench", "mcp", "--tools", "data"]) == is_ours
            assert any(map(os.path.isabs, words)) != is_ours
            assert ("put pinebench on the PATH and run this again" in told) != is_ours
    assert not clients.client("cursor").shared


def test_a_shared_entry_with_a_folder_says_that_others_do_not_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(invocation, "by_name", lambda: ("pinebench",))
    for _ in range(2):  # it is said again when the entry is there already
        assert main(["mcp", "--install", "claude-code", "--folder", str(tmp_path)]) == 0
        told = capsys.readouterr().err
        assert str(tmp_path) in told and "leave --folder out" in told and "PATH" not in told


def test_a_command_that_holds_the_folder_of_the_package_names_a_path() -> None:
    begin = f"import sys; sys.path.insert(0, {str(Path(invocation.__file__).parents[1])!r})"
    assert invocation.paths_in(["python", "-I", "-c", begin, None]) == [begin]
    assert invocation.paths_in(["pinebench", "mcp", "--tools", "data"]) == []


def test_no_entry_that_cannot_start_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "pinebench.mcp.server", None)
    assert main(["mcp", "--install", "claude-code"]) == 3
    assert "mcp" in capsys.readouterr().err
    assert not (tmp_path / ".mcp.json").exists()


def installed(*options: str) -> list[str]:
    """What the entry in this folder says behind `pinebench mcp` once `options` are installed."""
    assert main(["mcp", "--install", "claude-code", *options]) == 0
    words: list[str] = json.loads(Path(".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]["args"]
    return words[words.index("mcp") + 1 :]


def test_a_second_run_keeps_what_the_first_one_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    first = installed("--read-only", "--tools", "data,check", "--allow-remote-cdp")
    assert first == ["--tools", "data,check", "--read-only", "--allow-remote-cdp"]
    assert installed() == first
    assert "has this entry" in capsys.readouterr().err
    assert installed("--cdp-port", "9333")[:4] == ["--tools", "data,check", "--cdp-port", "9333"]
    assert installed("--tools", "all") == ["--tools", "all", "--cdp-port", "9333", *first[2:]]


@pytest.mark.parametrize("unknown", [["--gone", "x"], ["--cdp-port", "many"]])
def test_an_option_that_is_no_more_is_told(
    unknown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    entry = {"command": "uvx", "args": ["pinebench", "mcp", *unknown]}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"pinebench": entry}}), encoding="utf-8")
    assert installed() == []
    assert f"left out of the entry, because pinebench does not know it: {' '.join(unknown)}" in capsys.readouterr().err


def test_what_a_configuration_was_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = '{"mcpServers": {"a": {"command": "x"}}} // mine\n'.encode("utf-16")
    (tmp_path / ".mcp.json").write_bytes(before)
    for command in ("--install", "--uninstall"):
        held = (tmp_path / ".mcp.json").read_bytes()
        assert main(["mcp", command, "claude-code"]) == 0
        told = capsys.readouterr().err
        kept = re.search(r"the previous content is kept as (.*)", told)
        assert kept is not None
        assert Path(kept[1]).read_bytes() == held
        assert os.path.dirname(kept[1]) != str(tmp_path)
    assert (tmp_path / ".mcp.json").read_bytes() == before
    assert main(["mcp", "--uninstall", "claude-code"]) == 0
    assert "has no entry for pinebench; nothing was changed" in capsys.readouterr().err
    assert main(["mcp", "--uninstall", "vscode"]) == 0
    assert not (tmp_path / ".vscode").exists()
    assert main(["mcp", "--uninstall", "vscode", "--install", "vscode"]) == 2


def test_without_a_home_a_client_of_the_home_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", nowhere)
    assert main(["mcp", "--install", "cursor"]) == 2
    assert "there is no home folder" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["claude-code", "codex", "cursor", "gemini", "vscode"])
def test_a_served_entry_holds_address_and_token_and_is_its_owners_alone(name: str, tmp_path: Path) -> None:
    client = clients.client(name, tmp_path / "project", tmp_path / "home", "linux")
    served = clients.RemoteServer("http://127.0.0.1:7843/mcp", "t" * 43)

    def entered() -> dict[str, Any]:
        return client.form.read(client.path.read_text(encoding="utf-8"))[client.key]["pinebench"]

    clients.write(client, clients.changed(client, ["--read-only"]))
    before = entered()
    clients.write(client, clients.changed(client, [], served), private=True)
    assert client.url is not None
    reached = {client.url: served.url, client.headers: {"Authorization": f"Bearer {'t' * 43}"}}
    typed = {} if name in ("codex", "gemini") else {"type": "http"}
    assert entered() == {**typed, **reached}
    assert sys.platform == "win32" or client.path.stat().st_mode & 0o777 == 0o600
    clients.write(client, clients.changed(client, ["--read-only"]))
    assert entered() == before


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
    assert "keep the file out of repositories" in capsys.readouterr().err
    assert main(["mcp", "--http", "--install", "claude-desktop"]) == 2
    assert main(["mcp", "--http", "--port", "0", "--install", "cursor"]) == 2

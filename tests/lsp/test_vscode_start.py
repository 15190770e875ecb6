"""The extension for VS Code finds the program to start, or tells the reason once. It runs in Node with real files."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "pinebench" / "lsp" / "vscode"
NODE = shutil.which("node") or "node"


def _node(program: str, *arguments: str) -> Any:
    ended = subprocess.run([NODE, "-e", program, *arguments], capture_output=True, text=True, check=True, cwd=FOLDER)
    return json.loads(ended.stdout)


def _located(**given: Any) -> dict[str, str]:
    program = "const {locate} = require('./locate'); console.log(JSON.stringify(locate(JSON.parse(process.argv[1]))))"
    return _node(program, json.dumps({"windows": False, **given}))


def _program(folder: Path, name: str = "pinebench") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    return str(folder / name)


def test_the_path_comes_first_and_the_environment_of_the_workspace_second(tmp_path: Path) -> None:
    here = _program(tmp_path / "work" / ".venv" / "bin")
    folders = [str(tmp_path / "work")]
    assert _located(folders=folders, searched=str(tmp_path / "bin")) == {"command": here}
    on_path = _program(tmp_path / "bin")
    assert _located(folders=folders, searched=str(tmp_path / "bin")) == {"command": on_path}


def test_a_setting_wins_and_is_not_replaced_by_something_else(tmp_path: Path) -> None:
    chosen, _ = _program(tmp_path / "mine", "pb"), _program(tmp_path / "bin")
    assert _located(setting=chosen, searched=str(tmp_path / "bin")) == {"command": chosen}
    missing = _located(setting=str(tmp_path / "gone"), searched=str(tmp_path / "bin"))
    assert "command" not in missing and str(tmp_path / "gone") in missing["reason"]
    assert "command" not in _located(setting="other", searched=str(tmp_path / "bin"))


def test_no_program_of_a_folder_that_is_not_trusted_is_started(tmp_path: Path) -> None:
    _program(tmp_path / "work" / ".venv" / "bin")
    found = _located(folders=[], searched=str(tmp_path / "bin"))
    assert "command" not in found and "PATH" in found["reason"]


def test_windows_has_other_names(tmp_path: Path) -> None:
    found = _program(tmp_path / "venv" / "Scripts", "pinebench.exe")
    assert _located(folders=[str(tmp_path)], windows=True) == {"command": found}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("pinebench: the language server needs the package pygls\nhint: pip install\n", "needs the package pygls"),
        ("Traceback (most recent call last):\n  File x\nOSError: no space\n", "OSError: no space"),
        ("", "exit code 3"),
    ],
)
def test_the_reason_is_what_the_server_said(said: str, told: str) -> None:
    program = "const {lastWords} = require('./locate'); console.log(JSON.stringify(lastWords(process.argv[1], 3)))"
    assert told in _node(program, said)

"""Claude Code itself finds the plugin valid. It comes from npm, and needs no model and no account for this."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench.skills import plugin

pytestmark = pytest.mark.soak

PACKAGE = "@anthropic-ai/claude-code@2.1.197"


@pytest.fixture(scope="module")
def claude(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of Claude Code."""
    folder = tmp_path_factory.mktemp("node")
    (folder / "package.json").write_text('{"private": true}')
    subprocess.run(["npm", "install", "--silent", PACKAGE], cwd=folder, check=True, timeout=900)
    return folder / "node_modules/.bin/claude"


def test_claude_code_validates_the_plugin(claude: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    plugin.build(folder, [sys.executable, "-m", "pinebench"])
    assert validated(claude, folder).returncode == 0
    (folder / plugin.MANIFEST).write_text('{"version": 5}', encoding="utf-8")
    assert validated(claude, folder).returncode != 0


def validated(claude: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """What Claude Code says about a plugin's folder."""
    command = [str(claude), "plugin", "validate", str(folder)]
    environment = {**os.environ, "HOME": str(folder.parent)}
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, env=environment)

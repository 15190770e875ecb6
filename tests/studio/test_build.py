"""Building the page: once for each state of its sources, and a clear word where npm is missing."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "pinebench" / "studio" / "page"
BUILD = ROOT / "scripts" / "release" / "build_page.py"


def test_the_lockfile_names_no_address() -> None:
    text = (PAGE / "package-lock.json").read_text()
    assert "http" not in re.sub(r'"(funding|url)": .*', "", text)
    assert json.loads(text)["lockfileVersion"] == 3


def test_what_is_built_is_not_in_the_repository() -> None:
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"/pinebench/studio/static/", "node_modules/"} <= set(ignored)


@pytest.mark.live
def test_the_built_page_is_of_the_present_sources() -> None:
    ended = subprocess.run([sys.executable, str(BUILD)], capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    stamp = (ROOT / "pinebench" / "studio" / "static" / "built-from.txt").read_text()
    assert re.fullmatch(r"[0-9a-f]{64}", stamp)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The sources of the page and the builder, without anything built or installed."""
    (tmp_path / "scripts" / "release").mkdir(parents=True)
    shutil.copy(BUILD, tmp_path / "scripts" / "release")
    target = tmp_path / "pinebench" / "studio" / "page"
    shutil.copytree(PAGE, target, ignore=shutil.ignore_patterns("node_modules"))
    return tmp_path


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_npm_it_is_said_and_in_ci_it_fails(checkout: Path, tmp_path: Path, ci: str, code: int) -> None:
    ended = subprocess.run(
        [sys.executable, str(checkout / "scripts" / "release" / "build_page.py")],
        env={**os.environ, "PATH": str(tmp_path), "CI": ci},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == code
    assert "npm is missing" in ended.stderr


def program(folder: Path, name: str, text: str) -> None:
    """Put a program of `text` into `folder`."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_a_node_that_is_too_old_is_named(checkout: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    program(tools, "npm", "exit 99")
    program(tools, "node", "echo v12.22.9")
    ended = subprocess.run(
        [sys.executable, str(checkout / "scripts" / "release" / "build_page.py")],
        env={**os.environ, "PATH": str(tools), "CI": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0
    assert "Node.js 18 or newer is needed; found v12.22.9" in ended.stderr


def test_builds_that_start_together_take_turns(checkout: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    log = tmp_path / "log"
    program(tools, "npm", f"echo npm >>{log}; mkdir -p node_modules")
    program(
        tools, "node", f'if [ "$1" = --version ]; then echo v22.0.0; else echo node >>{log}; mkdir -p ../static; fi'
    )
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    command = [sys.executable, str(checkout / "scripts" / "release" / "build_page.py")]
    together = [subprocess.Popen(command, env=environment) for _ in range(3)]
    assert [process.wait(60) for process in together] == [0, 0, 0]
    assert log.read_text().split() == ["npm", "node"]


def test_without_npm_a_build_fails_and_says_how_to_go_on(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hatch_build import make_page

    monkeypatch.setenv("PATH", str(checkout))
    monkeypatch.delenv("PRE_COMMIT", raising=False)
    monkeypatch.delenv("PINEBENCH_WITHOUT_PAGE", raising=False)
    with pytest.raises(SystemExit) as ended:
        make_page(checkout)
    assert "npm is missing" in str(ended.value)
    assert "PINEBENCH_WITHOUT_PAGE=1" in str(ended.value)
    monkeypatch.setenv("PINEBENCH_WITHOUT_PAGE", "1")
    assert make_page(checkout) is False
    assert not (checkout / "pinebench" / "studio" / "static").exists()


def test_a_hook_never_runs_npm(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hatch_build import make_page

    log = tmp_path / "log"
    tools = tmp_path / "tools"
    tools.mkdir()
    program(tools, "npm", f"echo npm >>{log}")
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.delenv("PINEBENCH_WITHOUT_PAGE", raising=False)
    monkeypatch.delenv("PRE_COMMIT", raising=False)
    # As `pre-commit install --install-hooks` keeps what it has cloned.
    clone = checkout.rename(checkout.with_name("repoab12cd"))
    (clone.parent / "db.db").touch()
    assert make_page(clone) is False
    (clone.parent / "db.db").unlink()
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert make_page(clone) is False
    assert not log.exists()

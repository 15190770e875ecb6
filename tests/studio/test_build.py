"""Building the page: once for each state of its sources, and a clear word where npm is missing."""

from __future__ import annotations

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
BUILD = ROOT / "scripts" / "build_page.py"


def test_the_lockfile_names_no_address() -> None:
    text = (PAGE / "package-lock.json").read_text()
    assert "http" not in re.sub(r'"(funding|url)": .*', "", text)
    assert json.loads(text)["lockfileVersion"] == 3


def test_what_is_built_is_not_in_the_repository() -> None:
    ignored = subprocess.run(
        ["git", "check-ignore", "pinebench/studio/static/studio.js", "pinebench/studio/page/node_modules/x"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert len(ignored.stdout.split()) == 2


def test_the_built_page_is_of_the_present_sources() -> None:
    ended = subprocess.run([sys.executable, str(BUILD)], capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    stamp = (ROOT / "pinebench" / "studio" / "static" / "built-from.txt").read_text()
    assert re.fullmatch(r"[0-9a-f]{64}", stamp)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The sources of the page and the builder, without anything built or installed."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(BUILD, tmp_path / "scripts")
    target = tmp_path / "pinebench" / "studio" / "page"
    shutil.copytree(PAGE, target, ignore=shutil.ignore_patterns("node_modules"))
    return tmp_path


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_npm_it_is_said_and_in_ci_it_fails(checkout: Path, tmp_path: Path, ci: str, code: int) -> None:
    ended = subprocess.run(
        [sys.executable, str(checkout / "scripts" / "build_page.py")],
        env={**os.environ, "PATH": str(tmp_path), "CI": ci},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == code
    assert "npm is missing" in ended.stderr


def test_without_npm_the_wheel_is_built_without_the_page(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hatch_build import make_page

    monkeypatch.setenv("PATH", str(checkout))
    assert make_page(checkout) is False
    assert not (checkout / "pinebench" / "studio" / "static").exists()

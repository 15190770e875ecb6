"""The wheel, installed without npm by uv, uvx and pipx, opens the studio with its page.

The installers and what the wheel requires come from the registry of Python packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.parse
import urllib.request
import venv
from pathlib import Path

import pytest

from tests.cli.support import CHECKOUT

pytestmark = pytest.mark.soak

LIMIT = 900
STUDIO = ("studio", "--no-browser", "--headless")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds."""
    folder = tmp_path_factory.mktemp("dist")
    for command in (["scripts/build_page.py"], ["-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder)]):
        subprocess.run([sys.executable, *command], cwd=CHECKOUT, check=True, capture_output=True, timeout=LIMIT)
    (only,) = folder.glob("*.whl")
    return only


@pytest.fixture(scope="module")
def installers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs uv, uvx and pipx."""
    folder = tmp_path_factory.mktemp("installers")
    venv.create(folder, with_pip=True)
    install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "uv", "pipx"]
    subprocess.run(install, check=True, timeout=LIMIT)
    return folder / "bin"


@pytest.fixture
def bare(installers: Path, tmp_path: Path) -> dict[str, str]:
    """An environment without npm, in which everything that is installed lands in the test's own folder."""
    (tmp_path / "bin").mkdir()
    for name in ("dirname", "realpath"):  # the scripts of uv use them
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
    environment = {
        **kept,
        "HOME": str(tmp_path),
        "PATH": f"{tmp_path / 'bin'}:{installers}",
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NATIVE_TLS": "1",
    }
    assert shutil.which("npm", path=environment["PATH"]) is None
    return environment


@pytest.mark.parametrize(
    ("install", "start"),
    [
        (["uv", "tool", "install", "WHEEL"], ["pinebench"]),
        (["pipx", "install", "WHEEL"], ["pinebench"]),
        (None, ["uvx", "--from", "WHEEL", "pinebench"]),
        (None, ["pipx", "run", "--spec", "WHEEL", "pinebench"]),
    ],
    ids=["uv", "pipx", "uvx", "pipx run"],
)
def test_the_studio_opens(
    install: list[str] | None, start: list[str], wheel: Path, bare: dict[str, str], tmp_path: Path
) -> None:
    def started(words: list[str]) -> list[str]:
        program = shutil.which(words[0], path=bare["PATH"])
        assert program is not None, words
        return [program, *(str(wheel) if word == "WHEEL" else word for word in words[1:])]

    if install is not None:
        done = subprocess.run(started(install), env=bare, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, done.stderr
    command = [*started(start), *STUDIO]
    with subprocess.Popen(command, env=bare, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        told = json.loads(studio.stdout.readline())
        try:
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(told["url"], timeout=60) as answer:
                assert answer.status == 200
            with opener.open(urllib.parse.urljoin(told["url"], "/chart/"), timeout=60) as answer:
                assert (answer.status, b"<script" in answer.read()) == (200, True)
        finally:
            os.kill(told["pid"], 15)
    assert studio.returncode == 0

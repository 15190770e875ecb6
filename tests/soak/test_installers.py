"""The package, installed into an empty environment without npm in each way that `docs/installing.md` allows.

It lints, runs and back-tests, opens the studio with its page, and says in one line which extra is missing. The
installers and what the package requires come from the registry of Python packages.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.support import CHECKOUT, CLEAN, UNCLOSED
from tests.packaging.installed_studio import studio_opens
from tests.soak.installing import LIMIT, installed, newer_python, pip_environment

pytestmark = pytest.mark.soak

STUDIO = ("studio", "--no-browser", "--headless")


WAYS: dict[str, tuple[list[str] | None, list[str]]] = {
    "pip, wheel": (["pip", "WHEEL"], ["venv/bin/pinebench"]),
    "pip, source archive": (["pip", "SDIST"], ["venv/bin/pinebench"]),
    "uv": (["uv", "tool", "install", "WHEEL"], ["pinebench"]),
    "pipx": (["pipx", "install", "WHEEL"], ["pinebench"]),
    "uvx": (None, ["uvx", "--from", "WHEEL", "pinebench"]),
    "pipx run": (None, ["pipx", "run", "--spec", "WHEEL", "pinebench"]),
}
"""Each way to install pinebench, or None, and the command that starts it then."""
STRATEGY = """//@version=6
strategy("Cross")
length = input.int(20, "Length", minval = 15, maxval = 20)
if ta.crossover(close, ta.sma(close, length))
    strategy.entry("Long", strategy.long)
if ta.crossunder(close, ta.sma(close, length))
    strategy.close("Long")
"""
MISSING = {
    "lsp": ["lsp"],
    "mcp": ["mcp"],
    "ai": ["write", "a moving average"],
    "run": ["run", "clean.pine", "--data", "sample:AAPL@1Dx50", "--plot", "a.png"],
    "data": ["run", "clean.pine", "--data", "binance:BTCUSDT:1d"],
    "watch": ["watch", "clean.pine"],
    "chart": ["compile", "clean.pine", "--with", "chart"],
    "fast": ["run", "clean.pine", "--data", "sample:AAPL@1Dx50", "--tier", "compiled"],
    "optimize": ["optimize", "strategy.pine", "--data", "sample:AAPL@1Dx50"],
    "cluster": ["optimize", "strategy.pine", "--data", "sample:AAPL@1Dx50", "--jobs", "2"],
}
"""A command that needs each extra."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The source archive, and the wheel that is built from it, as `make wheel` does."""
    folder = tmp_path_factory.mktemp("dist")
    for command in (["scripts/release/build_page.py"], ["-m", "build", "--no-isolation", "--outdir", str(folder)]):
        subprocess.run([sys.executable, *command], cwd=CHECKOUT, check=True, capture_output=True, timeout=LIMIT)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"WHEEL": wheel, "SDIST": sdist}


@pytest.fixture(scope="module")
def installers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs uv, uvx and pipx."""
    return installed(tmp_path_factory.mktemp("installers") / "venv", sys.executable, "uv", "pipx").parent


@pytest.fixture(params=WAYS)
def pinebench(
    request: pytest.FixtureRequest, dist: dict[str, Path], installers: Path, tmp_path: Path
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The command that starts pinebench after each way to install it, and the environment to start it in.

    There is no npm, and everything that is installed lands in the test's own folder.
    """
    (tmp_path / "bin").mkdir()
    for name in ("dirname", "realpath"):  # the scripts of uv use them
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    bare = {
        **pip_environment(tmp_path),
        "PATH": f"{tmp_path / 'bin'}:{installers}",
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
    }
    assert shutil.which("npm", path=bare["PATH"]) is None

    def full(words: list[str]) -> list[str]:
        program = shutil.which(words[0], path=bare["PATH"]) or str(tmp_path / words[0])
        return [program, *(str(dist.get(word, word)) for word in words[1:])]

    install, start = WAYS[request.param]
    if install is not None and install[0] == "pip":
        installed(tmp_path / "venv", sys.executable, str(dist[install[1]]))
    elif install is not None:
        done = subprocess.run(full(install), env=bare, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, done.stderr
    for name, text in (("clean.pine", CLEAN), ("wrong.pine", UNCLOSED), ("strategy.pine", STRATEGY)):
        (tmp_path / name).write_text(text)
    yield full(start), bare


def test_a_fresh_install_lints_runs_back_tests_and_opens_the_studio(
    pinebench: tuple[list[str], dict[str, str]], tmp_path: Path
) -> None:
    start, bare = pinebench

    def told(*words: str, code: int = 0) -> str:
        done = subprocess.run([*start, *words], env=bare, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    assert "CE10015" in told("lint", "wrong.pine", code=1)
    told("lint", "clean.pine")
    assert "231.4" in told("run", "clean.pine", "--data", "sample:AAPL@1Dx50")  # the last close of the sample market
    report = json.loads(
        told("backtest", "strategy.pine", "--data", "sample:AAPL@1Dx300", "--format", "json").splitlines()[0]
    )
    assert report["trades"]
    for extra, words in MISSING.items():
        line = [line for line in told(*words, code=3).splitlines() if f"needs the extra '{extra}'" in line]
        assert len(line) == 1 and "run: " in line[0], (extra, line)
    studio_opens([*start, *STUDIO], bare, tmp_path)


def test_the_public_api_and_the_notebooks_work_on_the_newest_python(dist: dict[str, Path], tmp_path: Path) -> None:
    """The tests of tests/api, among them the notebooks, with the wheel on Python 3.13; none may be skipped."""
    wanted = (
        "pytest",
        "pytest-xdist",
        "pandas",
        "polars",
        "ipykernel",
        "nbclient",
        "nbformat",
        "hypothesis",
        "jsonschema",
    )
    python = installed(tmp_path / "venv", newer_python(), f"{dist['WHEEL']}[run,ai]", *wanted)
    copy = tmp_path / "checkout"  # without the package, so that the installed one is tested
    copy.mkdir()
    for name in ("tests", "pine", "docs", "pyproject.toml"):
        (copy / name).symlink_to(CHECKOUT / name)
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/api", "-m", "not soak"]
    environment = pip_environment(tmp_path) | {"PATH": f"{python.parent}:/usr/bin:/bin"}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout and "skipped" not in done.stdout, done.stdout

"""The wheel with compiled rooms: it is built, installed in an empty environment, and finds what the sources find.

The tools to build it, and what pinebench requires, come from the package index.
"""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.support import CHECKOUT, SAMPLES, UNCLOSED, pinebench, surroundings
from tests.soak.installing import LIMIT, installed

pytestmark = pytest.mark.soak

_LARGEST = 4 * 2**20
"""The most bytes that the compiled rooms may add to the wheel."""

_PROBE = """
import pinebench, pinebench.syntax.parser as parser
import pinebench.checker.calls as calls, pinebench.checker.constants as constants
print(parser.__file__, calls.__file__, constants.__file__, pinebench.__file__, sep="\\n")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as docs/releasing.md says, without the studio's page."""
    folder = tmp_path_factory.mktemp("dist")
    tools = installed(folder / "tools", sys.executable, "build")
    command = [str(tools), "-m", "build", "--wheel", "--outdir", str(folder), str(CHECKOUT)]
    environment = {**os.environ, "PINEBENCH_COMPILED": "1", "PINEBENCH_WITHOUT_PAGE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (only,) = folder.glob("*.whl")
    return only


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has this wheel and what it requires, and nothing else."""
    return installed(tmp_path_factory.mktemp("environment"), sys.executable, str(wheel))


def test_it_is_for_this_python_only_and_still_has_the_sources(wheel: Path) -> None:
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-" in wheel.name
    entries = zipfile.ZipFile(wheel).infolist()
    names = {entry.filename for entry in entries}
    assert {"pinebench/syntax/parser.py", "pinebench/checker/calls.py"} <= names, "tracebacks need the sources"
    compiled = [entry for entry in entries if entry.filename.endswith((".so", ".pyd"))]
    assert len(compiled) > 50
    assert sum(entry.compress_size for entry in compiled) < _LARGEST


def test_its_compiled_rooms_are_used(python: Path, tmp_path: Path) -> None:
    environment = surroundings(tmp_path)
    del environment["PYTHONPATH"]
    done = subprocess.run(
        [str(python), "-c", _PROBE], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    parser, calls, constants, package = done.stdout.split()
    assert parser.endswith((".so", ".pyd")) and calls.endswith((".so", ".pyd")) and constants.endswith(".py")
    assert Path(package).is_relative_to(python.parents[1]), "the installed package, not this checkout"


def test_it_lints_like_the_sources(python: Path, tmp_path: Path) -> None:
    folder = tmp_path / "scripts"
    folder.mkdir()
    for path in SAMPLES.glob("*.pine"):
        (folder / path.name).write_bytes(path.read_bytes())
    for path in (CHECKOUT / "tests" / "checker" / "invalid").rglob("*.pine"):
        (folder / f"invalid_{path.name}").write_bytes(path.read_bytes())
    (folder / "unclosed.pine").write_text(UNCLOSED)
    arguments = ("lint", "scripts", "--no-cache", "--jobs", "1", "--select", "ALL", "--format", "json")
    environment = surroundings(tmp_path)
    del environment["PYTHONPATH"]
    command = [str(python), "-m", "pinebench", *arguments]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    of_sources = pinebench(*arguments, folder=tmp_path)
    assert done.returncode == of_sources.code == 1, done.stderr
    assert done.stdout == of_sources.out

"""The wheel works in an empty environment: built via the source archive, installed, asked to lint and for its demo."""

import importlib.util
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.cli.support import CHECKOUT, UNCLOSED, surroundings
from tests.packaging.installed_studio import studio_opens

pytestmark = pytest.mark.slow

HAS_PAGE = (CHECKOUT / "pinebench/studio/static/index.html").exists() or shutil.which("npm") is not None
"""Whether the page is built, or can be built here."""

DEPENDENCIES = ("lark", "platformdirs", "starlette", "uvicorn", "anyio", "idna", "h11", "click", "typing_extensions")
"""What the base install requires, with what that requires; nothing else is there."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive that is built from this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    # Without isolation nothing is fetched: what building needs is among the tools for development.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(CHECKOUT)]
    without = {} if HAS_PAGE else {"PINEBENCH_WITHOUT_PAGE": "1"}
    environment = {**os.environ, **without}
    built = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False, env=environment)
    assert built.returncode == 0, built.stdout + built.stderr
    assert len(list(folder.glob("*.tar.gz"))) == 1
    (only,) = folder.glob("*.whl")
    return only


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index", "--no-deps", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (site_packages,) = folder.glob("lib/python*/site-packages")
    for name in DEPENDENCIES:
        specification = importlib.util.find_spec(name)
        assert specification is not None
        assert specification.origin is not None
        origin = Path(specification.origin)
        place = origin.parent if origin.name == "__init__.py" else origin
        (site_packages / place.name).symlink_to(place)
    return folder


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in `folder`, without any way back to this checkout."""
    environment = surroundings(folder)
    del environment["PYTHONPATH"]
    return subprocess.run(
        [str(installed / "bin" / "pinebench"), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_wheel_holds_the_folders_the_tables_and_nothing_foreign(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "pinebench/config/pinebench.schema.json" in names
    assert "pinebench/grammars/pine.lark" in names
    assert "pinebench/syntax/_tables.py" in names
    assert "pinebench/py.typed" in names
    assert {"pinebench/reference/texts/ta.txt", "pinebench/reference/texts/shown.json"} <= {*names}
    for page in (CHECKOUT / "docs" / "language").glob("*.md"):
        assert f"pinebench/language/{page.name}" in names
    assert any(name.startswith("pinebench/samples/") and name.endswith(".pine") for name in names)
    assert any(name.startswith("pinebench/templates/") for name in names)
    # Every file that is read at run time is there: prompts, skills, files of the plugin, the benchmark's page.
    rooms = [CHECKOUT / "pinebench" / room for room in ("agent/prompts", "skills", "evals")]
    read = [path for room in rooms for path in room.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.suffix for path in read} >= {".md", ".html", ".py"}
    assert {str(path.relative_to(CHECKOUT)) for path in read} <= set(names)
    assert {name.split("/")[0] for name in names} <= {
        "pinebench",
        *(n.split("/")[0] for n in names if ".dist-info" in n),
    }
    assert not [name for name in names if "__pycache__" in name or "node_modules" in name]


def test_the_wheel_holds_the_page_that_make_has_built(wheel: Path) -> None:
    page = "pinebench/studio/static/index.html"
    assert (page in zipfile.ZipFile(wheel).namelist()) is HAS_PAGE


@pytest.mark.skipif(not HAS_PAGE, reason="there is no npm to build the page with")
def test_the_installed_studio_has_its_page_without_npm(installed: Path, tmp_path: Path) -> None:
    environment = {**surroundings(tmp_path), "PATH": str(installed / "bin")}
    del environment["PYTHONPATH"]
    studio_opens([str(installed / "bin" / "pinebench"), "studio", "--no-browser", "--headless"], environment, tmp_path)


def test_the_installed_command_lints(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "script.pine").write_text(UNCLOSED)
    done = run(installed, tmp_path, "lint", "script.pine")
    assert done.returncode == 1, done.stderr
    assert "CE10015" in done.stdout
    assert done.stderr == ""


def test_the_installed_command_has_skills_the_plugin_the_benchmark_and_the_prompt(
    installed: Path, tmp_path: Path
) -> None:
    done = run(installed, tmp_path, "skills")
    assert done.returncode == 0 and "repaint-audit" in done.stdout, done.stderr
    done = run(installed, tmp_path, "skills", "--plugin", "plugin")
    assert done.returncode == 0, done.stderr
    plugin = tmp_path / "plugin"
    assert (plugin / ".claude-plugin" / "plugin.json").is_file() and (plugin / "hooks" / "check_edited.py").is_file()
    assert len(list(plugin.glob("skills/*/SKILL.md"))) == 10
    # Our own solutions of a few tasks of each sort: nothing is asked.
    chosen = [part for name in ("bands-1", "explain-trap-1", "migrate-when-1") for part in ("--tasks", name)]
    done = run(installed, tmp_path, "eval", "--check", *chosen)
    assert done.returncode == 0 and "3 of 3 of our solutions pass" in done.stdout, done.stdout + done.stderr
    program = (
        "from pinebench.agent.offer import known_skills\n"
        "from pinebench.agent.prompt import system\n"
        "print(system(known_skills()))\n"
    )
    done = subprocess.run(
        [str(installed / "bin" / "python"), "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert "# What is data" in done.stdout and "- repaint-audit:" in done.stdout, done.stderr


def test_the_installed_command_gives_its_demo(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "$ pinebench backtest new.pine" in done.stdout


def test_the_installed_tables_belong_to_the_installed_grammar(installed: Path, tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pinebench.syntax import parse\n"
        "parse('//@version=6\\nplot(close)\\n')\n"
        "print('lark' in sys.modules)\n"
    )
    done = subprocess.run(
        [str(installed / "bin" / "python"), "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout == "False\n", done.stderr

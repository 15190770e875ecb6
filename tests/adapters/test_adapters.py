"""The hook and the action work where people use them: run from a copy of this repository, with nothing else there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from tests.adapters.wheelhouse import make_wheels
from tests.cli.support import CHECKOUT, CLEAN

pytestmark = pytest.mark.slow

TYPO = CLEAN.replace("close", "clsoe")
PACKED = (
    *("pinebench", "pine", "scripts", "docs/language"),
    *("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "action.yml", ".pre-commit-hooks.yaml"),
)
TOOLS = ("sh", "git", "cat", "dirname", "mktemp", "rm", "env", "uname", "sed", "mkdir", "ls")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit of what is here, as others fetch it."""
    folder = tmp_path_factory.mktemp("published")
    for name in PACKED:
        source = CHECKOUT / name
        if source.is_dir():
            leave = shutil.ignore_patterns("__pycache__", "node_modules", "static", "_tables.py")
            shutil.copytree(source, folder / name, ignore=leave)
        else:
            shutil.copy2(source, folder / name)
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    author = ("-c", "user.name=Tests", "-c", "user.email=tests@localhost")
    for words in (("init", "-q"), ("add", "-A"), (*author, "commit", "-q", "-m", "Everything")):
        subprocess.run(["git", *words], cwd=folder, check=True, timeout=120, env=bare(folder))


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip would fetch: the packages that building and running take."""
    folder = tmp_path_factory.mktemp("wheels")
    base = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    make_wheels(folder, "hatchling", *(Requirement(each).name for each in base))
    return folder


def bare(folder: Path, **more: str) -> dict[str, str]:
    """An environment as in a fresh container: no home to speak of, and the few tools that any system has."""
    tools = folder / ".git" / "tools" if (folder / ".git").is_dir() else folder.parent / "tools"
    tools.mkdir(parents=True, exist_ok=True)
    for name in TOOLS:
        found = shutil.which(name)
        if found and not (tools / name).exists():
            (tools / name).symlink_to(found)
    return {"PATH": str(tools), "HOME": str(folder.parent / "nowhere"), "LANG": "C.UTF-8", **more}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Somebody's repository with a faulty script in a folder, and one that is excluded."""
    folder = tmp_path / "project"
    for name, text in (("scripts/bad one.pine", TYPO), ("scripts/good.pine", CLEAN), ("old/bad.pine", TYPO)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "pinebench.toml").write_text('[lint]\nexclude = ["old/*"]\n')
    # Called like modules of Python: they must not be run.
    for name in ("venv", "pip", "sys", "lark", "pinebench"):
        (folder / f"{name}.py").write_text("raise SystemExit('a file of the checked repository was run')\n")
    return folder


def act(published: Path, project: Path, wheels: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the action's step as GitHub does, in an environment that holds nothing else."""
    action = yaml.safe_load((published / "action.yml").read_text())
    step = action["runs"]["steps"][-1]
    given = {
        "PINEBENCH_PYTHON": sys.executable,
        "PINEBENCH_PATHS": action["inputs"]["paths"]["default"],
        "PINEBENCH_ARGUMENTS": action["inputs"]["arguments"]["default"],
    }
    assert set(step["env"]) == set(given)
    # GitHub sets this one itself.
    settings = bare(
        project,
        **given,
        GITHUB_ACTION_PATH=str(published),
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS=str(wheels),
        TMPDIR=str(project.parent),
    )
    settings |= more
    return subprocess.run(
        [str(shutil.which("sh")), "-e", "-c", step["run"]],
        cwd=project,
        env={name: value for name, value in settings.items() if value != "unset"},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )


@pytest.mark.soak
def test_the_action_checks_in_an_empty_environment(published: Path, project: Path, wheels: Path) -> None:
    (project / ".git").mkdir()
    done = act(published, project, wheels)
    assert done.returncode == 1, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.startswith("::error title=CE10272,file=scripts/bad one.pine,line=3,")
    assert not [name for name in os.listdir(project.parent) if name.startswith("pinebench.")]


@pytest.mark.soak
def test_the_action_takes_paths_and_arguments_by_lines_and_nothing_becomes_a_command(
    published: Path, project: Path, wheels: Path
) -> None:
    paths = "scripts/good.pine\n$(touch gotcha)/x.pine\n`touch gotcha`.pine\n*.pine\n"
    done = act(published, project, wheels, PINEBENCH_PATHS=paths, PINEBENCH_ARGUMENTS="--fail-on\nwarning\n", HOME="")
    assert done.returncode == 2, done.stderr
    assert done.stdout.count("::error title=unreadable,") == 3
    assert not (project / "gotcha").exists()


@pytest.mark.homeless
def test_the_action_says_what_it_is_missing(published: Path, project: Path, wheels: Path) -> None:
    done = act(published, project, wheels, PINEBENCH_PYTHON="nothing-like-this", HOME="unset")
    assert (done.returncode, done.stdout) == (
        3,
        "::error title=pinebench::needs Python 3.11 or newer: set python-version\n",
    )


@pytest.mark.soak
def test_pre_commit_runs_the_hooks(published: Path, project: Path, wheels: Path, tmp_path: Path) -> None:
    commit(project)
    settings = bare(project, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheels), PRE_COMMIT_HOME=str(tmp_path / "hooks"))
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=published, capture_output=True, text=True, check=True)
    snippet = next(block for block in blocks("yaml") if "repos" in block)
    (repository,) = snippet["repos"]
    repository |= {"repo": str(published), "rev": head.stdout.strip()}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(snippet))

    def pre_commit(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", *words]
        return subprocess.run(command, cwd=project, env=settings, capture_output=True, text=True, timeout=1200)

    assert pre_commit("validate-manifest", str(published / ".pre-commit-hooks.yaml")).returncode == 0
    assert pre_commit("validate-config").returncode == 0
    # All files are named to the hook, and what is excluded stays so.
    done = pre_commit("run", "pinebench-lint", "--all-files")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "scripts/bad one.pine:3:6: error CE10272" in done.stdout
    assert "old/bad.pine" not in done.stdout
    (project / "scripts" / "bad one.pine").write_text(CLEAN.replace("(close)", "( close )"))
    assert pre_commit("run", "pinebench-lint", "--all-files").returncode == 0
    changed = pre_commit("run", "pinebench-format", "--all-files")
    assert changed.returncode == 1
    assert "files were modified by this hook" in changed.stdout
    assert (project / "scripts" / "bad one.pine").read_text() == CLEAN


def blocks(language: str) -> list[Any]:
    """The blocks of YAML in the page about CI."""
    text = (CHECKOUT / "docs" / "ci.md").read_text(encoding="utf-8")
    return [yaml.safe_load(block) for block in re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)]


def test_the_page_about_ci_names_what_there_is() -> None:
    hooks = {hook["id"] for hook in yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text())}
    inputs = set(yaml.safe_load((CHECKOUT / "action.yml").read_text())["inputs"])
    found = blocks("yaml")
    (config,) = [block for block in found if "repos" in block]
    assert {hook["id"] for hook in config["repos"][0]["hooks"]} == hooks
    workflows = [block for block in found if "jobs" in block]
    steps = [step for workflow in workflows for job in workflow["jobs"].values() for step in job["steps"]]
    (ours,) = [step for step in steps if "pinebench@" in step.get("uses", "")]
    assert set(ours.get("with", {})) <= inputs
    for step in steps:
        assert ("uses" in step) != ("run" in step)


def test_the_snippet_for_gitlab_writes_the_report_that_it_hands_on() -> None:
    (job,) = [block["pinebench"] for block in blocks("yaml") if "pinebench" in block]
    assert {"image", "script", "artifacts"} <= set(job)
    (command,) = [line for line in job["script"] if "pinebench lint" in line]
    words = shlex.split(command)
    assert words[words.index("--format") + 1] == "gitlab"
    assert words[words.index(">") + 1] == job["artifacts"]["reports"]["codequality"]
    # A run that finds something fails, and its report is wanted then most of all.
    assert job["artifacts"]["when"] == "always"

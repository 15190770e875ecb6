"""A new project: its commands are green as a person runs them, and its workflow runs as it stands."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from pinebench.cli import main as pinebench
from pinebench.errors import UsageError
from pinebench.projects import skeleton

_COMMAND = [sys.executable, "-m", "pinebench"]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of pinebench in a folder, as a person starts it."""
    return subprocess.run([*_COMMAND, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def test_each_command_of_the_workflow_is_green_in_a_new_project(tmp_path: Path) -> None:
    check_workflows(tmp_path, "strategy")


@pytest.mark.soak
def test_each_command_of_the_workflow_is_green_in_projects_of_the_other_kinds(tmp_path: Path) -> None:
    check_workflows(tmp_path, "indicator", "library")


def check_workflows(tmp_path: Path, *kinds: str) -> None:
    """Run each command of the workflow of new projects of these kinds."""
    for kind in kinds:
        made = run(tmp_path, "new", f"My {kind}", f"--{kind}", "--user", "someone")
        assert made.returncode == 0, made.stderr
        project = tmp_path / f"My {kind}"
        workflow = yaml.safe_load((project / ".github/workflows/pine.yml").read_text("utf-8"))
        steps = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
        assert steps[0].startswith("pip install ")
        assert [shlex.split(step)[1] for step in steps[1:]] == ["lint", "format", "test", "bundle"]
        for step in steps[1:]:
            words = shlex.split(step)
            assert words[0] == "pinebench"
            done = run(project, *words[1:])
            assert done.returncode == 0, (kind, step, done.stdout, done.stderr)
        assert list((project / "out").glob("*.pine.map.json")), "the step that bundles wrote its files"


def test_the_readmes_commands_are_the_ones_that_the_workflow_runs(tmp_path: Path) -> None:
    texts = skeleton.texts_of(skeleton.new_project(str(tmp_path / "a b"), "indicator", "me", None))
    shown = [
        line.partition("#")[0].split() for line in texts["README.md"].splitlines() if line.startswith("pinebench ")
    ]
    assert [words[1] for words in shown] == ["test", "lint", "bundle"]
    comments = [line.index("#") for line in texts["README.md"].splitlines() if line.startswith("pinebench ")]
    assert len(set(comments)) == 1, "the comments are in one column"


def test_the_readme_says_what_a_push_needs(tmp_path: Path) -> None:
    """The workflow installs pinebench alone; a chart needs the packages of an extra."""
    for requirement, expected in (
        (None, "pinebench[chart]"),
        ("pinebench==0.1.0", "pinebench[chart]==0.1.0"),
        ("pinebench @ file:///a.whl", "pinebench[chart] @ file:///a.whl"),
        ("git+https://example.org/p@abc", "pinebench[chart] @ git+https://example.org/p@abc"),
        ("./pinebench-0.1.0.whl", "./pinebench-0.1.0.whl[chart]"),
        ("/a/checkout", "/a/checkout[chart]"),
    ):
        project = skeleton.new_project(str(tmp_path / "x"), "strategy", "me", requirement)
        (line,) = (each for each in skeleton.texts_of(project)["README.md"].splitlines() if each.startswith("pip "))
        assert expected in line and shlex.split(line)[:2] == ["pip", "install"], line


def test_settings_of_tools_are_read_by_them(tmp_path: Path) -> None:
    import json
    import tomllib

    texts = skeleton.texts_of(skeleton.new_project(str(tmp_path / "x"), "indicator", "me", "pinebench @ file:///a'b"))
    for name, text in texts.items():
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".toml"):
            tomllib.loads(text)
        elif name.endswith((".yaml", ".yml")):
            yaml.safe_load(text)
        assert "<<" not in text, name
    hooks = yaml.safe_load(texts[".pre-commit-config.yaml"])["repos"][0]["hooks"]
    assert [hook["additional_dependencies"] for hook in hooks] == [["pinebench @ file:///a'b"]] * 2
    steps = yaml.safe_load(texts[".github/workflows/pine.yml"])["jobs"]["check"]["steps"]
    assert shlex.split(steps[2]["run"]) == ["pip", "install", "pinebench @ file:///a'b"]


def test_a_folder_with_files_is_refused_and_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    for name in ("full", "file", "gone"):
        assert pinebench(["new", str(tmp_path / name)]) == 2
        assert "exists and is not an empty folder" in capsys.readouterr().err
    assert os.listdir(tmp_path / "full") == ["mine.txt"]
    (tmp_path / "empty").mkdir()
    assert pinebench(["new", str(tmp_path / "empty")]) == 0
    for name, user in (('a"b', "me"), ("123", "me"), ("a", "not a user")):
        with pytest.raises(UsageError):
            skeleton.new_project(str(tmp_path / name), "indicator", user, None)

"""The scripts that Make and CI run."""

import json
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from pinebench.codes import opinion_codes
from pinebench.linter.engine import check_text
from pinebench.linter.findings import encode
from scripts.data import findings
from tests.cli.support import CHECKOUT, CLEAN, UNCLOSED, surroundings


def corpus(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the corpus table over `folder`."""
    return subprocess.run(
        [sys.executable, str(CHECKOUT / "scripts" / "data" / "corpus.py"), str(folder)],
        env=surroundings(folder.parent),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a clean and a faulty script."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "clean.pine").write_text(CLEAN)
    (scripts / "faulty.pine").write_text(UNCLOSED)
    return scripts


def grade(folder: Path, grades: dict[str, str]) -> None:
    """Write an index that grades files by name."""
    rows = [
        {"sha256": sha256((folder / name).read_bytes()).hexdigest(), "grade": letter} for name, letter in grades.items()
    ]
    (folder / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_without_grades_any_error_fails_the_corpus(folder: Path) -> None:
    done = corpus(folder)
    assert done.returncode == 1
    assert done.stdout.splitlines()[1].split()[:6] == ["-", "2", "8", "1", "1", "0"]
    assert "CE10015" in done.stdout
    (folder / "faulty.pine").unlink()
    assert corpus(folder).returncode == 0


def test_with_grades_only_an_error_in_grade_a_fails_it(folder: Path) -> None:
    grade(folder, {"clean.pine": "A", "faulty.pine": "B"})
    assert corpus(folder).returncode == 0
    grade(folder, {"clean.pine": "B", "faulty.pine": "A"})
    done = corpus(folder)
    assert done.returncode == 1
    assert f"A {folder.as_posix()}/faulty.pine:3:" in done.stdout


def test_a_folder_without_scripts_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = corpus(tmp_path / "empty")
    assert done.returncode == 2
    assert "no scripts in this folder" in done.stderr


def test_make_lists_its_targets() -> None:
    done = subprocess.run(["make", "help"], cwd=CHECKOUT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0
    for target in ("demo", "test", "check", "soak", "corpus", "bench", "wheel", "compiled", "clean"):
        assert f"make {target} " in done.stdout


@pytest.mark.parametrize("script", ["scripts/setup.sh", ".ci/run", ".ci/compiled"])
def test_a_shell_script_is_sound_and_can_be_run(script: str) -> None:
    path = CHECKOUT / script
    assert path.stat().st_mode & 0o111
    done = subprocess.run(["sh", "-n", str(path)], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_ci_runs_check_and_test_and_nothing_else() -> None:
    lines = (CHECKOUT / ".ci" / "run").read_text().splitlines()
    assert [line for line in lines if "make" in line] == ["exec make check test"]


def test_changed_findings_are_named(folder: Path) -> None:
    kept = folder.parent / "kept"

    def compared(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(CHECKOUT / "scripts" / "data" / "findings.py"), str(folder), *options]
        environment = surroundings(folder.parent)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)

    assert compared("--keep", str(kept)).returncode == 0
    same = compared("--same-as", str(kept))
    assert (same.returncode, same.stdout.splitlines()[-1]) == (0, "0 of 2 scripts have other findings")
    (folder / "faulty.pine").write_text("// one line more\n" + UNCLOSED)
    moved = compared("--same-as", str(kept))
    assert moved.returncode == 1
    assert "different: faulty.pine" in moved.stdout
    (folder / "faulty.pine").unlink()
    assert "different: faulty.pine" in compared("--same-as", str(kept)).stdout


def test_the_hash_of_findings_has_the_findings_of_all_rules(tmp_path: Path) -> None:
    path = tmp_path / "unused.pine"
    path.write_text('//@version=6\nindicator("x")\nlength = 20\nplot(close)\n')
    hashed = findings.hash_of(path)  # first, because a rule that was loaded already would be asked in any case
    found = check_text(path.read_text(), "script.pine", opinions=sorted(opinion_codes()))
    assert any(finding.code.startswith("PB") for finding in found)
    entries = [encode(finding) for finding in found]
    assert hashed == sha256(json.dumps(entries, ensure_ascii=False).encode()).hexdigest()


def test_a_script_stands_in_the_folder_of_its_subject_and_what_names_it_is_right() -> None:
    folders = {path.name for path in (CHECKOUT / "scripts").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {"data", "docs", "release"}
    places = (
        "Makefile",
        "action.yml",
        "hatch_build.py",
        "pyproject.toml",
        "*.md",
        ".ci/*",
        ".devcontainer/*",
        "docs/*.md",
    )
    named = [
        (path.name, name)
        for place in (*places, "pinebench/**/*.py", "scripts/**/*.py", "website/*.*")
        for path in CHECKOUT.glob(place)
        for name in re.findall(r"\bscripts/[\w/]+\.(?:py|sh|mjs|toml)\b", path.read_text(encoding="utf-8"))
    ]
    assert len(named) > 50
    assert [each for each in named if not (CHECKOUT / each[1]).is_file()] == []

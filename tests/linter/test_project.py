"""Which scripts a run covers: what is in a folder, but what is hidden, what git ignores, and what is excluded."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench.linter import batch, project
from pinebench.linter.ignored import _pattern


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(*paths: str) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("")


def ignore(text: str, folder: str = ".") -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    (Path(folder) / ".gitignore").write_text(text)


def found(*paths: str) -> list[str]:
    problems: list[project.FileProblem] = []
    scripts = project.discover(paths or ["."], lambda _: False, problems)
    assert not problems or not scripts
    return scripts


@pytest.mark.usefixtures("here")
def test_both_endings_count_and_hidden_folders_do_not() -> None:
    put("a.pine", "b.pinescript", "c.PINE", "d.txt", ".git/e.pine", ".hidden/f.pine", "x/.venv/g.pine", "x/h.pine")
    put("node_modules/i.pine", ".j.pine")
    assert found() == [".j.pine", "a.pine", "b.pinescript", "c.PINE", "x/h.pine"]


TREE = (
    *(
        "a.pine",
        "build/a.pine",
        "build/keep.pine",
        "src/a.pine",
        "src/build/a.pine",
        "src/gen.pine",
        "src/deep/gen.pine",
    ),
    *("tmp.pine", "src/tmp.pine", "old/a.pine", "old/keep.pine", "with space/a.pine", "#a.pine", "döner/a.pine"),
)
PATTERNS = [
    "build/\n",
    "/build\n",
    "build\n!src/build\n",
    "*.pine\n!keep.pine\n!src/\n",
    "gen.pine\n",
    "/src/gen.pine\n",
    "src/*/gen.pine\n",
    "**/gen.pine\n!src/deep/gen.pine\n",
    "src/**\n!src/a.pine\n",
    "old/*\n!old/keep.pine\n",
    "t?p.pine\n",
    "[at]*.pine\n",
    "with\\ space/\n",
    "\\#a.pine\n# a comment\n\n",
    "döner/\r\nbuild/\r\n",
    "build/ \n!\nsrc/[\n",
    "*\n!*/\n!a.pine\n",
    "**\n!**/\n!**/a.pine\n",
    "**/build/**\n!**/build/keep.pine\n",
    "src/**/a.pine\n",
    "/**/a.pine\n",
    "src/**/\n",
    "a**e.pine\n*e*p*.pine\n",
    "[!a]*.pine\n",
    "[^[:alpha:]]*.pine\n",
    "[a-c].pine\n[]x].pine\n[\\a].pine\n",
    "k\\eep.pine\na.pine\\\n",
    "trailing\\ \nold/ \t\n",
    "\ufeffbuild/\n",
    "build/\x0ba.pine\n",
    "//a.pine\n/\n//\n",
    "./a.pine\n../a.pine\n",
    "src//a.pine\n",
]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("patterns", PATTERNS)
def test_what_git_ignores_is_what_git_says(patterns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(*TREE)
    # What the user of this machine has git ignore everywhere does not count.
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    subprocess.run(["git", "init", "-q"], check=True, timeout=60)
    ignore(patterns)
    ignore("a.pine\n!keep.pine\n", "src/build")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard"], check=True, capture_output=True, timeout=60
    )
    expected = [name for name in listed.stdout.decode().split("\0") if name.endswith(".pine")]
    assert found() == sorted(expected)
    inner = [name for name in expected if name.startswith("src/")]
    assert found("src") == sorted(inner) or "src" in patterns
    os.chdir("src")
    assert found() == sorted(name.removeprefix("src/") for name in inner) or "src" in patterns


@pytest.mark.usefixtures("here")
def test_outside_a_repository_the_files_in_the_folder_count() -> None:
    put("inner/a.pine", "inner/b.pine")
    ignore("a.pine\n")
    ignore("b.pine\n", "inner")
    assert found("inner") == ["inner/a.pine"]
    assert found() == []


@pytest.mark.usefixtures("here")
def test_what_a_repository_leaves_out_for_itself_counts_and_a_nearer_file_wins() -> None:
    put("a.pine", "b.pine")
    (Path(".git") / "info").mkdir(parents=True)
    (Path(".git") / "info" / "exclude").write_text("*.pine\n")
    ignore("!a.pine\n")
    assert found() == ["a.pine"]


def git_lists(folder: str = ".") -> list[str]:
    """The scripts that git sees in the repository at `folder`, as paths from here."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=folder,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
        check=True,
        capture_output=True,
        timeout=60,
    )
    names = [name for name in listed.stdout.decode().split("\0") if name.endswith(".pine")]
    return sorted(os.path.normpath(os.path.join(folder, name)) for name in names)


@pytest.mark.usefixtures("here")
def test_a_repository_in_a_repository_is_asked_for_what_is_in_it() -> None:
    put("a.pine", "b.pine", "part/a.pine", "part/b.pine", "part/deep/a.pine", "gone/a.pine")
    for folder in (".", "part"):
        subprocess.run(["git", "init", "-q", folder], check=True, timeout=60)
    ignore("a.pine\n/gone/\n")
    (Path("part") / ".git" / "info" / "exclude").write_text("b.pine\n")
    assert git_lists() == ["b.pine"]
    assert git_lists("part") == ["part/a.pine", "part/deep/a.pine"]
    assert found() == ["b.pine", *git_lists("part")]
    assert found("part") == git_lists("part")


@pytest.mark.usefixtures("here")
def test_what_a_repository_leaves_out_for_itself_counts_in_its_second_work_tree_and_through_a_link() -> None:
    put("first/keep.pine")
    commands = ("init -q .", "add -A", "-c user.name=x -c user.email=x@y commit -qm x", "worktree add -q ../second")
    for words in commands:
        subprocess.run(["git", *words.split()], cwd="first", check=True, timeout=60)
    put("first/own.pine", "second/own.pine", "second/deep/own.pine", "second/deep/new.pine")
    (Path("first") / ".git" / "info" / "exclude").write_text("own.pine\n")
    assert git_lists("second") == ["second/deep/new.pine"]
    assert found("second") == ["second/deep/new.pine", "second/keep.pine"]
    Path("link").symlink_to("second/deep")
    assert found("link") == ["link/new.pine"]


@pytest.mark.usefixtures("here")
def test_folders_may_be_nested_deeper_than_python_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    depth = 120
    deep = "d/" * depth
    put(f"{deep}a.pine", f"{deep}b.pine")
    Path(".git").mkdir()
    ignore("b.pine\n")
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 60)
    try:
        names = found()
        monkeypatch.chdir(deep)
        assert found() == ["a.pine"]
    finally:
        sys.setrecursionlimit(usual)
    assert names == [f"{deep}a.pine"]


@pytest.mark.usefixtures("here")
def test_what_is_named_is_looked_at_though_git_ignores_it() -> None:
    put("build/a.pine")
    Path(".git").mkdir()
    ignore("build/\n")
    assert found("build/a.pine") == ["build/a.pine"]
    assert found("build") == ["build/a.pine"]
    assert found() == []


@pytest.mark.usefixtures("here")
def test_a_folder_of_which_nothing_is_left_is_said() -> None:
    put("a.pine")
    ignore("*\n")
    problems: list[project.FileProblem] = []
    assert project.discover(["."], lambda _: False, problems) == []
    assert [problem.exit_code for problem in problems] == [2]
    assert "what git ignores" in (problems[0].hint or "")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("kind", ["folder", "pipe", "bytes", "loop"])
def test_a_file_of_patterns_that_is_none_ignores_nothing(kind: str) -> None:
    put("a.pine")
    if kind == "folder":
        Path(".gitignore").mkdir()
    elif kind == "pipe":
        os.mkfifo(".gitignore")
    elif kind == "bytes":
        Path(".gitignore").write_bytes(b"\xff\xfe\x00*\n")
    else:
        Path(".gitignore").symlink_to(".gitignore")
    assert found() == ["a.pine"]


@pytest.mark.usefixtures("here")
def test_what_is_excluded_is_left_out_where_it_is_named_only_when_that_is_asked() -> None:
    put("a.pine", "old/b.pine")

    def discover(*paths: str, force: bool) -> list[str]:
        problems: list[project.FileProblem] = []
        scripts = project.discover(paths, lambda path: "old" in path, problems, force_exclude=force)
        assert problems == []
        return scripts

    assert discover("a.pine", "old/b.pine", force=False) == ["a.pine", "old/b.pine"]
    assert discover("a.pine", "old/b.pine", force=True) == ["a.pine"]
    assert discover("old/b.pine", force=True) == []
    assert discover("old", force=True) == []


def test_no_pattern_costs_more_than_its_length() -> None:
    from tests.linter.test_cost import Calls

    with Calls() as calls:
        pattern = _pattern("*a" * 60 + "b")
        assert pattern is not None and not pattern.fits(["a" * 255])
        deep = _pattern("**/x/" * 60 + "y")
        assert deep is not None and not deep.fits(["x"] * 120)
    assert calls.count < 50_000


def test_processes_are_started_only_where_they_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert [batch.paying(size) for size in (0, 10_000, 999_999, 1_000_000, 3_100_000, 10**9)] == [1, 1, 1, 2, 6, 8]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3}, raising=False)
    assert batch.paying(10**9) == 1

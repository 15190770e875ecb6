"""Which repository a folder is of is what git says: in work trees, submodules, and wherever their git folders lie."""

import os
import subprocess
from pathlib import Path

import pytest

from pinebench.files import repositories


def git(folder: Path, *words: str) -> str:
    """What git answers, without the settings of whoever runs the tests."""
    author = {f"GIT_{role}_{what}": "tests@localhost" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    settings = {**os.environ, **author, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "protocol.file.allow=always", *words]
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Work trees of a repository with a submodule, by what they are."""
    base = tmp_path_factory.mktemp("repositories").resolve()
    for name in ("part", "whole"):
        git(base, "init", "-q", name)
        git(base / name, "commit", "-q", "--allow-empty", "-m", "Begin")
    whole = base / "whole"
    git(whole, "submodule", "--quiet", "add", "../part", "worktrees/modules/part")
    git(whole, "commit", "-q", "-m", "With its part")
    git(whole, "worktree", "add", "-q", "../second")
    git(base, "clone", "-q", "--bare", "whole", "whole.git")
    git(base / "whole.git", "worktree", "add", "-q", "../of-a-bare-one")
    # Called so that its path reads as that of a submodule.
    (base / "modules").mkdir()
    git(base, "clone", "-q", "--separate-git-dir", str(base / "modules" / "apart"), "whole", "apart")
    for name in ("second", "of-a-bare-one", "apart"):
        git(base / name, "submodule", "--quiet", "update", "--init")
    inner = "worktrees/modules/part"
    git(whole / inner, "worktree", "add", "-q", str(base / "second-part"))
    found = {name: base / name for name in ("whole", "second", "of-a-bare-one", "apart", "second-part", "part")}
    return found | {f"part of {name}": base / name / inner for name in ("whole", "second", "of-a-bare-one", "apart")}


NAMES = ("whole", "second", "of-a-bare-one", "apart", "second-part", "part")
PARTS = ("part of whole", "part of second", "part of of-a-bare-one", "part of apart")


@pytest.mark.parametrize("name", [*NAMES, *PARTS])
def test_the_root_and_what_it_is_a_part_of_are_those_that_git_names(places: dict[str, Path], name: str) -> None:
    folder = places[name]
    deep = folder / "a" / "b"
    deep.mkdir(parents=True, exist_ok=True)
    assert repositories.root_of(str(deep)) == git(deep, "rev-parse", "--show-toplevel")
    whole = git(deep, "rev-parse", "--show-superproject-working-tree")
    assert repositories.is_submodule(str(folder)) == bool(whole)
    assert repositories.outermost(str(deep)) == (whole or str(folder))


@pytest.mark.parametrize("name", [*NAMES, *PARTS])
def test_what_a_repository_leaves_out_for_itself_lies_where_git_looks(places: dict[str, Path], name: str) -> None:
    folder = places[name]
    expected = folder / git(folder, "rev-parse", "--git-path", "info/exclude")
    assert os.path.realpath(repositories.exclude_file(str(folder)) or "") == str(expected.resolve())


@pytest.mark.parametrize("content", [b"", b"gitdir:", b"gitdir: \0x\n", b"\xff\xfe", b"gitdir: /nowhere/at/all\n"])
def test_a_mark_that_leads_nowhere_is_that_of_a_repository_of_which_nothing_is_known(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / ".git").write_bytes(content)
    assert repositories.outermost(str(tmp_path)) == str(tmp_path)
    assert not os.path.exists(repositories.exclude_file(str(tmp_path)) or "/nowhere")


def test_a_folder_in_no_repository_has_none(tmp_path: Path) -> None:
    assert repositories.root_of(str(tmp_path)) is None
    assert repositories.outermost(str(tmp_path)) is None

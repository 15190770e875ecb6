"""Which scripts are watched, where they really are, and what they are called."""

import os
from pathlib import Path

import pytest

from pinebench.cli.watch.watch_layout import WatchLayout, survey


def make(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")


def inside(layout: WatchLayout, folder: Path) -> list[str]:
    return sorted(os.path.relpath(path, folder).replace(os.sep, "/") for path in layout.scripts)


def test_scripts_of_folders_and_named_files_are_found(tmp_path: Path) -> None:
    make(tmp_path, "a.pine", "b.txt", "sub/c.pine", ".git/d.pine", "node_modules/e.pine")
    layout = survey([str(tmp_path), str(tmp_path / "b.txt")])
    assert inside(layout, tmp_path) == ["a.pine", "b.txt", "sub/c.pine"]
    assert layout.name(str(tmp_path / "sub" / "new.pine")) == f"{tmp_path}/sub/new.pine"
    assert layout.name(str(tmp_path / ".git" / "d.pine")) is None
    assert layout.name(str(tmp_path / "other.txt")) is None


def test_what_links_lead_to_is_watched_where_it_is(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    make(here, "own.pine")
    make(there, "shared/a.pine", "shared/deep/b.pine", "c.pine")
    (here / "lib").symlink_to(there / "shared")
    (tmp_path / "hop").symlink_to(there / "c.pine")
    (here / "c.pine").symlink_to(tmp_path / "hop")
    layout = survey([str(here)])
    assert inside(layout, here) == ["c.pine", "lib/a.pine", "lib/deep/b.pine", "own.pine"]
    assert layout.name(str(there / "shared" / "deep" / "new.pine")) == f"{here}/lib/deep/new.pine"
    assert layout.name(str(there / "c.pine")) == layout.name(str(tmp_path / "hop")) == f"{here}/c.pine"
    assert layout.folders[str(there / "shared")] is True
    assert layout.folders[str(there)] is layout.folders[str(tmp_path)] is False


def test_nothing_is_taken_twice_and_no_circle_is_followed(tmp_path: Path) -> None:
    make(tmp_path, "work/a.pine", "work/sub/b.pine", "beside/c.pine")
    work = tmp_path / "work"
    (work / "again.pine").symlink_to(work / "a.pine")
    (work / "again").symlink_to(work / "sub")
    (work / "up").symlink_to(tmp_path)
    (work / "loop").symlink_to(work / "loop")
    (work / "one").symlink_to(tmp_path / "beside")
    (work / "two").symlink_to(tmp_path / "beside")
    (tmp_path / "beside" / "back").symlink_to(work)
    assert inside(survey([str(work)]), work) == ["a.pine", "one/c.pine", "sub/b.pine"]


def test_a_link_to_very_much_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "work/a.pine", *(f"disk/{n}/b.pine" for n in range(20)))
    (tmp_path / "work" / "link").symlink_to(tmp_path / "disk")
    monkeypatch.setattr("pinebench.cli.watch.watch_layout.MOST_LINKED_FOLDERS", 10)
    assert inside(survey([str(tmp_path / "work")]), tmp_path / "work") == ["a.pine"]

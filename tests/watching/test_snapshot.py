"""What lies below watched paths, and what has changed there."""

from __future__ import annotations

import os
from pathlib import Path

from pinebench.watching import snapshot


def test_scripts_of_folders_and_named_files_are_found(tmp_path: Path) -> None:
    for name in ("a.pine", "b.txt", "sub/c.pine", ".git/d.pine", "node_modules/e.pine"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = snapshot.take([str(tmp_path), str(tmp_path / "b.txt"), str(tmp_path / "none")])
    assert [os.path.relpath(path, tmp_path).replace(os.sep, "/") for path in sorted(found)] == [
        "a.pine",
        "b.txt",
        "sub/c.pine",
    ]


def test_writing_replacing_adding_and_removing_are_changes(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.pine" for name in "abcd"]
    for path in paths:
        path.write_text("1")
    before = snapshot.take([str(tmp_path)])
    assert snapshot.changed(before, snapshot.take([str(tmp_path)])) == set()
    paths[0].write_text("22")
    fresh = tmp_path / "fresh"
    fresh.write_text("1")
    os.replace(fresh, paths[1])
    paths[2].unlink()
    (tmp_path / "e.pine").write_text("")
    changed = {Path(path).name for path in snapshot.changed(before, snapshot.take([str(tmp_path)]))}
    assert changed == {"a.pine", "b.pine", "c.pine", "e.pine"}

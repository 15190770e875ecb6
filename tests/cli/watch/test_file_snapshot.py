"""What lies below watched paths, and what has changed there."""

import os
from pathlib import Path

from pinebench.cli.watch import file_snapshot
from pinebench.cli.watch.watch_layout import survey


def taken(folder: Path) -> file_snapshot.Snapshot:
    """The state of every script in `folder`."""
    return file_snapshot.take(survey([str(folder)]).scripts)


def test_writing_replacing_adding_and_removing_are_changes(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.pine" for name in "abcd"]
    for path in paths:
        path.write_text("1")
    before = taken(tmp_path)
    assert file_snapshot.changed(before, taken(tmp_path)) == set()
    paths[0].write_text("22")
    fresh = tmp_path / "fresh"
    fresh.write_text("1")
    os.replace(fresh, paths[1])
    paths[2].unlink()
    (tmp_path / "e.pine").write_text("")
    changed = {Path(path).name for path in file_snapshot.changed(before, taken(tmp_path))}
    assert changed == {"a.pine", "b.pine", "c.pine", "e.pine"}

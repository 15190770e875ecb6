"""The state folder: all in it is for its owner alone, and what earlier versions left is corrected."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench import config, files
from pinebench.errors import UsageError
from tests.files.support import SOMEBODY


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """A mask with which a file would be readable by all."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def _modes(folder: Path) -> dict[str, str]:
    found = {str(path.relative_to(folder)): oct(stat.S_IMODE(path.lstat().st_mode)) for path in folder.rglob("*")}
    return found | {".": oct(stat.S_IMODE(folder.stat().st_mode))}


def test_what_is_there_already_is_corrected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "state"
    for name in ("runs/a.jsonl", "screenshots/b.png", "replaced/c.pine", "bindings.json", "studio.sqlite3", "x/d"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"")
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(root))
    config.private_state_folder("runs")
    wanted = {name: "0o700" if (root / name).is_dir() else "0o600" for name in _modes(root)}
    assert {name for name, mode in _modes(root).items() if mode != wanted[name]} == {"x", "x/d"}
    config.private_state_folder("x")
    assert _modes(root) == wanted


def test_folders_and_files_are_made_for_their_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "a" / "state"
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(root))
    assert config.private_state_folder() == str(root)
    with files.open_private(os.path.join(config.private_state_folder("runs"), "r.jsonl"), "ab") as file:
        file.write(b"{}\n")
    files.write_atomically(root / "bindings.json", b"{}", private=True)
    assert _modes(root) == {".": "0o700", "runs": "0o700", "runs/r.jsonl": "0o600", "bindings.json": "0o600"}


def test_what_a_link_leads_to_is_left_alone(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("")
    (tmp_path / "state").mkdir()
    for link in ("screenshots", "runs"):
        (tmp_path / "state" / link).symlink_to(outside)
    files.private_folder(str(tmp_path / "state"))
    files.make_private(str(tmp_path / "state" / "runs"))
    assert _modes(outside) == {".": "0o755", "file": "0o644"}


def test_what_belongs_to_somebody_else_is_left_alone(tmp_path: Path) -> None:
    theirs = tmp_path / "r.jsonl"
    theirs.write_text("")
    os.chown(theirs, SOMEBODY, -1)
    files.make_private(str(tmp_path))
    assert stat.S_IMODE(theirs.stat().st_mode) == (0o644 if os.geteuid() == 0 else 0o600)


def test_a_file_that_was_readable_is_closed_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"old")
    with files.open_private(path, "ab") as file:
        file.write(b" new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"old new", 0o600)


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_only_a_file_is_opened(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "r.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(tmp_path / "elsewhere")
    for mode in ("a+b", "rb"):
        with pytest.raises(OSError):
            files.open_private(path, mode)  # type: ignore[arg-type]
    assert not (tmp_path / "elsewhere").exists()


def test_a_state_folder_that_cannot_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "file"))
    for name in ("", "runs"):
        with pytest.raises(UsageError, match="cannot be made"):
            config.private_state_folder(name)


def test_the_mask_of_other_threads_is_not_touched(tmp_path: Path) -> None:
    code = "import os, sys; os.umask = None; from pinebench import files; files.write_atomically(sys.argv[1], b'x')"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x")], timeout=60, check=True)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o644

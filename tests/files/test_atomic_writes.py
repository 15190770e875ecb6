"""The writer: only what is missing or a file is replaced, nobody gains rights, and nothing is left behind."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pinebench import files
from pinebench.errors import UsageError
from tests.files.support import SOMEBODY, listing, make

KINDS = [
    ("folder", "it is a folder, not a file"),
    ("pipe", "it is a pipe, not a file"),
    ("socket", "it is a socket, not a file"),
    ("device", "it is a device, not a file"),
    ("link to a pipe", "it is a pipe, not a file"),
    ("link to a device", "it is a device, not a file"),
    ("link to a folder", "it is a folder, not a file"),
    ("link to nothing", "is a link to nowhere.pine, which does not exist"),
    ("link to itself", "cannot be written"),
]


@pytest.mark.parametrize(("kind", "words"), KINDS)
def test_only_what_is_missing_or_a_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = make(kind, tmp_path / "x.pine")
    before = listing(tmp_path)
    with pytest.raises(UsageError, match=words):
        files.write_atomically(path, b"new")
    assert listing(tmp_path) == before


@pytest.mark.parametrize("kind", [kind for kind, _ in KINDS])
def test_a_new_file_takes_the_place_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = make(kind, tmp_path / "x.pine")
    before = listing(tmp_path)
    with pytest.raises(UsageError, match="exists already"):
        files.create(path, b"new")
    assert listing(tmp_path) == before


def test_a_new_file_is_made_whole(tmp_path: Path) -> None:
    files.create(tmp_path / "x.pine", b"new")
    assert (tmp_path / "x.pine").read_bytes() == b"new"
    with pytest.raises(UsageError, match="exists already"):
        files.create(tmp_path / "x.pine", b"other")
    assert (tmp_path / "x.pine").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["x.pine"]


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o6777, 0o1644])
def test_owner_and_permissions_stay_but_no_file_runs_as_somebody_else(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "x.pine"
    path.write_bytes(b"old")
    os.chown(path, SOMEBODY, SOMEBODY if os.geteuid() == 0 else -1)
    path.chmod(mode)
    files.write_atomically(path, b"new")
    found = path.stat()
    assert path.read_bytes() == b"new"
    assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (SOMEBODY, mode & 0o777)


def test_who_may_not_give_a_file_back_narrows_it_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.pine"
    path.write_bytes(b"old")
    if os.geteuid() != 0:
        assert files.write_atomically(path, b"new") is None
        return
    with TemporaryDirectory() as folder:  # unlike pytest's own folders one that others can reach
        os.chmod(folder, 0o777)
        path = Path(folder) / "x.pine"
        path.write_bytes(b"old")
        os.chown(path, 65_533, 65_533)
        path.chmod(0o662)
        said = _as_somebody_else(lambda: str(files.write_atomically(path, b"new")))
        found = path.stat()
    assert said == f"{path}: the file belonged to another user, and is yours now"
    # The group that could read and write is gone; the new one may do what all may.
    assert (found.st_uid, oct(stat.S_IMODE(found.st_mode))) == (65_534, "0o622")


def _as_somebody_else(work: Callable[[], str]) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(65_534)
            os.setuid(65_534)
            os.write(writing, work().encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as said:
        answer = said.read().decode()
    os.waitpid(child, 0)
    return answer


@pytest.mark.parametrize("mode", [0o444, 0o555, 0o400])
def test_a_file_that_is_protected_stays_as_it_is_for_root_too(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "x.pine"
    path.write_bytes(b"old")
    path.chmod(mode)
    with pytest.raises(UsageError, match="it is read-only"):
        files.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_second_name_of_a_file_is_said(tmp_path: Path) -> None:
    path, other = tmp_path / "x.pine", tmp_path / "other.pine"
    path.write_bytes(b"old")
    other.hardlink_to(path)
    said = files.write_atomically(path, b"new")
    assert said == f"{path}: the file had 2 names (hard links); the other names keep the old text"
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"old")
    assert files.write_atomically(path, b"newer") is None


def test_a_link_that_somebody_else_put_into_a_shared_folder_is_not_followed(tmp_path: Path) -> None:
    shared, mine = tmp_path / "shared", tmp_path / "mine.pine"
    shared.mkdir()
    shared.chmod(0o1777)
    mine.write_bytes(b"old")
    link = shared / "out.pine"
    link.symlink_to(mine)
    if os.geteuid() != 0:
        files.write_atomically(link, b"new")  # our own link is followed
        assert mine.read_bytes() == b"new"
        return
    os.chown(link, SOMEBODY, SOMEBODY, follow_symlinks=False)
    with pytest.raises(UsageError, match="somebody else put into a shared folder"):
        files.write_atomically(link, b"new")
    assert mine.read_bytes() == b"old"


def test_a_private_file_is_for_its_owner_alone_whatever_it_was(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for _ in range(2):
        files.write_atomically(path, b"{}", private=True)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)


def test_attributes_of_a_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "x.pine"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:  # a file system that keeps none has none to lose
        assert files.write_atomically(path, b"new") is None
        return
    files.write_atomically(path, b"new")
    assert os.getxattr(path, "user.note") == b"mine"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"there is no folder {tmp_path}/nowhere"):
        files.write_atomically(tmp_path / "nowhere" / "x.pine", b"new")


def test_a_write_that_fails_half_way_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "x.pine"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(UsageError, match="no space left on device"):
        files.write_atomically(path, b"new")
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["x.pine"])


_STOPPED = """
import os, signal, sys
from pinebench import files
def stop(*_):
    print(flush=True)
    sys.stdin.readline() or os.kill(os.getpid(), signal.SIGKILL)
os.replace = stop
files.write_atomically(sys.argv[1], b"new")
"""
"""Writes the file up to the moment before it is in its place, and waits there for a line; without one it is killed."""


def _stopped(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", _STOPPED, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdout.readline() == b"\n"
    return process


def _others(folder: Path, *known: str) -> set[str]:
    return set(os.listdir(folder)) - {"x.pine", ".pinebench-mine.tmp", *known}


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_writes_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.files.atomic_writes._swept", set())
    path = tmp_path / "x.pine"
    path.write_bytes(b"old")
    (tmp_path / ".pinebench-mine.tmp").write_bytes(b"a person's file")
    killed = _stopped(path)
    left = _others(tmp_path)
    killed.communicate(timeout=60)
    assert (killed.returncode, len(left)) == (-signal.SIGKILL, 1)
    living = _stopped(path)
    being_written = _others(tmp_path, *left)
    assert len(being_written) == 1
    assert _others(tmp_path) == being_written  # the living one has swept what the killed one left
    files.create(tmp_path / "y.pine", b"")
    assert _others(tmp_path) == {"y.pine"} | being_written
    assert path.read_bytes() == b"old"
    living.communicate(b"on\n", timeout=60)
    assert _others(tmp_path) == {"y.pine"}


def test_a_write_whose_new_file_was_swept_at_once_tries_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pinebench.files import atomic_writes

    tries: list[int] = []

    def held(file: object) -> bool:
        tries.append(1)
        return len(tries) > 2

    monkeypatch.setattr(atomic_writes, "_hold", held)
    files.write_atomically(tmp_path / "x.pine", b"new")
    assert (len(tries), os.listdir(tmp_path)) == (3, ["x.pine"])


def test_a_file_is_removed_only_with_the_content_that_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program may write the file at any moment: before the comparison, and between it and the removal."""
    monkeypatch.chdir(tmp_path)
    path, rename = tmp_path / "x.pine", os.rename

    def between(*does: Callable[[], object]) -> None:
        """Let another program write right before the file gets another name, and right after."""
        steps = iter(does)

        def renamed(source: str, target: str) -> None:
            next(steps, int)()
            rename(source, target)
            next(steps, int)()

        monkeypatch.setattr(os, "rename", renamed)

    def link() -> None:
        path.unlink(missing_ok=True)
        path.symlink_to(tmp_path / "theirs")

    def folder() -> None:
        path.unlink()
        path.mkdir()

    (tmp_path / "theirs").write_bytes(b"old")
    theirs = {"theirs": b"old"}
    cases: list[tuple[tuple[Callable[[], object], ...], str, dict[str, bytes]]] = [
        ((), "", theirs),
        ((lambda: path.write_bytes(b"new"),), "left alone", {**theirs, "x.pine": b"new"}),
        ((lambda: path.write_bytes(b"new"), lambda: path.write_bytes(b"newer")), "changed twice",
         {**theirs, "x.pine": b"newer", "aside": b"new"}),
        ((int, lambda: path.write_bytes(b"newer")), "", {**theirs, "x.pine": b"newer"}),
        ((link,), "left alone", {**theirs, "x.pine": b"old"}),
        ((folder,), "left alone", theirs),
        ((path.unlink,), "cannot be removed: no such file", theirs),
    ]  # fmt: skip
    for does, words, left in cases:
        path.write_bytes(b"old")
        between(*does)
        if words:
            with pytest.raises(UsageError, match=words):
                files.remove("x.pine", b"old")
        else:
            files.remove("x.pine", b"old")
        monkeypatch.setattr(os, "rename", rename)
        found = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
        assert {"aside" if name.endswith(".removed") else name: data for name, data in found.items()} == left
        assert path.is_symlink() == (does == (link,)) and path.is_dir() == (does == (folder,))
        for each in tmp_path.iterdir():
            if each.name != "theirs":
                each.rmdir() if each.is_dir() else each.unlink()
    link()
    for before in (b"old", b"other"):
        with pytest.raises(files.ChangedFile, match="left alone"):
            files.remove(path, before)
    assert path.is_symlink() and (tmp_path / "theirs").read_bytes() == b"old"

"""Whether a text is safe on disk is decided by the content, and a replaced file is compared before it is replaced."""

import os
from pathlib import Path

import pytest

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import atomic_writes, file_states, regular_files


def _aged(path: Path) -> None:
    """Make the last change of a file old enough for its stamp to be trusted, as far as its own time can do that."""
    os.utime(path, ns=(10**18, 10**18))


def test_a_stamp_belongs_to_the_content_that_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pine"
    path.write_bytes(b"first")
    read_open = regular_files.read_open

    def read_and_then_written(*given: object) -> bytes:
        data = read_open(*given)  # type: ignore[arg-type]
        monkeypatch.setattr(file_states, "read_open", read_open)
        path.write_bytes(b"second")
        return data

    # Another program writes right after the reading: the old content never gets the stamp of the new one.
    monkeypatch.setattr(file_states, "read_open", read_and_then_written)
    state = files.read_state(path)
    assert state.data == b"second" or files.compare(path, state)[0] == "changed"
    monkeypatch.setattr(file_states, "read_open", lambda *given: path.write_bytes(os.urandom(9)) and b"never the same")
    assert files.read_state(path).stamp is None


def test_two_contents_with_one_time_and_size_differ(tmp_path: Path) -> None:
    path = tmp_path / "a.pine"
    path.write_bytes(b"A")
    _aged(path)
    for state in (files.read_state(path), files.FileState(b"A", files.stamp_of(path))):
        with path.open("r+b") as file:
            file.write(b"Z")
        _aged(path)
        assert files.compare(path, state)[0] == "changed"
        with path.open("r+b") as file:
            file.write(b"A")
        _aged(path)
        assert files.compare(path, state)[0] == "same"


def test_a_young_stamp_is_not_trusted_and_an_old_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pine"
    path.write_bytes(b"A")
    assert files.read_state(path).stamp is None
    stamp = files.stamp_of(path)
    assert stamp is not None
    assert not stamp.is_settled(stamp.status_changed / 1e9 + 1)
    now = stamp.status_changed / 1e9 + file_states.SETTLED_SECONDS + 1
    monkeypatch.setattr(file_states.time, "time", lambda: now)
    state = files.read_state(path)
    assert (state.data, state.stamp) == (b"A", stamp)
    monkeypatch.setattr(file_states, "read_state", None)  # a trusted stamp needs no reading
    assert files.compare(path, state) == ("same", state)


def test_gone_new_and_unreadable_files(tmp_path: Path) -> None:
    path = tmp_path / "a.pine"
    assert files.compare(path, None) == ("same", None)
    path.write_bytes(b"theirs")
    assert files.compare(path, None)[0] == "changed"
    state = files.read_state(path)
    path.unlink()
    assert files.compare(path, state)[0] == "gone"
    path.mkdir()
    assert files.compare(path, state)[0] == "changed"


@pytest.mark.parametrize("before", [b"old", None])
def test_what_somebody_writes_while_a_file_is_replaced_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None
) -> None:
    path = tmp_path / "a.pine"
    if before is not None:
        path.write_bytes(before)
    fill = atomic_writes._fill

    def and_then_theirs(*given: object) -> None:
        fill(*given)  # type: ignore[arg-type]
        path.write_bytes(b"theirs")

    monkeypatch.setattr(atomic_writes, "_fill", and_then_theirs)
    with pytest.raises(files.ChangedFile, match="left alone"):
        files.replace(path, b"mine", before)
    assert path.read_bytes() == b"theirs" and os.listdir(tmp_path) == ["a.pine"]


def test_replacing_follows_links_and_refuses_another_content(tmp_path: Path) -> None:
    path, link = tmp_path / "a.pine", tmp_path / "link.pine"
    path.write_bytes(b"old")
    link.symlink_to(path)
    assert files.replace(link, b"new", b"old") is None
    assert link.is_symlink() and path.read_bytes() == b"new"
    for before in (b"old", b"", None):
        with pytest.raises(files.ChangedFile):
            files.replace(link, b"newer", before)
    path.unlink()
    with pytest.raises(files.ChangedFile):
        files.replace(path, b"newer", b"new")
    assert files.replace(path, b"made", None) is None and path.read_bytes() == b"made"


def test_a_mark_tells_contents_with_one_stamp_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    assert files.mark_of(path) is None and not files.differs(path, None, None)
    path.write_bytes(b"A")
    first, stamp = files.mark_of(path), files.stamp_of(path)
    assert first is not None and files.differs(path, None, first) and files.differs(path, first, None)
    monkeypatch.setattr(file_states, "stamp_of", lambda _: stamp)  # a file system that counts whole seconds
    assert not files.differs(path, first, files.mark_of(path))
    path.write_bytes(b"Z")
    assert files.differs(path, first, files.mark_of(path))
    monkeypatch.setattr(file_states.time, "time", lambda: 10**11)  # long afterwards: the stamp alone is the mark
    later = files.mark_of(path)
    assert later is not None and later.digest is None
    assert files.differs(path, first, later) and not files.differs(path, later, files.mark_of(path))


def test_no_change_of_somebody_else_is_lost_when_a_file_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "list"
    seen: list[bytes | None] = []

    def more(data: bytes | None) -> bytes:
        seen.append(data)
        if len(seen) in (1, 2):
            path.write_bytes(b"theirs %d " % len(seen))
        return (data or b"") + b"mine"

    files.change(path, more)
    assert seen == [None, b"theirs 1 ", b"theirs 2 "] and path.read_bytes() == b"theirs 2 mine"
    with pytest.raises(UsageError, match="keeps writing it"):
        files.change(path, lambda _: b"never" if path.write_bytes(os.urandom(8)) else b"")

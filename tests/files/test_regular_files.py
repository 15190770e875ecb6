"""The reader: whatever stands at a path, reading it ends, soon, with its text or one sentence."""

import io
import os
from pathlib import Path

import pytest

from pinebench import files
from pinebench.errors import UsageError
from tests.files.support import make


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("folder", "is a folder, not a file"),
        ("pipe", "is a pipe, not a file"),
        ("socket", "is a socket, not a file"),
        ("device", "is a device, not a file"),
        ("link to a pipe", "is a pipe, not a file"),
        ("link to a device", "is a device, not a file"),
        ("link to a folder", "is a folder, not a file"),
        ("link to nothing", "is a link to .*, which does not exist"),
        ("link to itself", "cannot be read"),
    ],
)
def test_what_is_no_file_is_refused_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=words) as caught:
        files.read(make(kind, tmp_path / "x.pine"))
    assert caught.value.message.startswith(str(tmp_path / "x.pine"))


def test_a_file_is_read_up_to_the_limit_and_one_that_is_larger_is_not(tmp_path: Path) -> None:
    path = tmp_path / "x.pine"
    path.write_bytes(b"a" * 1000)
    assert files.read_bytes(path, limit=1000) == b"a" * 1000
    with pytest.raises(UsageError, match=r"has more than 0\.000999 MB"):
        files.read_bytes(path, limit=999)


def test_a_file_without_end_costs_no_more_than_the_limit() -> None:
    class Endless(io.RawIOBase):
        read_so_far = 0

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            assert size > 0
            self.read_so_far += size
            return bytes(size)

    stream = Endless()
    with pytest.raises(UsageError, match="<stdin> has more than 10 MB"):
        files.read_stream(stream, "<stdin>")  # type: ignore[arg-type]
    assert stream.read_so_far == files.LIMIT + 1


def test_a_stream_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with open(tmp_path / "x.pine", "wb") as stream, pytest.raises(UsageError, match="<stdin> cannot be read"):
        files.read_stream(stream, "<stdin>")


def test_a_pipe_with_nobody_at_its_other_end_is_not_opened(tmp_path: Path) -> None:
    path = make("pipe", tmp_path / "x.pine")
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        os.write(writer, b"for somebody else")
        with pytest.raises(UsageError):
            files.read(path)
        os.close(writer)
        assert os.read(reader, 100) == b"for somebody else"
    finally:
        os.close(reader)


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000, "no/such/folder/x.pine"])
def test_a_name_that_no_file_can_have_is_a_usage_error(path: str) -> None:
    with pytest.raises(UsageError):
        files.read(path)


def test_a_missing_file_has_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(files.MissingFile, match="there is no such file"):
        files.read(tmp_path / "x.pine")


def test_a_file_that_cannot_be_read_is_not_the_one_that_may_be_meant(tmp_path: Path) -> None:
    (tmp_path / "dangling.pine").symlink_to("nowhere.pine")
    with pytest.raises(files.MissingFile) as refused:
        files.read(tmp_path / "dangling.pine")
    assert refused.value.hint is None
    (tmp_path / "dangling2.pine").touch()
    with pytest.raises(files.MissingFile) as refused:
        files.read(tmp_path / "dangling.pine")
    assert "dangling2.pine" in (refused.value.hint or "")


@pytest.mark.parametrize(("written", "there"), [("my.csv", "empty.csv"), ("a.csv", "b.csv"), ("btc.csv", "eth.csv")])
def test_a_common_ending_makes_no_file_the_one_that_may_be_meant(tmp_path: Path, written: str, there: str) -> None:
    (tmp_path / there).touch()
    with pytest.raises(files.MissingFile) as refused:
        files.read_named(tmp_path / written)
    assert refused.value.hint is None


def test_a_missing_file_that_a_person_named_has_a_hint_to_the_one_that_may_be_meant(tmp_path: Path) -> None:
    (tmp_path / "my.csv").write_text("time,open,high,low,close\n")
    (tmp_path / "my.toml").write_text("mintick = 1\n")
    for name, meant in (("my.cvs", "my.csv"), ("my.tml", "my.toml")):
        with pytest.raises(files.MissingFile) as refused:
            files.read_named(tmp_path / name)
        assert refused.value.hint == f"did you mean '{tmp_path / meant}'?"
    with pytest.raises(files.MissingFile) as plain:
        files.read_bytes(tmp_path / "my.cvs")
    assert plain.value.hint is None, "a program that looks for its own file compares no names"

"""Files are read as text or refused in one sentence, and replaced in one step."""

import codecs
import os
from pathlib import Path

import pytest

from pinebench import files
from pinebench.errors import UsageError


@pytest.mark.parametrize(
    "data",
    [
        b"plain\r\nend\r",
        codecs.BOM_UTF8 + "schön".encode(),
        codecs.BOM_UTF16_LE + "schön 😀".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "schön 😀".encode("utf-16-be"),
        b"",
        codecs.BOM_UTF8,
    ],
)
def test_a_text_is_written_back_as_the_bytes_it_came_from(data: bytes) -> None:
    decoded = files.decode(data, "script")
    assert not decoded.text.startswith("\ufeff")
    assert decoded.encode(decoded.text) == data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"abc\xff", "script is not UTF-8 text: byte 0xff at offset 3"),
        (codecs.BOM_UTF8 + b"a\xff", "script is not UTF-8 text: byte 0xff at offset 4"),
        (codecs.BOM_UTF16_LE + b"a\x00b", "script is not UTF-16-LE text: byte 0x62 at offset 4"),
    ],
)
def test_bytes_that_are_no_text_are_named_with_their_place(data: bytes, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        files.decode(data, "script")
    assert caught.value.message == words


def test_replacing_keeps_permissions_and_links(tmp_path: Path) -> None:
    target = tmp_path / "target.pine"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link = tmp_path / "link.pine"
    link.symlink_to(target)
    files.write_atomically(str(link), b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.pine", "target.pine"]


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    files.write_atomically(str(tmp_path / "new.pine"), b"new")
    usual = tmp_path / "usual.pine"
    usual.write_bytes(b"")
    assert (tmp_path / "new.pine").stat().st_mode == usual.stat().st_mode


def test_what_cannot_be_written_is_a_clear_mistake_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        files.write_atomically(str(tmp_path / "folder"), b"text")
    with pytest.raises(UsageError, match="cannot be written"):
        files.write_atomically(str(tmp_path / "nowhere" / "new.pine"), b"text")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_folder_is_no_script(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder, not a file"):
        files.read(str(tmp_path))


def test_a_private_folder_is_its_owners_alone_with_all_that_is_in_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("x")
    outside.chmod(0o644)
    folder = tmp_path / "state" / "runs"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a.jsonl").write_text("x")
    (folder / "link").symlink_to(outside)
    for path in (folder, folder / "inner"):
        path.chmod(0o755)
    (folder / "inner" / "a.jsonl").chmod(0o644)

    files.private_folder(str(folder))

    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, folder / "inner", folder / "inner/a.jsonl")}
    assert modes == {"runs": 0o700, "inner": 0o700, "a.jsonl": 0o600}
    assert outside.stat().st_mode & 0o777 == 0o644

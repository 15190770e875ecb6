"""What a file held is kept, once, where only its owner can read it."""

import os
import stat
from pathlib import Path

import pytest

from pinebench.files import originals


def test_each_content_is_kept_once_and_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    first = originals.keep("some/my.pine", b"one")
    assert originals.keep("some/my.pine", b"one") == first
    other = originals.keep("some/my.pine", b"other")
    assert other != first
    assert (Path(first).read_bytes(), Path(other).read_bytes()) == (b"one", b"other")
    assert stat.S_IMODE(os.stat(os.path.dirname(first)).st_mode) == 0o700


def test_a_copy_that_a_person_has_changed_does_not_count_as_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    first = Path(originals.keep("my.pine", b"one"))
    first.write_bytes(b"one, and more")
    second = Path(originals.keep("my.pine", b"one"))
    assert (first.read_bytes(), second.read_bytes()) == (b"one, and more", b"one")
    assert originals.keep("my.pine", b"one") == str(second)


def test_the_longest_name_of_any_letters_has_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    assert Path(originals.keep("\u8d8b" * 83 + ".pine", b"one")).read_bytes() == b"one"

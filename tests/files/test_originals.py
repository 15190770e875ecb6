"""What a file held is kept, once, where only its owner can read it."""

from __future__ import annotations

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

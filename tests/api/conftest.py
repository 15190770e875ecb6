"""Gives each test folders of its own for what is kept."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state folder of the test's own: a sweep that another process runs at the same time is refused."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))

"""Sweeps are kept in a state folder of each test's own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state folder of the test's own."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))

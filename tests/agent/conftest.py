"""What the tests of conversations share."""

from pathlib import Path

import pytest

from tests.authoring.support import isolate


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, where it works and keeps its state."""
    isolate(monkeypatch, tmp_path)
    return tmp_path

"""A client of the debug adapter and a script for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.debugger.client import Client


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


@pytest.fixture
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file with the script SCRIPT of the test's module."""
    file = tmp_path / "debugged.pine"
    file.write_text(request.module.SCRIPT, "utf-8")
    return file

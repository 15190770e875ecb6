"""A client of the debug adapter for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.debugger.client import Client


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()

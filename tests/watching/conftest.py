"""Fixtures for tests of watching."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pinebench.studio.session import Session
from pinebench.watching import watcher
from tests.studio.support import Driver, Tabs
from tests.tradingview.support import patience, start_browser


@pytest.fixture(autouse=True)
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll often, so that tests need not wait for the second that a person does."""
    monkeypatch.setattr(watcher, "POLL_SECONDS", 0.1)


@pytest.fixture(scope="module")
def studio_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A studio's page in a headless browser."""
    launched = start_browser(tmp_path_factory.mktemp("profile"))
    try:
        with patience(), Session() as session:
            tabs = Tabs(launched.port, session)
            yield tabs()
            tabs.close()
    finally:
        launched.stop()

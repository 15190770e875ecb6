"""Fixtures for tests of watching."""

from collections.abc import Iterator

import pytest

from pinebench.cli.watch import watcher
from pinebench.tradingview import browser
from tests.studio.support import Driver, Tabs, studio_session
from tests.tradingview.support import patience


@pytest.fixture(autouse=True)
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll often, so that tests need not wait for the second that a person does."""
    monkeypatch.setattr(watcher, "POLL_SECONDS", 0.1)


@pytest.fixture(scope="module")
def studio_page(chromium: browser.RunningBrowser) -> Iterator[Driver]:
    """A studio's page in a headless browser."""
    with patience(), studio_session() as session:
        tabs = Tabs(chromium.port, session)
        yield tabs()
        tabs.close()

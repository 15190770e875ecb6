"""Fixtures for tests against a real Chromium: one browser a session, a new tab a test, nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.tradingview import browser
from tests.tradingview.support import Stage, patience, start_browser


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Browsers may take their time."""
    with patience():
        yield


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(folder))
    return folder


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.RunningBrowser]:
    """The session's browser."""
    launched = start_browser(tmp_path_factory.mktemp("profile"))
    yield launched
    launched.stop()


@pytest.fixture
def stage(chromium: browser.RunningBrowser) -> Iterator[Stage]:
    """The session's browser, with tabs of this test's own."""
    staged = Stage(chromium)
    yield staged
    staged.close()

"""Fixtures for tests against a real Chromium: one browser a session, a new tab a test, nothing leaves the machine."""

from collections.abc import Iterator

import pytest

from pinebench.tradingview import browser
from pinebench.tradingview.targets import Target
from tests.tradingview.support import Stage, chromium, close_tab, patient, state

__all__ = ["chromium", "patient", "state"]


@pytest.fixture(scope="module")
def spare_tabs(chromium: browser.RunningBrowser) -> Iterator[list[Target]]:
    """The tabs that tests of a module load one after another; for a module that does not look at the list of tabs."""
    kept: list[Target] = []
    yield kept
    for target in kept:
        close_tab(chromium.port, target)


@pytest.fixture
def stage(request: pytest.FixtureRequest, chromium: browser.RunningBrowser) -> Iterator[Stage]:
    """The session's browser, with tabs of this test's own, or the `spare_tabs` of a module that uses them."""
    spare = request.getfixturevalue("spare_tabs") if "spare_tabs" in request.fixturenames else None
    staged = Stage(chromium, spare)
    yield staged
    staged.close()

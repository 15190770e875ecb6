"""Fixtures for tests in a real Chromium: a studio and a tab for each test or for a module."""

from collections.abc import Iterator

import pytest

from pinebench.studio.session import StudioSession
from pinebench.tradingview import browser
from tests.studio.support import Driver, Tabs, clear, studio_session
from tests.tradingview.support import patient, state

__all__ = ["patient", "state"]


@pytest.fixture
def session() -> Iterator[StudioSession]:
    """A studio with fresh contents, in memory."""
    with studio_session() as running:
        yield running


@pytest.fixture
def open_page(chromium: browser.RunningBrowser, session: StudioSession) -> Iterator[Tabs]:
    """Opens the studio's page with faults: `open_page(staleNode=True)`."""
    tabs = Tabs(chromium.port, session)
    yield tabs
    tabs.close()


@pytest.fixture
def page(request: pytest.FixtureRequest, chromium: browser.RunningBrowser) -> Driver:
    """The page without faults: the module's, cleared; for a test that asks for a `session` too, a fresh page of that.

    To clear a page takes a tenth of the time that a fresh one takes.
    """
    del chromium  # named here, so that the test counts as one that takes a browser
    if "session" in request.fixturenames:
        return request.getfixturevalue("open_page")()
    shared: Driver = request.getfixturevalue("shared")
    clear(shared)
    return shared


@pytest.fixture(scope="module")
def module_page(chromium: browser.RunningBrowser) -> Iterator[Driver]:
    """The page without faults, one for a module; take it by way of `shared`."""
    with studio_session() as running:
        tabs = Tabs(chromium.port, running)
        yield tabs()
        tabs.close()


@pytest.fixture(scope="module")
def module_editor(chromium: browser.RunningBrowser) -> Iterator[Driver]:
    """The page with its editor in reach, one for a module."""
    with studio_session() as running:
        tabs = Tabs(chromium.port, running)
        yield tabs(globalMonaco=True)
        tabs.close()


@pytest.fixture
def shared(module_page: Driver) -> Driver:
    """The module's page, in front, for tests that leave it as it was or do not mind what it holds.

    A tab behind another draws nothing: the editor would show neither its text nor its colours.
    """
    module_page.page.bring_to_front()
    return module_page

"""One browser for the pages of charts."""

from collections.abc import Iterator

import pytest

from pinebench.tradingview import browser
from tests.charts.viewing import Viewer
from tests.tradingview.support import patience, start_browser


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.RunningBrowser]:
    """The session's browser."""
    launched = start_browser(tmp_path_factory.mktemp("profile"))
    yield launched
    launched.stop()


@pytest.fixture(scope="session")
def viewer(chromium: browser.RunningBrowser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A tab that shows charts as files."""
    with patience():
        shown = Viewer(chromium.port, tmp_path_factory.mktemp("charts"))
        yield shown
        shown.close()

"""One browser for the pages of charts."""

from collections.abc import Iterator

import pytest

from pinebench.tradingview import browser
from tests.charts.viewing import Viewer
from tests.tradingview.support import chromium, patience

__all__ = ["chromium"]


@pytest.fixture(scope="session")
def viewer(chromium: browser.RunningBrowser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A tab that shows charts as files."""
    with patience():
        shown = Viewer(chromium.port, tmp_path_factory.mktemp("charts"))
        yield shown
        shown.close()

"""Fixtures for tests of tools: a studio, its tab and a `ChartBrowser` for each module."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pinebench.studio.session import StudioSession
from pinebench.tools import timing
from pinebench.tools.chart_browser import ChartBrowser, ToolContext
from pinebench.tools.tool_calls import call
from pinebench.tradingview import browser
from pinebench.tradingview.chart_results import SwitchResult
from tests.studio.support import Driver, Tabs, studio_session
from tests.tradingview.support import LIMIT, patience, state

__all__ = ["state"]


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Browsers may take their time, and studies theirs within a call's."""
    read, act = ToolContext.read, ToolContext.act

    def patiently(work: Any) -> Any:
        def done(at: ToolContext, name: str, argument: dict[str, Any] | None = None, timeout: float = LIMIT) -> Any:
            return work(at, name, argument, max(timeout, LIMIT))

        return done

    with patience(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(ToolContext, "read", patiently(read))
        patch.setattr(ToolContext, "act", patiently(act))
        patch.setattr("pinebench.tools.timing.COMPUTED_MS", LIMIT * 500)
        patch.setattr("pinebench.tools.layout.LOAD_SECONDS", LIMIT)
        yield


@contextmanager
def hardly_waiting_for(symbol: str) -> Iterator[None]:
    """Give up soon on a symbol that never comes; all others have as long as they may take on a busy machine."""
    switch = timing.switch

    def quick(at: ToolContext, wanted: str | None, timeframe: str | None) -> SwitchResult:
        with pytest.MonkeyPatch.context() as patch:
            if wanted == symbol:
                patch.setattr(timing, "READY_MS", 500)
            return switch(at, wanted, timeframe)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timing, "switch", quick)
        yield


class Bench:
    """A studio's page in a tab, and tools that drive it."""

    def __init__(self, driver: Driver, session: StudioSession) -> None:
        self.driver = driver
        self.session = session
        self.chart_browser = ChartBrowser(port=driver.port, target=driver.tab)

    def call(self, name: str, /, **arguments: object) -> dict[str, Any]:
        """The object that a call gives, whatever it says."""
        return call(self.chart_browser, name, arguments)

    def use(self, name: str, /, **arguments: object) -> dict[str, Any]:
        """The result of a call that must go well."""
        result = self.call(name, **arguments)
        assert result["success"], result
        return result

    def refused(self, name: str, /, **arguments: object) -> str:
        """The error of a call that must fail."""
        result = self.call(name, **arguments)
        assert not result["success"], result
        return result["error"]

    def js(self, expression: str) -> Any:
        """The value of an expression on the page."""
        return self.driver.js(expression)


@pytest.fixture(scope="module")
def bench(chromium: browser.RunningBrowser) -> Iterator[Bench]:
    """One page for the tests of a module."""
    with studio_session() as session:
        tabs = Tabs(chromium.port, session)
        made = Bench(tabs(), session)
        yield made
        made.chart_browser.close()
        tabs.close()


@pytest.fixture
def use(bench: Bench) -> Any:
    """Call a tool that must go well: `use("quote_get")`."""
    bench.driver.page.bring_to_front()
    return bench.use


@pytest.fixture
def refused(bench: Bench) -> Any:
    """Call a tool that must fail, and get its error."""
    return bench.refused

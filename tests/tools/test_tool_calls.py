"""Calls of tools that share a page: none reads the chart while another call may show something else on it."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.tools.chart_browser import ChartBrowser, ToolContext
from pinebench.tools.registry import Tool
from pinebench.tools.tool_calls import answer


def _look(_: ToolContext) -> dict[str, Any]:
    return {"looked": True}


LOOK = Tool("health", "Look at the page.", name="look", function=_look)
"""A tool that only reads a page."""


@pytest.fixture
def chart_browser() -> Iterator[ChartBrowser]:
    """A browser that is never reached."""
    with ChartBrowser(port=9) as made:
        yield made


@pytest.fixture
def busy(chart_browser: ChartBrowser) -> Iterator[threading.Event]:
    """Another thread in which batch_run works on the page until the event is set."""
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        with chart_browser.connection().held("batch_run"):
            begun.set()
            done.wait()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    yield done
    done.set()
    thread.join()


@pytest.mark.usefixtures("busy")
def test_a_read_is_refused_while_another_call_works_on_the_page(
    chart_browser: ChartBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tradingview.connection.HELD_SECONDS", 0.0)
    result = answer(chart_browser, LOOK).result
    assert result["success"] is False
    assert result["error"].startswith("batch_run is still working on the page")
    assert "cancel it" in result["hint"]


@pytest.mark.usefixtures("busy")
def test_a_read_that_waits_for_another_call_can_be_cancelled(chart_browser: ChartBrowser) -> None:
    looks = iter([False, True])
    result = answer(chart_browser, LOOK, context=Context(cancelled=lambda: next(looks, True))).result
    assert result["error"] == "the work was cancelled"


def test_a_read_waits_until_the_other_call_is_finished(chart_browser: ChartBrowser, busy: threading.Event) -> None:
    def waits() -> bool:
        busy.set()
        return False

    assert answer(chart_browser, LOOK, context=Context(cancelled=waits)).result == {"success": True, "looked": True}


def test_a_call_inside_a_call_does_not_wait_for_itself(chart_browser: ChartBrowser) -> None:
    with chart_browser.connection().held("brief"):
        assert answer(chart_browser, LOOK).result["success"] is True

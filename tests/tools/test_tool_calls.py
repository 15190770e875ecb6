"""Calls of tools: those that share a page take turns, and what was done before the time limit is told after it."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.tools import batch, timing
from pinebench.tools.chart_browser import ChartBrowser, ToolContext
from pinebench.tools.registry import Tool
from pinebench.tools.tool_calls import answer
from pinebench.tradingview.connection import Connection
from tests.tradingview.support import LIMIT


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


def test_what_was_done_is_not_told_as_a_failure_when_the_time_ends_just_after_it(
    chart_browser: ChartBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def origin(_: Connection, context: Context | None = None) -> str:
        assert context is not None
        context.check()
        return "tradingview"

    def order(at: ToolContext) -> dict[str, Any]:
        at.context.deadline = 0.0
        return {"done": True}

    monkeypatch.setattr(Connection, "origin", origin)
    result = answer(chart_browser, Tool("replay", "Trade.", prices=True, name="order", function=order)).result
    assert result == {"success": True, "done": True}


@pytest.mark.parametrize(
    ("tool", "good", "left"),
    [
        (lambda at: batch.batch_run(at, ["A", "B", "C"]), "results", "failed"),
        (lambda at: batch.scan_symbols(at, ["A", "B", "C"]), "matches", "failed"),
        (lambda at: batch.compare_symbols(at, ["A", "B", "C"]), "symbols", "failed"),
    ],
    ids=["batch_run", "scan_symbols", "compare_symbols"],
)
def test_rows_that_were_read_stay_if_the_time_ends_before_the_last_one(
    chart_browser: ChartBrowser, monkeypatch: pytest.MonkeyPatch, tool: Any, good: str, left: str
) -> None:
    at = ToolContext(chart_browser, Context.within(LIMIT), None)
    bar = {"time": 0, "open": 1.0, "high": 2.0, "low": 1.0, "close": 2.0, "volume": None}

    def show(_: ToolContext, symbol: str, __: str | None) -> dict[str, str]:
        at.context.check()
        return {"symbol": symbol, "resolution": "1D"}

    def bars(*_: object, **__: object) -> dict[str, Any]:
        at.context.deadline = 0.0
        return {"symbol": "A", "bars": [bar]}

    monkeypatch.setattr(batch, "kept", lambda *_, **__: contextlib.nullcontext(timing.KeptChart()))
    monkeypatch.setattr(batch, "show", show)
    monkeypatch.setattr(batch, "data_get_study_values", lambda _: {"studies": []})
    monkeypatch.setattr(batch.data, "data_get_ohlcv", bars)
    monkeypatch.setitem(batch._ACTIONS, "quote", bars)
    told = tool(at)
    rows = told[good] if good != "results" else [row for row in told[good] if row["success"]]
    assert [row["symbol"] for row in rows] == ["A"]
    assert told[left] == (2 if good == "results" else dict.fromkeys("BC", "the time limit for this was reached"))

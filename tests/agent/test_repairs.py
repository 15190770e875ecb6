"""Repairs of failed calls: what the connection really raises is recognised."""

from typing import Any

import pytest

from pinebench.agent import repairs
from pinebench.context import Context
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import ToolOutcome
from pinebench.tradingview.errors import ConnectionFailed, ConnectionLost, NoChart, PageBusy


def _failed(cause: Exception) -> Exception:
    try:
        raise ConnectionFailed(str(cause), "look") from cause
    except ConnectionFailed as error:
        return error


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (_failed(NoChart("no chart is open")), 2),
        (_failed(PageBusy("a dialog blocks it")), 2),
        (_failed(ConnectionRefusedError("nobody listens")), 1),
        (ConnectionLost("it was closed"), 1),
    ],
)
def test_a_page_that_still_loads_is_waited_for(error: Exception, calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(_: object, tool: registry.Tool, *rest: Any) -> ToolOutcome:
        asked.append(tool.name)
        return ToolOutcome({"success": False}, error=error) if len(asked) == 1 else ToolOutcome({"success": True})

    monkeypatch.setattr(repairs, "answer", answer)
    tool = registry.find("chart_set_symbol")
    outcome = repairs.performed(ChartBrowser(port=9), tool, {"symbol": "AAPL"}, Context(), wait=0.0)
    assert (len(asked), outcome.result["success"]) == (calls, calls == 2)

"""Repairs the cause of a failed call: it opens a closed panel, or waits for a chart that is still loading."""

from __future__ import annotations

from typing import Any

from pinebench.context import Context
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import Tool
from pinebench.tools.tool_calls import ToolOutcome, ToolRefused, answer

TRIES = 2
"""The number of times that a call is tried again after a repair."""
WAIT_SECONDS = 1.0
"""The wait for a chart that is not ready."""

_PANELS = {"pine": "pine-editor", "strategy": "strategy-tester", "data": "trading"}
"""The panel that the tools of a group need."""


def performed(
    chart_browser: ChartBrowser, tool: Tool, arguments: dict[str, Any], context: Context, wait: float = WAIT_SECONDS
) -> ToolOutcome:
    """Call `tool`. If something that it needs is missing, repair that and repeat the call, at most TRIES times. `wait`
    is the longest time to wait for a chart, in seconds. A call that may have had an effect is not repeated."""
    outcome = answer(chart_browser, tool, arguments, context)
    for _ in range(TRIES):
        if not _repaired(chart_browser, tool, arguments, outcome.error, context, wait):
            break
        outcome = answer(chart_browser, tool, arguments, context)
    return outcome


def _repaired(
    chart_browser: ChartBrowser,
    tool: Tool,
    arguments: dict[str, Any],
    error: Exception | None,
    context: Context,
    wait: float,
) -> bool:
    """Repair the cause of `error` if that is possible, and return whether the call is worth another try."""
    from pinebench.tradingview.errors import ConnectionFailed, EditorNotFound, NoChart, PageBusy, PathMissing

    if isinstance(error, EditorNotFound):
        return _open(chart_browser, "pine-editor", arguments, context)
    if isinstance(error, ConnectionFailed) and isinstance(error.__cause__, NoChart | PageBusy):
        context.sleep(wait)  # the call has not begun
        return True
    if tool.changes:
        # Anything else may have happened after a part of the work.
        return False
    if isinstance(error, PathMissing):
        context.sleep(wait)
        return True
    if isinstance(error, ToolRefused) and "ui_open_panel" in (error.hint or "") and tool.group in _PANELS:
        return _open(chart_browser, _PANELS[tool.group], arguments, context)
    if isinstance(error, ToolRefused) and error.message.startswith("the chart has no bars"):
        context.sleep(wait)
        return True
    return False


def _open(chart_browser: ChartBrowser, panel: str, arguments: dict[str, Any], context: Context) -> bool:
    target = {"target": arguments["target"]} if "target" in arguments else {}
    return answer(chart_browser, "ui_open_panel", {"panel": panel, **target}, context).result["success"]

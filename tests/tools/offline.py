"""Calls of tools that need no chart."""

from typing import Any

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call


def use(name: str, /, **arguments: object) -> dict[str, Any]:
    """The result of a call that must go well."""
    result = call(ChartBrowser(port=9), name, arguments)
    assert result["success"], result
    return result


def refused(name: str, /, **arguments: object) -> str:
    """The error of a call that must fail."""
    result = call(ChartBrowser(port=9), name, arguments)
    assert not result["success"], result
    return result["error"]

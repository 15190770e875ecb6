"""Every result of a script that runs with pinebench's own version of a published library says so."""

import json
from typing import Any

from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call

NOTE = "TradingView/ta/8 is pinebench's own version of this published library"
INDICATOR = """//@version=6
indicator("x", overlay = true)
import TradingView/ta/8 as t
plot(t.changePercent(close, close[1]), "C")
"""
STRATEGY = """//@version=6
strategy("x", overlay = true)
import TradingView/ta/8 as t
int n = input.int(2, "N")
float moved = t.changePercent(close, close[n])
if moved > 0
    strategy.entry("L", strategy.long)
else
    strategy.close("L")
plot(moved, "C")
"""
BARS, OTHERS = "sample:AAPL@1Dx80", "sample:MSFT@1Dx80"

CALLS: dict[str, dict[str, Any]] = {
    "pine_run": {"source": INDICATOR, "data": BARS},
    "pine_backtest": {"source": STRATEGY, "data": BARS},
    "pine_indicator_values": {"source": INDICATOR, "data": BARS},
    "pine_repaint_check": {"source": INDICATOR, "data": BARS},
    "pine_audit_strategy": {"source": STRATEGY, "data": BARS},
    "pine_profile": {"source": INDICATOR, "data": BARS},
    "pine_inspect": {"source": INDICATOR, "data": BARS, "bar": 30},
    "pine_why": {"source": STRATEGY, "data": BARS, "expression": "moved", "bar": 30},
    "pine_optimize": {"source": STRATEGY, "data": BARS, "ranges": ["N=1:3"]},
    "pine_walk_forward": {"source": STRATEGY, "data": BARS, "ranges": ["N=1:2"], "windows": "train=6W test=3W"},
    "pine_screen": {"source": INDICATOR, "folder": "sample", "symbols": "AAPL", "where": "last(C) > -100"},
    "pine_portfolio": {"source": STRATEGY, "members": [BARS, OTHERS]},
    "quant_tearsheet": {"source": STRATEGY, "data": BARS},
    "generate_chart": {"indicators": [{"pine": INDICATOR}], "format": "summary", "data": BARS},
    "get_indicators": {"indicators": [{"pine": INDICATOR}], "symbol": BARS},
}
"""Calls of the tools that run a script."""

RUN_NOTHING = {
    *("pine_analyze", "pine_lint", "pine_format", "pine_fix", "pine_migrate", "pine_check", "pine_parameters"),
    *("pine_set_source", "script_save"),
}
"""Tools that take a script and do not run it."""

ON_A_PAGE = {"pine_verify", "pine_verify_save"}
"""Tools that run a script which is on the page (tests/verification)."""


def test_every_tool_that_runs_a_script_names_the_libraries_that_were_replaced() -> None:
    taking = {name for name, tool in registry.tools().items() if {"source", "indicators"} & set(tool.arguments)}
    assert taking == {*CALLS, *RUN_NOTHING, *ON_A_PAGE}
    browser, silent = ChartBrowser(port=9), []
    for name, given in CALLS.items():
        told = call(browser, name, given)
        if not told["success"] or json.dumps(told).count(NOTE) == 0:
            silent.append((name, told.get("error"), told.get("hint")))
    assert silent == []


def test_a_script_that_replaces_nothing_gets_no_note() -> None:
    plain = INDICATOR.replace("import TradingView/ta/8 as t\n", "").replace("t.changePercent(close, close[1])", "close")
    assert "own version" not in json.dumps(call(ChartBrowser(port=9), "pine_repaint_check", {"source": plain}))

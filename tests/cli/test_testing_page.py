"""The report of a back-test as a page: it stands alone, and nothing that a script says becomes code."""

from __future__ import annotations

import json
import re

import pytest

from pinebench.checker import open_program
from pinebench.cli import testing_page
from pinebench.execution.backtest import backtest
from pinebench.market.bars import Bars, SymbolInfo

HOSTILE = "</script><script>alert(1)</script><!--"
SCRIPT = f"""//@version=6
strategy("S", initial_capital = 1000000, default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index == 0
    strategy.entry("L", strategy.long, comment = "{HOSTILE}")
if bar_index == 1
    strategy.close("L")
"""
DAY = 86_400_000


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(testing_page, "chart_library", lambda: "var LightweightCharts = {};")
    monkeypatch.setattr(testing_page, "built", lambda _name: "var formats = {};")
    prices = [10.0, 11.0, 12.0]
    bars = Bars([0, DAY, 2 * DAY], prices, [12.0] * 3, [9.0] * 3, prices, [1.0] * 3)
    return testing_page.page(backtest(open_program(SCRIPT), bars, SymbolInfo(timeframe="1D")), f"my{HOSTILE}.pine")


def test_everything_is_in_the_page(shown: str) -> None:
    data = json.loads(re.findall(r'<script id="data" type="application/json">(.*?)</script>', shown, re.DOTALL)[0])
    assert data["trades"][0]["entry_signal"] == HOSTILE
    assert data["equity"] == [1_000_000, 1_000_000, 1_000_001]
    assert data["bars"]["close"] == [10, 11, 12]
    assert [each["by"] for each in data["groups"]] == ["Signal", "Weekday"]
    assert not re.findall(r"""(?:src|href)=["']""", shown)
    assert "%" + "CHARTS%" not in shown and "var LightweightCharts" in shown


def test_nothing_that_a_script_says_becomes_code(shown: str) -> None:
    assert HOSTILE not in shown
    assert len(re.findall("<script", shown)) == 4
    assert "connect-src" not in shown and "default-src 'none'" in shown

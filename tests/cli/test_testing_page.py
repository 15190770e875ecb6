"""The report of a back-test as a page: it stands alone, and nothing that a script says becomes code."""

import json
import re

import pytest

from pinebench.backtesting.backtest import backtest
from pinebench.checker import open_program
from pinebench.cli import testing_page
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


def test_the_drawdown_of_the_cards_is_the_one_of_the_curve_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One definition for both, at closes. The other one, from realized equity, has a name of its own in the table."""
    monkeypatch.setattr(testing_page, "chart_library", lambda: "")
    monkeypatch.setattr(testing_page, "built", lambda _name: "")
    closes = [10.0, 11.0, 15.0, 7.0, 9.0, 20.0]
    bars = Bars([k * DAY for k in range(6)], closes, [30.0] * 6, [1.0] * 6, closes, [1.0] * 6)
    tested = backtest(open_program(SCRIPT.replace("== 1", "== 4")), bars, SymbolInfo(timeframe="1D"))
    page = testing_page.page(tested, "my.pine")
    data = json.loads(re.findall(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)[0])
    peak, largest = data["report"]["initial_capital"], 0.0
    for equity in data["equity"]:
        peak = max(peak, equity)
        largest = max(largest, peak - equity)
    assert largest == data["report"]["max_drawdown_close"] == 8.0
    assert data["report"]["max_drawdown"] == 10.0  # from the entry at 11 to the low of 1
    assert ["Largest drawdown at closes", "8.00"] in [card[:2] for card in data["cards"]]
    titles = {one["name"]: one["title"] for one in data["account"]}
    assert titles["max_drawdown_close"] == "Largest drawdown at closes"
    assert titles["max_drawdown"] == "Largest drawdown from realized equity"
    assert "let peak = data.report.initial_capital;" in page

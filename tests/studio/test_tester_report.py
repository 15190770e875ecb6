"""The results of a back-test as the studio's page gets them."""

import pytest

from pinebench.backtesting.backtest import backtest
from pinebench.checker import open_program
from pinebench.market.bars import SymbolInfo
from pinebench.studio.tester_report import told
from tests.runtime.running import bars_of

SCRIPT = """//@version=6
strategy("S", default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index == 1
    strategy.entry("Long", strategy.long)
"""


@pytest.mark.parametrize("first", [0.0, -2.0])
def test_an_entry_at_a_price_that_is_not_positive_has_no_buy_and_hold(first: float) -> None:
    """A spread may cost nothing: the curve divided by its price, and the figure beside it says that there is none."""
    prices = bars_of([first, first, first, 3.0])
    report = told(backtest(open_program(SCRIPT), prices, SymbolInfo(timeframe="15")))
    assert report is not None and report["trades"][0]["e"]["p"] == first
    assert report["buyHold"] == report["curve"]["buyHold"] == []
    assert "buyHoldReturn" not in report["performance"]

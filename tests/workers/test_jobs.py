"""What a worker does for a request uses all of the request."""

from datetime import date
from typing import Any

from pinebench.market import SymbolInfo
from pinebench.workers.jobs import explained
from pinebench.workers.request import Request
from tests.runtime.running import START, bars_of

DAY = 86_400_000
SIZED = """//@version=6
strategy("x")
if bar_index == 1
    strategy.entry("Long", strategy.long)
if strategy.position_size > 1
    strategy.close("Long")
plot(close)
"""
DATED = """//@version=6
indicator("x")
limit = input.int(0)
if time >= limit
    alert("late")
plot(close)
"""
PRICES = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0]
SYMBOL = SymbolInfo(timeframe="1D")


def idle(source: str, **more: Any) -> list[str]:
    """The blocks that never ran, as the summary describes them."""
    bars = bars_of(PRICES, minutes=1440)
    return [words for words, _ in explained(Request(source, bars, SYMBOL, **more)).idle]


def test_a_description_is_of_a_run_with_the_days_defaults() -> None:
    (words,) = idle(SIZED, as_of=date(2026, 1, 1))
    assert words.startswith("line 6 never ran") and "strategy.close" in words
    assert idle(SIZED) == []


def test_a_description_is_of_a_run_with_the_given_properties() -> None:
    fixed = {"default_qty_type": "fixed", "default_qty_value": 1}
    assert len(idle(SIZED, properties=fixed)) == 1
    assert idle(SIZED, properties={**fixed, "default_qty_value": 2}) == []


def test_a_description_ends_where_the_run_ends() -> None:
    inputs = {"limit": START + 3 * DAY}
    assert len(idle(DATED, inputs=inputs, last=START + 3 * DAY)) == 1
    assert idle(DATED, inputs=inputs) == []


def test_a_shape_at_the_price_0_and_an_empty_cell_are_described() -> None:
    source = """//@version=6
indicator("x")
plotshape(bar_index < 2 ? 0 : na, "At", location = location.absolute)
plotshape(bar_index < 2 ? 0 : na, "None", location = location.belowbar)
var board = table.new(position.top_left, 3, 2)
board.cell(1, 0, "name")
board.cell(2, 0, "sum")
board.cell(0, 1, "total")
board.cell(2, 1, "5")
"""
    bars = bars_of(PRICES, minutes=1440)
    lines = explained(Request(source, bars, SYMBOL)).lines
    assert f"plotshape At: shown on 2 of {len(bars)} bars" in lines
    assert f"plotshape None: shown on 0 of {len(bars)} bars" in lines
    assert "table row 0: | name | sum" in lines and "table row 1: total | | 5" in lines

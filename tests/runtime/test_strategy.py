"""A strategy runs without fills, says so, and gives its orders to whoever trades for it."""

from typing import Any

from pinebench.runtime.strategy import NoFills
from tests.runtime.running import run

SCRIPT = """//@version=6
strategy("S", initial_capital = 5000)
if close > 2
    strategy.entry("L", strategy.long, qty = 2, stop = close + 1)
strategy.exit("X", "L", loss = 5)
plot(strategy.position_size)
plot(strategy.closedtrades)
plot(strategy.closedtrades.profit(0))
plot(strategy.opentrades.capital_held)
"""


class Book(NoFills):
    """Writes down what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.orders: list[dict[str, Any]] = []
        self.bars: list[tuple[str, int]] = []
        self.position_size = 0.0

    def before_bar(self, i: int) -> None:
        self.bars.append(("before", i))

    def after_bar(self, i: int) -> None:
        self.bars.append(("after", i))

    def entry(self, **order: Any) -> None:
        self.orders.append(order)
        self.position_size += order["qty"]


def test_without_fills_everything_is_flat_and_it_is_said() -> None:
    result = run(SCRIPT, [1.0, 2.0, 3.0])
    assert [output.values for output in result.plots[:2]] == [[0, 0, 0], [0, 0, 0]]
    assert result.plots[2].values[0] != result.plots[2].values[0]
    assert result.notes == ["orders are accepted, but never filled: this run has no broker"]


def test_orders_reach_who_trades_with_all_their_arguments() -> None:
    book = Book()
    result = run(SCRIPT, [1.0, 3.0, 4.0], strategy=book)
    assert result.notes == []
    assert result.plots[0].values == [0, 2, 4]
    assert (book.orders[0]["id"], book.orders[0]["direction"], book.orders[0]["stop"]) == ("L", "long", 4)
    assert book.orders[0]["limit"] != book.orders[0]["limit"]
    assert book.bars == [(when, i) for i in range(3) for when in ("before", "after")]

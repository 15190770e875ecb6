"""The slippage of fills, on both tiers."""

from __future__ import annotations

from pinebench.broker.grid import Grid
from pinebench.broker.orders import LIMIT


class Slippage:
    """Makes the price of each fill worse by a number of ticks, except for limits."""

    __slots__ = ("_grid", "_step")

    def __init__(self, ticks: int, grid: Grid) -> None:
        self._grid = grid
        self._step = ticks * grid.tick

    def expected(self, price: float, side: int) -> float:
        """Return the price that is used to compute a market order's quantity: `price` with slippage, not rounded to a
        tick."""
        return price + side * self._step

    def paid(self, price: float, side: int, reason: int) -> float:
        """Return the price that an order pays if it is filled at `price` for this reason. A limit pays the price
        itself. Other orders, and margin calls, pay the tick that is nearest to the price with slippage."""
        if reason == LIMIT:
            return price
        return self._grid.nearest(price + side * self._step)

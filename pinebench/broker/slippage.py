"""The slippage of fills, on both tiers."""

from __future__ import annotations

from pinebench.broker.grid import Grid
from pinebench.broker.orders import LIMIT


class Slippage:
    """Worsens the price of each fill by a number of ticks, except for limit orders."""

    __slots__ = ("_grid", "_step")

    def __init__(self, ticks: int, grid: Grid) -> None:
        self._grid = grid
        self._step = ticks * grid.tick

    def expected(self, price: float, side: int) -> float:
        """Return the price for computing a market order's quantity: `price` with slippage, not rounded to a tick."""
        return price + side * self._step

    def paid(self, price: float, side: int, reason: int) -> float:
        """Return the fill price of an order that `price` has reached. If `reason` is LIMIT, it is the price itself. For
        other orders, and for margin calls, it is the tick nearest to the price with slippage."""
        if reason == LIMIT:
            return price
        return self._grid.nearest(price + side * self._step)

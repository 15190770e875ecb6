"""What orders pay beside the price that fills them."""

from __future__ import annotations

from pinebench.broker.grid import Grid
from pinebench.broker.orders import CALLED, LIMIT


class Slippage:
    """So many ticks against every order that is not a limit."""

    __slots__ = ("_grid", "_step")

    def __init__(self, ticks: int, grid: Grid) -> None:
        self._grid = grid
        self._step = ticks * grid.tick

    def expected(self, price: float, side: int) -> float:
        """What a market order is sized by: `price` and the slippage, on the grid or not."""
        return price + side * self._step

    def paid(self, price: float, side: int, reason: int) -> float:
        """What an order pays that is filled at `price` for a `reason`: a limit the price itself, others the tick
        nearest to the price and their slippage, a margin call without slippage.
        """
        if reason == LIMIT:
            return price
        return self._grid.nearest(price if reason == CALLED else price + side * self._step)

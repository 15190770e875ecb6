"""The price grid of a symbol: every price of an order lies on a tick, as the decimal that bars are written in."""

from __future__ import annotations

from math import ceil, floor

_ON_GRID = 1e-4
"""How far, in ticks, a price may lie beside the grid and still count as on it."""
_COUNTED = 2.0**52
"""Ticks that a double counts exactly; a price beyond is on the grid as far as can be told."""


class Grid:
    """Rounds prices to ticks of `tick`.

    Ticks are counted as `n / k` with a whole `k` wherever one tick is one k-th: that is the double nearest to the
    decimal, and so equal to the same price in the bars, as `n * tick` is not.
    """

    __slots__ = ("_parts", "_whole", "tick")

    def __init__(self, tick: float) -> None:
        self.tick = tick
        parts = 1 / tick
        self._whole = tick >= 1
        self._parts = float(round(parts)) if not self._whole and abs(parts - round(parts)) < 1e-6 * parts else parts

    def _price(self, ticks: float) -> float:
        return ticks * self.tick if self._whole else ticks / self._parts

    def up(self, price: float) -> float:
        """The tick at or above `price`: buy stops and sell limits."""
        ticks = price * self._parts
        return self._price(ceil(ticks - _ON_GRID)) if -_COUNTED < ticks < _COUNTED else price

    def down(self, price: float) -> float:
        """The tick at or below `price`: sell stops and buy limits."""
        ticks = price * self._parts
        return self._price(floor(ticks + _ON_GRID)) if -_COUNTED < ticks < _COUNTED else price

    def nearest(self, price: float) -> float:
        """The tick nearest to `price`."""
        ticks = price * self._parts
        return self._price(floor(ticks + 0.5)) if -_COUNTED < ticks < _COUNTED else price

    def stop(self, price: float, side: int) -> float:
        """A stop's price: up for one that buys (`side` 1), down for one that sells (-1)."""
        return self.up(price) if side > 0 else self.down(price)

    def limit(self, price: float, side: int) -> float:
        """A limit's price: down for one that buys, up for one that sells."""
        return self.down(price) if side > 0 else self.up(price)

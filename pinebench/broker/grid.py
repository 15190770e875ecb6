"""The price grid of a symbol: rounds prices to ticks, with results equal to the decimal prices of the bars.

The class runs on both tiers, as `Account` does.
"""

from __future__ import annotations

from math import ceil, floor

_ON_GRID = 1e-4
"""A price that is at most this far from a tick, in ticks, counts as on the tick."""
_COUNTED = 2.0**52
"""The largest number of ticks that a double can count exactly. Higher prices are not rounded."""


class Grid:
    """Rounds prices to multiples of `tick`.

    If a tick is 1/k for an integer k, the price of tick n is computed as `n / k`. This is the double nearest to the
    decimal number, so it equals the same price in the bars. `n * tick` can differ from it.
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
        """Return the nearest tick at or above `price`, for buy stops and sell limits."""
        ticks = price * self._parts
        return self._price(ceil(ticks - _ON_GRID)) if -_COUNTED < ticks < _COUNTED else price

    def down(self, price: float) -> float:
        """Return the nearest tick at or below `price`, for sell stops and buy limits."""
        ticks = price * self._parts
        return self._price(floor(ticks + _ON_GRID)) if -_COUNTED < ticks < _COUNTED else price

    def nearest(self, price: float) -> float:
        """Return the tick nearest to `price`."""
        ticks = price * self._parts
        return self._price(floor(ticks + 0.5)) if -_COUNTED < ticks < _COUNTED else price

    def stop(self, price: float, side: int) -> float:
        """Round a stop price: up for a buy (`side` 1), down for a sell (-1)."""
        return self.up(price) if side > 0 else self.down(price)

    def limit(self, price: float, side: int) -> float:
        """Round a limit price: down for a buy (`side` 1), up for a sell (-1)."""
        return self.down(price) if side > 0 else self.up(price)

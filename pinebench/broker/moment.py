"""Where a run has come to: its bar, the newest price, and the script that runs again on fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

NA = float("nan")


class Clock:
    """The number of the bar that runs, -1 before the first."""

    index = -1


class Moment:
    """The bar that runs, and within it the fill on which the script runs, if it runs on one."""

    __slots__ = ("at", "clock", "closes", "leg", "recalculate")

    def __init__(self, closes: Sequence[float]) -> None:
        self.closes = closes
        self.clock: Any = Clock()
        self.at: float | None = None
        """The price of the fill on which the script runs, None at a bar's close."""
        self.leg = -1
        """The point of the path from which on an order is live that the script places now, -1 at a bar's close."""
        self.recalculate: Callable[[], None] | None = None
        """Runs the script again on a fill, where the strategy asks for it."""

    @property
    def bar(self) -> int:
        """The bar that runs."""
        return self.clock.index

    @property
    def price(self) -> float:
        """The newest price: the close when a bar's script runs, that of the fill on which it runs within a bar."""
        if self.at is not None:
            return self.at
        i = self.clock.index
        return self.closes[i] if i >= 0 else NA

    def after_fill(self, price: float, leg: int) -> None:
        """Let the script run again on a fill at `price`; what it places is live from point `leg` of the path on."""
        if self.recalculate is None:
            return
        self.at, self.leg = price, leg
        self.recalculate()
        self.at, self.leg = None, -1

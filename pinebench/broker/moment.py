"""The current moment of a run: the bar, the newest price, and the function that runs the script on fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

NA = float("nan")


class Clock:
    """Holds the index of the current bar in `index`; -1 before the first bar."""

    __slots__ = ("index",)

    def __init__(self) -> None:
        self.index = -1


class Moment:
    """The current bar, and the fill on which the script is running, if there is one."""

    __slots__ = ("at", "clock", "closes", "leg", "recalculate")

    def __init__(self, closes: Sequence[float]) -> None:
        self.closes = closes
        self.clock: Any = Clock()
        self.at: float | None = None
        """The price of the fill on which the script runs, None if it runs at a bar's close."""
        self.leg = -1
        """The point of the path from which an order that the script places now is active; -1 at a bar's close."""
        self.recalculate: Callable[[], None] | None = None
        """Runs the script again on a fill. None if the strategy does not ask for it."""

    @property
    def bar(self) -> int:
        """The index of the current bar."""
        return self.clock.index

    @property
    def price(self) -> float:
        """The newest price: the price of the fill if the script runs on a fill, else the close of the current bar."""
        if self.at is not None:
            return self.at
        i = self.clock.index
        return self.closes[i] if i >= 0 else NA

    def after_fill(self, price: float, leg: int) -> None:
        """Run the script again after a fill at `price`. Orders that the script then places are active from point `leg`
        of the path on."""
        if self.recalculate is not None:
            self.at, self.leg = price, leg
            self.recalculate()
            self.at, self.leg = None, -1

"""Which bars a broker has to look at: those whose prices come to something that waits."""

from __future__ import annotations

FAR = float("inf")


class Gate:
    """Prices between which nothing happens: no order is met, no trailing stop moves, no margin is called.

    A bar needs its broker when its high is at `above` or over it, or its low at `below` or under it.
    """

    __slots__ = ("above", "below", "is_known")

    def __init__(self) -> None:
        self.above, self.below = -FAR, FAR
        self.is_known = False
        """Whether nothing came, went or changed since these prices were found."""

    def forget(self) -> None:
        """Something came, went or changed: let the next bar through, whatever its prices are."""
        self.above = -FAR
        self.is_known = False


class Clock:
    """The number of the bar that runs, -1 before the first."""

    index = -1

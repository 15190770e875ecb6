"""Which bars a broker has to look at: those whose prices come to something that waits."""

from __future__ import annotations

FAR = float("inf")


class Gate:
    """Prices between which nothing happens: no order is met, no trailing stop moves, no margin is called.

    A bar needs its broker when its high is at `above` or over it, or its low at `below` or under it. `highest` and
    `lowest` are those prices on the way through a bar; where every bar has to be seen they are the farther ones.
    """

    __slots__ = ("above", "below", "highest", "is_known", "lowest")

    def __init__(self) -> None:
        self.above, self.below = -FAR, FAR
        self.highest, self.lowest = FAR, -FAR
        self.is_known = False
        """Whether nothing came, went or changed since these prices were found."""

    def forget(self) -> None:
        """Something came, went or changed: let the next bar through, whatever its prices are."""
        self.above = -FAR
        self.is_known = False

    def find(self, highest: float, lowest: float, *, every_bar: bool) -> None:
        """Take the prices that matter until something comes, goes or changes."""
        self.is_known = True
        self.highest, self.lowest = highest, lowest
        self.above, self.below = -FAR if every_bar else highest, lowest

"""Finds the bars that a broker can skip: bars whose prices reach no waiting order, and on which nothing else
happens."""

from __future__ import annotations

FAR = float("inf")


class Gate:
    """A price range in which nothing happens: no order is met, no trailing stop moves, no margin is called.

    The runtime must call the broker on a bar if its high is at least `above`, or its low at most `below`. Within a bar,
    something can happen at prices of at least `highest`, or of at most `lowest`. The two pairs differ only if every bar
    must be looked at: then `above` and `below` let every bar through.
    """

    __slots__ = ("above", "below", "highest", "is_known", "lowest")

    def __init__(self) -> None:
        self.above, self.below = -FAR, FAR
        self.highest, self.lowest = FAR, -FAR
        self.is_known = False
        """Whether the prices still hold: no order, exit or rule was added, removed or changed since `find`."""

    def forget(self) -> None:
        """Let the next bar through, whatever its prices are, because an order, an exit or a rule has changed."""
        self.above = -FAR
        self.is_known = False

    def open(self) -> None:
        """Let the next bars through, because an order waits that is met at any price. It holds until `forget`."""
        self.is_known = True
        self.above = self.highest = -FAR
        self.below = self.lowest = FAR

    def find(self, highest: float, lowest: float, *, every_bar: bool) -> None:
        """Set the price range from `lowest` to `highest` in which nothing happens. It holds until `forget` is called.
        `every_bar` lets every bar through nevertheless."""
        self.is_known = True
        self.highest, self.lowest = highest, lowest
        self.above, self.below = -FAR if every_bar else highest, lowest

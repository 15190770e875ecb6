"""Finds the bars that a broker can skip: their prices reach no waiting order, and nothing else happens on them."""

from __future__ import annotations

FAR = float("inf")


class Gate:
    """A price range in which no price reaches an order or moves a trailing stop, and no margin call occurs.

    The runtime must call the broker on a bar whose high is at least `above`, or whose low is at most `below`. Within a
    bar, something can happen only at prices of at least `highest` or at most `lowest`. The two pairs differ only if
    every bar must be examined: then `above` and `below` let every bar through.
    """

    __slots__ = ("above", "below", "highest", "is_known", "lowest")

    def __init__(self) -> None:
        self.above, self.below = -FAR, FAR
        self.highest, self.lowest = FAR, -FAR
        self.is_known = False
        """Whether the prices are still valid: no order, exit or rule was added, removed or changed since `find`."""

    def forget(self) -> None:
        """Discard the price range after a change of an order, exit or rule, so that the next bar is let through."""
        self.above = -FAR
        self.is_known = False

    def open(self) -> None:
        """Let every bar through until the next `forget`, because a waiting order can be filled at any price."""
        self.is_known = True
        self.above = self.highest = -FAR
        self.below = self.lowest = FAR

    def find(self, highest: float, lowest: float, *, every_bar: bool) -> None:
        """Set the price range in which nothing happens, from `lowest` to `highest`. It is valid until `forget` is
        called. With `every_bar`, every bar is still let through."""
        self.is_known = True
        self.highest, self.lowest = highest, lowest
        self.above, self.below = -FAR if every_bar else highest, lowest

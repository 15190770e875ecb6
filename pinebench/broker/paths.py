"""The path of a bar: its prices in the order in which they occur."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.broker.order_conditions import path

POINTS = 4
"""The number of points of a path: the four prices of the bar.

If shorter bars are known, the path is longer: the bar's open, four prices of each shorter bar, and the bar's close.
"""


class Paths:
    """The paths of a chart's bars."""

    def __init__(
        self,
        opens: Sequence[float],
        highs: Sequence[float],
        lows: Sequence[float],
        closes: Sequence[float],
        ticks: Sequence[Sequence[float] | None] | None = None,
    ) -> None:
        """`ticks` are the prices inside each bar if they are known: four prices of each shorter bar."""
        self._opens, self._highs, self._lows, self._closes = opens, highs, lows, closes
        self._ticks = ticks

    def of(self, i: int) -> Sequence[float]:
        """The path of bar `i`."""
        if self._ticks is not None:
            known = self._ticks[i]
            if known:
                return (self._opens[i], *known, self._closes[i])
        return path(self._opens[i], self._highs[i], self._lows[i], self._closes[i])


def begins(number: int, count: int) -> bool:
    """Whether point `number` of a path with `count` points follows the point before it without prices in between.

    This is true for the first point of each shorter bar, and for the bar's close, which follows the last shorter bar.
    """
    return count > POINTS and number % POINTS == 1


def ends(number: int, count: int) -> bool:
    """Whether point `number` of a path with `count` points is the close of a shorter bar."""
    return count > POINTS and number > 0 and number % POINTS == 0

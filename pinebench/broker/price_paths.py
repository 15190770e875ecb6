"""The path of a bar: its prices in the order in which they occur."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.broker.order_conditions import path

POINTS = 4
"""The number of points of a path: the four prices of the bar.

If shorter bars are known, the path is longer: the bar's open, four prices of each shorter bar, and the bar's close.
"""


class Paths:
    """The path of each bar of a chart: the prices of the bar in the order in which they occur."""

    def __init__(
        self,
        opens: Sequence[float],
        highs: Sequence[float],
        lows: Sequence[float],
        closes: Sequence[float],
        ticks: Sequence[Sequence[float] | None] | None = None,
    ) -> None:
        """Take the prices of the bars. `ticks` are the prices inside each bar if they are known: four of each shorter
        bar. A bar without them goes its own way."""
        self._opens, self._highs, self._lows, self._closes = opens, highs, lows, closes
        self._magnified = None if ticks is None else _MagnifiedPaths(Paths(opens, highs, lows, closes), ticks)

    def of(self, i: int) -> Sequence[float]:
        """Return the prices of bar `i` in the order in which they occur."""
        return (
            path(self._opens[i], self._highs[i], self._lows[i], self._closes[i])
            if self._magnified is None
            else self._magnified[i]
        )

    def known(self, i: int) -> Sequence[float] | None:
        """Return the prices inside bar `i` that were given, if any."""
        return None if self._magnified is None else self._magnified.ticks[i]


class _MagnifiedPaths:
    """The paths of bars whose shorter bars are known. Machine code gets them as data of the run."""

    def __init__(self, plain: Paths, ticks: Sequence[Sequence[float] | None]) -> None:
        self._plain, self.ticks = plain, ticks

    def __getitem__(self, i: int) -> Sequence[float]:
        points, known = self._plain.of(i), self.ticks[i]
        return (points[0], *known, points[-1]) if known else points


def begins(number: int, count: int) -> bool:
    """Return whether point `number` of a path with `count` points directly follows the previous point, without prices
    in between.

    This is true for the first point of each shorter bar, and for the bar's close, which follows the last shorter bar.
    """
    return count > POINTS and number % POINTS == 1


def ends(number: int, count: int) -> bool:
    """Return whether point `number` of a path with `count` points is the close of a shorter bar."""
    return count > POINTS and number > 0 and number % POINTS == 0

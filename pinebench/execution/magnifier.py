"""The path of a bar's prices from the shorter bars inside it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from pinebench.broker.matching import path
from pinebench.errors import UsageError
from pinebench.market.bars import Bars


def paths(bars: Bars, ends: Sequence[int], lower: Bars) -> list[Sequence[float] | None]:
    """The prices inside each of `bars`, which end at `ends`, four for each of the `lower` bars that open in it.

    None where there are none, and the emulator's assumptions hold. Raises UsageError where the two cannot be bars of
    one market: when a shorter bar leaves the range of the longer one by more than a thousandth of its price.
    """
    found: list[Sequence[float] | None] = []
    for i, time in enumerate(bars.time):
        first, last = bisect_left(lower.time, time), bisect_left(lower.time, ends[i])
        points: list[float] = []
        for k in range(first, last):
            points += path(lower.open[k], lower.high[k], lower.low[k], lower.close[k])
        if points:
            _check(bars, i, points)
        found.append(points or None)
    return found


def _check(bars: Bars, i: int, points: Sequence[float]) -> None:
    slack = 0.001 * abs(bars.close[i])
    if max(points) > bars.high[i] + slack or min(points) < bars.low[i] - slack:
        raise UsageError(
            f"the shorter bars leave the range of the bar that opens at {bars.time[i]}",
            "give bars of the same market in a shorter timeframe",
        )

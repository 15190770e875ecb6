"""Drawdowns of an equity curve: each begins at a peak and ends when the peak is reached again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Drawdown(NamedTuple):
    """A drawdown. `peak`, `trough` and `recovery` are indexes of values; `recovery` is None if it has not ended.

    `depth` is the largest fall as a fraction of the peak (0 to 1). `bars` is the number of bars from the peak to the
    recovery, or to the last value.
    """

    peak: int
    trough: int
    recovery: int | None
    depth: float
    bars: int


def drawdowns(equity: Sequence[float]) -> list[Drawdown] | str:
    """Return all drawdowns in order of time, or the reason why they are not known. Every value must be above 0."""
    if not equity:
        return "there is no equity"
    if not all(0 < value < math.inf for value in equity):
        return "the equity is na or not positive on a bar"
    found: list[Drawdown] = []
    peak = trough = 0
    for at, value in enumerate(equity):
        if value >= equity[peak]:
            if trough > peak:
                found.append(_drawdown(equity, peak, trough, at, at - peak))
            peak = trough = at
        elif value < equity[trough]:
            trough = at
    if trough > peak:
        found.append(_drawdown(equity, peak, trough, None, len(equity) - 1 - peak))
    return found


def _drawdown(equity: Sequence[float], peak: int, trough: int, recovery: int | None, bars: int) -> Drawdown:
    return Drawdown(peak, trough, recovery, 1 - equity[trough] / equity[peak], bars)


def deepest(drawdowns: Sequence[Drawdown]) -> float:
    """Return the depth of the deepest drawdown (0 to 1); 0 if there is none."""
    return max((each.depth for each in drawdowns), default=0.0)

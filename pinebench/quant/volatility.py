"""Volatility: scaled to a year, and the volatility regime of a short window compared with a long one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.quant.figure import Statistic, deviation, known, quotient, too_few, unknown

_REGIMES = ((0.5, "coiling"), (0.8, "compressing"), (1.5, "stable"), (2.0, "expanding"))
"""The exclusive upper bounds of the ratio of short to long volatility, with their regimes; above is `stressed`."""
LEAST = 5
"""The smallest number of returns of a window."""


class Regime(NamedTuple):
    """The standard deviations of returns in the short and the long window, their ratio, and the regime's name (None if
    it is not known)."""

    short: Statistic
    long: Statistic
    ratio: Statistic
    name: str | None


def a_year(values: Sequence[float], bars: float | None) -> Statistic:
    """Return the annualized volatility: the standard deviation of returns times the square root of `bars`, the number
    of bars in a year."""
    if bars is None:
        return unknown("the number of bars in a year is not known")
    if len(values) < LEAST:
        return too_few(len(values), LEAST, "returns")
    return known(deviation(values) * math.sqrt(bars))


def regime(values: Sequence[float], short: int, long: int) -> Regime:
    """Compare the volatility of the last `short` returns with the volatility of the last `long` returns, which include
    them.

    The name is `coiling` below a ratio of 0.5, `compressing` below 0.8, `stable` below 1.5, `expanding` below 2, and
    `stressed` from 2 on. Both windows need at least 5 returns, and `long` must be longer.
    """
    if not LEAST <= short < long:
        why = unknown(f"the windows must have at least {LEAST} returns, and the long one more than the short one")
        return Regime(why, why, why, None)
    if len(values) < long:
        few = too_few(len(values), long, "returns")
        near = known(deviation(values[-short:])) if len(values) >= short else few
        return Regime(near, few, few, None)
    near, far = deviation(values[-short:]), deviation(values[-long:])
    ratio = quotient(near, far, "all returns are the same")
    name = None if ratio.value is None else _name(ratio.value)
    return Regime(known(near), known(far), ratio, name)


def _name(ratio: float) -> str:
    return next((name for bound, name in _REGIMES if ratio < bound), "stressed")

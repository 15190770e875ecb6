"""Finds the tick of a symbol, the smallest step of its price, from its prices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pinebench.market.bars import Bars

_LOOKED_AT = 1000
"""The number of last bars whose prices are examined: older prices may have had another tick."""
_LEAST, _MOST = 2, 8
"""The smallest and largest number of decimals of a tick found from decimals alone. Prices below a cent can have
more."""
_ENOUGH, _ENOUGH_ABOVE_ONE = 20, 100
"""The number of different prices for which a grid is accepted: with a tick below 1, and with a larger one, because
prices of tests and rounded prices are whole numbers."""
_STEPLESS = 2e7
"""Prices of more ticks than this, whose tick is not a cent, have no step: they were computed."""
_GRIDS = tuple(
    sorted(
        {
            *(factor * 10**power for factor in (1.0, 2.0, 2.5, 5.0) for power in range(6)),
            *(float(f"{factor}e-{power}") for factor in (1, 2, 2.5, 5) for power in range(1, 13)),
            *(1 / 2**power for power in range(1, 9)),
        },
        reverse=True,
    )
)
"""The ticks that markets have, the largest first: decimal ones, and a half to a 256th."""


class Tick(NamedTuple):
    """A tick, and a phrase about its origin that follows the number in messages."""

    size: float
    origin: str


def tick_of(bars: Bars) -> Tick:
    """Find the tick from the last prices of `bars`.

    Prices that were stored as 32-bit floats (187.14999389648438 for 187.15) are rounded first. If all prices are
    multiples of a larger step that markets have, such as 0.25 or 1/32, that step is the tick. Prices without any step,
    such as prices adjusted for dividends, get a usual tick, and the origin says so.
    """
    prices = _last_prices(bars)
    usual = sorted(map(abs, prices))[len(prices) // 2] if prices else 1.0
    most = _MOST if usual >= 0.001 or not usual else min(_MOST + math.ceil(-math.log10(usual)) - 2, 14)
    decimals = max([_LEAST, *(_decimals(price, most) for price in set(prices))])
    noise = ""
    if decimals > _LEAST:
        below = _below_noise(prices, decimals)
        if below is not None:
            decimals, noise = max(below, _LEAST), ", without the noise of 32-bit floats"
        elif usual * 10.0**decimals > _STEPLESS or (decimals == most and _have_no_step(prices, most)):
            return Tick(
                _assumed(usual), "is assumed: the prices are not multiples of a common step (were they adjusted?)"
            )
    grid = _grid(prices, decimals)
    if grid is not None:
        return Tick(grid, f"from the common step of the prices{noise}")
    return Tick(float(f"1e-{decimals}"), f"from the decimals of the prices{noise}")


def off_the_grid(bars: Bars, tick: float) -> float:
    """Return the share of the last prices that are not multiples of `tick`, from 0 to 1."""
    prices = _last_prices(bars)
    off = [price for price in prices if not _is_near(price, round(price / tick) * tick, tick)]
    return len(off) / len(prices) if prices else 0.0


def _last_prices(bars: Bars) -> list[float]:
    """Return the last prices of all four columns, without missing ones."""
    columns = (bars.open, bars.high, bars.low, bars.close)
    return [price for column in columns for price in column[-_LOOKED_AT:] if math.isfinite(price)]


def _is_near(price: float, multiple: float, tick: float) -> bool:
    return abs(price - multiple) <= max(_half_float32(price), 1e-9 * abs(price), 1e-6 * tick)


def _decimals(price: float, most: int) -> int:
    return len(f"{price:.{most}f}".rstrip("0").partition(".")[2])


def _half_float32(price: float) -> float:
    """Return half the distance between two 32-bit floats near `price`."""
    return math.ldexp(1.0, math.frexp(price)[1] - 25) if price else 0.0


def _below_noise(prices: Sequence[float], decimals: int) -> int | None:
    """Return the number of real decimals, if further decimals are rounding noise of 32-bit floats; otherwise None."""
    different = set(prices)
    printed = 0.5 * 10.0**-decimals
    near = 0.4 if len(different) >= _ENOUGH_ABOVE_ONE else 0.1  # so that few prices are not on a step by chance
    for fewer in range(decimals - 1):
        most = near * 10.0**-fewer
        if all(abs(one - round(one, fewer)) <= _half_float32(one) * 1.01 + printed < most for one in different):
            return fewer
    return None


def _have_no_step(prices: Iterable[float], most: int) -> bool:
    """Return whether the prices have more decimals than `most`, as computed prices do."""
    return any(abs(price - round(price, most)) > 1e-12 * abs(price) for price in prices)


def _assumed(usual: float) -> float:
    """Return the tick for prices near `usual` without a regular step: 0.01, or below 1 the fourth significant digit."""
    return 0.01 if usual >= 1 or not usual else float(f"1e{math.floor(math.log10(usual)) - 3}")


def _grid(prices: Iterable[float], decimals: int) -> float | None:
    """Return the largest tick of real markets that divides all prices, if larger than their last decimal; or None."""
    scale = 10**decimals
    whole = {round(price * scale) for price in prices}
    common = math.gcd(*whole)
    if common <= 1 or len(whole) < _ENOUGH:
        return None
    parts = ((tick, tick * scale) for tick in _GRIDS)
    tick = next((tick for tick, part in parts if part > 1 and part == int(part) and common % int(part) == 0), None)
    return tick if tick is None or tick < 1 or len(whole) >= _ENOUGH_ABOVE_ONE else None

"""Sample bars without a symbol: a random walk with fixed numbers, the same on every call."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pinebench.market.bars import Bars

_SEED, _FACTOR, _STEP, _SIZE = 42, 6364136223846793005, 1442695040888963407, 1 << 64
_START = 30.0


def random_walk(count: int, begin: int = 0, step: int = 14_400_000) -> Bars:
    """Return `count` bars that open every `step` milliseconds from `begin` (milliseconds UTC) on."""
    numbers = _numbers()

    def normal(mean: float, spread: float) -> float:
        first, second = next(numbers), next(numbers)
        return mean + spread * math.sqrt(-2 * math.log(max(first, 1e-10))) * math.cos(2 * math.pi * second)

    found, price = Bars(), _START
    for number in range(count):
        opens = price + normal(0, 0.5)
        price = opens + normal(-0.1, 1)
        high = max(opens, price) + abs(normal(0, 0.5))
        low = min(opens, price) - abs(normal(0, 0.5))
        found.append(begin + number * step, opens, high, low, price, math.exp(normal(10, 0.8)))
    return found


def _numbers() -> Iterator[float]:
    """Yield numbers from 0 to 0.5 from a linear congruential generator."""
    state = _SEED
    while True:
        state = (state * _FACTOR + _STEP) % _SIZE
        yield (state >> 33) / (2**32 - 1)

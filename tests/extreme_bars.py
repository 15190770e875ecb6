"""Bars that a real market can have and that strain the arithmetic of built-ins."""

from random import Random

from pinebench.market import Bars

START = 1_704_067_200_000
"""2024-01-01 00:00 UTC, a Monday."""
HOUR = 3_600_000

KINDS: dict[str, tuple[float, float]] = {
    "thin": (100.0, 500.0),
    "tiny prices": (1e-8, 5e11),
    "huge prices": (1e12, 0.001),
    "huge volume": (100.0, 1e15),
}
"""The price at the beginning and the usual volume of each kind of market."""


def extreme_bars(kind: str, count: int = 400, seed: int = 1) -> Bars:
    """Hourly bars with long flat stretches, bars without a range, and bars without volume."""
    price, size = KINDS[kind]
    random = Random(f"{kind} {seed}")
    tick = price / 10_000
    rows: list[tuple[float, float, float, float, float]] = []
    flat = 0
    for _ in range(count):
        before = price
        flat = flat - 1 if flat else (random.randrange(2, 25) if random.random() < 0.08 else 0)
        if not flat:
            price = max(tick, price + tick * random.randrange(-40, 41))
        reach = 0.0 if flat else tick * random.randrange(0, 15)
        volume = 0.0 if random.random() < 0.1 else size * random.random() * 10 ** random.randrange(0, 4)
        high, low = max(before, price) + reach, max(tick / 2, min(before, price) - reach)
        rows.append((before, high, low, price, volume))
    opens, highs, lows, closes, volumes = map(list, zip(*rows, strict=True))
    return Bars(
        time=[START + HOUR * number for number in range(count)],
        open=opens,
        high=highs,
        low=lows,
        close=closes,
        volume=volumes,
    )

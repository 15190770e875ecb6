"""Indicators in plain Python, written from their definitions: a second opinion that shares no code with our runtime.

A series is a list with a number for each bar, or nan where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Series = Sequence[float]
NAN = math.nan


def zipped(function: Callable[..., float], *series: Series) -> list[float]:
    """Apply `function` to the values of all series on each bar."""
    return [function(*row) for row in zip(*series, strict=True)]


def shifted(values: Series, bars: int) -> list[float]:
    """Return, for each bar, the value of `bars` bars ago."""
    return [values[i - bars] if i >= bars else NAN for i in range(len(values))]


def rolled(values: Series, length: int, function: Callable[[Series], float]) -> list[float]:
    """Apply `function` on each bar to the last `length` values. The result is nan if one of them is missing."""
    found: list[float] = []
    for i in range(len(values)):
        window = values[max(0, i - length + 1) : i + 1]
        is_full = len(window) == length and not any(map(math.isnan, window))
        found.append(function(window) if is_full else NAN)
    return found


def mean(values: Series) -> float:
    return math.fsum(values) / len(values)


def sma(values: Series, length: int) -> list[float]:
    return rolled(values, length, mean)


def wma(values: Series, length: int) -> list[float]:
    weight = length * (length + 1) / 2
    return rolled(values, length, lambda window: math.fsum(v * (i + 1) for i, v in enumerate(window)) / weight)


def smoothed(values: Series, length: int, alpha: float) -> list[float]:
    """Return the exponential average that starts with the mean of the first `length` values. `alpha` weights the new
    value."""
    found: list[float] = []
    start = sma(values, length)
    last = NAN
    for i, value in enumerate(values):
        last = start[i] if math.isnan(last) else alpha * value + (1 - alpha) * last
        found.append(last)
    return found


def ema(values: Series, length: int) -> list[float]:
    return smoothed(values, length, 2 / (length + 1))


def rma(values: Series, length: int) -> list[float]:
    return smoothed(values, length, 1 / length)


def highest(values: Series, length: int) -> list[float]:
    return rolled(values, length, max)


def lowest(values: Series, length: int) -> list[float]:
    return rolled(values, length, min)


def stdev(values: Series, length: int) -> list[float]:
    """Return the population standard deviation (not the sample one) of the last `length` values."""

    def of(window: Series) -> float:
        middle = mean(window)
        return math.sqrt(math.fsum((value - middle) ** 2 for value in window) / len(window))

    return rolled(values, length, of)


def change(values: Series, bars: int = 1) -> list[float]:
    return zipped(lambda now, before: now - before, values, shifted(values, bars))


def rsi(values: Series, length: int) -> list[float]:
    moves = change(values)
    up = rma([max(move, 0.0) if move == move else NAN for move in moves], length)
    down = rma([max(-move, 0.0) if move == move else NAN for move in moves], length)
    return zipped(
        lambda u, d: NAN if u != u else 100.0 if d == 0 else 0.0 if u == 0 else 100 - 100 / (1 + u / d), up, down
    )


def true_range(high: Series, low: Series, close: Series) -> list[float]:
    """Return the true range. On the first bar, which has no previous close, it is the high minus the low."""
    found: list[float] = []
    for i, (top, bottom) in enumerate(zip(high, low, strict=True)):
        before = close[i - 1] if i else NAN
        found.append(max(top - bottom, abs(top - before), abs(bottom - before)) if i else top - bottom)
    return found


def atr(high: Series, low: Series, close: Series, length: int) -> list[float]:
    return rma(true_range(high, low, close), length)


def crossed_over(one: Series, other: Series) -> list[bool]:
    """Return, for each bar, whether `one` is above `other` and was not above it one bar ago."""
    return [i > 0 and one[i] > other[i] and one[i - 1] <= other[i - 1] for i in range(len(one))]


def crossed_under(one: Series, other: Series) -> list[bool]:
    """Return, for each bar, whether `one` is below `other` and was not below it one bar ago."""
    return [i > 0 and one[i] < other[i] and one[i - 1] >= other[i - 1] for i in range(len(one))]


def totals(values: Series) -> list[float]:
    """Return the running total. A missing value counts as 0."""
    total, found = 0.0, []
    for value in values:
        total += 0.0 if math.isnan(value) else value
        found.append(total)
    return found

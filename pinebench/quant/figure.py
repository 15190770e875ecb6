"""A number that may be unknown, with the reason, and the means and sums that the other modules share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Statistic(NamedTuple):
    """A number, or None with the reason why it is not known."""

    value: float | None
    why: str = ""


Figures = Mapping[str, Statistic]
"""Figures by name."""


def known(value: float) -> Statistic:
    """Return the figure with this value; it is unknown if the value is infinite or not a number."""
    return Statistic(value) if math.isfinite(value) else Statistic(None, "the numbers are too large to compute with")


def unknown(why: str) -> Statistic:
    """Return a figure that is not known for the reason `why`."""
    return Statistic(None, why)


def too_few(there: int, needed: int, what: str) -> Statistic:
    """Return a figure that is unknown because it needs `needed` of `what` (such as `returns`): there are only
    `there`."""
    return Statistic(None, f"needs {needed} {what}, and there are {there}")


def quotient(value: float, by: float, why: str) -> Statistic:
    """Return `value / by`; the figure is unknown for the reason `why` if `by` is zero."""
    return known(value / by) if by else Statistic(None, why)


def total(values: Iterable[float]) -> float:
    """Return the exact sum; not a number if it is too large for a float."""
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.nan


def mean(values: Sequence[float]) -> float:
    """Return the mean of at least one value."""
    return total(values) / len(values)


def squares(values: Sequence[float]) -> float:
    """Return the sum of the squared distances from the mean; not a number if it is too large."""
    middle = mean(values)
    return total((each - middle) ** 2 for each in values)


def standardized(values: Sequence[float]) -> list[float] | None:
    """Return the distances from the mean divided by the population's deviation; None if that is 0 or not a number."""
    middle, spread = mean(values), math.sqrt(squares(values) / len(values))
    return [(each - middle) / spread for each in values] if 0 < spread < math.inf else None


def is_flat(values: Sequence[float]) -> bool:
    """Return whether all values are the same, apart from the rounding of floats."""
    low, high = min(values), max(values)
    return high - low <= 1e-12 * max(abs(low), abs(high))


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample of at least two values; exactly 0 if all values are equal."""
    return 0.0 if is_flat(values) else math.sqrt(squares(values) / (len(values) - 1))

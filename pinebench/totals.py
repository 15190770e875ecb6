"""Sums of floats that have the same bits on every version of Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def total(values: Iterable[float]) -> float:
    """Return the sum from left to right, rounded after each step. Python's `sum` compensates rounding errors from 3.12
    on."""
    return reduce(add, values, 0.0)

"""The numbers and functions that the kernels use when they run as Python, in tests."""

from __future__ import annotations

import math
from fractions import Fraction

NA = math.nan
INF = math.inf
P = list[float]
"""The memory of a run."""
exp = math.exp
log = math.log
pow = math.pow


def fma(left: float, right: float, more: float) -> float:
    """`left * right + more`, rounded once."""
    return float(Fraction(left) * Fraction(right) + Fraction(more))

"""Sums over windows that move along whole columns, with numpy where it is there and pays: each window is added up in
the order in which a call would, so that the sums are the same bit for bit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

WORTHWHILE = 2_000_000
"""Additions that take longer than numpy takes to be loaded."""


def numpy_for(additions: int) -> Any:
    """numpy, or None where it is not installed or would take longer to load than it saves."""
    if "numpy" not in sys.modules and additions < WORTHWHILE:
        return None
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def checked_or_1(length: float) -> int:
    """A length as a number of values; 1 for one that stops the script."""
    return int(length) if length == length and length >= 1 else 1


def weighted(source: Sequence[float], weights: Sequence[float], numpy: Any) -> Any:
    """The weighted sum of each window, the oldest value first, as an array."""
    values = numpy.array(source, float)
    return _added(len(values) - len(weights) + 1, numpy, (lambda k: values[k:] * weights[k]), len(weights))


def distances(source: Sequence[float], means: Sequence[float], length: int, numpy: Any) -> Any:
    """The distances of each window from its mean, the newest value first, added up; `means` has one for each bar."""
    values, middle = numpy.array(source, float), numpy.array(means, float)[length - 1 :]
    count = len(middle)
    last = length - 1
    return _added(count, numpy, (lambda k: abs(values[last - k : last - k + count] - middle)), length)


def _added(count: int, numpy: Any, part: Callable[[int], Any], parts: int) -> Any:
    """As many sums as are counted, one addition for all of them after the other."""
    found = numpy.zeros(max(count, 0))
    with numpy.errstate(all="ignore"):
        for number in range(parts if count > 0 else 0):
            found += part(number)[:count]
    return found

"""Sums over moving windows of whole columns, with numpy if it is installed and saves time.

Each window is added in the same order as in a call, so that the sums are the same bit for bit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

WORTHWHILE = 2_000_000
"""The number of additions that takes longer than loading numpy."""


def numpy_for(additions: int) -> Any:
    """Return numpy for a computation with this many additions. Return None if it is not installed, or if loading it
    would take longer than it saves."""
    if "numpy" not in sys.modules and additions < WORTHWHILE:
        return None
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def checked_or_1(length: float) -> int:
    """Return a length as a whole number; 1 for a length that stops the script."""
    return int(length) if length == length and length >= 1 else 1


def weighted(source: Sequence[float], weights: Sequence[float], numpy: Any, residue: float = 0.0) -> Any:
    """Return the weighted sum of each window as an array. The oldest value is added first. A partial sum is 0 if at
    most the share `residue` of its two parts, or of 1, is left of them."""
    values = numpy.array(source, float)
    return _added(len(values) - len(weights) + 1, numpy, (lambda k: values[k:] * weights[k]), len(weights), residue)


def distances(source: Sequence[float], means: Sequence[float], length: int, numpy: Any) -> Any:
    """Return the sum of the distances of each window's values from its mean. The newest value is added first. `means`
    has one mean for each bar."""
    values, middle = numpy.array(source, float), numpy.array(means, float)[length - 1 :]
    count = len(middle)
    last = length - 1
    return _added(count, numpy, (lambda k: abs(values[last - k : last - k + count] - middle)), length)


def _added(count: int, numpy: Any, part: Callable[[int], Any], parts: int, residue: float = 0.0) -> Any:
    """Return `count` sums of `parts` terms each. Each addition is done for all sums at once. `residue` means the
    same as in `weighted`."""
    found = numpy.zeros(max(count, 0))
    with numpy.errstate(all="ignore"):
        for number in range(parts if count > 0 else 0):
            more = part(number)[:count]
            if residue:
                limit = residue * numpy.maximum(1.0, abs(found) + abs(more))
                found += more
                found[limit - abs(found) >= 0] = 0.0
            else:
                found += more
    return found

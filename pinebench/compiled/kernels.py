"""Functions of numbers, and the memory of a run, in the part of Python that `native` translates.

`m` is the memory of a run. The stateful built-ins are not here: `kernel_lowering` makes them of their classes in
`runtime.library`. A call that stops a script there, and a call that needs more memory, sets the status here, and the
run is repeated on the Python tier.
"""

from __future__ import annotations

from math import ceil, floor

from pinebench.compiled.numerals import INF, NA, P, fma
from pinebench.runtime import EXACT

STATUS = 0
"""The place in memory that holds the status: 0 while the run continues."""
FREE = 1
"""The place in memory that holds the number of the first free place."""
MEMORY_END = 2
"""The place in memory that holds the number of all places."""
ROUNDS_LEFT = 3
"""The place in memory that holds the number of rounds of loops that are left."""


def fail(m: P, code: float) -> float:
    """Stop the run."""
    if m[STATUS] == 0.0:
        m[STATUS] = code
    return NA


def take(m: P, count: int) -> int:
    """The first of `count` free places, which are all set to 0. If there are too few, the run stops and the result is
    0."""
    place = take_room(m, count)
    if place != 0:
        for k in range(count):
            m[place + k] = 0.0
    return place


def take_room(m: P, count: int) -> int:
    """The first of `count` free places, which may hold any values. If there are too few, the run stops and the result
    is 0."""
    place = int(m[FREE])
    if count < 0 or float(count) > m[MEMORY_END] - m[FREE]:
        fail(m, 2.0)
        return 0
    m[FREE] = m[FREE] + float(count)
    return place


def python_max(first: float, second: float) -> float:
    """`max` of two numbers as Python computes it, also for na and for zeros."""
    return second if second > first else first


def python_min(first: float, second: float) -> float:
    """`min` of two numbers as Python computes it, also for na and for zeros."""
    return second if second < first else first


def is_same(one: float, other: float) -> bool:
    """Whether two numbers are the same; na is the same as na."""
    return one == other or (one != one and other != other)


# functions without state


def tenths(m: P, above: float, rest: float) -> float:
    """1 if the fraction `above + rest` is at least half, with a tolerance; else 0. If it is too near to decide, the run
    stops."""
    away = (above - 0.4999999999) + rest
    if abs(away) < 1e-15:
        fail(m, 1.0)
    return 1.0 if away > 0.0 else 0.0


def halves(m: P, above: float, rest: float, whole: float) -> float:
    """The same as `tenths` for a part `above + rest` of `whole`."""
    away = (above - 0.4999999999 * whole) + rest
    if abs(away) < 1e-15 * whole:
        fail(m, 1.0)
    return 1.0 if away > 0.0 else 0.0


def rounds_up(m: P, fraction: float, scale: float, units: float) -> float:
    """1 if the exact product of `fraction` and `scale` is at least half a unit above `units`, with the tolerance."""
    scaled = fraction * scale
    return tenths(m, scaled - units, fma(fraction, scale, -scaled))


def round_to_tick(m: P, number: float, move: float, scale: float) -> float:
    if not (number > -INF and number < INF):
        return number
    size = -number if number < 0.0 else number
    product = size * scale
    scaled = product / move
    if scaled > 4503599627370496.0 or (move != 1.0 and product > 4503599627370496.0):
        return fail(m, 1.0)
    units = floor(scaled)
    beyond = scaled - units - 0.5
    if abs(beyond) < 1e-6 + scaled * 1.8e-15:
        # The numbers of ticks and their product with the move are whole numbers below 2 ** 53, so `left` is exact.
        left = product - units * move
        if move == 1.0:
            units = units + tenths(m, left, fma(size, scale, -product))
        else:
            units = units + halves(m, left, fma(size, scale, -product), move)
    elif beyond > 0.0:
        units = units + 1.0
    return (0.0 - units if number < 0.0 else units) * move / scale


def is_known(number: float) -> bool:
    return number > -INF and number < INF


def exact(m: P, number: float) -> float:
    """A sum of whole numbers. Python's whole numbers can be larger than a float can hold exactly; then the run
    stops."""
    if abs(number) > EXACT:
        fail(m, 1.0)
    return number


def floored(number: float) -> float:
    return floor(number) + 0.0


def ceiled(number: float) -> float:
    return ceil(number) + 0.0

"""Functions of numbers, and the memory of a run, in the part of Python that `compiled.native` translates.

`m` is the memory of a run. The stateful built-ins are not here: `kernel_lowering` makes them of their classes in
`runtime.library`. A call that stops a script there, and a call that needs more memory, sets the status here, and the
run is repeated on the Python tier.
"""

from __future__ import annotations

from math import ceil, floor

from pinebench.compiled.numerals import INF, NA, P
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


def is_same(one: float, other: float) -> bool:
    """Whether two numbers are the same; na is the same as na."""
    return one == other or (one != one and other != other)


def is_known(number: float) -> bool:
    return number > -INF and number < INF


def exact(m: P, number: float) -> float:
    """A sum of whole numbers. Python's whole numbers can be larger than a float can hold exactly; then the run
    stops."""
    if abs(number) >= EXACT:  # the sum may have been rounded to it
        fail(m, 1.0)
    return number


def floored(number: float) -> float:
    return floor(number) + 0.0


def ceiled(number: float) -> float:
    return ceil(number) + 0.0

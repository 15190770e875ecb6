"""Functions on numbers and on the memory of a run, in the subset of Python that `compiled.native` translates.

`m` is the memory of a run, an array of floats; an address (also called a place) is an index in it. The stateful
built-ins are not in this module: `kernel_lowering` generates them from their classes in `runtime.library`. A call that
stops the script, or that needs more memory, sets the status (`STATUS`), and the Python tier repeats the run.
"""

from __future__ import annotations

from math import ceil, floor

from pinebench.compiled.numerals import INF, NA, P
from pinebench.runtime import EXACT

STATUS = 0
"""The address of the status: 0 while the run continues, else a key of `outcomes.REASONS`."""
FREE = 1
"""The address at which the first free address is stored."""
MEMORY_END = 2
"""The address of the size of the memory in floats."""
ROUNDS_LEFT = 3
"""The address of the number of loop iterations that are left."""


def fail(m: P, code: float) -> float:
    """Stop the run with the status `code`, which `outcomes.REASONS` explains, and return na."""
    if m[STATUS] == 0.0:
        m[STATUS] = code
    return NA


def take(m: P, count: int) -> int:
    """Return the address of the first of `count` free floats, all set to 0. If there are too few, stop the run and
    return 0."""
    place = take_room(m, count)
    if place != 0:
        for k in range(count):
            m[place + k] = 0.0
    return place


def take_room(m: P, count: int) -> int:
    """Return the address of the first of `count` free floats, whose values are arbitrary. If there are too few, stop
    the run and return 0."""
    place = int(m[FREE])
    if count < 0 or float(count) > m[MEMORY_END] - m[FREE]:
        fail(m, 2.0)
        return 0
    m[FREE] = m[FREE] + float(count)
    return place


def is_same(one: float, other: float) -> bool:
    """Return whether two numbers are equal; na equals na."""
    return one == other or (one != one and other != other)


def is_known(number: float) -> bool:
    return number > -INF and number < INF


def exact(m: P, number: float) -> float:
    """Return `number`, a sum of integers. Stop the run if it is too large for a float to be exact, because Python's int
    is always exact."""
    if abs(number) >= EXACT:  # the sum may have been rounded to it
        fail(m, 1.0)
    return number


def floored(number: float) -> float:
    return floor(number) + 0.0


def ceiled(number: float) -> float:
    return ceil(number) + 0.0

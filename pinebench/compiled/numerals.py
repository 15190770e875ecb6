"""The numbers and functions that the kernels use when they run as Python, in tests."""

from __future__ import annotations

import math
import struct

NA = math.nan
INF = math.inf
P = list[float]
"""The memory of a run."""
exp = math.exp
log = math.log
pow = math.pow


def read_int(m: P, place: int) -> int:
    """The int at a place of the memory."""
    return int(m[place])


def write_int(m: P, place: int, value: int) -> None:
    """Keep an int at a place of the memory. It is only read with `read_int`."""
    m[place] = value


def answered(m: P, place: int) -> float:
    """The answer of `library_calls` for the record at a place. Only machine code calls it."""
    raise TypeError(f"the record at {place} of {len(m)} places has no run")


def has_same_bits(one: float, other: float) -> bool:
    """Whether two floats are the same to the bit."""
    return struct.pack("<d", one) == struct.pack("<d", other)


def bits_of(value: int) -> float:
    """The float that has the bits of an int. A memory of floats holds an int in this form before the first bar."""
    return struct.unpack("<d", struct.pack("<q", value))[0]

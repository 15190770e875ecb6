"""Python versions of the functions and numbers of `compiled.native`, so that tests can run its code as Python."""

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
    """Return the int at the address `place` of the memory `m`."""
    return int(m[place])


def write_int(m: P, place: int, value: int) -> None:
    """Write an int at the address `place` of the memory `m`. Only `read_int` reads it."""
    m[place] = value


def answered(m: P, place: int) -> float:
    """Raise TypeError. Only machine code can call `library_calls` for the record at the address `place`."""
    raise TypeError(f"the record at {place} of {len(m)} addresses does not belong to a run in machine code")


def has_same_bits(one: float, other: float) -> bool:
    """Return whether two floats have the same bits."""
    return struct.pack("<d", one) == struct.pack("<d", other)


def bits_of(value: int) -> float:
    """Return the float with the bits of an int. The memory is an array of floats, so it stores ints in this way."""
    return struct.unpack("<d", struct.pack("<q", value))[0]

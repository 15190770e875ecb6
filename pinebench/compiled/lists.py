"""Lists of numbers in the memory of a run, for kernels that `kernel_lowering` makes of classes.

Written in the part of Python that `native` translates. A list is a record of `PLACES` places: where its items are, how
many it has, and for how many there is room. A list that gets more items than it has room for moves to other places.
"""

from __future__ import annotations

from pinebench.compiled.kernels import fail, take_room
from pinebench.compiled.numerals import P, read_int, write_int

AT = 0
COUNT = 1
ROOM = 2
SPARE = 3
"""The list that collects new items while a list is replaced by items made from its old ones. Its record has the same
three places."""
PLACES = 6


def append(m: P, x: int, value: float) -> None:
    """Add an item at the end."""
    count = read_int(m, x + COUNT)
    if count >= read_int(m, x + ROOM) and not move_slow(m, x):
        return
    m[read_int(m, x + AT) + count] = value
    write_int(m, x + COUNT, count + 1)


def append_row(m: P, x: int, place: int) -> None:
    """Add a record, which is its first place, at the end."""
    count = read_int(m, x + COUNT)
    if count >= read_int(m, x + ROOM) and not move_slow(m, x):
        return
    write_int(m, read_int(m, x + AT) + count, place)
    write_int(m, x + COUNT, count + 1)


def row(m: P, x: int, k: int) -> int:
    """The first place of record `k`."""
    return read_int(m, read_int(m, x + AT) + k)


def move_slow(m: P, x: int) -> bool:
    """Move a list to a place with more room."""
    count = read_int(m, x + COUNT)
    room = 2 * count if count > 3 else 4
    place = take_room(m, room)
    if place == 0:
        return False
    old = read_int(m, x + AT)
    for k in range(count):
        m[place + k] = m[old + k]
    write_int(m, x + AT, place)
    write_int(m, x + ROOM, room)
    return True


def pop(m: P, x: int) -> float:
    """Remove the last item."""
    count = read_int(m, x + COUNT) - 1
    write_int(m, x + COUNT, count)
    return m[read_int(m, x + AT) + count]


def remove(m: P, x: int, first: int) -> None:
    """Remove the first items."""
    at = read_int(m, x + AT)
    count = read_int(m, x + COUNT) - first
    for k in range(count):
        m[at + k] = m[at + first + k]
    write_int(m, x + COUNT, count)


def position(index: int, count: int) -> int:
    """The place in a list of `count` items that a bound of a slice means, as in Python."""
    at = index + count if index < 0 else index
    if at < 0:
        return 0
    return at if at < count else count


def position_before(index: int, count: int) -> int:
    """`position` for the end of a slice that goes backwards: -1 if it is before the first item."""
    at = index + count if index < 0 else index
    if at < 0:
        return 0 - 1
    return at if at < count else count - 1


def spare(m: P, x: int) -> None:
    """Begin a list of new items."""
    write_int(m, x + SPARE + COUNT, 0)


def append_spare(m: P, x: int, value: float) -> None:
    """Add an item to the list of new items."""
    append(m, x + SPARE, value)


def append_spare_row(m: P, x: int, place: int) -> None:
    """Add a record to the list of new items."""
    append_row(m, x + SPARE, place)


def use_spare(m: P, x: int) -> None:
    """Replace the items of a list by the new items. The old places are reused the next time."""
    for k in range(SPARE):
        old = read_int(m, x + k)
        write_int(m, x + k, read_int(m, x + SPARE + k))
        write_int(m, x + SPARE + k, old)


def largest(m: P, at: int, count: int) -> float:
    """The largest of some items, as Python's `max` finds it."""
    best = m[at]
    for k in range(1, count):
        if m[at + k] > best:
            best = m[at + k]
    return best


def smallest(m: P, at: int, count: int) -> float:
    """The smallest of some items, as Python's `min` finds it."""
    best = m[at]
    for k in range(1, count):
        if m[at + k] < best:
            best = m[at + k]
    return best


def has(m: P, at: int, count: int, value: float) -> bool:
    """Whether one of some items has this value."""
    k = 0
    while k < count and m[at + k] != value:
        k = k + 1
    return k < count


def has_row(m: P, at: int, count: int, place: int) -> bool:
    """Whether one of some records is the one at this place."""
    k = 0
    while k < count and read_int(m, at + k) != place:
        k = k + 1
    return k < count


def index_of(m: P, at: int, count: int, value: float) -> int:
    """The first of some items with this value; the run stops if there is none."""
    for k in range(count):
        if m[at + k] == value:
            return k
    fail(m, 1.0)
    return 0


def place_in_order(m: P, at: int, count: int, value: float) -> int:
    """The number of items that are smaller, in a list that is in order (`bisect_left`)."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        if m[at + middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def as_whole(m: P, number: float) -> int:
    """`int` of a number; the run stops if it is too large for a float to have all whole numbers, or na."""
    if number > -9007199254740992.0 and number < 9007199254740992.0:
        return int(number)
    fail(m, 1.0)
    return 0


def modulo(number: int, divisor: int) -> int:
    """`%` as in Python, also for a number below 0."""
    if number >= 0:
        return number % divisor
    return divisor - 1 - (-1 - number) % divisor


def whole_max(first: int, second: int) -> int:
    """The larger of two whole numbers."""
    return second if second > first else first


def whole_min(first: int, second: int) -> int:
    """The smaller of two whole numbers."""
    return second if second < first else first

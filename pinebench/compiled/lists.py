"""Lists of numbers in the memory of a run: of the stateful built-ins and the broker, and the arrays of a script.

They are written in the subset of Python that `compiled.native` translates. The header of a list has four integers at
the offsets `AT` (the address of the items), `COUNT` (the number of items), `BEGIN` and `END` (the bounds of their
room). The items may begin anywhere in the room, so that both ends can grow. A list moves to another address when its
room is exhausted. Below, `x` is the address of a list's header, and `at` is the address of items.
"""

from __future__ import annotations

from math import trunc

from pinebench.compiled.kernels import FREE, fail, take_room
from pinebench.compiled.numerals import NA, P, has_same_bits, read_int, write_int
from pinebench.runtime import EXACT

AT = 0
COUNT = 1
BEGIN = 2
END = 3
SPARE = 4
"""The offset of the header of the list that collects new items while a list is replaced by items made from its old
ones."""
PLACES = 8


def append(m: P, x: int, value: float) -> None:
    """Append an item to the list `x`."""
    count = read_int(m, x + COUNT)
    place = read_int(m, x + AT) + count
    if place >= read_int(m, x + END):
        if not move_slow(m, x, 1, False):
            return
        place = read_int(m, x + AT) + count
    m[place] = value
    write_int(m, x + COUNT, count + 1)


def append_row(m: P, x: int, place: int) -> None:
    """Append a record to the list `x`. The item is the record's address, `place`."""
    count = read_int(m, x + COUNT)
    if read_int(m, x + AT) + count >= read_int(m, x + END) and not move_slow(m, x, 1, False):
        return
    write_int(m, read_int(m, x + AT) + count, place)
    write_int(m, x + COUNT, count + 1)


def row(m: P, x: int, k: int) -> int:
    """Return the address of record `k` of the list `x`."""
    return read_int(m, read_int(m, x + AT) + k)


def move_slow(m: P, x: int, wanted: int, is_front: bool) -> bool:
    """Move the items of the list `x` to make room for `wanted` more items after them, or before them if `is_front`. Use
    the other end of the room if most of it is free, otherwise new memory."""
    count = read_int(m, x + COUNT)
    begin = read_int(m, x + BEGIN)
    free = read_int(m, x + END) - begin - count
    if free <= count or free < wanted:
        free = count + wanted + 3
        begin = take_room(m, count + free)
        if begin == 0:
            return False
        write_int(m, x + BEGIN, begin)
        write_int(m, x + END, begin + count + free)
    place = begin + (free + 1) // 2 if is_front else begin
    copy(m, read_int(m, x + AT), place, count)
    write_int(m, x + AT, place)
    return True


def copy(m: P, source: int, target: int, count: int) -> None:
    """Copy `count` floats from the address `source` to the address `target`. The two ranges may overlap."""
    if target > source:
        for k in range(count - 1, -1, -1):
            m[target + k] = m[source + k]
    else:
        for k in range(count):
            m[target + k] = m[source + k]


def pop(m: P, x: int) -> float:
    """Remove and return the last item."""
    count = read_int(m, x + COUNT) - 1
    write_int(m, x + COUNT, count)
    return m[read_int(m, x + AT) + count]


def pop_at(m: P, x: int, k: int) -> float:
    """Remove and return item `k`."""
    at = read_int(m, x + AT)
    count = read_int(m, x + COUNT) - 1
    value = m[at + k]
    if k == 0:
        write_int(m, x + AT, at + 1)
    else:
        copy(m, at + k + 1, at + k, count - k)
    write_int(m, x + COUNT, count)
    return value


def remove(m: P, x: int, first: int) -> None:
    """Remove the first `first` items."""
    write_int(m, x + AT, read_int(m, x + AT) + first)
    write_int(m, x + COUNT, read_int(m, x + COUNT) - first)


def cut(m: P, x: int, first: int, end: int) -> None:
    """Remove the items from index `first` up to, but excluding, `end`."""
    if end > first:
        at = read_int(m, x + AT)
        copy(m, at, at + end - first, first)
        remove(m, x, end - first)


def insert(m: P, x: int, k: int, value: float) -> None:
    """Insert `value` before item `k`."""
    count = read_int(m, x + COUNT)
    if k == 0:
        if read_int(m, x + AT) <= read_int(m, x + BEGIN) and not move_slow(m, x, 1, True):
            return
        write_int(m, x + AT, read_int(m, x + AT) - 1)
    else:
        if read_int(m, x + AT) + count >= read_int(m, x + END) and not move_slow(m, x, 1, False):
            return
        copy(m, read_int(m, x + AT) + k, read_int(m, x + AT) + k + 1, count - k)
    m[read_int(m, x + AT) + k] = value
    write_int(m, x + COUNT, count + 1)


def extend(m: P, x: int, y: int) -> None:
    """Append the items of the list `y`, which may be the list itself."""
    for k in range(read_int(m, y + COUNT)):
        append(m, x, m[read_int(m, y + AT) + k])


def more(m: P, x: int, count: int) -> int:
    """Make room for `count` new items at the end, and return the address of the first. If memory is short, stop the run
    and return 0."""
    before = read_int(m, x + COUNT)
    if read_int(m, x + AT) + before + count > read_int(m, x + END) and not move_slow(m, x, count, False):
        return 0
    write_int(m, x + COUNT, before + count)
    return read_int(m, x + AT) + before


def clear(m: P, x: int) -> None:
    """Remove all items."""
    write_int(m, x + COUNT, 0)
    write_int(m, x + AT, read_int(m, x + BEGIN))


def reverse(m: P, x: int) -> None:
    """Reverse the order of the items."""
    at = read_int(m, x + AT)
    count = read_int(m, x + COUNT)
    for k in range(count // 2):
        value = m[at + k]
        m[at + k] = m[at + count - 1 - k]
        m[at + count - 1 - k] = value


# items with a number that is a float, and counted from the end if it is negative


def item_place(m: P, x: int, index: float) -> int:
    """Return the address of the item at this index; a negative index counts from the end. If there is none, stop the
    run and return 0."""
    count = float(read_int(m, x + COUNT))
    if index >= 0.0 and index < count:
        return read_int(m, x + AT) + int(index)
    number = trunc(index)
    number = number + count if number < 0.0 else number
    if number >= 0.0 and number < count:
        return read_int(m, x + AT) + int(number)
    fail(m, 1.0)
    return 0


def item(m: P, x: int, index: float) -> float:
    """Return the item at this index."""
    place = item_place(m, x, index)
    return m[place] if place != 0 else NA


def set_item(m: P, x: int, index: float, value: float) -> None:
    """Replace the item at this index."""
    place = item_place(m, x, index)
    if place != 0:
        m[place] = value


def pop_item(m: P, x: int, index: float) -> float:
    """Remove and return the item at this index."""
    place = item_place(m, x, index)
    return pop_at(m, x, place - read_int(m, x + AT)) if place != 0 else NA


# new lists


def new_list(m: P, room: int) -> int:
    """Create an empty list with room for `room` items. Return its address; if memory is short, stop the run and return
    0."""
    x = take_room(m, SPARE + room)
    if x != 0:
        write_int(m, x + AT, x + SPARE)
        write_int(m, x + COUNT, 0)
        write_int(m, x + BEGIN, x + SPARE)
        write_int(m, x + END, x + SPARE + room)
    return x


def filled_list(m: P, value: float, count: int) -> float:
    """Create a list of `count` items equal to `value`. Return its address; na if memory is short."""
    x = new_list(m, count)
    if x == 0:
        return NA
    for k in range(count):
        m[x + SPARE + k] = value
    write_int(m, x + COUNT, count)
    return float(x)


def copied_list(m: P, at: int, count: int) -> float:
    """Create a list of the `count` items at the address `at`. Return its address; na if memory is short."""
    x = new_list(m, count)
    if x == 0:
        return NA
    copy(m, at, x + SPARE, count)
    write_int(m, x + COUNT, count)
    return float(x)


# parts of a list


def position(index: int, count: int) -> int:
    """Convert a bound of a slice to an index from 0 to `count`, as Python does."""
    at = index + count if index < 0 else index
    if at < 0:
        return 0
    return at if at < count else count


def use_spare(m: P, x: int) -> None:
    """Replace the items of a list with the new items in its spare room. Its old room becomes the spare room."""
    for k in range(SPARE):
        old = read_int(m, x + k)
        write_int(m, x + k, read_int(m, x + SPARE + k))
        write_int(m, x + SPARE + k, old)


def has(m: P, at: int, count: int, value: float) -> bool:
    """Return whether one of the `count` items at the address `at` equals `value`."""
    k = 0
    while k < count and m[at + k] != value:
        k = k + 1
    return k < count


def has_other(m: P, at: int, count: int, value: float) -> bool:
    """Return whether one of the `count` items at the address `at` differs from `value`."""
    k = 0
    while k < count and m[at + k] == value:
        k = k + 1
    return k < count


def has_row(m: P, at: int, count: int, place: int) -> bool:
    """Return whether one of the `count` records in the list at `at` is the record at `place`."""
    k = 0
    while k < count and read_int(m, at + k) != place:
        k = k + 1
    return k < count


def index_of(m: P, at: int, count: int, value: float) -> int:
    """Return the index of the first of the `count` items at the address `at` that equals `value`. If there is none,
    stop the run."""
    for k in range(count):
        if m[at + k] == value:
            return k
    fail(m, 1.0)
    return 0


def is_same_value(one: float, other: float) -> bool:
    """Return whether two items (strings, colours or addresses) are the same. The na string differs from the empty
    string."""
    return has_same_bits(one, other) or (one != one and other != other)


def sort(m: P, at: int, count: int, is_up: bool) -> None:
    """Sort the `count` items at the address `at`, ascending if `is_up`. They must not contain na. Equal items keep
    their order."""
    spare = take_room(m, count)
    if spare == 0:
        return
    width = 1
    while width < count:
        start = 0
        while start < count:
            middle = start + width if start + width < count else count
            stop = middle + width if middle + width < count else count
            left = start
            right = middle
            for k in range(start, stop):
                is_left = right >= stop
                if left < middle and right < stop:
                    one = m[at + left]
                    two = m[at + right]
                    is_left = one <= two if is_up else one >= two
                m[spare + k] = m[at + left] if is_left else m[at + right]
                if is_left:
                    left = left + 1
                else:
                    right = right + 1
            start = stop
        copy(m, spare, at, count)
        width = 2 * width
    m[FREE] = m[FREE] - float(count)


def place_in_order(m: P, at: int, count: int, value: float) -> int:
    """Return how many of the `count` sorted items at the address `at` are less than `value`, as `bisect_left` does."""
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
    """Convert a number to an int as `int` does. Stop the run if it is na, or too large for floats to be exact."""
    if number > -EXACT and number < EXACT:
        return int(number)
    fail(m, 1.0)
    return 0


def modulo(number: int, divisor: int) -> int:
    """Return `number % divisor` as Python computes it, even for a negative number."""
    if number >= 0:
        return number % divisor
    return divisor - 1 - (-1 - number) % divisor

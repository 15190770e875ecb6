"""Arrays of numbers, bools, colours and texts, in the part of Python that `native` translates.

The value of an array is the place of its record in the memory (`layouts.ARRAY`), or na. The elements may begin
anywhere in the room for them, so that both ends can grow. The steps are the steps of `runtime.library.arrays`; where a
script stops there, the status is set here, and the run is repeated on the Python tier.
"""

from __future__ import annotations

from math import sqrt, trunc

from pinebench.compiled.kernels import FREE, fail, take
from pinebench.compiled.layouts import ARRAY
from pinebench.compiled.numerals import NA, P, has_same_bits

MOST = 100000.0


def array_made(m: P, room: int) -> int:
    """The record of a new array without elements; 0 if there is too little memory."""
    h = take(m, ARRAY.places + room)
    if h != 0:
        m[h + ARRAY.first] = float(h + ARRAY.places)
        m[h + ARRAY.begin] = float(h + ARRAY.places)
        m[h + ARRAY.end] = float(h + ARRAY.places + room)
    return h


def array_new(m: P, size: float, value: float) -> float:
    count = 0
    if size == size:
        if not (size > -1.0 and size < MOST + 1.0):
            return fail(m, 1.0)
        count = int(size)
    h = array_made(m, count)
    if h == 0:
        return NA
    for k in range(count):
        m[h + ARRAY.places + k] = value
    m[h + ARRAY.count] = float(count)
    return float(h)


def array_copy(m: P, array: float) -> float:
    if array != array:
        return fail(m, 1.0)
    h = int(array)
    count = int(m[h + ARRAY.count])
    first = int(m[h + ARRAY.first])
    made = array_made(m, count)
    if made == 0:
        return NA
    for k in range(count):
        m[made + ARRAY.places + k] = m[first + k]
    m[made + ARRAY.count] = float(count)
    return float(made)


def array_size(m: P, array: float) -> float:
    return m[int(array) + ARRAY.count] if array == array else fail(m, 1.0)


def array_place(m: P, array: float, index: float) -> int:
    """The place of an element; 0 if the index is na, or if the script stops."""
    if array != array:
        fail(m, 1.0)
        return 0
    if index != index:
        return 0
    h = int(array)
    count = m[h + ARRAY.count]
    if index > -1.0:
        if index < count:
            return int(m[h + ARRAY.first]) + int(index)
    elif -trunc(index) <= count:
        return int(m[h + ARRAY.first]) + int(count + trunc(index))
    fail(m, 1.0)
    return 0


def array_get(m: P, array: float, index: float) -> float:
    if array == array and index >= 0.0 and index < m[int(array) + ARRAY.count]:
        return m[int(m[int(array) + ARRAY.first]) + int(index)]
    place = array_place(m, array, index)
    return m[place] if place != 0 else NA


def array_item(m: P, array: float, index: float) -> float:
    """An element that is not a number. For an na index, only the Python tier knows the result."""
    place = array_place(m, array, index)
    return m[place] if place != 0 else fail(m, 1.0)


def array_set(m: P, array: float, index: float, value: float) -> None:
    place = array_place(m, array, index)
    if place != 0:
        m[place] = value


def array_end(m: P, array: float) -> int:
    """The place after the last element, for a new element; 0 if the script stops."""
    if array != array:
        fail(m, 1.0)
        return 0
    h = int(array)
    if m[h + ARRAY.count] >= MOST:
        fail(m, 1.0)
        return 0
    end = m[h + ARRAY.first] + m[h + ARRAY.count]
    return int(end) if end < m[h + ARRAY.end] else array_end_slow(m, h)


def array_end_slow(m: P, h: int) -> int:
    count = int(m[h + ARRAY.count])
    first = int(m[h + ARRAY.first])
    place = int(m[h + ARRAY.begin])
    if first - place <= count:
        room = 2 * count + 8
        place = take(m, room)
        if place == 0:
            return 0
        m[h + ARRAY.begin] = float(place)
        m[h + ARRAY.end] = float(place + room)
    for k in range(count):
        m[place + k] = m[first + k]
    m[h + ARRAY.first] = float(place)
    return place + count


def array_push(m: P, array: float, value: float) -> None:
    place = array_end(m, array)
    if place != 0:
        m[place] = value
        m[int(array) + ARRAY.count] = m[int(array) + ARRAY.count] + 1.0


def array_unshift(m: P, array: float, value: float) -> None:
    if array != array:
        fail(m, 1.0)
        return
    h = int(array)
    if m[h + ARRAY.count] >= MOST:
        fail(m, 1.0)
        return
    if m[h + ARRAY.first] <= m[h + ARRAY.begin]:
        count = int(m[h + ARRAY.count])
        first = int(m[h + ARRAY.first])
        begin = int(m[h + ARRAY.begin])
        spare = int(m[h + ARRAY.end]) - begin - count
        if spare <= count:
            spare = count + 16
            begin = take(m, count + spare)
            if begin == 0:
                return
            m[h + ARRAY.begin] = float(begin)
            m[h + ARRAY.end] = float(begin + count + spare)
        place = begin + (spare + 1) // 2
        for k in range(count - 1, -1, -1):
            m[place + k] = m[first + k]
        m[h + ARRAY.first] = float(place)
    m[h + ARRAY.first] = m[h + ARRAY.first] - 1.0
    m[int(m[h + ARRAY.first])] = value
    m[h + ARRAY.count] = m[h + ARRAY.count] + 1.0


def array_is_filled(m: P, array: float) -> bool:
    """Whether an array has an element. The script stops if it has none."""
    if array == array and m[int(array) + ARRAY.count] > 0.0:
        return True
    fail(m, 1.0)
    return False


def array_first(m: P, array: float) -> float:
    return m[int(m[int(array) + ARRAY.first])] if array_is_filled(m, array) else NA


def array_last(m: P, array: float) -> float:
    return m[int(m[int(array) + ARRAY.first] + m[int(array) + ARRAY.count]) - 1] if array_is_filled(m, array) else NA


def array_pop(m: P, array: float) -> float:
    if not array_is_filled(m, array):
        return NA
    h = int(array)
    m[h + ARRAY.count] = m[h + ARRAY.count] - 1.0
    return m[int(m[h + ARRAY.first] + m[h + ARRAY.count])]


def array_shift(m: P, array: float) -> float:
    if not array_is_filled(m, array):
        return NA
    h = int(array)
    m[h + ARRAY.count] = m[h + ARRAY.count] - 1.0
    m[h + ARRAY.first] = m[h + ARRAY.first] + 1.0
    return m[int(m[h + ARRAY.first]) - 1]


def array_insert(m: P, array: float, index: float, value: float) -> None:
    if array != array:
        fail(m, 1.0)
        return
    h = int(array)
    count = m[h + ARRAY.count]
    number = trunc(index) + 0.0 if index == index else count
    if number < 0.0:
        number = number + count
    if not (number >= 0.0 and number <= count):
        fail(m, 1.0)
        return
    end = array_end(m, array)
    if end == 0:
        return
    place = int(m[h + ARRAY.first]) + int(number)
    for k in range(end - 1, place - 1, -1):
        m[k + 1] = m[k]
    m[place] = value
    m[h + ARRAY.count] = count + 1.0


def array_remove(m: P, array: float, index: float) -> float:
    place = array_place(m, array, index)
    if place == 0:
        return NA
    h = int(array)
    value = m[place]
    m[h + ARRAY.count] = m[h + ARRAY.count] - 1.0
    for k in range(place, int(m[h + ARRAY.first] + m[h + ARRAY.count])):
        m[k] = m[k + 1]
    return value


def array_remove_item(m: P, array: float, index: float) -> float:
    """Remove an element that is not a number."""
    return array_remove(m, array, index) if index == index else fail(m, 1.0)


def array_clear(m: P, array: float) -> None:
    if array != array:
        fail(m, 1.0)
        return
    m[int(array) + ARRAY.count] = 0.0
    m[int(array) + ARRAY.first] = m[int(array) + ARRAY.begin]


def array_fill(m: P, array: float, value: float, start: float, stop: float) -> None:
    if array != array:
        fail(m, 1.0)
        return
    h = int(array)
    count = m[h + ARRAY.count]
    first = trunc(start) + 0.0 if start == start else 0.0
    last = trunc(stop) + 0.0 if stop == stop else count
    if not (first >= 0.0 and first < count and last >= 0.0 and last <= count):
        fail(m, 1.0)
        return
    place = int(m[h + ARRAY.first])
    for k in range(int(first), int(last)):
        m[place + k] = value


def array_reverse(m: P, array: float) -> None:
    if array != array:
        fail(m, 1.0)
        return
    h = int(array)
    count = int(m[h + ARRAY.count])
    first = int(m[h + ARRAY.first])
    for k in range(count // 2):
        value = m[first + k]
        m[first + k] = m[first + count - 1 - k]
        m[first + count - 1 - k] = value


def array_concat(m: P, array: float, other: float) -> float:
    if array != array or other != other:
        return fail(m, 1.0)
    o = int(other)
    for k in range(int(m[o + ARRAY.count])):
        array_push(m, array, m[int(m[o + ARRAY.first]) + k])
    return array


# searching


def array_is_same(left: float, right: float, is_number: bool) -> bool:
    """Whether an element is a value. An na number is not equal to itself; na and the empty text are different."""
    if not is_number:
        return has_same_bits(left, right) or (left != left and right != right)
    away = left - right
    return left == right or (away >= -1e-10 and away <= 1e-10)


def array_indexof(m: P, array: float, value: float, is_number: bool) -> float:
    if array != array:
        return fail(m, 1.0)
    first = int(m[int(array) + ARRAY.first])
    for k in range(int(m[int(array) + ARRAY.count])):
        if array_is_same(m[first + k], value, is_number):
            return float(k)
    return -1.0


def array_lastindexof(m: P, array: float, value: float, is_number: bool) -> float:
    if array != array:
        return fail(m, 1.0)
    first = int(m[int(array) + ARRAY.first])
    for k in range(int(m[int(array) + ARRAY.count]) - 1, -1, -1):
        if array_is_same(m[first + k], value, is_number):
            return float(k)
    return -1.0


def array_includes(m: P, array: float, value: float, is_number: bool) -> bool:
    return array_indexof(m, array, value, is_number) >= 0.0


def array_every(m: P, array: float) -> bool:
    if array != array:
        fail(m, 1.0)
        return False
    first = int(m[int(array) + ARRAY.first])
    for k in range(int(m[int(array) + ARRAY.count])):
        if m[first + k] == 0.0:
            return False
    return m[int(array) + ARRAY.count] > 0.0


def array_some(m: P, array: float) -> bool:
    if array != array:
        fail(m, 1.0)
        return False
    first = int(m[int(array) + ARRAY.first])
    for k in range(int(m[int(array) + ARRAY.count])):
        if m[first + k] != 0.0:
            return True
    return False


# sorting


def array_sorted(m: P, place: int, count: int, is_up: bool) -> None:
    """Sort numbers without na; equal ones keep their order."""
    spare = take(m, count)
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
                    one = m[place + left]
                    two = m[place + right]
                    is_left = one <= two if is_up else one >= two
                m[spare + k] = m[place + left] if is_left else m[place + right]
                if is_left:
                    left = left + 1
                else:
                    right = right + 1
            start = stop
        for k in range(count):
            m[place + k] = m[spare + k]
        width = 2 * width
    m[FREE] = m[FREE] - float(count)


def array_sort(m: P, array: float, is_up: bool) -> None:
    if array != array:
        fail(m, 1.0)
        return
    h = int(array)
    first = int(m[h + ARRAY.first])
    count = int(m[h + ARRAY.count])
    known = 0
    for k in range(count):
        if m[first + k] == m[first + k]:
            m[first + known] = m[first + k]
            known = known + 1
    for k in range(known, count):
        m[first + k] = NA
    array_sorted(m, first, known, is_up)
    if is_up or known == count:
        return
    for k in range(known - 1, -1, -1):
        m[first + k + count - known] = m[first + k]
    for k in range(count - known):
        m[first + k] = NA


def array_ordered(m: P, array: float, is_up: bool) -> int:
    """Make a sorted copy of the elements that are not na, and return its place, which begins with their number; 0 if
    the script stops. The copy is at the end of the memory in use, so it must be used at once."""
    h = int(array)
    place = take(m, 1 + int(m[h + ARRAY.count]))
    if place == 0:
        return 0
    first = int(m[h + ARRAY.first])
    known = 0
    for k in range(int(m[h + ARRAY.count])):
        if m[first + k] == m[first + k]:
            known = known + 1
            m[place + known] = m[first + k]
    m[place] = float(known)
    array_sorted(m, place + 1, known, is_up)
    m[FREE] = float(place)
    return place


# numbers


def array_nth(m: P, array: float, nth: float, is_up: bool) -> float:
    if array != array:
        return fail(m, 1.0)
    h = int(array)
    rank = trunc(nth) + 0.0 if nth == nth else 0.0
    if not (rank >= 0.0 and rank < m[h + ARRAY.count]):
        return NA
    if rank > 0.0:
        place = array_ordered(m, array, is_up)
        if place == 0 or m[place] == 0.0:
            return NA
        return m[place + 1 + int(rank)] if rank < m[place] else m[place + int(m[place])]
    first = int(m[h + ARRAY.first])
    best = NA
    for k in range(int(m[h + ARRAY.count])):
        value = m[first + k]
        if best != best or (value < best if is_up else value > best):
            best = value
    return best


def array_max(m: P, array: float, nth: float) -> float:
    return array_nth(m, array, nth, False)


def array_min(m: P, array: float, nth: float) -> float:
    return array_nth(m, array, nth, True)


def array_total(m: P, array: float) -> tuple[float, float]:
    """The sum of the elements that are not na, and their number."""
    total = 0.0
    known = 0.0
    if array != array:
        fail(m, 1.0)
        return 0.0, 0.0
    first = int(m[int(array) + ARRAY.first])
    for k in range(int(m[int(array) + ARRAY.count])):
        value = m[first + k]
        if value == value:
            total = total + value
            known = known + 1.0
    return total, known


def array_sum(m: P, array: float) -> float:
    total, known = array_total(m, array)
    return total if known > 0.0 else NA


def array_avg(m: P, array: float) -> float:
    total, known = array_total(m, array)
    return total / known if known > 0.0 else NA


def array_range(m: P, array: float) -> float:
    highest = array_nth(m, array, 0.0, False)
    return highest - array_nth(m, array, 0.0, True)


def array_median(m: P, array: float) -> float:
    if array != array:
        return fail(m, 1.0)
    place = array_ordered(m, array, True)
    if place == 0 or m[place] == 0.0:
        return NA
    known = int(m[place])
    middle = place + 1 + known // 2
    return m[middle] if known % 2 == 1 else (m[middle - 1] + m[middle]) / 2.0


def array_variance(m: P, array: float, is_biased: bool) -> float:
    total, known = array_total(m, array)
    if known < 2.0:
        return 0.0 if known > 0.0 and is_biased else NA
    squares = 0.0
    first = int(m[int(array) + ARRAY.first])
    for k in range(int(m[int(array) + ARRAY.count])):
        value = m[first + k]
        if value == value:
            squares = squares + value * value
    mean = total / known
    found = squares / known - mean * mean
    if not is_biased:
        found = squares / (known - 1.0) - (total / (known - 1.0)) * mean
    return found if found > 0.0 else 0.0


def array_stdev(m: P, array: float, is_biased: bool) -> float:
    return sqrt(array_variance(m, array, is_biased))

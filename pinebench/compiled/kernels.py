"""The stateful built-ins that are written by hand, in the part of Python that `native` translates.

`m` is the memory of a run, and `s` the place of a call's state in it. The steps are the steps of the classes in
`runtime.library`, in the same order; tests compare them bit by bit. Built-ins without a loop over bars are not here:
`lowering` makes them of their classes. A call that stops a script there, and a call that
needs more memory, sets `m[0]` here, and the run is repeated on the Python tier.

The first places of the memory: 0 the status (0 for a run that goes on), 1 the first free place, 2 the end, 3 the number
of rounds of loops that are left.
"""

from __future__ import annotations

from math import ceil, floor, fmod, sqrt, trunc

from pinebench.compiled.numerals import INF, NA, P, exp, fma, log, pow


def fail(m: P, code: float) -> float:
    """Stop the run."""
    if m[0] == 0.0:
        m[0] = code
    return NA


def take(m: P, count: int) -> int:
    """The first of `count` free places, all 0; 0 if there are too few. Then the run stops."""
    place = take_room(m, count)
    if place != 0:
        for k in range(count):
            m[place + k] = 0.0
    return place


def take_room(m: P, count: int) -> int:
    """The first of `count` free places with any values; 0 if there are too few. Then the run stops."""
    place = int(m[1])
    if count < 0 or float(count) > m[2] - m[1]:
        fail(m, 2.0)
        return 0
    m[1] = m[1] + float(count)
    return place


def is_length(m: P, length: float, most: float) -> bool:
    """Whether a length is possible. The script stops if it is not."""
    if length != length or length < 1.0 or length >= most + 1.0:
        fail(m, 1.0)
        return False
    return True


def checked_length(m: P, length: float) -> int:
    """`runtime.library.kernel.checked_length`. After a length that is not possible, the run stops."""
    return int(length) if is_length(m, length, 1e9) else 1


def python_max(first: float, second: float) -> float:
    """`max` of two numbers as Python computes it, also for na and for zeros."""
    return second if second > first else first


def python_min(first: float, second: float) -> float:
    """`min` of two numbers as Python computes it, also for na and for zeros."""
    return second if second < first else first


# math.sum: 0 given, 1 length, 2 sum, 3 carry, 4 stored, 5 next, 6 entries, 7 window, 8 room


def sum_(m: P, s: int, source: float, length: float, most: float) -> float:
    if length != m[s]:
        if not is_length(m, length, most):
            return NA
        whole = trunc(length)
        if whole > m[s + 8]:
            place = take(m, 2 * int(whole))
            if place == 0:
                return NA
            m[s + 6] = float(place)
            m[s + 8] = whole
        m[s + 7] = m[s + 6] + m[s + 8]
        m[s] = length
        m[s + 1] = whole
        m[s + 2] = 0.0
        m[s + 3] = 0.0
        m[s + 4] = 0.0
        m[s + 5] = 0.0
    n = int(m[s + 1])
    stored = int(m[s + 4])
    if source != source:
        return m[s + 2] if stored >= n else NA
    slot = int(m[s + 5])
    carry = m[s + 3]
    e = int(m[s + 6])
    w = int(m[s + 7])
    m[w + slot] = source
    m[s + 5] = float(slot + 1 if slot + 1 < n else 0)
    size = carry if carry > 0.0 else -carry
    if carry != 0.0 and size - ((source + size) - source) > 0.0:
        m[e + slot] = source
        m[s + 3] = 0.0
        if stored < n:
            stored = stored + 1
            m[s + 4] = float(stored)
        total = 0.0
        k = slot
        for _ in range(stored):
            total = total + m[w + k]
            k = k - 1 if k > 0 else n - 1
        m[s + 2] = total
        return total if stored >= n else NA
    before = m[s + 2]
    if stored >= n:
        leaving = -m[e + slot] - carry
        half = before + leaving
        entry = source - ((half - before) - leaving)
        result = half + entry
        m[s + 3] = (result - half) - entry
        m[e + slot] = entry
        m[s + 2] = result
        return result
    entry = source - carry
    result = before + entry
    m[s + 3] = (result - before) - entry
    m[e + slot] = entry
    m[s + 4] = float(stored + 1)
    m[s + 2] = result
    return result if stored + 1 >= n else NA


def math_sum(m: P, s: int, i: int, source: float, length: float) -> float:
    return sum_(m, s, source, length, 1e9)


def sma(m: P, s: int, i: int, source: float, length: float) -> float:
    return sum_(m, s, source, length, 5000.0) / m[s + 1]


# ema and rma: 0 given, 1 length, 2 alpha, 3 value, 4 seed


def ema(m: P, s: int, i: int, source: float, length: float) -> float:
    value = m[s + 3]
    value = value + m[s + 2] * (source - value)
    if length == m[s] and value == value:
        m[s + 3] = value
        return value
    return ema_slow(m, s, i, source, length)


def ema_slow(m: P, s: int, i: int, source: float, length: float) -> float:
    if length != m[s]:
        if not is_length(m, length, 1e9):
            return NA
        # With a length of 1, each value is the source: the length is not remembered, so that no shorter way is taken.
        m[s] = length if length >= 2.0 else NA
        m[s + 1] = trunc(length)
        m[s + 2] = 2.0 / (m[s + 1] + 1.0)
    if source != source:
        return NA
    value = m[s + 3]
    if value == value and m[s + 1] > 1.0:
        value = value + m[s + 2] * (source - value)
        m[s + 3] = value
        return value
    value = sum_(m, s + 4, source, m[s + 1], 1e9) / m[s + 1]
    m[s + 3] = value
    return value


def rma(m: P, s: int, i: int, source: float, length: float) -> float:
    value = m[s + 3]
    if length == m[s] and value == value and source == source:
        n = m[s + 1]
        value = (value * (n - 1.0) + source) / n
        m[s + 3] = value
        return value
    return rma_slow(m, s, i, source, length)


def rma_slow(m: P, s: int, i: int, source: float, length: float) -> float:
    if length != m[s]:
        if not is_length(m, length, 1e9):
            return NA
        m[s] = length
        m[s + 1] = trunc(length)
    if source != source:
        return NA
    value = m[s + 3]
    n = m[s + 1]
    if value == value:
        value = (value * (n - 1.0) + source) / n
        m[s + 3] = value
        return value
    value = sum_(m, s + 4, source, n, 1e9) / n
    m[s + 3] = value
    return value


# the window of bars: 0 given, 1 length, 2 bar, 3 keep, 4 count, 5 values, 6 room


def window_length(m: P, s: int, length: float, more: float) -> bool:
    """Change the length. `more` is 1, or 0 if one bar less is kept."""
    if not is_length(m, length, 15000.0):
        return False
    m[s] = length
    m[s + 1] = trunc(length)
    if m[s + 1] + more > m[s + 3]:
        m[s + 3] = m[s + 1] + more
    return True


def window_room(m: P, s: int) -> bool:
    keep = int(m[s + 3])
    room = 3 * keep + 2
    if float(room) <= m[s + 6]:
        return True
    place = take(m, room)
    if place == 0:
        return False
    old = int(m[s + 5])
    for k in range(int(m[s + 4])):
        m[place + k] = m[old + k]
    m[s + 5] = float(place)
    m[s + 6] = float(room)
    return True


def window_write(m: P, s: int, i: int, value: float) -> int:
    """Store a value, and return the place after the newest value."""
    if not window_room(m, s):
        return int(m[s + 5]) + int(m[s + 4])  # the run stops; the values before are still there
    count = int(m[s + 4])
    keep = int(m[s + 3])
    place = int(m[s + 5])
    bar = int(m[s + 2])
    if i != bar + 1:
        if i <= bar:
            if count > 0:
                count = count - 1
        elif count > 0:
            missing = i - bar - 1
            if missing > keep:
                missing = keep
            last = m[place + count - 1]
            for _ in range(missing):
                m[place + count] = last
                count = count + 1
    m[s + 2] = float(i)
    m[place + count] = value
    count = count + 1
    if count > 2 * keep:
        first = count - keep
        for k in range(keep):
            m[place + k] = m[place + first + k]
        count = keep
    m[s + 4] = float(count)
    return place + count


def change(m: P, s: int, i: int, source: float, length: float) -> float:
    if length != m[s] and not window_length(m, s, length, 1.0):
        return NA
    end = window_write(m, s, i, source)
    n = int(m[s + 1])
    return source - m[end - 1 - n] if m[s + 4] > float(n) else NA


def change_of_bool(m: P, s: int, i: int, source: bool, length: float) -> bool:
    if length != m[s] and not window_length(m, s, length, 1.0):
        return False
    end = window_write(m, s, i, float(source))
    n = int(m[s + 1])
    if m[s + 4] > float(n):
        return float(source) != m[end - 1 - n]
    return False


def roc(m: P, s: int, i: int, source: float, length: float) -> float:
    if length != m[s] and not window_length(m, s, length, 1.0):
        return NA
    end = window_write(m, s, i, source)
    n = int(m[s + 1])
    if m[s + 4] <= float(n):
        return NA
    before = m[end - 1 - n]
    return 100.0 * (source - before) / before if before != 0.0 else NA


# wma: a window, 7 present


def wma(m: P, s: int, i: int, source: float, length: float) -> float:
    if length != m[s] and not window_length(m, s, length, 1.0):
        return NA
    if source != source:
        count = int(m[s + 4])
        if count > 0:
            window_write(m, s, i, m[int(m[s + 5]) + count - 1])
        return NA
    end = window_write(m, s, i, source)
    n = int(m[s + 1])
    if m[s + 7] < float(n):
        m[s + 7] = m[s + 7] + 1.0
        if m[s + 7] < float(n):
            return NA
    count = int(m[s + 4])
    if n > count:
        n = count
    total = 0.0
    for k in range(n):
        total = total + m[end - n + k] * float(k + 1)
    return total / (m[s + 1] * (m[s + 1] + 1.0) / 2.0)


def hma(m: P, s: int, i: int, source: float, length: float) -> float:
    if not is_length(m, length, 1e9):
        return NA
    n = int(length)
    inner = 2.0 * wma(m, s, i, source, float(n // 2)) - wma(m, s + 8, i, source, float(n))
    return wma(m, s + 16, i, inner, trunc(sqrt(float(n))))


def swma(m: P, s: int, i: int, source: float) -> float:
    end = window_write(m, s, i, source)
    if m[s + 4] < 4.0:
        return NA
    return (m[end - 1] + 2.0 * m[end - 2] + 2.0 * m[end - 3] + m[end - 4]) / 6.0


# alma: a window, 7 weights, 8 room for weights


def alma(m: P, s: int, i: int, source: float, length: float, offset: float, sigma: float, floored: bool) -> float:
    if length != m[s]:
        if not window_length(m, s, length, 1.0) or not gaussian(m, s, offset, sigma, floored):
            return NA
    end = window_write(m, s, i, source)
    n = int(m[s + 1])
    if m[s + 4] < float(n):
        return NA
    w = int(m[s + 7])
    total = 0.0
    for k in range(n):
        total = total + m[end - n + k] * m[w + k]
    return total


def gaussian(m: P, s: int, offset: float, sigma: float, floored: bool) -> bool:
    n = int(m[s + 1])
    if float(n) > m[s + 8]:
        place = take(m, n)
        if place == 0:
            return False
        m[s + 7] = float(place)
        m[s + 8] = float(n)
    w = int(m[s + 7])
    middle = offset * (float(n) - 1.0)
    if floored and middle - middle == 0.0:
        middle = floor(middle)
    width = float(n) / sigma if sigma != 0.0 else NA
    below = 2.0 * width * width
    norm = 0.0
    for k in range(n):
        if below != 0.0:
            away = float(k) - middle
            m[w + k] = exp(-(away * away) / below)
        else:
            m[w + k] = NA
        norm = norm + m[w + k]
    for k in range(n):
        m[w + k] = m[w + k] / norm if norm != 0.0 else NA
    return True


# dev: a window, 8 the average


def dev(m: P, s: int, i: int, source: float, length: float) -> float:
    if length != m[s] and not window_length(m, s, length, 1.0):
        return NA
    mean = sma(m, s + 8, i, source, length)
    end = window_write(m, s, i, source)
    n = int(m[s + 1])
    if mean != mean or m[s + 4] < float(n):
        return NA
    total = 0.0
    for k in range(n):
        total = total + abs(m[end - 1 - k] - mean)
    return total / m[s + 1]


def cci(m: P, s: int, i: int, source: float, length: float) -> float:
    distance = dev(m, s, i, source, length)
    if distance != distance:
        return NA
    below = 0.015 * distance
    return (source - m[s + 10] / m[s + 9]) / below if below != 0.0 else 0.0


# highest and lowest: 0 given, 1 length, 2 bar, 3 kept, 4 at, 5 since, 6 skipped, 7 ring, 8 size


def extreme(m: P, s: int, i: int, source: float, length: float) -> float:
    grown = False
    if length != m[s]:
        if not is_length(m, length, 15000.0):
            return NA
        grown = trunc(length) > m[s + 1]
        m[s] = length
        m[s + 1] = trunc(length)
        if m[s + 1] >= m[s + 8] and not grow_ring(m, s + 7, i, int(length)):
            return NA
    n = int(m[s + 1])
    bar = int(m[s + 2])
    if i != bar + 1:
        if bar < 0:
            m[s + 5] = float(i)
        else:
            m[s + 6] = 1.0
    m[s + 2] = float(i)
    ring = int(m[s + 7])
    size = int(m[s + 8])
    m[ring + i % size] = source
    if source != source:
        m[s + 3] = NA
        m[s + 4] = float(i)
        m[s + 5] = float(i)
        return NA
    if not grown and not (source <= m[s + 3]):
        m[s + 3] = source
        m[s + 4] = float(i)
        return source if i >= n - 1 else NA
    if grown or i - int(m[s + 4]) >= n:
        since = int(m[s + 5])
        reach = i - (since if since > 0 else 0) + 1
        if reach > n:
            reach = n
        if reach > i + 1:
            reach = n
        best = source
        at = i
        slot = i % size
        for back in range(reach):
            value = m[ring + slot]
            if value != value:
                break
            if value >= best:
                best = value
                at = i - back
            slot = slot - 1 if slot > 0 else size - 1
        m[s + 3] = best
        m[s + 4] = float(at)
    return m[s + 3] if i >= n - 1 else NA


def grow_ring(m: P, s: int, i: int, length: int) -> bool:
    """Make room in a ring: 0 its slots, 1 its size."""
    before = int(m[s + 1])
    old = int(m[s])
    size = length + 1
    place = take(m, size)
    if place == 0:
        return False
    for j in range(before):
        away = (i - 1 - j) % before
        if i - 1 - j < 0:
            away = (before - (j + 1 - i) % before) % before
        bar = i - 1 - away
        slot = bar % size if bar >= 0 else (size - (-bar) % size) % size
        m[place + slot] = m[old + j]
    m[s] = float(place)
    m[s + 1] = float(size)
    return True


def highest(m: P, s: int, i: int, source: float, length: float) -> float:
    return extreme(m, s, i, source, length)


def lowest(m: P, s: int, i: int, source: float, length: float) -> float:
    return -extreme(m, s, i, -source, length)


def highest_of_bars(m: P, s: int, i: int, length: float, high: float) -> float:
    return extreme(m, s, i, high, length)


def lowest_of_bars(m: P, s: int, i: int, length: float, low: float) -> float:
    return -extreme(m, s, i, -low, length)


def highest_bars(m: P, s: int, i: int, source: float, length: float) -> float:
    extreme(m, s, i, source, length)
    return m[s + 4] - float(i) if float(i) >= m[s + 1] - 1.0 else NA


def lowest_bars(m: P, s: int, i: int, source: float, length: float) -> float:
    return highest_bars(m, s, i, -source, length)


def highest_bars_of_bars(m: P, s: int, i: int, length: float, high: float) -> float:
    return highest_bars(m, s, i, high, length)


def lowest_bars_of_bars(m: P, s: int, i: int, length: float, low: float) -> float:
    return highest_bars(m, s, i, -low, length)


# pivots: a window, 7 left, 8 right


def pivot(m: P, s: int, i: int, source: float, left: float, right: float) -> float:
    if left != m[s + 7] or right != m[s + 8]:
        if not (left > -1.0 and right > -1.0 and left < 1e6 and right < 1e6):
            return fail(m, 1.0)
        m[s + 7] = left
        m[s + 8] = right
        m[s + 1] = trunc(left) + trunc(right) + 1.0
        if m[s + 1] > m[s + 3]:
            m[s + 3] = m[s + 1]
    end = window_write(m, s, i, source)
    n = int(m[s + 1])
    if m[s + 4] < float(n):
        return NA
    after = int(right)
    value = m[end - 1 - after]
    if value != value:
        return NA
    for k in range(after):
        if m[end - after + k] >= value:
            return NA
    for k in range(n - 1 - after):
        if m[end - n + k] > value:
            return NA
    return value


def pivot_high(m: P, s: int, i: int, source: float, left: float, right: float) -> float:
    return pivot(m, s, i, source, left, right)


def pivot_low(m: P, s: int, i: int, source: float, left: float, right: float) -> float:
    return -pivot(m, s, i, -source, left, right)


def pivot_high_of_bars(m: P, s: int, i: int, left: float, right: float, high: float) -> float:
    return pivot(m, s, i, high, left, right)


def pivot_low_of_bars(m: P, s: int, i: int, left: float, right: float, low: float) -> float:
    return -pivot(m, s, i, -low, left, right)


# valuewhen: 0 given, 1 occurrence, 2 count, 3 next, 4 ring, 5 the value before the first occurrence


def value_when(m: P, s: int, i: int, condition: bool, source: float, occurrence: float) -> float:
    if occurrence != m[s]:
        if not (occurrence > -1.0 and occurrence < 1e6):
            return fail(m, 1.0)
        size = int(occurrence) + 1
        before = int(m[s + 1]) + 1
        place = take(m, size)
        if place == 0:
            return NA
        kept = 0
        if m[s] == m[s]:
            old = int(m[s + 4])
            kept = int(m[s + 2])
            first = kept - size if kept > size else 0
            start = int(m[s + 3]) + 2 * before - kept
            for k in range(kept - first):
                m[place + k] = m[old + (start + first + k) % before]
            kept = kept - first
        m[s] = occurrence
        m[s + 1] = trunc(occurrence)
        m[s + 2] = float(kept)
        m[s + 3] = float(kept % size)
        m[s + 4] = float(place)
    size = int(m[s + 1]) + 1
    ring = int(m[s + 4])
    if condition:
        slot = int(m[s + 3])
        m[ring + slot] = source
        m[s + 3] = float(slot + 1 if slot + 1 < size else 0)
        if m[s + 2] < float(size):
            m[s + 2] = m[s + 2] + 1.0
    if m[s + 2] < float(size):
        return m[s + 5]
    return m[ring + int(m[s + 3])]


# linreg: 0 given, 1 length, 2 ring, 3 size, 4 sum of x, 5 denominator


def linreg(m: P, s: int, i: int, source: float, length: float, offset: float) -> float:
    if length != m[s]:
        if not is_length(m, length, 15000.0):
            return NA
        m[s] = length
        m[s + 1] = trunc(length)
        if m[s + 1] >= m[s + 3] and not grow_ring(m, s + 2, i, int(length)):
            return NA
        x = 0.0
        squares = 0.0
        for k in range(int(length)):
            x = x + float(k + 1)
            squares = squares + float(k + 1) * float(k + 1)
        m[s + 4] = x
        m[s + 5] = m[s + 1] * squares - x * x
    n = int(m[s + 1])
    ring = int(m[s + 2])
    size = int(m[s + 3])
    m[ring + i % size] = source
    if i < n - 1 or n == 1 or offset != offset:
        return NA
    slot = (i - n + 1) % size
    sum_y = 0.0
    sum_xy = 0.0
    for k in range(n):
        value = m[ring + slot]
        sum_y = sum_y + value
        sum_xy = sum_xy + value * float(k + 1)
        slot = slot + 1 if slot + 1 < size else 0
    sum_x = m[s + 4]
    count = m[s + 1]
    slope = (count * sum_xy - sum_x * sum_y) / m[s + 5]
    intercept = sum_y / count - slope * sum_x / count + slope
    return intercept + slope * (count - 1.0 - trunc(offset))


# functions without state


def quotient(left: float, right: float) -> float:
    return left / (right if right != 0.0 else 0.0)


def remainder(left: float, right: float) -> float:
    if right == 0.0 or left != left or right != right or abs(left) == INF:
        return NA
    return fmod(left, right)


def round_whole(number: float) -> float:
    if not (number > -INF and number < INF):
        return NA
    if number >= 0.0:
        return floor(number + 0.5) if number < 4503599627370496.0 else number
    return 0.0 - floor(0.5 - number) if number > -4503599627370496.0 else number


def tenths(m: P, above: float, rest: float) -> float:
    """1 if the fraction `above + rest` is at least half, with the tolerance; else 0. Too near to tell stops the run."""
    away = (above - 0.4999999999) + rest
    if abs(away) < 1e-15:
        fail(m, 1.0)
    return 1.0 if away > 0.0 else 0.0


def round_to(m: P, number: float, precision: float) -> float:
    if not (number > -INF and number < INF):
        return number
    if precision != precision:
        return round_whole(number)
    if precision <= 0.0:
        return round_whole(number)
    size = -number if number < 0.0 else number
    scale = 1.0 / pow(10.0, -(16.0 if precision > 16.0 else precision))
    fraction = fmod(size, 1.0)
    scaled = fraction * scale
    units = floor(scaled)
    beyond = scaled - units - 0.5
    if abs(beyond) < 1e-9 + scaled * 1.8e-15:
        units = units + tenths(m, scaled - units, fma(fraction, scale, -scaled))
    elif beyond > 0.0:
        units = units + 1.0
    rounded = size - fraction + units / scale
    return 0.0 - rounded if number < 0.0 else rounded


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
        if move != 1.0:
            return fail(m, 1.0)
        units = units + tenths(m, product - units, fma(size, scale, -product))
    elif beyond > 0.0:
        units = units + 1.0
    return (0.0 - units if number < 0.0 else units) * move / scale


def power(base: float, exponent: float) -> float:
    if exponent == 2.0:
        return base * base
    if exponent == 1.0:
        return base
    if exponent == 0.5 and base >= 0.0:
        return sqrt(base)
    if base != base or exponent != exponent:
        return NA if exponent != 0.0 else 1.0
    if base == 0.0 and exponent < 0.0:
        return INF
    return pow(base, exponent)


def whole(number: float) -> float:
    return trunc(number) + 0.0 if number > -INF and number < INF else number


def steps_back(m: P, offset: float) -> int:
    """A history offset as a whole number; -1 if the script stops."""
    if offset != offset:
        return 0
    if not (offset > -1.0 and offset < 10001.0):
        fail(m, 1.0)
        return 0 - 1
    return int(offset)


def is_known(number: float) -> bool:
    return number > -INF and number < INF


def exact(m: P, number: float) -> float:
    """A sum of whole numbers. Python has larger whole numbers than a float, so that such a run stops here."""
    if abs(number) > 9007199254740992.0:
        fail(m, 1.0)
    return number


def differs(left: float, right: float, least: float) -> bool:
    away = abs(left - right)
    return least < away and away < INF


def nears(left: float, right: float) -> bool:
    away = left - right
    return away >= -1e-10 and away <= 1e-10


def other(left: float, right: float) -> bool:
    return left < right or left > right


def larger(first: float, second: float) -> float:
    return first if first >= second or first != first else second


def smaller(first: float, second: float) -> float:
    return first if first <= second or first != first else second


def floored(number: float) -> float:
    return floor(number) + 0.0


def ceiled(number: float) -> float:
    return ceil(number) + 0.0


def sign(number: float) -> float:
    if number > 0.0:
        return 1.0
    if number < 0.0:
        return -1.0
    return 0.0 if number == 0.0 else NA


def square_root(number: float) -> float:
    return sqrt(number) if number >= 0.0 else NA


def logarithm(number: float) -> float:
    if number > 0.0:
        return log(number)
    return -INF if number == 0.0 else NA


def finite(result: float, angle: float) -> float:
    return result if angle > -INF and angle < INF else NA


def truth(value: float) -> bool:
    return value != 0.0 and is_known(value)


# colours


def opacity(transparency: float) -> float:
    if transparency <= 0.0:
        return 255.0
    if transparency >= 100.0:
        return 0.0
    return floor((1.0 - transparency / 100.0) * 255.0 + 0.5)


def with_transparency(color: float, transparency: float) -> float:
    if color != color or transparency != transparency:
        return NA
    return floor(color / 256.0) * 256.0 + opacity(transparency)


def channel(value: float) -> float:
    if value != value or value < 0.0:
        return 0.0
    return 255.0 if value > 255.0 else trunc(value)


def rgb(red: float, green: float, blue: float, transparency: float) -> float:
    alpha = opacity(transparency) if transparency == transparency else 0.0
    return channel(red) * 16777216.0 + channel(green) * 65536.0 + channel(blue) * 256.0 + alpha


def part_of(color: float, unit: float) -> float:
    """A byte of a colour: 1 for the opacity, 256 for blue, 65536 for green, 16777216 for red."""
    whole = floor(color / unit)
    return whole - floor(whole / 256.0) * 256.0


def from_gradient(value: float, low: float, high: float, first: float, second: float) -> float:
    span = high - low
    if value != value or span != span or span == 0.0:
        return 0.0
    inside = high if high < value else value
    inside = low if low > inside else inside
    share = (inside - low) / span
    rest = 1.0 - share
    bottom = first if first == first else 0.0
    top = second if second == second else 0.0
    alpha = part_of(bottom, 1.0) * rest + part_of(top, 1.0) * share
    if alpha == 0.0 or alpha != alpha:
        return 0.0
    below = part_of(bottom, 1.0) / 255.0
    above = part_of(top, 1.0) / 255.0
    whole_ = alpha / 255.0
    mixed = trunc(alpha)
    unit = 16777216.0
    for _ in range(3):
        mixture = (below * part_of(bottom, unit)) * rest + (above * part_of(top, unit)) * share
        mixed = mixed + trunc(mixture / whole_) * unit
        unit = unit / 256.0
    return mixed

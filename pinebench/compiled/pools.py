"""Memory for the broker's records, in the subset of Python that `compiled.native` translates.

A pool has the records of one class. A record is free when no list of the broker contains it. `tidy` looks for free
records when a script calls the broker, because at that time only lists can refer to records.
"""

from __future__ import annotations

from pinebench.compiled.kernels import ROUNDS_LEFT, STATUS, fail, take_room
from pinebench.compiled.layouts import AREAS, BOOK, CLOSED_TRADE, EXIT, LEG, ORDER, POOL, POSITION, RULES, RUN, TRADE
from pinebench.compiled.lists import AT, COUNT, END, append_row, more, move_slow, row
from pinebench.compiled.numerals import P, read_int, write_int

FEW = 64
"""The number of records that must be in use before `tidy` looks for free ones."""
ROOM = 512
"""The number of records for which a list that grows has room at first, so that the records of most runs never move."""


def new_record(m: P, pool: int, size: int) -> int:
    """Return the address of a free record, or of a new one with `size` floats. If memory is short, stop the run and
    return an address that is never read."""
    place = read_int(m, pool + POOL.free)
    write_int(m, RUN.taken, read_int(m, RUN.taken) + 1)
    if place != 0:
        write_int(m, pool + POOL.free, read_int(m, place))
        return place
    return made_slow(m, pool, size)


def made_slow(m: P, pool: int, size: int) -> int:
    """Return the address of a new record with empty lists."""
    place = take_room(m, size)
    if place == 0:
        return AREAS.scratch
    for k in range(size):
        m[place + k] = 0.0
    append_row(m, pool + POOL.records, place)
    return place


def tidy(m: P) -> None:
    """Find the broker's records (orders, trades and so on) that are no longer used, if many exist."""
    if read_int(m, RUN.taken) > FEW:
        tidy_slow(m)


def tidy_slow(m: P) -> None:
    """Find and free unused records, if there are more records than the broker's lists contain."""
    used = read_int(m, BOOK.orders + COUNT) + read_int(m, BOOK.exits + COUNT)
    used = used + read_int(m, BOOK.legs + COUNT) + read_int(m, POSITION.cycle + COUNT)
    if read_int(m, RUN.taken) > used:
        write_int(m, RUN.taken, 0)
        free_unused(m, RUN.orders, ORDER.is_used, BOOK.orders, read_int(m, RULES.forced))
        free_unused(m, RUN.exits, EXIT.is_used, BOOK.exits, 0)
        free_unused(m, RUN.legs, LEG.is_used, BOOK.legs, 0)
        free_unused(m, RUN.trades, TRADE.is_used, POSITION.cycle, 0)


def free_unused(m: P, pool: int, is_used: int, x: int, other: int) -> None:
    """Free all records of a pool, except those in the list `x` and the record `other` (0 for none).

    The first field of each free record gets the address of the next one. `is_used` is a field that marks records only
    during this search.
    """
    for k in range(read_int(m, x + COUNT)):
        m[row(m, x, k) + is_used] = 1.0
    if other != 0:
        m[other + is_used] = 1.0
    free = 0
    for k in range(read_int(m, pool + POOL.records + COUNT) - 1, -1, -1):
        place = row(m, pool + POOL.records, k)
        if m[place + is_used] == 0.0:
            write_int(m, place, free)
            free = place
        else:
            m[place + is_used] = 0.0
    write_int(m, pool + POOL.free, free)


def grow(m: P, x: int, size: int) -> int:
    """Append a new record to a list of records, and return its address. If memory is short, stop the run and return an
    address that is never read."""
    if read_int(m, x + END) == 0:
        move_slow(m, x, ROOM * size, False)
    place = more(m, x, size)
    return place if place != 0 else AREAS.scratch


def may_repeat(m: P) -> bool:
    """Count one iteration of a loop of the broker, and return whether the loop may continue. If there were too many,
    stop the run."""
    m[ROUNDS_LEFT] = m[ROUNDS_LEFT] - 1.0
    if m[ROUNDS_LEFT] < 0.0:
        fail(m, 3.0)
    return m[STATUS] == 0.0


def closed_profit(m: P) -> float:
    """Return the sum of the profits of the closed trades, in the account's currency. It is rounded once, like
    `math.fsum` (Shewchuk, Adaptive precision floating-point arithmetic, 1997). It is not finite if a profit is not."""
    parts = AREAS.scratch
    count = 0
    first = read_int(m, POSITION.closed + AT) + CLOSED_TRADE.profit
    for k in range(read_int(m, POSITION.closed + COUNT) // CLOSED_TRADE.places):
        value = m[first + k * CLOSED_TRADE.places]
        kept = 0
        for j in range(count):
            part = m[parts + j]
            both = value + part
            added = both - value
            rest = (value - (both - added)) + (part - added)
            value = both
            m[parts + kept] = rest
            kept = kept + 1 if rest != 0.0 else kept
        m[parts + kept] = value
        count = kept + 1
    if count == 0:
        return 0.0
    k = count - 1
    total = m[parts + k]
    rest = 0.0
    while k > 0 and rest == 0.0:
        k = k - 1
        large = total
        total = large + m[parts + k]
        rest = m[parts + k] - (total - large)
    if k > 0 and ((rest < 0.0 and m[parts + k - 1] < 0.0) or (rest > 0.0 and m[parts + k - 1] > 0.0)):
        twice = rest * 2.0
        rounded = total + twice
        if twice == rounded - total:
            total = rounded
    return total

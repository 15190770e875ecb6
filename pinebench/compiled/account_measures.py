"""The side of an order, and the account over a whole run, in the part of Python that `native` translates.

The broker itself is not here: it has one definition, from which `lowered_broker` makes machine code. `m` is the memory
of a run; its places are in `layouts`.
"""

from __future__ import annotations

from pinebench.compiled.kernels import fail
from pinebench.compiled.layouts import (
    ACCOUNT,
    AREAS,
    CHANGE,
    CLOSED_TRADE,
    LEDGER,
    MEASURED,
    POSITION,
    VECTOR,
    WALK,
)
from pinebench.compiled.lowered_broker import order_conditions_path
from pinebench.compiled.numerals import INF, P


def side_of(m: P, direction: float, long: float, short: float) -> float:
    if direction == long:
        return 1.0
    if direction == short:
        return -1.0
    return fail(m, 1.0)


# the account over a whole run


def measure_between(m: P, lowest: float, highest: float) -> None:
    """Include the lowest and the highest equity of some bars."""
    peak = m[MEASURED.peak]
    trough = m[MEASURED.trough]
    fall = peak - lowest
    rise = highest - trough
    if fall > m[MEASURED.drawdown]:
        m[MEASURED.drawdown] = fall
    if rise > m[MEASURED.run_up]:
        m[MEASURED.run_up] = rise
    if peak > 0.0 and 100.0 * fall / peak > m[MEASURED.drawdown_percent]:
        m[MEASURED.drawdown_percent] = 100.0 * fall / peak
    if trough > 0.0 and 100.0 * rise / trough > m[MEASURED.run_up_percent]:
        m[MEASURED.run_up_percent] = 100.0 * rise / trough


def measure_bars(m: P, b: P, o: P, n: int, start: int, stop: int, last: int) -> None:
    """Write the equity of the bars from `start` to `stop`, on which nothing was filled. `last` is the place of the last
    change before them, 0 if there is none."""
    money = m[ACCOUNT.capital]
    size = 0.0
    cost = 0.0
    if last != 0:
        money = m[last + CHANGE.money] - m[last + CHANGE.fees]
        size = m[last + CHANGE.size]
        cost = m[last + CHANGE.cost]
    for k in range(start, stop):
        o[n + k] = money
    if size == 0.0:
        for k in range(start, stop):
            o[k] = money
        return
    worth = m[ACCOUNT.worth]
    base = money - cost * worth
    slope = size * worth
    low = INF
    high = -INF
    for k in range(start, stop):
        o[k] = base + slope * b[3 * n + k]
        if b[2 * n + k] < low:
            low = b[2 * n + k]
        if b[n + k] > high:
            high = b[n + k]
    if start < stop:
        at_low = money + (size * low - cost) * worth
        at_high = money + (size * high - cost) * worth
        if size > 0.0:
            measure_between(m, at_low, at_high)
        else:
            measure_between(m, at_high, at_low)


def measure_fills(m: P, b: P, n: int, first: int, stop: int, before: int) -> None:
    """Include a bar with fills: the changes from the place `first` to `stop`, after the change `before`."""
    bar = int(m[first + CHANGE.bar])
    points = MEASURED.points
    opening, second, third, closing = order_conditions_path(m, b[bar], b[n + bar], b[2 * n + bar], b[3 * n + bar])
    m[points] = opening
    m[points + 1] = second
    m[points + 2] = third
    m[points + 3] = closing
    end = int(m[WALK.next]) if m[WALK.bar] == float(bar) else 4
    worth = m[ACCOUNT.worth]
    realized = m[before + CHANGE.money] if before != 0 else m[ACCOUNT.capital]
    fees = m[before + CHANGE.fees] if before != 0 else 0.0
    size = m[before + CHANGE.size] if before != 0 else 0.0
    cost = m[before + CHANGE.cost] if before != 0 else 0.0
    lowest = INF
    highest = -INF
    low = INF
    high = -INF
    reached = 0
    until = int(m[first + CHANGE.next])
    change = first
    while change <= stop:
        if reached >= 4 and change == stop:
            reached = 3
            until = 4
        for k in range(reached, until):
            if m[points + k] < low:
                low = m[points + k]
            if m[points + k] > high:
                high = m[points + k]
        if change < stop:
            if m[change + CHANGE.price] < low:
                low = m[change + CHANGE.price]
            if m[change + CHANGE.price] > high:
                high = m[change + CHANGE.price]
        at_low = realized + ((size * low - cost) * worth - fees)
        at_high = realized + ((size * high - cost) * worth - fees)
        if at_low < lowest:
            lowest = at_low
        if at_low > highest:
            highest = at_low
        if at_high < lowest:
            lowest = at_high
        if at_high > highest:
            highest = at_high
        if change < stop:
            low = m[change + CHANGE.price]
            high = low
            reached = int(m[change + CHANGE.next])
            realized = m[change + CHANGE.money]
            fees = m[change + CHANGE.fees]
            size = m[change + CHANGE.size]
            cost = m[change + CHANGE.cost]
            until = int(m[change + CHANGE.places + CHANGE.next]) if change + CHANGE.places < stop else end
            if size > m[MEASURED.longest]:
                m[MEASURED.longest] = size
            if -size > m[MEASURED.shortest]:
                m[MEASURED.shortest] = -size
        change = change + CHANGE.places
    measure_between(m, lowest, highest)
    if realized > m[MEASURED.peak]:
        m[MEASURED.peak] = realized
    elif realized < m[MEASURED.trough]:
        m[MEASURED.trough] = realized


def measure(m: P, b: P, o: P, n: int) -> None:
    """Compute the extremes of the account after a run, and write the equity at each close and the realized equity.

    The steps are the steps of `broker.ledger` and `broker.extremes`.
    """
    for k in range(MEASURED.drawdown, MEASURED.peak):
        m[k] = 0.0
    m[MEASURED.peak] = m[ACCOUNT.capital]
    m[MEASURED.trough] = m[ACCOUNT.capital]
    first = int(m[LEDGER._changes + VECTOR.first])
    end = first + int(m[LEDGER._changes + VECTOR.count]) * CHANGE.places
    before = 0
    bar = 0
    while first < end:
        stop = first + CHANGE.places
        while stop < end and m[stop + CHANGE.bar] == m[first + CHANGE.bar]:
            stop = stop + CHANGE.places
        now = int(m[first + CHANGE.bar])
        measure_bars(m, b, o, n, bar, now, before)
        measure_fills(m, b, n, first, stop, before)
        before = stop - CHANGE.places
        o[n + now] = m[before + CHANGE.money] - m[before + CHANGE.fees]
        o[now] = o[n + now] + (m[before + CHANGE.size] * b[3 * n + now] - m[before + CHANGE.cost]) * m[ACCOUNT.worth]
        bar = now + 1
        first = stop
    measure_bars(m, b, o, n, bar, n, before)
    measure_closes(m, o, n)


def measure_closes(m: P, o: P, n: int) -> None:
    """Compute the largest drawdown and run-up of the equity at closes, as `broker.figures` does.

    After each highest close, the drawdown in percent is largest at the lowest close that follows, so it is computed
    once for each of them.
    """
    capital = m[ACCOUNT.capital]
    for k in range(MEASURED.close_drawdown, MEASURED.close_run_up_percent + 1):
        m[k] = 0.0
    peak = capital
    low = capital
    trough = capital
    high = capital
    for k in range(n):
        value = o[k]
        if value > peak:
            take_move(m, MEASURED.close_drawdown, peak, peak - low)
            peak = value
            low = value
        elif value < low:
            low = value
        if value < trough:
            take_move(m, MEASURED.close_run_up, trough, high - trough)
            trough = value
            high = value
        elif value > high:
            high = value
    take_move(m, MEASURED.close_drawdown, peak, peak - low)
    take_move(m, MEASURED.close_run_up, trough, high - trough)


def take_move(m: P, place: int, best: float, away: float) -> None:
    """Include a move of the equity at closes, from its value `best`, in the figure at `place`. Its percentage is at the
    next place."""
    if away > m[place]:
        m[place] = away
    percent = place + 1
    if best > 0.0 and 100.0 * away / best > m[percent]:
        m[percent] = 100.0 * away / best


def closed_profit(m: P) -> float:
    """The sum of the profits of the closed trades, rounded once, as `math.fsum` computes it (Shewchuk, Adaptive
    precision floating-point arithmetic, 1997). It is not finite if a part of it is not."""
    parts = AREAS.scratch
    count = 0
    for k in range(int(m[POSITION.closed + VECTOR.count])):
        value = m[int(m[POSITION.closed + VECTOR.first]) + k * CLOSED_TRADE.places + CLOSED_TRADE.profit]
        kept = 0
        for j in range(count):
            part = m[parts + j]
            large = value if abs(value) >= abs(part) else part
            small = part if abs(value) >= abs(part) else value
            value = large + small
            rest = small - (value - large)
            if rest != 0.0:
                m[parts + kept] = rest
                kept = kept + 1
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

"""The broker, in the part of Python that `native` translates: the common part of `pinebench.broker`.

It takes the same steps in the same order as the classes there, so that trades have the same bits; tests compare them
trade by trade. Not here are fills on which a script runs again, prices inside bars, exchange rates and risk rules. `m`
is the memory of a run; orders, exits, legs and trades are records in it. A text is a number, 0 for an empty one. A
number that is not given is na. If there is no room for a record, the run stops and is repeated on the Python tier.
"""

from __future__ import annotations

from math import ceil, floor

from pinebench.compiled.kernels import fail, take_room
from pinebench.compiled.numerals import INF, NA, P

# properties
CAPITAL = 16
WORTH = 17
LOT = 18
LOTS_IN_ONE = 19
PARTS = 20
MARGIN_LONG = 21
MARGIN_SHORT = 22
FEE_KIND = 23
FEE_VALUE = 24
QTY_KIND = 25
QTY_VALUE = 26
FIXED_QTY = 27
PYRAMIDING = 28
TICK = 29
GRID_WHOLE = 30
GRID_PARTS = 31
SLIP = 32
BEYOND = 33
FIRST_BAR = 34
FULL_ORDERS = 35
BY_MONEY = 36
BY_ENTRY = 37

# the account and the position
NET_PROFIT = 40
SIZE = 41
AVERAGE = 42
COST = 43
FEES = 44
SLOTS = 45
TURNS = 46
ABOVE = 47
BELOW = 48
HIGHEST = 49
LOWEST = 50
IS_KNOWN = 51
OPENED = 52
OWED_BAR = 53
OWED = 54
CALLED_BAR = 55
BAR = 56
NOW = 57
WALK_BAR = 58
WALK_NEXT = 59
WALK_GOING = 60
POINTS = 61
SMALL_ORDERS = 65
WINS = 66
LOSSES = 67
WON = 68
LOST = 69
LEG_IDS = 70

# lists: how many they have, and where they are
N_ORDERS = 72
N_EXITS = 73
N_LEGS = 74
N_OPEN = 75
N_CYCLE = 76
CLOSED = 80
CHANGES = 83
FILLS = 86
SCRATCH = 90
SPARE_LEG = 40

ORDERS = 160
ORDER = 20
MOST_ORDERS = 48
"""There is room for one more, which a call writes before it is put into the book."""
EXITS = 1140
EXIT = 40
MOST_EXITS = 32
LEGS = 2440
LEG = 12
MOST_LEGS = 128
OPEN = 3980
TRADES = 4120
TRADE = 28
MOST_TRADES = 128
MINE = 7710
END = 7760

# an order
KIND = 0
ID = 1
SIDE = 2
QUANTITY = 3
SEQUENCE = 4
CALL_BAR = 5
LIMIT = 6
STOP = 7
OCA_NAME = 8
OCA_TYPE = 9
COMMENT = 10
FLIP = 11
ENTRY_ID = 12
TRIGGERED = 13
FUNDS = 14
CALLED_FOR = 15
FROZEN = 16
FROM_FLAT = 17
MESSAGE = 18
ALERTS = 19

# an exit
EXIT_ID = 0
EXIT_ENTRY = 1
EXIT_SEQUENCE = 2
EXIT_HORIZON = 3
EXIT_BAR = 4
EXIT_WAITS = 5
EXIT_SUSPENDED = 6
EXIT_QUANTITY = 7
EXIT_PERCENT = 8
EXIT_PROFIT = 9
EXIT_LIMIT = 10
EXIT_LOSS = 11
EXIT_STOP = 12
EXIT_TRAIL_PRICE = 13
EXIT_TRAIL_POINTS = 14
EXIT_TRAIL_OFFSET = 15
EXIT_GROUP = 16
EXIT_COMMENT = 17
EXIT_COMMENT_PROFIT = 18
EXIT_COMMENT_LOSS = 19
EXIT_COMMENT_TRAILING = 20
EXIT_ALERTS = 21
EXIT_MESSAGE = 22
EXIT_MESSAGE_PROFIT = 23
EXIT_MESSAGE_LOSS = 24
EXIT_MESSAGE_TRAILING = 25
EXIT_GIVEN_QUANTITY = 26
EXIT_GIVEN_PERCENT = 27
EXIT_GIVEN_PROFIT = 28
EXIT_GIVEN_LIMIT = 29
EXIT_GIVEN_LOSS = 30
EXIT_GIVEN_STOP = 31
EXIT_GIVEN_TRAIL_PRICE = 32
EXIT_GIVEN_TRAIL_POINTS = 33
EXIT_GIVEN_TRAIL_OFFSET = 34
EXIT_USED = 35

# a leg
LEG_EXIT = 0
LEG_TRADE = 1
LEG_SIDE = 2
LEG_LIMIT = 3
LEG_STOP = 4
LEG_ACTIVATION = 5
LEG_OFFSET = 6
LEG_ONE_SHOT = 7
LEG_ARMED = 8
LEG_PEAK = 9
LEG_REDUCED = 10
LEG_NUMBER = 11

# a trade; the ids of the exits that are done begin at `TRADE_DONE`
TRADE_SIDE = 0
TRADE_ID = 1
TRADE_COMMENT = 2
TRADE_QUANTITY = 3
TRADE_PRICE = 4
TRADE_BAR = 5
TRADE_SEQUENCE = 6
TRADE_FEE = 7
TRADE_FILLED = 8
TRADE_CLAIM = 9
TRADE_HIGHEST = 10
TRADE_LOWEST = 11
TRADE_SEEN = 12
TRADE_REACHED = 13
TRADE_N_DONE = 14
TRADE_DONE = 15

# a closed trade
CLOSED_SIDE = 0
CLOSED_QUANTITY = 1
CLOSED_ENTRY_ID = 2
CLOSED_ENTRY_COMMENT = 3
CLOSED_ENTRY_BAR = 4
CLOSED_ENTRY_PRICE = 5
CLOSED_EXIT_ID = 6
CLOSED_EXIT_COMMENT = 7
CLOSED_EXIT_SIGNAL = 8
CLOSED_EXIT_BAR = 9
CLOSED_EXIT_PRICE = 10
CLOSED_PROFIT = 11
CLOSED_COMMISSION = 12
CLOSED_VALUE = 13
CLOSED_RUN_UP = 14
CLOSED_DRAWDOWN = 15
CLOSED_ENTRY_FEE = 16
CLOSED_FEES_LEFT = 17

# a fill
FILL_BAR = 0
FILL_ID = 1
FILL_SIDE = 2
FILL_QUANTITY = 3
FILL_PRICE = 4
FILL_SIZE = 5
FILL_MESSAGE = 6
FILL_COMMENT = 7
FILL_SIGNAL = 8

# a change of the position
CHANGE_BAR = 0
CHANGE_PRICE = 1
CHANGE_NEXT = 2
CHANGE_MONEY = 3
CHANGE_FEES = 4
CHANGE_SIZE = 5
CHANGE_COST = 6

# a list that grows: where it is, how many records it has, and its room
VECTOR_AT = 0
VECTOR_COUNT = 1
VECTOR_ROOM = 2

ENTRY = 1.0
RAW = 2.0
CLOSE = 3.0
CLOSE_ALL = 4.0
AT_LIMIT = 1
AT_STOP = 2
AT_TRAIL = 3
AT_TRIGGER = 4
AT_CALL = 5
CLOSE_POSITION = -1000000.0
MARGIN_CALL = -2000000.0
A_LEG = 1000
CLOSED_TRADE = 18
CHANGE = 7
FILL = 9


def forget(m: P) -> None:
    m[ABOVE] = -INF
    m[IS_KNOWN] = 0.0


def let_all_through(m: P) -> None:
    """Let the next bar through the gate, whatever its prices are."""
    m[IS_KNOWN] = 1.0
    m[HIGHEST] = -INF
    m[LOWEST] = INF
    m[ABOVE] = -INF
    m[BELOW] = INF


def grow(m: P, vector: int, size: int) -> int:
    """The place of a new record at the end of a vector: where it is, how many records it has, and its room."""
    count = int(m[vector + VECTOR_COUNT])
    if m[vector + VECTOR_COUNT] >= m[vector + VECTOR_ROOM]:
        room = 2 * count if count > 0 else 64
        place = take_room(m, room * size)
        if place == 0:
            return 0
        copy(m, int(m[vector]), place, count * size)
        m[vector] = float(place)
        m[vector + VECTOR_ROOM] = float(room)
    m[vector + VECTOR_COUNT] = float(count + 1)
    return int(m[vector]) + count * size


# the grid


def ticks_price(m: P, ticks: float) -> float:
    return ticks * m[TICK] if m[GRID_WHOLE] != 0.0 else ticks / m[GRID_PARTS]


def grid_up(m: P, price: float) -> float:
    ticks = price * m[GRID_PARTS]
    if ticks > -4503599627370496.0 and ticks < 4503599627370496.0:
        return ticks_price(m, ceil(ticks - 1e-4) + 0.0)
    return price


def grid_down(m: P, price: float) -> float:
    ticks = price * m[GRID_PARTS]
    if ticks > -4503599627370496.0 and ticks < 4503599627370496.0:
        return ticks_price(m, floor(ticks + 1e-4) + 0.0)
    return price


def grid_nearest(m: P, price: float) -> float:
    ticks = price * m[GRID_PARTS]
    if ticks > -4503599627370496.0 and ticks < 4503599627370496.0:
        return ticks_price(m, floor(ticks + 0.5) + 0.0)
    return price


def grid_stop(m: P, price: float, side: float) -> float:
    return grid_up(m, price) if side > 0.0 else grid_down(m, price)


def grid_limit(m: P, price: float, side: float) -> float:
    return grid_down(m, price) if side > 0.0 else grid_up(m, price)


# the account


def fee_of(m: P, quantity: float, price: float) -> float:
    kind = m[FEE_KIND]
    if kind == 0.0:
        return 0.0
    if kind == 1.0:
        return quantity * price * m[WORTH] * (m[FEE_VALUE] / 100.0)
    return quantity * m[FEE_VALUE] if kind == 2.0 else m[FEE_VALUE]


def whole_lots(m: P, quantity: float) -> float:
    many = quantity * m[LOTS_IN_ONE] + 1e-9
    if many - many != 0.0:
        return 0.0 if quantity != quantity else quantity
    lots = floor(many) + 0.0
    return lots / m[PARTS] if m[PARTS] != 0.0 else lots * m[LOT]


def share_of(m: P, quantity: float, percent: float) -> float:
    part = whole_lots(m, quantity * percent / 100.0)
    if part != 0.0 or percent <= 0.0:
        return part
    least = whole_lots(m, quantity)
    return least if least < m[LOT] else m[LOT]


def equity_at(m: P, price: float) -> float:
    return m[CAPITAL] + m[NET_PROFIT] + ((m[SIZE] * price - m[COST]) * m[WORTH] - m[FEES])


def default_quantity(m: P, equity: float, price: float) -> float:
    if m[QTY_KIND] == 0.0:
        return m[FIXED_QTY]
    money = m[QTY_VALUE]
    if m[QTY_KIND] == 2.0:
        money = money * (equity / 100.0)
    if m[FEE_KIND] == 1.0:
        money = money / (1.0 + m[FEE_VALUE] / 100.0)
    elif m[FEE_KIND] == 3.0:
        money = money - m[FEE_VALUE]
    cost = price * m[WORTH]
    return whole_lots(m, money / cost) if cost > 0.0 and money > 0.0 else 0.0


def margin_of(m: P, side: float) -> float:
    return m[MARGIN_LONG] if side > 0.0 else m[MARGIN_SHORT]


def bound(m: P, quantity: float, price: float, side: float) -> float:
    return quantity * price * m[WORTH] * margin_of(m, side)


def liquidation(m: P) -> float:
    size = m[SIZE]
    side = 1.0 if size > 0.0 else -1.0
    margin = m[MARGIN_LONG] if size > 0.0 else m[MARGIN_SHORT]
    if size == 0.0 or margin == 0.0 or margin == side:
        return NA
    money = (m[CAPITAL] + m[NET_PROFIT] - m[FEES]) / (m[WORTH] * abs(size))
    price = (money - side * m[AVERAGE]) / (margin - side)
    return grid_up(m, price) if side < 0.0 else grid_down(m, price)


def shortfall(m: P, price: float) -> float:
    size = m[SIZE]
    margin = m[MARGIN_LONG] if size > 0.0 else m[MARGIN_SHORT]
    if size == 0.0 or margin == 0.0:
        return 0.0
    needed = abs(size) * price * m[WORTH] * margin
    lack = needed - (m[CAPITAL] + m[NET_PROFIT] + ((size * price - m[COST]) * m[WORTH] - m[FEES]))
    return 0.0 if lack <= 1e-9 * needed else lack


def missing(m: P, price: float) -> float:
    lack = shortfall(m, price)
    if not lack > 0.0:
        return 0.0
    one = bound(m, 1.0, price, 1.0 if m[SIZE] > 0.0 else -1.0)
    if one == 0.0:
        return abs(m[SIZE])
    covering = whole_lots(m, lack / one) * 4.0
    return covering if covering != 0.0 else 1.0


# the order book


def turn(m: P) -> float:
    m[TURNS] = m[TURNS] + 1.0
    return m[TURNS]


def copy(m: P, source: int, target: int, count: int) -> None:
    for k in range(count):
        m[target + k] = m[source + k]


def remove_order(m: P, number: int) -> None:
    count = int(m[N_ORDERS]) - 1
    for k in range(number, count):
        copy(m, ORDERS + (k + 1) * ORDER, ORDERS + k * ORDER, ORDER)
    m[N_ORDERS] = float(count)
    forget(m)


def is_opening(m: P, order: int) -> bool:
    return m[order + KIND] <= RAW


def put_order(m: P, order: int) -> None:
    """Add a new order (`new_order`) to the book, or replace the order with its id."""
    for k in range(int(m[N_ORDERS])):
        place = ORDERS + k * ORDER
        same = m[place + KIND] == m[order + KIND] or (is_opening(m, place) and is_opening(m, order))
        if m[place + ID] == m[order + ID] and same:
            m[order + SEQUENCE] = m[place + SEQUENCE]
            copy(m, order, place, ORDER)
            forget(m)
            return
    count = int(m[N_ORDERS])
    if count >= MOST_ORDERS:
        fail(m, 4.0)
        return
    m[N_ORDERS] = float(count + 1)
    if is_market(m, order):
        let_all_through(m)
    else:
        forget(m)


def remove_leg(m: P, number: int) -> None:
    count = int(m[N_LEGS]) - 1
    for k in range(number, count):
        copy(m, LEGS + (k + 1) * LEG, LEGS + k * LEG, LEG)
    m[N_LEGS] = float(count)
    forget(m)


def remove_legs_of(m: P, exit: float) -> None:
    kept = 0
    for k in range(int(m[N_LEGS])):
        if m[LEGS + k * LEG] != exit:
            copy(m, LEGS + k * LEG, LEGS + kept * LEG, LEG)
            kept = kept + 1
    m[N_LEGS] = float(kept)


def remove_exit(m: P, number: int) -> None:
    """Remove an exit with its legs. Exits stay in their order, but not at their places."""
    remove_legs_of(m, float(number))
    count = int(m[N_EXITS]) - 1
    for k in range(number, count):
        copy(m, EXITS + (k + 1) * EXIT, EXITS + k * EXIT, EXIT)
    for k in range(int(m[N_LEGS])):
        if m[LEGS + k * LEG] > float(number):
            m[LEGS + k * LEG] = m[LEGS + k * LEG] - 1.0
    m[N_EXITS] = float(count)
    forget(m)


def sort_legs(m: P) -> None:
    """Sort the legs by the turns of their exits; legs of one exit stay in their order."""
    for k in range(1, int(m[N_LEGS])):
        j = k
        while j > 0:
            here = LEGS + j * LEG
            before = here - LEG
            if m[EXITS + int(m[before]) * EXIT + EXIT_SEQUENCE] <= m[EXITS + int(m[here]) * EXIT + EXIT_SEQUENCE]:
                break
            copy(m, here, SCRATCH + SPARE_LEG, LEG)
            copy(m, before, here, LEG)
            copy(m, SCRATCH + SPARE_LEG, before, LEG)
            j = j - 1


def has_trade(m: P, id: float) -> bool:
    for k in range(int(m[N_CYCLE])):
        trade = TRADES + k * TRADE
        if m[trade + TRADE_ID] == id and m[trade + TRADE_CLAIM] > 1e-12:
            return True
    return False


def covers(m: P, exit: int, id: float, sequence: float) -> bool:
    if m[exit + EXIT_ENTRY] == 0.0:
        return True
    return m[exit + EXIT_ENTRY] == id and (m[exit + EXIT_WAITS] != 0.0 or sequence < m[exit + EXIT_HORIZON])


def may_leave(m: P, exit: int, trade: int) -> bool:
    if not m[trade + TRADE_CLAIM] > 1e-12:
        return False
    for k in range(int(m[trade + TRADE_N_DONE])):
        if m[trade + TRADE_DONE + k] == m[exit]:
            return False
    return m[exit + EXIT_ENTRY] == 0.0 or m[exit + EXIT_ENTRY] == m[trade + TRADE_ID]


def add_leg(m: P, number: int, trade_number: int) -> int:
    count = int(m[N_LEGS])
    if count >= MOST_LEGS:
        fail(m, 4.0)
        return LEGS
    exit = EXITS + number * EXIT
    trade = TRADES + trade_number * TRADE
    leg = LEGS + count * LEG
    m[N_LEGS] = float(count + 1)
    side = -m[trade]
    tick = m[TICK]
    away = m[trade] * tick
    is_long = m[trade] > 0.0
    price = m[trade + TRADE_PRICE]
    limit = m[exit + EXIT_LIMIT]
    if m[exit + EXIT_PROFIT] == m[exit + EXIT_PROFIT]:
        second = price + m[exit + EXIT_PROFIT] * away
        if limit != limit or (second < limit if is_long else second > limit):
            limit = second
    stop = m[exit + EXIT_STOP]
    if m[exit + EXIT_LOSS] == m[exit + EXIT_LOSS]:
        second = price - m[exit + EXIT_LOSS] * away
        if stop != stop or (second > stop if is_long else second < stop):
            stop = second
    start = m[exit + EXIT_TRAIL_PRICE]
    if m[exit + EXIT_TRAIL_POINTS] == m[exit + EXIT_TRAIL_POINTS]:
        second = price + m[exit + EXIT_TRAIL_POINTS] * away
        if start != start or (second < start if is_long else second > start):
            start = second
    m[leg] = float(number)
    m[leg + LEG_TRADE] = float(trade_number)
    m[leg + LEG_SIDE] = side
    m[leg + LEG_LIMIT] = grid_limit(m, limit, side) if limit == limit else NA
    m[leg + LEG_STOP] = grid_stop(m, stop, side) if stop == stop else NA
    m[leg + LEG_ACTIVATION] = NA
    m[leg + LEG_OFFSET] = 0.0
    m[leg + LEG_ONE_SHOT] = 0.0
    if start == start:
        m[leg + LEG_ACTIVATION] = grid_limit(m, start, side)
        offset = m[exit + EXIT_TRAIL_OFFSET] if m[exit + EXIT_TRAIL_OFFSET] == m[exit + EXIT_TRAIL_OFFSET] else 0.0
        m[leg + LEG_OFFSET] = (ceil(offset - 1e-4) + 0.0) * tick
        m[leg + LEG_ONE_SHOT] = float(m[exit + EXIT_TRAIL_OFFSET] == 0.0)
    m[leg + LEG_ARMED] = 0.0
    m[leg + LEG_PEAK] = 0.0
    m[leg + LEG_REDUCED] = 0.0
    m[LEG_IDS] = m[LEG_IDS] + 1.0
    m[leg + LEG_NUMBER] = m[LEG_IDS]
    return leg


def follow_trade(m: P, trade_number: int) -> None:
    trade = TRADES + trade_number * TRADE
    added = False
    for k in range(int(m[N_EXITS])):
        exit = EXITS + k * EXIT
        if covers(m, exit, m[trade + TRADE_ID], m[trade + TRADE_SEQUENCE]):
            m[exit + EXIT_WAITS] = 0.0
            add_leg(m, k, trade_number)
            added = True
    if added:
        sort_legs(m)
        forget(m)


def wanted(m: P, leg: int) -> float:
    exit = EXITS + int(m[leg]) * EXIT
    trade = TRADES + int(m[leg + LEG_TRADE]) * TRADE
    amount = 0.0
    if m[exit + EXIT_QUANTITY] == m[exit + EXIT_QUANTITY]:
        amount = m[exit + EXIT_QUANTITY]
    elif m[exit + EXIT_PERCENT] >= 100.0:
        rest = m[trade + TRADE_CLAIM] - m[leg + LEG_REDUCED]
        return 0.0 if rest < 0.0 else rest
    else:
        amount = share_of(m, m[trade + TRADE_FILLED], m[exit + EXIT_PERCENT])
    amount = (m[trade + TRADE_CLAIM] if m[trade + TRADE_CLAIM] < amount else amount) - m[leg + LEG_REDUCED]
    return 0.0 if amount < 0.0 else amount


def available(m: P, number: int) -> float:
    leg = LEGS + number * LEG
    trade = TRADES + int(m[leg + LEG_TRADE]) * TRADE
    if m[EXITS + int(m[leg]) * EXIT + EXIT_SUSPENDED] != 0.0 or m[trade + TRADE_CLAIM] <= 1e-12:
        return 0.0
    reserved = 0.0
    for k in range(number):
        other = LEGS + k * LEG
        if m[other + LEG_TRADE] == m[leg + LEG_TRADE] and m[EXITS + int(m[other]) * EXIT + EXIT_SUSPENDED] == 0.0:
            part = wanted(m, other)
            rest = m[trade + TRADE_CLAIM] - reserved
            reserved = reserved + (rest if rest < part else part)
    found = wanted(m, leg)
    rest = m[trade + TRADE_CLAIM] - reserved
    if rest < found:
        found = rest
    size = abs(m[SIZE])
    return size if size < found else found


def has_reason(m: P, exit: int, opening: int) -> bool:
    if m[exit + EXIT_WAITS] != 0.0 or (m[N_OPEN] > 0.0 and m[exit + EXIT_ENTRY] == 0.0):
        return True
    if has_trade(m, m[exit + EXIT_ENTRY]):
        return True
    for k in range(int(m[N_ORDERS])):
        order = ORDERS + k * ORDER
        if is_opening(m, order) and covers(m, exit, m[order + ID], m[order + SEQUENCE]):
            return True
    return opening != 0 and covers(m, exit, m[opening + ID], m[opening + SEQUENCE])


def settle(m: P, opening: int) -> None:
    if m[N_OPEN] == 0.0:
        kept = 0
        for k in range(int(m[N_ORDERS])):
            order = ORDERS + k * ORDER
            if is_opening(m, order):
                copy(m, order, ORDERS + kept * ORDER, ORDER)
                kept = kept + 1
        m[N_ORDERS] = float(kept)
        m[N_LEGS] = 0.0
        forget(m)
    k = int(m[N_EXITS]) - 1
    while k >= 0:
        if not has_reason(m, EXITS + k * EXIT, opening):
            remove_exit(m, k)
        k = k - 1


def trail_leg(m: P, leg: int, price: float) -> None:
    activation = m[leg + LEG_ACTIVATION]
    if m[leg + LEG_SIDE] < 0.0:
        if m[leg + LEG_ARMED] != 0.0:
            if price > m[leg + LEG_PEAK]:
                m[leg + LEG_PEAK] = price
        elif price >= activation:
            m[leg + LEG_ARMED] = 1.0
            m[leg + LEG_PEAK] = price
    elif m[leg + LEG_ARMED] != 0.0:
        if price < m[leg + LEG_PEAK]:
            m[leg + LEG_PEAK] = price
    elif price <= activation:
        m[leg + LEG_ARMED] = 1.0
        m[leg + LEG_PEAK] = price


def trail(m: P, price: float, exit: float) -> None:
    """Move the trailing stops to the newest price: all of them if `exit` is negative, or the ones of one exit."""
    for k in range(int(m[N_LEGS])):
        leg = LEGS + k * LEG
        if m[leg + LEG_ACTIVATION] == m[leg + LEG_ACTIVATION] and (exit < 0.0 or m[leg] == exit):
            trail_leg(m, leg, price)
            forget(m)


def trailing_stop(m: P, leg: int) -> float:
    return grid_nearest(m, m[leg + LEG_PEAK] + m[leg + LEG_SIDE] * m[leg + LEG_OFFSET])


# the position


def add_trade(m: P, b: P, n: int, i: int, order: int, quantity: float, price: float) -> int:
    number = int(m[N_CYCLE])
    if number >= MOST_TRADES:
        fail(m, 4.0)
        return 0
    fee = fee_of(m, quantity, price)
    reached = int(m[WALK_NEXT])
    highest = price
    lowest = price
    for k in range(reached, 4):
        if m[POINTS + k] > highest:
            highest = m[POINTS + k]
        if m[POINTS + k] < lowest:
            lowest = m[POINTS + k]
    trade = TRADES + number * TRADE
    m[trade] = m[order + SIDE]
    m[trade + TRADE_ID] = m[order + ID]
    m[trade + TRADE_COMMENT] = m[order + COMMENT]
    m[trade + TRADE_QUANTITY] = quantity
    m[trade + TRADE_PRICE] = price
    m[trade + TRADE_BAR] = float(i)
    m[trade + TRADE_SEQUENCE] = m[order + SEQUENCE]
    m[trade + TRADE_FEE] = fee
    m[trade + TRADE_FILLED] = quantity
    m[trade + TRADE_CLAIM] = quantity
    m[trade + TRADE_HIGHEST] = highest
    m[trade + TRADE_LOWEST] = lowest
    m[trade + TRADE_SEEN] = float(i + 1)
    m[trade + TRADE_REACHED] = float(reached)
    m[trade + TRADE_N_DONE] = 0.0
    m[OPEN + int(m[N_OPEN])] = float(number)
    m[N_OPEN] = m[N_OPEN] + 1.0
    m[N_CYCLE] = float(number + 1)
    m[SLOTS] = m[SLOTS] + 1.0
    signed = m[order + SIDE] * quantity
    m[SIZE] = m[SIZE] + signed
    m[COST] = m[COST] + signed * price
    m[FEES] = m[FEES] + fee
    m[AVERAGE] = m[COST] / m[SIZE]
    return number


def look(m: P, b: P, n: int, trade: int, end: int) -> None:
    highest = m[trade + TRADE_HIGHEST]
    lowest = m[trade + TRADE_LOWEST]
    first = int(m[trade + TRADE_SEEN])
    if end - first > 8:
        # Two more pairs of extremes let the processor compare several bars at once.
        second_high = highest
        second_low = lowest
        third_high = highest
        third_low = lowest
        while first + 3 <= end:
            highest = b[n + first] if b[n + first] > highest else highest
            lowest = b[2 * n + first] if b[2 * n + first] < lowest else lowest
            second_high = b[n + first + 1] if b[n + first + 1] > second_high else second_high
            second_low = b[2 * n + first + 1] if b[2 * n + first + 1] < second_low else second_low
            third_high = b[n + first + 2] if b[n + first + 2] > third_high else third_high
            third_low = b[2 * n + first + 2] if b[2 * n + first + 2] < third_low else third_low
            first = first + 3
        highest = second_high if second_high > highest else highest
        highest = third_high if third_high > highest else highest
        lowest = second_low if second_low < lowest else lowest
        lowest = third_low if third_low < lowest else lowest
    for k in range(first, end):
        if b[n + k] > highest:
            highest = b[n + k]
        if b[2 * n + k] < lowest:
            lowest = b[2 * n + k]
    m[trade + TRADE_HIGHEST] = highest
    m[trade + TRADE_LOWEST] = lowest
    if m[trade + TRADE_SEEN] < float(end):
        m[trade + TRADE_SEEN] = float(end)


def close_part(
    m: P,
    b: P,
    n: int,
    i: int,
    trade: int,
    part: float,
    price: float,
    id: float,
    comment: float,
    signal: float,
    fee: float,
) -> None:
    worth = m[WORTH]
    entry_price = m[trade + TRADE_PRICE]
    side = m[trade]
    entry_fee = m[trade + TRADE_FEE] * part / m[trade + TRADE_QUANTITY]
    m[trade + TRADE_FEE] = m[trade + TRADE_FEE] - entry_fee
    m[FEES] = m[FEES] - entry_fee
    profit = (price - entry_price) * part * side * worth - entry_fee - fee
    highest = entry_price
    lowest = entry_price
    first = int(m[trade + TRADE_REACHED])
    if m[trade + TRADE_BAR] != float(i):
        look(m, b, n, trade, i)
        highest = m[trade + TRADE_HIGHEST]
        lowest = m[trade + TRADE_LOWEST]
        first = 0
    if price > highest:
        highest = price
    if price < lowest:
        lowest = price
    for k in range(first, int(m[WALK_NEXT])):
        if m[POINTS + k] > highest:
            highest = m[POINTS + k]
        if m[POINTS + k] < lowest:
            lowest = m[POINTS + k]
    best = highest - entry_price
    worst = lowest - entry_price
    if not side > 0.0:
        best = entry_price - lowest
        worst = entry_price - highest
    run_up = best * part * worth - entry_fee
    drawdown = entry_fee - worst * part * worth
    m[NET_PROFIT] = m[NET_PROFIT] + profit
    if profit > 0.0:
        m[WINS] = m[WINS] + 1.0
        m[WON] = m[WON] + profit
    elif profit < 0.0:
        m[LOSSES] = m[LOSSES] + 1.0
        m[LOST] = m[LOST] - profit
    c = grow(m, CLOSED, CLOSED_TRADE)
    if c != 0:
        m[c] = side
        m[c + CLOSED_QUANTITY] = part
        m[c + CLOSED_ENTRY_ID] = m[trade + TRADE_ID]
        m[c + CLOSED_ENTRY_COMMENT] = m[trade + TRADE_COMMENT]
        m[c + CLOSED_ENTRY_BAR] = m[trade + TRADE_BAR]
        m[c + CLOSED_ENTRY_PRICE] = entry_price
        m[c + CLOSED_EXIT_ID] = id
        m[c + CLOSED_EXIT_COMMENT] = comment
        m[c + CLOSED_EXIT_SIGNAL] = signal
        m[c + CLOSED_EXIT_BAR] = float(i)
        m[c + CLOSED_EXIT_PRICE] = price
        m[c + CLOSED_PROFIT] = profit
        m[c + CLOSED_COMMISSION] = entry_fee + fee
        m[c + CLOSED_VALUE] = entry_price * part * worth
        m[c + CLOSED_RUN_UP] = run_up if run_up > 0.0 else 0.0
        m[c + CLOSED_DRAWDOWN] = drawdown if drawdown > 0.0 else 0.0
        m[c + CLOSED_ENTRY_FEE] = entry_fee
        m[c + CLOSED_FEES_LEFT] = m[FEES]
    m[trade + TRADE_QUANTITY] = m[trade + TRADE_QUANTITY] - part


def is_chosen(m: P, number: int, entry: float, only: int) -> bool:
    if m[BY_ENTRY] == 0.0:
        return True
    return (only < 0 or only == number) and (entry == 0.0 or m[TRADES + number * TRADE + TRADE_ID] == entry)


def reduce(
    m: P,
    b: P,
    n: int,
    i: int,
    quantity: float,
    price: float,
    id: float,
    comment: float,
    signal: float,
    entry: float,
    only: int,
    frees: bool,
) -> float:
    """Close contracts, the oldest trades first. `entry` is 0 and `only` negative if they do not choose trades."""
    total = 0.0
    count = int(m[N_OPEN])
    for k in range(count):
        number = int(m[OPEN + k])
        if is_chosen(m, number, entry, only):
            total = total + m[TRADES + number * TRADE + TRADE_QUANTITY]
    closed = total if total < quantity else quantity
    left = closed
    whole_fee = fee_of(m, closed, price)
    for k in range(count):
        number = int(m[OPEN + k])
        if is_chosen(m, number, entry, only):
            if left <= 1e-12:
                break
            trade = TRADES + number * TRADE
            part = m[trade + TRADE_QUANTITY] if m[trade + TRADE_QUANTITY] < left else left
            left = left - part
            close_part(m, b, n, i, trade, part, price, id, comment, signal, whole_fee * part / closed)
    kept = 0
    for k in range(count):
        number = int(m[OPEN + k])
        if m[TRADES + number * TRADE + TRADE_QUANTITY] > 1e-12:
            m[OPEN + kept] = float(number)
            kept = kept + 1
    if frees:
        m[SLOTS] = m[SLOTS] - float(count - kept)
    m[N_OPEN] = float(kept)
    size = 0.0
    cost = 0.0
    fees = 0.0
    for k in range(kept):
        trade = TRADES + int(m[OPEN + k]) * TRADE
        signed = m[trade] * m[trade + TRADE_QUANTITY]
        size = size + signed
        cost = cost + signed * m[trade + TRADE_PRICE]
        fees = fees + m[trade + TRADE_FEE]
    m[SIZE] = size
    m[COST] = cost
    m[FEES] = fees
    if kept == 0:
        m[AVERAGE] = NA
        m[SLOTS] = 0.0
        m[N_CYCLE] = 0.0
    else:
        m[AVERAGE] = cost / size
    return closed


# fills


def write_change(m: P, i: int, price: float) -> None:
    c = grow(m, CHANGES, CHANGE)
    if c != 0:
        m[c] = float(i)
        m[c + CHANGE_PRICE] = price
        m[c + CHANGE_NEXT] = m[WALK_NEXT]
        m[c + CHANGE_MONEY] = m[CAPITAL] + m[NET_PROFIT]
        m[c + CHANGE_FEES] = m[FEES]
        m[c + CHANGE_SIZE] = m[SIZE]
        m[c + CHANGE_COST] = m[COST]


def admits_priced(m: P, order: int, at: float, opening: float) -> bool:
    side = m[order + SIDE]
    size = m[SIZE]
    price = at
    equity = equity_at(m, price)
    if m[order + STOP] == m[order + STOP] and size == 0.0:
        price = opening
        equity = m[CAPITAL] + m[NET_PROFIT]
    held = abs(size) if size * side > 0.0 else 0.0
    return bound(m, m[order + QUANTITY] + held, price, side) <= equity + 1e-9 * abs(equity)


def is_market(m: P, order: int) -> bool:
    return m[order + LIMIT] != m[order + LIMIT] and m[order + STOP] != m[order + STOP]


def admits(m: P, order: int, price: float, opening: float) -> bool:
    side = m[order + SIDE]
    size = m[SIZE]
    margin = margin_of(m, side)
    if margin == 0.0:
        return True
    if not is_market(m, order):
        return admits_priced(m, order, price, opening)
    if size * side > 0.0:
        return True
    funds = m[order + FUNDS] if m[order + FUNDS] == m[order + FUNDS] else equity_at(m, price)
    needed = m[order + QUANTITY] * price * m[WORTH] * margin
    slack = 1e-9 * abs(funds)
    if size * side < 0.0:
        return needed <= (funds if m[order + FROZEN] != 0.0 else equity_at(m, price)) + slack
    if m[order + FROM_FLAT] == 0.0:
        return needed <= equity_at(m, price) + slack
    if m[order + FROZEN] != 0.0:
        return m[FULL_ORDERS] == 0.0 or needed <= funds + slack
    called = m[order + CALLED_FOR]
    return needed <= (called if called > funds else funds) + slack


def drop_by_turn(m: P, order: int) -> None:
    """Remove an order from the book, if it is there."""
    for k in range(int(m[N_ORDERS])):
        place = ORDERS + k * ORDER
        if m[place + SEQUENCE] == m[order + SEQUENCE] and m[place + KIND] == m[order + KIND]:
            remove_order(m, k)
            return
    forget(m)


def decline(m: P, order: int) -> None:
    drop_by_turn(m, order)
    for k in range(int(m[N_EXITS])):
        m[EXITS + k * EXIT + EXIT_SUSPENDED] = 1.0
    k = int(m[N_ORDERS]) - 1
    while k >= 0:
        other = ORDERS + k * ORDER
        if (
            m[other + KIND] == CLOSE
            and m[other + CALL_BAR] == m[order + CALL_BAR]
            and not m[other + SEQUENCE] < m[order + SEQUENCE]
        ):
            remove_order(m, k)
        k = k - 1
    forget(m)


def apply_group(m: P, name: float, kind: float, quantity: float) -> None:
    """Apply the rule of a group: 1 cancels its other orders, 2 reduces them."""
    k = int(m[N_ORDERS]) - 1
    while k >= 0:
        order = ORDERS + k * ORDER
        if m[order + OCA_NAME] == name and m[order + OCA_TYPE] == kind:
            m[order + QUANTITY] = m[order + QUANTITY] - quantity
            if kind == 1.0 or m[order + QUANTITY] <= 1e-12:
                remove_order(m, k)
        k = k - 1
    forget(m)
    if kind == 2.0:
        for j in range(int(m[N_LEGS])):
            leg = LEGS + j * LEG
            if m[EXITS + int(m[leg]) * EXIT + EXIT_GROUP] == name:
                m[leg + LEG_REDUCED] = m[leg + LEG_REDUCED] + quantity


def filled(
    m: P,
    i: int,
    id: float,
    side: float,
    before: float,
    price: float,
    message: float,
    comment: float,
    alerts: float,
    group: float,
    kind: float,
) -> bool:
    """Write the records of a fill, and apply its group. False if the position is the same as before."""
    size = m[SIZE]
    if size == before:
        write_change(m, i, price)
        return False
    if alerts != 0.0:
        f = grow(m, FILLS, FILL)
        if f != 0:
            m[f] = float(i)
            m[f + FILL_ID] = id
            m[f + FILL_SIDE] = side
            m[f + FILL_QUANTITY] = abs(size - before)
            m[f + FILL_PRICE] = price
            m[f + FILL_SIZE] = size
            m[f + FILL_MESSAGE] = message
            m[f + FILL_COMMENT] = comment
    if group != 0.0 and kind != 0.0:
        apply_group(m, group, kind, abs(size - before))
    write_change(m, i, price)
    return True


def fill_order(m: P, b: P, n: int, i: int, given: int, at: float, reason: int) -> None:
    copy(m, given, MINE, ORDER)
    order = MINE
    side = m[order + SIDE]
    price = at if reason == AT_LIMIT else grid_nearest(m, at + side * m[SLIP])
    before = m[SIZE]
    kind = m[order + KIND]
    if kind == ENTRY:
        if is_market(m, order) and before * side > 0.0 and m[SLOTS] >= m[PYRAMIDING]:
            drop_by_turn(m, order)
            return
        if not admits(m, order, price, b[i]):
            if before * side < 0.0:
                decline(m, order)
            else:
                drop_by_turn(m, order)
            return
    drop_by_turn(m, order)
    if kind <= RAW:
        total = m[order + QUANTITY] + m[order + FLIP]
        signal = m[order + COMMENT] if m[order + COMMENT] != 0.0 else m[order + ID]
        if before * side < 0.0:
            closed = total if total < abs(before) else abs(before)
            reduce(m, b, n, i, closed, price, m[order + ID], m[order + COMMENT], signal, 0.0, -1, True)
            settle(m, order)
            total = total - closed
        if total > 1e-12:
            number = add_trade(m, b, n, i, order, total, price)
            if m[0] != 0.0:
                return
            if m[N_EXITS] > 0.0:
                follow_trade(m, number)
        if m[N_EXITS] > 0.0:
            settle(m, 0)
    elif before * side < 0.0:
        close_order(m, b, n, i, order, price)
    group = m[order + OCA_NAME] if m[order + OCA_TYPE] != 0.0 else 0.0
    changed = filled(
        m,
        i,
        m[order + ID],
        side,
        before,
        price,
        m[order + MESSAGE],
        m[order + COMMENT],
        m[order + ALERTS],
        group,
        m[order + OCA_TYPE],
    )
    if changed and kind <= RAW and m[SIZE] != 0.0:
        m[OPENED] = at


def close_order(m: P, b: P, n: int, i: int, order: int, price: float) -> None:
    size = abs(m[SIZE])
    quantity = m[order + QUANTITY] if m[order + QUANTITY] < size else size
    signal = m[order + COMMENT] if m[order + COMMENT] != 0.0 else m[order + ID]
    entry = m[order + ENTRY_ID] if m[order + KIND] == CLOSE else 0.0
    closed = reduce(m, b, n, i, quantity, price, m[order + ID], m[order + COMMENT], signal, entry, -1, True)
    settle(m, 0)
    if m[order + KIND] != CLOSE:
        return
    for k in range(int(m[N_CYCLE])):
        trade = TRADES + k * TRADE
        if m[trade + TRADE_ID] == entry and closed > 1e-12:
            taken = closed if closed < m[trade + TRADE_CLAIM] else m[trade + TRADE_CLAIM]
            m[trade + TRADE_CLAIM] = m[trade + TRADE_CLAIM] - taken
            closed = closed - taken


def fill_leg(m: P, b: P, n: int, i: int, number: int, at: float, reason: int) -> None:
    leg = LEGS + number * LEG
    exit = EXITS + int(m[leg]) * EXIT
    trade_number = int(m[leg + LEG_TRADE])
    trade = TRADES + trade_number * TRADE
    side = m[leg + LEG_SIDE]
    price = at if reason == AT_LIMIT else grid_nearest(m, at + side * m[SLIP])
    before = m[SIZE]
    id = m[exit]
    comment = m[exit + EXIT_COMMENT + reason] if m[exit + EXIT_COMMENT + reason] != 0.0 else m[exit + EXIT_COMMENT]
    message = m[exit + EXIT_MESSAGE + reason] if m[exit + EXIT_MESSAGE + reason] != 0.0 else m[exit + EXIT_MESSAGE]
    alerts = m[exit + EXIT_ALERTS]
    group = m[exit + EXIT_GROUP]
    signal = comment if comment != 0.0 else id
    closed = reduce(m, b, n, i, available(m, number), price, id, comment, signal, 0.0, trade_number, False)
    done = int(m[trade + TRADE_N_DONE])
    if done >= 13:
        fail(m, 4.0)
        return
    m[trade + TRADE_DONE + done] = id
    m[trade + TRADE_N_DONE] = float(done + 1)
    m[trade + TRADE_CLAIM] = m[trade + TRADE_CLAIM] - closed
    own = m[leg + LEG_NUMBER]
    kept = 0
    for k in range(int(m[N_LEGS])):
        other = LEGS + k * LEG
        if m[other + LEG_NUMBER] != own and m[TRADES + int(m[other + LEG_TRADE]) * TRADE + TRADE_CLAIM] > 1e-12:
            copy(m, other, LEGS + kept * LEG, LEG)
            kept = kept + 1
    m[N_LEGS] = float(kept)
    forget(m)
    settle(m, 0)
    filled(m, i, id, side, before, price, message, comment, alerts, group, 2.0)


def call_quantity(m: P, b: P, n: int, i: int, amount: float, price: float) -> None:
    """Make a margin call."""
    size = m[SIZE]
    quantity = abs(size) if abs(size) < amount else amount
    if quantity == 0.0:
        return
    order = SCRATCH
    for k in range(ORDER):
        m[order + k] = 0.0
    m[order + KIND] = CLOSE_ALL
    m[order + ID] = MARGIN_CALL
    m[order + SIDE] = -1.0 if size > 0.0 else 1.0
    m[order + QUANTITY] = quantity
    m[order + SEQUENCE] = turn(m)
    m[order + CALL_BAR] = float(i)
    m[order + LIMIT] = NA
    m[order + STOP] = NA
    m[order + ALERTS] = 1.0
    for k in range(int(m[N_EXITS])):
        m[EXITS + k * EXIT + EXIT_SUSPENDED] = 0.0
    fill_order(m, b, n, i, order, price, AT_CALL)


def check_entry(m: P, b: P, n: int, i: int) -> None:
    price = m[OPENED]
    m[OPENED] = NA
    if price == price:
        call_quantity(m, b, n, i, missing(m, price), price)


# prices


def path(m: P, b: P, n: int, i: int) -> None:
    first = b[i]
    high = b[n + i]
    low = b[2 * n + i]
    up = high - first < first - low
    m[WALK_BAR] = float(i)
    m[POINTS] = first
    m[POINTS + 1] = high if up else low
    m[POINTS + 2] = low if up else high
    m[POINTS + 3] = b[3 * n + i]


def end_walk(m: P, b: P, n: int, i: int) -> None:
    if m[WALK_BAR] != float(i):
        path(m, b, n, i)
    m[WALK_NEXT] = 4.0
    m[WALK_GOING] = 0.0


def rising_to(level: float, current: float, end: float) -> float:
    if current >= level:
        return current
    return level if end >= level else NA


def falling_to(level: float, current: float, end: float) -> float:
    if current <= level:
        return current
    return level if end <= level else NA


def reaches(m: P, limit: float, side: float, current: float, end: float) -> float:
    beyond = m[BEYOND]
    needed = limit - side * beyond
    price = falling_to(needed, current, end) if side > 0.0 else rising_to(needed, current, end)
    if price != price or beyond == 0.0 or price == current:
        return price
    if side > 0.0:
        return current if current < limit else limit
    return current if current > limit else limit


def meets(m: P, order: int, current: float, end: float) -> tuple[float, int]:
    limit = m[order + LIMIT]
    stop = m[order + STOP]
    side = m[order + SIDE]
    if stop == stop and m[order + TRIGGERED] == 0.0:
        price = rising_to(stop, current, end) if side > 0.0 else falling_to(stop, current, end)
        if price != price:
            return NA, 0
        return price, AT_STOP if limit != limit else AT_TRIGGER
    if limit != limit:
        return current, AT_STOP
    price = reaches(m, limit, side, current, end)
    return price, 0 if price != price else AT_LIMIT


def leaves(m: P, leg: int, current: float, end: float) -> tuple[float, int]:
    stop = m[leg + LEG_STOP]
    reason = AT_STOP
    side = m[leg + LEG_SIDE]
    is_long = side < 0.0
    activation = m[leg + LEG_ACTIVATION]
    limit = m[leg + LEG_LIMIT]
    if activation == activation:
        if m[leg + LEG_ARMED] != 0.0 and m[leg + LEG_ONE_SHOT] == 0.0:
            trailing = trailing_stop(m, leg)
            if stop != stop or (trailing > stop if is_long else trailing < stop):
                stop = trailing
                reason = AT_TRAIL
        elif m[leg + LEG_OFFSET] == 0.0:
            price = rising_to(activation, current, end) if is_long else falling_to(activation, current, end)
            if price == price and (limit != limit or price == current or (limit - activation) * side <= 0.0):
                return price, AT_TRAIL
    if stop == stop:
        price = falling_to(stop, current, end) if is_long else rising_to(stop, current, end)
        if price == price:
            return price, reason
    if limit != limit:
        return NA, 0
    price = reaches(m, limit, side, current, end)
    return price, 0 if price != price else AT_LIMIT


def find_gate(m: P) -> None:
    above = INF
    below = -INF
    m[IS_KNOWN] = 1.0
    everything = m[OWED_BAR] >= 0.0
    for k in range(int(m[N_ORDERS])):
        order = ORDERS + k * ORDER
        level = m[order + STOP]
        rises = m[order + SIDE] > 0.0
        if level != level or m[order + TRIGGERED] != 0.0:
            level = m[order + LIMIT]
            rises = not rises
        if level != level:
            everything = True
        elif rises:
            if level < above:
                above = level
        elif level > below:
            below = level
    if everything:
        let_all_through(m)
        return
    for k in range(int(m[N_LEGS])):
        leg = LEGS + k * LEG
        is_long = m[leg + LEG_SIDE] < 0.0
        over = m[leg + LEG_LIMIT] if is_long else m[leg + LEG_STOP]
        under = m[leg + LEG_STOP] if is_long else m[leg + LEG_LIMIT]
        if over != over:
            over = INF
        if under != under:
            under = -INF
        activation = m[leg + LEG_ACTIVATION]
        if activation == activation:
            if m[leg + LEG_ARMED] == 0.0 or m[leg + LEG_ONE_SHOT] != 0.0:
                if is_long:
                    over = activation if activation < over else over
                else:
                    under = activation if activation > under else under
            else:
                stop = trailing_stop(m, leg)
                peak = m[leg + LEG_PEAK]
                if is_long:
                    over = peak if peak < over else over
                    under = stop if stop > under else under
                else:
                    over = stop if stop < over else over
                    under = peak if peak > under else under
        if over < above:
            above = over
        if under > below:
            below = under
    size = m[SIZE]
    if size != 0.0:
        price = liquidation(m)
        if size < 0.0 and price < above:
            above = price
        elif size > 0.0 and price > below:
            below = price
    m[HIGHEST] = above
    m[LOWEST] = below
    m[ABOVE] = above
    m[BELOW] = below


def nearest(m: P, current: float, end: float, number: int) -> tuple[int, float, int]:
    """The order or leg that is met first: its number (a leg's from 1000 on, -1 for none), the price, and the reason."""
    best = -1
    best_price = NA
    best_reason = 0
    best_away = INF
    best_late = 0.0
    best_side = 0.0
    best_limit = 0.0
    best_priced = 0.0
    best_turn = 0.0
    orders = int(m[N_ORDERS])
    for k in range(orders + int(m[N_LEGS])):
        is_leg = k >= orders
        what = LEGS + (k - orders) * LEG if is_leg else ORDERS + k * ORDER
        price = NA
        reason = 0
        if is_leg:
            price, reason = leaves(m, what, current, end)
            if reason != 0 and not available(m, k - orders) > 1e-12:
                reason = 0
        else:
            price, reason = meets(m, what, current, end)
        if reason != 0:
            side = m[what + LEG_SIDE]
            limit = m[what + LEG_LIMIT] if is_leg else m[what + LIMIT]
            away = abs(price - current)
            is_late = number == 0 and reason == AT_LIMIT and limit == limit
            late = float(is_late)
            far = limit * side if is_late else 0.0
            priced = 1.0 if is_leg or not is_market(m, what) else 0.0
            its_turn = m[EXITS + int(m[what]) * EXIT + EXIT_SEQUENCE] if is_leg else m[what + SEQUENCE]
            first = best < 0
            if not first:
                if away != best_away:
                    first = away < best_away
                elif late != best_late:
                    first = late < best_late
                elif side != best_side:
                    first = side > best_side
                elif far != best_limit:
                    first = far < best_limit
                elif priced != best_priced:
                    first = priced < best_priced
                else:
                    first = its_turn < best_turn
            if first:
                best = k - orders + A_LEG if is_leg else k
                best_price = price
                best_reason = reason
                best_away = away
                best_late = late
                best_side = side
                best_limit = far
                best_priced = priced
                best_turn = its_turn
    return best, best_price, best_reason


def advance(m: P, b: P, n: int, i: int, start: float, end: float, number: int) -> None:
    current = start
    while m[N_ORDERS] > 0.0 or m[N_LEGS] > 0.0:
        m[3] = m[3] - 1.0
        if m[3] < 0.0 or m[0] != 0.0:
            fail(m, 3.0)
            return
        best, price, reason = nearest(m, current, end, number)
        if best < 0:
            break
        if current != price and m[N_LEGS] > 0.0:
            trail(m, price, -1.0)
        current = price
        if best < A_LEG and reason == AT_TRIGGER:
            m[ORDERS + best * ORDER + TRIGGERED] = 1.0
            forget(m)
            continue
        if best < A_LEG:
            fill_order(m, b, n, i, ORDERS + best * ORDER, price, reason)
        else:
            fill_leg(m, b, n, i, best - A_LEG, price, reason)
        if m[OPENED] == m[OPENED] and number > 0:
            check_entry(m, b, n, i)
    if m[N_LEGS] > 0.0:
        trail(m, end, -1.0)


def walk(m: P, b: P, n: int, i: int) -> None:
    path(m, b, n, i)
    m[WALK_NEXT] = 1.0
    m[WALK_GOING] = 1.0
    current = m[POINTS]
    if m[OWED_BAR] >= 0.0:
        owed_bar = m[OWED_BAR]
        m[OWED_BAR] = -1.0
        if owed_bar == float(i):
            call_quantity(m, b, n, i, m[OWED], current)
            call_quantity(m, b, n, i, missing(m, current), current)
        forget(m)
    if m[N_ORDERS] == 1.0 and m[N_LEGS] == 0.0 and is_market(m, ORDERS):
        fill_order(m, b, n, i, ORDERS, current, AT_STOP)
    if m[N_ORDERS] > 0.0 or m[N_LEGS] > 0.0:
        advance(m, b, n, i, current, current, 0)
    if m[OPENED] == m[OPENED]:
        check_entry(m, b, n, i)
    lowest = b[2 * n + i]
    highest = b[n + i]
    if m[N_ORDERS] == 0.0 and m[N_LEGS] == 0.0:
        if m[SIZE] == 0.0 or shortfall(m, lowest if m[SIZE] > 0.0 else highest) <= 0.0:
            m[WALK_NEXT] = 4.0
            m[WALK_GOING] = 0.0
            return
    for number in range(1, 4):
        if m[0] != 0.0:
            return
        point = m[POINTS + number]
        if m[N_ORDERS] > 0.0 or m[N_LEGS] > 0.0:
            m[WALK_NEXT] = float(number)
            if m[IS_KNOWN] == 0.0:
                find_gate(m)
            top = current if current > point else point
            bottom = point if current > point else current
            if top >= m[HIGHEST] or bottom <= m[LOWEST]:
                advance(m, b, n, i, current, point, number)
        current = point
        m[WALK_NEXT] = float(number + 1)
        size = m[SIZE]
        if (point == lowest and size > 0.0) or (point == highest and size < 0.0):
            if m[CALLED_BAR] != float(i):
                amount = missing(m, point)
                if amount != 0.0:
                    m[CALLED_BAR] = float(i)
                    call_quantity(m, b, n, i, amount, point)
        if m[SIZE] == 0.0 and m[N_ORDERS] == 0.0 and m[N_LEGS] == 0.0:
            break
    m[WALK_GOING] = 0.0


def before_bar(m: P, b: P, n: int, i: int) -> None:
    """Fill waiting orders on the prices of a bar."""
    if m[IS_KNOWN] == 0.0:
        find_gate(m)
    if b[n + i] >= m[HIGHEST] or b[2 * n + i] <= m[LOWEST]:
        walk(m, b, n, i)


def fill_at_close(m: P, b: P, n: int, i: int, price: float) -> None:
    """Fill the waiting orders of a close: market orders, then priced orders of this bar; buys before sells."""
    for stage in range(4):
        last = 0.0
        going = True
        while going:
            going = False
            best = -1
            for k in range(int(m[N_ORDERS])):
                order = ORDERS + k * ORDER
                sequence = m[order + SEQUENCE]
                priced = not is_market(m, order)
                both = m[order + LIMIT] == m[order + LIMIT] and m[order + STOP] == m[order + STOP]
                fits = not priced or (m[order + CALL_BAR] == float(i) and not both)
                place = (2 if priced else 0) + (0 if m[order + SIDE] > 0.0 else 1)
                if fits and place == stage and sequence > last:
                    if best < 0 or sequence < m[ORDERS + best * ORDER + SEQUENCE]:
                        best = k
            if best >= 0 and m[0] == 0.0:
                going = True
                order = ORDERS + best * ORDER
                last = m[order + SEQUENCE]
                _, reason = meets(m, order, price, price)
                if reason != 0 and reason != AT_TRIGGER:
                    fill_order(m, b, n, i, order, price, reason)


def close_bar(m: P, b: P, n: int, i: int) -> None:
    """Fill orders at the close of a bar after the script has run."""
    if m[N_ORDERS] == 0.0 and m[N_LEGS] == 0.0:
        return
    price = grid_nearest(m, b[3 * n + i])
    end_walk(m, b, n, i)
    fill_at_close(m, b, n, i, price)
    newest = m[LEG_IDS]
    count = 0
    for k in range(int(m[N_LEGS])):
        if count < 60 and m[EXITS + int(m[LEGS + k * LEG]) * EXIT + EXIT_BAR] == float(i):
            m[SCRATCH + count] = m[LEGS + k * LEG + LEG_NUMBER]
            count = count + 1
    if count >= 60:
        fail(m, 4.0)
    for k in range(count):
        own = m[SCRATCH + k]
        for j in range(int(m[N_LEGS])):
            leg = LEGS + j * LEG
            if m[leg + LEG_NUMBER] == own and own <= newest:
                if available(m, j) > 1e-12:
                    at, reason = leaves(m, leg, price, price)
                    if reason != 0 and reason != AT_TRAIL and at == at:
                        fill_leg(m, b, n, i, j, price, reason)
                break
    opened = m[OPENED]
    if opened == opened:
        m[OPENED] = NA
        m[OWED_BAR] = float(i + 1)
        m[OWED] = missing(m, price)
    trail(m, price, -1.0)


# calls


def known(value: float) -> float:
    """A number, or na for an infinity."""
    return value if value - value == 0.0 else NA


def new_order(
    m: P,
    kind: float,
    id: float,
    side: float,
    limit: float,
    stop: float,
    group: float,
    group_kind: float,
    comment: float,
    message: float,
    alerts: bool,
) -> int:
    """Write a new order behind the last one of the book, where `put_order` leaves it."""
    order = ORDERS + int(m[N_ORDERS]) * ORDER
    for k in range(ORDER):
        m[order + k] = 0.0
    m[order + KIND] = kind
    m[order + ID] = id
    m[order + SIDE] = side
    m[order + SEQUENCE] = turn(m)
    m[order + CALL_BAR] = m[BAR]
    m[order + LIMIT] = grid_limit(m, limit, side) if limit - limit == 0.0 else NA
    m[order + STOP] = grid_stop(m, stop, side) if stop - stop == 0.0 else NA
    m[order + OCA_NAME] = group
    m[order + OCA_TYPE] = group_kind
    m[order + COMMENT] = comment
    m[order + MESSAGE] = message
    m[order + ALERTS] = float(alerts)
    m[order + FUNDS] = NA
    return order


def sized_at(m: P, order: int, price: float) -> float:
    if m[order + STOP] == m[order + STOP] and m[order + STOP] != 0.0:
        return m[order + STOP]
    if m[order + LIMIT] == m[order + LIMIT] and m[order + LIMIT] != 0.0:
        return m[order + LIMIT]
    return price


def call_entry(
    m: P,
    id: float,
    side: float,
    qty: float,
    limit: float,
    stop: float,
    group: float,
    group_kind: float,
    comment: float,
    message: float,
    alerts: bool,
) -> None:
    if m[BAR] < m[FIRST_BAR]:
        return
    size = m[SIZE]
    if size * side > 0.0 and m[SLOTS] >= m[PYRAMIDING]:
        if limit - limit == 0.0 or stop - stop == 0.0:
            k = int(m[N_ORDERS]) - 1
            while k >= 0:
                if is_opening(m, ORDERS + k * ORDER) and m[ORDERS + k * ORDER + ID] == id:
                    remove_order(m, k)
                k = k - 1
        return
    order = new_order(m, ENTRY, id, side, limit, stop, group, group_kind, comment, message, alerts)
    newest = m[NOW]
    equity = equity_at(m, newest)
    price = newest + side * m[SLIP]
    amount = known(qty)
    if amount != amount:
        m[order + FROZEN] = m[BY_MONEY]
        m[order + QUANTITY] = default_quantity(m, equity, sized_at(m, order, price))
    else:
        m[order + QUANTITY] = whole_lots(m, amount)
    if m[order + QUANTITY] <= 0.0:
        if amount != amount or amount > 0.0:
            m[SMALL_ORDERS] = m[SMALL_ORDERS] + 1.0
        return
    expected = size
    for k in range(int(m[N_ORDERS])):
        other = ORDERS + k * ORDER
        if is_market(m, other) and m[other + ID] != id:
            if is_opening(m, other):
                expected = expected + m[other + SIDE] * (m[other + QUANTITY] + m[other + FLIP])
            elif expected * m[other + SIDE] < 0.0:
                part = m[other + QUANTITY] if m[other + QUANTITY] < abs(expected) else abs(expected)
                expected = expected + m[other + SIDE] * part
    if expected * side < 0.0:
        m[order + FLIP] = abs(expected)
    if is_market(m, order) and margin_of(m, side) != 0.0:
        m[order + FUNDS] = equity
        m[order + FROM_FLAT] = float(size == 0.0 and expected == 0.0)
        m[order + CALLED_FOR] = bound(m, m[order + QUANTITY], price, side)
        quantity = m[order + QUANTITY]
        free = equity
        if size == 0.0:
            quantity = quantity + m[order + FLIP]
        elif size * side > 0.0:
            free = free - bound(m, abs(size), newest, side)
        if not bound(m, quantity, newest, side) <= free + 1e-9 * abs(equity):
            return
    put_order(m, order)


def call_order(
    m: P,
    id: float,
    side: float,
    qty: float,
    limit: float,
    stop: float,
    group: float,
    group_kind: float,
    comment: float,
    message: float,
    alerts: bool,
) -> None:
    if m[BAR] < m[FIRST_BAR]:
        return
    order = new_order(m, RAW, id, side, limit, stop, group, group_kind, comment, message, alerts)
    amount = known(qty)
    if amount != amount:
        newest = m[NOW]
        price = sized_at(m, order, newest + side * m[SLIP])
        m[order + QUANTITY] = default_quantity(m, equity_at(m, newest), price)
    else:
        m[order + QUANTITY] = whole_lots(m, amount)
    if m[order + QUANTITY] > 0.0:
        put_order(m, order)
    elif amount != amount or amount > 0.0:
        m[SMALL_ORDERS] = m[SMALL_ORDERS] + 1.0


def place_close(
    m: P,
    b: P,
    n: int,
    i: int,
    kind: float,
    id: float,
    quantity: float,
    entry: float,
    comment: float,
    message: float,
    immediately: bool,
    alerts: bool,
) -> None:
    if quantity <= 0.0 or m[BAR] < m[FIRST_BAR]:
        return
    side = -1.0 if m[SIZE] > 0.0 else 1.0
    order = new_order(m, kind, id, side, NA, NA, 0.0, 0.0, comment, message, alerts)
    m[order + QUANTITY] = quantity
    m[order + ENTRY_ID] = entry
    if immediately:
        end_walk(m, b, n, i)
        fill_order(m, b, n, i, order, m[NOW], AT_STOP)
    else:
        put_order(m, order)


def call_close(
    m: P,
    b: P,
    n: int,
    i: int,
    id: float,
    comment: float,
    qty: float,
    qty_percent: float,
    message: float,
    immediately: bool,
    alerts: bool,
) -> None:
    if m[SIZE] == 0.0:
        return
    claim = 0.0
    for k in range(int(m[N_CYCLE])):
        trade = TRADES + k * TRADE
        if m[trade + TRADE_ID] == id:
            claim = claim + m[trade + TRADE_CLAIM]
    quantity = claim
    amount = known(qty)
    percent = known(qty_percent)
    if amount == amount:
        lots = whole_lots(m, amount)
        quantity = lots if lots < claim else claim
    elif percent == percent and percent < 100.0:
        quantity = share_of(m, claim, percent)
    size = abs(m[SIZE])
    if size < quantity:
        quantity = size
    place_close(m, b, n, i, CLOSE, -1.0 - id, quantity, id, comment, message, immediately, alerts)


def call_close_all(m: P, b: P, n: int, i: int, comment: float, message: float, immediately: bool, alerts: bool) -> None:
    place_close(m, b, n, i, CLOSE_ALL, CLOSE_POSITION, abs(m[SIZE]), 0.0, comment, message, immediately, alerts)


def call_cancel(m: P, id: float) -> None:
    k = int(m[N_ORDERS]) - 1
    while k >= 0:
        if is_opening(m, ORDERS + k * ORDER) and m[ORDERS + k * ORDER + ID] == id:
            remove_order(m, k)
        k = k - 1
    k = int(m[N_EXITS]) - 1
    while k >= 0:
        if m[EXITS + k * EXIT] == id:
            remove_exit(m, k)
        k = k - 1


def call_cancel_all(m: P) -> None:
    m[N_ORDERS] = 0.0
    m[N_EXITS] = 0.0
    m[N_LEGS] = 0.0
    forget(m)


def same_number(left: float, right: float) -> bool:
    return left == right or (left != left and right != right)


def goes_on(m: P, given: int) -> int:
    """The number of the active exit that the script called again unchanged; -1 if there is none."""
    for k in range(int(m[N_EXITS])):
        exit = EXITS + k * EXIT
        if m[exit] == m[given] and m[exit + EXIT_ENTRY] == m[given + EXIT_ENTRY]:
            for j in range(16, 35):
                if not same_number(m[exit + j], m[given + j]):
                    return 0 - 1
            left = 0
            for j in range(int(m[N_LEGS])):
                if m[LEGS + j * LEG] == float(k):
                    left = left + 1
            for j in range(int(m[N_CYCLE])):
                if may_leave(m, exit, TRADES + j * TRADE):
                    left = left - 1
            if left != 0:
                return 0 - 1
            m[exit + EXIT_BAR] = m[BAR]
            m[exit + EXIT_HORIZON] = turn(m)
            return k
    return 0 - 1


def has_prices_of(m: P, first: int, second: int) -> bool:
    for k in range(9, 16):
        if not same_number(m[first + k], m[second + k]):
            return False
    return True


def stand(m: P, given: int) -> int:
    """Add an exit with its legs, and return its number. It replaces the exit with the same id for the same entry."""
    number = int(m[N_EXITS])
    old = 0
    for k in range(number):
        exit = EXITS + k * EXIT
        if m[exit] == m[given] and m[exit + EXIT_ENTRY] == m[given + EXIT_ENTRY] and old == 0:
            m[given + EXIT_SEQUENCE] = m[exit + EXIT_SEQUENCE]
            m[given + EXIT_SUSPENDED] = float(m[exit + EXIT_SUSPENDED] != 0.0 and has_prices_of(m, exit, given))
            number = k
            old = 1
    if old == 0:
        if number >= MOST_EXITS:
            fail(m, 4.0)
            return 0
        m[N_EXITS] = float(number + 1)
    copy(m, given, EXITS + number * EXIT, EXIT)
    forget(m)
    # the legs of the exit before stay at the end of the list until the new ones have taken over their state
    count = int(m[N_LEGS])
    if count >= 60:
        fail(m, 4.0)
        return number
    kept = 0
    before = 0
    spare = LEGS + 64 * LEG
    for k in range(count):
        leg = LEGS + k * LEG
        if m[leg] == float(number):
            copy(m, leg, spare + before * LEG, LEG)
            before = before + 1
        else:
            copy(m, leg, LEGS + kept * LEG, LEG)
            kept = kept + 1
    m[N_LEGS] = float(kept)
    for k in range(int(m[N_CYCLE])):
        if may_leave(m, given, TRADES + k * TRADE):
            if m[N_LEGS] >= 60.0:
                fail(m, 4.0)
                return number
            leg = add_leg(m, number, k)
            for j in range(before):
                if m[spare + j * LEG + LEG_TRADE] == float(k):
                    m[leg + LEG_ARMED] = m[spare + j * LEG + LEG_ARMED]
                    m[leg + LEG_PEAK] = m[spare + j * LEG + LEG_PEAK]
                    m[leg + LEG_REDUCED] = m[spare + j * LEG + LEG_REDUCED]
    sort_legs(m)
    return number


def call_exit(
    m: P,
    id: float,
    entry: float,
    qty: float,
    qty_percent: float,
    profit: float,
    limit: float,
    loss: float,
    stop: float,
    trail_price: float,
    trail_points: float,
    trail_offset: float,
    group: float,
    comment: float,
    comment_profit: float,
    comment_loss: float,
    comment_trailing: float,
    message: float,
    message_profit: float,
    message_loss: float,
    message_trailing: float,
    alerts: bool,
) -> None:
    if m[BAR] < m[FIRST_BAR]:
        return
    waiting = False
    waiting_market = False
    for k in range(int(m[N_ORDERS])):
        order = ORDERS + k * ORDER
        if is_opening(m, order) and (entry == 0.0 or m[order + ID] == entry):
            waiting = True
            if is_market(m, order):
                waiting_market = True
    if m[N_OPEN] == 0.0 and not waiting:
        return
    given = SCRATCH
    m[given] = id
    m[given + EXIT_ENTRY] = entry
    m[given + EXIT_WAITS] = 0.0
    m[given + EXIT_SUSPENDED] = 0.0
    m[given + EXIT_PROFIT] = known(profit)
    m[given + EXIT_LIMIT] = known(limit)
    m[given + EXIT_LOSS] = known(loss)
    m[given + EXIT_STOP] = known(stop)
    m[given + EXIT_TRAIL_PRICE] = known(trail_price)
    m[given + EXIT_TRAIL_POINTS] = known(trail_points)
    m[given + EXIT_TRAIL_OFFSET] = known(trail_offset)
    m[given + EXIT_GROUP] = group
    m[given + EXIT_COMMENT] = comment
    m[given + EXIT_COMMENT_PROFIT] = comment_profit
    m[given + EXIT_COMMENT_LOSS] = comment_loss
    m[given + EXIT_COMMENT_TRAILING] = comment_trailing
    m[given + EXIT_ALERTS] = float(alerts)
    m[given + EXIT_MESSAGE] = message
    m[given + EXIT_MESSAGE_PROFIT] = message_profit
    m[given + EXIT_MESSAGE_LOSS] = message_loss
    m[given + EXIT_MESSAGE_TRAILING] = message_trailing
    m[given + EXIT_GIVEN_QUANTITY] = qty
    m[given + EXIT_GIVEN_PERCENT] = qty_percent
    m[given + EXIT_GIVEN_PROFIT] = profit
    m[given + EXIT_GIVEN_LIMIT] = limit
    m[given + EXIT_GIVEN_LOSS] = loss
    m[given + EXIT_GIVEN_STOP] = stop
    m[given + EXIT_GIVEN_TRAIL_PRICE] = trail_price
    m[given + EXIT_GIVEN_TRAIL_POINTS] = trail_points
    m[given + EXIT_GIVEN_TRAIL_OFFSET] = trail_offset
    number = goes_on(m, given)
    if number < 0:
        if entry != 0.0 and not has_trade(m, entry):
            if not waiting:
                return
            m[given + EXIT_WAITS] = float(not waiting_market)
        now = turn(m)
        m[given + EXIT_SEQUENCE] = now
        m[given + EXIT_HORIZON] = now
        m[given + EXIT_BAR] = m[BAR]
        empty = True
        for k in range(9, 15):
            if m[given + k] == m[given + k]:
                empty = False
        if empty:
            k = int(m[N_EXITS]) - 1
            while k >= 0:
                if m[EXITS + k * EXIT] == id and m[EXITS + k * EXIT + EXIT_ENTRY] == entry:
                    remove_exit(m, k)
                k = k - 1
            return
        amount = known(qty)
        percent = known(qty_percent)
        m[given + EXIT_QUANTITY] = whole_lots(m, amount) if amount == amount else NA
        m[given + EXIT_PERCENT] = percent if percent == percent else 100.0
        number = stand(m, given)
        if m[0] != 0.0:
            return
    exit = EXITS + number * EXIT
    if (
        m[exit + EXIT_TRAIL_PRICE] == m[exit + EXIT_TRAIL_PRICE]
        or m[exit + EXIT_TRAIL_POINTS] == m[exit + EXIT_TRAIL_POINTS]
    ):
        trail(m, m[NOW], float(number))


# variables


def open_profit(m: P) -> float:
    return (m[SIZE] * m[NOW] - m[COST]) * m[WORTH] if m[SIZE] != 0.0 else 0.0


def equity_now(m: P) -> float:
    if m[SIZE] == 0.0:
        return m[CAPITAL] + m[NET_PROFIT]
    profit = (m[SIZE] * m[NOW] - m[COST]) * m[WORTH] - m[FEES]
    return m[CAPITAL] + m[NET_PROFIT] + profit


def percent_of(part: float, whole: float) -> float:
    return 100.0 * part / whole if whole != 0.0 else NA


def open_trade(m: P, number: float) -> int:
    """The place of an open trade; 0 if there is none."""
    if not (number > -1.0 and number < m[N_OPEN]) or number < 0.0:
        return 0
    return TRADES + int(m[OPEN + int(number)]) * TRADE


def of_open(m: P, number: float, field: int) -> float:
    trade = open_trade(m, number)
    return m[trade + field] if trade != 0 else NA


def open_size(m: P, number: float) -> float:
    trade = open_trade(m, number)
    return m[trade] * m[trade + TRADE_QUANTITY] if trade != 0 else NA


def open_trade_profit(m: P, number: float) -> float:
    trade = open_trade(m, number)
    if trade == 0:
        return NA
    return (m[NOW] - m[trade + TRADE_PRICE]) * m[trade] * m[trade + TRADE_QUANTITY] * m[WORTH] - m[trade + TRADE_FEE]


def closed_trade(m: P, number: float) -> int:
    count = m[CLOSED + VECTOR_COUNT]
    first = count - 9000.0 if count > 9000.0 else 0.0
    if not (first <= number and number < count):
        return 0
    return int(m[CLOSED]) + int(number) * CLOSED_TRADE


def of_closed(m: P, number: float, field: int) -> float:
    trade = closed_trade(m, number)
    return m[trade + field] if trade != 0 else NA


def closed_size(m: P, number: float) -> float:
    trade = closed_trade(m, number)
    return m[trade] * m[trade + CLOSED_QUANTITY] if trade != 0 else NA


def closed_profit_percent(m: P, number: float) -> float:
    trade = closed_trade(m, number)
    if trade == 0:
        return NA
    invested = m[trade + CLOSED_VALUE] + m[trade + CLOSED_ENTRY_FEE]
    return 100.0 * m[trade + CLOSED_PROFIT] / invested if invested != 0.0 else 0.0


def quotient_or_na(left: float, right: float) -> float:
    return left / right if right != 0.0 else NA


def side_of(m: P, direction: float, long: float, short: float) -> float:
    if direction == long:
        return 1.0
    if direction == short:
        return -1.0
    return fail(m, 1.0)


# the account over a whole run

MEASURED = 90
"""The places of the results of `measure`: 0 the largest drawdown, 1 in percent, 2 the largest run-up, 3 in percent,
4 the largest long position, 5 the largest short position; 6 the highest and 7 the lowest realized equity, 8 to 11 the
prices of a bar in their order, and 12 to 15 the largest drawdown and run-up at closes, each in money and in percent.
They are not used before the end of the run, so they share places with orders."""

MEASURED_DRAWDOWN = 0
MEASURED_DRAWDOWN_PERCENT = 1
MEASURED_RUN_UP = 2
MEASURED_RUN_UP_PERCENT = 3
MEASURED_LONGEST = 4
MEASURED_SHORTEST = 5
MEASURED_PEAK = 6
MEASURED_TROUGH = 7
MEASURED_POINTS = 8


def measure_between(m: P, lowest: float, highest: float) -> None:
    """Include the lowest and the highest equity of some bars."""
    peak = m[MEASURED + MEASURED_PEAK]
    trough = m[MEASURED + MEASURED_TROUGH]
    fall = peak - lowest
    rise = highest - trough
    if fall > m[MEASURED]:
        m[MEASURED] = fall
    if rise > m[MEASURED + MEASURED_RUN_UP]:
        m[MEASURED + MEASURED_RUN_UP] = rise
    if peak > 0.0 and 100.0 * fall / peak > m[MEASURED + MEASURED_DRAWDOWN_PERCENT]:
        m[MEASURED + MEASURED_DRAWDOWN_PERCENT] = 100.0 * fall / peak
    if trough > 0.0 and 100.0 * rise / trough > m[MEASURED + MEASURED_RUN_UP_PERCENT]:
        m[MEASURED + MEASURED_RUN_UP_PERCENT] = 100.0 * rise / trough


def measure_bars(m: P, b: P, o: P, n: int, start: int, stop: int, last: int) -> None:
    """Write the equity of the bars from `start` to `stop`, on which nothing was filled. `last` is the place of the last
    change before them, 0 if there is none."""
    money = m[CAPITAL]
    size = 0.0
    cost = 0.0
    if last != 0:
        money = m[last + CHANGE_MONEY] - m[last + CHANGE_FEES]
        size = m[last + CHANGE_SIZE]
        cost = m[last + CHANGE_COST]
    for k in range(start, stop):
        o[n + k] = money
    if size == 0.0:
        for k in range(start, stop):
            o[k] = money
        return
    worth = m[WORTH]
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
    bar = int(m[first])
    points = MEASURED + MEASURED_POINTS
    up = b[n + bar] - b[bar] < b[bar] - b[2 * n + bar]
    m[points] = b[bar]
    m[points + 1] = b[n + bar] if up else b[2 * n + bar]
    m[points + 2] = b[2 * n + bar] if up else b[n + bar]
    m[points + 3] = b[3 * n + bar]
    end = int(m[WALK_NEXT]) if m[WALK_BAR] == float(bar) else 4
    worth = m[WORTH]
    realized = m[before + CHANGE_MONEY] if before != 0 else m[CAPITAL]
    fees = m[before + CHANGE_FEES] if before != 0 else 0.0
    size = m[before + CHANGE_SIZE] if before != 0 else 0.0
    cost = m[before + CHANGE_COST] if before != 0 else 0.0
    lowest = INF
    highest = -INF
    low = INF
    high = -INF
    reached = 0
    until = int(m[first + CHANGE_NEXT])
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
            if m[change + CHANGE_PRICE] < low:
                low = m[change + CHANGE_PRICE]
            if m[change + CHANGE_PRICE] > high:
                high = m[change + CHANGE_PRICE]
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
            low = m[change + CHANGE_PRICE]
            high = low
            reached = int(m[change + CHANGE_NEXT])
            realized = m[change + CHANGE_MONEY]
            fees = m[change + CHANGE_FEES]
            size = m[change + CHANGE_SIZE]
            cost = m[change + CHANGE_COST]
            until = int(m[change + CHANGE + CHANGE_NEXT]) if change + CHANGE < stop else end
            if size > m[MEASURED + MEASURED_LONGEST]:
                m[MEASURED + MEASURED_LONGEST] = size
            if -size > m[MEASURED + MEASURED_SHORTEST]:
                m[MEASURED + MEASURED_SHORTEST] = -size
        change = change + CHANGE
    measure_between(m, lowest, highest)
    if realized > m[MEASURED + MEASURED_PEAK]:
        m[MEASURED + MEASURED_PEAK] = realized
    elif realized < m[MEASURED + MEASURED_TROUGH]:
        m[MEASURED + MEASURED_TROUGH] = realized


def measure(m: P, b: P, o: P, n: int) -> None:
    """Compute the extremes of the account after a run, and write the equity at each close and the realized equity.

    The steps are the steps of `broker.ledger` and `broker.extremes`.
    """
    for k in range(6):
        m[MEASURED + k] = 0.0
    m[MEASURED + MEASURED_PEAK] = m[CAPITAL]
    m[MEASURED + MEASURED_TROUGH] = m[CAPITAL]
    first = int(m[CHANGES])
    end = first + int(m[CHANGES + VECTOR_COUNT]) * CHANGE
    before = 0
    bar = 0
    while first < end:
        stop = first + CHANGE
        while stop < end and m[stop] == m[first]:
            stop = stop + CHANGE
        now = int(m[first])
        measure_bars(m, b, o, n, bar, now, before)
        measure_fills(m, b, n, first, stop, before)
        before = stop - CHANGE
        o[n + now] = m[before + CHANGE_MONEY] - m[before + CHANGE_FEES]
        o[now] = o[n + now] + (m[before + CHANGE_SIZE] * b[3 * n + now] - m[before + CHANGE_COST]) * m[WORTH]
        bar = now + 1
        first = stop
    measure_bars(m, b, o, n, bar, n, before)
    measure_closes(m, o, n)


def measure_closes(m: P, o: P, n: int) -> None:
    """Compute the largest drawdown and run-up of the equity at closes, as `broker.figures` does.

    A drawdown in percent is the largest one at the lowest close after a best close, so it is computed once for each.
    """
    capital = m[CAPITAL]
    for k in range(12, 16):
        m[MEASURED + k] = 0.0
    peak = capital
    low = capital
    trough = capital
    high = capital
    for k in range(n):
        value = o[k]
        if value > peak:
            take_move(m, 12, peak, peak - low)
            peak = value
            low = value
        elif value < low:
            low = value
        if value < trough:
            take_move(m, 14, trough, high - trough)
            trough = value
            high = value
        elif value > high:
            high = value
    take_move(m, 12, peak, peak - low)
    take_move(m, 14, trough, high - trough)


def take_move(m: P, place: int, best: float, away: float) -> None:
    """Include a move of the equity at closes from its value `best`."""
    if away > m[MEASURED + place]:
        m[MEASURED + place] = away
    if best > 0.0 and 100.0 * away / best > m[MEASURED + place + MEASURED_DRAWDOWN_PERCENT]:
        m[MEASURED + place + MEASURED_DRAWDOWN_PERCENT] = 100.0 * away / best


def closed_profit(m: P) -> float:
    """The sum of the profits of the closed trades, rounded once, as `math.fsum` computes it (Shewchuk, Adaptive
    precision floating-point arithmetic, 1997). It is not finite if a part of it is not."""
    parts = SCRATCH
    count = 0
    for k in range(int(m[CLOSED + VECTOR_COUNT])):
        value = m[int(m[CLOSED]) + k * CLOSED_TRADE + CLOSED_PROFIT]
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

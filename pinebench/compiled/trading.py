"""The broker, in the part of Python that `native` translates: the common part of `pinebench.broker`.

The account, the grid, slippage, margin, the prices and quantities of an exit's legs, and the rules of when a price is
met are not here: they have one definition, from which `lowered_broker` makes machine code. The rest takes the same
steps in the same order as the classes there, so that trades have the same bits; tests compare them trade by trade. Not
here are fills on which a script runs again, prices inside bars, exchange rates and risk rules. `m` is the memory of a
run; orders, exits, legs and trades are records in it, whose places are in `layouts`. A text is a number, 0 for an empty
one. A number that is not given is na.
If there is no room for a record, the run stops and is repeated on the Python tier.
"""

from __future__ import annotations

from pinebench.compiled.kernels import ROUNDS_LEFT, STATUS, fail
from pinebench.compiled.layouts import (
    ACCOUNT,
    AREAS,
    CHANGE,
    CLOSE_POSITION,
    CLOSED_TRADE,
    EXIT,
    FILL,
    LEG,
    MARGIN_CALL,
    MEASURED,
    MOST,
    ORDER,
    POSITION,
    RUN,
    TRADE,
    VECTOR,
    WALK,
)
from pinebench.compiled.lists import AT, COUNT, append, has, row
from pinebench.compiled.lowered_broker import (
    Account_bound,
    Account_default_quantity,
    Account_margin,
    Account_share,
    Account_whole_lots,
    Grid_limit,
    Grid_nearest,
    Grid_stop,
    Leg_reach,
    Leg_set_prices,
    Leg_trail,
    Leg_wanted,
    Order_is_market,
    Order_sized_at,
    Position_add,
    Position_equity,
    Position_reduce,
    Slippage_expected,
    Slippage_paid,
    margin_admits,
    margin_admits_call,
    margin_liquidation_price,
    margin_missing,
    margin_shortfall,
    matching_leaves,
    matching_meets,
    matching_path,
)
from pinebench.compiled.numerals import INF, NA, P, read_int, write_int
from pinebench.compiled.pools import copy, grow, tidy

ENTRY = 1.0
RAW = 2.0
CLOSE = 3.0
CLOSE_ALL = 4.0
AT_LIMIT = 1
AT_STOP = 2
AT_TRAIL = 3
AT_TRIGGER = 4
AT_CALL = 5
A_LEG = 1000


def forget(m: P) -> None:
    m[RUN.above] = -INF
    m[RUN.is_known] = 0.0


def let_all_through(m: P) -> None:
    """Let the next bar through the gate, whatever its prices are."""
    m[RUN.is_known] = 1.0
    m[RUN.highest] = -INF
    m[RUN.lowest] = INF
    m[RUN.above] = -INF
    m[RUN.below] = INF


# the order book


def turn(m: P) -> float:
    m[RUN.turns] = m[RUN.turns] + 1.0
    return m[RUN.turns]


def remove_order(m: P, number: int) -> None:
    count = int(m[RUN.n_orders]) - 1
    for k in range(number, count):
        copy(m, AREAS.orders + (k + 1) * ORDER.places, AREAS.orders + k * ORDER.places, ORDER.places)
    m[RUN.n_orders] = float(count)
    forget(m)


def is_opening(m: P, order: int) -> bool:
    return m[order + ORDER.kind] <= RAW


def put_order(m: P, order: int) -> None:
    """Add a new order (`new_order`) to the book, or replace the order with its id."""
    for k in range(int(m[RUN.n_orders])):
        place = AREAS.orders + k * ORDER.places
        same = m[place + ORDER.kind] == m[order + ORDER.kind] or (is_opening(m, place) and is_opening(m, order))
        if m[place + ORDER.id] == m[order + ORDER.id] and same:
            m[order + ORDER.sequence] = m[place + ORDER.sequence]
            copy(m, order, place, ORDER.places)
            forget(m)
            return
    count = int(m[RUN.n_orders])
    if count >= MOST.orders:
        fail(m, 4.0)
        return
    m[RUN.n_orders] = float(count + 1)
    if Order_is_market(m, order):
        let_all_through(m)
    else:
        forget(m)


def remove_legs_of(m: P, exit: float) -> None:
    kept = 0
    for k in range(int(m[RUN.n_legs])):
        if m[AREAS.legs + k * LEG.places + LEG.exit] != exit:
            copy(m, AREAS.legs + k * LEG.places, AREAS.legs + kept * LEG.places, LEG.places)
            kept = kept + 1
    m[RUN.n_legs] = float(kept)


def remove_exit(m: P, number: int) -> None:
    """Remove an exit with its legs. Exits stay in their order, but not at their places."""
    remove_legs_of(m, float(number))
    count = int(m[RUN.n_exits]) - 1
    for k in range(number, count):
        copy(m, AREAS.exits + (k + 1) * EXIT.places, AREAS.exits + k * EXIT.places, EXIT.places)
    for k in range(int(m[RUN.n_legs])):
        if m[AREAS.legs + k * LEG.places + LEG.exit] > float(number):
            m[AREAS.legs + k * LEG.places + LEG.exit] = m[AREAS.legs + k * LEG.places + LEG.exit] - 1.0
    m[RUN.n_exits] = float(count)
    forget(m)


def sort_legs(m: P) -> None:
    """Sort the legs by the turns of their exits; legs of one exit stay in their order."""
    for k in range(1, int(m[RUN.n_legs])):
        j = k
        while j > 0:
            here = AREAS.legs + j * LEG.places
            before = here - LEG.places
            if (
                m[AREAS.exits + int(m[before + LEG.exit]) * EXIT.places + EXIT.sequence]
                <= m[AREAS.exits + int(m[here + LEG.exit]) * EXIT.places + EXIT.sequence]
            ):
                break
            copy(m, here, AREAS.spare_leg, LEG.places)
            copy(m, before, here, LEG.places)
            copy(m, AREAS.spare_leg, before, LEG.places)
            j = j - 1


def has_trade(m: P, id: float) -> bool:
    for k in range(read_int(m, POSITION.cycle + COUNT)):
        trade = row(m, POSITION.cycle, k)
        if m[trade + TRADE.id] == id and m[trade + TRADE.claim] > 1e-12:
            return True
    return False


def covers(m: P, exit: int, id: float, sequence: float) -> bool:
    if m[exit + EXIT.entry] == 0.0:
        return True
    return m[exit + EXIT.entry] == id and (m[exit + EXIT.waits] != 0.0 or sequence < m[exit + EXIT.horizon])


def may_leave(m: P, exit: int, trade: int) -> bool:
    if not m[trade + TRADE.claim] > 1e-12:
        return False
    done = trade + TRADE.done
    if has(m, read_int(m, done + AT), read_int(m, done + COUNT), m[exit + EXIT.id]):
        return False
    return m[exit + EXIT.entry] == 0.0 or m[exit + EXIT.entry] == m[trade + TRADE.id]


def add_leg(m: P, number: int, trade: int) -> int:
    count = int(m[RUN.n_legs])
    if count >= MOST.legs:
        fail(m, 4.0)
        return AREAS.legs
    exit = AREAS.exits + number * EXIT.places
    leg = AREAS.legs + count * LEG.places
    m[RUN.n_legs] = float(count + 1)
    m[leg + LEG.exit] = float(number)
    write_int(m, leg + LEG.trade, trade)
    m[leg + LEG.side] = -m[trade + TRADE.side]
    m[leg + LEG.activation] = NA
    m[leg + LEG.offset] = 0.0
    m[leg + LEG.is_one_shot] = 0.0
    Leg_set_prices(
        m,
        leg,
        m[trade + TRADE.price],
        m[exit + EXIT.limit],
        m[exit + EXIT.profit],
        m[exit + EXIT.stop],
        m[exit + EXIT.loss],
        m[exit + EXIT.trail_price],
        m[exit + EXIT.trail_points],
        m[exit + EXIT.trail_offset],
    )
    m[leg + LEG.is_armed] = 0.0
    m[leg + LEG.peak] = 0.0
    m[leg + LEG.reduced] = 0.0
    m[RUN.leg_ids] = m[RUN.leg_ids] + 1.0
    m[leg + LEG.number] = m[RUN.leg_ids]
    return leg


def follow_trade(m: P, trade: int) -> None:
    added = False
    for k in range(int(m[RUN.n_exits])):
        exit = AREAS.exits + k * EXIT.places
        if covers(m, exit, m[trade + TRADE.id], m[trade + TRADE.sequence]):
            m[exit + EXIT.waits] = 0.0
            add_leg(m, k, trade)
            added = True
    if added:
        sort_legs(m)
        forget(m)


def wanted(m: P, leg: int) -> float:
    exit = AREAS.exits + int(m[leg + LEG.exit]) * EXIT.places
    trade = read_int(m, leg + LEG.trade)
    return Leg_wanted(m, leg, m[exit + EXIT.quantity], m[exit + EXIT.percent], trade)


def available(m: P, number: int) -> float:
    leg = AREAS.legs + number * LEG.places
    trade = read_int(m, leg + LEG.trade)
    if m[AREAS.exits + int(m[leg + LEG.exit]) * EXIT.places + EXIT.suspended] != 0.0 or m[trade + TRADE.claim] <= 1e-12:
        return 0.0
    reserved = 0.0
    for k in range(number):
        other = AREAS.legs + k * LEG.places
        if (
            read_int(m, other + LEG.trade) == trade
            and m[AREAS.exits + int(m[other + LEG.exit]) * EXIT.places + EXIT.suspended] == 0.0
        ):
            part = wanted(m, other)
            rest = m[trade + TRADE.claim] - reserved
            reserved = reserved + (rest if rest < part else part)
    found = wanted(m, leg)
    rest = m[trade + TRADE.claim] - reserved
    if rest < found:
        found = rest
    size = abs(m[POSITION.size])
    return size if size < found else found


def has_reason(m: P, exit: int, opening: int) -> bool:
    if m[exit + EXIT.waits] != 0.0 or (read_int(m, POSITION.open + COUNT) > 0 and m[exit + EXIT.entry] == 0.0):
        return True
    if has_trade(m, m[exit + EXIT.entry]):
        return True
    for k in range(int(m[RUN.n_orders])):
        order = AREAS.orders + k * ORDER.places
        if is_opening(m, order) and covers(m, exit, m[order + ORDER.id], m[order + ORDER.sequence]):
            return True
    return opening != 0 and covers(m, exit, m[opening + ORDER.id], m[opening + ORDER.sequence])


def settle(m: P, opening: int) -> None:
    if read_int(m, POSITION.open + COUNT) == 0:
        kept = 0
        for k in range(int(m[RUN.n_orders])):
            order = AREAS.orders + k * ORDER.places
            if is_opening(m, order):
                copy(m, order, AREAS.orders + kept * ORDER.places, ORDER.places)
                kept = kept + 1
        m[RUN.n_orders] = float(kept)
        m[RUN.n_legs] = 0.0
        forget(m)
    k = int(m[RUN.n_exits]) - 1
    while k >= 0:
        if not has_reason(m, AREAS.exits + k * EXIT.places, opening):
            remove_exit(m, k)
        k = k - 1


def trail(m: P, price: float, exit: float) -> None:
    """Move the trailing stops to the newest price: all of them if `exit` is negative, or the ones of one exit."""
    for k in range(int(m[RUN.n_legs])):
        leg = AREAS.legs + k * LEG.places
        if m[leg + LEG.activation] == m[leg + LEG.activation] and (exit < 0.0 or m[leg + LEG.exit] == exit):
            Leg_trail(m, leg, price)
            forget(m)


# fills


def write_change(m: P, i: int, price: float) -> None:
    c = grow(m, RUN.changes, CHANGE.places)
    if c != 0:
        m[c + CHANGE.bar] = float(i)
        m[c + CHANGE.price] = price
        m[c + CHANGE.next] = m[WALK.next]
        m[c + CHANGE.money] = m[ACCOUNT.capital] + m[ACCOUNT.net_profit]
        m[c + CHANGE.fees] = m[POSITION.fees]
        m[c + CHANGE.size] = m[POSITION.size]
        m[c + CHANGE.cost] = m[POSITION.cost]


def drop_by_turn(m: P, order: int) -> None:
    """Remove an order from the book, if it is there."""
    for k in range(int(m[RUN.n_orders])):
        place = AREAS.orders + k * ORDER.places
        if m[place + ORDER.sequence] == m[order + ORDER.sequence] and m[place + ORDER.kind] == m[order + ORDER.kind]:
            remove_order(m, k)
            return
    forget(m)


def decline(m: P, order: int) -> None:
    drop_by_turn(m, order)
    for k in range(int(m[RUN.n_exits])):
        m[AREAS.exits + k * EXIT.places + EXIT.suspended] = 1.0
    k = int(m[RUN.n_orders]) - 1
    while k >= 0:
        other = AREAS.orders + k * ORDER.places
        if (
            m[other + ORDER.kind] == CLOSE
            and m[other + ORDER.bar] == m[order + ORDER.bar]
            and not m[other + ORDER.sequence] < m[order + ORDER.sequence]
        ):
            remove_order(m, k)
        k = k - 1
    forget(m)


def apply_group(m: P, name: float, kind: float, quantity: float) -> None:
    """Apply the rule of a group: 1 cancels its other orders, 2 reduces them."""
    k = int(m[RUN.n_orders]) - 1
    while k >= 0:
        order = AREAS.orders + k * ORDER.places
        if m[order + ORDER.oca_name] == name and m[order + ORDER.oca_type] == kind:
            m[order + ORDER.quantity] = m[order + ORDER.quantity] - quantity
            if kind == 1.0 or m[order + ORDER.quantity] <= 1e-12:
                remove_order(m, k)
        k = k - 1
    forget(m)
    if kind == 2.0:
        for j in range(int(m[RUN.n_legs])):
            leg = AREAS.legs + j * LEG.places
            if m[AREAS.exits + int(m[leg + LEG.exit]) * EXIT.places + EXIT.group] == name:
                m[leg + LEG.reduced] = m[leg + LEG.reduced] + quantity


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
    size = m[POSITION.size]
    if size == before:
        write_change(m, i, price)
        return False
    if alerts != 0.0:
        f = grow(m, RUN.fills, FILL.places)
        if f != 0:
            m[f + FILL.bar] = float(i)
            m[f + FILL.id] = id
            m[f + FILL.action] = side
            m[f + FILL.quantity] = abs(size - before)
            m[f + FILL.price] = price
            m[f + FILL.position] = size
            m[f + FILL.message] = message
            m[f + FILL.comment] = comment
    if group != 0.0 and kind != 0.0:
        apply_group(m, group, kind, abs(size - before))
    write_change(m, i, price)
    return True


def fill_order(m: P, b: P, n: int, i: int, given: int, at: float, reason: int) -> None:
    copy(m, given, AREAS.mine, ORDER.places)
    order = AREAS.mine
    side = m[order + ORDER.side]
    price = Slippage_paid(m, at, side, float(reason))
    before = m[POSITION.size]
    kind = m[order + ORDER.kind]
    if kind == ENTRY:
        if Order_is_market(m, order) and before * side > 0.0 and m[POSITION.slots] >= m[RUN.pyramiding]:
            drop_by_turn(m, order)
            return
        if not margin_admits(m, order, price, b[i]):
            if before * side < 0.0:
                decline(m, order)
            else:
                drop_by_turn(m, order)
            return
    drop_by_turn(m, order)
    if kind <= RAW:
        total = m[order + ORDER.quantity] + m[order + ORDER.flip]
        signal = m[order + ORDER.comment] if m[order + ORDER.comment] != 0.0 else m[order + ORDER.id]
        if before * side < 0.0:
            closed = total if total < abs(before) else abs(before)
            Position_reduce(
                m, b, n, closed, price, float(i), m[order + ORDER.id], m[order + ORDER.comment], signal, NA, 0, True
            )
            settle(m, order)
            total = total - closed
        if total > 1e-12:
            trade = Position_add(m, order, total, price, float(i))
            if m[STATUS] != 0.0:
                return
            if m[RUN.n_exits] > 0.0:
                follow_trade(m, trade)
        if m[RUN.n_exits] > 0.0:
            settle(m, 0)
    elif before * side < 0.0:
        close_order(m, b, n, i, order, price)
    group = m[order + ORDER.oca_name] if m[order + ORDER.oca_type] != 0.0 else 0.0
    changed = filled(
        m,
        i,
        m[order + ORDER.id],
        side,
        before,
        price,
        m[order + ORDER.alert_message],
        m[order + ORDER.comment],
        m[order + ORDER.alerts],
        group,
        m[order + ORDER.oca_type],
    )
    if changed and kind <= RAW and m[POSITION.size] != 0.0:
        m[RUN.opened] = at


def close_order(m: P, b: P, n: int, i: int, order: int, price: float) -> None:
    size = abs(m[POSITION.size])
    quantity = m[order + ORDER.quantity] if m[order + ORDER.quantity] < size else size
    signal = m[order + ORDER.comment] if m[order + ORDER.comment] != 0.0 else m[order + ORDER.id]
    entry = m[order + ORDER.entry] if m[order + ORDER.kind] == CLOSE else NA
    id = m[order + ORDER.id]
    closed = Position_reduce(m, b, n, quantity, price, float(i), id, m[order + ORDER.comment], signal, entry, 0, True)
    settle(m, 0)
    if m[order + ORDER.kind] != CLOSE:
        return
    for k in range(read_int(m, POSITION.cycle + COUNT)):
        trade = row(m, POSITION.cycle, k)
        if m[trade + TRADE.id] == entry and closed > 1e-12:
            taken = closed if closed < m[trade + TRADE.claim] else m[trade + TRADE.claim]
            m[trade + TRADE.claim] = m[trade + TRADE.claim] - taken
            closed = closed - taken


def fill_leg(m: P, b: P, n: int, i: int, number: int, at: float, reason: int) -> None:
    leg = AREAS.legs + number * LEG.places
    exit = AREAS.exits + int(m[leg + LEG.exit]) * EXIT.places
    trade = read_int(m, leg + LEG.trade)
    side = m[leg + LEG.side]
    price = Slippage_paid(m, at, side, float(reason))
    before = m[POSITION.size]
    id = m[exit + EXIT.id]
    comment = m[exit + EXIT.comment + reason] if m[exit + EXIT.comment + reason] != 0.0 else m[exit + EXIT.comment]
    message = m[exit + EXIT.message + reason] if m[exit + EXIT.message + reason] != 0.0 else m[exit + EXIT.message]
    alerts = m[exit + EXIT.alerts]
    group = m[exit + EXIT.group]
    signal = comment if comment != 0.0 else id
    quantity = available(m, number)
    closed = Position_reduce(m, b, n, quantity, price, float(i), id, comment, signal, NA, trade, False)
    append(m, trade + TRADE.done, id)
    m[trade + TRADE.claim] = m[trade + TRADE.claim] - closed
    own = m[leg + LEG.number]
    kept = 0
    for k in range(int(m[RUN.n_legs])):
        other = AREAS.legs + k * LEG.places
        if m[other + LEG.number] != own and m[read_int(m, other + LEG.trade) + TRADE.claim] > 1e-12:
            copy(m, other, AREAS.legs + kept * LEG.places, LEG.places)
            kept = kept + 1
    m[RUN.n_legs] = float(kept)
    forget(m)
    settle(m, 0)
    filled(m, i, id, side, before, price, message, comment, alerts, group, 2.0)


def call_quantity(m: P, b: P, n: int, i: int, amount: float, price: float) -> None:
    """Make a margin call."""
    size = m[POSITION.size]
    quantity = abs(size) if abs(size) < amount else amount
    if quantity == 0.0:
        return
    order = AREAS.scratch
    for k in range(ORDER.places):
        m[order + k] = 0.0
    m[order + ORDER.kind] = CLOSE_ALL
    m[order + ORDER.id] = MARGIN_CALL
    m[order + ORDER.side] = -1.0 if size > 0.0 else 1.0
    m[order + ORDER.quantity] = quantity
    m[order + ORDER.sequence] = turn(m)
    m[order + ORDER.bar] = float(i)
    m[order + ORDER.limit] = NA
    m[order + ORDER.stop] = NA
    m[order + ORDER.alerts] = 1.0
    for k in range(int(m[RUN.n_exits])):
        m[AREAS.exits + k * EXIT.places + EXIT.suspended] = 0.0
    fill_order(m, b, n, i, order, price, AT_CALL)


def check_entry(m: P, b: P, n: int, i: int) -> None:
    price = m[RUN.opened]
    m[RUN.opened] = NA
    if price == price:
        call_quantity(m, b, n, i, margin_missing(m, price), price)


# prices


def path(m: P, b: P, n: int, i: int) -> None:
    m[WALK.bar] = float(i)
    first, second, third, last = matching_path(m, b[i], b[n + i], b[2 * n + i], b[3 * n + i])
    m[WALK.points] = first
    m[WALK.points + 1] = second
    m[WALK.points + 2] = third
    m[WALK.points + 3] = last


def end_walk(m: P, b: P, n: int, i: int) -> None:
    if m[WALK.bar] != float(i):
        path(m, b, n, i)
    m[WALK.next] = 4.0
    m[WALK.is_going] = 0.0


def find_gate(m: P) -> None:
    above = INF
    below = -INF
    m[RUN.is_known] = 1.0
    everything = m[RUN.owed_bar] >= 0.0
    for k in range(int(m[RUN.n_orders])):
        order = AREAS.orders + k * ORDER.places
        level = m[order + ORDER.stop]
        rises = m[order + ORDER.side] > 0.0
        if level != level or m[order + ORDER.triggered] != 0.0:
            level = m[order + ORDER.limit]
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
    for k in range(int(m[RUN.n_legs])):
        leg = AREAS.legs + k * LEG.places
        over, under = Leg_reach(m, leg)
        if over < above:
            above = over
        if under > below:
            below = under
    size = m[POSITION.size]
    if size != 0.0:
        price = margin_liquidation_price(m)
        if size < 0.0 and price < above:
            above = price
        elif size > 0.0 and price > below:
            below = price
    m[RUN.highest] = above
    m[RUN.lowest] = below
    m[RUN.above] = above
    m[RUN.below] = below


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
    orders = int(m[RUN.n_orders])
    for k in range(orders + int(m[RUN.n_legs])):
        is_leg = k >= orders
        what = AREAS.legs + (k - orders) * LEG.places if is_leg else AREAS.orders + k * ORDER.places
        price = NA
        reason = 0
        if is_leg:
            price, reason = matching_leaves(m, what, current, end, m[RUN.beyond])
            if reason != 0 and not available(m, k - orders) > 1e-12:
                reason = 0
        else:
            price, reason = matching_meets(m, what, current, end, m[RUN.beyond])
        if reason != 0:
            side = m[what + LEG.side] if is_leg else m[what + ORDER.side]
            limit = m[what + LEG.limit] if is_leg else m[what + ORDER.limit]
            away = abs(price - current)
            is_late = number == 0 and reason == AT_LIMIT and limit == limit
            late = float(is_late)
            far = limit * side if is_late else 0.0
            priced = 1.0 if is_leg or not Order_is_market(m, what) else 0.0
            its_turn = (
                m[AREAS.exits + int(m[what + LEG.exit]) * EXIT.places + EXIT.sequence]
                if is_leg
                else m[what + ORDER.sequence]
            )
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
    while m[RUN.n_orders] > 0.0 or m[RUN.n_legs] > 0.0:
        m[ROUNDS_LEFT] = m[ROUNDS_LEFT] - 1.0
        if m[ROUNDS_LEFT] < 0.0 or m[STATUS] != 0.0:
            fail(m, 3.0)
            return
        best, price, reason = nearest(m, current, end, number)
        if best < 0:
            break
        if current != price and m[RUN.n_legs] > 0.0:
            trail(m, price, -1.0)
        current = price
        if best < A_LEG and reason == AT_TRIGGER:
            m[AREAS.orders + best * ORDER.places + ORDER.triggered] = 1.0
            forget(m)
            continue
        if best < A_LEG:
            fill_order(m, b, n, i, AREAS.orders + best * ORDER.places, price, reason)
        else:
            fill_leg(m, b, n, i, best - A_LEG, price, reason)
        if m[RUN.opened] == m[RUN.opened] and number > 0:
            check_entry(m, b, n, i)
    if m[RUN.n_legs] > 0.0:
        trail(m, end, -1.0)


def walk(m: P, b: P, n: int, i: int) -> None:
    path(m, b, n, i)
    m[WALK.next] = 1.0
    m[WALK.is_going] = 1.0
    current = m[WALK.points]
    if m[RUN.owed_bar] >= 0.0:
        owed_bar = m[RUN.owed_bar]
        m[RUN.owed_bar] = -1.0
        if owed_bar == float(i):
            call_quantity(m, b, n, i, m[RUN.owed], current)
            call_quantity(m, b, n, i, margin_missing(m, current), current)
        forget(m)
    if m[RUN.n_orders] == 1.0 and m[RUN.n_legs] == 0.0 and Order_is_market(m, AREAS.orders):
        fill_order(m, b, n, i, AREAS.orders, current, AT_STOP)
    if m[RUN.n_orders] > 0.0 or m[RUN.n_legs] > 0.0:
        advance(m, b, n, i, current, current, 0)
    if m[RUN.opened] == m[RUN.opened]:
        check_entry(m, b, n, i)
    lowest = b[2 * n + i]
    highest = b[n + i]
    if m[RUN.n_orders] == 0.0 and m[RUN.n_legs] == 0.0:
        if m[POSITION.size] == 0.0 or margin_shortfall(m, lowest if m[POSITION.size] > 0.0 else highest) <= 0.0:
            m[WALK.next] = 4.0
            m[WALK.is_going] = 0.0
            return
    for number in range(1, 4):
        if m[STATUS] != 0.0:
            return
        point = m[WALK.points + number]
        if m[RUN.n_orders] > 0.0 or m[RUN.n_legs] > 0.0:
            m[WALK.next] = float(number)
            if m[RUN.is_known] == 0.0:
                find_gate(m)
            top = current if current > point else point
            bottom = point if current > point else current
            if top >= m[RUN.highest] or bottom <= m[RUN.lowest]:
                advance(m, b, n, i, current, point, number)
        current = point
        m[WALK.next] = float(number + 1)
        size = m[POSITION.size]
        if (point == lowest and size > 0.0) or (point == highest and size < 0.0):
            if m[RUN.called_bar] != float(i):
                amount = margin_missing(m, point)
                if amount != 0.0:
                    m[RUN.called_bar] = float(i)
                    call_quantity(m, b, n, i, amount, point)
        if m[POSITION.size] == 0.0 and m[RUN.n_orders] == 0.0 and m[RUN.n_legs] == 0.0:
            break
    m[WALK.is_going] = 0.0


def before_bar(m: P, b: P, n: int, i: int) -> None:
    """Fill waiting orders on the prices of a bar."""
    if m[RUN.is_known] == 0.0:
        find_gate(m)
    if b[n + i] >= m[RUN.highest] or b[2 * n + i] <= m[RUN.lowest]:
        walk(m, b, n, i)


def fill_at_close(m: P, b: P, n: int, i: int, price: float) -> None:
    """Fill the waiting orders of a close: market orders, then priced orders of this bar; buys before sells."""
    for stage in range(4):
        last = 0.0
        going = True
        while going:
            going = False
            best = -1
            for k in range(int(m[RUN.n_orders])):
                order = AREAS.orders + k * ORDER.places
                sequence = m[order + ORDER.sequence]
                priced = not Order_is_market(m, order)
                both = (
                    m[order + ORDER.limit] == m[order + ORDER.limit] and m[order + ORDER.stop] == m[order + ORDER.stop]
                )
                fits = not priced or (m[order + ORDER.bar] == float(i) and not both)
                place = (2 if priced else 0) + (0 if m[order + ORDER.side] > 0.0 else 1)
                if fits and place == stage and sequence > last:
                    if best < 0 or sequence < m[AREAS.orders + best * ORDER.places + ORDER.sequence]:
                        best = k
            if best >= 0 and m[STATUS] == 0.0:
                going = True
                order = AREAS.orders + best * ORDER.places
                last = m[order + ORDER.sequence]
                _, reason = matching_meets(m, order, price, price, m[RUN.beyond])
                if reason != 0 and reason != AT_TRIGGER:
                    fill_order(m, b, n, i, order, price, reason)


def close_bar(m: P, b: P, n: int, i: int) -> None:
    """Fill orders at the close of a bar after the script has run."""
    if m[RUN.n_orders] == 0.0 and m[RUN.n_legs] == 0.0:
        return
    price = Grid_nearest(m, b[3 * n + i])
    end_walk(m, b, n, i)
    fill_at_close(m, b, n, i, price)
    newest = m[RUN.leg_ids]
    count = 0
    for k in range(int(m[RUN.n_legs])):
        leg = AREAS.legs + k * LEG.places
        if m[AREAS.exits + int(m[leg + LEG.exit]) * EXIT.places + EXIT.bar] == float(i):
            m[AREAS.scratch + count] = m[leg + LEG.number]
            count = count + 1
    for k in range(count):
        own = m[AREAS.scratch + k]
        for j in range(int(m[RUN.n_legs])):
            leg = AREAS.legs + j * LEG.places
            if m[leg + LEG.number] == own and own <= newest:
                if available(m, j) > 1e-12:
                    at, reason = matching_leaves(m, leg, price, price, m[RUN.beyond])
                    if reason != 0 and reason != AT_TRAIL and at == at:
                        fill_leg(m, b, n, i, j, price, reason)
                break
    opened = m[RUN.opened]
    if opened == opened:
        m[RUN.opened] = NA
        m[RUN.owed_bar] = float(i + 1)
        m[RUN.owed] = margin_missing(m, price)
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
    order = AREAS.orders + int(m[RUN.n_orders]) * ORDER.places
    for k in range(ORDER.places):
        m[order + k] = 0.0
    m[order + ORDER.kind] = kind
    m[order + ORDER.id] = id
    m[order + ORDER.side] = side
    m[order + ORDER.sequence] = turn(m)
    m[order + ORDER.bar] = m[RUN.bar]
    m[order + ORDER.limit] = Grid_limit(m, limit, side) if limit - limit == 0.0 else NA
    m[order + ORDER.stop] = Grid_stop(m, stop, side) if stop - stop == 0.0 else NA
    m[order + ORDER.oca_name] = group
    m[order + ORDER.oca_type] = group_kind
    m[order + ORDER.comment] = comment
    m[order + ORDER.alert_message] = message
    m[order + ORDER.alerts] = float(alerts)
    m[order + ORDER.funds] = NA
    return order


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
    tidy(m, RUN.trades, TRADE.is_used, POSITION.cycle)
    if m[RUN.bar] < m[RUN.first_bar]:
        return
    size = m[POSITION.size]
    if size * side > 0.0 and m[POSITION.slots] >= m[RUN.pyramiding]:
        if limit - limit == 0.0 or stop - stop == 0.0:
            k = int(m[RUN.n_orders]) - 1
            while k >= 0:
                if (
                    is_opening(m, AREAS.orders + k * ORDER.places)
                    and m[AREAS.orders + k * ORDER.places + ORDER.id] == id
                ):
                    remove_order(m, k)
                k = k - 1
        return
    order = new_order(m, ENTRY, id, side, limit, stop, group, group_kind, comment, message, alerts)
    newest = m[RUN.now]
    equity = Position_equity(m, newest)
    price = Slippage_expected(m, newest, side)
    amount = known(qty)
    if amount != amount:
        m[order + ORDER.is_frozen] = m[ACCOUNT.is_sized_by_money]
        m[order + ORDER.quantity] = Account_default_quantity(m, equity, Order_sized_at(m, order, price))
    else:
        m[order + ORDER.quantity] = Account_whole_lots(m, amount)
    if m[order + ORDER.quantity] <= 0.0:
        if amount != amount or amount > 0.0:
            m[RUN.small_orders] = m[RUN.small_orders] + 1.0
        return
    expected = size
    for k in range(int(m[RUN.n_orders])):
        other = AREAS.orders + k * ORDER.places
        if Order_is_market(m, other) and m[other + ORDER.id] != id:
            if is_opening(m, other):
                expected = expected + m[other + ORDER.side] * (m[other + ORDER.quantity] + m[other + ORDER.flip])
            elif expected * m[other + ORDER.side] < 0.0:
                part = m[other + ORDER.quantity] if m[other + ORDER.quantity] < abs(expected) else abs(expected)
                expected = expected + m[other + ORDER.side] * part
    if expected * side < 0.0:
        m[order + ORDER.flip] = abs(expected)
    if Order_is_market(m, order) and Account_margin(m, side) != 0.0:
        m[order + ORDER.funds] = equity
        m[order + ORDER.from_flat] = float(size == 0.0 and expected == 0.0)
        m[order + ORDER.called_for] = Account_bound(m, m[order + ORDER.quantity], price, side)
        if not margin_admits_call(m, order, newest, equity):
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
    tidy(m, RUN.trades, TRADE.is_used, POSITION.cycle)
    if m[RUN.bar] < m[RUN.first_bar]:
        return
    order = new_order(m, RAW, id, side, limit, stop, group, group_kind, comment, message, alerts)
    amount = known(qty)
    if amount != amount:
        newest = m[RUN.now]
        price = Order_sized_at(m, order, Slippage_expected(m, newest, side))
        m[order + ORDER.quantity] = Account_default_quantity(m, Position_equity(m, newest), price)
    else:
        m[order + ORDER.quantity] = Account_whole_lots(m, amount)
    if m[order + ORDER.quantity] > 0.0:
        put_order(m, order)
    elif amount != amount or amount > 0.0:
        m[RUN.small_orders] = m[RUN.small_orders] + 1.0


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
    if quantity <= 0.0 or m[RUN.bar] < m[RUN.first_bar]:
        return
    side = -1.0 if m[POSITION.size] > 0.0 else 1.0
    order = new_order(m, kind, id, side, NA, NA, 0.0, 0.0, comment, message, alerts)
    m[order + ORDER.quantity] = quantity
    m[order + ORDER.entry] = entry
    if immediately:
        end_walk(m, b, n, i)
        fill_order(m, b, n, i, order, m[RUN.now], AT_STOP)
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
    if m[POSITION.size] == 0.0:
        return
    claim = 0.0
    for k in range(read_int(m, POSITION.cycle + COUNT)):
        trade = row(m, POSITION.cycle, k)
        if m[trade + TRADE.id] == id:
            claim = claim + m[trade + TRADE.claim]
    quantity = claim
    amount = known(qty)
    percent = known(qty_percent)
    if amount == amount:
        lots = Account_whole_lots(m, amount)
        quantity = lots if lots < claim else claim
    elif percent == percent and percent < 100.0:
        quantity = Account_share(m, claim, percent)
    size = abs(m[POSITION.size])
    if size < quantity:
        quantity = size
    place_close(m, b, n, i, CLOSE, -1.0 - id, quantity, id, comment, message, immediately, alerts)


def call_close_all(m: P, b: P, n: int, i: int, comment: float, message: float, immediately: bool, alerts: bool) -> None:
    place_close(
        m, b, n, i, CLOSE_ALL, CLOSE_POSITION, abs(m[POSITION.size]), 0.0, comment, message, immediately, alerts
    )


def call_cancel(m: P, id: float) -> None:
    k = int(m[RUN.n_orders]) - 1
    while k >= 0:
        if is_opening(m, AREAS.orders + k * ORDER.places) and m[AREAS.orders + k * ORDER.places + ORDER.id] == id:
            remove_order(m, k)
        k = k - 1
    k = int(m[RUN.n_exits]) - 1
    while k >= 0:
        if m[AREAS.exits + k * EXIT.places + EXIT.id] == id:
            remove_exit(m, k)
        k = k - 1


def call_cancel_all(m: P) -> None:
    m[RUN.n_orders] = 0.0
    m[RUN.n_exits] = 0.0
    m[RUN.n_legs] = 0.0
    forget(m)


def same_number(left: float, right: float) -> bool:
    return left == right or (left != left and right != right)


def goes_on(m: P, given: int) -> int:
    """The number of the active exit that the script called again unchanged; -1 if there is none."""
    for k in range(int(m[RUN.n_exits])):
        exit = AREAS.exits + k * EXIT.places
        if m[exit + EXIT.id] == m[given + EXIT.id] and m[exit + EXIT.entry] == m[given + EXIT.entry]:
            for j in range(EXIT.group, EXIT.places):
                if not same_number(m[exit + j], m[given + j]):
                    return 0 - 1
            left = 0
            for j in range(int(m[RUN.n_legs])):
                if m[AREAS.legs + j * LEG.places + LEG.exit] == float(k):
                    left = left + 1
            for j in range(read_int(m, POSITION.cycle + COUNT)):
                if may_leave(m, exit, row(m, POSITION.cycle, j)):
                    left = left - 1
            if left != 0:
                return 0 - 1
            m[exit + EXIT.bar] = m[RUN.bar]
            m[exit + EXIT.horizon] = turn(m)
            return k
    return 0 - 1


def has_prices_of(m: P, first: int, second: int) -> bool:
    for k in range(EXIT.profit, EXIT.trail_offset + 1):
        if not same_number(m[first + k], m[second + k]):
            return False
    return True


def stand(m: P, given: int) -> int:
    """Add an exit with its legs, and return its number. It replaces the exit with the same id for the same entry."""
    number = int(m[RUN.n_exits])
    old = 0
    for k in range(number):
        exit = AREAS.exits + k * EXIT.places
        if m[exit + EXIT.id] == m[given + EXIT.id] and m[exit + EXIT.entry] == m[given + EXIT.entry] and old == 0:
            m[given + EXIT.sequence] = m[exit + EXIT.sequence]
            m[given + EXIT.suspended] = float(m[exit + EXIT.suspended] != 0.0 and has_prices_of(m, exit, given))
            number = k
            old = 1
    if old == 0:
        if number >= MOST.exits:
            fail(m, 4.0)
            return 0
        m[RUN.n_exits] = float(number + 1)
    copy(m, given, AREAS.exits + number * EXIT.places, EXIT.places)
    forget(m)
    # the legs of the exit before stay in the spare places until the new ones have taken over their state
    kept = 0
    before = 0
    spare = AREAS.spare_legs
    for k in range(int(m[RUN.n_legs])):
        leg = AREAS.legs + k * LEG.places
        if m[leg + LEG.exit] == float(number):
            copy(m, leg, spare + before * LEG.places, LEG.places)
            before = before + 1
        else:
            copy(m, leg, AREAS.legs + kept * LEG.places, LEG.places)
            kept = kept + 1
    m[RUN.n_legs] = float(kept)
    for k in range(read_int(m, POSITION.cycle + COUNT)):
        trade = row(m, POSITION.cycle, k)
        if may_leave(m, given, trade):
            leg = add_leg(m, number, trade)
            for j in range(before):
                if read_int(m, spare + j * LEG.places + LEG.trade) == trade:
                    m[leg + LEG.is_armed] = m[spare + j * LEG.places + LEG.is_armed]
                    m[leg + LEG.peak] = m[spare + j * LEG.places + LEG.peak]
                    m[leg + LEG.reduced] = m[spare + j * LEG.places + LEG.reduced]
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
    tidy(m, RUN.trades, TRADE.is_used, POSITION.cycle)
    if m[RUN.bar] < m[RUN.first_bar]:
        return
    waiting = False
    waiting_market = False
    for k in range(int(m[RUN.n_orders])):
        order = AREAS.orders + k * ORDER.places
        if is_opening(m, order) and (entry == 0.0 or m[order + ORDER.id] == entry):
            waiting = True
            if Order_is_market(m, order):
                waiting_market = True
    if read_int(m, POSITION.open + COUNT) == 0 and not waiting:
        return
    given = AREAS.scratch
    m[given + EXIT.id] = id
    m[given + EXIT.entry] = entry
    m[given + EXIT.waits] = 0.0
    m[given + EXIT.suspended] = 0.0
    m[given + EXIT.profit] = known(profit)
    m[given + EXIT.limit] = known(limit)
    m[given + EXIT.loss] = known(loss)
    m[given + EXIT.stop] = known(stop)
    m[given + EXIT.trail_price] = known(trail_price)
    m[given + EXIT.trail_points] = known(trail_points)
    m[given + EXIT.trail_offset] = known(trail_offset)
    m[given + EXIT.group] = group
    m[given + EXIT.comment] = comment
    m[given + EXIT.comment_profit] = comment_profit
    m[given + EXIT.comment_loss] = comment_loss
    m[given + EXIT.comment_trailing] = comment_trailing
    m[given + EXIT.alerts] = float(alerts)
    m[given + EXIT.message] = message
    m[given + EXIT.message_profit] = message_profit
    m[given + EXIT.message_loss] = message_loss
    m[given + EXIT.message_trailing] = message_trailing
    m[given + EXIT.given_quantity] = qty
    m[given + EXIT.given_percent] = qty_percent
    m[given + EXIT.given_profit] = profit
    m[given + EXIT.given_limit] = limit
    m[given + EXIT.given_loss] = loss
    m[given + EXIT.given_stop] = stop
    m[given + EXIT.given_trail_price] = trail_price
    m[given + EXIT.given_trail_points] = trail_points
    m[given + EXIT.given_trail_offset] = trail_offset
    number = goes_on(m, given)
    if number < 0:
        if entry != 0.0 and not has_trade(m, entry):
            if not waiting:
                return
            m[given + EXIT.waits] = float(not waiting_market)
        now = turn(m)
        m[given + EXIT.sequence] = now
        m[given + EXIT.horizon] = now
        m[given + EXIT.bar] = m[RUN.bar]
        empty = True
        for k in range(EXIT.profit, EXIT.trail_offset):
            if m[given + k] == m[given + k]:
                empty = False
        if empty:
            k = int(m[RUN.n_exits]) - 1
            while k >= 0:
                if (
                    m[AREAS.exits + k * EXIT.places + EXIT.id] == id
                    and m[AREAS.exits + k * EXIT.places + EXIT.entry] == entry
                ):
                    remove_exit(m, k)
                k = k - 1
            return
        amount = known(qty)
        percent = known(qty_percent)
        m[given + EXIT.quantity] = Account_whole_lots(m, amount) if amount == amount else NA
        m[given + EXIT.percent] = percent if percent == percent else 100.0
        number = stand(m, given)
        if m[STATUS] != 0.0:
            return
    exit = AREAS.exits + number * EXIT.places
    if (
        m[exit + EXIT.trail_price] == m[exit + EXIT.trail_price]
        or m[exit + EXIT.trail_points] == m[exit + EXIT.trail_points]
    ):
        trail(m, m[RUN.now], float(number))


# variables


def open_profit(m: P) -> float:
    return (m[POSITION.size] * m[RUN.now] - m[POSITION.cost]) * m[ACCOUNT.worth] if m[POSITION.size] != 0.0 else 0.0


def equity_now(m: P) -> float:
    if m[POSITION.size] == 0.0:
        return m[ACCOUNT.capital] + m[ACCOUNT.net_profit]
    profit = (m[POSITION.size] * m[RUN.now] - m[POSITION.cost]) * m[ACCOUNT.worth] - m[POSITION.fees]
    return m[ACCOUNT.capital] + m[ACCOUNT.net_profit] + profit


def open_trade(m: P, number: float) -> int:
    """The place of an open trade; 0 if there is none."""
    if not (number > -1.0 and number < read_int(m, POSITION.open + COUNT)) or number < 0.0:
        return 0
    return row(m, POSITION.open, int(number))


def of_open(m: P, number: float, field: int) -> float:
    trade = open_trade(m, number)
    return m[trade + field] if trade != 0 else NA


def open_size(m: P, number: float) -> float:
    trade = open_trade(m, number)
    return m[trade + TRADE.side] * m[trade + TRADE.quantity] if trade != 0 else NA


def open_trade_profit(m: P, number: float) -> float:
    trade = open_trade(m, number)
    if trade == 0:
        return NA
    return (m[RUN.now] - m[trade + TRADE.price]) * m[trade + TRADE.side] * m[trade + TRADE.quantity] * m[
        ACCOUNT.worth
    ] - m[trade + TRADE.fee]


def closed_trade(m: P, number: float) -> int:
    count = m[POSITION.closed + VECTOR.count]
    first = count - 9000.0 if count > 9000.0 else 0.0
    if not (first <= number and number < count):
        return 0
    return int(m[POSITION.closed + VECTOR.first]) + int(number) * CLOSED_TRADE.places


def of_closed(m: P, number: float, field: int) -> float:
    trade = closed_trade(m, number)
    return m[trade + field] if trade != 0 else NA


def closed_size(m: P, number: float) -> float:
    trade = closed_trade(m, number)
    return m[trade + CLOSED_TRADE.side] * m[trade + CLOSED_TRADE.quantity] if trade != 0 else NA


def closed_profit_percent(m: P, number: float) -> float:
    trade = closed_trade(m, number)
    if trade == 0:
        return NA
    invested = m[trade + CLOSED_TRADE.value] + m[trade + CLOSED_TRADE.entry_fee]
    return 100.0 * m[trade + CLOSED_TRADE.profit] / invested if invested != 0.0 else 0.0


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
    opening, second, third, closing = matching_path(m, b[bar], b[n + bar], b[2 * n + bar], b[3 * n + bar])
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
    first = int(m[RUN.changes + VECTOR.first])
    end = first + int(m[RUN.changes + VECTOR.count]) * CHANGE.places
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

    A drawdown in percent is the largest one at the lowest close after a best close, so it is computed once for each.
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
    """Include a move of the equity at closes from its value `best`. The place of its percentage is after `place`."""
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

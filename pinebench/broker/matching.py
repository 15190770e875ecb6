"""When prices that go from one point to the next meet an order, and at which price it is filled then."""

from __future__ import annotations

from pinebench.broker.grid import Grid
from pinebench.broker.orders import LIMIT, STOP, TRAIL, TRIGGER, Leg, Order


def path(first: float, high: float, low: float, last: float) -> tuple[float, float, float, float]:
    """The prices of a bar in the order in which they came: the nearer extreme first, the low where both are as near.

    (TradingView's manual, "Broker emulator"; the tie as measured.)
    """
    return (first, high, low, last) if high - first < first - low else (first, low, high, last)


def rising(level: float, current: float, end: float) -> float | None:
    """Where prices are at or above `level`: at once, where they come to it, or not at all."""
    if current >= level:
        return current
    return level if end >= level else None


def falling(level: float, current: float, end: float) -> float | None:
    """Where prices are at or below `level`."""
    if current <= level:
        return current
    return level if end <= level else None


def meets(order: Order, current: float, end: float, beyond: float) -> tuple[float, int] | None:
    """Where an order is met between two prices, and what of it; `beyond` is how far limits must be exceeded."""
    limit, stop = order.limit, order.stop
    if stop is not None and not order.triggered:
        price = rising(stop, current, end) if order.side > 0 else falling(stop, current, end)
        if price is None:
            return None
        return price, STOP if limit is None else TRIGGER
    if limit is None:
        return current, STOP
    price = reaches(limit, order.side, current, end, beyond)
    return None if price is None else (price, LIMIT)


def reaches(limit: float, side: int, current: float, end: float, beyond: float) -> float | None:
    """Where a limit is filled: once prices are `beyond` it, at its own price, or at a better one they begin with.

    So a fill is always at a price of its bar.
    """
    needed = limit - side * beyond
    price = falling(needed, current, end) if side > 0 else rising(needed, current, end)
    if price is None or not beyond or price == current:
        return price
    return min(limit, current) if side > 0 else max(limit, current)


def leaves(leg: Leg, current: float, end: float, grid: Grid, beyond: float) -> tuple[float, int] | None:
    """Where a leg of an exit is met: its stop or its trailing stop, whichever is nearer, else its limit."""
    stop, reason, is_long = leg.stop, STOP, leg.side < 0
    activation, limit = leg.activation, leg.limit
    if activation is not None:
        if leg.is_armed and not leg.is_one_shot:
            trailing = leg.trailing(grid)
            if stop is None or (trailing > stop if is_long else trailing < stop):
                stop, reason = trailing, TRAIL
        elif not leg.offset:
            price = rising(activation, current, end) if is_long else falling(activation, current, end)
            if price is not None and (limit is None or price == current or (limit - activation) * leg.side <= 0):
                return price, TRAIL
    if stop is not None:
        price = falling(stop, current, end) if is_long else rising(stop, current, end)
        if price is not None:
            return price, reason
    if limit is None:
        return None
    price = reaches(limit, leg.side, current, end, beyond)
    return None if price is None else (price, LIMIT)

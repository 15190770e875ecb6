"""Decides whether the price reaches an order on the way from one point of a path to the next, and at which price.

These functions run on both tiers, as `Account` does.
"""

from __future__ import annotations

from pinebench.broker.account import NA
from pinebench.broker.grid import Grid
from pinebench.broker.orders import LIMIT, STOP, TRAIL, TRIGGER, Leg, Order


def path(first: float, high: float, low: float, last: float) -> tuple[float, float, float, float]:
    """Return the prices of a bar, from the open `first` to the close `last`, in the order in which they occur. The
    extreme nearer to the open comes first; if both are equally near, the low does.

    TradingView's manual states this under "Broker emulator". The rule for equal distances was measured.
    """
    return (first, high, low, last) if high - first < first - low else (first, low, high, last)


def rising(level: float, current: float, end: float) -> float | None:
    """Return the first price at or above `level` between `current` and `end`; None if there is none."""
    if current >= level:
        return current
    return level if end >= level else None


def falling(level: float, current: float, end: float) -> float | None:
    """Return the first price at or below `level` between `current` and `end`; None if there is none."""
    if current <= level:
        return current
    return level if end <= level else None


def meets(order: Order, current: float, end: float, beyond: float) -> tuple[float, int]:
    """Return the price between `current` and `end` that reaches an order, and the reason; the reason is 0 if none
    reaches it. `beyond` is the distance by which the price must exceed a limit."""
    limit, stop = order.limit, order.stop
    if stop is not None and not order.triggered:
        price = rising(stop, current, end) if order.side > 0 else falling(stop, current, end)
        if price is None:
            return NA, 0
        return price, STOP if limit is None else TRIGGER
    if limit is None:
        return current, STOP
    price = reaches(limit, order.side, current, end, beyond)
    if price is None:
        return NA, 0
    return price, LIMIT


def reaches(limit: float, side: int, current: float, end: float, beyond: float) -> float | None:
    """Return the price at which a limit order is filled between two prices; None if it is not filled.

    The price must exceed the limit by `beyond`. The order is filled at the limit, or at `current` if that is better, so
    that the fill price lies within the bar.
    """
    needed = limit - side * beyond
    price = falling(needed, current, end) if side > 0 else rising(needed, current, end)
    if price is None or not beyond or price == current:
        return price
    return min(limit, current) if side > 0 else max(limit, current)


def leaves(leg: Leg, current: float, end: float, grid: Grid, beyond: float) -> tuple[float, int]:
    """Return the price between `current` and `end` that reaches a leg of an exit, and the reason; the reason is 0 if
    none reaches it.

    The nearer of the stop and the trailing stop takes precedence over the limit. `beyond` is the distance by which the
    price must exceed a limit.
    """
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
        return NA, 0
    price = reaches(limit, leg.side, current, end, beyond)
    if price is None:
        return NA, 0
    return price, LIMIT

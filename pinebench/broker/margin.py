"""Margin: whether an order can be paid for, and when a position is closed because the equity does not cover its margin.

These functions run on both tiers, as `Account` does.
"""

from __future__ import annotations

from pinebench.broker.account import NA, Account
from pinebench.broker.grid import Grid
from pinebench.broker.orders import Order
from pinebench.broker.position import Position

_CALL_FACTOR = 4
"""A margin call closes this many times the quantity that restores the margin (TradingView's manual, "Margin and
leverage")."""
_NOISE = 1e-9


def admits_call(order: Order, price: float, account: Account, position: Position, equity: float) -> bool:
    """Return whether the equity at the close of the bar covers a market entry, so that it may be placed.

    Without a position, the equity must also cover the part of the entry that will close a position which earlier orders
    of the same bar open. With a position on the same side, only the equity that its margin leaves free counts.
    """
    side, size = order.side, position.size
    quantity, free = order.quantity, equity - account.elsewhere
    if not size:
        quantity += order.flip
    elif size * side > 0:
        free -= account.bound(abs(size), price, side)
    return account.bound(quantity, price, side) <= free + _NOISE * abs(equity)


def admits(order: Order, price: float, opening: float, account: Account, position: Position) -> bool:
    """Return whether the equity covers an entry at `price`, so that it may be filled. The bar opened at `opening`."""
    side, size = order.side, position.size
    margin = account.margin_long if side > 0 else account.margin_short
    if not margin:
        return True
    if order.stop is not None or order.limit is not None:
        return _admits_priced(order, price, opening, account, position)
    if size * side > 0:
        return True
    funds = order.funds if order.funds is not None else position.equity(price)
    needed = order.quantity * price * account.worth * margin
    if size * side < 0:
        return needed <= (funds if order.is_frozen else position.equity(price)) + _NOISE * abs(funds)
    if not order.from_flat:
        return needed <= position.equity(price) + _NOISE * abs(funds)
    if order.is_frozen:
        return not account.has_full_orders or needed <= funds + _NOISE * abs(funds)
    return needed <= max(funds, order.called_for) + _NOISE * abs(funds)


def leaves_room(order: Order, price: float, account: Account, position: Position) -> bool:
    """Return whether the equity covers the position after an entry at `price` and the positions of the other
    strategies. It is true if no other strategy of the account has a position, because then `admits` alone decides."""
    if not account.elsewhere:
        return True
    after = position.size + order.side * (order.quantity + order.flip)
    needed = account.bound(abs(after), price, 1 if after > 0 else -1) + account.elsewhere
    return needed <= position.equity(price) + _NOISE * needed


def _admits_priced(order: Order, price: float, opening: float, account: Account, position: Position) -> bool:
    side, size = order.side, position.size
    equity = position.equity(price)
    if order.stop is not None and not size:
        price, equity = opening, account.realized
    held = abs(size) if size * side > 0 else 0.0
    return account.bound(order.quantity + held, price, side) <= equity + _NOISE * abs(equity)


def liquidation_price(account: Account, position: Position, grid: Grid) -> float:
    """Return the price at which the equity stops covering the position's margin; na if there is no such price."""
    size = position.size
    side = 1 if size > 0 else -1
    margin = account.margin_long if size > 0 else account.margin_short
    if not size or not margin or margin == side:
        return NA
    own = account.capital + account.net_profit - position.fees + (account.outside - account.elsewhere)
    money = own / (account.worth * abs(size))
    price = (money - side * position.average) / (margin - side)
    return grid.up(price) if side < 0 else grid.down(price)


def shortfall(account: Account, position: Position, price: float) -> float:
    """Return the money that the equity lacks to cover the position's margin at `price`; 0 if it is covered."""
    size = position.size
    margin = account.margin_long if size > 0 else account.margin_short
    if not size or not margin:
        return 0.0
    needed = abs(size) * price * account.worth * margin + account.elsewhere
    lack = needed - position.equity(price)
    if lack <= _NOISE * needed or (account.rate != 1 and lack < 0.005):
        return 0.0
    return lack


def call_size(account: Account, position: Position, price: float, lack: float) -> float:
    """Return the quantity, in contracts, that a margin call closes: four times the whole lots that restore the margin,
    or 1 if less than one lot is missing.

    `lack` is the missing money. If contracts bind no money (at a price of 0), no quantity restores the margin, and the
    entire position is closed.
    """
    side = 1 if position.size > 0 else -1
    bound = account.bound(1.0, price, side)
    if not bound:
        return abs(position.size)
    covering = account.whole_lots(lack / bound)
    return covering * _CALL_FACTOR if covering else 1.0


def missing(account: Account, position: Position, price: float) -> float:
    """Return the quantity that a margin call at `price` closes; 0 if the margin is covered."""
    lack = shortfall(account, position, price)
    return call_size(account, position, price, lack) if lack > 0 else 0.0

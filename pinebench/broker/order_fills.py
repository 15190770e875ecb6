"""Fills orders: updates the position, the account and the other orders when the price reaches an order.

The class runs on both tiers, as `Position` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.broker.account import Account
from pinebench.broker.book import Book
from pinebench.broker.ledger import Ledger
from pinebench.broker.margin import admits, leaves_room, missing
from pinebench.broker.moment import Moment
from pinebench.broker.orders import CALLED, CLOSE, CLOSE_ALL, ENTRY, MARGIN_CALL, OPENING, STOP, Leg, Order
from pinebench.broker.position import Position
from pinebench.broker.refusals import DIRECTION, MARGIN, POSITION_LIMIT, PYRAMIDING
from pinebench.broker.rules import Rules
from pinebench.broker.slippage import Slippage
from pinebench.broker.trades import Fill

_NOTHING = 1e-12


@dataclass(eq=False)
class Filler:
    """Fills orders and the legs of exits, and makes margin calls.

    After an entry, `check_entry` or `owe_call` must be called as soon as all simultaneous orders are filled.
    """

    _account: Account
    _position: Position
    _book: Book
    _ledger: Ledger
    _rules: Rules
    _slippage: Slippage
    _moment: Moment
    _times: Sequence[int]
    _opens: Sequence[float]
    _pyramiding: int
    _settled: Callable[[], None] | None
    """A function that is called after each fill that changed the position."""
    opened: float | None = None
    """The price of an entry that was filled, until the margin of the position is checked for it; else None."""
    owed_bar: int = -1
    """The bar at whose open margin is called for a position that was opened at the previous close; -1 if there is
    none."""
    owed: float = 0.0
    """The quantity that the margin call on `owed_bar` closes."""
    _called: int = -1
    """The bar of the last margin call that was not caused by an entry."""
    _fills: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])

    @property
    def fills(self) -> list[Fill]:
        """The fills in order of time, including the fills of orders with `disable_alert`."""
        return [Fill(*known, message=str(message), comment=comment) for *known, message, comment in self._fills]

    def restore(self, fills: list[tuple[Any, ...]]) -> None:
        """Load the fills of a run that was computed elsewhere. Each is a tuple with the arguments of `Fill`."""
        self._fills = fills

    def fill_order(self, order: Order, at: float, reason: int = STOP) -> str | None:
        """Fill an order that the price `at` has reached. `reason` is `STOP`, `LIMIT` or another reason. Return None, or
        the reason why the order was not filled (one of `refusals`)."""
        position, book = self._position, self._book
        side = order.side
        price = self._slippage.paid(at, side, reason)
        before = position.size
        if order.kind == ENTRY:
            refusal = self._refusal(order, price)
            if refusal is not None:
                return refusal
        book.drop(order)
        if order.kind in OPENING:
            self._account.cut_orders += order.is_cut
            self._open(order, price)
        elif before * side < 0:
            self._close(order, price)
        id, message, comment = order.id, order.alert_message, order.comment
        if self._fill(before, price, side, id, message, comment, order.group, order.oca_type):
            if order.kind in OPENING and position.size:
                self.opened = at
            if self._rules.is_set:
                self._count(price)
        return None

    def fill_leg(self, leg: Leg, at: float, reason: int) -> str | None:
        """Fill a leg of an exit that the price `at` has reached. Parameters and result are as for `fill_order`."""
        side, standing, i = leg.side, leg.exit, self._moment.clock.index
        price = self._slippage.paid(at, side, reason)
        before = self._position.size
        id, comment, message = standing.id, leg.comment(reason), leg.message(reason)
        closed = self._position.reduce(
            self._book.available(leg),
            price,
            i,
            self._times[i],
            id,
            comment,
            comment or id,
            only=leg.trade,
            frees_slots=False,
        )
        self._book.done(leg, closed)
        self._book.settle()
        is_filled = self._fill(before, price, side, id, message, comment, standing.oca_name, "reduce")
        if is_filled and self._rules.is_set:
            self._count(price)
        return None

    def _fill(
        self, before: float, price: float, side: int, id: str, message: str, comment: str, group: str, kind: str
    ) -> bool:
        """Write down a fill that changed the position from the size `before`, and apply the rule of its OCA group.
        Return whether the position has changed."""
        i = self._moment.clock.index
        size = self._position.size
        if size == before:
            self._ledger.write(i, price)
            return False
        changed = abs(size - before)
        if self._account.has_records:
            action = "buy" if side > 0 else "sell"
            self._fills.append((i, self._times[i], id, action, changed, price, size, message, comment))
        if group:
            self._book.apply_group(group, kind, changed)
        if self._settled is not None:
            self._settled()
        self._ledger.write(i, price)
        return True

    def _count(self, price: float) -> None:
        """Count a fill for the rules about risk, which may close the position."""
        forced = self._rules.count(price)
        if forced is not None:
            self.fill_order(forced, price)

    def check_entry(self) -> None:
        """Make a margin call at the price of the last entry if the margin is not covered."""
        price, self.opened = self.opened, None
        if price is not None:
            quantity = missing(self._account, self._position, price)
            if quantity:
                self._call(quantity, price)

    def owe_call(self, price: float) -> None:
        """Store the quantity that a margin call must close at the next open, after entries at the close `price` of a
        bar. TradingView computes the quantity from the close, but fills the margin call at the next open."""
        if self.opened is not None:
            self.opened = None
            self.owed_bar = self._moment.clock.index + 1
            self.owed = missing(self._account, self._position, price)

    def call_owed(self, price: float) -> None:
        """Make the outstanding margin call at the open `price`, and another one if the open requires it."""
        bar, self.owed_bar = self.owed_bar, -1
        if bar == self._moment.clock.index:
            self._call(self.owed, price)
            self._call(missing(self._account, self._position, price), price)

    def call_margin(self, price: float) -> None:
        """Close a part of the position if its margin is not covered at an extreme of the bar, at most once per bar."""
        i = self._moment.clock.index
        if self._called == i:
            return
        quantity = missing(self._account, self._position, price)
        if quantity:
            self._called = i
            self._call(quantity, price)

    def _call(self, quantity: float, price: float) -> None:
        size = self._position.size
        quantity = min(quantity, abs(size))
        if not quantity:
            return
        i = self._moment.clock.index
        order = Order(CLOSE_ALL, MARGIN_CALL, -1 if size > 0 else 1, quantity, self._book.turn(), i)
        self._book.revive()
        self.fill_order(order, price, CALLED)
        self._moment.after_fill(price, self._position.walk.next)

    # what each kind does

    def _open(self, order: Order, price: float) -> None:
        """Fill an order that can open a position. It closes an opposite position first."""
        size = self._position.size
        total = order.quantity + order.flip
        if size * order.side < 0:
            closed = min(abs(size), total)
            total -= closed
            self._reduce(closed, price, order, None, total)
            self._book.settle(order)
        if total > _NOTHING:
            i = self._moment.clock.index
            trade = self._position.add(order, total, price, i, self._times[i])
            if self._book.exits:
                self._book.follow(trade)
        if self._book.exits:
            self._book.settle()

    def _close(self, order: Order, price: float) -> None:
        """Fill a close: reduce the position, and the claims of the trades of the order's entry."""
        quantity = min(abs(self._position.size), order.quantity)
        if order.kind != CLOSE:
            self._reduce(quantity, price, order, None)
            self._book.settle()
            return
        closed = self._reduce(quantity, price, order, order.entry)
        self._book.settle()
        for trade in self._position.cycle:
            if trade.id == order.entry and closed > _NOTHING:
                taken = min(trade.claim, closed)
                trade.claim -= taken
                closed -= taken

    def _reduce(self, quantity: float, price: float, order: Order, entry: str | None, opened: float = 0.0) -> float:
        i = self._moment.clock.index
        return self._position.reduce(
            quantity, price, i, self._times[i], order.id, order.comment, order.signal, entry=entry, opened=opened
        )

    def _refusal(self, order: Order, price: float) -> str | None:
        """Why an entry may not be filled now, or None. An entry that may not be filled is removed from the book.

        If the entry would reverse the position, the old position stays. Then `Book.decline` suspends the exits, and
        removes the closes that were called after the entry.
        """
        position = self._position
        if order.is_market and position.size * order.side > 0 and position.slots >= self._pyramiding:
            self._book.drop(order)
            return PYRAMIDING
        total = order.quantity + order.flip
        most = self._rules.most(order.side, total, position.size)
        if most < total - _NOTHING:
            if most <= _NOTHING:
                self._book.drop(order)
                return DIRECTION if self._rules.bars(order.side) else POSITION_LIMIT
            order.flip = min(order.flip, most)
            order.quantity = most - order.flip
        if admits(order, price, self._opens[self._moment.clock.index], self._account, position):
            if leaves_room(order, price, self._account, position):
                return None
            self._account.crowded_out += 1
        else:
            self._account.uncovered += 1
        if position.size * order.side < 0:
            self._book.decline(order)
        else:
            self._book.drop(order)
        return MARGIN

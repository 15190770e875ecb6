"""The `strategy.*` functions that place, change and cancel orders and set risk rules.

The methods run on both tiers, as `Position` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pinebench.broker.account import Account
from pinebench.broker.book import Book
from pinebench.broker.grid import Grid
from pinebench.broker.margin import admits_call
from pinebench.broker.moment import Moment
from pinebench.broker.orders import CLOSE, CLOSE_ALL, CLOSE_ALL_ID, CLOSE_WORDS, ENTRY, RAW, Exit, Order, differ
from pinebench.broker.position import Position
from pinebench.broker.properties import PERCENT
from pinebench.broker.refusals import (
    BEFORE_START,
    DIRECTION,
    MARGIN,
    NO_ENTRY,
    NO_POSITION,
    NO_PRICE,
    NOTHING_LEFT,
    POSITION_LIMIT,
    PYRAMIDING,
    QUANTITY,
    RULE_REACHED,
)
from pinebench.broker.rules import Rules
from pinebench.broker.slippage import Slippage
from pinebench.totals import total

NA = float("nan")
_SIDES = {"long": 1, "short": -1}
_HARDLY_CUT = 0.95
"""An order that keeps at least this share of its size when it is rounded to whole lots is hardly cut."""


def _count(value: float) -> int | None:
    """A whole number of a rule, or None if it is na; then the rule does not apply."""
    return int(value) if value == value else None


def _given(value: float | None) -> float | None:
    """Return the number `value`, or None if it is na or infinite."""
    return value if value is not None and value - value == 0 else None


@dataclass(eq=False)
class Calls:
    """The `strategy.*` functions that a script calls. Each method has the parameters of its Pine function.

    A method that places an order returns None, or the reason why it placed none (one of `refusals`). The script does
    not see this result. A missing number is na. Quantities are in contracts. `profit`, `loss`, `trail_points` and
    `trail_offset` are in ticks, and other prices are in the symbol's currency.
    """

    _account: Account
    _position: Position
    _book: Book
    _rules: Rules
    _grid: Grid
    _slippage: Slippage
    _moment: Moment
    _execute: Callable[[Order, float], None]
    """Fills an order immediately."""
    _pyramiding: int
    _first: int
    """The bar before which orders are ignored."""
    small_orders: int = 0
    """The number of orders that were smaller than one lot, and were therefore not placed."""

    def _is_stopped(self) -> bool:
        """Whether orders are ignored now: because of a risk rule, or because trading has not begun."""
        return self._rules.is_stopped or self._moment.clock.index < self._first

    def _why_stopped(self) -> str:
        return RULE_REACHED if self._rules.is_stopped else BEFORE_START

    def entry(
        self,
        *,
        id: str,
        direction: str,
        qty: float | None = NA,
        limit: float | None = NA,
        stop: float | None = NA,
        oca_name: str | None = "",
        oca_type: str = "none",
        comment: str | None = "",
        alert_message: str | None = "",
        disable_alert: bool = False,
    ) -> str | None:
        """Place an order that opens a position or adds to it. It reverses an opposite position."""
        id = id or ""
        rules, position, account = self._rules, self._position, self._account
        if rules.is_stopped or self._moment.clock.index < self._first:
            return self._why_stopped()
        side = _SIDES[direction]
        size = position.size
        is_barred = rules.bars(side)
        if size * side > 0 and position.slots >= self._pyramiding and not is_barred:
            if _given(limit) is not None or _given(stop) is not None:
                self._book.drop_opening(id)
            return PYRAMIDING
        order = self._order(ENTRY, id, side, limit, stop, oca_name, oca_type, comment, alert_message)
        if is_barred:
            if size * side < 0:
                order.flip = abs(size)
                self._book.put(order)
                return None
            return DIRECTION
        newest = self._moment.price
        equity = position.equity(newest)
        price = self._slippage.expected(newest, side)
        wanted = _given(qty)
        asked = wanted
        if asked is None:
            order.is_frozen = account.is_sized_by_money
            asked = account.default_size(equity, order.sized_at(price))
        order.quantity = account.whole_lots(asked)
        order.is_cut = order.quantity < _HARDLY_CUT * asked
        expected = self._book.after_market_orders(id) if self._book.orders else size
        whole = order.quantity
        order.quantity = rules.most(side, whole, expected if expected * side > 0 else 0.0)
        if order.quantity <= 0:
            if whole > 0:
                return POSITION_LIMIT
            self.small_orders += wanted is None or wanted > 0
            return QUANTITY
        if expected * side < 0:
            order.flip = abs(expected)
        if order.stop is None and order.limit is None and account.margin(side):
            order.funds, order.from_flat = equity, not size and not expected
            order.called_for = account.bound(order.quantity, price, side)
            if not admits_call(order, newest, account, position, equity):
                if admits_call(order, newest, account, position, equity + account.elsewhere):
                    account.crowded_out += 1
                else:
                    account.uncovered += 1
                return MARGIN
        self._book.put(order)
        return None

    def order(
        self,
        *,
        id: str,
        direction: str,
        qty: float | None = NA,
        limit: float | None = NA,
        stop: float | None = NA,
        oca_name: str | None = "",
        oca_type: str = "none",
        comment: str | None = "",
        alert_message: str | None = "",
        disable_alert: bool = False,
    ) -> str | None:
        """Place an order that adds to the position or reduces it, regardless of pyramiding."""
        id = id or ""
        if self._is_stopped():
            return self._why_stopped()
        side = _SIDES[direction]
        order = self._order(RAW, id, side, limit, stop, oca_name, oca_type, comment, alert_message)
        wanted = _given(qty)
        asked = wanted
        if asked is None:
            price = order.sized_at(self._slippage.expected(self._moment.price, side))
            asked = self._account.default_size(self._position.equity(self._moment.price), price)
        order.quantity = self._account.whole_lots(asked)
        order.is_cut = order.quantity < _HARDLY_CUT * asked
        if order.quantity > 0:
            self._book.put(order)
            return None
        self.small_orders += wanted is None or wanted > 0
        return QUANTITY

    def _order(
        self,
        kind: str,
        id: str,
        side: int,
        limit: float | None,
        stop: float | None,
        oca_name: str | None,
        oca_type: str,
        comment: str | None,
        alert_message: str | None,
    ) -> Order:
        # `limit - limit` is not 0 if `limit` is na or infinite.
        return Order(
            kind,
            id,
            side,
            0.0,
            self._book.turn(),
            self._moment.clock.index,
            None if limit is None or limit - limit != 0 else self._grid.limit(limit, side),
            None if stop is None or stop - stop != 0 else self._grid.stop(stop, side),
            oca_name or "",
            oca_type,
            comment or "",
            alert_message or "",
            born=self._moment.leg,
        )

    def exit(
        self,
        *,
        id: str,
        from_entry: str | None = "",
        qty: float | None = NA,
        qty_percent: float | None = 100,
        profit: float | None = NA,
        limit: float | None = NA,
        loss: float | None = NA,
        stop: float | None = NA,
        trail_price: float | None = NA,
        trail_points: float | None = NA,
        trail_offset: float | None = NA,
        oca_name: str | None = "",
        comment: str | None = "",
        comment_profit: str | None = "",
        comment_loss: str | None = "",
        comment_trailing: str | None = "",
        alert_message: str | None = "",
        alert_profit: str | None = "",
        alert_loss: str | None = "",
        alert_trailing: str | None = "",
        disable_alert: bool = False,
    ) -> str | None:
        """Place an exit for the open trades of an entry, or for an entry that is not filled yet.

        A call for an entry with neither a trade nor a waiting order has no effect. If only the alert messages differ
        from the active exit's messages, the exit gets the new messages and counts as unchanged.
        """
        if self._is_stopped():
            return self._why_stopped()
        book, bar = self._book, self._moment.clock.index
        id, from_entry = id or "", from_entry or ""
        if not self._position.open and not book.has_opening(from_entry):
            return NO_ENTRY
        given = book.exit_of(id, from_entry)
        if given is None and not book.has_entry(from_entry):
            return NO_ENTRY
        terms = (
            *(qty, qty_percent, profit, limit, loss, stop, trail_price, trail_points, trail_offset),
            *(oca_name, comment, comment_profit, comment_loss, comment_trailing, disable_alert),
        )
        if given is None or differ(given.terms, terms) or not book.goes_on(given, bar):
            waits = False
            if from_entry and not book.has_trade(from_entry):
                if not book.has_opening(from_entry):
                    return NO_ENTRY
                waits = not book.has_market_opening(from_entry)
            turn = book.turn()
            given = Exit(id, from_entry, turn, turn, terms=terms, bar=bar, born=self._moment.leg, waits=waits)
            given.profit, given.limit = _given(profit), _given(limit)
            given.loss, given.stop = _given(loss), _given(stop)
            given.trail_price, given.trail_points = _given(trail_price), _given(trail_points)
            given.trail_offset = _given(trail_offset)
            if given.is_empty:
                book.remove(id, from_entry)
                return NO_PRICE
            quantity, percent = _given(qty), _given(qty_percent)
            if quantity is not None:
                given.quantity = self._account.whole_lots(quantity)
                self.small_orders += quantity > 0 and given.quantity <= 0
            given.percent = 100.0 if percent is None else percent
            given.oca_name = oca_name or ""
            given.comments = (comment or "", comment_profit or "", comment_loss or "", comment_trailing or "")
            book.stand(given)
        given.messages = (alert_message or "", alert_profit or "", alert_loss or "", alert_trailing or "")
        if given.is_trailing:
            # The price at the call can already activate a trailing stop.
            book.trail(self._moment.price, given)
        return None

    def close(
        self,
        *,
        id: str,
        comment: str | None = "",
        qty: float | None = NA,
        qty_percent: float | None = 100,
        alert_message: str | None = "",
        immediately: bool = False,
        disable_alert: bool = False,
    ) -> str | None:
        """Close an entry at the market: by default, all that other calls for this entry have not closed yet."""
        id = id or ""
        if not self._position.size:
            return NO_POSITION
        claim = total(trade.claim for trade in self._position.cycle if trade.id == id)
        quantity, percent = _given(qty), _given(qty_percent)
        if quantity is not None:
            whole = self._account.whole_lots(quantity)
            self.small_orders += quantity > 0 and whole <= 0
            quantity = min(claim, whole)
        elif percent is not None and percent < 100:
            quantity = self._account.share(claim, percent)
        else:
            quantity = claim
        quantity = min(quantity, abs(self._position.size))
        name = f"{CLOSE_WORDS}{id}"
        return self._close(CLOSE, name, quantity, id, comment, alert_message, immediately)

    def close_all(
        self,
        *,
        comment: str | None = "",
        alert_message: str | None = "",
        immediately: bool = False,
        disable_alert: bool = False,
    ) -> str | None:
        """Close the entire position at the market."""
        size = abs(self._position.size)
        return self._close(CLOSE_ALL, CLOSE_ALL_ID, size, "", comment, alert_message, immediately)

    def _close(
        self,
        kind: str,
        id: str,
        quantity: float,
        entry: str,
        comment: str | None,
        alert_message: str | None,
        immediately: bool,
    ) -> str | None:
        if quantity <= 0:
            return NOTHING_LEFT if self._position.size else NO_POSITION
        if self._is_stopped():
            return self._why_stopped()
        side = -1 if self._position.size > 0 else 1
        order = Order(
            kind, id, side, quantity, self._book.turn(), self._moment.clock.index, comment=comment or "", entry=entry
        )
        order.alert_message, order.born = alert_message or "", self._moment.leg
        if immediately:
            self._execute(order, self._moment.price)
        else:
            self._book.put(order)
        return None

    def cancel(self, *, id: str) -> None:
        """Cancel the entries, orders and exits with this id."""
        self._book.cancel(id or "")

    def cancel_all(self) -> None:
        """Cancel all orders and exits."""
        self._book.clear()

    # rules

    def risk_allow_entry_in(self, *, value: str) -> None:
        """Restrict entries to one side: long or short."""
        self._rules.side = 1 if value == "long" else -1 if value == "short" else 0

    def risk_max_position_size(self, *, contracts: float) -> None:
        """Limit the size of the position that entries can open, in contracts."""
        self._rules.largest_position = _given(contracts)

    def risk_max_intraday_filled_orders(self, *, count: int, alert_message: str | None = "") -> None:
        """Stop trading for the day after `count` filled orders."""
        self._rules.most_filled = _count(count)
        self._rules.filled_message = alert_message or ""
        self._rules.watch()

    def risk_max_drawdown(self, *, value: float, type: str, alert_message: str | None = "") -> None:
        """Stop trading permanently when the equity falls by `value` below its realized peak."""
        self._rules.watch_drawdown(_given(value), type == PERCENT)
        self._rules.drawdown_message = alert_message or ""
        self._rules.watch()

    def risk_max_intraday_loss(self, *, value: float, type: str, alert_message: str | None = "") -> None:
        """Stop trading for the day when the loss since the start of the day reaches `value`."""
        self._rules.watch_day_loss(_given(value), type == PERCENT)
        self._rules.loss_message = alert_message or ""
        self._rules.watch()

    def risk_max_cons_loss_days(self, *, count: int, alert_message: str | None = "") -> None:
        """Stop trading permanently after `count` consecutive days with losses."""
        self._rules.losing_days = _count(count)
        self._rules.days_message = alert_message or ""
        self._rules.watch()

    # money

    def convert_to_account(self, *, value: float) -> float:
        """Convert an amount from the symbol's currency to the account's currency."""
        return value * self._account.rate

    def convert_to_symbol(self, *, value: float) -> float:
        """Convert an amount from the account's currency to the symbol's currency."""
        return value / self._account.rate

    def default_entry_qty(self, *, fill_price: float) -> float:
        """Return the quantity of an entry without `qty` that is filled at this price; na for a price up to 0."""
        price = _given(fill_price)
        if price is None or price <= 0:
            return NA
        return self._account.default_quantity(self._position.equity(self._moment.price), price)

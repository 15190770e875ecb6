"""The order book: orders that wait to be filled, active exits, and the legs of the exits, one for each trade."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pinebench.broker.account import Account
from pinebench.broker.gate import Gate
from pinebench.broker.grid import Grid
from pinebench.broker.orders import CLOSE, CLOSING, ENTRY, OPENING, Exit, Leg, Order
from pinebench.broker.position import Position
from pinebench.broker.trades import Trade

_NOTHING = 1e-12


class Book:
    """Orders and exits, in the order in which the script called them. An order that is called again keeps its turn.

    Only `_write` changes the lists, because the gate must hear of each change.
    """

    def __init__(self, account: Account, grid: Grid, position: Position, gate: Gate) -> None:
        """`gate` is told whenever an order, an exit or a leg is added, removed or changed."""
        self._account = account
        self._grid = grid
        self._position = position
        self.orders: list[Order] = []
        self.exits: list[Exit] = []
        self.legs: list[Leg] = []
        self._gate = gate
        self._turns = 0

    def _write(
        self, *, orders: list[Order] | None = None, exits: list[Exit] | None = None, legs: list[Leg] | None = None
    ) -> None:
        """Replace the lists that are given. Without a list, say that an order or a leg itself was changed."""
        if orders is not None:
            self.orders = orders
        if exits is not None:
            self.exits = exits
        if legs is not None:
            self.legs = legs
        self._gate.forget()

    def turn(self) -> int:
        """Return the next turn: a number that is larger for each later call."""
        self._turns += 1
        return self._turns

    # orders

    def put(self, order: Order) -> None:
        """Add an order. It replaces an order of the same kind with the same id, and gets the turn of that order.

        The orders of `strategy.entry` and `strategy.order` count as the same kind here. A market entry that a fill left
        for the next open is not replaced at the close of the bar: both are filled (manual, "buy on every fill").
        """
        kinds = OPENING if order.kind in OPENING else (order.kind,)
        for k, other in enumerate(self.orders):
            if other.id == order.id and other.kind in kinds and not self._are_both_due(other, order):
                order.sequence = other.sequence
                order.born = other.born if other.bar == order.bar else -1
                self._write(orders=[*self.orders[:k], order, *self.orders[k + 1 :]])
                return
        self._write(orders=[*self.orders, order])

    def _are_both_due(self, before: Order, order: Order) -> bool:
        """Whether `before` was placed on a fill after which only the close of the bar was left, and `order` is called
        at this close. Both are market entries.
        """
        are_entries = before.kind == order.kind == ENTRY and before.is_market and order.is_market
        last = len(self._position.walk.points) - 1
        return are_entries and before.bar == order.bar and order.born < 0 <= last <= before.born

    def drop(self, order: Order) -> None:
        """Remove an order that was filled, or that cannot be filled. Do nothing if the book does not have it."""
        orders = list(self.orders)
        if order in orders:
            orders.remove(order)
        self._write(orders=orders)

    def trigger(self, order: Order) -> None:
        """Note that the stop of a stop-limit order was reached, so that from now on its limit counts."""
        order.triggered = True
        self._write()

    def decline(self, order: Order) -> None:
        """Remove an order that would reverse the position but cannot be paid for, and suspend all exits.

        Also remove the orders of `strategy.close` that were called after it on the same bar.
        """
        self.drop(order)
        for standing in self.exits:
            standing.is_suspended = True
        kept = [
            other
            for other in self.orders
            if other.kind != CLOSE or other.bar != order.bar or other.sequence < order.sequence
        ]
        self._write(orders=kept)

    def apply_group(self, name: str, kind: str, quantity: float) -> None:
        """Apply the rule of the OCA group `name` after one of its orders was filled with `quantity`.

        `kind` is the type of the group: `cancel` removes the other orders, `reduce` makes them smaller by `quantity`.
        """
        kept: list[Order] = []
        for order in self.orders:
            if order.oca_name == name and order.oca_type == kind:
                order.quantity -= quantity
                if kind == "cancel" or order.quantity <= _NOTHING:
                    continue
            kept.append(order)
        self._write(orders=kept)
        for leg in self.legs:
            if leg.exit.oca_name == name and kind == "reduce":
                leg.reduced += quantity

    def opening(self) -> list[Order]:
        """The orders of `strategy.entry` and `strategy.order` that are not filled yet."""
        return [order for order in self.orders if order.kind in OPENING]

    def drop_opening(self, id: str) -> None:
        """Remove the orders of `strategy.entry` and `strategy.order` with this id."""
        kept = [order for order in self.orders if order.kind not in OPENING or order.id != id]
        if len(kept) < len(self.orders):
            self._write(orders=kept)

    def cancel(self, id: str) -> None:
        """Remove all orders of `strategy.entry` and `strategy.order`, and all exits, with this id."""
        if self.orders:
            self.drop_opening(id)
        if self.exits:
            self._keep([standing for standing in self.exits if standing.id != id])

    def clear(self) -> None:
        """Remove all orders and exits."""
        self._write(orders=[])
        self._keep([])

    def after_market_orders(self, id: str) -> float:
        """The size of the position after all waiting market orders except those with this id; negative if short."""
        size = self._position.size
        for order in self.orders:
            if order.stop is not None or order.limit is not None or order.id == id:
                continue
            if order.kind in OPENING:
                size += order.side * (order.quantity + order.flip)
            elif size * order.side < 0:
                size += order.side * min(abs(size), order.quantity)
        return size

    # exits

    def trail(self, price: float, standing: Exit | None = None) -> None:
        """Move the trailing stops to the newest price: all of them, or only the ones that belong to `standing`."""
        for leg in self.legs:
            if leg.activation is not None and (standing is None or leg.exit is standing):
                leg.trail(price)
                self._write()

    def revive(self) -> None:
        """Make the exits active again that `decline` suspended."""
        for standing in self.exits:
            standing.is_suspended = False

    def covers(self, standing: Exit, id: str, sequence: int) -> bool:
        """Whether an exit applies to the entry `id` whose turn is `sequence`."""
        if not standing.from_entry:
            return True
        return standing.from_entry == id and (standing.waits or sequence < standing.horizon)

    def goes_on(self, id: str, from_entry: str, terms: tuple[Any, ...], bar: int) -> Exit | None:
        """Renew the turn of the active exit with this name and return it, if the script called it again unchanged.

        Return None if there is no such exit, if its arguments (`terms`) have changed, or if the number of its legs
        differs from the number of trades that it may close.
        """
        for standing in self.exits:
            if standing.id == id and standing.from_entry == from_entry:
                break
        else:
            return None
        if standing.terms != terms:
            return None
        left = len([leg for leg in self.legs if leg.exit is standing])
        for trade in self._position.cycle:
            left -= self._may_leave(standing, trade)
        if left:
            return None
        if standing.bar != bar:
            standing.bar, standing.born = bar, -1
        standing.horizon = self.turn()
        return standing

    def stand(self, given: Exit) -> None:
        """Add an exit with its legs. It replaces the exit with the same id for the same entry.

        The new legs take over the state of the trailing stops of the old legs.
        """
        for k, other in enumerate(self.exits):
            if other.id == given.id and other.from_entry == given.from_entry:
                given.sequence = other.sequence
                given.is_suspended = other.is_suspended and other.prices() == given.prices()
                given.born = other.born if other.bar == given.bar else -1
                exits, legs, old = self.exits.copy(), self.legs, {}
                exits[k] = given
                if legs:
                    old = {id(leg.trade): leg for leg in legs if leg.exit is other}
                    legs = [leg for leg in legs if leg.exit is not other]
                self._write(exits=exits, legs=self._spread(given, legs, old))
                return
        self._write(exits=[*self.exits, given], legs=self._spread(given, self.legs, {}))

    def has_trade(self, id: str) -> bool:
        """Whether a trade of this entry is open."""
        return any(trade.id == id and trade.claim > _NOTHING for trade in self._position.cycle)

    def remove(self, id: str, from_entry: str) -> None:
        """Remove the exit with this id for this entry."""
        self._keep([one for one in self.exits if one.id != id or one.from_entry != from_entry])

    def _spread(self, standing: Exit, legs: list[Leg], old: dict[int, Leg]) -> list[Leg]:
        """Return `legs` with a leg of an exit for each trade that it may close.

        `old` has the legs that are replaced, by the `id()` of their trades.
        """
        found: list[Leg] = []
        for trade in self._position.cycle:
            if self._may_leave(standing, trade):
                leg = self._leg(standing, trade)
                before = old.get(id(trade))
                if before is not None:
                    leg.is_armed, leg.peak, leg.reduced = before.is_armed, before.peak, before.reduced
                found.append(leg)
        return _in_turn([*legs, *found]) if found else legs

    def _may_leave(self, standing: Exit, trade: Trade) -> bool:
        return (
            trade.claim > _NOTHING
            and standing.id not in trade.done
            and (not standing.from_entry or standing.from_entry == trade.id)
        )

    def follow(self, trade: Trade) -> None:
        """Add a leg for a new trade to each exit that applies to it."""
        covering = [one for one in self.exits if self.covers(one, trade.id, trade.sequence)]
        if covering:
            for one in covering:
                one.waits = False
            self._write(legs=_in_turn([*self.legs, *(self._leg(one, trade) for one in covering)]))

    def _leg(self, standing: Exit, trade: Trade) -> Leg:
        leg = Leg(standing, trade, -trade.side)
        leg.set_prices(
            trade.price,
            standing.limit,
            standing.profit,
            standing.stop,
            standing.loss,
            standing.trail_price,
            standing.trail_points,
            standing.trail_offset,
            self._grid,
        )
        return leg

    def available(self, leg: Leg) -> float:
        """The quantity that a leg may close: its share of its entry, minus the quantity that earlier exits reserve."""
        trade, standing, account = leg.trade, leg.exit, self._account
        if standing.is_suspended or trade.claim <= _NOTHING:
            return 0.0
        reserved = 0.0
        for other in self.legs:
            if other is leg:
                break
            if other.trade is trade and not other.exit.is_suspended:
                wanted = other.wanted(other.exit.quantity, other.exit.percent, trade, account)
                reserved += min(wanted, trade.claim - reserved)
        wanted = leg.wanted(standing.quantity, standing.percent, trade, account)
        return min(wanted, trade.claim - reserved, abs(self._position.size))

    def done(self, leg: Leg, quantity: float) -> None:
        """Note that a leg was filled: its exit is over for this trade, and the trade's claim gets smaller."""
        leg.trade.done.append(leg.exit.id)
        leg.trade.claim -= quantity
        self._write(legs=[other for other in self.legs if other is not leg and other.trade.claim > _NOTHING])

    def settle(self, opening: Order | None = None) -> None:
        """Remove the exits that have no trade and no order to wait for any more; call this after a trade was closed.

        If the position is flat, remove all legs and all waiting closes as well. `opening` is the order that is being
        filled, if it can open the next position.
        """
        position = self._position
        if not position.open:
            self._write(orders=[order for order in self.orders if order.kind not in CLOSING], legs=[])
        if not self.exits:
            return
        waiting: list[Order] = self.opening()
        if opening is not None:
            waiting.append(opening)
        self._keep([one for one in self.exits if self._has_reason(one, waiting)])

    def _has_reason(self, standing: Exit, waiting: Iterable[Order]) -> bool:
        if standing.waits or (self._position.open and not standing.from_entry):
            return True
        if self.has_trade(standing.from_entry):
            return True
        return any(self.covers(standing, order.id, order.sequence) for order in waiting)

    def _keep(self, exits: list[Exit]) -> None:
        if len(exits) == len(self.exits):
            return
        kept = {id(one) for one in exits}
        self._write(exits=exits, legs=[leg for leg in self.legs if id(leg.exit) in kept])


def _in_turn(legs: list[Leg]) -> list[Leg]:
    """Sort legs by the turns of their exits."""
    if len(legs) > 1:
        legs.sort(key=lambda leg: leg.exit.sequence)
    return legs

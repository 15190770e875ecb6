"""The order book: waiting orders, active exits, and their legs. An exit has one leg for each trade that it closes.

The class runs on both tiers, as `Position` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pinebench.broker.account import Account
from pinebench.broker.gate import FAR, Gate
from pinebench.broker.grid import Grid
from pinebench.broker.orders import CLOSE, CLOSING, ENTRY, OPENING, Exit, Leg, Order, Trade
from pinebench.broker.position import Position

_NOTHING = 1e-12


@dataclass(eq=False)
class Book:
    """Orders and exits, in the order of the script's calls. Each call gets a turn, an increasing number; an
    order that is called again keeps its turn. Every change of an order, exit, leg or list calls `_changed`."""

    _account: Account
    _grid: Grid
    _position: Position
    _gate: Gate
    """The gate, which forgets its range when an order, an exit or a leg is added, removed or changed."""
    orders: list[Order] = field(default_factory=list[Order])
    exits: list[Exit] = field(default_factory=list[Exit])
    legs: list[Leg] = field(default_factory=list[Leg])
    _turns: int = 0
    _above: float = FAR
    """The first price of `reach`; valid while `_knows_reach`."""
    _below: float = -FAR
    """The second price of `reach`; valid while `_knows_reach`."""
    _knows_reach: bool = True
    _place: int = -1
    """The index of the trade that the last search found."""

    def _changed(self) -> None:
        """Note that an order, an exit or a leg was added, removed or changed."""
        self._gate.forget()

    def turn(self) -> int:
        """Return the next turn, a number larger than all turns so far."""
        self._turns += 1
        return self._turns

    # orders

    def put(self, order: Order) -> None:
        """Add an order. It replaces an order of the same kind and id, and keeps its turn (rank among all calls).

        For this rule, `strategy.entry` and `strategy.order` place orders of the same kind. A market entry that was
        placed on a fill and waits for the next open is not replaced at the close of the bar: both are filled (manual,
        "buy on every fill").
        """
        for k, other in enumerate(self.orders):
            if other.id == order.id and other.is_like(order) and not self._are_both_due(other, order):
                order.sequence = other.sequence
                order.born = other.born if other.bar == order.bar else -1
                self.orders[k] = order
                self._changed()
                return
        self.orders.append(order)
        self._changed()
        if order.is_market:
            self._gate.open()

    def _are_both_due(self, before: Order, order: Order) -> bool:
        """Whether `before` was placed on a fill after which only the close of the bar was left, and `order` is called
        at this close. Both are market entries."""
        are_entries = before.kind == order.kind and order.kind == ENTRY and before.is_market and order.is_market
        last = len(self._position.walk.points) - 1
        return are_entries and before.bar == order.bar and order.born < 0 <= last <= before.born

    def drop(self, order: Order) -> None:
        """Remove an order that was filled or cannot be filled. Do nothing if the book does not contain it."""
        self.orders = [other for other in self.orders if other is not order]
        self._changed()

    def trigger(self, order: Order) -> None:
        """Record that the stop of a stop-limit order was reached. From now on only its limit counts."""
        order.triggered = True
        self._changed()

    def decline(self, order: Order) -> None:
        """Remove an order that would reverse the position but cannot be paid for, and suspend all exits. Also remove
        the later `strategy.close` orders of the same bar."""
        self.drop(order)
        for standing in self.exits:
            standing.is_suspended = True
        self.orders = [
            other
            for other in self.orders
            if other.kind != CLOSE or other.bar != order.bar or other.sequence < order.sequence
        ]
        self._changed()

    def apply_group(self, name: str, kind: str, quantity: float) -> None:
        """Apply the rule of the OCA group `name` after one of its orders was filled with `quantity`.

        `kind` is the type of the group: `cancel` removes the other orders, `reduce` reduces them by `quantity`.
        """
        for order in self.orders:
            if order.oca_name == name and order.oca_type == kind:
                order.quantity -= quantity
        self.orders = [
            order
            for order in self.orders
            if order.oca_name != name or order.oca_type != kind or (kind != "cancel" and order.quantity > _NOTHING)
        ]
        self._changed()
        if kind != "reduce":
            return
        for leg in self.legs:
            if leg.exit.oca_name == name:
                leg.reduced += quantity

    def has_opening(self, id: str) -> bool:
        """Return whether an order of `strategy.entry` or `strategy.order` with this id is waiting. An empty id matches
        any order."""
        return any(order.kind in OPENING and (not id or order.id == id) for order in self.orders)

    def has_market_opening(self, id: str) -> bool:
        """Return whether a market order of `strategy.entry` or `strategy.order` with this id is waiting."""
        return any(order.kind in OPENING and order.id == id and order.is_market for order in self.orders)

    def drop_opening(self, id: str) -> None:
        """Remove the orders of `strategy.entry` and `strategy.order` with this id."""
        before = len(self.orders)
        self.orders = [order for order in self.orders if order.kind not in OPENING or order.id != id]
        if len(self.orders) < before:
            self._changed()

    def cancel(self, id: str) -> None:
        """Remove all orders of `strategy.entry` and `strategy.order`, and all exits, with this id."""
        if self.orders:
            self.drop_opening(id)
        for standing in self.exits:
            if standing.id == id:
                standing.is_over = True
        self._drop_exits()

    def clear(self) -> None:
        """Remove all orders and exits."""
        self.orders = []
        self.exits = []
        self.legs = []
        self._knows_reach = False
        self._changed()

    def after_market_orders(self, id: str) -> float:
        """Return the position's size after all waiting market orders except orders with this id; negative if short."""
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
        """Let the trailing stops follow the newest price: all of them, or only the stops of the exit `standing`."""
        for leg in self.legs:
            if leg.activation is not None and (standing is None or leg.exit is standing):
                leg.trail(price)
                self._knows_reach = False
                self._changed()

    def reach(self) -> tuple[float, float]:
        """Return two prices: the market can reach a leg, or move a trailing stop, only at or above the first price, or
        at or below the second.

        The result is cached until a leg is removed or moves, because it is needed on each bar and there can be many
        legs.
        """
        if not self._knows_reach:
            self._knows_reach = True
            self._above, self._below = FAR, -FAR
            for leg in self.legs:
                self._extend_reach(leg)
        return self._above, self._below

    def _extend_reach(self, leg: Leg) -> None:
        above, below = leg.reach(self._grid)
        if above < self._above:
            self._above = above
        if below > self._below:
            self._below = below

    def revive(self) -> None:
        """Reactivate the exits that `decline` suspended."""
        for standing in self.exits:
            standing.is_suspended = False

    def covers(self, standing: Exit, id: str, sequence: int) -> bool:
        """Return whether the exit `standing` applies to an entry with this id, called in the turn `sequence`."""
        if not standing.from_entry:
            return True
        return standing.from_entry == id and (standing.waits or sequence < standing.horizon)

    def exit_of(self, id: str, from_entry: str) -> Exit | None:
        """Return the active exit with this id for the entry `from_entry`; None if there is none."""
        for standing in self.exits:
            if standing.id == id and standing.from_entry == from_entry:
                return standing
        return None

    def goes_on(self, standing: Exit, bar: int) -> bool:
        """Keep an active exit in force that the script called again, with the same arguments, on bar `bar`. Return
        True.

        Return False and change nothing if the number of its legs differs from the number of trades that it may close.
        """
        left = 0
        for leg in self.legs:
            if leg.exit is standing:
                left += 1
        for trade in self._position.cycle:
            if self._may_leave(standing, trade):
                left -= 1
        if left:
            return False
        if standing.bar != bar:
            standing.bar = bar
            standing.born = -1
        standing.horizon = self.turn()
        return True

    def stand(self, given: Exit) -> None:
        """Add the exit `given` with its legs. It replaces the exit with the same id for the same entry. The new legs
        take over the trailing stops of the old legs."""
        before = self.exit_of(given.id, given.from_entry)
        if before is None:
            self.exits.append(given)
        else:
            given.sequence = before.sequence
            given.is_suspended = before.is_suspended and before.has_prices_of(given)
            given.born = before.born if before.bar == given.bar else -1
            for k, other in enumerate(self.exits):
                if other is before:
                    self.exits[k] = given
            for leg in self.legs:
                if leg.exit is before:
                    leg.trade.leg = leg
            self.legs = [leg for leg in self.legs if leg.exit is not before]
            self._knows_reach = False
        for trade in self._position.cycle:
            if self._may_leave(given, trade):
                leg = self._leg(given, trade)
                old = trade.leg
                if old is not None:
                    leg.is_armed = old.is_armed
                    leg.peak = old.peak
                    leg.reduced = old.reduced
                self._add_leg(leg)
            trade.leg = None
        self._sort_legs()
        self._changed()

    def has_trade(self, id: str) -> bool:
        """Return whether a trade of the entry `id` is open. The search begins after the last trade found, because exits
        are usually called in the order of the trades."""
        trades = self._position.cycle
        place = int(self._place)
        for _ in range(len(trades)):
            place += 1
            if place >= len(trades):
                place = 0
            trade = trades[place]
            if trade.id == id and trade.claim > _NOTHING:
                self._place = place
                return True
        return False

    def has_entry(self, id: str) -> bool:
        """Return whether a trade of the entry `id` is open, or an order that would open one is waiting. Return True for
        an empty id."""
        return not id or self.has_trade(id) or self.has_opening(id)

    def remove(self, id: str, from_entry: str) -> None:
        """Remove the exit with this id for the entry `from_entry`."""
        standing = self.exit_of(id, from_entry)
        if standing is not None:
            standing.is_over = True
            self._drop_exits()

    def _may_leave(self, standing: Exit, trade: Trade) -> bool:
        return (
            trade.claim > _NOTHING
            and standing.id not in trade.done
            and (not standing.from_entry or standing.from_entry == trade.id)
        )

    def follow(self, trade: Trade) -> None:
        """Add a leg for a new trade to each exit that applies to it."""
        before = len(self.legs)
        for standing in self.exits:
            if self.covers(standing, trade.id, trade.sequence):
                standing.waits = False
                self._add_leg(self._leg(standing, trade))
        if 0 < before < len(self.legs) and self.legs[before].exit.sequence < self.legs[before - 1].exit.sequence:
            self._sort_legs()

    def _add_leg(self, leg: Leg) -> None:
        if self._knows_reach:
            self._extend_reach(leg)
        self.legs.append(leg)
        self._changed()

    def _leg(self, standing: Exit, trade: Trade) -> Leg:
        leg = Leg(standing, trade, -trade.side)
        leg.set_prices(self._grid)
        return leg

    def _sort_legs(self) -> None:
        """Sort the legs by the turns of their exits."""
        if len(self.legs) > 1:
            self.legs.sort(key=lambda leg: leg.exit.sequence)

    def available(self, leg: Leg) -> float:
        """Return the quantity that a leg may close: its share of its entry, minus the part reserved by earlier
        exits."""
        trade, standing, account = leg.trade, leg.exit, self._account
        if standing.is_suspended or trade.claim <= _NOTHING:
            return 0.0
        reserved = 0.0
        for other in self.legs:
            if other is leg or reserved == trade.claim:
                break
            if other.trade is trade and not other.exit.is_suspended:
                wanted = other.wanted(other.exit.quantity, other.exit.percent, trade, account)
                reserved += min(wanted, trade.claim - reserved)
        wanted = leg.wanted(standing.quantity, standing.percent, trade, account)
        return min(wanted, trade.claim - reserved, abs(self._position.size))

    def done(self, leg: Leg, quantity: float) -> None:
        """Record that a leg was filled: its exit is finished for this trade, and `quantity` is subtracted from the
        trade's `claim`."""
        leg.trade.done.append(leg.exit.id)
        leg.trade.claim -= quantity
        self.legs = [other for other in self.legs if other is not leg and other.trade.claim > _NOTHING]
        self._knows_reach = False
        self._changed()

    def settle(self, opening: Order | None = None) -> None:
        """Remove the exits that have neither a trade nor an order to wait for. Call this after a trade was closed.

        If the position is flat, also remove all legs and all waiting closes. `opening` is the order being filled, if it
        can open the next position.
        """
        if not self._position.open and (self.orders or self.legs):
            self.orders = [order for order in self.orders if order.kind not in CLOSING]
            self.legs = []
            self._knows_reach = False
            self._changed()
        are_some_over = False
        for standing in self.exits:
            if not self._has_reason(standing, opening):
                standing.is_over = are_some_over = True
        if are_some_over:
            self._drop_exits()

    def _has_reason(self, standing: Exit, opening: Order | None) -> bool:
        if standing.waits or (self._position.open and not standing.from_entry):
            return True
        if self.has_trade(standing.from_entry):
            return True
        if opening is not None and self.covers(standing, opening.id, opening.sequence):
            return True
        return any(order.kind in OPENING and self.covers(standing, order.id, order.sequence) for order in self.orders)

    def _drop_exits(self) -> None:
        """Remove the exits that are over, with their legs."""
        before = len(self.exits)
        self.exits = [standing for standing in self.exits if not standing.is_over]
        if len(self.exits) < before:
            self.legs = [leg for leg in self.legs if not leg.exit.is_over]
            self._knows_reach = False
            self._changed()

"""The position: its open and closed trades, and the highest and lowest price of each trade.

The class runs on both tiers. `compiled/objects` translates it to machine code, so it uses only the subset of Python
that is described there.
"""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.broker.account import Account
from pinebench.broker.orders import Order, Trade
from pinebench.broker.trades import ClosedTrade

NA = float("nan")
_NOTHING = 1e-12


class Walk:
    """The progress along the path of a bar: the points of the path, and the index of the next point."""

    __slots__ = ("bar", "is_going", "next", "points")

    def __init__(self) -> None:
        self.bar = -1
        """The newest bar whose path was begun, -1 before the first."""
        self.points: Sequence[float] = ()
        self.next = 0
        self.is_going = False
        """Whether the broker is going through the bar's path now."""

    def begin(self, bar: int, points: Sequence[float]) -> None:
        """Begin the path of a bar, at its first point."""
        self.bar, self.next, self.is_going = bar, 1, True
        self.points = points

    def end(self) -> None:
        """Mark all points of the path as passed."""
        self.next, self.is_going = len(self.points), False


class Position:
    """The open trades, oldest first, and the closed ones."""

    __slots__ = (
        *("_high", "_low", "account", "average", "by_entry", "chosen", "closed", "cost", "cycle", "fees", "open"),
        *("size", "slots", "walk"),
    )

    def __init__(self, account: Account, high: Sequence[float], low: Sequence[float], by_entry: bool) -> None:
        """Make a flat position. With `by_entry`, a close of an entry closes trades of this entry, not the oldest
        trades."""
        self.account = account
        self.open: list[Trade] = []
        self.cycle: list[Trade] = []
        """Every trade that was opened since the position was flat, also the closed ones."""
        self.chosen: list[Trade] = []
        """The trades that the last order could close, if it closes the trades of its entry."""
        self.closed: list[ClosedTrade] = []
        self.size = 0.0
        self.average = NA
        self.cost = 0.0
        """The sum of price times signed quantity of the open trades."""
        self.fees = 0.0
        """The entry commissions of the open quantity."""
        self.slots = 0
        """The number of entries that count against pyramiding."""
        self.walk = Walk()
        self._high = high
        self._low = low
        self.by_entry = by_entry

    def profit(self, price: float) -> float:
        """Return the profit of the open trades at `price`, minus their entry commissions."""
        return (self.size * price - self.cost) * self.account.worth - self.fees

    def equity(self, price: float) -> float:
        """Return the equity of the account at `price`: the capital plus the profits of closed and open trades."""
        account = self.account
        profit = (self.size * price - self.cost) * account.worth - self.fees
        return account.capital + account.net_profit + profit + account.outside

    # changes

    def add(self, order: Order, quantity: float, price: float, bar: int, time: int) -> Trade:
        """Open a trade of `quantity` contracts at `price`, and return it. `time` is in milliseconds UTC."""
        fee = self.account.fee(quantity, price, order.quantity + order.flip)
        reached = self.walk.next
        trade = Trade(
            order.side, order.id, order.comment, quantity, price, bar, time, order.sequence, fee, quantity, quantity
        )
        highest = lowest = price
        if self.account.has_records:
            for point in self.walk.points[reached:]:
                if point > highest:
                    highest = point
                if point < lowest:
                    lowest = point
        trade.highest, trade.lowest = highest, lowest
        trade.seen, trade.reached = bar + 1, reached
        self.open.append(trade)
        self.cycle.append(trade)
        self.slots += 1
        signed = order.side * quantity
        self.size += signed
        self.cost += signed * price
        self.fees += fee
        self.average = self.cost / self.size
        return trade

    def reduce(
        self,
        quantity: float,
        price: float,
        bar: int,
        time: int,
        exit_id: str,
        comment: str,
        signal: str,
        *,
        entry: str | None = None,
        only: Trade | None = None,
        frees_slots: bool = True,
        opened: float = 0.0,
    ) -> float:
        """Close `quantity` contracts, oldest trades first, and return the quantity that was closed. Afterwards, the
        order opens `opened` contracts.

        If the closing rule is ANY, close only trades of the entry `entry`, or only the trade `only`. `frees_slots`
        tells whether fully closed trades stop counting against pyramiding.
        """
        chosen = self.open
        if self.by_entry:
            self.chosen = [t for t in chosen if (only is None or t is only) and (entry is None or t.id == entry)]
            chosen = self.chosen
        held = 0.0
        for trade in chosen:
            held += trade.quantity
            if held >= quantity:
                break
        closed = min(quantity, held)
        left = closed
        whole_fee = self.account.fee(closed, price, closed + opened) if closed else 0.0
        for trade in chosen:
            if left <= _NOTHING:
                break
            part = min(left, trade.quantity)
            left -= part
            fee = whole_fee * part / closed
            self._close(trade, part, price, bar, time, exit_id, comment, signal, fee)
        before = len(self.open)
        self.open = [trade for trade in self.open if trade.quantity > _NOTHING]
        if frees_slots:
            self.slots -= before - len(self.open)
        self._count()
        return closed

    def _close(
        self,
        trade: Trade,
        part: float,
        price: float,
        bar: int,
        time: int,
        exit_id: str,
        comment: str,
        signal: str,
        exit_fee: float,
    ) -> None:
        account = self.account
        worth, entry_price, side = account.worth, trade.price, trade.side
        entry_fee = trade.fee * part / trade.quantity
        trade.fee -= entry_fee
        self.fees -= entry_fee
        profit = (price - entry_price) * part * side * worth - entry_fee - exit_fee
        best = worst = 0.0
        if account.has_records:
            best, worst = self.reach(trade, price, bar)
        run_up, drawdown = best * part * worth - entry_fee, entry_fee - worst * part * worth
        account.net_profit += profit
        self.closed.append(
            ClosedTrade(
                side,
                part,
                trade.id,
                trade.comment,
                trade.bar,
                trade.time,
                entry_price,
                exit_id,
                comment,
                signal,
                bar,
                time,
                price,
                profit,
                entry_fee + exit_fee,
                entry_price * part * worth,
                run_up if run_up > 0.0 else 0.0,
                drawdown if drawdown > 0.0 else 0.0,
                entry_fee,
                self.fees,
            )
        )
        trade.quantity -= part

    def _count(self) -> None:
        """Compute the size, the average price, the cost and the commissions of the open trades again."""
        if not self.open:
            self.size = self.cost = self.fees = 0.0
            self.average, self.slots = NA, 0
            self.cycle = []
            return
        size = cost = fees = 0.0
        for trade in self.open:
            quantity = trade.side * trade.quantity
            size += quantity
            cost += quantity * trade.price
            fees += trade.fee
        self.size, self.cost, self.fees, self.average = size, cost, fees, cost / size

    # how far prices went

    def look(self, trade: Trade, end: int) -> None:
        """Update the highest and lowest price of a trade with the bars before `end`."""
        seen = trade.seen
        if seen >= end:
            return
        highest, lowest = self._high[seen], self._low[seen]
        if seen + 1 < end:
            highest, lowest = max(self._high[seen:end]), min(self._low[seen:end])
        if highest > trade.highest:
            trade.highest = highest
        if lowest < trade.lowest:
            trade.lowest = lowest
        trade.seen = end

    def reach(self, trade: Trade, price: float, bar: int) -> tuple[float, float]:
        """Return the best and the worst price move, in points, of a trade that closes at `price` on bar `bar`."""
        walk = self.walk
        highest, lowest, first = trade.price, trade.price, trade.reached
        if trade.bar != bar:
            self.look(trade, bar)
            highest, lowest, first = trade.highest, trade.lowest, 0
        highest, lowest = max(highest, price), min(lowest, price)
        for point in walk.points[first : walk.next]:
            if point > highest:
                highest = point
            if point < lowest:
                lowest = point
        if trade.side > 0:
            return highest - trade.price, lowest - trade.price
        return trade.price - lowest, trade.price - highest

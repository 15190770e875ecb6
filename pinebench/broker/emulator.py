"""The broker: it takes a strategy's orders and fills them on the prices of each bar, as TradingView's emulator does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pinebench.broker.account import Account
from pinebench.broker.book import Book
from pinebench.broker.calls import Calls
from pinebench.broker.extremes import Extremes
from pinebench.broker.grid import Grid
from pinebench.broker.ledger import Ledger
from pinebench.broker.margin import admits, call_size, liquidation_price, shortfall
from pinebench.broker.matching import leaves, meets, path
from pinebench.broker.orders import CLOSE, CLOSE_ALL, ENTRY, LIMIT, RAW, TRIGGER, Leg, Order
from pinebench.broker.position import Position
from pinebench.broker.properties import Properties
from pinebench.broker.rules import Rules
from pinebench.broker.trades import Fill

NA = float("nan")
_NOTHING = 1e-12
_FAR = float("inf")
_POINTS = 4
"""The path of a bar has its four prices, and four of each shorter bar where those are known."""
MARGIN_CALL = "Margin call"


class Prices(Protocol):
    """The columns of bars that orders are filled on."""

    time: list[int]
    open: list[float]
    high: list[float]
    low: list[float]
    close: list[float]


def _utc_day(prices: Prices) -> Callable[[int], object]:
    return lambda i: prices.time[i] // 86_400_000


class Broker(Calls):
    """Trades for a strategy on the bars of a chart.

    The runtime calls `before_bar` before a bar's script, which fills what waits, and `after_bar` behind it; the script
    calls the methods that are named like Pine's functions. `recalculate`, if it is set, runs the script again after
    each fill.
    """

    def __init__(
        self,
        properties: Properties,
        prices: Prices,
        *,
        tick: float,
        point_value: float = 1.0,
        lot: float = 1.0,
        currency: str = "",
        rates: Sequence[float] | None = None,
        days: Callable[[int], object] | None = None,
        ticks: Sequence[Sequence[float] | None] | None = None,
        first: int | None = None,
    ) -> None:
        """`days` gives the trading day of a bar, `ticks` the prices inside each bar where they are known: four of each
        shorter bar. Orders are taken from bar `first` on.
        """
        self.properties = properties
        self.prices = prices
        self.grid = Grid(tick)
        self.account = Account(properties, point_value, lot, rates)
        self.position = Position(self.account, prices.high, prices.low, properties.close_entries_rule == "ANY")
        self.book = Book(self.account, self.grid, self.position)
        self.rules = Rules(self, days or _utc_day(prices))
        self.ledger = Ledger(self.position)
        self.fills: list[Fill] = []
        self.small_orders = 0
        """How many orders were less than a lot, and so never placed."""
        self.recalculates = properties.calc_on_order_fills
        self.recalculate: Callable[[], None] | None = None
        self.initial_capital = properties.initial_capital
        self.account_currency = properties.currency or currency
        self.position_size = 0.0
        self.position_avg_price = NA
        self.closedtrades = 0
        self.opentrades = 0
        self.bar = -1
        self.price = NA
        """The newest price: the close when a bar's script runs."""
        self._pyramiding = max(1, properties.pyramiding)
        self._extremes = Extremes(self.ledger, properties.initial_capital)
        self._slip = properties.slippage * tick
        self._beyond = properties.backtest_fill_limits_assumption * tick
        self._ticks = ticks
        self.first = first or 0
        self._called = -1
        """The bar of the last margin call."""
        self._liquidation = NA
        self._leg = -1
        """The leg of the path in which a fill made the script run, -1 at a bar's close."""
        self._has_rates = rates is not None
        self._closes_bars = properties.process_orders_on_close
        self._highs, self._lows, self._closes = prices.high, prices.low, prices.close
        self._above, self._below = _FAR, -_FAR
        """Nothing happens on a bar whose high is below the first and whose low is above the second."""
        self._walked = False
        """Whether the path of a bar is kept, which the next bar has to forget."""

    # bars

    def before_bar(self, i: int) -> None:
        """Fill what waits on the prices of bar `i`."""
        self.bar = i
        if self._walked:
            self._walked, self.position.walk.points = False, ()
        if self._has_rates:
            self.account.begin_bar(i)
            self._find_liquidation()
        needs_path = False
        if self.rules.is_set:
            self.rules.begin_bar(i)
            needs_path = self.rules.needs_path
        if self.book.has_changed:
            self._find_reach()
        if self._highs[i] >= self._above or self._lows[i] <= self._below or needs_path:
            self._walk(i)
        self.price = self._closes[i]

    def after_bar(self, i: int) -> None:
        """Fill at the close what may be filled there, once the bar's script has run."""
        if self._closes_bars and self.book.orders:
            self._close_bar(i)

    def _find_reach(self) -> None:
        """Find the prices at or above which, and at or below which, anything can happen on a bar: an order is met, a
        trailing stop moves or is met, a margin call comes.
        """
        self.book.has_changed = False
        above, below = _FAR, -_FAR
        for order in self.book.orders:
            level = order.stop
            rises = order.side > 0
            if level is None or order.triggered:
                level, rises = order.limit, not rises
            if level is None:
                above = -_FAR
            elif rises:
                above = min(above, level)
            else:
                below = max(below, level)
        for leg in self.book.legs:
            highest, lowest = leg.reach(self.grid)
            above, below = min(above, highest), max(below, lowest)
        size = self.position.size
        if size < 0 and self._liquidation < above:
            above = self._liquidation
        elif size > 0 and self._liquidation > below:
            below = self._liquidation
        self._above, self._below = above, below

    def path(self, i: int) -> Sequence[float]:
        """The prices of a bar in the order in which they came."""
        if self._ticks is not None:
            known = self._ticks[i]
            if known:
                return known
        prices = self.prices
        return path(prices.open[i], prices.high[i], prices.low[i], prices.close[i])

    def _walk(self, i: int) -> None:
        book, position, rules = self.book, self.position, self.rules
        points = self.path(i)
        walk = position.walk
        walk.points, walk.next = points, 1
        self._walked = book.has_changed = True
        current = points[0]
        rules.check(current)
        self._advance(current, current, 0)
        lowest, highest = self._lows[i], self._highs[i]
        for number in range(1, len(points)):
            walk.next = number
            point = points[number]
            if book.orders or book.legs or rules.forced is not None:
                # A shorter bar begins where it opens: between it and the one before there were no prices.
                self._advance(current if number % _POINTS else point, point, number)
            current = point
            walk.next = number + 1
            size = position.size
            if (point == lowest and size > 0) or (point == highest and size < 0):
                self._call_margin(point)
            if rules.watches:
                rules.check(point)
            if position.size:
                self.ledger.mark(i, point)
            elif not book.orders and not book.legs and rules.forced is None:
                break  # nothing can happen any more on this bar

    def _advance(self, current: float, end: float, number: int) -> None:
        """Go from one price of a bar to the next and fill what is met on the way, the nearest first."""
        book = self.book
        while book.orders or book.legs:
            found = self._nearest(current, end, number)
            if found is None:
                break
            met, price, reason = found
            if current != price and book.legs:
                self._trail(price)
            current = price
            if reason == TRIGGER:
                met.triggered = True
                continue
            if isinstance(met, Leg):
                self._fill_leg(met, price, reason)
            else:
                self._fill(met, price, is_limit=met.limit is not None)
            if self.recalculate is not None:
                self._after_fill(price, number + (price == end and number > 0))
        if self.rules.forced is not None:
            forced, self.rules.forced = self.rules.forced, None
            self._fill(forced, end)
        if book.legs:
            self._trail(end)
        if self.recalculate is not None and 0 < number < len(self.position.walk.points) - 1:
            self._fill_young(end, number)

    def _after_fill(self, price: float, leg: int) -> None:
        """Let the script run again on a fill, if the strategy asks for it."""
        if self.recalculate is None:
            return
        self.price = price
        self._leg = leg
        self.recalculate()
        self._leg = -1

    def _nearest(self, current: float, end: float, number: int) -> tuple[Any, float, int] | None:
        """The order or leg that is met first between two prices, at which price, and what of it is met.

        At one price buying comes before selling, and market orders before others of their side; limits that the opening
        of a bar has passed come last.
        """
        met: list[tuple[Any, float, int]] = []
        for order in self.book.orders:
            if order.born >= 0 and order.bar == self.bar and not self._is_ripe(order, number):
                continue
            found = meets(order, current, end, self._beyond)
            if found is not None:
                met.append((order, *found))
        for leg in self.book.legs:
            if leg.exit.born >= number and leg.exit.bar == self.bar:
                continue
            found = leaves(leg, current, end, self.grid, self._beyond)
            if found is not None and self.book.available(leg) > _NOTHING:
                met.append((leg, *found))
        if len(met) < 2:
            return met[0] if met else None

        def rank(one: tuple[Any, float, int]) -> tuple[float, bool, int, bool, int]:
            what, price, reason = one
            is_late = number == 0 and reason == LIMIT
            if isinstance(what, Leg):
                return abs(price - current), is_late, -what.side, True, what.exit.sequence
            return abs(price - current), is_late, -what.side, not what.is_market, what.sequence

        return min(met, key=rank)

    def _is_ripe(self, order: Order, number: int) -> bool:
        """Whether an order that was placed on a fill of this bar may be met between points: at the opening it may."""
        return order.born == 0 and not order.is_market and number > 0

    def _trail(self, price: float) -> None:
        for leg in self.book.legs:
            if leg.activation is not None:
                leg.trail(price)

    def _fill_young(self, price: float, number: int) -> None:
        """Fill at an extreme what scripts placed that ran on fills before it on this bar.

        Entries that were placed inside a bar are filled only there; exits there when the leg in progress crossed them.
        """
        for order in list(self.book.orders):
            if order.bar == self.bar and 0 <= order.born <= number and order in self.book.orders:
                found = meets(order, price, price, self._beyond)
                if found is not None:
                    self._fill(order, price, is_limit=order.limit is not None)
                    self._after_fill(price, number + 1)
        for leg in list(self.book.legs):
            if leg.exit.bar == self.bar and leg.exit.born == number and leg in self.book.legs:
                found = leaves(leg, price, price, self.grid, self._beyond)
                if found is not None and self.book.available(leg) > _NOTHING:
                    self._fill_leg(leg, price, found[1])
                    self._after_fill(price, number + 1)

    def _close_bar(self, i: int) -> None:
        """Fill at the close the market orders of this bar's script, and the limits that the close has reached."""
        price = self.prices.close[i]
        walk = self.position.walk
        walk.points = walk.points or self.path(i)
        walk.next = len(walk.points)
        self._walked = self.book.has_changed = True
        waiting = [order for order in self.book.orders if order.is_market or (order.bar == i and order.stop is None)]
        waiting.sort(key=lambda order: (not order.is_market, -order.side, order.sequence))
        for order in waiting:
            if order in self.book.orders and meets(order, price, price, self._beyond) is not None:
                self._fill(order, price, is_limit=order.limit is not None)
                self._after_fill(price, len(walk.points))
        if self.rules.forced is not None:
            forced, self.rules.forced = self.rules.forced, None
            self._fill(forced, price)
        self._trail(price)
        self.ledger.mark(i, price)

    # fills

    def execute(self, order: Order, price: float) -> None:
        """Fill an order at once, at a bar's close where its prices are over."""
        walk = self.position.walk
        if not walk.points or self.price == self.prices.close[self.bar]:
            walk.points = walk.points or self.path(self.bar)
            walk.next = len(walk.points)
        self._walked = self.book.has_changed = True
        self._fill(order, price)

    def _fill(self, order: Order, price: float, is_limit: bool = False) -> None:
        if self._slip and not is_limit:
            price = self.grid.nearest(price + self._slip * order.side)
        if order.kind == ENTRY and not self._admits(order, price):
            self.book.drop(order)
            return
        self.ledger.begin(self.bar, price)
        self.book.drop(order)
        before = self.position.size
        if order.kind == CLOSE:
            self._close_entry(order, price)
        elif order.kind == CLOSE_ALL:
            if before * order.side < 0:
                self._reduce(min(abs(before), order.quantity), price, order)
        else:
            self._open(order, price)
        if self.position.size == before:
            return
        if order.alerts:
            self._tell(order.id, order.comment, order.side, price, before, order.alert_message)
        if order.oca_name and order.oca_type != "none":
            self._apply_group(order.oca_name, order.oca_type, abs(self.position.size - before))
        self._settle(price, is_opening=order.kind in (ENTRY, RAW))

    def _open(self, order: Order, price: float) -> None:
        """An entry or order first closes what is open against it."""
        size = self.position.size
        total = order.quantity + order.flip
        if size * order.side < 0:
            closed = min(abs(size), total)
            self._reduce(closed, price, order)
            total -= closed
        if total > _NOTHING:
            i = self.bar
            trade = self.position.add(order, total, price, i, self.prices.time[i])
            self.book.follow(trade)
        self.book.settle()

    def _close_entry(self, order: Order, price: float) -> None:
        id = order.entry
        size = self.position.size
        if size * order.side >= 0:
            return
        closed = self._reduce(min(abs(size), order.quantity), price, order, entry=id)
        for trade in self.position.cycle:
            if trade.id == id and closed > _NOTHING:
                taken = min(trade.claim, closed)
                trade.claim -= taken
                closed -= taken

    def _reduce(self, quantity: float, price: float, order: Order, entry: str | None = None) -> float:
        i = self.bar
        closed = self.position.reduce(
            quantity,
            price,
            i,
            self.prices.time[i],
            order.id,
            order.comment,
            order.signal,
            entry=entry,
        )
        self.book.settle(order if order.kind in (ENTRY, RAW) else None)
        return closed

    def _fill_leg(self, leg: Leg, price: float, reason: int) -> None:
        standing = leg.exit
        if self._slip and reason != LIMIT:
            price = self.grid.nearest(price + self._slip * leg.side)
        quantity = self.book.available(leg)
        self.ledger.begin(self.bar, price)
        before = self.position.size
        comment = standing.comments[reason] or standing.comments[0]
        message = standing.messages[reason] or standing.messages[0]
        i = self.bar
        closed = self.position.reduce(
            quantity,
            price,
            i,
            self.prices.time[i],
            standing.id,
            comment,
            comment or standing.id,
            only=leg.trade,
            frees_slots=False,
        )
        self.book.done(leg, closed)
        self.book.settle()
        if standing.alerts:
            self._tell(standing.id, comment, leg.side, price, before, message)
        if standing.oca_name:
            self._apply_group(standing.oca_name, "reduce", closed)
        self._settle(price, is_opening=False)

    def _tell(self, id: str, comment: str, side: int, price: float, before: float, message: str) -> None:
        """Write down for alerts what was filled."""
        i, size = self.bar, self.position.size
        action = "buy" if side > 0 else "sell"
        time = self.prices.time[i]
        self.fills.append(Fill(i, time, id, action, abs(size - before), price, size, message, comment))

    def _apply_group(self, name: str, kind: str, quantity: float) -> None:
        """One order of a group was filled: the others are cancelled, or reduced by what was filled."""
        kept: list[Order] = []
        for order in self.book.orders:
            if order.oca_name == name and order.oca_type == kind:
                order.quantity -= quantity
                if kind == "cancel" or order.quantity <= _NOTHING:
                    continue
            kept.append(order)
        self.book.orders = kept
        for leg in self.book.legs:
            if leg.exit.oca_name == name and kind == "reduce":
                leg.reduced += quantity

    def _settle(self, price: float, *, is_opening: bool) -> None:
        """After a fill: what scripts read, the account's curve, the margin, the rules."""
        position = self.position
        self.position_size = position.size
        self.position_avg_price = position.average
        self.closedtrades = len(position.closed)
        self.opentrades = len(position.open)
        self.ledger.end(price)
        self._find_liquidation()
        if is_opening and position.size:
            self._call_margin(price, is_entry=True)
        if self.rules.is_set:
            self.rules.count(price)

    def _admits(self, order: Order, price: float) -> bool:
        """Whether an entry may be filled now; one that may not is dropped, and a reversal that may not has its price.

        A declined reversal keeps the old position, and puts out of force the exits that stand for it and the closes of
        its entries that were called after it.
        """
        position = self.position
        if order.is_market and position.size * order.side > 0 and position.slots >= self._pyramiding:
            return False
        if admits(order, price, self.prices.open[self.bar], self.account, position):
            return True
        if position.size * order.side < 0:
            for standing in self.book.exits:
                standing.is_suspended = True
            self.book.orders = [
                other
                for other in self.book.orders
                if other.kind != CLOSE or other.bar != order.bar or other.sequence < order.sequence
            ]
        return False

    def _find_liquidation(self) -> None:
        self._liquidation = liquidation_price(self.account, self.position, self.grid)
        self.book.has_changed = True

    def _call_margin(self, price: float, *, is_entry: bool = False) -> None:
        """Close a part of the position when its margin is not covered at `price`: once a bar, and when it is opened."""
        i = self.bar
        if not is_entry and self._called == i:
            return
        lack = shortfall(self.account, self.position, price)
        if lack <= 0:
            return
        if not is_entry:
            self._called = i
        size = self.position.size
        quantity = min(call_size(self.account, self.position, price, lack), abs(size))
        side = -1 if size > 0 else 1
        order = Order(CLOSE_ALL, MARGIN_CALL, side, quantity, self.book.turn(), i)
        for standing in self.book.exits:
            standing.is_suspended = False
        self._fill(order, price, is_limit=True)
        self._after_fill(price, self.position.walk.next)

"""The broker: it takes a strategy's orders and fills them on the prices of each bar, as TradingView's emulator does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pinebench.broker.account import Account
from pinebench.broker.book import Book
from pinebench.broker.calls import Calls
from pinebench.broker.extremes import Extremes
from pinebench.broker.gate import FAR, Clock
from pinebench.broker.grid import Grid
from pinebench.broker.ledger import Ledger, Prices
from pinebench.broker.margin import admits, call_size, liquidation_price, shortfall
from pinebench.broker.matching import leaves, meets, path
from pinebench.broker.orders import CLOSE, CLOSE_ALL, ENTRY, LIMIT, RAW, TRAIL, TRIGGER, Leg, Order
from pinebench.broker.position import Position, Walk
from pinebench.broker.properties import Properties
from pinebench.broker.rules import Rules
from pinebench.broker.trades import Fill

NA = float("nan")
_NOTHING = 1e-12
_OPENING = (ENTRY, RAW)
_POINTS = 4
"""The path of a bar has its four prices; where shorter bars are known, its open, four of each, and its close."""
MARGIN_CALL = "Margin call"


def _utc_day(prices: Prices) -> Callable[[int], object]:
    return lambda i: prices.time[i] // 86_400_000


class Broker(Calls):
    """Trades for a strategy on the bars of a chart.

    The runtime calls `before_bar` before a bar's script, which fills what waits, and `after_bar` behind it; it may
    leave out the bars that `gate` does not let through, and then `follow` has told whose bar it is. The script calls
    the methods that are named like Pine's functions. `recalculate`, if it is set, runs the script again on each fill.
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
        are_charts: bool = True,
    ) -> None:
        """`days` gives the trading day of a bar, `ticks` the prices inside each bar where they are known: four of each
        shorter bar, of which the first may have begun before the bar did. Orders are taken from bar `first` on.
        `are_charts` says whether the prices are those of the chart, by which its bars are let through the gate.
        """
        self.properties = properties
        self.prices = prices
        self.grid = Grid(tick)
        self.account = Account(properties, point_value, lot, rates)
        self.position = Position(self.account, prices.high, prices.low, properties.close_entries_rule == "ANY")
        self.book = Book(self.account, self.grid, self.position)
        self.gate = self.book.gate
        self.clock: Any = Clock()
        self.rules = Rules(self, days or _utc_day(prices))
        self.ledger = Ledger(self.account, self.position, prices, self.path, knows_ticks=ticks is not None)
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
        self._pyramiding = max(1, properties.pyramiding)
        self._extremes = Extremes(self.ledger, properties.initial_capital)
        self._slip = properties.slippage * tick
        self._beyond = properties.backtest_fill_limits_assumption * tick
        self._ticks = ticks
        self.first = first or 0
        self._called = -1
        """The bar of the last margin call."""
        self._leg = -1
        """The leg of the path in which a fill made the script run, -1 at a bar's close."""
        self._has_rates = rates is not None
        self._sees_all = self._has_rates or not are_charts or ticks is not None
        self.ends_bars = properties.process_orders_on_close
        self._is_walking = False
        self._fills: list[tuple[Any, ...]] = []
        self._times, self._opens = prices.time, prices.open
        self._highs, self._lows, self._closes = prices.high, prices.low, prices.close
        self._above, self._below = FAR, -FAR
        """The prices of the gate as they are where it has to let every bar through."""

    @property
    def fills(self) -> list[Fill]:
        """The orders that were executed, in their order."""
        return [Fill(*one) for one in self._fills]

    @property
    def margin_liquidation_price(self) -> float:
        return liquidation_price(self.account, self.position, self.grid)

    # bars

    def follow(self, clock: Any) -> None:
        """Take the bar that runs from `clock.index`."""
        self.clock = clock

    def before_bar(self, i: int) -> None:
        """Fill what waits on the prices of bar `i`."""
        self.clock.index = i
        if self._has_rates:
            self.account.begin_bar(i)
            self.gate.forget()
        if self.rules.is_set:
            self.rules.begin_bar(i)
        if not self.gate.is_known:
            self._find_gate()
        if self._highs[i] >= self._above or self._lows[i] <= self._below or self._ticks is not None:
            self._walk(i)

    def after_bar(self, i: int) -> None:
        """Fill at the close what may be filled there, once the bar's script has run."""
        if self.ends_bars and (self.book.orders or self.book.legs):
            self._close_bar(i)

    def _find_gate(self) -> None:
        """Find the prices at or above which, and at or below which, anything can happen on a bar: an order is met, a
        trailing stop moves or is met, a margin call or the end of a rule comes.
        """
        gate, above, below = self.gate, FAR, -FAR
        gate.is_known = True
        for order in self.book.orders:
            level = order.stop
            rises = order.side > 0
            if level is None or order.triggered:
                level, rises = order.limit, not rises
            if level is None:
                self._above = gate.above = -FAR
                return
            if rises:
                if level < above:
                    above = level
            elif level > below:
                below = level
        for leg in self.book.legs:
            highest, lowest = leg.reach(self.grid)
            if highest < above:
                above = highest
            if lowest > below:
                below = lowest
        size = self.position.size
        if size:
            price = liquidation_price(self.account, self.position, self.grid)
            if size < 0 and price < above:
                above = price
            elif size > 0 and price > below:
                below = price
        rules = self.rules
        if rules.watches or rules.forced is not None:
            highest, lowest = rules.reach()
            above, below = min(above, highest), max(below, lowest)
        self._above, self._below = above, below
        gate.above, gate.below = (-FAR if rules.is_set or self._sees_all else above), below

    def path(self, i: int) -> Sequence[float]:
        """The prices of a bar in the order in which they came."""
        if self._ticks is not None:
            known = self._ticks[i]
            if known:
                return (self._opens[i], *known, self._closes[i])
        return path(self._opens[i], self._highs[i], self._lows[i], self._closes[i])

    def _walk(self, i: int) -> None:
        book, position, rules, gate = self.book, self.position, self.rules, self.gate
        points = self.path(i)
        walk = position.walk
        walk.bar, walk.points, walk.next = i, points, 1
        self._is_walking = True
        current = points[0]
        if rules.watches:
            rules.check(current)
        if len(book.orders) == 1 and not book.legs and self.recalculate is None and book.orders[0].is_market:
            self._fill(book.orders[0], current)  # the commonest way to trade needs no search
        if book.orders or book.legs or rules.forced is not None:
            self._advance(current, current, 0)
        is_magnified = len(points) > _POINTS
        lowest, highest = (min(points), max(points)) if is_magnified else (self._lows[i], self._highs[i])
        if not (book.orders or book.legs or rules.watches) and rules.forced is None and self.recalculate is None:
            size = position.size
            if not size or shortfall(self.account, position, lowest if size > 0 else highest) <= 0:
                walk.next = len(points)
                self._is_walking = False
                return  # nothing can happen any more on this bar
        for number in range(1, len(points)):
            point = points[number]
            if book.orders or book.legs or rules.forced is not None:
                walk.next = number
                if not gate.is_known:
                    self._find_gate()
                # A shorter bar begins where it opens, and the close of the bar comes behind them all: between these
                # and what was before there were no prices.
                start = point if is_magnified and number % _POINTS == 1 else current
                top, bottom = (start, point) if start > point else (point, start)
                if top >= self._above or bottom <= self._below or self.recalculate is not None:
                    self._advance(start, point, number)
            current = point
            walk.next = number + 1
            size = position.size
            if (point == lowest and size > 0) or (point == highest and size < 0):
                self._call_margin(point)
            if rules.watches:
                rules.check(point)
            if not position.size and not book.orders and not book.legs and rules.forced is None:
                break
        self._is_walking = False

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
                self.gate.forget()
                continue
            if isinstance(met, Leg):
                self._fill_leg(met, price, reason)
            else:
                self._fill(met, price, is_limit=met.limit is not None)
            if self.recalculate is not None:
                self._after_fill(price, self._live(number + (price == end and number > 0)))
        if self.rules.forced is not None:
            forced, self.rules.forced = self.rules.forced, None
            self._fill(forced, end)
        if book.legs:
            self._trail(end)
        if self.recalculate is not None and 0 < number < len(self.position.walk.points) - 1:
            self._fill_young_at(end, number)

    def _after_fill(self, price: float, leg: int) -> None:
        """Let the script run again on a fill, if the strategy asks for it."""
        if self.recalculate is None:
            return
        self._at = price
        self._leg = leg
        self.recalculate()
        self._leg, self._at = -1, None

    def _nearest(self, current: float, end: float, number: int) -> tuple[Any, float, int] | None:
        """The order or leg that is met first between two prices, at which price, and what of it is met.

        At one price buying comes before selling, and market orders before others of their side; limits that the opening
        of a bar has passed come last.
        """
        orders, legs, bar = self.book.orders, self.book.legs, self.clock.index
        if not legs and len(orders) == 1:
            order = orders[0]
            if order.bar == bar and order.is_young(number):
                return None
            found = meets(order, current, end, self._beyond)
            return None if found is None else (order, *found)
        met: list[tuple[Any, float, int]] = []
        for order in orders:
            if order.bar == bar and order.is_young(number):
                continue
            found = meets(order, current, end, self._beyond)
            if found is not None:
                met.append((order, *found))
        for leg in legs:
            standing = leg.exit
            if standing.bar == bar and standing.born >= number > 0:
                continue
            found = leaves(leg, current, end, self.grid, self._beyond)
            if found is not None and self.book.available(leg) > _NOTHING:
                met.append((leg, *found))
        if len(met) < 2:
            return met[0] if met else None

        def rank(one: tuple[Any, float, int]) -> tuple[float, bool, int, float, bool, int]:
            what, price, reason = one
            side = what.side
            late = what.limit * side if number == 0 and reason == LIMIT else None
            is_leg = isinstance(what, Leg)
            sequence = what.exit.sequence if is_leg else what.sequence
            is_priced = is_leg or not what.is_market
            return abs(price - current), late is not None, -side, late or 0.0, is_priced, sequence

        return min(met, key=rank)

    def _live(self, number: int) -> int:
        """The point of the path from which on an order is live that a script places which runs before point `number`:
        that one, but for the closes of shorter bars.
        """
        is_close = number and number % _POINTS == 0 and len(self.position.walk.points) > _POINTS
        return number + 1 if is_close else number

    def _trail(self, price: float) -> None:
        for leg in self.book.legs:
            if leg.activation is not None:
                leg.trail(price)
                self.gate.forget()

    def _fill_young_at(self, price: float, number: int) -> None:
        """Fill at a point of the path what scripts placed that ran on fills before it on this bar: at each extreme, and
        at the open of a shorter bar twice, but not at its close; the open of a bar and of its first shorter bar count
        as one where they are the same.
        """
        points = self.position.walk.points
        if len(points) > _POINTS:
            if number % _POINTS == 0:
                return
            if number % _POINTS == 1 and (number > 1 or price != points[0]):
                self._fill_young(price, number, number)
        self._fill_young(price, number, self._live(number + 1))

    def _fill_young(self, price: float, number: int, live: int) -> None:
        """Fill at an extreme what scripts placed that ran on fills before it on this bar.

        Entries are live from there on, exits are filled there when the leg in progress crossed them; `live` is the
        point from which on those are live that these fills bring.
        """
        for order in list(self.book.orders):
            if order.bar == self.clock.index and 0 <= order.born <= number and order in self.book.orders:
                found = meets(order, price, price, self._beyond)
                if found is not None:
                    self._fill(order, price, is_limit=order.limit is not None)
                    self._after_fill(price, live)
        for leg in list(self.book.legs):
            if leg.exit.bar == self.clock.index and leg.exit.born == number and leg in self.book.legs:
                found = leaves(leg, price, price, self.grid, self._beyond)
                if found is not None and self.book.available(leg) > _NOTHING:
                    self._fill_leg(leg, price, found[1])
                    self._after_fill(price, live)

    def _close_bar(self, i: int) -> None:
        """Fill at the close the market orders, then what this bar's script placed and the close has reached: entries,
        and after them exits, those of the entries too.

        A stop-limit waits for the next bar, and so does what an earlier bar's script placed and this one's did not.
        """
        price = self.grid.nearest(self._closes[i])
        walk = self._end_walk(i)
        waiting = [
            order for order in self.book.orders if order.is_market or (order.bar == i and not order.is_stop_limit)
        ]
        waiting.sort(key=lambda order: (not order.is_market, -order.side, order.sequence))
        for order in waiting:
            if order in self.book.orders and meets(order, price, price, self._beyond) is not None:
                self._fill(order, price, is_limit=order.limit is not None)
                self._after_fill(price, len(walk.points))
        for leg in [leg for leg in self.book.legs if leg.exit.bar == i]:
            found = leaves(leg, price, price, self.grid, self._beyond)
            if (
                found is not None
                and found[1] != TRAIL
                and leg in self.book.legs
                and self.book.available(leg) > _NOTHING
            ):
                self._fill_leg(leg, price, found[1])
                self._after_fill(price, len(walk.points))
        if self.rules.forced is not None:
            forced, self.rules.forced = self.rules.forced, None
            self._fill(forced, price)
        self._trail(price)

    def _end_walk(self, i: int) -> Walk:
        """The prices of a bar are over."""
        walk = self.position.walk
        if walk.bar != i:
            walk.bar, walk.points = i, self.path(i)
        walk.next = len(walk.points)
        return walk

    # fills

    def execute(self, order: Order, price: float) -> None:
        """Fill an order at once, at a bar's close where its prices are over."""
        if not self._is_walking:
            self._end_walk(self.clock.index)
        self._fill(order, price)

    def _market_price(self, price: float, side: int) -> float:
        """What an order that is not a limit pays: the tick nearest to the price that fills it, and its slippage."""
        return self.grid.nearest(price + self._slip * side)

    def _fill(self, order: Order, price: float, is_limit: bool = False) -> None:
        if not is_limit:
            price = self._market_price(price, order.side)
        self.gate.forget()
        if order.kind == ENTRY and not self._admits(order, price):
            self.book.drop(order)
            return
        self.book.drop(order)
        position, kind = self.position, order.kind
        before = position.size
        if kind == CLOSE:
            self._close_entry(order, price)
        elif kind == CLOSE_ALL:
            if before * order.side < 0:
                self._reduce(min(abs(before), order.quantity), price, order)
        else:
            self._open(order, price)
        if position.size == before:
            self.ledger.write(self.clock.index, price)
            return
        if order.alerts:
            self._tell(order.id, order.comment, order.side, price, before, order.alert_message)
        if order.oca_type != "none" and order.oca_name:
            self._apply_group(order.oca_name, order.oca_type, abs(position.size - before))
        self._settle(price, is_opening=kind in _OPENING)

    def _open(self, order: Order, price: float) -> None:
        """An entry or order first closes what is open against it."""
        size = self.position.size
        total = order.quantity + order.flip
        if size * order.side < 0:
            closed = min(abs(size), total)
            self._reduce(closed, price, order)
            total -= closed
        if total > _NOTHING:
            i = self.clock.index
            trade = self.position.add(order, total, price, i, self._times[i])
            if self.book.exits:
                self.book.follow(trade)
        if self.book.exits:
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
        i = self.clock.index
        closed = self.position.reduce(
            quantity,
            price,
            i,
            self._times[i],
            order.id,
            order.comment,
            order.comment or order.id,
            entry=entry,
        )
        self.book.settle(order if order.kind in _OPENING else None)
        return closed

    def _fill_leg(self, leg: Leg, price: float, reason: int) -> None:
        standing = leg.exit
        if reason != LIMIT:
            price = self._market_price(price, leg.side)
        quantity = self.book.available(leg)
        self.gate.forget()
        before = self.position.size
        comment = standing.comments[reason] or standing.comments[0]
        message = standing.messages[reason] or standing.messages[0]
        i = self.clock.index
        closed = self.position.reduce(
            quantity,
            price,
            i,
            self._times[i],
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
        i, size = self.clock.index, self.position.size
        action = "buy" if side > 0 else "sell"
        self._fills.append((i, self._times[i], id, action, abs(size - before), price, size, message, comment))

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
        self.ledger.write(self.clock.index, price)
        if is_opening and position.size and shortfall(self.account, position, price) > 0:
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
        if admits(order, price, self._opens[self.clock.index], self.account, position):
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

    def _call_margin(self, price: float, *, is_entry: bool = False) -> None:
        """Close a part of the position when its margin is not covered at `price`: once a bar, and when it is opened."""
        i = self.clock.index
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

"""The broker: it takes a strategy's orders and fills them on the prices of each bar, as TradingView's emulator does.

`Broker` has one part for each task: the account's money, the position, the order book, the risk rules, and the ledger,
which stores the account after each fill. `Calls` has the functions that place orders, `Variables` has the values that a
script reads, and `Filler` fills orders. This module follows the prices of a bar and finds the next order to fill.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pinebench.broker.account import NA, Account
from pinebench.broker.book import Book
from pinebench.broker.calls import Calls
from pinebench.broker.equity_extremes import Extremes
from pinebench.broker.gate import FAR, Gate
from pinebench.broker.grid import Grid
from pinebench.broker.ledger import Change, Ledger, Prices
from pinebench.broker.margin import liquidation_price, shortfall
from pinebench.broker.moment import Moment
from pinebench.broker.observed import ObservedBook, ObservedFiller, ObservedRules, Observer
from pinebench.broker.order_conditions import leaves, meets
from pinebench.broker.order_fills import Filler
from pinebench.broker.orders import LIMIT, TRAIL, TRIGGER, Leg, Order, Trade
from pinebench.broker.position import Position
from pinebench.broker.price_paths import Paths, begins, ends
from pinebench.broker.properties import Properties
from pinebench.broker.rules import Rules
from pinebench.broker.slippage import Slippage
from pinebench.broker.trades import ClosedTrade, Fill
from pinebench.broker.variables import Variables

_NOTHING = 1e-12


@dataclass
class ComputedRun:
    """A complete run computed by machine code.

    `position` has the position's size, average price, cost and entry commissions. `changes` has the account after each
    fill (`ledger.Change`), and `fills` the arguments of each `Fill`. The run ended on the path of bar `walk_bar`,
    before point `walk_next`.
    """

    closed: list[ClosedTrade]
    open: list[Trade]
    net_profit: float
    position: tuple[float, float, float, float]
    changes: list[Change]
    fills: list[tuple[Any, ...]]
    walk_bar: int
    walk_next: int
    small_orders: int
    cut_orders: int
    uncovered: int


Rank = tuple[float, bool, float, float, bool, float]
"""The rank of an order or leg whose price was reached: the lowest rank is filled first."""


def _makers(observer: Observer | None) -> tuple[type[Book] | Any, type[Rules] | Any, type[Filler] | Any]:
    """The classes of the parts that tell an observer what happens; the plain classes if there is no observer."""
    if observer is None:
        return Book, Rules, Filler
    parts = (ObservedBook, ObservedRules, ObservedFiller)
    made = [partial(part, observer=observer) for part in parts]
    return made[0], made[1], made[2]


class Broker:
    """Trades for a strategy on the bars of a chart.

    On each bar, the runtime calls `before_bar` to fill the waiting orders, runs the script, and calls `after_bar`. It
    may skip these calls on bars that `gate` does not let through. It must then call `follow` once, so that the broker
    knows the current bar. `recalculate`, if set, runs the script again on each fill. `calls` has the functions of
    `strategy.*` that place orders and set rules. `variables` has the values that a script reads, with underscores for
    dots in their names.
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
        is_currency_known: bool = True,
        rates: Sequence[float] | None = None,
        days: Sequence[int] | None = None,
        ticks: Sequence[Sequence[float] | None] | None = None,
        first: int | None = None,
        are_charts: bool = True,
        observer: Observer | None = None,
    ) -> None:
        """Make a broker for the bars `prices`.

        `tick` is the smallest price step, `point_value` the value of one point of one contract, `lot` the smallest
        quantity step. `rates` has the exchange rate from the symbol's currency to the account's for each bar. `days`
        has the trading day of each bar, as a number; without them, the days are in UTC. `ticks` has the prices inside
        each bar if they are known: four prices of each shorter bar; the first shorter bar may begin before the bar.
        Orders that are called before bar `first` are ignored. `are_charts` says whether `prices` are the chart's own
        prices; if they are not, the gate lets every bar through. `is_currency_known` says whether `currency`, the
        symbol's currency, is known; if it is assumed, the figures do not name it. `observer` is called with everything
        that happens to orders.
        """
        self.properties = properties
        self.prices = prices
        self.first = first or 0
        self.recalculates = properties.calc_on_order_fills
        self.ends_bars = properties.process_orders_on_close
        pyramiding = max(1, properties.pyramiding)
        self.grid = grid = Grid(tick)
        self.slippage = slippage = Slippage(properties.slippage, grid)
        self.paths = Paths(prices.open, prices.high, prices.low, prices.close, ticks)
        self.moment = moment = Moment(prices.close)
        self.gate = gate = Gate()
        self.account = account = Account(properties, point_value, lot, rates)
        by_entry = properties.close_entries_rule == "ANY"
        self.position = position = Position(account, prices.high, prices.low, by_entry)
        make_book, make_rules, make_filler = _makers(observer)
        self.book = book = make_book(account, grid, position, gate)
        days = days or [time // 86_400_000 for time in prices.time]
        self.rules = make_rules(account, position, book, gate, moment, prices.open, days)
        self.ledger = Ledger(account, position, self.paths)
        self.extremes = Extremes(self.ledger, account, prices)
        self.variables = Variables(account, position, grid, self.ledger, self.extremes, moment, currency)
        self.known_currency = account.currency or (currency if is_currency_known else "")
        """The account's currency; empty if it is the symbol's currency, which is not known."""
        self.filler = make_filler(
            account,
            position,
            book,
            self.ledger,
            self.rules,
            slippage,
            moment,
            prices.time,
            prices.open,
            pyramiding,
            self.variables.settle,
        )
        self.calls = Calls(
            account, position, book, self.rules, grid, slippage, moment, self.execute, pyramiding, self.first
        )
        self._beyond = properties.backtest_fill_limits_assumption * tick
        self._is_magnified = ticks is not None
        self._has_rates = rates is not None
        self._sees_all = self._has_rates or not are_charts or ticks is not None
        self._highs, self._lows, self._closes = prices.high, prices.low, prices.close
        self._clock = moment.clock
        self._waiting: list[Order] = []
        """The orders that can be filled at the close of a bar, or at a point of its path."""
        self._leaving: list[Leg] = []
        """The legs that can be filled at the close of a bar, or at a point of its path."""

    @property
    def fills(self) -> list[Fill]:
        """The fills, in order of time."""
        return self.filler.fills

    @property
    def recalculate(self) -> Callable[[], None] | None:
        """The function that runs the script again on each fill; None if the strategy does not request this."""
        return self.moment.recalculate

    @recalculate.setter
    def recalculate(self, script: Callable[[], None] | None) -> None:
        self.moment.recalculate = script

    def restore(self, records: ComputedRun) -> None:
        """Load a complete run that was computed elsewhere: its trades, its fills, and the account after each fill."""
        position, account = self.position, self.account
        account.net_profit = records.net_profit
        account.uncovered, account.cut_orders = records.uncovered, records.cut_orders
        position.closed, position.open = records.closed, records.open
        position.size, position.average, position.cost, position.fees = records.position
        position.walk.begin(records.walk_bar, self.paths.of(records.walk_bar) if records.walk_bar >= 0 else ())
        position.walk.next, position.walk.is_going = records.walk_next, False
        self.ledger.restore(records.changes)
        self.filler.restore(records.fills)
        self.calls.small_orders = records.small_orders
        self.variables.settle()

    # bars

    def follow(self, clock: Any) -> None:
        """From now on, read the index of the current bar from `clock.index`."""
        self._clock = self.moment.clock = clock

    def path(self, i: int) -> Sequence[float]:
        """Return the prices of bar `i` in the order in which they occur."""
        return self.paths.of(i)

    def before_bar(self, i: int) -> None:
        """Fill waiting orders on the prices of bar `i`."""
        gate = self.gate
        self._begin_bar(i)
        if not gate.is_known:
            self._find_gate()
        if self._highs[i] >= gate.highest or self._lows[i] <= gate.lowest:
            self._walk(i)
            if not gate.is_known:
                self._find_gate()

    def open_bar(self, i: int) -> None:
        """Fill waiting orders at the open of bar `i` only. `go_on` must be called before the script runs on the bar.

        Together, the two calls have the same effect as `before_bar`. Strategies that share an account need them,
        because other strategies can trade between the open of a bar and its close.
        """
        self._begin_bar(i)
        self._meet_open(i)

    def go_on(self, i: int) -> None:
        """Fill waiting orders on the prices of bar `i` after its open."""
        self.gate.forget()
        self._meet_rest(i)

    def _begin_bar(self, i: int) -> None:
        self._clock.index = i
        if self._has_rates:
            self.account.begin_bar(i)
            self.gate.forget()
        if self.rules.is_set:
            self.rules.begin_bar(i)

    def after_bar(self, i: int) -> None:
        """Fill orders at the close of bar `i`, after the script, if the strategy processes orders on close."""
        if self.ends_bars and (self.book.orders or self.book.legs):
            self._close_bar(i)

    def execute(self, order: Order, price: float) -> None:
        """Fill an order immediately. If the script runs at the bar's close, all prices of the bar count as passed."""
        if not self.position.walk.is_going:
            self._end_walk(self.moment.clock.index)
        self.filler.fill_order(order, price)

    def _find_gate(self) -> None:
        """Find the price at or above which something can happen on a bar, and the price at or below which it can.

        An order or a trailing stop can be met, a trailing stop can move, a margin call can be due, or a risk rule can
        stop trading.
        """
        above, below = FAR, -FAR
        every_bar = self.rules.is_set or self._sees_all
        if self._is_magnified or self.filler.owed_bar >= 0:
            # The prices of shorter bars can be outside of the range of their bar; what is owed is called at any open.
            self.gate.find(-FAR, FAR, every_bar=every_bar)
            return
        for order in self.book.orders:
            level = order.stop
            rises = order.side > 0
            if level is None or order.triggered:
                level, rises = order.limit, not rises
            if level is None:
                self.gate.find(-FAR, FAR, every_bar=every_bar)
                return
            if rises:
                if level < above:
                    above = level
            elif level > below:
                below = level
        if self.book.legs:
            highest, lowest = self.book.reach()
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
        self.gate.find(above, below, every_bar=every_bar)

    def _walk(self, i: int) -> None:
        self._meet_open(i)
        self._meet_rest(i)

    def _meet_open(self, i: int) -> None:
        book, position, rules, gate = self.book, self.position, self.rules, self.gate
        position.walk.begin(i, self.paths.of(i))
        recalculates = self.moment.recalculate is not None
        current = position.walk.points[0]
        filler = self.filler
        if filler.owed_bar >= 0:
            filler.call_owed(current)
            gate.forget()
        if rules.watches:
            rules.check(current)
        if len(book.orders) == 1 and not book.legs and not recalculates and book.orders[0].is_market:
            filler.fill_order(book.orders[0], current)  # the most common case does not need a search
        if book.orders or book.legs or rules.forced is not None:
            self._advance(current, current, 0)
        if filler.opened is not None:
            filler.check_entry()

    def _meet_rest(self, i: int) -> None:
        book, position, rules, gate = self.book, self.position, self.rules, self.gate
        walk, filler = position.walk, self.filler
        points = walk.points
        count, current = len(points), points[0]
        recalculates = self.moment.recalculate is not None
        lowest, highest = (min(points), max(points)) if self._is_magnified else (self._lows[i], self._highs[i])
        if not (book.orders or book.legs or rules.watches or recalculates) and rules.forced is None:
            size = position.size
            if not size or shortfall(self.account, position, lowest if size > 0 else highest) <= 0:
                walk.next, walk.is_going = count, False
                return  # nothing can happen any more on this bar
        for number in range(1, count):
            point = points[number]
            if book.orders or book.legs or rules.forced is not None:
                walk.next = number
                if not gate.is_known:
                    self._find_gate()
                start = point if self._is_magnified and begins(number, count) else current
                top, bottom = (start, point) if start > point else (point, start)
                if top >= gate.highest or bottom <= gate.lowest or recalculates:
                    self._advance(start, point, number)
            current = point
            walk.next = number + 1
            size = position.size
            if (point == lowest and size > 0) or (point == highest and size < 0):
                filler.call_margin(point)
            if rules.watches:
                rules.check(point)
            if not position.size and not book.orders and not book.legs and rules.forced is None:
                break
        walk.is_going = False

    def _advance(self, current: float, end: float, number: int) -> None:
        """Go from the price `current` to the price `end`, and fill the orders that are met on the way, nearest first.
        `number` is the number of the path's point whose price is `end`."""
        book, moment = self.book, self.moment
        while book.orders or book.legs:
            order, leg, price, reason = self._nearest(current, end, number)
            if not reason:
                break
            if current != price and book.legs:
                book.trail(price)
            current = price
            if order is not None and reason == TRIGGER:
                book.trigger(order)
                continue
            if order is not None:
                self.filler.fill_order(order, price, reason)
            elif leg is not None:
                self.filler.fill_leg(leg, price, reason)
            if self.filler.opened is not None and (number or moment.recalculate is not None):
                self.filler.check_entry()
            if moment.recalculate is not None:
                moment.after_fill(price, self._live(number + (price == end and number > 0)))
        if self.rules.forced is not None:
            self._fill_forced(end)
        if book.legs:
            book.trail(end)
        if moment.recalculate is not None and 0 < number < len(self.position.walk.points) - 1:
            self._fill_young_at(end, number)

    def _fill_forced(self, price: float) -> None:
        """Close the position at `price` if a risk rule asks for it."""
        forced = self.rules.take_forced()
        if forced is not None:
            self.filler.fill_order(forced, price)

    def _nearest(self, current: float, end: float, number: int) -> tuple[Order | None, Leg | None, float, int]:
        """The order or leg that is met first between two prices, with its price and the reason, 0 if none is met.

        At the same price buying comes before selling, and market orders come before other orders of their side. Limits
        that the open of a bar has already passed come last: when buying the lowest first, when selling the highest
        first.
        """
        order, price, reason = self._nearest_order(current, end, number)
        if not self.book.legs:
            return order, None, price, reason
        leg, at, cause = self._nearest_leg(current, end, number)
        if leg is None:
            return order, None, price, reason
        if order is None:
            return None, leg, at, cause
        if self._leg_rank(leg, at, cause, current, number) < self._order_rank(order, price, reason, current, number):
            return None, leg, at, cause
        return order, None, price, reason

    def _nearest_order(self, current: float, end: float, number: int) -> tuple[Order | None, float, int]:
        first: Order | None = None
        price, reason, bar = NA, 0, self.moment.clock.index
        for order in self.book.orders:
            if order.bar == bar and order.is_young(number):
                continue
            at, cause = meets(order, current, end, self._beyond)
            if not cause:
                continue
            if first is not None:
                is_nearer = self._order_rank(order, at, cause, current, number) < self._order_rank(
                    first, price, reason, current, number
                )
                if not is_nearer:
                    continue
            first, price, reason = order, at, cause
        return first, price, reason

    def _nearest_leg(self, current: float, end: float, number: int) -> tuple[Leg | None, float, int]:
        highest, lowest = self.book.reach()
        if (current if current > end else end) < highest and (end if current > end else current) > lowest:
            return None, NA, 0
        first: Leg | None = None
        price, reason, nearest, latest, bar = NA, 0, NA, -FAR, self.moment.clock.index
        for leg in self.book.legs:
            if leg.exit.bar == bar and leg.exit.born >= number > 0:
                continue
            at, cause = leaves(leg, current, end, self.grid, self._beyond)
            if not cause:
                continue
            away = abs(at - current)
            late = leg.limit * leg.side if number == 0 and cause == LIMIT and leg.limit is not None else -FAR
            # All legs are on one side, and the turns of the later ones are not smaller.
            if first is not None and (away > nearest or (away == nearest and late >= latest)):
                continue
            # The available quantity is asked for last, because it depends on all legs before this one.
            if self.book.available(leg) > _NOTHING:
                first, price, reason, nearest, latest = leg, at, cause, away, late
                if away == 0.0 and late == -FAR:
                    break
        return first, price, reason

    def _order_rank(self, order: Order, price: float, reason: int, current: float, number: int) -> Rank:
        is_late = number == 0 and reason == LIMIT
        late = order.limit * order.side if is_late and order.limit is not None else 0.0
        return abs(price - current), is_late, -order.side, late, not order.is_market, order.sequence

    def _leg_rank(self, leg: Leg, price: float, reason: int, current: float, number: int) -> Rank:
        is_late = number == 0 and reason == LIMIT
        late = leg.limit * leg.side if is_late and leg.limit is not None else 0.0
        return abs(price - current), is_late, -leg.side, late, True, leg.exit.sequence

    def _live(self, number: int) -> int:
        """Return the point of the path from which an order is active if a script places it before point `number`. That
        is point `number` itself, or the next one if `number` is the close of a shorter bar."""
        is_end = self._is_magnified and ends(number, len(self.position.walk.points))
        return number + 1 if is_end else number

    def _fill_young_at(self, price: float, number: int) -> None:
        """Fill orders at a point of the path that the script placed on earlier fills of this bar.

        This happens once at each extreme, twice at the open of a shorter bar, and not at the close of a shorter bar.
        The open of the first shorter bar counts only once if it equals the open of the bar.
        """
        points = self.position.walk.points
        if self._is_magnified and ends(number, len(points)):
            return
        if self._is_magnified and begins(number, len(points)) and (number > 1 or price != points[0]):
            self._fill_young(price, number, number)
        self._fill_young(price, number, self._live(number + 1))

    def _fill_young(self, price: float, number: int, live: int) -> None:
        """Fill orders at point `number` of the path, at `price`, that the script placed on earlier fills of this bar.

        Orders are included if they were placed up to this point, exits only if they were placed in the part of the path
        that ends here. Orders that the script places on these fills are active from point `live` on.
        """
        bar = self.moment.clock.index
        self._waiting = [one for one in self.book.orders if one.bar == bar and 0 <= one.born <= number]
        self._leaving = [leg for leg in self.book.legs if leg.exit.bar == bar and leg.exit.born == number]
        for order in self._waiting:
            reason = self._order_met_at(order, price)
            if reason and reason != TRIGGER:
                self.filler.fill_order(order, price, reason)
                self.filler.check_entry()
                self.moment.after_fill(price, live)
        for leg in self._leaving:
            reason = self._leg_met_at(leg, price)
            if reason:
                self.filler.fill_leg(leg, price, reason)
                self.filler.check_entry()
                self.moment.after_fill(price, live)

    def _order_met_at(self, order: Order, price: float) -> int:
        """The reason why an order is met at a price; 0 if it is not met or not in the book any more."""
        if order not in self.book.orders:
            return 0
        _, reason = meets(order, price, price, self._beyond)
        return reason

    def _leg_met_at(self, leg: Leg, price: float) -> int:
        """The reason why a leg is met at a price; 0 if it is not met or not in the book any more."""
        if leg not in self.book.legs:
            return 0
        _, reason = leaves(leg, price, price, self.grid, self._beyond)
        # The available quantity is asked for last, because it depends on all legs before this one.
        if not reason or self.book.available(leg) <= _NOTHING:
            return 0
        return reason

    def _close_bar(self, i: int) -> None:
        """Fill orders at the close of bar `i`: market orders, then priced orders of this bar, then exits of this bar.

        Priced orders and exits are filled only if the close has reached them. Exits include the legs for trades that
        were opened at this close. Stop-limit orders wait for the next bar. Priced orders and exits wait as well if the
        script placed them on an earlier bar and not again on this one.
        """
        price, book = self.grid.nearest(self._closes[i]), self.book
        self._end_walk(i)
        self._waiting = [
            order for order in book.orders if order.is_market or (order.bar == i and not order.is_stop_limit)
        ]
        self._waiting.sort(key=lambda order: (not order.is_market, -order.side, order.sequence))
        for order in self._waiting:
            reason = self._order_met_at(order, price)
            if reason and reason != TRIGGER:
                self.filler.fill_order(order, price, reason)
                self.moment.after_fill(price, len(self.position.walk.points))
        self._leaving = [leg for leg in book.legs if leg.exit.bar == i]
        for leg in self._leaving:
            reason = self._leg_met_at(leg, price)
            if reason and reason != TRAIL:
                self.filler.fill_leg(leg, price, reason)
                self.moment.after_fill(price, len(self.position.walk.points))
        if self.rules.forced is not None:
            self._fill_forced(price)
        self.filler.owe_call(price)
        book.trail(price)

    def _end_walk(self, i: int) -> None:
        """Note that all prices of bar `i` have passed."""
        walk = self.position.walk
        if walk.bar != i:
            walk.begin(i, self.paths.of(i))
        walk.end()

"""The objects of the order book: orders that open or reduce a position, market closes, exits, the trades that they
close, and the legs between an exit and a trade.

This module computes prices and quantities of orders and legs for both tiers, as `Account` computes money.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pinebench.broker.account import Account
    from pinebench.broker.grid import Grid

_FAR = float("inf")
_NA = float("nan")
ENTRY, RAW, CLOSE, CLOSE_ALL = "entry", "order", "close", "close_all"
CLOSE_ALL_ID, MARGIN_CALL = "Close position order", "Margin call"
"""The ids of the orders of `strategy.close_all`, which has no argument for it, and of margin calls."""
CLOSE_WORDS = "Close entry(s) order "
"""The prefix of the id of an order of `strategy.close`; the id of the entry that it closes follows."""
OPENING = (ENTRY, RAW)
CLOSING = (CLOSE, CLOSE_ALL)
LIMIT, STOP, TRAIL, TRIGGER, CALLED = 1, 2, 3, 4, 5
"""The reasons for a fill: a limit, a stop (also for market orders), a trailing stop, the stop of a stop-limit order, a
margin call."""


def reached_first(one: float | None, other: float | None, is_rising: bool) -> float | None:
    """Return which of two prices is reached first: the lower one if prices rise (`is_rising`), else the higher one. If
    one is None, return the other one."""
    if one is None:
        return other
    if other is None:
        return one
    return min(one, other) if is_rising else max(one, other)


def same_price(one: float | None, other: float | None) -> bool:
    """Return whether two prices are equal, or both None."""
    return other is None if one is None else one == other


Terms = tuple[object, ...]
"""The arguments of a call, unchanged."""


def differ(one: Terms, other: Terms) -> bool:
    """Return whether the arguments of two calls differ. Two na values count as equal."""
    if one == other:
        return False
    for a, b in zip(one, other, strict=True):  # noqa: SIM110 (half the time of `any`)
        if a != b and (a == a or b == b):
            return True
    return False


Texts = tuple[str, str, str, str]
"""A comment or message of an exit, followed by its variants for a profit, a loss and a trailing stop."""


@dataclass(slots=True, eq=False)
class Order:
    """An order of `strategy.entry`, `order`, `close` or `close_all`.

    `side` is 1 for a buy and -1 for a sell. `quantity` is in contracts. `flip` is the additional quantity that closes
    an opposite position, as computed at the call. `limit` and `stop` are prices on the grid. `sequence` is the order's
    turn.
    """

    kind: str
    id: str
    side: int
    quantity: float
    sequence: int
    bar: int
    limit: float | None = None
    stop: float | None = None
    oca_name: str = ""
    oca_type: str = "none"
    comment: str = ""
    alert_message: str = ""
    flip: float = 0.0
    entry: str = ""
    """The id of the entry that an order of `strategy.close` closes."""
    triggered: bool = False
    """Whether the stop of a stop-limit order was reached, so that its limit counts."""
    funds: float | None = None
    """The equity at the call of a market entry. It determined the quantity."""
    called_for: float = 0.0
    """The money that the order would bind at the close of the bar on which it was called."""
    is_frozen: bool = False
    """Whether the quantity is the strategy's default quantity, computed from the equity or from cash."""
    born: int = -1
    """The point of the bar's path from which the order is active if the script placed it on a fill; -1 if at the
    close."""
    is_cut: bool = False
    """Whether it lost more than a twentieth of its size when it was rounded to whole lots."""
    from_flat: bool = False
    """Whether there was no position when it was placed, and no market order that opens one."""

    @property
    def is_market(self) -> bool:
        return self.limit is None and self.stop is None

    def is_young(self, number: int) -> bool:
        """Return whether the order is still inactive before point `number` of the path, on the bar of its call. A
        market order that the script placed on a fill can be filled only at a point, never between points."""
        return self.born >= 0 and (self.born >= number or self.is_market)

    @property
    def is_stop_limit(self) -> bool:
        return self.limit is not None and self.stop is not None

    def sized_at(self, price: float) -> float:
        """Return the price from which the quantity is computed: the stop, else the limit, else `price`. A stop or limit
        of 0 does not count."""
        if self.stop is not None and self.stop != 0:
            return self.stop
        if self.limit is not None and self.limit != 0:
            return self.limit
        return price

    @property
    def signal(self) -> str:
        return self.comment or self.id

    def is_like(self, other: Order) -> bool:
        """Return whether the order replaces `other` if their ids are equal: both open a position, or both have the same
        kind."""
        return self.kind == other.kind or (self.kind in OPENING and other.kind in OPENING)

    @property
    def group(self) -> str:
        """The name of the order's OCA group, empty if there is none."""
        return self.oca_name if self.oca_type != "none" else ""


@dataclass(slots=True, eq=False)
class Exit:
    """One call of `strategy.exit`: its prices, and the quantity that its legs close. None stands for na."""

    id: str
    from_entry: str
    sequence: int
    horizon: int = 0
    """The exit applies to orders of its entry with a lower sequence. An exit without `from_entry` applies to all
    orders."""
    quantity: float | None = None
    percent: float = 100.0
    profit: float | None = None
    limit: float | None = None
    loss: float | None = None
    stop: float | None = None
    trail_price: float | None = None
    trail_points: float | None = None
    trail_offset: float | None = None
    oca_name: str = ""
    terms: Terms = ()
    comments: Texts = ("", "", "", "")
    messages: Texts = ("", "", "", "")
    bar: int = -1
    born: int = -1
    """The point of the bar's path from which the exit is active if the script placed it on a fill; -1 if at the
    close."""
    waits: bool = False
    """Whether it waits for the next fill of its entry: it was called when the entry had no trade, only a waiting order
    with a price. Neither a close nor `strategy.cancel` of that order ends it."""
    is_suspended: bool = False
    """Whether `Book.decline` has suspended it. A margin call, or a call with other prices, makes it active again."""
    is_over: bool = False
    """Whether the book is about to remove it."""

    @property
    def is_trailing(self) -> bool:
        return self.trail_price is not None or self.trail_points is not None

    @property
    def is_empty(self) -> bool:
        """Whether the exit has no price that could close a trade."""
        has_profit = self.profit is not None or self.limit is not None
        return not has_profit and self.loss is None and self.stop is None and not self.is_trailing

    def has_prices_of(self, other: Exit) -> bool:
        """Return whether both exits have the same prices."""
        return (
            same_price(self.profit, other.profit)
            and same_price(self.limit, other.limit)
            and same_price(self.loss, other.loss)
            and same_price(self.stop, other.stop)
            and same_price(self.trail_price, other.trail_price)
            and same_price(self.trail_points, other.trail_points)
            and same_price(self.trail_offset, other.trail_offset)
        )


@dataclass(slots=True, eq=False)
class Trade:
    """A filled entry and its open part.

    Prices are in the symbol's currency, and money is in the account's currency. `quantity` is the open part. `claim` is
    the part that no exit and no close of this entry has closed. They can differ under the FIFO rule, because an exit of
    one entry closes the oldest trade.
    """

    side: int
    id: str
    comment: str
    quantity: float
    price: float
    bar: int
    time: int
    sequence: int
    fee: float
    """The part of the entry's commission that belongs to the open quantity."""
    filled: float = 0.0
    claim: float = 0.0
    done: list[str] = field(default_factory=list[str])
    """The ids of the exits that were filled for it."""
    highest: float = _NA
    lowest: float = _NA
    """The lowest price from its entry up to, not including, bar `seen`; `highest` is the highest price."""
    seen: int = 0
    """The first bar whose prices are not included in `highest` and `lowest` yet."""
    reached: int = 0
    """The number of the first point after its entry on the path of its entry bar."""
    leg: Leg | None = field(default=None, repr=False)
    """The trade's earlier leg while `Book.stand` replaces an exit; otherwise None."""


@dataclass(slots=True, eq=False)
class Leg:
    """The part of an exit that closes one trade: its prices on the grid, and the state of its trailing stop.

    `side` is the side of the closing order: -1 if it closes a long trade.
    """

    exit: Exit
    trade: Trade
    side: int
    limit: float | None = None
    stop: float | None = None
    activation: float | None = None
    offset: float = 0.0
    is_one_shot: bool = False
    """Whether the trailing stop has an explicit offset of 0: it is filled at its activation price only."""
    is_armed: bool = False
    peak: float = 0.0
    reduced: float = 0.0
    """The quantity by which fills of other orders of its OCA group have reduced it."""

    def comment(self, reason: int) -> str:
        """Return the comment of a fill. `reason` selects the exit's comment for a profit, a loss or a trailing stop."""
        return self.exit.comments[reason] or self.exit.comments[0]

    def message(self, reason: int) -> str:
        """Return the alert message of a fill. `reason` selects it as in `comment`."""
        return self.exit.messages[reason] or self.exit.messages[0]

    def set_prices(self, grid: Grid) -> None:
        """Compute the leg's prices on the grid from the exit and the trade. If the exit has two prices for the limit,
        the stop or the activation, the price that is reached first counts."""
        standing, entry = self.exit, self.trade.price
        away, is_long = -self.side * grid.tick, self.side < 0
        profit, loss, points = standing.profit, standing.loss, standing.trail_points
        limit = reached_first(standing.limit, None if profit is None else entry + profit * away, is_long)
        stop = reached_first(standing.stop, None if loss is None else entry - loss * away, not is_long)
        start = reached_first(standing.trail_price, None if points is None else entry + points * away, is_long)
        self.limit = None if limit is None else grid.limit(limit, self.side)
        self.stop = None if stop is None else grid.stop(stop, self.side)
        if start is not None:
            self.activation = grid.limit(start, self.side)
            offset = standing.trail_offset
            self.offset = ceil((0.0 if offset is None else offset) - 1e-4) * grid.tick
            self.is_one_shot = offset is not None and offset == 0

    def wanted(self, quantity: float | None, percent: float, trade: Trade, account: Account) -> float:
        """Return the quantity that the leg closes of its trade if no other exit reserves a part. `quantity` is in
        contracts; if it is None, `percent` of the entry is used."""
        if quantity is None:
            if percent >= 100:
                return max(trade.claim - self.reduced, 0.0)
            quantity = account.share(trade.filled, percent)
        return max(min(quantity, trade.claim) - self.reduced, 0.0)

    def trail(self, price: float) -> None:
        """Update the trailing stop with the newest price, which may activate or move it."""
        activation = self.activation
        if activation is None:
            return
        if self.side < 0:
            if self.is_armed:
                self.peak = max(self.peak, price)
            elif price >= activation:
                self.is_armed, self.peak = True, price
        elif self.is_armed:
            self.peak = min(self.peak, price)
        elif price <= activation:
            self.is_armed, self.peak = True, price

    def trailing(self, grid: Grid) -> float:
        """Return the price of the trailing stop after its activation."""
        return grid.nearest(self.peak + self.side * self.offset)

    def reach(self, grid: Grid) -> tuple[float, float]:
        """Return two prices: the market can reach the leg, or move its trailing stop, only at or above the first price,
        or at or below the second."""
        is_long = self.side < 0
        over, under = (self.limit, self.stop) if is_long else (self.stop, self.limit)
        above = _FAR if over is None else over
        below = -_FAR if under is None else under
        if self.activation is None:
            return above, below
        if not self.is_armed or self.is_one_shot:
            return (min(above, self.activation), below) if is_long else (above, max(below, self.activation))
        stop = self.trailing(grid)
        return (min(above, self.peak), max(below, stop)) if is_long else (min(above, stop), max(below, self.peak))

"""Orders as the book holds them: those that open or reduce, those that close at the market, and the legs of exits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pinebench.broker.grid import Grid
    from pinebench.broker.trades import Trade

_FAR = float("inf")
ENTRY, RAW, CLOSE, CLOSE_ALL = "entry", "order", "close", "close_all"
OPENING = (ENTRY, RAW)
CLOSING = (CLOSE, CLOSE_ALL)
LIMIT, STOP, TRAIL, TRIGGER, CALLED = 1, 2, 3, 4, 5
"""Why an order is filled: a limit was reached, a stop (so does a market order count), a trailing stop, the stop of a
stop-limit, or a margin is called.
"""


Told = tuple[str, str, str, bool, str, str]
"""What the list of trades and alerts say of a fill: id, comment, message, whether alerts are told; and the name and the
type of its OCA group, no name for none.
"""


@dataclass(slots=True, eq=False)
class Order:
    """An order of `strategy.entry`, `order`, `close` or `close_all`.

    `side` is 1 for buying and -1 for selling, `quantity` contracts, `flip` what it closes of the opposite position
    besides, as fixed at the call; `limit` and `stop` are prices on the grid. `sequence` is its turn among all.
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
    alerts: bool = True
    flip: float = 0.0
    entry: str = ""
    """The entry that a close is for."""
    triggered: bool = False
    """Whether the stop of a stop-limit was reached, so that its limit stands."""
    funds: float | None = None
    """The equity that a market entry was sized and admitted with."""
    called_for: float = 0.0
    """The money that it was to bind at the close of its bar."""
    is_frozen: bool = False
    """Whether the quantity is the strategy's own default share of the equity or cash."""
    born: int = -1
    """The leg of its bar's path in which it was placed, by a script that ran on a fill; -1 for a closing bar's."""
    from_flat: bool = False
    """Whether it was placed without a position and without an order of this bar that opens one."""

    @property
    def turn(self) -> int:
        """Its turn among all orders."""
        return self.sequence

    @property
    def is_market(self) -> bool:
        return self.limit is None and self.stop is None

    def is_young(self, number: int) -> bool:
        """Whether, on the bar of its call, it is not live yet on the way to point `number` of the path.

        A market order that was placed on a fill is filled at a point, not on the way to one.
        """
        return self.born >= 0 and (self.born >= number or self.is_market)

    @property
    def is_stop_limit(self) -> bool:
        return self.limit is not None and self.stop is not None

    @property
    def signal(self) -> str:
        return self.comment or self.id

    def told(self, _reason: int) -> Told:
        """What is said of its fill, and its group."""
        group = self.oca_name if self.oca_type != "none" else ""
        return self.id, self.comment, self.alert_message, self.alerts, group, self.oca_type


@dataclass(slots=True, eq=False)
class Exit:
    """One call of `strategy.exit` as it stands: what its legs close, and where. Absent numbers are None."""

    id: str
    from_entry: str
    sequence: int
    horizon: int = 0
    """Orders of its entry with a lower sequence are covered; an exit without `from_entry` covers all to come."""
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
    terms: tuple[object, ...] = ()
    """All that it was called with, as it was given."""
    comments: tuple[str, str, str, str] = ("", "", "", "")
    """Its comment, and those for profit, loss and trailing."""
    messages: tuple[str, str, str, str] = ("", "", "", "")
    alerts: bool = True
    bar: int = -1
    born: int = -1
    """The bar, and the leg of its path, in which a script that ran on a fill placed it; -1 for a closing bar's."""
    is_suspended: bool = False
    """Whether a declined reversal has put it out of force until it is issued with other prices."""

    @property
    def is_trailing(self) -> bool:
        return self.trail_price is not None or self.trail_points is not None

    @property
    def is_empty(self) -> bool:
        """Whether no price is given at which it could leave."""
        levels = (self.profit, self.limit, self.loss, self.stop)
        return not self.is_trailing and all(level is None for level in levels)

    def prices(self) -> tuple[float | None, ...]:
        return (self.profit, self.limit, self.loss, self.stop, self.trail_price, self.trail_points, self.trail_offset)


@dataclass(slots=True, eq=False)
class Leg:
    """What an exit does for one entry: prices on the grid, and how far its trailing stop has come.

    `side` is that of its orders: -1 where a long position is left.
    """

    exit: Exit
    trade: Trade
    side: int
    limit: float | None = None
    stop: float | None = None
    activation: float | None = None
    offset: float = 0.0
    is_one_shot: bool = False
    """Whether the trailing stop has an explicit offset of 0: it fills where it is activated, and only there."""
    is_armed: bool = False
    peak: float = 0.0
    reduced: float = 0.0
    """What other orders of its OCA group have taken from it."""

    @property
    def turn(self) -> int:
        """The turn of its exit among all orders."""
        return self.exit.sequence

    def told(self, reason: int) -> Told:
        """What is said of its fill, by the reason: the exit's words for a profit, a loss or a trailing stop; and its
        group, in which exits reduce each other.
        """
        standing = self.exit
        comment = standing.comments[reason] or standing.comments[0]
        message = standing.messages[reason] or standing.messages[0]
        return standing.id, comment, message, standing.alerts, standing.oca_name, "reduce"

    def trail(self, price: float) -> None:
        """Take `price` as the newest: it may activate the trailing stop, or move it."""
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
        """Where the trailing stop stands once it is activated."""
        return grid.nearest(self.peak + self.side * self.offset)

    def reach(self, grid: Grid) -> tuple[float, float]:
        """The prices at or above which, and at or below which, the leg is met or its trailing stop moves."""
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

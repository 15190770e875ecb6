"""Open trades, closed trades and fills."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pinebench.broker.orders import Leg

NA = float("nan")


@dataclass(slots=True, eq=False)
class Trade:
    """A filled entry, and the part of it that is still open.

    Prices are in the symbol's currency, money is in the account's currency.
    `quantity` is the open part. `claim` is the part that no exit and no close of this entry has closed. Under the rule
    FIFO the two can differ, because an exit of one entry closes the oldest trade.
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
    highest: float = NA
    lowest: float = NA
    """The lowest price from its entry up to, not including, bar `seen`; `highest` is the highest price."""
    seen: int = 0
    """The first bar whose prices are not included in `highest` and `lowest` yet."""
    reached: int = 0
    """The number of the first point after its entry on the path of its entry bar."""
    leg: Leg | None = field(default=None, repr=False)
    """The leg that another one replaces, while `Book.stand` replaces an exit."""


@dataclass(slots=True)
class ClosedTrade:
    """A closed trade, or a closed part of a trade: one row of the list of trades.

    `profit`, `commission`, `run_up` and `drawdown` are in the account's currency; `drawdown` is not negative.
    """

    side: int
    quantity: float
    entry_id: str
    entry_comment: str
    entry_bar: int
    entry_time: int
    entry_price: float
    exit_id: str
    exit_comment: str
    exit_signal: str
    exit_bar: int
    exit_time: int
    exit_price: float
    profit: float
    commission: float
    value: float
    """The value of the entry: price times quantity times point value."""
    run_up: float
    drawdown: float
    entry_fee: float
    """The part of the commission that was paid at the entry."""
    open_fees: float
    """The entry commissions of the trades that were still open after this one was closed."""

    @property
    def entry_signal(self) -> str:
        return self.entry_comment or self.entry_id

    @property
    def invested(self) -> float:
        """The value of the entry plus its commission. TradingView's percentages of a trade refer to it."""
        return self.value + self.entry_fee

    @property
    def profit_percent(self) -> float:
        invested = self.invested
        return 100 * self.profit / invested if invested else 0.0


@dataclass(slots=True)
class Fill:
    """An order that was executed, with the data for an alert."""

    bar: int
    time: int
    id: str
    action: str
    """`buy` or `sell`."""
    quantity: float
    price: float
    position: float
    """The size of the position after the fill; negative if short."""
    message: str
    comment: str

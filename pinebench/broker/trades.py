"""Trades: what one entry opened, and the parts of it that orders closed."""

from __future__ import annotations

from dataclasses import dataclass

NA = float("nan")


@dataclass(slots=True, eq=False)
class Trade:
    """An entry that was filled, and what is still open of it; prices are the symbol's, money is the account's.

    `quantity` is what is open, `claim` what neither an exit nor a close of this entry has taken: under FIFO the two
    differ, because what an exit of one entry closes is the oldest trade.
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
    """The commission of the entry that is not charged to a closed part yet."""
    filled: float = 0.0
    claim: float = 0.0
    done: frozenset[str] = frozenset()
    """The exits that were filled for it."""
    highest: float = NA
    lowest: float = NA
    """The extreme prices from its entry to `seen`."""
    seen: int = 0
    """The first bar whose prices are not in `highest` and `lowest` yet."""
    reached: int = 0
    """The number of the point of its first bar's path that came after its entry."""


@dataclass(slots=True)
class ClosedTrade:
    """A trade, or a part of one, that is over: as a row of the list of trades.

    `profit`, `commission`, `run_up` and `drawdown` are money of the account; `drawdown` is not negative.
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
    """What the entry cost: price, quantity and point value."""
    run_up: float
    drawdown: float

    @property
    def entry_signal(self) -> str:
        return self.entry_comment or self.entry_id

    @property
    def profit_percent(self) -> float:
        return 100 * self.profit / self.value if self.value else 0.0


@dataclass(slots=True)
class Fill:
    """An order that was executed, as an alert tells it."""

    bar: int
    time: int
    id: str
    action: str
    """`buy` or `sell`."""
    quantity: float
    price: float
    position: float
    """The position after it."""
    message: str
    comment: str

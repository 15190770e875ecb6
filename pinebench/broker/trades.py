"""Closed trades and fills."""

from __future__ import annotations

from dataclasses import dataclass


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

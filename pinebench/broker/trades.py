"""Closed trades and fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from pinebench.broker.orders import MARGIN_CALL

NA = float("nan")


def percent_of_entry(amount: float, invested: float) -> float:
    """Return `amount` in percent of `invested`, the entry's value plus its commission; 0 if `invested` is 0."""
    return 100 * amount / invested if invested else 0.0


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
    def bars(self) -> int:
        """The number of bars from the entry to the exit, including both."""
        return self.exit_bar - self.entry_bar + 1

    @property
    def entry_signal(self) -> str:
        return self.entry_comment or self.entry_id

    @property
    def invested(self) -> float:
        """The entry's value (positive even at a negative price) plus its commission, to which TradingView's percentages
        of a trade refer."""
        return abs(self.value) + self.entry_fee

    @property
    def profit_percent(self) -> float:
        return percent_of_entry(self.profit, self.invested)


class TradeColumns:
    """Closed trades as columns: one value for each trade, in the order in which they were closed.

    `call_bars` and `call_prices` have the bar and the price of each margin call, and na for other trades. The class
    runs on both tiers, as `Position` does.
    """

    __slots__ = ("bars", "call_bars", "call_prices", "commissions", "percents", "profits", "sides")

    def __init__(self) -> None:
        self.sides: list[float] = []
        self.profits: list[float] = []
        self.percents: list[float] = []
        self.commissions: list[float] = []
        self.bars: list[float] = []
        self.call_bars: list[float] = []
        self.call_prices: list[float] = []

    def add(self, trade: ClosedTrade) -> None:
        """Add a trade at the end."""
        is_call = trade.exit_id == MARGIN_CALL
        self.sides.append(trade.side)
        self.profits.append(trade.profit)
        self.percents.append(trade.profit_percent)
        self.commissions.append(trade.commission)
        self.bars.append(trade.bars)
        self.call_bars.append(trade.exit_bar if is_call else NA)
        self.call_prices.append(trade.exit_price if is_call else NA)

    def only(self, chosen: Sequence[bool]) -> TradeColumns:
        """Return the trades for which `chosen` is true."""
        made = TradeColumns()
        for name in self.__slots__:
            setattr(made, name, list(compress(getattr(self, name), chosen)))
        return made


@dataclass(slots=True)
class Fill:
    """An executed order, with the data for an alert."""

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

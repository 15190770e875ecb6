"""What a script reads: the variables of `strategy.*`, and what is known of each open and closed trade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pinebench.broker.account import Account
from pinebench.broker.book import Book
from pinebench.broker.extremes import Extremes
from pinebench.broker.grid import Grid
from pinebench.broker.ledger import Ledger
from pinebench.broker.position import Position
from pinebench.broker.rules import Rules
from pinebench.broker.trades import ClosedTrade, Trade

NA = float("nan")
KEPT_TRADES = 9000
"""TradingView keeps what is known of so many closed trades (manual, "Trade limit")."""


def percent_of(part: float, whole: float) -> float:
    """`part` in percent of `whole`; na of nothing."""
    return 100 * part / whole if whole else NA


def _of_open(read: Callable[[Any, Trade], Any], nothing: Any = NA) -> Callable[..., Any]:
    """A function of an open trade by its number; `nothing` where there is none."""

    def answer(self: Answers, *, trade_num: float) -> Any:
        trades = self.position.open
        return read(self, trades[int(trade_num)]) if 0 <= trade_num < len(trades) else nothing

    return answer


def _of_closed(read: Callable[[ClosedTrade], Any], nothing: Any = NA) -> Callable[..., Any]:
    """A function of a closed trade by its number; `nothing` where there is none, or it is not kept any more."""

    def answer(self: Answers, *, trade_num: float) -> Any:
        trades = self.position.closed
        is_kept = max(0, len(trades) - KEPT_TRADES) <= trade_num < len(trades)
        return read(trades[int(trade_num)]) if is_kept else nothing

    return answer


class Answers:
    """The account as a script sees it at the newest price; money is the account's, percents are times 100."""

    account: Account
    position: Position
    book: Book
    grid: Grid
    ledger: Ledger
    rules: Rules
    prices: Any
    clock: Any
    initial_capital: float
    _closes: Sequence[float]
    _at: float | None = None
    """The price of the fill on which the script runs, None at a bar's close."""
    _extremes: Extremes
    _counted: int = 0
    _wins: int = 0
    _losses: int = 0
    _won: float = 0.0
    _lost: float = 0.0
    _percent: float = 0.0
    _won_percent: float = 0.0
    _lost_percent: float = 0.0

    @property
    def bar(self) -> int:
        """The bar that runs."""
        return self.clock.index

    @property
    def price(self) -> float:
        """The newest price: the close when a bar's script runs, that of the fill on which it runs within a bar."""
        if self._at is not None:
            return self._at
        i = self.clock.index
        return self._closes[i] if i >= 0 else NA

    @property
    def equity(self) -> float:
        account, position = self.account, self.position
        size = position.size
        if not size:
            return account.capital + account.net_profit
        # As `Position.equity` reckons it: many scripts ask for it on every bar.
        price = self._closes[self.clock.index] if self._at is None else self._at
        profit = (size * price - position.cost) * account.worth - position.fees
        return account.capital + account.net_profit + profit

    @property
    def netprofit(self) -> float:
        """What closed trades have earned, less the commissions that open trades have paid for their entries."""
        return self.account.net_profit - self.position.fees

    @property
    def netprofit_percent(self) -> float:
        return percent_of(self.netprofit, self.initial_capital)

    @property
    def openprofit(self) -> float:
        """What open trades have earned, commissions left aside."""
        position = self.position
        return (position.size * self.price - position.cost) * self.account.worth if position.size else 0.0

    @property
    def openprofit_percent(self) -> float:
        return percent_of(self.openprofit, self.initial_capital + self.netprofit)

    def _count(self) -> None:
        """Take the trades that were closed since the last time into the sums."""
        closed = self.position.closed
        for trade in closed[self._counted :]:
            percent = trade.profit_percent
            self._percent += percent
            if trade.profit > 0:
                self._wins += 1
                self._won += trade.profit
                self._won_percent += percent
            elif trade.profit < 0:
                self._losses += 1
                self._lost -= trade.profit
                self._lost_percent -= percent
        self._counted = len(closed)

    @property
    def wintrades(self) -> int:
        self._count()
        return self._wins

    @property
    def losstrades(self) -> int:
        self._count()
        return self._losses

    @property
    def eventrades(self) -> int:
        self._count()
        return self._counted - self._wins - self._losses

    @property
    def grossprofit(self) -> float:
        self._count()
        return self._won

    @property
    def grossprofit_percent(self) -> float:
        return percent_of(self.grossprofit, self.initial_capital)

    @property
    def grossloss(self) -> float:
        self._count()
        return self._lost

    @property
    def grossloss_percent(self) -> float:
        return percent_of(self.grossloss, self.initial_capital)

    @property
    def avg_trade(self) -> float:
        count = len(self.position.closed)
        return self.account.net_profit / count if count else NA

    @property
    def avg_trade_percent(self) -> float:
        self._count()
        return self._percent / self._counted if self._counted else NA

    @property
    def avg_winning_trade(self) -> float:
        return self.grossprofit / self._wins if self.wintrades else NA

    @property
    def avg_winning_trade_percent(self) -> float:
        return self._won_percent / self._wins if self.wintrades else NA

    @property
    def avg_losing_trade(self) -> float:
        return self.grossloss / self._losses if self.losstrades else NA

    @property
    def avg_losing_trade_percent(self) -> float:
        return self._lost_percent / self._losses if self.losstrades else NA

    @property
    def position_entry_name(self) -> str:
        cycle = self.position.cycle
        return cycle[0].id if cycle else ""

    @property
    def opentrades_capital_held(self) -> float:
        size = self.position.size
        return self.account.bound(abs(size), self.price, 1 if size > 0 else -1) if size else 0.0

    @property
    def closedtrades_first_index(self) -> int:
        return max(0, len(self.position.closed) - KEPT_TRADES)

    # extremes of the whole run

    @property
    def max_contracts_held_all(self) -> float:
        return max(self.max_contracts_held_long, self.max_contracts_held_short)

    @property
    def max_contracts_held_long(self) -> float:
        return self.ledger.largest[0]

    @property
    def max_contracts_held_short(self) -> float:
        return self.ledger.largest[1]

    @property
    def max_drawdown(self) -> float:
        return self._extremes.read(self).drawdown

    @property
    def max_drawdown_percent(self) -> float:
        return self._extremes.read(self).drawdown_percent

    @property
    def max_runup(self) -> float:
        return self._extremes.read(self).run_up

    @property
    def max_runup_percent(self) -> float:
        return self._extremes.read(self).run_up_percent

    # trades

    opentrades_size = _of_open(lambda _, trade: trade.side * trade.quantity)
    opentrades_profit = _of_open(lambda self, trade: self.profit_of(trade))
    opentrades_profit_percent = _of_open(lambda self, trade: percent_of(self.profit_of(trade), self.value_of(trade)))
    opentrades_commission = _of_open(lambda _, trade: trade.fee)
    opentrades_max_runup = _of_open(lambda self, trade: self.reach_of(trade)[0])
    opentrades_max_runup_percent = _of_open(
        lambda self, trade: percent_of(self.reach_of(trade)[0], self.value_of(trade))
    )
    opentrades_max_drawdown = _of_open(lambda self, trade: self.reach_of(trade)[1])
    opentrades_max_drawdown_percent = _of_open(
        lambda self, trade: percent_of(self.reach_of(trade)[1], self.value_of(trade))
    )
    opentrades_entry_id = _of_open(lambda _, trade: trade.id, "")
    opentrades_entry_comment = _of_open(lambda _, trade: trade.comment, "")
    opentrades_entry_price = _of_open(lambda _, trade: trade.price)
    opentrades_entry_bar_index = _of_open(lambda _, trade: trade.bar)
    opentrades_entry_time = _of_open(lambda _, trade: trade.time)

    closedtrades_size = _of_closed(lambda trade: trade.side * trade.quantity)
    closedtrades_profit = _of_closed(lambda trade: trade.profit)
    closedtrades_profit_percent = _of_closed(lambda trade: trade.profit_percent)
    closedtrades_commission = _of_closed(lambda trade: trade.commission)
    closedtrades_max_runup = _of_closed(lambda trade: trade.run_up)
    closedtrades_max_runup_percent = _of_closed(lambda trade: percent_of(trade.run_up, trade.value))
    closedtrades_max_drawdown = _of_closed(lambda trade: trade.drawdown)
    closedtrades_max_drawdown_percent = _of_closed(lambda trade: percent_of(trade.drawdown, trade.value))
    closedtrades_entry_id = _of_closed(lambda trade: trade.entry_id, "")
    closedtrades_entry_comment = _of_closed(lambda trade: trade.entry_comment, "")
    closedtrades_entry_price = _of_closed(lambda trade: trade.entry_price)
    closedtrades_entry_bar_index = _of_closed(lambda trade: trade.entry_bar)
    closedtrades_entry_time = _of_closed(lambda trade: trade.entry_time)
    closedtrades_exit_id = _of_closed(lambda trade: trade.exit_id, "")
    closedtrades_exit_comment = _of_closed(lambda trade: trade.exit_comment, "")
    closedtrades_exit_price = _of_closed(lambda trade: trade.exit_price)
    closedtrades_exit_bar_index = _of_closed(lambda trade: trade.exit_bar)
    closedtrades_exit_time = _of_closed(lambda trade: trade.exit_time)

    def profit_of(self, trade: Trade) -> float:
        """What an open trade has earned at the newest price, after the commission of its entry."""
        return (self.price - trade.price) * trade.side * trade.quantity * self.account.worth - trade.fee

    def reach_of(self, trade: Trade) -> tuple[float, float]:
        """The largest gain and loss of an open trade so far, after the commission of its entry."""
        self.position.look(trade, self.bar + 1)
        gain, loss = trade.highest - trade.price, trade.lowest - trade.price
        if trade.side < 0:
            gain, loss = -loss, -gain
        scale = trade.quantity * self.account.worth
        return max(0.0, gain * scale - trade.fee), max(0.0, trade.fee - loss * scale)

    def value_of(self, trade: Trade) -> float:
        """What is open of a trade, at its entry's price."""
        return trade.price * trade.quantity * self.account.worth

"""The variables of `strategy.*` that a script reads, and the functions for open and closed trades."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.broker.account import Account
from pinebench.broker.equity_extremes import Extremes
from pinebench.broker.grid import Grid
from pinebench.broker.ledger import Ledger
from pinebench.broker.margin import liquidation_price
from pinebench.broker.moment import Moment
from pinebench.broker.orders import Trade
from pinebench.broker.position import Position
from pinebench.broker.tally import Tally
from pinebench.broker.trades import ClosedTrade

NA = float("nan")
KEPT_TRADES = 9000
"""The number of closed trades whose data TradingView keeps (manual, "Trade limit")."""


def percent_of(part: float, whole: float) -> float:
    """Return `part` as a percentage of `whole`; na if `whole` is 0."""
    return 100 * part / whole if whole else NA


def mean_of(added: float, count: float) -> float:
    """Return the mean of `count` numbers whose sum is `added`; na if there are none."""
    return added / count if count else NA


def _of_run(read: Callable[[Any], Any]) -> Any:
    """Make a variable of Pine that depends on the account, the position and other variables."""

    def answer(self: Variables) -> Any:
        return read(self)

    return property(answer)


def _of_tally(read: Callable[[Tally], Any]) -> Any:
    """Make a variable of Pine that depends on the closed trades."""

    def answer(self: Variables) -> Any:
        self.tally.count()
        return read(self.tally)

    return property(answer)


def _of_open(read: Callable[[Any, Trade], Any], nothing: Any = NA) -> Callable[..., Any]:
    """Make a Pine function of an open trade's number, from 0. It returns `nothing` if there is no such trade."""

    def answer(self: Variables, *, trade_num: float) -> Any:
        trade = self.open_trade(trade_num)
        if trade is None:
            return nothing
        return read(self, trade)

    return answer


def _of_closed(read: Callable[[ClosedTrade], Any], nothing: Any = NA) -> Callable[..., Any]:
    """Make a Pine function of a closed trade's number, from 0. It returns `nothing` if there is no such trade, or if
    the trade's data is not kept any more."""

    def answer(self: Variables, *, trade_num: float) -> Any:
        trade = self.closed_trade(trade_num)
        if trade is None:
            return nothing
        return read(trade)

    return answer


class Variables:
    """The account as a script sees it at the newest price.

    Money is in the account's currency. A percentage of 1 means 1 %.
    """

    def __init__(
        self,
        account: Account,
        position: Position,
        grid: Grid,
        ledger: Ledger,
        extremes: Extremes,
        moment: Moment,
        currency: str,
    ) -> None:
        """Take the parts of the broker. `currency` is the account's currency if the strategy's properties do not name
        one."""
        self._account = account
        self._position = position
        self._grid = grid
        self._ledger = ledger
        self._extremes = extremes
        self._moment = moment
        self.initial_capital = account.capital
        self.account_currency = account.currency or currency
        self.position_size = 0.0
        self.position_avg_price = NA
        self.closedtrades = 0
        self.opentrades = 0
        self.tally = Tally(position)

    def settle(self) -> None:
        """Copy the values that many scripts read on every bar. Call this after each change of the position."""
        position = self._position
        self.position_size = position.size
        self.position_avg_price = position.average
        self.closedtrades = len(position.closed)
        self.opentrades = len(position.open)

    @property
    def price(self) -> float:
        """The newest price."""
        return self._moment.price

    @property
    def equity(self) -> float:
        account, position, moment = self._account, self._position, self._moment
        size = position.size
        if not size:
            return account.capital + account.net_profit + account.outside
        # The same as `Position.equity`, written out because many scripts read it on every bar.
        price = moment.closes[moment.clock.index] if moment.at is None else moment.at
        profit = (size * price - position.cost) * account.worth - position.fees
        return account.capital + account.net_profit + profit + account.outside

    netprofit = _of_run(lambda self: self._account.net_profit - self._position.fees)
    """The profit of the closed trades, minus the entry commissions of the open trades."""
    netprofit_percent = _of_run(lambda self: percent_of(self.netprofit, self.initial_capital))

    @property
    def openprofit(self) -> float:
        """The profit of the open trades, without commissions."""
        position = self._position
        return (position.size * self.price - position.cost) * self._account.worth if position.size else 0.0

    openprofit_percent = _of_run(lambda self: percent_of(self.openprofit, self.initial_capital + self.netprofit))
    wintrades = _of_tally(lambda tally: tally.wins)
    losstrades = _of_tally(lambda tally: tally.losses)
    eventrades = _of_tally(lambda tally: tally.trades - tally.wins - tally.losses)
    grossprofit = _of_tally(lambda tally: tally.won)
    grossprofit_percent = _of_run(lambda self: percent_of(self.grossprofit, self.initial_capital))
    grossloss = _of_tally(lambda tally: tally.lost)
    grossloss_percent = _of_run(lambda self: percent_of(self.grossloss, self.initial_capital))
    avg_trade = _of_run(lambda self: mean_of(self._account.net_profit, len(self._position.closed)))
    avg_trade_percent = _of_tally(lambda tally: mean_of(tally.percent, tally.trades))
    avg_winning_trade = _of_tally(lambda tally: mean_of(tally.won, tally.wins))
    avg_winning_trade_percent = _of_tally(lambda tally: mean_of(tally.won_percent, tally.wins))
    avg_losing_trade = _of_tally(lambda tally: mean_of(tally.lost, tally.losses))
    avg_losing_trade_percent = _of_tally(lambda tally: mean_of(tally.lost_percent, tally.losses))

    @property
    def position_entry_name(self) -> str:
        cycle = self._position.cycle
        return cycle[0].id if cycle else ""

    @property
    def opentrades_capital_held(self) -> float:
        size = self._position.size
        return self._account.bound(abs(size), self.price, 1 if size > 0 else -1) if size else 0.0

    closedtrades_first_index = _of_run(lambda self: max(0, len(self._position.closed) - KEPT_TRADES))
    margin_liquidation_price = _of_run(lambda self: liquidation_price(self._account, self._position, self._grid))

    # extremes of the whole run

    max_contracts_held_all = _of_run(lambda self: max(self.max_contracts_held_long, self.max_contracts_held_short))

    @property
    def max_contracts_held_long(self) -> float:
        self._ledger.look()
        return self._ledger.longest

    @property
    def max_contracts_held_short(self) -> float:
        self._ledger.look()
        return self._ledger.shortest

    @property
    def max_drawdown(self) -> float:
        self._extremes.read(self._moment.bar)
        return self._extremes.drawdown

    @property
    def max_drawdown_percent(self) -> float:
        self._extremes.read(self._moment.bar)
        return self._extremes.drawdown_percent

    @property
    def max_runup(self) -> float:
        self._extremes.read(self._moment.bar)
        return self._extremes.run_up

    @property
    def max_runup_percent(self) -> float:
        self._extremes.read(self._moment.bar)
        return self._extremes.run_up_percent

    # trades

    def open_trade(self, number: float) -> Trade | None:
        """Return the open trade with this index, from 0; None if it does not exist."""
        trades = self._position.open
        if number >= 0 and number < len(trades):
            return trades[int(number)]
        return None

    def closed_trade(self, number: float) -> ClosedTrade | None:
        """Return the closed trade with this index, from 0; None if it does not exist or its data were discarded."""
        trades = self._position.closed
        if number >= self.closedtrades_first_index and number < len(trades):
            return trades[int(number)]
        return None

    opentrades_size = _of_open(lambda _, trade: trade.side * trade.quantity)
    opentrades_profit = _of_open(lambda self, trade: self.profit_of(trade))
    opentrades_profit_percent = _of_open(lambda self, trade: percent_of(self.profit_of(trade), self.invested_in(trade)))
    opentrades_commission = _of_open(lambda _, trade: trade.fee)
    opentrades_max_runup = _of_open(lambda self, trade: self.run_up_of(trade))
    opentrades_max_runup_percent = _of_open(
        lambda self, trade: percent_of(self.run_up_of(trade), self.invested_in(trade))
    )
    opentrades_max_drawdown = _of_open(lambda self, trade: self.drawdown_of(trade))
    opentrades_max_drawdown_percent = _of_open(
        lambda self, trade: percent_of(self.drawdown_of(trade), self.invested_in(trade))
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
    closedtrades_max_runup_percent = _of_closed(lambda trade: percent_of(trade.run_up, trade.invested))
    closedtrades_max_drawdown = _of_closed(lambda trade: trade.drawdown)
    closedtrades_max_drawdown_percent = _of_closed(lambda trade: percent_of(trade.drawdown, trade.invested))
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
        """Return the profit of an open trade at the newest price, minus its entry commission."""
        return (self.price - trade.price) * trade.side * trade.quantity * self._account.worth - trade.fee

    def reach_of(self, trade: Trade) -> tuple[float, float]:
        """Return the largest profit and the largest loss of an open trade so far, including its entry commission."""
        self._position.look(trade, self._moment.bar + 1)
        gain, loss = trade.highest - trade.price, trade.lowest - trade.price
        if trade.side < 0:
            gain, loss = -loss, -gain
        scale = trade.quantity * self._account.worth
        return max(0.0, gain * scale - trade.fee), max(0.0, trade.fee - loss * scale)

    def run_up_of(self, trade: Trade) -> float:
        """Return the largest profit of an open trade so far."""
        run_up, _ = self.reach_of(trade)
        return run_up

    def drawdown_of(self, trade: Trade) -> float:
        """Return the largest loss of an open trade so far."""
        _, drawdown = self.reach_of(trade)
        return drawdown

    def invested_in(self, trade: Trade) -> float:
        """Return the value of a trade's open quantity at its entry price, plus its entry commission. The value is
        positive even at a negative price."""
        return abs(trade.price) * trade.quantity * self._account.worth + trade.fee

"""Computes the figures of a back-test from its trades and its equity curve."""

from __future__ import annotations

import datetime
import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import lt
from typing import Any

from pinebench.broker.emulator import Broker
from pinebench.broker.ledger import Curve
from pinebench.broker.orders import Trade
from pinebench.broker.trades import TradeColumns

_DAY_LENGTH = 86_400_000
_YEAR = 365 * _DAY_LENGTH
_DAY = datetime.timedelta(days=1)
_LEAST_PERIODS = 3
"""The least number of months for monthly returns, and the least number of days for daily returns."""


@dataclass(frozen=True)
class Steps:
    """The realized equity at the end of each period for the Sharpe ratio and the Sortino ratio.

    `in_a_year` is the number of periods in a year: 12 for months, 365 for days, or 0 if the test is too short.
    """

    values: Sequence[float]
    in_a_year: int


@dataclass(frozen=True)
class Periods:
    """The periods of a test from bar `first` on. `span` has the opening times of its first and last bar; None without
    bars. `months` has the name of each month (UTC) with its last bar. `steps` has the last bar of each period for the
    Sharpe ratio."""

    span: tuple[int, int] | None
    months: Sequence[tuple[str, int]]
    steps: Sequence[int]
    in_a_year: int

    @classmethod
    def of(cls, times: Sequence[int], first: int = 0) -> Periods:
        """Divide the bars that open at `times` (milliseconds UTC), from bar `first` on, into periods."""
        own = times[first:]
        ends, in_a_year = _step_ends(own)
        months = [(name, first + last) for name, last in _month_ends(own)]
        return cls(span_of(own), months, [first + last for last in ends], in_a_year)

    def months_of(self, realized: Sequence[float]) -> dict[str, float]:
        """Return the realized equity at the end of each month, by the month's name. `realized` has one value for each
        bar. Months without bars are omitted."""
        return {name: realized[last] for name, last in self.months}

    def steps_of(self, realized: Sequence[float]) -> Steps:
        """Return the realized equity at the end of each period for the Sharpe ratio. `realized` has one value for each
        bar."""
        return Steps([realized[last] for last in self.steps], self.in_a_year)


@dataclass(frozen=True)
class TradeHistory:
    """The trades and the account of a strategy or of a portfolio, from which the figures are computed.

    `open` has the side, the profit and the entry commission of each open trade. `held` has the largest long and the
    largest short position in contracts, or None for contracts of several symbols. `span` has the opening times of the
    first bar on which orders are accepted and of the last bar, or None without bars. `months` has the realized equity
    at the end of each month in this span, and `steps` at the end of each period for the Sharpe ratio. `end` is the
    equity at the last close. `drawdown` and `run_up` are the largest moves, in money and percent; `at_closes` has the
    same for the equity at closes. `buy_and_hold` is a profit, or None without a trade.
    """

    currency: str
    capital: float
    closed: TradeColumns
    open: Sequence[tuple[int, float, float]]
    held: tuple[float, float] | None
    span: tuple[int, int] | None
    months: Mapping[str, float]
    steps: Steps
    end: float
    drawdown: tuple[float, float]
    run_up: tuple[float, float]
    at_closes: tuple[float, float, float, float | None]
    buy_and_hold: float | None
    risk_free_rate: float


def figures(broker: Broker, curve: Curve) -> dict[str, Any]:
    """Return all figures of a strategy by name (see `figures_of`)."""
    return figures_of(traded(broker, curve))


def traded(broker: Broker, curve: Curve) -> TradeHistory:
    """Return the trade history of a broker's strategy, from which the figures are computed."""
    known, position = broker.variables, broker.position
    periods, capital = Periods.of(broker.prices.time, broker.first), known.initial_capital
    columns = TradeColumns()
    known.tally.draw(columns)
    entries = [(one.entry_bar, one.entry_price) for one in position.closed]
    entries += [(one.bar, one.price) for one in position.open]
    return TradeHistory(
        broker.known_currency,
        capital,
        columns,
        open_profits(broker, position.open),
        (known.max_contracts_held_long, known.max_contracts_held_short),
        periods.span,
        periods.months_of(curve.realized),
        periods.steps_of(curve.realized),
        curve.equity[-1] if curve.equity else capital,
        (known.max_drawdown, known.max_drawdown_percent),
        (known.max_runup, known.max_runup_percent),
        known_moves(curve.moves, curve.equity),
        held_return(broker, first_entry(entries)),
        broker.properties.risk_free_rate,
    )


def figures_of(given: TradeHistory) -> dict[str, Any]:
    """Return all figures of the trade history `given`, by name.

    Money is in the account's currency, and a percentage of 1 means 1 %. A figure is None if it cannot be computed. The
    figures of all trades are at the top level, and the figures of each side under `long` and `short`. Months and years
    are lists. `docs/strategy-tester.md` defines each figure.
    """
    capital, closed = given.capital, given.closed
    told: dict[str, Any] = {"currency": given.currency, "initial_capital": capital}
    told.update(_of_trades(given, closed, 0))
    told.update(_of_account(given))
    for side, name in ((1, "long"), (-1, "short")):
        told[name] = _of_trades(given, closed.only([one == side for one in closed.sides]), side)
    told["months"] = _periods(given.months, capital)
    told["years"] = _periods({name[:4]: value for name, value in given.months.items()}, capital)
    return told


def _of_trades(given: TradeHistory, closed: TradeColumns, side: int) -> dict[str, Any]:
    """The figures of the trades of one side: 1 for long, -1 for short, 0 for both."""
    capital = given.capital
    won, lost = closed.only([one > 0 for one in closed.profits]), closed.only([one < 0 for one in closed.profits])
    wins, losses = won.profits, [-one for one in lost.profits]
    win_percents, loss_percents = won.percents, [-one for one in lost.percents]
    profit, loss, net = exact_sum(wins), exact_sum(losses), exact_sum(closed.profits)
    still = [one for one in given.open if side in (0, one[0])]
    open_profit = exact_sum(profit for _, profit, _ in still)
    calls = {(bar, price) for bar, price in zip(closed.call_bars, closed.call_prices, strict=True) if bar == bar}
    count = len(closed.profits)
    return {
        "net_profit": net,
        "net_profit_percent": 100 * net / capital,
        "gross_profit": profit,
        "gross_profit_percent": 100 * profit / capital,
        "gross_loss": loss,
        "gross_loss_percent": 100 * loss / capital,
        "open_profit": open_profit,
        "open_profit_percent": 100 * open_profit / capital,
        "profit_factor": _quotient(profit, loss),
        "commission_paid": exact_sum([*closed.commissions, *(fee for _, _, fee in still)]),
        "trades": count,
        "open_trades": len(still),
        "winning_trades": len(wins),
        "losing_trades": len(losses),
        "even_trades": count - len(wins) - len(losses),
        "percent_profitable": _quotient(100 * len(wins), count),
        "average_trade": _quotient(net, count),
        "average_trade_percent": _mean(closed.percents),
        "average_winning_trade": _mean(wins),
        "average_winning_trade_percent": _mean(win_percents),
        "average_losing_trade": _mean(losses),
        "average_losing_trade_percent": _mean(loss_percents),
        "average_win_to_loss": _quotient(_mean(wins), _mean(losses)),
        "largest_winning_trade": max(wins, default=None),
        "largest_winning_trade_percent": max(win_percents, default=None),
        "largest_losing_trade": max(losses, default=None),
        "largest_losing_trade_percent": max(loss_percents, default=None),
        "average_bars": _mean(closed.bars),
        "average_bars_winning": _mean(won.bars),
        "average_bars_losing": _mean(lost.bars),
        "max_contracts_held": _held(given.held, side),
        "margin_calls": len(calls),
    }


def known_moves(
    moves: tuple[float, float, float, float], equity: Sequence[float]
) -> tuple[float, float, float, float | None]:
    """Return `moves` (from `moves_at_closes`). The run-up's percentage is None if the equity rose from zero or
    below."""
    lost = next((at for at, value in enumerate(equity) if value <= 0), len(equity))
    rises = any(map(lt, islice(equity, lost, None), islice(equity, lost + 1, None)))
    return (*moves[:3], None if rises else moves[3])


def open_profits(broker: Broker, opened: Sequence[Trade]) -> list[tuple[int, float, float]]:
    """Return the side, the profit and the entry commission of each open trade. The profit is 0 if the newest price is
    na."""
    known, price = broker.variables, broker.variables.price
    return [(one.side, known.profit_of(one) if price == price else 0.0, one.fee) for one in opened]


def open_row(broker: Broker, trade: Trade) -> tuple[float, float, float, float]:
    """Return the profit, run-up and drawdown of an open trade on the last bar, and its invested value, to which
    percentages refer."""
    known = broker.variables
    return known.profit_of(trade), *known.reach_of(trade), known.invested_in(trade)


def _held(held: tuple[float, float] | None, side: int) -> float | None:
    if held is None:
        return None
    return max(held) if not side else held[0] if side > 0 else held[1]


def _of_account(given: TradeHistory) -> dict[str, Any]:
    """The figures of the account as a whole."""
    capital, end, held = given.capital, given.end, given.buy_and_hold
    fall, fall_percent, rise, rise_percent = given.at_closes
    sharpe, sortino = _ratios(given.steps, capital, given.risk_free_rate)
    return {
        "final_equity": end,
        "max_drawdown": given.drawdown[0],
        "max_drawdown_percent": given.drawdown[1],
        "max_run_up": given.run_up[0],
        "max_run_up_percent": given.run_up[1],
        "max_drawdown_close": fall,
        "max_drawdown_close_percent": fall_percent,
        "max_run_up_close": rise,
        "max_run_up_close_percent": rise_percent,
        "return_on_max_drawdown": _quotient(end - capital, given.drawdown[0]),
        "sharpe_ratio": sharpe,
        "sortino_ratio": sortino,
        "buy_and_hold": held,
        "buy_and_hold_percent": None if held is None else 100 * held / capital,
        "outperformance": None if held is None else end - capital - held,
        "growth_a_year_percent": growth(capital, end, given.span),
    }


def first_entry(entries: Iterable[Sequence[float]]) -> tuple[float, float] | None:
    """Return the bar and the price of a strategy's first entry; None without an entry. `entries` are in the order of
    the list of trades, and the first of several entries on the same bar counts."""
    bar, price = min(entries, key=lambda one: one[0], default=(None, 0.0))
    return None if bar is None else (bar, price)


def held_return(broker: Broker, entry: tuple[float, float] | None) -> float | None:
    """Return the profit of buy and hold: the entire capital, invested at the first entry and held to the last close.
    `entry` has the bar and the price of the first entry. The result is None without a trade, or if its price is
    not positive."""
    if entry is None or entry[1] <= 0:
        return None
    prices, rates = broker.prices, broker.account.rates
    change = prices.close[-1] / entry[1]
    if rates:
        change *= rates[-1] / rates[int(entry[0])]
    return broker.variables.initial_capital * (change - 1)


def span_of(times: Sequence[int]) -> tuple[int, int] | None:
    """Return the first and the last opening time; None without bars."""
    return (times[0], times[-1]) if times else None


def exact_sum(values: Iterable[float]) -> float:
    """Return the exact sum of `values`, rounded once; na if it is too large for a float."""
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.nan


def growth(capital: float, end: float, span: tuple[int, int] | None) -> float | None:
    """Return the yearly growth in percent from `capital` at the first bar to `end` at the last. A year has 365 days.

    `span` has the opening times of the two bars, in milliseconds UTC. The result is None if no time passes between
    them, or if the growth is too large or undefined.
    """
    years = 0.0 if span is None else (span[1] - span[0]) / _YEAR
    if years <= 0 or end <= 0:
        return None
    exponent = math.log(end / capital) / years
    return 100 * (math.exp(exponent) - 1) if exponent < 700 else None


def _month_ends(times: Sequence[int]) -> list[tuple[str, int]]:
    """The name of each month in UTC, and the index of its last bar. Months without bars are left out."""
    found: list[tuple[str, int]] = []
    start = 0
    while start < len(times):
        moment = datetime.datetime.fromtimestamp(times[start] / 1000, datetime.UTC)
        start = bisect_left(times, _next_month(moment), start)
        found.append((f"{moment.year:04}-{moment.month:02}", start - 1))
    return found


def _step_ends(times: Sequence[int]) -> tuple[list[int], int]:
    """The index of the last bar of each period for the Sharpe ratio, and the number of such periods in a year: months
    if the test has at least three months, otherwise days. Empty for less than three days."""
    if not times:
        return [], 0
    first, last = (datetime.datetime.fromtimestamp(time / 1000, datetime.UTC).date() for time in (times[0], times[-1]))
    after = last + _DAY
    whole_months = (after.year - first.year) * 12 + after.month - first.month - (after.day < first.day)
    if whole_months >= _LEAST_PERIODS:
        return [end for _, end in _month_ends(times)], 12
    if (after - first).days >= _LEAST_PERIODS:
        return _day_ends(times), 365
    return [], 0


def _day_ends(times: Sequence[int]) -> list[int]:
    """The index of the last bar of each day in UTC. Days without bars are left out."""
    found: list[int] = []
    start = 0
    while start < len(times):
        start = bisect_left(times, (times[start] // _DAY_LENGTH + 1) * _DAY_LENGTH, start)
        found.append(start - 1)
    return found


def _next_month(moment: datetime.datetime) -> int:
    first = datetime.datetime(moment.year + moment.month // 12, moment.month % 12 + 1, 1, tzinfo=datetime.UTC)
    return int(first.timestamp() * 1000)


def _periods(ends: Mapping[str, float], capital: float) -> list[dict[str, Any]]:
    """The realized profit of each month or year, in money and in percent of the equity at its beginning, None if that
    is not positive. `ends` has the realized equity at their ends."""
    told: list[dict[str, Any]] = []
    before = capital
    for name, value in ends.items():
        earned = value - before
        percent = 100 * earned / before if before > 0 else None
        told.append({"period": name, "profit": earned, "percent": percent})
        before = value
    return told


def _ratios(steps: Steps, capital: float, risk_free: float) -> tuple[float | None, float | None]:
    """The Sharpe ratio and the Sortino ratio of the returns of the realized equity in `steps`.

    The yearly risk-free rate, divided by the number of periods in a year, is subtracted from the mean return. The
    deviation is the standard deviation of the whole population; for Sortino it is the root of the mean square of the
    shortfalls below the risk-free rate. The ratios are not scaled to a year. Both are None if there are fewer than two
    periods, or if the equity is not positive at the beginning of one.
    """
    returns: list[float] = []
    before = capital
    for value in steps.values:
        if before <= 0:
            return None, None
        returns.append((value - before) / before)
        before = value
    if len(returns) < 2:
        return None, None
    free = risk_free / 100 / steps.in_a_year
    mean = exact_sum(returns) / len(returns)
    deviation = math.sqrt(exact_sum((one - mean) ** 2 for one in returns) / len(returns))
    downside = math.sqrt(exact_sum(min(0.0, one - free) ** 2 for one in returns) / len(returns))
    return _quotient(mean - free, deviation), _quotient(mean - free, downside)


def _mean(values: Sequence[float]) -> float | None:
    return exact_sum(values) / len(values) if values else None


def _quotient(value: float | None, by: float | None) -> float | None:
    return None if value is None or not by else value / by

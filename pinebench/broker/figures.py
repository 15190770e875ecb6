"""The figures of a back-test, computed from its trades and from the curve of its equity."""

from __future__ import annotations

import datetime
import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pinebench.broker.emulator import Broker
from pinebench.broker.filling import MARGIN_CALL
from pinebench.broker.ledger import Curve
from pinebench.broker.trades import ClosedTrade, Trade

_YEAR = 365 * 86_400_000
_STRETCH = 128


@dataclass(frozen=True)
class Traded:
    """The trades and the account of one strategy or of a portfolio, from which the figures are computed.

    `open` has the side, the profit and the entry commission of each open trade. `held` has the largest long and the
    largest short position in contracts, or None if the contracts are of several symbols. `times` and `realized` begin
    with the first bar on which orders are taken; `equity` has all bars. `drawdown` and `run_up` are the largest ones in
    money and in percent. `buy_and_hold` is a profit, None if there is no trade.
    """

    currency: str
    capital: float
    closed: Sequence[ClosedTrade]
    open: Sequence[tuple[int, float, float]]
    held: tuple[float, float] | None
    times: Sequence[int]
    equity: Sequence[float]
    realized: Sequence[float]
    drawdown: tuple[float, float]
    run_up: tuple[float, float]
    buy_and_hold: float | None
    risk_free_rate: float


def figures(broker: Broker, curve: Curve) -> dict[str, Any]:
    """All figures of a strategy by name (`figures_of`)."""
    return figures_of(traded(broker, curve))


def traded(broker: Broker, curve: Curve) -> Traded:
    """The trades and the account of a broker's strategy."""
    known, price = broker.variables, broker.variables.price
    return Traded(
        known.account_currency,
        known.initial_capital,
        broker.position.closed,
        [(one.side, known.profit_of(one) if price == price else 0.0, one.fee) for one in broker.position.open],
        (known.max_contracts_held_long, known.max_contracts_held_short),
        broker.prices.time[broker.first :],
        curve.equity,
        curve.realized[broker.first :],
        (known.max_drawdown, known.max_drawdown_percent),
        (known.max_runup, known.max_runup_percent),
        _held_return(broker),
        broker.properties.risk_free_rate,
    )


def figures_of(given: Traded) -> dict[str, Any]:
    """All figures by name.

    Money is in the account's currency, and 1 means one percent. A figure is None if it cannot be computed. The figures
    of all trades are at the top level, the figures of one side under `long` and `short`. Months and years are lists.
    `docs/strategy-tester.md` defines each figure.
    """
    capital, closed = given.capital, given.closed
    told: dict[str, Any] = {"currency": given.currency, "initial_capital": capital}
    months = _months(given.times, given.realized)
    told.update(_of_trades(given, closed, 0))
    told.update(_of_account(given, months))
    for side, name in ((1, "long"), (-1, "short")):
        told[name] = _of_trades(given, [trade for trade in closed if trade.side == side], side)
    told["months"] = _periods(months, capital)
    told["years"] = _periods({name[:4]: value for name, value in months.items()}, capital)
    return told


def _of_trades(given: Traded, closed: Sequence[ClosedTrade], side: int) -> dict[str, Any]:
    """The figures of the trades of one side: 1 for long, -1 for short, 0 for both."""
    capital = given.capital
    earned = [trade.profit for trade in closed]
    won, lost = [one for one in closed if one.profit > 0], [one for one in closed if one.profit < 0]
    wins, losses = [one.profit for one in won], [-one.profit for one in lost]
    percents = _percents(closed)
    win_percents, loss_percents = _percents(won), [-percent for percent in _percents(lost)]
    profit, loss, net = _sum(wins), _sum(losses), _sum(earned)
    still = [one for one in given.open if side in (0, one[0])]
    open_profit = _sum(profit for _, profit, _ in still)
    calls = {(trade.exit_bar, trade.exit_price) for trade in closed if trade.exit_id == MARGIN_CALL}
    count = len(closed)
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
        "commission_paid": _sum([t.commission for t in closed] + [fee for _, _, fee in still]),
        "trades": count,
        "open_trades": len(still),
        "winning_trades": len(won),
        "losing_trades": len(lost),
        "even_trades": count - len(won) - len(lost),
        "percent_profitable": _quotient(100 * len(won), count),
        "average_trade": _quotient(net, count),
        "average_trade_percent": _mean(percents),
        "average_winning_trade": _mean(wins),
        "average_winning_trade_percent": _mean(win_percents),
        "average_losing_trade": _mean(losses),
        "average_losing_trade_percent": _mean(loss_percents),
        "average_win_to_loss": _quotient(_mean(wins), _mean(losses)),
        "largest_winning_trade": max(wins, default=None),
        "largest_winning_trade_percent": max(win_percents, default=None),
        "largest_losing_trade": max(losses, default=None),
        "largest_losing_trade_percent": max(loss_percents, default=None),
        "average_bars": _mean(_bars(closed)),
        "average_bars_winning": _mean(_bars(won)),
        "average_bars_losing": _mean(_bars(lost)),
        "max_contracts_held": _held(given.held, side),
        "margin_calls": len(calls),
    }


def _bars(closed: Sequence[ClosedTrade]) -> list[int]:
    """The number of bars of each trade, with the bars of its entry and its exit."""
    return [trade.exit_bar - trade.entry_bar + 1 for trade in closed]


def _percents(closed: Sequence[ClosedTrade]) -> list[float]:
    """The profit of each trade in percent of its entry's value."""
    return [100 * trade.profit / trade.value if trade.value else 0.0 for trade in closed]


def open_row(broker: Broker, trade: Trade) -> tuple[float, float, float]:
    """The profit, the run-up and the drawdown of an open trade on the last bar."""
    return broker.variables.profit_of(trade), *broker.variables.reach_of(trade)


def _held(held: tuple[float, float] | None, side: int) -> float | None:
    if held is None:
        return None
    return max(held) if not side else held[0] if side > 0 else held[1]


def _of_account(given: Traded, months: dict[str, float]) -> dict[str, Any]:
    """The figures of the account as a whole. `months` has the realized equity at the end of each month."""
    capital, times, equity = given.capital, given.times, given.equity
    end = equity[-1] if equity else capital
    stretches = _stretches(equity)
    fall, fall_percent = _largest_move(equity, capital, 1, stretches)
    rise, rise_percent = _largest_move(equity, capital, -1, stretches)
    sharpe, sortino = _ratios(months, capital, given.risk_free_rate)
    held = given.buy_and_hold
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
        "growth_a_year_percent": growth(capital, end, times),
    }


def _held_return(broker: Broker) -> float | None:
    """The profit of buy and hold: the whole capital invested at the first trade's entry, held to the last bar's close.

    None if there is no trade, or if the price of the first entry is 0.
    """
    opened, closed = broker.position.open, broker.position.closed
    first = min([*(trade.entry_bar for trade in closed), *(trade.bar for trade in opened)], default=None)
    if first is None:
        return None
    known = [(t.entry_bar, t.entry_price) for t in closed if t.entry_bar == first]
    known += [(t.bar, t.price) for t in opened if t.bar == first]
    bar, price = min(known)
    prices, rates = broker.prices, broker.account.rates
    if not price:
        return None
    change = prices.close[-1] / price
    if rates:
        change *= rates[-1] / rates[bar]
    return broker.variables.initial_capital * (change - 1)


def _sum(values: Iterable[float]) -> float:
    """Return the exact sum; na if it is too large for a float."""
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.nan


def growth(capital: float, end: float, times: Sequence[int]) -> float | None:
    """The yearly growth in percent from the first bar to the last, with years of 365 days.

    None if there is no time between them, or if the result is too large or not defined.
    """
    years = (times[-1] - times[0]) / _YEAR if times else 0.0
    if years <= 0 or end <= 0:
        return None
    exponent = math.log(end / capital) / years
    return 100 * (math.exp(exponent) - 1) if exponent < 700 else None


def _stretches(equity: Sequence[float]) -> list[tuple[float, float]]:
    """The highest and the lowest equity of each stretch of bars."""
    parts = (equity[start : start + _STRETCH] for start in range(0, len(equity), _STRETCH))
    return [(max(values), min(values)) for values in parts]


def _largest_move(
    equity: Sequence[float], capital: float, side: int, stretches: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The largest move of the equity from a best close to a later close: in money, and in percent of the best close.

    `side` is 1 for falls and -1 for rises. `stretches` has the highest and the lowest equity of each stretch of bars.
    It lets the function skip a stretch that has no new best value, or that cannot have a larger move.
    """
    best, move, percent = capital, 0.0, 0.0
    for number, (highest, lowest) in enumerate(stretches):
        top, far = (highest, lowest) if side > 0 else (lowest, highest)
        values: Sequence[float] = ()
        if (top - best) * side <= 0:
            values = (far,)
        else:
            widest, least = (top - far) * side, min(best, top)
            if widest <= move and least > 0 and 100 * widest / least <= percent:
                best = top
                continue
            values = equity[number * _STRETCH : (number + 1) * _STRETCH]
        for value in values:
            away = (best - value) * side
            if away < 0:
                best = value
            elif away > 0:
                move = max(move, away)
                percent = max(percent, 100 * away / best) if best > 0 else percent
    return move, percent


def _months(times: Sequence[int], values: Sequence[float]) -> dict[str, float]:
    """The last value of each month in UTC, by its name. Months without bars are left out."""
    found: dict[str, float] = {}
    start = 0
    while start < len(times):
        moment = datetime.datetime.fromtimestamp(times[start] / 1000, datetime.UTC)
        start = bisect_left(times, _next_month(moment), start)
        found[f"{moment.year:04}-{moment.month:02}"] = values[start - 1]
    return found


def _next_month(moment: datetime.datetime) -> int:
    first = datetime.datetime(moment.year + moment.month // 12, moment.month % 12 + 1, 1, tzinfo=datetime.UTC)
    return int(first.timestamp() * 1000)


def _periods(ends: dict[str, float], capital: float) -> list[dict[str, Any]]:
    """The realized profit of each month or year, in money and in percent of the equity at its beginning. `ends` has the
    realized equity at their ends."""
    told: list[dict[str, Any]] = []
    before = capital
    for name, value in ends.items():
        earned = value - before
        told.append({"period": name, "profit": earned, "percent": _quotient(100 * earned, before)})
        before = value
    return told


def _ratios(months: dict[str, float], capital: float, risk_free: float) -> tuple[float | None, float | None]:
    """The Sharpe ratio and the Sortino ratio of the monthly returns of the realized equity.

    A twelfth of the yearly risk-free rate is subtracted from the mean return. The deviation is the standard deviation
    of the whole population; for Sortino it includes losses only. The ratios are not scaled to a year. Both are None if
    there are fewer than two months, or if the equity is not positive at the beginning of a month.
    """
    returns: list[float] = []
    before = capital
    for value in months.values():
        if before <= 0:
            return None, None
        returns.append((value - before) / before)
        before = value
    if len(returns) < 2:
        return None, None
    free = risk_free / 100 / 12
    mean = _sum(returns) / len(returns)
    deviation = math.sqrt(_sum((one - mean) ** 2 for one in returns) / len(returns))
    downside = math.sqrt(_sum(min(0.0, one) ** 2 for one in returns) / len(returns))
    return _quotient(mean - free, deviation), _quotient(mean - free, downside)


def _mean(values: Sequence[float]) -> float | None:
    return _sum(values) / len(values) if values else None


def _quotient(value: float | None, by: float | None) -> float | None:
    return None if value is None or not by else value / by

"""The report of a portfolio, for programs and for people, and its list of trades."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from pinebench.amounts import aligned, tick_decimals
from pinebench.backtesting import trade_list
from pinebench.backtesting.backtest import BacktestRun
from pinebench.backtesting.backtest_report import account_lines, month_lines, side_lines, trade_lines
from pinebench.broker import figure_table, figure_text
from pinebench.market import Data
from pinebench.portfolios.portfolio import PortfolioRun
from pinebench.runtime import report as run_report
from pinebench.totals import total

TIER = {"name": "python", "reason": "the strategies of a portfolio run in parallel, one bar at a time"}
"""The tier that runs portfolios, and why."""
_OWNERS = ("strategy", "symbol")
_FIGURES = (
    "initial_capital",
    "net_profit",
    "open_profit",
    "max_drawdown",
    "profit_factor",
    "percent_profitable",
    "commission_paid",
    "trades",
    "open_trades",
    "margin_calls",
)
"""The figures of each strategy."""


def symbol_of(tested: BacktestRun) -> str:
    """Return the symbol of a strategy's chart with its exchange, and a note if the prices are made up."""
    return tested.symbol.name


def rows(run: PortfolioRun) -> list[dict[str, Any]]:
    """Return a dictionary for each trade of all strategies: the keys of `trade_list.rows`, with `strategy` and
    `symbol`. Closed trades come first, in the order of their exits."""
    return [row for row, _, _ in _owned(run)]


def _owned(run: PortfolioRun) -> list[tuple[dict[str, Any], float, int]]:
    """The rows, each with its symbol's point value and the time of its last bar."""
    named = zip(run.names, run.tests, strict=False)  # after an error there are no back-tests
    known = [
        ({"number": 0, "strategy": name, "symbol": symbol_of(each)} | row, each.point_value, each.bars.time[-1])
        for name, each in named
        for row in trade_list.rows(each)
    ]
    known.sort(key=lambda one: (one[0]["exit_time"] is None, one[0]["exit_time"] or one[0]["entry_time"]))
    accounts = {name: _StrategyProfit(each) for name, each in zip(run.names, run.tests, strict=False)}
    for number, (row, _, _) in enumerate(known, 1):
        now = math.inf if row["exit_time"] is None else row["exit_time"]
        row["number"] = number
        accounts[row["strategy"]].close(row)
        row["cumulative_profit"] = total(each.at(now, row["strategy"] == name) for name, each in accounts.items())
    return known


class _StrategyProfit:
    """The profit of one strategy's trades so far, minus the entry commissions of those that are still open."""

    def __init__(self, tested: BacktestRun) -> None:
        paid = [(one.entry_time, one.entry_fee) for one in tested.trades]
        paid += [(one.time, one.fee) for one in tested.open_trades]
        paid.sort()
        self._times = [time for time, _ in paid]
        self._paid = list(accumulate((fee for _, fee in paid), initial=0.0))
        """The running sums of the entry commissions, which start at 0."""
        self._fees = iter([one.entry_fee for one in tested.trades])
        self._left = self._profit = self._exact = 0.0

    def close(self, row: dict[str, Any]) -> None:
        """Include the next row of this strategy."""
        self._profit += row["profit"]
        self._exact = row["cumulative_profit"]
        if row["exit_time"] is not None:
            self._left += next(self._fees)

    def at(self, time: float, is_now: bool) -> float:
        """The profit at a time. `is_now` says that the newest row of this strategy is of that moment."""
        if is_now:
            return self._exact
        return self._profit - (self._paid[bisect_right(self._times, time)] - self._left)


def as_csv(run: PortfolioRun) -> str:
    """Return the list of trades as CSV in TradingView's format, with the additional columns Strategy and Symbol."""
    money = run.told.get("currency", "")
    return trade_list.table(_owned(run), "", money, run.capital, *_OWNERS)


def report(run: PortfolioRun, charts: Sequence[Data] = ()) -> dict[str, Any]:
    """Return the report as JSON values.

    `report` has the tester's figures of the portfolio, and `strategies` has the figures of each strategy. `equity` has
    the equity curve and the profit of each strategy. `tier` is the tier that ran, with the reason. `error` is None if
    no strategy stopped with an error. If `charts` has the bars of each strategy as they were read, `data` of each
    strategy describes them.
    """
    fault = run.error
    return {
        "shared": run.is_shared,
        "made_up": any(each.symbol.is_made_up for each in run.tests),
        "report": run.told,
        "strategies": [_part(run, number, charts) for number in range(len(run.tests))],
        "correlation": run.correlation,
        "trades": rows(run),
        "equity": {"time": run.times, "equity": run.equity, "strategies": run.parts},
        "notes": run.notes,
        "tier": dict(TIER),
        "error": None if fault is None else {"strategy": run.failed, **run_report.error(fault)},
    }


def _part(run: PortfolioRun, number: int, charts: Sequence[Data] = ()) -> dict[str, Any]:
    tested = run.tests[number]
    told = tested.told
    return {
        "name": run.names[number],
        "symbol": symbol_of(tested),
        "timeframe": tested.symbol.timeframe,
        **{name: told[name] for name in _FIGURES},
        "refused_for_money": run.crowded_out[number],
        **({"data": charts[number].facts} if charts else {}),
    }


def as_text(run: PortfolioRun, safe: Callable[[str], str]) -> str:
    """Return tables for people: the portfolio's figures, the strategies, their correlation, and the last trades. `safe`
    makes text safe to print. The text is empty if a strategy stopped with an error."""
    if not run.told:
        return ""
    told = run.told
    decimals = {name: tick_decimals(each.symbol.mintick) for name, each in zip(run.names, run.tests, strict=True)}
    parts = [
        [f"{_how(run)}; profits in {told['currency'] or 'the symbol’s currency'}"],
        account_lines(told),
        side_lines(told),
        _strategies(run, safe),
        *([_correlations(run, safe)] if len(run.tests) > 1 else []),
        month_lines(told),
        trade_lines(rows(run), safe, lambda row: decimals[row["strategy"]], *_OWNERS),
    ]
    return "\n".join(line for part in parts for line in (*part, ""))


def _how(run: PortfolioRun) -> str:
    count = len(run.tests)
    if run.is_shared:
        return "1 strategy" if count == 1 else f"{count} strategies share one account"
    return f"{count} strategies, each with its own part of the capital"


def _strategies(run: PortfolioRun, safe: Callable[[str], str]) -> list[str]:
    numbers = ("net_profit", "open_profit", "trades")
    heads = [figure_table.by_name()[name].head for name in numbers]
    table = [["Strategy", "Symbol", "Timeframe", "Capital", *heads, "Refused"]]
    for number in range(len(run.tests)):
        part = _part(run, number)
        capital = "shared" if run.is_shared else figure_text("initial_capital", part["initial_capital"])
        texts = [safe(part["name"]), safe(part["symbol"]), part["timeframe"], capital]
        table.append([*texts, *(figure_text(name, part[name]) for name in numbers), f"{part['refused_for_money']:,}"])
    return aligned(table)


def _correlations(run: PortfolioRun, safe: Callable[[str], str]) -> list[str]:
    """The correlation of the daily returns, with the strategies by their numbers."""
    table = [["Correlation of daily returns", *(str(number) for number in range(1, len(run.names) + 1))]]
    for number, (name, row) in enumerate(zip(run.names, run.correlation, strict=True), 1):
        table.append([f"{number} {safe(name)}", *("–" if value is None else f"{value:+.2f}" for value in row)])
    return aligned(table)

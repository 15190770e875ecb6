"""The numbers of a run that metrics and constraints can name, including measures that need more than its figures."""

from __future__ import annotations

from functools import cache

from pinebench.sweeps.expressions import Expression

ALIASES = {
    "NET": "net_profit",
    "net": "net_profit",
    "profit": "net_profit",
    "sharpe": "sharpe_ratio",
    "sortino": "sortino_ratio",
    "drawdown": "max_drawdown",
    "calmar": "return_on_max_drawdown",
}
"""Short names of figures."""


@cache
def names() -> frozenset[str]:
    """Return the names of the tester's figures that are numbers."""
    from pinebench.backtesting.backtest import backtest
    from pinebench.checker import open_program
    from pinebench.market import Bars, SymbolInfo
    from pinebench.sweeps.combination_runs import plain_figures

    bars = Bars([0], [1.0], [1.0], [1.0], [1.0], [0.0])
    tested = backtest(open_program('//@version=6\nstrategy("")\nplot(close)'), bars, SymbolInfo())
    return frozenset(plain_figures(tested.figures()))


def metric_of(text: str) -> Expression:
    """Parse a metric; larger values are better. Raises UsageError if it is not a valid expression."""
    return Expression(text, names(), {}, ALIASES)


def constraint_of(text: str) -> Expression:
    """Parse a constraint, such as `trades > 30`. Raises UsageError if it is not a valid expression."""
    return Expression(text, names(), {}, ALIASES)

"""Templates that trade, as a trader reads a back-test: trades happen, stops bound losses, figures hold together."""

from functools import cache
from pathlib import Path

import pytest

from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.checker import open_program
from pinebench.files import resources
from pinebench.market.bar_loader import load
from tests.tables import each

BARS = Path(__file__).parents[2] / "pine" / "samples" / "bars" / "share_15m.csv"
LEAST = {
    "ema_cross_strategy": 50,
    "ladder_strategy": 100,
    "momentum_factor": 50,
    "opening_range_breakout": 20,
    "supertrend_strategy": 40,
    "vwap_institutional": 50,
    "zscore_mean_reversion": 5,
}
"""How many trades there must be on the sample's four months of quarters of an hour."""


@cache
def done(name: str) -> BacktestRun:
    source = (resources.folder("templates") / f"{name}.pine").read_text(encoding="utf-8")
    data = load(BARS)
    found = backtest(open_program(source), data.bars, data.symbol)
    assert found.result.error is None
    return found


def test_every_template_that_trades_is_here() -> None:
    scripts = resources.folder("templates").iterdir()
    texts = {one.name.removesuffix(".pine"): one.read_text("utf-8") for one in scripts if one.name.endswith(".pine")}
    assert set(LEAST) == {name for name, text in texts.items() if "\nstrategy(" in text}


@each("name", LEAST)
def test_trades_happen_and_end(name: str) -> None:
    found = done(name)
    assert len(found.trades) >= LEAST[name]
    assert len(found.open_trades) <= 5
    assert max(trade.exit_bar - trade.entry_bar for trade in found.trades) < 400
    assert {trade.side for trade in found.trades} == ({1} if name == "ladder_strategy" else {1, -1})


@each("name", LEAST)
def test_a_stop_bounds_every_loss_but_that_of_a_gap(name: str) -> None:
    """A hundredth or so of the capital; more only where a bar opens beyond the stop."""
    found = done(name)
    capital = found.initial_capital
    for trade in found.trades:
        # Slippage makes the opening a few ticks worse.
        gapped = abs(trade.exit_price - found.bars.open[trade.exit_bar]) < 0.05
        assert gapped or -trade.profit <= 0.015 * capital
    assert found.figures()["margin_calls"] == 0
    assert found.figures()["max_drawdown_percent"] < 25


@each("name", LEAST)
def test_figures_hold_together(name: str) -> None:
    found = done(name)
    figures = found.figures()
    assert figures["net_profit"] == pytest.approx(sum(trade.profit for trade in found.trades))
    assert figures["final_equity"] == pytest.approx(
        found.initial_capital + figures["net_profit"] + figures["open_profit"]
    )
    assert figures["commission_paid"] > 0
    assert abs(figures["net_profit_percent"]) < 100

"""Monte Carlo on trades: what each method keeps and changes."""

import statistics
from dataclasses import replace
from typing import Any

import pytest

from pinebench.errors import UsageError
from pinebench.market import Rates
from pinebench.sweeps.combination_runs import FullRun, traded
from pinebench.sweeps.monte_carlo import Odds, chances, report
from tests.sweeps.support import CROSS, request, walk


def run_of(profits: list[float], *, compounds: bool = False, qty: float = 1.0) -> FullRun:
    trades: list[dict[str, Any]] = [{"profit": profit, "qty": qty, "exit_time": 1} for profit in profits]
    trades.append({"profit": 1e9, "qty": qty, "exit_time": None})
    return FullRun({}, {}, trades, [0], [0.0], 0, 1000.0, 1.0, 0.01, compounds)


def test_another_order_ends_at_the_same_equity() -> None:
    profits = [50.0, -30.0, 20.0, -60.0, 70.0, 10.0, -20.0, 40.0, -10.0, 5.0]
    for compounds in (False, True):
        found = chances(run_of(profits, compounds=compounds), Odds(runs=300))["order"]
        for value in found.final_equity.values():
            assert value == pytest.approx(1000 + sum(profits))
        assert found.max_drawdown[5] < found.max_drawdown[95] <= 120 * (1.2 if compounds else 1)
        assert found.loss == 0


def test_worse_fills_and_skipped_trades_have_their_means() -> None:
    found = chances(run_of([10.0] * 100, qty=100), Odds(runs=400, ticks=4, skip=0.25))
    # A side of a fill costs two ticks on average: 100 × 0.01 × 2 on each of two sides of 100 trades.
    assert found["worse_fills"].final_equity[50] == pytest.approx(1000 + 1000 - 400, rel=0.02)
    assert found["skipped"].final_equity[50] == pytest.approx(1000 + 750, rel=0.02)
    assert found["skipped"].max_drawdown[95] == 0


def test_worse_fills_cost_money_of_the_account() -> None:
    """A tick of a symbol in yen costs the part of a dollar that it is worth."""
    plain = run_of([10.0] * 100, qty=100)
    converted = replace(plain, rates=Rates([-86_400_000], [0.01]))
    costs = [2000 - chances(run, Odds(runs=200, ticks=4))["worse_fills"].final_equity[50] for run in (plain, converted)]
    assert costs[0] == pytest.approx(400, rel=0.02) and costs[1] == pytest.approx(costs[0] / 100)


def test_what_is_missing_in_the_chances_is_told() -> None:
    few, many = run_of([10.0] * 12), run_of([10.0] * 30)
    notes = report(few, Odds(runs=5), chances(few, Odds(runs=5)))["notes"]
    assert notes == [
        "there are few trades: 12; the figures of fewer than 30 trades are unreliable",
        "1 open trade is left out",
    ]
    assert report(many, Odds(runs=5), chances(many, Odds(runs=5)))["notes"] == ["1 open trade is left out"]


def test_a_bootstrap_of_whole_blocks_keeps_runs_of_losses_together() -> None:
    """Losses in a row stay in a row with a long block, so that the drawdown is larger than with single trades."""
    profits = ([10.0] * 20 + [-15.0] * 10) * 5
    loose = chances(run_of(profits), Odds(runs=150, block=1))["bootstrap"]
    blocks = chances(run_of(profits), Odds(runs=150, block=30))["bootstrap"]
    assert blocks.max_drawdown[50] >= 150
    assert loose.max_drawdown[50] < blocks.max_drawdown[50]
    middle = statistics.fmean([loose.final_equity[50], blocks.final_equity[50]])
    assert middle == pytest.approx(1000 + sum(profits), rel=0.1)


def test_ruin_is_counted_on_the_way() -> None:
    found = chances(run_of([-600.0] + [100.0] * 20), Odds(runs=200, ruin=0.5))["order"]
    assert 0 < found.ruin < 1
    assert found.loss == 0
    assert chances(run_of([1.0] * 20), Odds(runs=50))["bootstrap"].ruin == 0


def test_how_profits_add_up_is_an_assumption_if_the_script_sets_quantities() -> None:
    odds, bars = Odds(runs=5), walk(1, 800)
    own = CROSS.replace('"Long", strategy.long)', '"Long", strategy.long, qty = 2)')
    told = {}
    for script in (CROSS, own):
        run = traded(request(script, bars), {"Fast": 4, "Slow": 12})
        told[script] = report(run, odds, chances(run, odds))["notes"]
    said = "the script sets quantities of orders itself: that profits are compounded is assumed"
    assert said in told[own] and said not in told[CROSS]


def test_a_seed_gives_the_same_chances_and_too_few_trades_are_refused() -> None:
    run = traded(request(CROSS, walk(1, 800)), {"Fast": 4, "Slow": 12})
    assert run.error is None
    assert run.compounds
    odds = Odds(runs=50, seed=3)
    assert chances(run, odds) == chances(run, odds) != chances(run, Odds(runs=50, seed=4))
    told = report(run, odds, chances(run, odds))
    assert told["trades"] == run.figures["trades"]
    with pytest.raises(UsageError, match="9 closed trades, and 10 are needed"):
        chances(run_of([1.0] * 9), odds)

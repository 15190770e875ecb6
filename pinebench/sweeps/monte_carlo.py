"""Monte Carlo on the trades of one back-test: other results that the same trades could have produced."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pinebench.errors import UsageError
from pinebench.sweeps.combination_runs import FullRun
from pinebench.sweeps.measures import FEW_TRADES

LEVELS = (5, 25, 50, 75, 95)
"""The quantiles that are reported, in percent."""
_LEAST = 10


@dataclass(frozen=True)
class Odds:
    """The settings of a Monte Carlo simulation.

    `runs` is the number of simulated paths of each method. `block` is the number of neighbouring trades that the
    bootstrap keeps together (None: the square root of the number of trades). `skip` is the share of trades that are
    left out (0 to 1). `ticks` is the largest number of ticks by which a fill gets worse. `ruin` is the share of the
    initial capital whose loss counts as ruin (0 to 1).
    """

    runs: int = 1000
    seed: int = 1
    block: int | None = None
    skip: float = 0.1
    ticks: float = 2.0
    ruin: float = 0.5


@dataclass(frozen=True)
class Path:
    """One simulated path: its final equity, its largest drawdown in money and in percent of the peak, and whether it
    fell to ruin at any time. Equity is measured only after each trade, so losses within a trade do not count."""

    equity: float
    drawdown: float
    percent: float
    is_ruin: bool


@dataclass(frozen=True)
class Chances:
    """The result of a method: quantiles of the equity and the drawdown by level (percent), and the shares (0 to 1) of
    paths with ruin or a loss."""

    final_equity: dict[int, float]
    max_drawdown: dict[int, float]
    max_drawdown_percent: dict[int, float]
    ruin: float
    loss: float


def chances(run: FullRun, odds: Odds) -> dict[str, Chances]:
    """Simulate paths by four methods, and return the result of each: `bootstrap` draws blocks of trades with
    replacement, `order` shuffles the trades, `skipped` leaves some out, and `worse_fills` makes fills worse.

    If the strategy's orders are a share of the equity, trades are compounded as returns on the equity; otherwise their
    profits are added. Raises UsageError for fewer than ten closed trades, and for returns if the equity fell to 0.
    """
    closed = [trade for trade in run.trades if trade["exit_time"] is not None]
    if len(closed) < _LEAST:
        raise UsageError(f"there are {len(closed)} closed trades, and {_LEAST} are needed", "test on more bars")
    profits = [trade["profit"] for trade in closed]
    rates = [1.0] * len(closed) if run.rates is None else run.rates.at([trade["exit_time"] for trade in closed])
    costs = [2 * trade["qty"] * run.point_value * run.tick * rate for trade, rate in zip(closed, rates, strict=True)]
    walk = _compounded if run.compounds else _added
    capital = run.initial_capital
    scales = _equities(profits, capital) if run.compounds else [1.0] * len(profits)
    values = [profit / scale for profit, scale in zip(profits, scales, strict=True)]
    worse = [cost / scale for cost, scale in zip(costs, scales, strict=True)]
    block = odds.block or max(1, round(math.sqrt(len(values))))
    chance = random.Random(odds.seed)
    methods: dict[str, Callable[[], Sequence[float]]] = {
        "bootstrap": lambda: _blocks(values, block, chance),
        "order": lambda: chance.sample(values, len(values)),
        "skipped": lambda: [value for value in values if chance.random() >= odds.skip],
        "worse_fills": lambda: [
            value - cost * odds.ticks * (chance.random() + chance.random()) / 2
            for value, cost in zip(values, worse, strict=True)
        ],
    }
    level = capital * (1 - odds.ruin)
    return {
        name: _told([walk(drawn(), capital, level) for _ in range(odds.runs)], capital)
        for name, drawn in methods.items()
    }


def _equities(profits: Sequence[float], capital: float) -> list[float]:
    """Return the realized equity before each trade. Raises UsageError if it is not positive."""
    found: list[float] = []
    for profit in profits:
        if capital <= 0:
            raise UsageError("the equity fell to 0 in the back-test, so there are no returns to draw from")
        found.append(capital)
        capital += profit
    return found


def _blocks(values: Sequence[float], block: int, chance: random.Random) -> list[float]:
    """Return `len(values)` values, drawn in blocks of neighbours; the first value counts as the last one's
    neighbour."""
    found: list[float] = []
    count = len(values)
    while len(found) < count:
        begin = chance.randrange(count)
        found += [values[(begin + k) % count] for k in range(block)]
    return found[:count]


def _added(profits: Sequence[float], capital: float, level: float) -> Path:
    return _walked(capital, level, profits, compounds=False)


def _compounded(returns: Sequence[float], capital: float, level: float) -> Path:
    return _walked(capital, level, returns, compounds=True)


def _walked(capital: float, level: float, steps: Sequence[float], *, compounds: bool) -> Path:
    equity = top = capital
    fall = percent = 0.0
    is_ruin = False
    for step in steps:
        equity = max(equity * (1 + step), 0.0) if compounds else equity + step
        top = max(top, equity)
        fall = max(fall, top - equity)
        percent = max(percent, 100 * (top - equity) / top)
        is_ruin = is_ruin or equity <= level
    return Path(equity, fall, percent, is_ruin)


def _told(paths: Sequence[Path], capital: float) -> Chances:
    return Chances(
        _quantiles([path.equity for path in paths]),
        _quantiles([path.drawdown for path in paths]),
        _quantiles([path.percent for path in paths]),
        sum(path.is_ruin for path in paths) / len(paths),
        sum(path.equity < capital for path in paths) / len(paths),
    )


def _quantiles(values: Sequence[float]) -> dict[int, float]:
    """Return the quantiles at `LEVELS`, interpolated linearly."""
    ordered = sorted(values)
    found: dict[int, float] = {}
    for level in LEVELS:
        place = (len(ordered) - 1) * level / 100
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        found[level] = ordered[low] + (ordered[high] - ordered[low]) * (place - low)
    return found


def report(run: FullRun, odds: Odds, chances: dict[str, Chances]) -> dict[str, Any]:
    """Return `chances`, the results by method, as JSON values. `notes` lists the limits of the simulation and the
    assumptions of the back-test."""
    left = sum(trade["exit_time"] is None for trade in run.trades)
    closed = len(run.trades) - left
    notes = (
        [f"there are few trades: {closed}; the figures of fewer than {FEW_TRADES} trades are unreliable"]
        if closed < FEW_TRADES
        else []
    )
    if run.sets_quantity:
        how = "compounded" if run.compounds else "added"
        notes.append(f"the script sets quantities of orders itself: that profits are {how} is assumed")
    if left:
        notes.append(f"{left} open {'trade is' if left == 1 else 'trades are'} left out")
    return {
        "initial_capital": run.initial_capital,
        "final_equity": run.figures.get("final_equity"),
        "trades": closed,
        "compounded": run.compounds,
        "runs": odds.runs,
        "seed": odds.seed,
        "notes": [*notes, *run.notes],
        "methods": {
            name: {
                "final_equity": {str(level): value for level, value in each.final_equity.items()},
                "max_drawdown": {str(level): value for level, value in each.max_drawdown.items()},
                "max_drawdown_percent": {str(level): value for level, value in each.max_drawdown_percent.items()},
                "chance_of_ruin": each.ruin,
                "chance_of_loss": each.loss,
            }
            for name, each in chances.items()
        },
    }

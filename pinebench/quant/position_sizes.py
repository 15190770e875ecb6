"""Sizes of positions and risks: R multiples, Kelly's criterion with caps, and the open risk (heat) of a portfolio."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.quant.figure import Figures, Statistic, deviation, known, mean, quotient, too_few, total, unknown

LEAST_TRADES = 30
"""The smallest number of trades from which the size of a bet is computed."""


class Multiples(NamedTuple):
    """The R multiples of trades (profit divided by risk), and the number of trades without a positive risk."""

    values: list[float]
    left_out: int


class OpenPosition(NamedTuple):
    """An open position. `quantity` is negative for a short position. `stop` is None without a stop order. `point_value`
    is the money that a price move of 1 earns with a quantity of 1."""

    name: str
    quantity: float
    price: float
    stop: float | None
    group: str = ""
    point_value: float = 1.0

    @property
    def risk(self) -> float | None:
        """The money that is lost if the stop is reached: 0 if the stop locks in a profit, None without a stop."""
        if self.stop is None:
            return None
        return max(0.0, (self.price - self.stop) * self.quantity * self.point_value)


class Heat(NamedTuple):
    """The risk and the exposure of positions as fractions of the equity, by position and by group.

    `total` is the risk of all positions. `missing` names the positions without a stop, whose risk is not known.
    `breaches` are sentences about exposures above a limit.
    """

    total: Statistic
    by_name: dict[str, Statistic]
    exposure_by_group: dict[str, Statistic]
    missing: list[str]
    breaches: list[str]


def r_multiples(trades: Sequence[tuple[float, float]]) -> Multiples:
    """Divide the profit of each trade by the money that it risked. `trades` are pairs of profit and risk."""
    values = [profit / risk for profit, risk in trades if 0 < risk < math.inf and math.isfinite(profit)]
    return Multiples(values, len(trades) - len(values))


def r_statistics(values: Sequence[float]) -> Figures:
    """Return statistics of R multiples.

    `expectancy` is their mean. `quality` is the mean divided by the deviation, times the square root of the number of
    trades (at most 100). It is the system quality number, and needs 30 trades.
    """
    count = len(values)
    if not count:
        return dict.fromkeys(("expectancy", "deviation", "quality", "best", "worst"), unknown("there are no trades"))
    middle = mean(values)
    spread = known(deviation(values)) if count > 1 else too_few(count, 2, "trades")
    if count < LEAST_TRADES or spread.value is None:
        quality = too_few(count, LEAST_TRADES, "trades")
    else:
        quality = quotient(middle * math.sqrt(min(count, 100)), spread.value, "all R multiples are the same")
    return {
        "expectancy": known(middle),
        "deviation": spread,
        "quality": quality,
        "best": known(max(values)),
        "worst": known(min(values)),
    }


def kelly(win_rate: float, payoff: float) -> Statistic:
    """Return Kelly's fraction of the capital: W - (1 - W) / R. It is negative for a bet that loses money. `win_rate` W
    is from 0 to 1. `payoff` R is the mean win divided by the mean loss, above 0."""
    if not 0 <= win_rate <= 1:
        return unknown("the win rate must be from 0 to 1")
    if not 0 < payoff < math.inf:
        return unknown("the payoff must be above 0")
    return known(win_rate - (1 - win_rate) / payoff)


class Edge(NamedTuple):
    """The win rate of trades, and their payoff: the mean win divided by the mean loss."""

    win_rate: Statistic
    payoff: Statistic


def edge_of(profits: Sequence[float]) -> Edge:
    """Return the win rate and the payoff of trades with these profits. A profit of 0 does not count as a win. Both need
    30 trades; the payoff also needs a win and a loss."""
    count = len(profits)
    if count < LEAST_TRADES:
        few = too_few(count, LEAST_TRADES, "trades")
        return Edge(few, few)
    won, lost = [each for each in profits if each > 0], [-each for each in profits if each < 0]
    rate = known(len(won) / count)
    if not won or not lost:
        return Edge(rate, unknown("there is no losing trade" if won else "there is no winning trade"))
    return Edge(rate, quotient(mean(won), mean(lost), "the mean loss is 0"))


def bet(full: Statistic, share: float, cap: float) -> Statistic:
    """Return the fraction of the capital to bet: `share` of Kelly's fraction `full` (0.5 is half Kelly), from 0 to
    `cap`."""
    if full.value is None:
        return full
    return known(min(max(full.value * share, 0.0), cap))


def units(equity: float, risked: float, entry: float, stop: float, point_value: float = 1.0) -> Statistic:
    """Return the quantity that loses the fraction `risked` (0.01: one per cent) of the equity at the stop, not rounded.
    `point_value` is the money that a price move of 1 earns with a quantity of 1."""
    if not (equity > 0 and risked >= 0 and point_value > 0):
        return unknown("the equity and the point value must be above 0, and the risk must be 0 or more")
    return quotient(equity * risked, abs(entry - stop) * point_value, "the stop is at the entry")


def reward_to_risk(entry: float, stop: float, target: float) -> Statistic:
    """Return the distance to the target divided by the distance to the stop. They must be on different sides of
    `entry`."""
    if (target - entry) * (entry - stop) <= 0:
        return unknown("the stop and the target must be on different sides of the entry")
    return known((target - entry) / (entry - stop))


def heat(
    positions: Sequence[OpenPosition], equity: float, most_of_name: float = 0.05, most_of_group: float = 0.15
) -> Heat:
    """Compute the heat of a portfolio: the fraction of the equity that is lost if every stop is reached.

    It is unknown if a position has no stop. Risks are added without regard to correlation, so they are the worst case
    without gaps. `breaches` names the positions and groups whose exposure (price × quantity × point value) exceeds
    `most_of_name` or `most_of_group`, as fractions of the equity.
    """
    if not 0 < equity < math.inf:
        nothing = unknown("the equity must be above 0")
        return Heat(nothing, {}, {}, [], [])
    by_name: dict[str, Statistic] = {}
    groups: dict[str, float] = {}
    exposed: dict[str, float] = {}
    missing: list[str] = []
    for each in positions:
        risk = each.risk
        if risk is None:
            missing.append(each.name)
        by_name[each.name] = _added(by_name.get(each.name), risk, equity)
        size = abs(each.price * each.quantity * each.point_value) / equity
        exposed[each.name] = exposed.get(each.name, 0.0) + size
        if each.group:
            groups[each.group] = groups.get(each.group, 0.0) + size
    breaches = [f"{name}: {_over(size, most_of_name)}" for name, size in exposed.items() if size > most_of_name]
    breaches += [f"group {name}: {_over(size, most_of_group)}" for name, size in groups.items() if size > most_of_group]
    risks = [each.risk for each in positions]
    known_risks = [risk for risk in risks if risk is not None]
    whole = unknown(f"there is no stop for {', '.join(missing)}") if missing else known(total(known_risks) / equity)
    return Heat(whole, by_name, {name: known(size) for name, size in groups.items()}, missing, breaches)


def _added(before: Statistic | None, risk: float | None, equity: float) -> Statistic:
    """The risk of all positions in a name, as a share of the equity."""
    if risk is None or (before is not None and before.value is None):
        return unknown("there is no stop")
    return known((before.value or 0.0 if before is not None else 0.0) + risk / equity)


def _over(size: float, limit: float) -> str:
    return f"{100 * size:.1f} % of the equity, above the limit of {100 * limit:g} %"

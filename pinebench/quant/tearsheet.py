"""The figures of a tear sheet: return, risk and their ratios, from an equity curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pinebench.broker import figures
from pinebench.quant.drawdowns import deepest, drawdowns
from pinebench.quant.figure import Figures, Statistic, deviation, known, mean, quotient, too_few, total, unknown
from pinebench.quant.returns import statistics
from pinebench.quant.volatility import a_year

LEAST_RETURNS = 20
"""The smallest number of returns for a ratio that is scaled to a year."""
_LEAST_MS = 365 * 86_400_000 // 4
_NO_LOSS = "there is no loss, so the ratio would be infinite"
_RATIOS = ("sharpe", "sortino", "calmar")


def tearsheet(
    times: Sequence[int],
    equity: Sequence[float],
    bars_in_year: float | None,
    risk_free: float = 0.0,
    exposure: Statistic | None = None,
) -> Figures:
    """Return the figures of an equity curve with a value above 0 at each of `times` (milliseconds UTC). Shares are
    fractions.

    - `total_return`, and `cagr`: the yearly growth with years of 365 days, as the strategy tester computes it.
    - `volatility`: annualized.
    - `sharpe`: the mean return above `risk_free` (a yearly rate, divided by the bars in a year), divided by the sample
      deviation, times the square root of the bars in a year.
    - `sortino`: the same with the downside deviation. This is the root of the mean square of all returns below
      `risk_free`, where the other returns count as 0.
    - `calmar`: `cagr` divided by the largest drawdown.
    - `max_drawdown` and `current_drawdown`: not negative.
    - `longest_drawdown_bars`: the longest time from a peak to its recovery or to the end, in bars.
    - `under_water`: the share of bars below an earlier peak.
    - `best`, `worst`, `positive`, `skewness` and `excess_kurtosis`: of the returns of bars.
    - `exposure`: as given; unknown if it is None.

    `volatility`, `sharpe` and `sortino` need 20 returns. `cagr` and `calmar` need a quarter of a year.
    """
    found = drawdowns(equity)
    if isinstance(found, str) or len(equity) < 2:
        why = found if isinstance(found, str) else "there is only one value"
        return dict.fromkeys(_NAMES, unknown(why))
    returns = [equity[at] / equity[at - 1] - 1 for at in range(1, len(equity))]
    growth, depth = _cagr(times, equity), deepest(found)
    described = statistics(returns)
    return {
        "total_return": known(equity[-1] / equity[0] - 1),
        "cagr": growth,
        "volatility": a_year(returns, bars_in_year) if len(returns) >= LEAST_RETURNS else _few(returns),
        "sharpe": sharpe(returns, bars_in_year, risk_free),
        "sortino": sortino(returns, bars_in_year, risk_free),
        "calmar": growth if growth.value is None else quotient(growth.value, depth, _NO_LOSS),
        "max_drawdown": known(depth),
        "current_drawdown": known(1 - equity[-1] / max(equity)),
        "longest_drawdown_bars": known(max((each.bars for each in found), default=0)),
        "under_water": known(_under_water(equity) / len(equity)),
        "best": described["best"],
        "worst": described["worst"],
        "positive": described["positive"],
        "skewness": described["skewness"],
        "excess_kurtosis": described["excess_kurtosis"],
        "exposure": exposure or unknown("it is not known on which bars a position was held"),
    }


_NAMES = (
    *("total_return", "cagr", "volatility", *_RATIOS, "max_drawdown", "current_drawdown", "longest_drawdown_bars"),
    *("under_water", "best", "worst", "positive", "skewness", "excess_kurtosis", "exposure"),
)


def sharpe(returns: Sequence[float], bars_in_year: float | None, risk_free: float = 0.0) -> Statistic:
    """Return the annualized Sharpe ratio; `risk_free` is a yearly rate (0.02 is 2 per cent). See `tearsheet`. The
    strategy tester's ratio differs: its returns are monthly (in short tests, daily), and not scaled to a year."""
    if bars_in_year is None or len(returns) < LEAST_RETURNS:
        return _missing(returns, bars_in_year)
    excess = mean(returns) - risk_free / bars_in_year
    return quotient(excess * math.sqrt(bars_in_year), deviation(returns), "all returns are the same")


def sortino(returns: Sequence[float], bars_in_year: float | None, risk_free: float = 0.0) -> Statistic:
    """Return the annualized Sortino ratio; `risk_free` is a yearly rate (0.02 is 2 per cent). See `tearsheet`."""
    if bars_in_year is None or len(returns) < LEAST_RETURNS:
        return _missing(returns, bars_in_year)
    free = risk_free / bars_in_year
    downside = math.sqrt(total(min(0.0, each - free) ** 2 for each in returns) / len(returns))
    return quotient((mean(returns) - free) * math.sqrt(bars_in_year), downside, _NO_LOSS)


def exposure_of(spans: Sequence[tuple[int, int]], bars: int) -> Statistic:
    """Return the share of bars (0 to 1) with an open position. `spans` are the first and the last bar of each trade."""
    if bars < 1:
        return unknown("there are no bars")
    held: set[int] = set()
    for first, last in spans:
        held.update(range(max(first, 0), min(last, bars - 1) + 1))
    return known(len(held) / bars)


def _missing(returns: Sequence[float], bars_in_year: float | None) -> Statistic:
    """The reason why a ratio of a year cannot be computed."""
    return _few(returns) if bars_in_year is not None else unknown("the number of bars in a year is not known")


def _few(returns: Sequence[float]) -> Statistic:
    return too_few(len(returns), LEAST_RETURNS, "returns")


def _cagr(times: Sequence[int], equity: Sequence[float]) -> Statistic:
    if times[-1] - times[0] < _LEAST_MS:
        return unknown("the curve is shorter than a quarter of a year, so a yearly rate says nothing")
    percent = figures.growth(equity[0], equity[-1], figures.span_of(times))
    return unknown("the growth is too large") if percent is None else known(percent / 100)


def _under_water(equity: Sequence[float]) -> int:
    """The number of values below an earlier one."""
    count, peak = 0, equity[0]
    for value in equity:
        count += value < peak
        peak = max(peak, value)
    return count

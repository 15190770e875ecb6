"""Judges whether the best of many runs is more than luck. Every reason for doubt is stated in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Protocol

from pinebench.amounts import counted, money_text, short_text
from pinebench.sweeps import measures
from pinebench.sweeps.combination_runs import RunOutcome, earned, ends, first_bar, held_percent
from pinebench.sweeps.measures import Overfitting
from pinebench.sweeps.space import Place, Space
from pinebench.workers.request import Request

LUCK, EDGE = "luck", "more than luck"
SURE = 0.99
"""The confidence from which a result is more than luck, if nothing else speaks against it."""
_EVEN = 0.5
"""The smallest probability that the searched and the held-back bars must each give, so that neither points to luck."""
_PHASES = 8
_LARGE = 100
"""The size of a metric from which two decimals are enough."""
_MOST_OF_IT = 0.8
"""The share of the profit in one phase from which the report attributes the profit to one regime."""


@dataclass(frozen=True)
class Judgement:
    """The measures of the best run, and the conclusion. A measure is None if it cannot be computed. `verdict` is `LUCK`
    or `EDGE`. `reasons` are sentences that support it, and `warnings` are further reasons for doubt."""

    verdict: str
    reasons: list[str]
    warnings: list[str]
    confidence: float | None
    """The deflated Sharpe ratio, joined with the probability on the held-back bars if bars are held back."""
    deflated_sharpe: float | None
    probabilistic_sharpe: float | None
    independent_trials: float | None
    overfitting: Overfitting | None
    unseen_probability: float | None
    """The probability that the true Sharpe ratio of the best is positive on the held-back bars alone."""
    neighbours_median: float | None
    buy_and_hold_percent: float | None
    unseen_buy_and_hold_percent: float | None
    seen_reasons: list[str]
    """The reasons for luck that are about the bars of the search alone."""


class JudgedResults(Protocol):
    """The parts of an optimization that `judge` needs."""

    @property
    def space(self) -> Space: ...
    @property
    def ranked(self) -> list[RunOutcome]: ...
    @property
    def values(self) -> list[float | None]: ...
    @property
    def unseen(self) -> list[RunOutcome]: ...
    @property
    def neighbours(self) -> list[tuple[RunOutcome, float | None]]: ...
    @property
    def cut(self) -> int | None: ...


def judge(results: JudgedResults, place: Place, request: Request, first: int, notes: Sequence[str] = ()) -> Judgement:
    """Judge whether the best run of an optimization is more than luck.

    `place` is the combination of the best run, and `request` describes a run on all bars. `first` is the index of the
    first bar that counts. `notes` are the assumptions of the best run. Raises UnavailableError without numpy.
    """
    best = results.ranked[0]
    last = len(request.bars) if request.last is None else first_bar(request.bars, request.last)
    cut = last if results.cut is None else first_bar(request.bars, results.cut)
    market = _market(request.bars.close, first, cut)
    deflated, plain, trials, overfit = _of_trials(results, best, market)
    unseen = _unseen(results, _market(request.bars.close, cut, last))
    middle = _median([value for _, value in results.neighbours])
    confidence = deflated
    if results.cut is not None:
        confidence = measures.joined(deflated, unseen, (cut - first) / max(last - first, 1))
    on_seen = _on_seen(best, deflated, trials, len(results.ranked))
    reasons = [*on_seen, *_on_unseen(results, unseen)] or _unsure(confidence)
    warnings = [
        *_few(best, results.unseen[0] if results.unseen else None),
        *_neighbourhood(results.values[0], middle, len(results.neighbours)),
        *_edges(results.space, place),
        *_one_phase(best),
        *_ruled(overfit),
        *notes,
    ]
    return Judgement(
        LUCK if reasons else EDGE,
        reasons or [_fine(confidence, trials, has_unseen=results.cut is not None)],
        warnings,
        confidence,
        deflated,
        plain,
        trials,
        overfit,
        unseen,
        middle,
        held_percent(request.bars.close, first, cut),
        None if results.cut is None else held_percent(request.bars.close, cut, last),
        on_seen,
    )


def _market(closes: Sequence[float], first: int, last: int) -> list[float]:
    """Return the market's returns over the same parts of time as the stored equity of a run."""
    kept = [closes[max(first - 1, 0)], *(closes[k] for k in ends(first, last))] if last > first else []
    return measures.returns_of(kept)


def timing(returns: Sequence[float], market: Sequence[float]) -> list[float]:
    """Return the returns without the market's contribution, by the slope of a least-squares regression on the market's
    returns. Too few returns, or a market that does not vary, leave them unchanged.

    The mean of the result is the mean of the returns minus the slope times the market's mean. It is the profit beyond
    the strategy's average position in the market.
    """
    count = len(returns)
    if count != len(market) or count < measures.LEAST:
        return list(returns)
    middle, average = math.fsum(market) / count, math.fsum(returns) / count
    spread = math.fsum((each - middle) ** 2 for each in market)
    if not spread or not math.isfinite(spread):
        return list(returns)
    pairs = zip(returns, market, strict=True)
    slope = math.fsum((one - average) * (other - middle) for one, other in pairs) / spread
    return [one - slope * other for one, other in zip(returns, market, strict=True)]


def _of_trials(
    results: JudgedResults, best: RunOutcome, market: Sequence[float]
) -> tuple[float | None, float | None, float | None, Overfitting | None]:
    """Return deflated and probabilistic Sharpe ratio of the best run, independent trials, and overfitting."""
    np = measures.numbers()
    own = measures.moments(timing(measures.returns_of(best.equity), market))
    columns = [timing(measures.returns_of(each.equity), market) for each in results.ranked if each.error is None]
    columns = [each for each in columns if len(each) == len(best.equity) - 1]
    if own is None or not columns:
        return None, None, None, None
    matrix = np.array(columns).T
    ratios = measures.sharpe_ratios(matrix)
    correlation = measures.mean_correlation(matrix)
    trials = measures.independent_trials(correlation, len(columns))
    # Ratios of a few trials may be alike by chance: their variance is at least the one of a ratio without skill.
    variance = max(float(ratios.var(ddof=1)) if len(columns) > 1 else 0.0, (1 - max(correlation, 0.0)) / own.length)
    return (
        measures.deflated_sharpe(own, trials, variance),
        measures.probabilistic_sharpe(own),
        trials,
        measures.overfitting(matrix),
    )


def _unseen(results: JudgedResults, market: Sequence[float]) -> float | None:
    if not results.unseen or results.unseen[0].error is not None:
        return None
    own = measures.moments(timing(measures.returns_of(results.unseen[0].equity), market))
    return None if own is None else measures.probabilistic_sharpe(own)


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


# words


def _on_seen(best: RunOutcome, deflated: float | None, trials: float | None, count: int) -> list[str]:
    """Return the reason why the best run may be luck on the bars of the search; empty if there is none."""
    if not best.figures.get("trades") and not best.figures.get("open_trades"):
        return ["the best combination does not trade"]
    if deflated is None or trials is None:
        return [
            f"there are too few bars to distinguish the best combination from luck: {measures.LEAST} periods are needed"
        ]
    if deflated >= _EVEN:
        return []
    return [
        f"the best of {counted(count, 'combination')} (about {trials:,.0f} independent) is not better than "
        f"the best that luck alone would give: its deflated Sharpe ratio is {deflated:.2f}"
    ]


def _on_unseen(results: JudgedResults, probability: float | None) -> list[str]:
    if results.cut is None:
        return []
    if not results.unseen:
        return ["the best combination did not run on the held-back bars"]
    run = results.unseen[0]
    if run.error is not None:
        return [f"the best combination stopped on the held-back bars: {run.error}"]
    if earned(run.figures) <= 0:
        return [f"the best combination earns nothing on the held-back bars: {_profits(run.figures)}"]
    if probability is None:
        return [f"too few bars are held back: {measures.LEAST} periods are needed"]
    if probability < _EVEN:
        return ["the best combination does worse on the held-back bars than a constant position of its average size"]
    return []


def _profits(figures: Mapping[str, float | None]) -> str:
    """Format the profit of the closed trades and the profit of open ones."""
    open_profit = f", open profit {money_text(figures.get('open_profit') or 0.0)}" if figures.get("open_trades") else ""
    return f"net profit {money_text(figures.get('net_profit') or 0.0)}{open_profit}"


def _unsure(confidence: float | None) -> list[str]:
    if confidence is not None and confidence >= SURE:
        return []
    return [
        "the best combination cannot be distinguished from luck: the confidence is "
        f"{confidence or 0:.2f}, and {SURE} is needed"
    ]


def _fine(confidence: float | None, trials: float | None, *, has_unseen: bool) -> str:
    unseen = "nothing on the held-back bars speaks against it" if has_unseen else "no bars were held back to test it"
    return f"after about {trials or 0:,.0f} independent trials the confidence is {confidence or 0:.3f}, and {unseen}"


def _few(best: RunOutcome, unseen: RunOutcome | None) -> list[str]:
    found: list[str] = []
    for run, where in ((best, "the best"), (unseen, "on the held-back bars the best")):
        count = None if run is None else run.figures.get("trades")
        if count is not None and count < measures.FEW_TRADES:
            found.append(
                f"there are few trades: {where} has {count:.0f}; fewer than {measures.FEW_TRADES} prove little"
            )
    return found


def _neighbourhood(value: float | None, middle: float | None, count: int) -> list[str]:
    if not count or value is None:
        return []
    if middle is None:
        return ["the best combination is an isolated peak: no neighbour has a result"]
    if value > 0 and middle < value / 2:
        near = counted(count, "neighbour")
        return [
            f"the best combination is an isolated peak: the median of its {near} is {_metric(middle)}, "
            f"its own value is {_metric(value)}"
        ]
    return []


def _metric(value: float) -> str:
    """Format a value of the metric, which may be money or a ratio."""
    return short_text(value, 2 if abs(value) >= _LARGE else 4)


def _edges(space: Space, place: Place) -> list[str]:
    return [
        f"the best combination is at the edge of a range: {axis.name} = {space.inputs(place)[axis.name]}"
        for axis in space.at_the_edge(place)
    ]


def _one_phase(best: RunOutcome) -> list[str]:
    """Return a sentence if most of the profit comes from one eighth of the time; otherwise nothing."""
    equity = best.equity
    if len(equity) < 2 * _PHASES or equity[-1] <= equity[0]:
        return []
    marks = [equity[(len(equity) - 1) * k // _PHASES] for k in range(_PHASES + 1)]
    gains = [after - before for before, after in pairwise(marks)]
    share = max(gains) / (equity[-1] - equity[0])
    if share < _MOST_OF_IT:
        return []
    number = gains.index(max(gains)) + 1
    return [f"one regime: {share:.0%} of the profit comes from period {number} of {_PHASES}"]


def _ruled(overfit: Overfitting | None) -> list[str]:
    if overfit is None or overfit.probability <= 0.5:
        return []
    return [
        f"the probability of overfitting is {overfit.probability:.2f}: in most splits of the time into "
        "halves, the best combination of one half is in the lower half of the ranking in the other"
    ]

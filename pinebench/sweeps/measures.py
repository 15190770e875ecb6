"""Measures of luck in the best of many back-tests; docs/optimizing.md defines each one and names its paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from pinebench import extras

if TYPE_CHECKING:
    import numpy

    Matrix = numpy.ndarray[Any, Any]

_NORMAL = NormalDist()
_EULER = 0.5772156649015329
BLOCKS = 12
"""The number of blocks of time for the probability of overfitting; there are 924 ways to divide them into two
halves."""
_CELLS = 4_000_000
"""The largest number of Sharpe ratios of halves that are in memory at the same time."""
FEW_TRADES = 30
"""The number of trades below which results say little."""
LEAST = 24
"""The smallest number of returns for which the measures are computed."""


def numbers() -> Any:
    """Return the package numpy. Raises UnavailableError without it."""
    try:
        import numpy
    except ImportError:
        raise extras.missing("judging the best", "optimize") from None
    return numpy


class Moments(NamedTuple):
    """The Sharpe ratio of returns (mean / deviation, per return), their skewness, kurtosis (3 if normal) and number."""

    sharpe: float
    skewness: float
    kurtosis: float
    length: int


def moments(returns: Sequence[float]) -> Moments | None:
    """Compute the moments of returns; None for fewer than `LEAST` returns, or if all are equal."""
    count = len(returns)
    if count < LEAST:
        return None
    mean = math.fsum(returns) / count
    distances = [each - mean for each in returns]
    second = math.fsum(each**2 for each in distances) / count
    if second <= 1e-24 * max(abs(each) for each in returns) ** 2 or not math.isfinite(second):
        return None
    third = math.fsum(each**3 for each in distances) / count
    fourth = math.fsum(each**4 for each in distances) / count
    sharpe = mean / math.sqrt(second * count / (count - 1))
    return Moments(sharpe, third / second**1.5, fourth / second**2, count)


def probabilistic_sharpe(moments: Moments, benchmark: float = 0.0) -> float:
    """Return the probability that the true Sharpe ratio is above `benchmark` (both per return)."""
    variance = 1 - moments.skewness * moments.sharpe + (moments.kurtosis - 1) / 4 * moments.sharpe**2
    if variance <= 0:
        return float(moments.sharpe > benchmark)
    return _NORMAL.cdf((moments.sharpe - benchmark) * math.sqrt((moments.length - 1) / variance))


def expected_best(trials: float, variance: float) -> float:
    """Return the expected best Sharpe ratio of `trials` independent trials without skill. `variance` is the variance of
    their Sharpe ratios."""
    if trials <= 1:
        return 0.0
    first, second = _NORMAL.inv_cdf(1 - 1 / trials), _NORMAL.inv_cdf(1 - 1 / (trials * math.e))
    # The formula is for many trials: for less than about 1.4 it is negative, and luck never makes the best worse.
    return math.sqrt(variance) * max((1 - _EULER) * first + _EULER * second, 0.0)


def deflated_sharpe(moments: Moments, trials: float, variance: float) -> float:
    """Return the probability that the true Sharpe ratio of the best of `trials` is above the best ratio that luck alone
    would give."""
    return probabilistic_sharpe(moments, expected_best(trials, variance))


def joined(first: float | None, second: float | None, share: float) -> float | None:
    """Combine two probabilities from separate data by Stouffer's weighted method. `share` is the share of the data
    behind `first` (0 to 1). Return None if either probability is unknown."""
    if first is None or second is None:
        return None
    least = 1e-12
    scores = [_NORMAL.inv_cdf(min(max(each, least), 1 - least)) for each in (first, second)]
    return _NORMAL.cdf(math.sqrt(share) * scores[0] + math.sqrt(1 - share) * scores[1])


def independent_trials(correlation: float, count: int) -> float:
    """Return the number of independent trials that is equivalent to `count` trials with this mean correlation."""
    return max(min(correlation, 1.0), 0.0) + (1 - max(min(correlation, 1.0), 0.0)) * count


def mean_correlation(returns: Matrix) -> float:
    """Return the mean correlation between columns; 0 if fewer than two columns vary."""
    np = numbers()
    centred = returns - returns.mean(axis=0)
    norms = np.sqrt((centred**2).sum(axis=0))
    unit = centred[:, norms > 1e-15] / norms[norms > 1e-15]
    count = unit.shape[1]
    if count < 2:
        return 0.0
    together = unit.sum(axis=1)
    return float(((together**2).sum() - count) / (count * (count - 1)))


def sharpe_ratios(returns: Matrix) -> Matrix:
    """Return the Sharpe ratio of each column (mean / sample deviation, per return); 0 if a column does not vary."""
    np = numbers()
    spread = returns.std(axis=0, ddof=1)
    return np.divide(returns.mean(axis=0), spread, out=np.zeros(returns.shape[1]), where=spread > 1e-15)


class Overfitting(NamedTuple):
    """The result of combinatorially symmetric cross-validation. In each split, the best trial of one half of the time
    is tested on the other half.

    `probability` is the share of splits in which the best trial does not rank above the median in the other half.
    `degradation` is the slope of a regression of its Sharpe ratio in the other half on its ratio in the half in which
    it was best. `loss` is the share of splits in which it loses money in the other half.
    """

    probability: float
    degradation: float | None
    loss: float
    splits: int


def overfitting(returns: Matrix, blocks: int = BLOCKS) -> Overfitting | None:
    """Estimate the probability of overfitting by combinatorially symmetric cross-validation (CSCV).

    `returns` has a row for each time and a column for each trial. `blocks` is an even number of blocks of time; surplus
    rows at the beginning are left out. Return None for fewer than two trials, or too few rows.
    """
    np = numbers()
    length = returns.shape[0] // blocks
    trials = returns.shape[1]
    if trials < 2 or length < 2 or blocks < 2 or blocks % 2:
        return None
    cut = returns[returns.shape[0] - length * blocks :].reshape(blocks, length, trials)
    sums, squares = cut.sum(axis=1), (cut**2).sum(axis=1)
    halves = np.zeros((math.comb(blocks, blocks // 2), blocks))
    for row, chosen in enumerate(combinations(range(blocks), blocks // 2)):
        halves[row, list(chosen)] = 1.0
    half = length * blocks // 2
    step = max(_CELLS // trials, 1)
    parts = [_best_elsewhere(halves[k : k + step], sums, squares, half) for k in range(0, len(halves), step)]
    here, there, rank = (np.concatenate(one) for one in zip(*parts, strict=True))
    spread = float(here.var())
    slope = float(((here - here.mean()) * (there - there.mean())).mean() / spread) if spread > 1e-18 else None
    return Overfitting(float((rank <= 0.5).mean()), slope, float((there < 0).mean()), len(halves))


def _best_elsewhere(halves: Matrix, sums: Matrix, squares: Matrix, count: int) -> tuple[Matrix, Matrix, Matrix]:
    """For each choice of blocks (a row of `halves`), return the best Sharpe ratio in these blocks, the ratio of the
    same trial in the other blocks, and its relative rank there (0 to 1, exclusive).

    `sums` and `squares` have a row for each block, and `count` is the number of returns in a half.
    """
    np = numbers()
    own = _ratios(_product(halves, sums), _product(halves, squares), count)
    other = _ratios(_product(1 - halves, sums), _product(1 - halves, squares), count)
    rows = np.arange(len(halves))
    best = own.argmax(axis=1)
    there = other[rows, best]
    # The rank from 1 (worst) to the number of trials; equal ones share the mean of their ranks.
    below = (other < there[:, None]).sum(axis=1)
    equal = (other == there[:, None]).sum(axis=1)
    return own[rows, best], there, (below + (equal + 1) / 2) / (sums.shape[1] + 1)


def _product(one: Matrix, other: Matrix) -> Matrix:
    """Multiply two matrices on one core; the operator `@` would use all cores."""
    return numbers().einsum("ij,jk->ik", one, other)


def _ratios(sums: Matrix, squares: Matrix, count: int) -> Matrix:
    """Return the Sharpe ratios of samples of `count` returns, from their sums and their sums of squares."""
    np = numbers()
    mean = sums / count
    variance = (squares - count * mean**2) / (count - 1)
    return np.divide(mean, np.sqrt(np.maximum(variance, 0)), out=np.zeros_like(mean), where=variance > 1e-24)


def returns_of(equity: Sequence[float]) -> list[float]:
    """Return the returns between successive equity values. If the equity ever fell to 0 or below, return its changes
    divided by the first value instead."""
    if len(equity) < 2 or equity[0] <= 0:
        return []
    bases = equity if min(equity) > 0 else [equity[0]] * len(equity)
    return [(after - before) / base for before, after, base in zip(equity, equity[1:], bases, strict=False)]

"""Measures of luck, against the examples of the papers that define them and against their definitions."""

import math
import random
import statistics
from itertools import combinations

import numpy
import pytest

from pinebench.sweeps import measures
from pinebench.sweeps.measures import Moments

DAYS = 250


def test_the_deflated_sharpe_ratio_of_the_papers_example() -> None:
    """Bailey and López de Prado, "The Deflated Sharpe Ratio" (2014), "A numerical example": 100 trials whose yearly
    Sharpe ratios have the variance 1/2, the best 2.5, from 1250 days with skewness -3 and kurtosis 10."""
    best = Moments(2.5 / math.sqrt(DAYS), -3, 10, 1250)
    assert measures.expected_best(100, 0.5 / DAYS) == pytest.approx(0.1132, abs=5e-5)
    assert measures.deflated_sharpe(best, 100, 0.5 / DAYS) == pytest.approx(0.9004, abs=5e-5)
    assert measures.deflated_sharpe(best, 46, 0.5 / DAYS) == pytest.approx(0.9505, abs=5e-5)


def test_the_probabilistic_sharpe_ratio_of_the_papers_example() -> None:
    """Bailey and López de Prado, "The Sharpe Ratio Efficient Frontier" (2012): two years of months with the Sharpe
    ratio 0.458 a month; once as if they were normal, once with skewness -2.448 and kurtosis 10.164."""
    assert measures.probabilistic_sharpe(Moments(0.458, 0, 3, 24)) == pytest.approx(0.982, abs=5e-4)
    assert measures.probabilistic_sharpe(Moments(0.458, -2.448, 10.164, 24)) == pytest.approx(0.913, abs=5e-4)


def test_the_best_of_trials_without_skill_as_the_papers_tell() -> None:
    """Bailey, Borwein, López de Prado and Zhu, "Pseudo-Mathematics and Financial Charlatanism" (2014): the best of ten
    has the ratio 1.57, and 45 trials on five years have the ratio 1."""
    assert measures.expected_best(10, 1) == pytest.approx(1.57, abs=0.01)
    assert measures.expected_best(45, 1) ** 2 == pytest.approx(5, abs=0.05)
    assert measures.expected_best(1, 1) == 0


def test_deflating_never_makes_a_ratio_better() -> None:
    """Not even for few combinations that are nearly equal, for which the papers' formula of many trials is below 0."""
    for trials in (1, 1.01, 1.031, 1.2, 1.36, 1.5, 2, 10, 1000):
        for variance in (0.0, 1e-6, 0.5 / DAYS, 1.0):
            assert measures.expected_best(trials, variance) >= 0
            for best in (Moments(0.1, 0, 3, 60), Moments(-0.05, -1, 5, 250), Moments(2.5 / 16, -3, 10, 1250)):
                plain, deflated = measures.probabilistic_sharpe(best), measures.deflated_sharpe(best, trials, variance)
                assert plain is None or (deflated is not None and deflated <= plain), (trials, variance, best)


def test_the_expected_best_is_the_mean_best_of_many_draws() -> None:
    chance = random.Random(5)
    bests = [max(chance.gauss(0, 1) for _ in range(50)) for _ in range(2000)]
    assert statistics.fmean(bests) == pytest.approx(measures.expected_best(50, 1), abs=0.05)


def test_moments() -> None:
    values = [0.01, -0.02, 0.03, 0.0, 0.05, -0.01] * 5
    found = measures.moments(values)
    assert found is not None
    assert found.sharpe == pytest.approx(statistics.fmean(values) / statistics.stdev(values))
    middle, spread = statistics.fmean(values), statistics.pstdev(values)
    assert found.skewness == pytest.approx(statistics.fmean(((v - middle) / spread) ** 3 for v in values))
    assert found.kurtosis == pytest.approx(statistics.fmean(((v - middle) / spread) ** 4 for v in values))
    assert measures.moments(values[:20]) is None
    assert measures.moments([0.1] * 30) is None
    assert measures.moments([0.0] * 30) is None


def test_correlation_and_independent_trials() -> None:
    chance = numpy.random.default_rng(3)
    returns = chance.normal(size=(200, 6)) + chance.normal(size=(200, 1))
    pairs = [numpy.corrcoef(returns[:, i], returns[:, j])[0, 1] for i, j in combinations(range(6), 2)]
    assert measures.mean_correlation(returns) == pytest.approx(statistics.fmean(pairs))
    assert measures.mean_correlation(numpy.zeros((50, 3))) == 0
    assert measures.independent_trials(0.25, 100) == 75.25
    assert measures.independent_trials(1.0, 100) == 1
    assert measures.independent_trials(-0.3, 100) == 100


def slow_overfitting(returns: list[list[float]], blocks: int) -> float:
    """The probability of overfitting as the paper defines it, step by step."""
    length = len(returns) // blocks
    parts = [returns[k * length : (k + 1) * length] for k in range(blocks)]
    logits: list[float] = []
    for chosen in combinations(range(blocks), blocks // 2):
        inside = [row for k in chosen for row in parts[k]]
        outside = [row for k in range(blocks) if k not in chosen for row in parts[k]]
        own = [statistics.fmean(column) / statistics.stdev(column) for column in zip(*inside, strict=True)]
        other = [statistics.fmean(column) / statistics.stdev(column) for column in zip(*outside, strict=True)]
        best = own.index(max(own))
        rank = sorted(other).index(other[best]) + 1
        share = rank / (len(own) + 1)
        logits.append(math.log(share / (1 - share)))
    return sum(logit <= 0 for logit in logits) / len(logits)


@pytest.mark.parametrize("seed", range(3))
def test_overfitting_is_what_its_definition_says(seed: int) -> None:
    chance = random.Random(seed)
    returns = [[chance.gauss(0.1 * k, 1) for k in range(5)] for _ in range(48)]
    found = measures.overfitting(numpy.array(returns), blocks=6)
    assert found is not None
    assert found.splits == 20
    assert found.probability == pytest.approx(slow_overfitting(returns, 6))


def test_overfitting_of_two_trials_by_hand() -> None:
    """One trial wins in the first half of the time, the other in the second: the best of one half always loses."""
    up, down = [0.03, 0.01], [-0.01, -0.03]
    rows = [[*pair] for pair in zip(up * 2 + down * 2, down * 2 + up * 2, strict=True)]
    found = measures.overfitting(numpy.array(rows), blocks=2)
    assert found == measures.Overfitting(1.0, None, 1.0, 2)


def test_overfitting_of_the_papers_cases() -> None:
    """Bailey, Borwein, López de Prado and Zhu, "The Probability of Backtest Overfitting" (2015), the test cases with
    1000 returns of 100 trials: if all have the mean 0, choosing the best is worthless, and the probability is 1; if one
    of them has a yearly Sharpe ratio of 3, it is near 0."""
    chance = numpy.random.default_rng(1)
    returns = chance.normal(size=(1000, 100))
    returns -= returns.mean(axis=0)
    worthless = measures.overfitting(returns, blocks=8)
    returns[:, 7] += 3 / math.sqrt(DAYS) * returns[:, 7].std()
    skilled = measures.overfitting(returns, blocks=8)
    assert worthless is not None and skilled is not None
    assert worthless.probability > 0.98
    assert skilled.probability < 0.1


def test_overfitting_needs_two_trials_and_some_time() -> None:
    assert measures.overfitting(numpy.ones((100, 1))) is None
    assert measures.overfitting(numpy.ones((10, 5))) is None
    flat = measures.overfitting(numpy.zeros((48, 3)), blocks=4)
    assert flat is not None and flat.probability == 1.0


def test_returns_of_an_equity() -> None:
    assert measures.returns_of([100, 110, 99]) == pytest.approx([0.1, -0.1])
    assert measures.returns_of([100, -50, 50]) == [-1.5, 1.0]
    assert measures.returns_of([0, 1]) == measures.returns_of([5]) == []


def test_two_probabilities_are_joined_by_their_weights() -> None:
    """Two probabilities of 0.95 with the same weight are the probability of a score of 1.645 times the root of two."""
    assert measures.joined(0.95, 0.95, 0.5) == pytest.approx(statistics.NormalDist().cdf(1.6448536 * math.sqrt(2)))
    assert measures.joined(0.9, 0.5, 1.0) == pytest.approx(0.9)
    assert measures.joined(0.9, 0.1, 0.5) == pytest.approx(0.5)
    assert measures.joined(None, 0.5, 0.5) is None


def test_luck_never_helps_the_best() -> None:
    """The expected best of few, nearly equal trials is not negative, so that deflating never raises a probability."""
    for trials in (1.0, 1.01, 1.03, 1.1, 1.36, 1.5, 2.0, 10.0):
        assert measures.expected_best(trials, 0.5) >= 0, trials

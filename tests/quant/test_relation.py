"""Correlation, beta and relative strength, against values worked by hand, numpy and empyrical."""

import math

import numpy
import pytest

from pinebench.market import load_named
from pinebench.quant import relation
from pinebench.quant.returns import returns_of
from tests.quant.test_returns import walk


def test_correlation_and_beta_as_others_have_them() -> None:
    import empyrical  # loads SciPy, and not when tests are collected

    one, other = returns_of(walk(200, 1)).values, returns_of(walk(200, 2)).values
    mixed = [0.7 * a + 0.3 * b for a, b in zip(one, other, strict=True)]
    assert relation.correlation(one, mixed).value == pytest.approx(numpy.corrcoef(one, mixed)[0, 1])
    assert relation.beta(mixed, one).value == pytest.approx(empyrical.beta(numpy.array(mixed), numpy.array(one)))
    assert relation.correlation(one, one).value == pytest.approx(1)
    assert relation.correlation(one, [-each for each in one]).value == pytest.approx(-1)


def test_what_cannot_be_known() -> None:
    flat, own = [0.0] * 30, returns_of(walk(31)).values
    assert relation.correlation(own, flat).why == "all returns of one sample are the same"
    assert relation.beta(own, flat).why == "all returns of the benchmark are the same"
    assert relation.correlation(own[:19], own[:19]).why == "needs 20 pairs of returns, and there are 19"
    assert relation.beta(own, own[1:]).value is None and relation.correlation(own, own[1:]).value is None


def test_only_times_that_all_have_are_compared() -> None:
    one = {0: 100.0, 1: 110.0, 2: math.nan, 3: 121.0}
    other = {0: 10.0, 1: 10.0, 2: 10.0, 3: 20.0, 4: 1.0}
    times = relation.common_times([one, other])
    assert times == [0, 1, 3]
    assert relation.returns_at(one, times) == pytest.approx([0.1, 0.1])
    assert relation.common_times([]) == []


def test_ranking_by_hand() -> None:
    many = {"A": {0: 100.0, 1: 110.0}, "B": {0: 100.0, 1: 90.0}, "C": {0: 50.0, 1: 60.0}}
    found = relation.ranking(many, 1)
    assert [each.name for each in found] == ["C", "A", "B"]
    assert found[0].relative.value == pytest.approx(1.2 / 1.1 - 1)  # the median is A
    against = {each.name: each.relative.value for each in relation.ranking(many, 1, "B")}
    assert against == pytest.approx({"C": 1.2 / 0.9 - 1, "A": 1.1 / 0.9 - 1, "B": 0})
    few = relation.ranking(many, 2)
    assert all(each.change.why == "needs 3 bars that all symbols have, and there are 2" for each in few)


def test_days_of_markets_that_open_at_different_hours_are_the_same_day() -> None:
    share, coin = load_named("sample:NASDAQ:AAPL@1Dx30"), load_named("sample:BTCUSDT@1Dx60")
    both = [relation.closes_of(each.bars, each.symbol) for each in (share, coin)]
    assert len(relation.common_times(both)) == 30
    hours = load_named("sample:NASDAQ:AAPL@60x30")
    assert list(relation.closes_of(hours.bars, hours.symbol)) == hours.bars.time
    for frame in ("1W", "1M"):
        pair = [load_named(f"sample:{name}@{frame}x12") for name in ("NASDAQ:AAPL", "BTCUSDT")]
        assert len(relation.common_times([relation.closes_of(each.bars, each.symbol) for each in pair])) >= 11

"""R multiples, Kelly and heat, worked by hand."""

import math

import pytest

from pinebench.quant import position_sizes
from pinebench.quant.figure import unknown
from pinebench.quant.position_sizes import OpenPosition


def test_r_multiples() -> None:
    found = position_sizes.r_multiples([(200, 100), (-100, 100), (50, 0), (50, -1), (math.nan, 100)])
    assert found.values == [2, -1] and found.left_out == 3
    told = position_sizes.r_statistics(found.values)
    assert told["expectancy"].value == 0.5
    assert told["deviation"].value == pytest.approx(math.sqrt(4.5))
    assert told["quality"].why == "needs 30 trades, and there are 2"
    many = position_sizes.r_statistics([2, -1] * 20)
    deviation = math.sqrt(40 * 1.5**2 / 39)
    assert many["quality"].value == pytest.approx(0.5 / deviation * math.sqrt(40))
    assert position_sizes.r_statistics([1] * 40)["quality"].why == "all R multiples are the same"
    assert position_sizes.r_statistics([])["expectancy"].value is None


def test_kelly() -> None:
    full = position_sizes.kelly(0.55, 2)
    assert full.value == pytest.approx(0.325)
    assert position_sizes.bet(full, 0.5, 0.25).value == pytest.approx(0.1625)
    assert position_sizes.bet(full, 0.5, 0.05).value == 0.05
    losing = position_sizes.kelly(0.3, 1)
    assert losing.value == pytest.approx(-0.4)
    assert position_sizes.bet(losing, 0.5, 0.25).value == 0
    for rate, payoff in ((1.1, 2), (-0.1, 2), (math.nan, 2), (0.5, 0), (0.5, math.nan), (0.5, math.inf)):
        assert position_sizes.kelly(rate, payoff).value is None
        assert position_sizes.bet(position_sizes.kelly(rate, payoff), 0.5, 0.25).value is None


def test_the_edge_of_trades() -> None:
    found = position_sizes.edge_of([20, 20, -10, 0] * 10)
    assert found.win_rate.value == 0.5 and found.payoff.value == 2
    assert position_sizes.edge_of([20, -10] * 14).win_rate.why == "needs 30 trades, and there are 28"
    assert position_sizes.edge_of([20] * 30).payoff.why == "there is no losing trade"
    assert position_sizes.edge_of([-20] * 30).payoff.why == "there is no winning trade"


def test_sizes() -> None:
    assert position_sizes.units(10_000, 0.01, 100, 95).value == 20
    assert position_sizes.units(10_000, 0.01, 95, 100, 2).value == 10
    assert position_sizes.units(10_000, 0.01, 100, 100).why == "the stop is at the entry"
    assert position_sizes.units(0, 0.01, 100, 95).value is None
    assert position_sizes.reward_to_risk(100, 95, 115).value == 3
    assert position_sizes.reward_to_risk(100, 105, 85).value == 3
    assert position_sizes.reward_to_risk(100, 95, 90).value is None
    assert position_sizes.reward_to_risk(100, 100, 110).value is None


def test_heat() -> None:
    held = [
        OpenPosition("AAPL", 10, 100, 95, "tech"),
        OpenPosition("MSFT", -5, 200, 210, "tech"),
        OpenPosition("GOLD", 1, 50, 60),  # the stop locks in a profit
    ]
    found = position_sizes.heat(held, 10_000)
    assert found.total.value == pytest.approx((50 + 50) / 10_000)
    assert found.by_name["GOLD"].value == 0
    assert found.exposure_by_group["tech"].value == pytest.approx(0.2)
    assert found.breaches == [
        "AAPL: 10.0 % of the equity, above the limit of 5 %",
        "MSFT: 10.0 % of the equity, above the limit of 5 %",
        "group tech: 20.0 % of the equity, above the limit of 15 %",
    ]


def test_a_position_without_a_stop_is_never_counted_as_without_risk() -> None:
    found = position_sizes.heat(
        [OpenPosition("A", 1, 100, None), OpenPosition("B", 1, 100, 90), OpenPosition("A", 1, 100, 99)], 10_000
    )
    assert found.total == unknown("there is no stop for A")
    assert found.by_name["A"].value is None and found.by_name["B"].value == pytest.approx(0.001)
    assert position_sizes.heat([], 0).total.value is None
    assert position_sizes.heat([], 100).total.value == 0

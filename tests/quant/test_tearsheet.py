"""The figures of a tear sheet, against values worked by hand and empyrical."""

import math
from typing import Any

import numpy
import pytest

from pinebench.quant import tearsheet
from pinebench.quant.figure import known
from pinebench.quant.tearsheet import exposure_of, sharpe, sortino
from tests.quant.test_returns import walk

DAY = 86_400_000


def days(count: int) -> list[int]:
    """The opening times of daily bars."""
    return [at * DAY for at in range(count)]


def test_ratios_by_hand() -> None:
    values = [0.02, -0.01] * 10
    deviation = math.sqrt(20 * 0.015**2 / 19)
    assert sharpe(values, 100).value == pytest.approx(0.005 / deviation * 10)
    assert sortino(values, 100).value == pytest.approx(0.005 / math.sqrt(0.01**2 / 2) * 10)
    assert sharpe(values, 100, 0.5).value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("free", [0.0, 0.03])
def test_ratios_as_empyrical_has_them(free: float) -> None:
    import empyrical  # loads SciPy, and not when tests are collected

    equity = walk(500)
    values = numpy.diff(equity) / numpy.array(equity[:-1])
    told = tearsheet.tearsheet(days(500), equity, 252, free)
    per_bar: Any = free / 252  # declared as a whole number there
    assert told["sharpe"].value == pytest.approx(empyrical.sharpe_ratio(values, per_bar, annualization=252))
    assert told["sortino"].value == pytest.approx(empyrical.sortino_ratio(values, per_bar, annualization=252))
    assert told["volatility"].value == pytest.approx(empyrical.annual_volatility(values, annualization=252))
    assert told["max_drawdown"].value == pytest.approx(-empyrical.max_drawdown(values))
    # Its year has as many bars as ours has days.
    assert told["cagr"].value == pytest.approx(empyrical.cagr(values, annualization=365))
    assert told["calmar"].value == pytest.approx(empyrical.calmar_ratio(values, annualization=365))
    assert told["total_return"].value == pytest.approx(empyrical.cum_returns_final(values))


def test_a_year_by_hand() -> None:
    equity = [100.0] * 365 + [121.0]
    told = tearsheet.tearsheet(days(366), equity, 365)
    assert told["cagr"].value == pytest.approx(0.21)
    assert told["sortino"].why == told["calmar"].why == "there is no loss, so the ratio would be infinite"
    assert told["max_drawdown"].value == told["under_water"].value == 0
    wave = [100.0, 50.0, 100.0, 75.0]
    told = tearsheet.tearsheet(days(4), wave, 365, exposure=known(0.5))
    assert told["under_water"].value == 0.5 and told["longest_drawdown_bars"].value == 2
    assert told["current_drawdown"].value == 0.25 and told["exposure"].value == 0.5


def test_too_little_data_has_reasons() -> None:
    told = tearsheet.tearsheet(days(10), walk(10), 365)
    assert told["sharpe"].why == told["volatility"].why == "needs 20 returns, and there are 9"
    assert "quarter of a year" in told["cagr"].why and told["calmar"].why == told["cagr"].why
    assert told["exposure"].value is None
    flat = tearsheet.tearsheet(days(100), [100.0] * 100, 365)
    assert flat["sharpe"].why == "all returns are the same" and flat["volatility"].value == 0
    assert tearsheet.tearsheet(days(100), walk(100), None)["sharpe"].value is None
    for equity in ([], [100.0], [100.0, 0.0], [100.0, -5.0, 3.0], [math.nan] * 30):
        lost = tearsheet.tearsheet(days(len(equity)), equity, 365)
        assert {*lost} == {*told} and all(each.value is None and each.why for each in lost.values())


def test_exposure() -> None:
    assert exposure_of([(0, 1), (1, 2), (8, 20)], 10).value == 0.5
    assert exposure_of([], 10).value == 0
    assert exposure_of([], 0).value is None

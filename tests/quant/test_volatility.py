"""Volatility and its regimes, against values worked by hand and empyrical."""

import numpy
import pytest

from pinebench.quant import volatility
from pinebench.quant.returns import returns_of
from tests.quant.test_returns import walk


def test_volatility_of_a_year() -> None:
    import empyrical  # loads SciPy, and not when tests are collected

    values = returns_of(walk(300)).values
    expected = empyrical.annual_volatility(numpy.array(values), annualization=365)
    assert volatility.a_year(values, 365).value == pytest.approx(expected)
    assert volatility.a_year([0.1, -0.1, 0.1, -0.1, 0.0], 4).value == pytest.approx(0.2)
    assert volatility.a_year(values, None).why == "the number of bars in a year is not known"
    assert volatility.a_year(values[:4], 365).why == "needs 5 returns, and there are 4"


@pytest.mark.parametrize(
    ("size", "name"),
    [(0.004, "coiling"), (0.006, "compressing"), (0.01, "stable"), (0.017, "expanding"), (0.05, "stressed")],
)
def test_regimes(size: float, name: str) -> None:
    calm = [0.01, -0.01] * 100
    found = volatility.regime([*calm, *([size, -size] * 5)], 10, 200)
    assert found.name == name
    near, far = numpy.std([size, -size] * 5, ddof=1), numpy.std([*calm, *([size, -size] * 5)][-200:], ddof=1)
    assert found.ratio.value == pytest.approx(near / far)


def test_a_regime_that_cannot_be_known() -> None:
    assert volatility.regime([0.01] * 200, 10, 100).name is None
    assert volatility.regime([0.01] * 200, 10, 100).ratio.why == "all returns are the same"
    short = volatility.regime([0.01, 0.02] * 10, 10, 100)
    assert short.short.value is not None and short.ratio.why == "needs 100 returns, and there are 20"
    assert volatility.regime([0.01] * 3, 10, 100).short.value is None
    assert "at least 5" in volatility.regime([0.01] * 200, 4, 100).ratio.why
    assert volatility.regime([0.01] * 200, 10, 10).ratio.value is None

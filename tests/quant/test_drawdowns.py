"""Drawdowns, worked by hand and against empyrical and the strategy tester."""

import math

import numpy
import pytest

from pinebench.broker import figures, moves_at_closes
from pinebench.quant.drawdowns import Drawdown, deepest, drawdowns
from tests.quant.test_returns import walk


def test_by_hand() -> None:
    assert drawdowns([100, 120, 90, 60, 120, 160, 120]) == [Drawdown(1, 3, 4, 0.5, 3), Drawdown(5, 6, None, 0.25, 1)]
    assert drawdowns([1, 2, 3]) == [] and drawdowns([5]) == []
    assert drawdowns([2, 1, 1, 2, 2, 1, 2]) == [Drawdown(0, 1, 3, 0.5, 3), Drawdown(4, 5, 6, 0.5, 2)]


@pytest.mark.parametrize("equity", [[], [1, 0, 1], [1, -1], [1, math.nan], [math.inf, 1]])
def test_an_equity_that_is_not_positive_has_none(equity: list[float]) -> None:
    assert isinstance(drawdowns(equity), str)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_deepest_is_that_of_others(seed: int) -> None:
    import empyrical  # loads SciPy, and not when tests are collected

    equity = walk(300, seed)
    found = drawdowns(equity)
    assert not isinstance(found, str)
    changes = numpy.diff(equity) / numpy.array(equity[:-1])
    assert deepest(found) == pytest.approx(-empyrical.max_drawdown(changes))
    _, tester, _, _ = moves_at_closes(list(equity), equity[0])
    assert 100 * deepest(found) == pytest.approx(tester)


def test_a_run_up_from_a_loss_of_everything_has_no_percent() -> None:
    """It was told as 0 per cent, or as the percent of an earlier and smaller one."""
    for equity, told in (
        ([100, 110, -50, 900], (160, pytest.approx(100 * 160 / 110), 950, None)),
        ([100, 110, 0, 0, -20], (130, pytest.approx(100 * 130 / 110), 10, 10)),
        ([100, *[90] * 300, 99], (10, 10, 9, 10)),
    ):
        assert figures.known_moves(moves_at_closes([*map(float, equity)], 100), equity) == told

"""Scores: pass@1, its interval, and the order of the leaderboard."""

import math

import pytest

from pinebench.evals.scores import share
from pinebench.evals.tasks import tasks

ALL = tasks(1)
ONE_EACH = [task for task in ALL if task.id.endswith("-1")]


def test_tasks_of_different_families_have_the_interval_of_wilson() -> None:
    """Against the table of Newcombe (1998): 81 of 263 has 0.2553 to 0.3662; here 15 of 60 by the same formula."""
    held = share((task, number < 15) for number, task in enumerate(ONE_EACH))
    z, p, n = 1.959964, 0.25, 60
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert (held.tasks, held.passed, held.rate) == (60, 15, 0.25)
    assert held.low == pytest.approx(middle - reach, abs=1e-3)
    assert held.high == pytest.approx(middle + reach, abs=1e-3)


def test_tasks_that_pass_or_fail_by_families_tell_less() -> None:
    by_family = share((task, task.family.name < "m") for task in ALL)
    mixed = share((task, number % 2 == 0) for number, task in enumerate(ALL))
    assert by_family.high - by_family.low > 1.8 * (mixed.high - mixed.low)
    alone = share((task, task.family.name < "m") for task in ONE_EACH)
    assert by_family.high - by_family.low == pytest.approx(alone.high - alone.low, rel=0.05)


@pytest.mark.parametrize(("passes", "low", "high"), [(False, 0.0, 0.0602), (True, 0.9398, 1.0)])
def test_a_score_of_0_or_1_has_an_interval_too(passes: bool, low: float, high: float) -> None:
    held = share((task, passes) for task in ALL)
    assert (held.low, held.high) == (pytest.approx(low, abs=1e-3), pytest.approx(high, abs=1e-3))


def test_without_a_task_nothing_is_known() -> None:
    held = share([])
    assert (held.rate, held.low, held.high) == (0.0, 0.0, 1.0)

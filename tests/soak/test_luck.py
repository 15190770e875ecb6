"""How often the verdict of an optimization is wrong: on pure noise, and on an edge that was planted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench.market import Bars
from tests.sweeps.support import CROSS, optimized, walk

pytestmark = pytest.mark.soak

RANGES = ("Fast=4:20:4", "Slow=20:80:20", "Mode=EMA")


def edges(bars: Callable[[int], Bars]) -> int:
    """The number of 100 seeds for which the best is called more than luck."""
    count = 0
    for seed in range(100):
        judgement = optimized(CROSS, bars(seed), *RANGES).judgement
        assert judgement is not None
        assert all("nan" not in each for each in (*judgement.reasons, *judgement.warnings))
        count += judgement.verdict != "luck"
    return count


def test_pure_noise_is_luck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path))
    assert edges(lambda seed: walk(seed, 2000)) <= 5


def test_a_planted_edge_is_more_than_luck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path))
    assert edges(lambda seed: walk(seed, 2000, trend=0.3)) >= 90

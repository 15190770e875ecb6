"""The goal `robust`: it is met by a planted edge and not by noise, and the author learns nothing of held-back bars."""

from pathlib import Path

import pytest

from pinebench.authoring.goals import ROBUST, trial
from pinebench.checker import open_program
from pinebench.context import CancelledError, Context
from pinebench.errors import UsageError
from pinebench.market import Bars, Data
from tests.sweeps.support import SYMBOL, walk

SCRIPT = """//@version=6
strategy("Cross", default_qty_type = strategy.percent_of_equity, default_qty_value = 50)
fast = input.int(8, "Fast", minval = 4, maxval = 20, step = 8)
slow = input.int(40, "Slow", minval = 20, maxval = 80, step = 20)
if ta.crossover(ta.ema(close, fast), ta.ema(close, slow))
    strategy.entry("Long", strategy.long)
if ta.crossunder(ta.ema(close, fast), ta.ema(close, slow))
    strategy.entry("Short", strategy.short)
plot(close, "Close")
"""


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path))


def data(bars: Bars) -> Data:
    return Data(bars, SYMBOL, "milliseconds", "file")


def test_a_planted_edge_is_robust_and_noise_is_not() -> None:
    program = open_program(SCRIPT)
    edge = trial((ROBUST,), data(walk(1, 2000, trend=0.3)))(program, Context())
    assert (edge.met, edge.words) == (True, ())
    noise = trial((ROBUST,), data(walk(1, 2000)))(program, Context())
    assert noise.met is False
    assert len(noise.words) == len(noise.places) == 1
    assert noise.words[0].startswith("robust: ")


def test_the_author_learns_only_that_held_back_bars_fail() -> None:
    """Bars that turn against the strategy in the held-back part change the verdict, and nothing else that is told."""
    good = walk(1, 2000, trend=0.3)
    turned = walk(2, 2000, trend=-0.0)
    columns = zip(good.columns()[1:], turned.columns()[1:], strict=True)
    mixed = Bars(list(good.time), *(one[:1400] + two[1400:] for one, two in columns))
    program = open_program(SCRIPT)
    one = trial((ROBUST,), data(good))(program, Context())
    two = trial((ROBUST,), data(mixed))(program, Context())
    assert one.account == two.account
    assert two.words in (("robust: the best inputs do not work on bars that were held back",), ())
    assert trial((ROBUST,), data(good)).about == trial((ROBUST,), data(mixed)).about


def test_other_goals_come_first_and_are_judged_on_the_seen_bars() -> None:
    seen = trial(("trades>100000", ROBUST), data(walk(1, 300)))(open_program(SCRIPT), Context())
    assert seen.met is False
    assert not any("robust" in words for words in seen.words)


def test_a_script_without_ranges_is_told_what_is_missing() -> None:
    bare = SCRIPT.replace(", minval = 4, maxval = 20, step = 8", "").replace(
        ", minval = 20, maxval = 80, step = 20", ""
    )
    with pytest.raises(UsageError, match="no input has a range"):
        trial((ROBUST,), data(walk(1, 300)))(open_program(bare), Context())


def test_a_single_bar_cannot_be_held_back() -> None:
    with pytest.raises(UsageError, match="there is only one"):
        trial((ROBUST,), data(walk(1, 1)))


def test_the_search_can_be_cancelled() -> None:
    with pytest.raises(CancelledError):
        trial((ROBUST,), data(walk(1, 300)))(open_program(SCRIPT), Context(cancelled=lambda: True))

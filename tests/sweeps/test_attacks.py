"""Attacks on what must never happen in a sweep: a figure that a back-test does not give, a best that saw held-back
bars, a run that is counted twice, a pickle of a foreign hand, cores that nobody gave."""

import json
import os
import pickle
import random
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.market import Bars, SymbolInfo, sample_bars, samples
from pinebench.runtime import Look, RequestSource
from pinebench.sweeps.combination_runs import before_only, plain_figures
from pinebench.sweeps.executors import own
from pinebench.sweeps.optimization import OptimizationPlan, OptimizationResult, Optimizer
from pinebench.sweeps.space import space_of
from pinebench.sweeps.sweep_store import digest_of
from pinebench.workers.jobs import request_of, trade
from pinebench.workers.request import Request
from tests.sweeps.support import CROSS, SYMBOL, request, walk, with_other_end

AHEAD = """//@version=6
strategy("Ahead")
n = input.int(1, "N", minval = 1, maxval = 3)
day = request.security("X:DAY", "1D", close, lookahead = barmerge.lookahead_on)
if bar_index % 6 == 0
    strategy.entry("L", strategy.long, qty = n * day)
if bar_index % 6 == 3
    strategy.close("L")
"""
DAILY = SymbolInfo(prefix="X", symbol="DAY", timeframe="1D", mintick=0.0001, session="24x7", timezone="Etc/UTC")


def searched(asked: Request, *ranges: str, resume: bool = False, **plan: Any) -> OptimizationResult:
    program = open_program(asked.source, asked.libraries)
    made = OptimizationPlan.of(space_of(program, ranges), **plan)
    with Optimizer(program, asked, made, resume=resume) as optimizer, own() as hands:
        return optimizer.run(hands)


def days(hours: Bars) -> Bars:
    """The daily bars of hourly bars that begin at midnight."""
    found = Bars()
    for k in range(0, len(hours), 24):
        part = range(k, min(k + 24, len(hours)))
        high, low = max(hours.high[i] for i in part), min(hours.low[i] for i in part)
        found.append(hours.time[k], hours.open[k], high, low, hours.close[part[-1]], 24.0)
    return found


def ranked(found: OptimizationResult) -> list[Any]:
    return [(each.inputs, each.figures, each.equity, each.error) for each in found.ranked]


@pytest.mark.parametrize("search", ["grid", "tpe", "nsga2"])
def test_a_day_that_ends_after_the_cut_is_held_back_too(search: str) -> None:
    """The cut is in the middle of a day of the other symbol, whose close a script that looks ahead would know."""
    bars, hidden = walk(4, 250), walk(5, 250)
    plan: dict[str, Any] = {"holdout": 0.3, "search": search} | ({} if search == "grid" else {"trials": 2})
    found: list[OptimizationResult] = []
    for other in (hidden, with_other_end(hidden, 175)):
        asked = request(AHEAD, bars, others={"X:DAY": RequestSource(days(other), DAILY)})
        found.append(searched(asked, **plan))
    assert found[0].cut == bars.time[175]
    assert ranked(found[0]) == ranked(found[1])
    assert [each.figures for each in found[0].unseen] != [each.figures for each in found[1].unseen]


def test_a_back_test_that_ends_early_does_not_look_ahead_either() -> None:
    """So the search gives what `backtest --to` gives, also with a script that looks ahead."""
    bars = walk(4, 250)
    asked = request(AHEAD, bars, others={"X:DAY": RequestSource(days(walk(5, 250)), DAILY)})
    found = searched(asked, holdout=0.3)
    assert found.cut == bars.time[175]
    for outcome in found.ranked:
        tested = trade(replace(asked, inputs=outcome.inputs, last=found.cut))
        assert outcome.figures == plain_figures(tested.figures())


def test_symbols_of_the_sample_market_end_with_the_search() -> None:
    """They are made when a script requests them, as many bars as the chart has: not the last ones for a search that
    gets the first ones."""
    from pinebench.calendars.timeframes import timeframe

    script = """//@version=6
strategy("Pair")
n = input.int(1, "N", minval = 1, maxval = 3)
other = request.security("NASDAQ:MSFT", timeframe.period, close)
if ta.crossover(other, ta.sma(other, 5 * n))
    strategy.entry("L", strategy.long)
if ta.crossunder(other, ta.sma(other, 5 * n))
    strategy.close("L")
"""
    day = timeframe("1D")
    apple = next(one for one in samples.SAMPLES if one.ticker == "AAPL")
    asked = request_of(open_program(script), sample_bars(apple, day, 300), apple.info(day.text), samples=True)
    found = searched(asked, holdout=0.3)
    assert found.cut is not None
    for outcome in found.ranked:
        tested = trade(replace(asked, inputs=outcome.inputs, last=found.cut))
        assert outcome.figures == plain_figures(tested.figures())
        assert outcome.figures["trades"]
    seen = before_only(asked, found.cut)
    assert all(max(each.bars.time) < found.cut for each in seen.others.values())


def test_a_week_that_is_dated_at_midnight_is_not_known_before_it_ends() -> None:
    """Files often have the date of the Monday for the time of a week. In New York it is Sunday evening then."""
    day = 86_400_000
    mondays = [(4 + 7 * k) * day for k in range(10)]
    dated = Bars(mondays, *([1.0] * 10 for _ in range(5)))
    market = SymbolInfo(timezone="America/New_York", session="0930-1600", type="stock", timeframe="1W")
    asked = request(CROSS, walk(5, 24 * 60), others={"X:WEEK": RequestSource(dated, market)})
    middle, end = (before_only(asked, mondays[5] + days * day) for days in (3, 7))
    assert max(middle.others["X:WEEK"].bars.time) == mondays[4]
    assert max(end.others["X:WEEK"].bars.time) == mondays[5]


def test_market_prices_beside_a_heikin_ashi_chart_end_with_the_search() -> None:
    bars = walk(5, 100)
    seen = before_only(request(CROSS, bars, look=Look(False, walk(6, 100))), bars.time[60])
    assert seen.look.standard is not None
    assert list(seen.look.standard.time) == bars.time[:60]
    one, two = (request(CROSS, bars, look=Look(False, walk(seed, 100))) for seed in (6, 7))
    assert len({digest_of(one), digest_of(two), digest_of(request(CROSS, bars))}) == 3


LIBRARY = '//@version=6\nlibrary("Tools")\nexport length() =>\n    {}\n'
IMPORTING = """//@version=6
strategy("Importing")
import me/Tools/1 as tools
n = input.int(1, "N", minval = 1, maxval = 3)
if bar_index % (n * tools.length()) == 0
    strategy.entry("L", strategy.long)
else
    strategy.close("L")
"""


def test_resume_takes_no_runs_of_another_text_of_an_imported_library(tmp_path: Path) -> None:
    library = tmp_path / "libraries" / "me" / "Tools"
    library.mkdir(parents=True)
    folders = (str(tmp_path / "libraries"),)
    trades: list[Sequence[float | None]] = []
    for length in (5, 9):
        (library / "1.pine").write_text(LIBRARY.format(length))
        program = open_program(IMPORTING, folders, fresh=True)
        asked = request_of(program, walk(3, 120), SYMBOL)
        plan = OptimizationPlan.of(space_of(program, ()), holdout=0)
        with Optimizer(program, asked, plan, resume=True) as optimizer, own() as hands:
            found = optimizer.run(hands)
        assert all(each.error is None for each in found.ranked), found.ranked[0].error
        trades.append(sorted(each.figures["trades"] or 0 for each in found.ranked))
    assert trades[0] != trades[1]


def test_random_combinations_are_the_ones_of_back_tests() -> None:
    """Fifty draws of scripts, inputs and held-back shares; also runs that begin late, after a warm-up."""
    chance = random.Random(17)
    for number in range(5):
        bars = walk(100 + number, 200)
        first = bars.time[chance.randrange(40)] if number % 2 else None
        asked = request(CROSS, bars, first=first, properties={"commission_value": 0.1, "slippage": number % 3})
        plan: dict[str, Any] = {"search": "random", "trials": 10, "seed": number}
        found = searched(asked, "Fast=2:40:1", "Slow=10:120:1", "Mode=EMA,SMA", holdout=chance.choice((0, 0.3)), **plan)
        for outcome in found.ranked:
            tested = trade(replace(asked, inputs=outcome.inputs, last=found.cut))
            assert outcome.figures == plain_figures(tested.figures())
        for outcome in found.unseen:
            tested = trade(replace(asked, inputs=outcome.inputs, first=found.cut))
            assert outcome.figures == plain_figures(tested.figures())
            assert all(bars.time[each.entry_bar] >= (found.cut or 0) for each in tested.trades)


_THREADS = """
import numpy, os, time
from pinebench.sweeps import measures

def used():
    tasks = os.listdir("/proc/self/task")
    return {task: int(open(f"/proc/self/task/{task}/stat").read().rpartition(")")[2].split()[11]) for task in tasks}

returns = numpy.random.default_rng(1).normal(size=(240, 1500))
before = {}
while used() != before:  # the threads of numpy are busy for a moment when it is imported
    before = used()
    time.sleep(0.1)
begin = time.process_time()
while time.process_time() - begin < 0.5:
    measures.overfitting(returns), measures.mean_correlation(returns), measures.sharpe_ratios(returns)
print([ticks - before.get(task, 0) for task, ticks in used().items()])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_measures_use_one_core() -> None:
    """Matrix products of numpy take all cores by themselves."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    told = subprocess.run(
        [sys.executable, "-c", _THREADS], capture_output=True, text=True, timeout=120, check=True, env=environment
    ).stdout
    most, *others = sorted(json.loads(told), reverse=True)
    assert most > 10 * sum(others), told


def test_foreign_bytes_in_the_kept_runs_are_never_unpickled(tmp_path: Path) -> None:
    """Runs and trials that somebody replaced by pickles are computed again."""

    class Bomb:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "exploded",))

    bars = walk(9, 100)
    plan: dict[str, Any] = {"search": "tpe", "trials": 6, "holdout": 0}
    ranges = ("Fast=2:40:1", "Slow=20:60:20", "Mode=EMA")
    searched(request(CROSS, bars), *ranges, **plan)
    folder = next((tmp_path / "state" / "sweeps").glob("*/"))
    assert folder.stat().st_mode & 0o077 == 0
    with sqlite3.connect(folder / "runs.sqlite") as base:
        base.execute("UPDATE batches SET outcomes = ?", (pickle.dumps(Bomb()),))
        base.execute("INSERT INTO batches (outcomes) VALUES (?)", (pickle.dumps(Bomb()).decode("latin-1"),))
    base.close()
    with (folder / "trials.journal").open("ab") as journal:
        journal.write(pickle.dumps(Bomb()) + b"\n")
    again = searched(request(CROSS, bars), *ranges, resume=True, **plan)
    assert not (tmp_path / "exploded").exists()
    assert len(again.ranked) > 2 and again.repeated == 0
    for outcome in again.ranked:
        tested = trade(replace(request(CROSS, bars), inputs={**outcome.inputs, "Mode": "EMA"}))
        assert outcome.figures == plain_figures(tested.figures())

"""What must never happen in an optimization: a figure that a back-test does not give, a best that saw held-back bars,
a run that is counted twice or lost."""

import contextlib
import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from pinebench import decoding
from pinebench.backtesting.backtest import backtest
from pinebench.checker import open_program
from pinebench.compiled import Work
from pinebench.context import CancelledError, Context
from pinebench.errors import UnavailableError, UsageError
from pinebench.market import Bars
from pinebench.sweeps import executors, optimization
from pinebench.sweeps.combination_runs import Batch, Inputs, RunOutcome, before_only, plain_figures, run_batch, run_many
from pinebench.sweeps.executors import LocalExecutor, own
from pinebench.sweeps.optimization import OptimizationPlan, OptimizationResult, Optimizer, SweepProgress
from pinebench.sweeps.outcome_json import SHAPE, unpacked
from pinebench.sweeps.page import data_of
from pinebench.sweeps.space import space_of
from pinebench.sweeps.sweep_report import as_text
from pinebench.sweeps.sweep_store import SweepStore, digest_of
from pinebench.workers.jobs import perform, request_of
from pinebench.workers.request import Request, Tier
from tests.sweeps.support import CROSS, SYMBOL, optimized, request, walk, with_other_end

RANGES = ("Fast=4:12:4", "Slow=20:60:20")


class Counting:
    """Computes in this process, and counts what it is asked for. Interrupts the sweep after `most` runs."""

    def __init__(self, most: int | None = None) -> None:
        self.seen: list[tuple[Request, Inputs]] = []
        self._most = most

    def outcomes(self, request: Request, combinations: Sequence[Inputs], more: int = 0) -> Iterator[list[RunOutcome]]:
        for inputs in combinations:
            if len(self.seen) == self._most:
                raise KeyboardInterrupt
            self.seen.append((request, inputs))
            yield run_many(request, [inputs])


def ranked(found: OptimizationResult) -> list[tuple[str, object]]:
    return [(str(sorted(each.inputs.items())), dict(each.figures)) for each in found.ranked]


def test_every_figure_is_the_one_of_a_back_test_with_the_same_inputs() -> None:
    bars = walk(3, 500)
    program = open_program(CROSS)
    for holdout in (0.0, 0.3):
        found = optimized(CROSS, bars, *RANGES, "Mode=SMA", holdout=holdout)
        assert len(found.ranked) == 9
        for outcome in found.ranked:
            tested = backtest(program, bars, SYMBOL, inputs={**outcome.inputs, "Mode": "SMA"}, last=found.cut)
            assert outcome.figures == plain_figures(tested.figures())
            assert outcome.figures["trades"] == len(tested.trades)
            assert outcome.equity[-1] == tested.curve.equity[-1]
        for outcome in found.unseen:
            tested = backtest(program, bars, SYMBOL, inputs={**outcome.inputs, "Mode": "SMA"}, first=found.cut)
            assert outcome.figures == plain_figures(tested.figures())
            assert all(trade.entry_bar >= 350 for trade in tested.trades)
        assert len(found.unseen) == (9 if holdout else 0)


@pytest.mark.parametrize("search", ["grid", "random", "tpe"])
def test_the_best_never_sees_held_back_bars(search: str) -> None:
    """Other held-back bars change the runs on them, and nothing about the search."""
    bars = walk(4, 400)
    more: dict[str, Any] = {} if search == "grid" else {"trials": 5 if search == "random" else 20}
    ranges = ("Fast=2:40:2", "Slow=20:60:20") if search == "tpe" else RANGES
    one = optimized(CROSS, bars, *ranges, search=search, holdout=0.25, **more)
    two = optimized(CROSS, with_other_end(bars, 300), *ranges, search=search, holdout=0.25, **more)
    assert one.cut == two.cut == bars.time[300]
    assert ranked(one) == ranked(two)
    assert one.values == two.values
    assert one.judgement is not None and two.judgement is not None
    assert one.judgement.deflated_sharpe == two.judgement.deflated_sharpe
    assert [each.figures for each in one.unseen] != [each.figures for each in two.unseen]


def test_the_search_gets_no_held_back_bar_of_any_symbol() -> None:
    from pinebench.runtime import RequestSource

    bars = walk(5, 200)
    whole = request(
        CROSS, bars, others={"X": RequestSource(walk(6, 200), SYMBOL)}, lower=walk(7, 200), standard=walk(8, 200)
    )
    seen = before_only(whole, bars.time[120])
    for column in (seen.bars, seen.lower, seen.standard, seen.others["X"].bars):
        assert column is not None and len(column.time) == 120
    program = open_program(CROSS)
    counting = Counting()
    with Optimizer(
        program, request(CROSS, bars), OptimizationPlan.of(space_of(program, RANGES), holdout=0.4)
    ) as optimizer:
        optimizer.run(counting)
    searching = [asked for asked, _ in counting.seen if asked.first is None]
    assert len(searching) >= 9
    assert {max(asked.bars.time) for asked in searching} == {bars.time[119]}
    assert len(counting.seen) - len(searching) == 9


def swept(bars: Bars, hands: Counting, *, resume: bool, **plan: Any) -> OptimizationResult:
    program = open_program(CROSS)
    ranges = RANGES if plan.get("search") in (None, "grid") else ("Fast=2:40:1", "Slow=20:60:20")
    made = OptimizationPlan.of(space_of(program, ranges), **plan)
    with Optimizer(program, request(CROSS, bars), made, resume=resume) as optimizer:
        return optimizer.run(hands)


@pytest.mark.parametrize("search", ["grid", "random", "tpe", "nsga2"])
def test_after_a_stop_nothing_is_repeated_and_nothing_is_lost(search: str) -> None:
    """Also for a sampler: what it had proposed and not finished is finished, and its trials count once."""
    bars = walk(9, 200)
    plan: dict[str, Any] = {"search": search, "holdout": 0} | ({} if search == "grid" else {"trials": 12})
    first = Counting(most=5)
    part = swept(bars, first, resume=False, **plan)
    assert not part.is_whole
    assert len(part.ranked) == 5
    second = Counting()
    whole = swept(bars, second, resume=True, **plan)
    done = [str(inputs) for _, inputs in (*first.seen, *second.seen)]
    assert len(done) == len(set(done))
    assert whole.is_whole
    assert whole.repeated == 5
    names = [name for name, _ in ranked(whole)]
    assert len(names) == len(set(names))
    if search in ("grid", "random"):
        assert ranked(whole) == ranked(swept(bars, Counting(), resume=False, **plan))
    again = Counting()
    swept(bars, again, resume=True, **plan)
    assert again.seen == []


def test_without_resume_everything_runs_anew() -> None:
    bars = walk(9, 100)
    swept(bars, Counting(), resume=False, holdout=0)
    again = Counting()
    swept(bars, again, resume=False, holdout=0)
    assert len(again.seen) == 9


_KILLED = """
import sys
from tests.sweeps.support import *
import pinebench.sweeps.optimization as optimizing
def slow(self, outcomes, add=optimizing.SweepStore.add):
    found = add(self, outcomes)
    print(len(self), flush=True)
    return found
optimizing.SweepStore.add = slow
found = optimized(CROSS, walk(11, 200), "Fast=2:16:1", "Slow=20:60:20", holdout=0, resume=sys.argv[1] == "1")
print("whole", found.repeated, len(found.ranked), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
def test_a_killed_sweep_goes_on_where_it_was() -> None:
    """SIGKILL, not an exception: what was said to be kept is kept."""
    folder = Path(__file__).parents[2]

    def begun(resume: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _KILLED, resume]
        return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=dict(os.environ))

    process = begun("0")
    assert process.stdout is not None
    kept = 0
    while kept < 10:
        kept = int(process.stdout.readline())
    below = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert below
    assert psutil.wait_procs(below, timeout=60)[1] == []  # else a worker would hold the pipe that is read below
    rest = process.stdout.read().split()
    process.stdout.close()
    kept = int(rest[-1]) if rest and rest[-1].isdigit() else kept
    out = begun("1").communicate(timeout=120)[0].splitlines()
    word, repeated, count = out[-1].split()
    assert (word, count) == ("whole", "45")
    assert int(repeated) >= kept
    numbers = [int(line) for line in out[:-1]]
    assert numbers == sorted(set(numbers))


def test_two_processes_cannot_write_the_same_sweep() -> None:
    name = digest_of(request(CROSS, walk(1, 50)))
    with SweepStore(name, resume=False), pytest.raises(UnavailableError, match="the same sweep is running"):
        SweepStore(name, resume=True)
    SweepStore(name, resume=True).close()


def test_a_store_belongs_to_the_same_script_bars_and_settings() -> None:
    one = request(CROSS, walk(1, 50))
    others = [
        request(CROSS + "\n", walk(1, 50)),
        request(CROSS, walk(2, 50)),
        request(CROSS, walk(1, 51)),
        replace(one, properties={"slippage": 1}),
        replace(one, inputs={"Fast": 3}),
        replace(one, first=5),
        replace(one, symbol=replace(SYMBOL, mintick=0.1)),
        replace(one, lower=walk(1, 50)),
    ]
    assert len({digest_of(one), *map(digest_of, others)}) == 9
    assert digest_of(one) == digest_of(request(CROSS, walk(1, 50)))


def test_a_run_that_is_damaged_in_the_store_is_computed_again(tmp_path: Path) -> None:
    import sqlite3

    bars = walk(9, 100)
    swept(bars, Counting(), resume=False, holdout=0)
    base = next((tmp_path / "state" / "sweeps").glob("*/runs.sqlite"))
    with sqlite3.connect(base) as changing:
        [text] = changing.execute("SELECT outcomes FROM batches WHERE number = 1").fetchone()
        damaged = len(json.loads(text)["inputs"])
        changing.execute("UPDATE batches SET outcomes = '{' WHERE number = 1")
    changing.close()
    again = Counting()
    found = swept(bars, again, resume=True, holdout=0)
    assert len(again.seen) == damaged < 9
    assert len(found.ranked) == 9
    once_more = Counting()
    swept(bars, once_more, resume=True, holdout=0)
    assert once_more.seen == []


def test_a_combination_that_fails_is_a_row_with_its_reason() -> None:
    script = CROSS + 'if fast == 8 and bar_index == 9\n    runtime.error("no eight")\n'
    found = optimized(script, walk(2, 100), *RANGES, holdout=0)
    failed = [each for each in found.ranked if each.error is not None]
    assert {each.inputs["Fast"] for each in failed} == {8}
    assert all("no eight" in str(each.error) for each in failed)
    assert found.ranked[-3:] == failed
    assert found.best is not None


def test_a_run_without_an_end_costs_its_own_budget_only() -> None:
    from pinebench.runtime import RunBudget

    script = CROSS + "if fast == 8\n    while true\n        a += 1\n"
    asked = request(script, walk(2, 60), budget=RunBudget(seconds=0.3, bar_seconds=0.2))
    found = run_many(asked, [{"Fast": fast} for fast in (4, 8, 12)])
    assert [each.error is None for each in found] == [True, False, True]


def test_constraints_and_metrics() -> None:
    bars = walk(3, 500)
    free = optimized(CROSS, bars, *RANGES, holdout=0, metric="net_profit / (max_drawdown + 1)")
    assert free.values == sorted((v for v in free.values if v is not None), reverse=True)
    least = sorted(each.figures["trades"] or 0 for each in free.ranked)[4]
    bound = optimized(CROSS, bars, *RANGES, holdout=0, constraints=[f"trades > {least}"])
    for outcome, value in zip(bound.ranked, bound.values, strict=True):
        assert (value is not None) == ((outcome.figures["trades"] or 0) > least)
    assert optimized(CROSS, bars, *RANGES, holdout=0, constraints=["trades > 9999"]).best is None


def test_the_same_seed_gives_the_same_search_for_any_size_of_batches() -> None:
    bars = walk(3, 60)
    for search in ("tpe", "nsga2"):
        plan: dict[str, Any] = {"search": search, "trials": 20, "seed": 5, "holdout": 0}
        one = optimized(CROSS, bars, "Fast=2:40:1", "Slow=20:60:20", **plan)
        program = open_program(CROSS)
        made = OptimizationPlan.of(space_of(program, ("Fast=2:40:1", "Slow=20:60:20")), **plan)
        with Optimizer(program, request(CROSS, bars), made) as optimizer:
            two = optimizer.run(Counting())
        assert ranked(one) == ranked(two), search


def test_what_comes_before_the_first_results_is_no_time_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[SweepProgress] = []
    moments = iter((0.0, 0.0, 100.0, 101.0, 102.0))
    monkeypatch.setattr(optimization, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    clock = optimization._Clock(31, seen.append)
    clock.show(0, 0, None)
    clock.show(1, 1, None)  # 100 seconds went into the start
    clock.show(10, 10, None)
    clock.show(20, 20, None)
    assert [(each.rate, each.left) for each in seen] == [(0, None), (0.01, None), (10, 2), (15, 0)]


def test_progress_says_rate_and_time_left() -> None:
    seen: list[SweepProgress] = []
    program = open_program(CROSS)
    plan = OptimizationPlan.of(space_of(program, RANGES), holdout=0)
    with Optimizer(program, request(CROSS, walk(3, 100)), plan) as optimizer, own() as hands:
        optimizer.run(hands, seen.append)
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert (seen[-1].done, seen[-1].total, seen[-1].left) == (9, 9, 0)
    assert (
        str(SweepProgress(1500, 3000, 10.0, 150.0, 12.5)) == "1,500 of 3,000 runs, 10.0/s, 2 min 30 s left, best 12.5"
    )


def test_runs_are_on_disk_before_the_next_batch_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No run of a batch begins after two seconds, so that a kill loses no more than the runs of these seconds."""
    begun: list[tuple[int, float]] = []
    counted: list[int] = []

    def ran(asked: Request, batch: Sequence[Inputs], work: Work, context: Context, longest: float) -> Batch:
        (file,) = (tmp_path / "state").rglob("*.sqlite")
        with contextlib.closing(sqlite3.connect(file)) as kept:
            texts = kept.execute("SELECT outcomes FROM batches").fetchall()
        counted.append(sum(len(unpacked(decoding.loads(text, SHAPE))) for (text,) in texts))
        begun.append((len(batch), longest))
        return run_batch(asked, batch[:2], work, context, longest)

    monkeypatch.setattr(executors, "run_batch", ran)
    program = open_program(CROSS)
    with Optimizer(
        program, request(CROSS, walk(12, 100)), OptimizationPlan.of(space_of(program, RANGES), holdout=0)
    ) as optimizer:
        assert len(optimizer.run(LocalExecutor()).ranked) == 9
    assert {longest for _, longest in begun} == {2.0}
    assert counted == [min(sum(min(size, 2) for size, _ in begun[:k]), 9) for k in range(len(begun))]
    assert len(begun) > 4


def test_a_cancelled_sweep_keeps_what_is_done() -> None:
    program = open_program(CROSS)
    plan = OptimizationPlan.of(space_of(program, RANGES), holdout=0)
    asked = request(CROSS, walk(12, 100))
    done: list[SweepProgress] = []
    context = Context(cancelled=lambda: bool(done) and done[-1].done >= 1)
    with Optimizer(program, asked, plan) as optimizer, pytest.raises(CancelledError):
        optimizer.run(LocalExecutor(context), done.append)
    again = Counting()
    with Optimizer(program, asked, plan, resume=True) as optimizer:
        assert len(optimizer.run(again).ranked) == 9
    assert len(again.seen) < 9


@pytest.mark.parametrize(
    ("ranges", "plan", "words"),
    [
        (("Fast=2:40:1", "Slow=10:200:1"), {"trials": 100}, "the grid has 7,449 combinations, and at most 100"),
        (RANGES, {"holdout": 0.99}, "the fraction of bars to hold back"),
        (RANGES, {"metric": "profits"}, "there is no figure 'profits'"),
        (RANGES, {"search": "magic"}, "there is no search 'magic'"),
    ],
)
def test_a_wrong_plan_is_refused(ranges: tuple[str, ...], plan: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        optimized(CROSS, walk(1, 60), *ranges, **plan)


def test_an_indicator_is_refused() -> None:
    with pytest.raises(UsageError, match="not a strategy"):
        optimized('//@version=6\nindicator("")\nplot(input.int(1, "A"))', walk(1, 60), "A=1,2")


def test_a_planted_edge_is_more_than_luck_and_noise_is_luck() -> None:
    """A small sample of tests/soak/test_luck.py."""
    ranges = ("Fast=4:20:4", "Slow=20:80:20", "Mode=EMA")
    edge = optimized(CROSS, walk(1, 2000, trend=0.3), *ranges).judgement
    noise = optimized(CROSS, walk(1, 2000), *ranges).judgement
    assert edge is not None and noise is not None
    assert (edge.verdict, noise.verdict) == ("more than luck", "luck")
    assert edge.confidence is not None and edge.confidence > 0.99
    assert edge.buy_and_hold_percent is not None and math.isfinite(edge.buy_and_hold_percent)
    assert edge.reasons[0].endswith("nothing on the held-back bars speaks against it")
    alone = optimized(CROSS, walk(1, 2000, trend=0.3), *ranges, holdout=0).judgement
    assert alone is not None and alone.verdict == "more than luck"
    assert alone.reasons[0].endswith("and no bars were held back to test it")


def test_doubts_are_said_in_words() -> None:
    few = optimized(CROSS, walk(3, 150), "Fast=8,9", "Slow=40,60").judgement
    assert few is not None
    words = "\n".join(few.warnings)
    assert "few trades: the best has" in words
    at_edge = optimized(CROSS, walk(1, 2000, trend=0.3), "Fast=20:36:4", "Slow=40", "Mode=EMA").judgement
    assert at_edge is not None
    assert any(
        each.startswith("the best combination is at the edge of a range: Fast = 20") for each in at_edge.warnings
    )
    jump = Bars()
    for k in range(400):
        price = 100.0 + (50 if k >= 200 else 0) + (k % 2)
        jump.append(k * 3_600_000, price, price + 1, price - 1, price, 1.0)
    script = """//@version=6
strategy("Once")
n = input.int(1, "N", minval = 1, maxval = 3)
if bar_index == 190 + n
    strategy.entry("L", strategy.long)
if bar_index == 210
    strategy.close("L")
"""
    once = optimized(script, jump, holdout=0).judgement
    assert once is not None
    assert any(each.startswith("one regime: ") for each in once.warnings)


@pytest.mark.parametrize("tier", ["python", "compiled"])
def test_what_the_run_of_the_best_assumed_is_among_the_doubts(tier: Tier) -> None:
    """A back-test with the same inputs says it, and so do the page, the tools and the panels, which show the doubts."""
    coarse = replace(SYMBOL, mincontract=300.0, assumed=("currency",))
    program = open_program(CROSS.replace('"Cross",', '"Cross", currency = currency.USD,'))
    given = request_of(program, walk(1, 400), coarse, tier=tier)
    plan = OptimizationPlan.of(space_of(program, ["Fast=4,6", "Slow=20"]))
    with own() as hands, Optimizer(program, given, plan) as optimizer:
        found = optimizer.run(hands)
    assert found.best is not None and found.judgement is not None
    alone = perform(replace(optimizer.seen, inputs={**plan.space.fixed, **found.best.inputs})).result.notes
    assert any("smaller than requested" in each for each in alone) and any(
        "assumed to be in USD, like the account" in each for each in alone
    )
    assert found.judgement.warnings[-len(alone) :] == alone


def test_a_loss_on_held_back_bars_is_said_with_the_numbers_of_the_table() -> None:
    found = optimized(CROSS, walk(3, 150), "Fast=8,9", "Slow=40,60")
    assert found.judgement is not None
    figures = found.unseen[0].figures
    assert (figures["net_profit"], figures["open_trades"]) == (0, 1)
    profits = f"net profit 0.00, open profit {figures['open_profit']:,.2f}"
    reason = f"the best combination earns nothing on the held-back bars: {profits}"
    assert any(reason in each for each in found.judgement.reasons)
    assert (figures["open_profit"] or 0) < 0
    on_page = data_of(found, "Cross")["judgement"]["reasons"]
    assert any(profits.replace("-", "−") in each for each in on_page), "with the sign of the page's tables"
    closed = optimized(CROSS, walk(1, 150), "Fast=8,9", "Slow=40,60").judgement
    assert closed is not None
    assert "the best combination earns nothing on the held-back bars: net profit 0.00" in closed.reasons


def test_without_numpy_nothing_runs_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    asked = Counting()
    with pytest.raises(UnavailableError, match="judging the best needs the extra 'optimize'"):
        swept(walk(9, 100), asked, resume=False)
    assert asked.seen == []


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ("N=1,2", "\n1 further combination\n1 combination failed: line 6: Error on bar 0: odd\n"),
        ("N=1,2,3", "\n2 further combinations\n2 combinations failed; the first: line 6: Error on bar 0: odd\n"),
        ("N=1,3", "no combination has a result\n2 combinations failed; the first: line 6: Error on bar 0: odd\n"),
    ],
)
def test_combinations_that_failed_are_counted(values: str, words: str) -> None:
    script = """//@version=6
strategy("Odd")
n = input.int(1, "N")
plot(n)
if n % 2 == 1
    runtime.error("odd")
"""
    assert words in as_text(optimized(script, walk(1, 60), values), str)


def test_a_needle_is_said() -> None:
    script = """//@version=6
strategy("Needle", default_qty_type = strategy.fixed, default_qty_value = 1)
n = input.int(1, "N", minval = 1, maxval = 5)
if bar_index % 4 == 0
    strategy.entry("L", n == 3 ? strategy.long : strategy.short)
"""
    rising = Bars()
    for k in range(300):
        rising.append(k * 3_600_000, 100.0 + k, 101.0 + k, 99.5 + k, 100.5 + k, 1.0)
    found = optimized(script, rising, holdout=0, metric="net_profit + open_profit")
    assert found.best is not None and found.best.inputs == {"N": 3}
    assert found.judgement is not None
    assert any(each.startswith("the best combination is an isolated peak") for each in found.judgement.warnings)
    assert len(found.neighbours) == 2


def test_neighbours_that_a_search_left_out_run_too() -> None:
    found = optimized(CROSS, walk(3, 300), "Fast=2:40:1", "Slow=20:60:5", search="random", trials=4, holdout=0)
    assert len(found.ranked) == 4
    assert 2 <= len(found.neighbours) <= 4
    assert all(outcome.error is None for outcome, _ in found.neighbours)


def test_a_stop_while_the_best_is_judged_keeps_all_runs() -> None:
    """After nine runs of the search come the ones on held-back bars."""
    part = swept(walk(9, 100), Counting(most=12), resume=False, holdout=0.3)
    assert not part.is_whole
    assert len(part.ranked) == 9
    assert part.judgement is not None and part.judgement.verdict == "luck"


def test_a_journal_of_trials_that_a_kill_tore_is_begun_anew(tmp_path: Path) -> None:
    bars = walk(9, 100)
    plan: dict[str, Any] = {"search": "tpe", "holdout": 0, "trials": 20}
    first = Counting(most=18)
    assert not swept(bars, first, resume=False, **plan).is_whole
    journal = next((tmp_path / "state" / "sweeps").glob("*/trials.journal"))
    with journal.open("r+b") as file:
        file.truncate(journal.stat().st_size // 2)
        file.seek(0, 2)
        file.write(b'\n{"op_code": 1}\n')
    second = Counting()
    whole = swept(bars, second, resume=True, **plan)
    assert whole.is_whole
    done = [str(inputs) for _, inputs in (*first.seen, *second.seen)]
    assert len(done) == len(set(done))

"""Walk-forward tests: inputs are chosen on one part of the history and tested on the next part, window by window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import fmean
from typing import Any

from pinebench.amounts import aligned, counted, signed_text
from pinebench.backtesting.backtest import OrderNote
from pinebench.calendars.dates import day_text
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import Program
from pinebench.compiled import TierChoice
from pinebench.context import Context
from pinebench.market import SymbolInfo
from pinebench.sweeps.combination_runs import (
    FullRun,
    Inputs,
    before_only,
    earned,
    first_bar,
    held_percent,
    tier_lines,
    tiers_of,
    traded,
)
from pinebench.sweeps.executors import Hands
from pinebench.sweeps.optimization import OptimizationPlan, OptimizationResult, Optimizer, SweepProgress, Telling
from pinebench.sweeps.space import Space, shown
from pinebench.sweeps.windows import Window, Windows, cut
from pinebench.totals import total
from pinebench.workers.request import Request

_DAY = 86_400_000


@dataclass(frozen=True)
class WalkStep:
    """A window: the inputs that were chosen on its training window, with their figures, and the run on its test
    window.

    `inputs` is None if no combination had a result on the training window: then there is no run on the test window.
    """

    window: Window
    inputs: Inputs | None
    trained: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    tested: FullRun | None = None
    choices: Sequence[TierChoice] = ()
    """The tiers of the runs on the training window, with their reasons."""


@dataclass
class WalkForwardResult:
    """The result of a walk-forward test: the equity and the trades of the test windows alone, one after another.

    Each test starts with the final equity of the previous test. A position that is open at the end of a test is valued
    at its last close, and is not carried over to the next test.
    """

    space: Space
    metric: str
    steps: list[WalkStep]
    times: list[int]
    equity: list[float]
    trades: list[dict[str, Any]]
    initial_capital: float
    is_whole: bool = True
    buy_and_hold_percent: float | None = None
    symbol: SymbolInfo = field(default_factory=SymbolInfo)
    skipped: list[Window] = field(default_factory=list[Window])
    """The windows that were left out because they have no bar to train on."""
    not_run: list[Window] = field(default_factory=list[Window])
    """The windows that were left out because an earlier test used up the capital."""

    @property
    def choices(self) -> list[TierChoice]:
        """The tiers (Python or machine code) of all runs on the training windows, with their reasons."""
        return [choice for step in self.steps for choice in step.choices]

    @property
    def net_profit(self) -> float:
        """The change of the equity over all tests."""
        return self.equity[-1] - self.initial_capital if self.equity else 0.0

    @property
    def max_drawdown(self) -> float:
        """The largest fall of the equity from a highest close to a later close."""
        top, fall = self.initial_capital, 0.0
        for value in self.equity:
            top = max(top, value)
            fall = max(fall, top - value)
        return fall

    def efficiency(self) -> float | None:
        """Return the return per day on the tests divided by the return per day on the training windows.

        Open positions are valued at their last closes. A return is a share of the capital at the beginning of its
        window. Tests that stopped with an error do not count. Return None if the training windows earn nothing.
        """
        trains = [
            (self.trained_return(s) or 0.0, s.window.cut - s.window.begin) for s in self.steps if s.inputs is not None
        ]
        tests = [
            (tested_return(step) or 0.0, step.window.end - step.window.cut)
            for step in self.steps
            if step.tested is None or step.tested.error is None
        ]
        inside, outside = _a_day(trains), _a_day(tests)
        return outside / inside if inside is not None and outside is not None and inside > 0 else None

    def trained_return(self, step: WalkStep) -> float | None:
        """Return the profit of a training window as a share of the initial capital; None if no inputs were chosen."""
        if step.inputs is None or self.initial_capital <= 0:
            return None
        return earned(step.trained) / self.initial_capital

    def stability(self) -> dict[str, dict[str, Any]]:
        """Return, for each input, how much the chosen values changed: `chosen` (the values with their counts),
        `most_frequent` (the share of the most frequent value), and `jump` (the mean change from window to window as
        a share of the range; None for inputs without order)."""
        chosen = [step.inputs for step in self.steps if step.inputs is not None]
        found: dict[str, dict[str, Any]] = {}
        for axis in self.space.axes:
            places = [axis.values.index(each[axis.name]) for each in chosen]
            counts = Counter(places)
            jumps = [abs(one - other) / (len(axis.values) - 1) for one, other in pairwise(places)]
            found[axis.name] = {
                "chosen": [[axis.values[k], count] for k, count in sorted(counts.items())],
                "most_frequent": max(counts.values()) / len(places) if places else None,
                "jump": fmean(jumps) if jumps and axis.is_ordered else None,
            }
        return found


def tested_return(step: WalkStep) -> float | None:
    """Return the profit of a window's test as a share of its initial capital; None if it was not traded, or if the
    script stopped with an error."""
    if step.tested is None or step.tested.error is not None or step.tested.initial_capital <= 0:
        return None
    return profit(step) / step.tested.initial_capital


def profit(step: WalkStep) -> float:
    """Return the profit of a window's test, with an open position at its last close; 0 if it was not traded."""
    return 0.0 if step.tested is None else earned(step.tested.figures)


def _a_day(pairs: Sequence[tuple[float, int]]) -> float | None:
    known = [(value, length) for value, length in pairs if length > 0]
    days = total(length for _, length in known) / _DAY
    return total(value for value, _ in known) / days if days else None


class _SharedProgress:
    """Reports the progress of all windows together."""

    def __init__(self, number: int, count: int, tell: Telling) -> None:
        self._number, self._count, self._tell = number, count, tell
        self.following = count - number - 1
        """The number of windows that will follow."""

    def __call__(self, progress: SweepProgress) -> None:
        left = None
        if progress.rate:
            rest = (self._count - self._number) * progress.total - progress.done
            left = max(rest, 0) / progress.rate
        done = self._number * progress.total + progress.done
        self._tell(SweepProgress(done, self._count * progress.total, progress.rate, left, progress.best))


def walk(
    program: Program,
    request: Request,
    plan: OptimizationPlan,
    windows: Windows,
    hands: Hands,
    tell: Telling = lambda _: None,
    *,
    resume: bool = False,
    context: Context | None = None,
) -> WalkForwardResult:
    """Choose the best inputs on each training window, and trade them on the test window that follows.

    The search on a training window gets no bars of its test window or later; earlier bars are its warm-up.
    `plan.holdout` is ignored. After KeyboardInterrupt, the result has the finished windows. A test that uses up the
    capital is the last one. Raises the errors of `Optimizer` and of `windows.cut`.
    """
    times = request.bars.time
    begin, end = first_bar(request.bars, request.first), len(times)
    if request.last is not None:
        end = first_bar(request.bars, request.last)
    found = WalkForwardResult(plan.space, plan.metric.text, [], [], [], [], 0.0, symbol=request.symbol)
    capital: float | None = None
    parts, found.skipped = cut(times[begin:end], windows, _end_of(request, end))
    try:
        for number, window in enumerate(parts):
            step = _step(
                program,
                request,
                plan,
                window,
                hands,
                _SharedProgress(number, len(parts), tell),
                resume,
                capital,
                context,
            )
            capital = _take(found, number, step, request, capital)
            if capital is not None and capital <= 0:
                found.not_run = parts[number + 1 :]
                break
    except KeyboardInterrupt:
        found.is_whole = False
    if found.steps:
        first, last = (
            first_bar(request.bars, time) for time in (found.steps[0].window.cut, found.steps[-1].window.end)
        )
        found.buy_and_hold_percent = held_percent(request.bars.close, first, last)
    return found


def _end_of(request: Request, end: int) -> int:
    """Return the end of the bar before bar number `end` (milliseconds UTC).

    It is the usual end in the timeframe, but not after the opening of the next bar or the end of the request: months,
    and days with a clock change, can be shorter.
    """
    times = request.bars.time
    length = timeframe(request.symbol.timeframe).seconds * 1000 or 1
    limits = [time + length for time in times[max(end - 1, 0) : end]] + list(times[end : end + 1])
    if request.last is not None:
        limits.append(request.last)
    return min(limits, default=0)


def _step(
    program: Program,
    request: Request,
    plan: OptimizationPlan,
    window: Window,
    hands: Hands,
    tell: _SharedProgress,
    resume: bool,
    capital: float | None,
    context: Context | None,
) -> WalkStep:
    train = replace(before_only(request, window.cut), first=window.begin)
    with Optimizer(program, train, replace(plan, holdout=0.0), resume=resume) as optimizer:
        chosen: OptimizationResult = optimizer.run(hands, tell, judged=False, more=tell.following)
    choices = [each.choice for each in chosen.ranked]
    if not chosen.is_whole:
        raise KeyboardInterrupt
    if chosen.best is None:
        return WalkStep(window, None, choices=choices)
    inputs = {**plan.space.fixed, **chosen.best.inputs}
    test = replace(before_only(request, window.end), first=window.cut)
    if capital is not None:
        test = replace(test, properties={**request.properties, "initial_capital": capital})
    return WalkStep(window, inputs, chosen.best.figures, traded(test, inputs, context), choices)


def _take(
    result: WalkForwardResult, number: int, step: WalkStep, request: Request, capital: float | None
) -> float | None:
    """Append a step to the stitched equity and trades. Return the capital for the next step."""
    result.steps.append(step)
    run = step.tested
    if run is None or run.error is not None:
        first, last = (first_bar(request.bars, time) for time in (step.window.cut, step.window.end))
        if capital is not None:
            result.times += request.bars.time[first:last]
            result.equity += [capital] * (last - first)
        return capital
    if capital is None:
        result.initial_capital = run.initial_capital
    result.times += run.times[run.first :]
    result.equity += run.equity[run.first :]
    before = run.initial_capital - result.initial_capital
    for trade in run.trades:
        earned = before + trade["cumulative_profit"]
        place = {"number": len(result.trades) + 1, "window": number + 1}
        result.trades.append({**trade, **place, "cumulative_profit": earned})
    return run.equity[-1]


def report(result: WalkForwardResult) -> dict[str, Any]:
    """Return the result as JSON values: `windows`, the joined `trades` and `equity`, `stability`, and the figures."""
    return {
        "symbol": result.symbol.name,
        "made_up": result.symbol.is_made_up,
        "metric": result.metric,
        "complete": result.is_whole,
        "initial_capital": result.initial_capital,
        "net_profit": result.net_profit,
        "max_drawdown_close": result.max_drawdown,
        "trades_closed": sum(trade["exit_time"] is not None for trade in result.trades),
        "efficiency": result.efficiency(),
        "buy_and_hold_percent": result.buy_and_hold_percent,
        "tiers": tiers_of(result.choices),
        "windows": [
            {
                "train_begins": step.window.begin,
                "test_begins": step.window.cut,
                "test_ends": step.window.end,
                "inputs": step.inputs,
                "trained_return_percent": percent(result.trained_return(step)),
                "tested_return_percent": percent(tested_return(step)),
                "trained": dict(step.trained),
                "tested": None if step.tested is None else dict(step.tested.figures),
                "error": None if step.tested is None else step.tested.error,
                "notes": [] if step.tested is None else list(step.tested.notes),
            }
            for step in result.steps
        ],
        "skipped": [{"test_begins": each.cut, "test_ends": each.end} for each in result.skipped],
        "not_run": [{"test_begins": each.cut, "test_ends": each.end} for each in result.not_run],
        "stability": result.stability(),
        "trades": result.trades,
        "equity": {"time": result.times, "value": result.equity},
    }


def lines(result: WalkForwardResult, safe: Callable[[str], str]) -> list[list[str]]:
    """Return the windows as lists of strings, below a header. `safe` makes titles printable."""
    told = [["train from", "test from", "to", "chosen", "trained, %", "tested, %", "trades"]]
    for step in result.steps:
        run = step.tested
        days = [day_text(time) for time in (step.window.begin, step.window.cut, step.window.end)]
        chosen = "nothing" if step.inputs is None else shown(step.inputs)
        trained = _shown(result.trained_return(step))
        tested = f"error: {run.error}" if run is not None and run.error else _shown(tested_return(step))
        trades = "–" if run is None else f"{run.figures.get('trades') or 0:.0f}"
        told.append([*days, safe(chosen), trained, safe(tested), trades])
    return told


def summary(result: WalkForwardResult, safe: Callable[[str], str]) -> list[str]:
    """Return sentences with the figures of all tests together. `safe` makes titles printable."""
    told = [f"{result.symbol.name}, {result.symbol.timeframe}"]
    told += [
        f"Skipped: the test from {day_text(each.cut)} to {day_text(each.end)}: there are no bars for the training"
        for each in result.skipped
    ]
    if result.not_run:
        left = counted(len(result.not_run), "later test")
        told.append(f"Not run: {left}, from {day_text(result.not_run[0].cut)} on: the capital is used up")
    told += [f"Net profit of all tests: {result.net_profit:,.2f} from {result.initial_capital:,.2f}"]
    told.append(f"Largest drawdown from close to close: {result.max_drawdown:,.2f}")
    efficiency = result.efficiency()
    if efficiency is not None:
        told.append(f"Return per day on the test windows, divided by that on the training windows: {efficiency:.2f}")
    if result.buy_and_hold_percent is not None:
        told.append(f"Buy and hold over the tests: {signed_text(result.buy_and_hold_percent, 2)}%")
    for name, each in result.stability().items():
        if each["most_frequent"] is not None:
            jump = "" if each["jump"] is None else f", mean change {each['jump']:.0%} of its range"
            told.append(f"{safe(name)}: the most frequent value was chosen in {each['most_frequent']:.0%}{jump}")
    told += map(safe, tier_lines(result.choices))
    return [*told, *map(safe, _assumptions(result))]


def _assumptions(result: WalkForwardResult) -> list[str]:
    """Return the notes about the tests' assumptions, each once, with order counts added up over all tests. A note
    that applies to some tests only begins with their number and the day of the first one."""
    days: dict[str, list[str]] = {}
    orders: Counter[str] = Counter()
    tests = [(step.window, step.tested) for step in result.steps if step.tested is not None]
    for window, tested in tests:
        counting = {each.words: each for each in tested.order_notes}
        for words in tested.notes:
            note = counting.get(words, OrderNote(0, words))
            orders[note.what] += note.orders
            days.setdefault(note.what, []).append(day_text(window.cut))
    told: list[str] = []
    for what, begun in days.items():
        words = OrderNote(orders[what], what).words if orders[what] else what
        where = f"in {len(begun)} of {len(tests)} tests, first from" if len(begun) > 1 else "the test from"
        told.append(words if len(begun) == len(tests) else f"{where} {begun[0]}: {words}")
    return told


def as_text(result: WalkForwardResult, safe: Callable[[str], str]) -> str:
    """Return the windows as a text table, and the figures of all tests together. `safe` makes titles printable."""
    table = lines(result, safe)
    return "\n".join([*aligned(table, 4), "", *summary(result, safe)]) + "\n"


def percent(share: float | None) -> float | None:
    """Convert a share to percent; None stays None."""
    return None if share is None else 100 * share


def _shown(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:,.2f}"

"""Runs a script with many combinations of inputs in one worker, and returns plain data about each run."""

from __future__ import annotations

import math
import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from pinebench.backtesting.backtest import OrderNote
from pinebench.backtesting.trade_list import rows
from pinebench.checker import Program, Signature
from pinebench.compiled import (
    TierChoice,
    TieredRun,
    Work,
    check_tier,
    keep_forms,
    load,
    naming_own_versions,
    run_on_tier,
    swept_on,
    trade_on,
)
from pinebench.config import cache_folder
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.errors import PinebenchError
from pinebench.errors import fault as fault_of
from pinebench.market import Bars, Rates
from pinebench.runtime import BarColumns, Result, RunBudget
from pinebench.totals import total
from pinebench.workers import jobs
from pinebench.workers.dispatch import execute, memory_of
from pinebench.workers.jobs import RunResult, closed_by, others_of, own_version_notes, trade
from pinebench.workers.request import Request
from pinebench.workers.worker_pool import shared

Inputs = dict[str, Any]
_READY = 60
"""The seconds of processor time in which a worker must have loaded what runs need."""
PARTS = 240
"""The largest number of equal parts of the bars at whose ends the equity of a run is kept."""


@dataclass(frozen=True)
class RunOutcome:
    """One run: its inputs, the tester's figures by name, and the equity at the ends of equal parts of the bars.

    A figure is None if it cannot be computed. `error` is the reason why a run has no figures, or None.
    """

    inputs: Inputs
    figures: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    equity: Sequence[float] = ()
    error: str | None = None
    choice: TierChoice = field(default=TierChoice("python", ""), compare=False, repr=False)
    """The tier that computed the run, and why. Both tiers give the same outcome."""


class Batch(NamedTuple):
    """The outcomes of a batch, and the processor time in seconds that the worker used for them."""

    outcomes: list[RunOutcome]
    seconds: float


def are_finite(values: Sequence[float]) -> bool:
    """Return whether all numbers are finite."""
    return all(map(math.isfinite, values))


def make_ready() -> None:
    """Start a worker, and load the packages that runs need in the worker and in this process, before the first runs."""
    shared.ask(_load, None, _READY, memory_of(RunBudget()), Context())
    _load(None)


def _load(_: None) -> None:
    jobs.load()
    load()


def run_many(request: Request, combinations: Sequence[Inputs], context: Context | None = None) -> list[RunOutcome]:
    """Run the script of `request` once for each of `combinations`, whose values replace its inputs, in one worker.

    Each run has the request's budget. A run that fails has the reason in `error`, and the others continue. Raises the
    errors of `run_batch`.
    """
    return run_batch(request, combinations, Work(len(combinations)), context).outcomes


def run_batch(
    request: Request,
    combinations: Sequence[Inputs],
    work: Work,
    context: Context | None = None,
    longest: float = math.inf,
) -> Batch:
    """Run some combinations of a sweep like `run_many`, and measure the time. `work` describes the rest of the sweep.

    No run on the Python tier begins after `longest` seconds, so there may be fewer outcomes than combinations, but at
    least one. Only this function decides how combinations are computed. Raises the errors of `context.check`, and
    UnavailableError for the tier `compiled` if its packages are not installed.
    """
    if not combinations:
        return Batch([], 0.0)
    check_tier(request.tier)
    seconds = request.budget.seconds * (len(combinations) - 1)
    folder = os.path.join(cache_folder(), "compiled")
    try:
        choice = _choice(request, combinations, folder, work)
        swept = partial(_swept, combinations=list(combinations), choice=choice, cache=folder, longest=longest)
        found = execute(request, swept, context, seconds=seconds)
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError as error:
        if len(combinations) == 1:
            return Batch([RunOutcome(combinations[0], error=error.message)], request.budget.seconds)
        found = None
    if found is not None:
        return Batch(*found)
    # One of the runs ended the worker: each of them gets its own request.
    parts = [run_batch(request, [each], work, context) for each in combinations]
    return Batch([each for part in parts for each in part.outcomes], total(part.seconds for part in parts))


def _choice(request: Request, combinations: Sequence[Inputs], folder: str, work: Work) -> TierChoice:
    """Choose the tier for these runs. Machine code is cached in `folder`."""
    try:
        choice = keep_forms(request, [{**request.inputs, **inputs} for inputs in combinations], folder, work)
    except PinebenchError as error:  # the Python tier says which run it is
        return TierChoice("python", error.message)
    return naming_own_versions(choice, request)


def _swept(
    request: Request, combinations: Sequence[Inputs], choice: TierChoice, cache: str, longest: float
) -> tuple[list[RunOutcome], float] | None:
    """Run combinations for up to `longest` seconds. Return their outcomes and the processor time in seconds.

    Return None if several combinations shared a worker that had to be ended, because the cause may be any of them.
    """
    if request.stop is not None and len(combinations) > 1:
        return None
    begin, end = time.process_time(), time.monotonic() + longest
    is_compiled = choice.tier == "compiled" and request.stop is None
    found = _by_machine(request, combinations, choice, cache) if is_compiled else []
    other = TierChoice("python", "the machine code cannot run this combination")
    by_python = naming_own_versions(other, request) if is_compiled else choice
    for inputs in combinations[len(found) :]:
        if found and time.monotonic() >= end:
            break
        found.append(_outcome(request, inputs, by_python))
    return found, time.process_time() - begin


def _by_machine(request: Request, combinations: Sequence[Inputs], choice: TierChoice, cache: str) -> list[RunOutcome]:
    """Run combinations as machine code. Return outcomes up to the first one that machine code cannot run."""
    whole = [{**request.inputs, **inputs} for inputs in combinations]
    found: list[RunOutcome] = []
    try:
        for inputs, made in zip(combinations, swept_on(request, whole, cache), strict=False):
            by_python = TierChoice("python", made.reason)
            if made.error is not None:
                found.append(_outcome(request, inputs, by_python))
            else:
                now = choice if made.tier == "compiled" else by_python
                found.append(_kept(request, inputs, made.figures, made.equity, now))
    except PinebenchError:  # the Python tier says which run it is
        pass
    return found


def _outcome(request: Request, inputs: Inputs, choice: TierChoice) -> RunOutcome:
    try:
        tested = trade(replace(request, inputs={**request.inputs, **inputs}))
    except PinebenchError as error:
        return RunOutcome(inputs, error=error.message, choice=choice)
    except Exception as error:  # a fault of ours costs this run only
        return RunOutcome(inputs, error=fault_of(error).message, choice=choice)
    fault = tested.result.error
    if fault is not None:
        words = f"line {fault.line}: {fault.message}" if fault.line else fault.message
        return RunOutcome(inputs, error=words, choice=choice)
    return _kept(request, inputs, tested.figures(), tested.curve.equity, choice)


def _kept(
    request: Request, inputs: Inputs, figures: Mapping[str, Any], equity: Sequence[float], choice: TierChoice
) -> RunOutcome:
    """Reduce a run to the data that is stored: its figures, and the equity at the ends of equal parts of the bars."""
    first = first_bar(request.bars, request.first)
    start = equity[first - 1] if first else figures["initial_capital"]
    kept = (start, *(equity[k] for k in ends(first, len(equity))))
    return RunOutcome(inputs, plain_figures(figures), kept if are_finite(kept) else (), choice=choice)


def tiers_of(choices: Iterable[TierChoice]) -> list[dict[str, Any]]:
    """Count the runs on each tier (Python or machine code), by reason, as JSON values, the most frequent first."""
    counted = Counter(each for each in choices if each.reason)
    return [{"name": choice.tier, "reason": choice.words(), "runs": count} for choice, count in counted.most_common()]


def tier_lines(choices: Iterable[TierChoice]) -> list[str]:
    """Return sentences for a report about the tiers (Python or machine code) that computed the runs."""
    names = {"python": "as Python", "compiled": "as machine code"}
    return [f"{each['runs']:,} runs {names[each['name']]}: {each['reason']}" for each in tiers_of(choices)]


@dataclass(frozen=True)
class FullRun:
    """One run with everything that a report needs: trades (open ones last), and the equity at each close.

    `first` is the index of the first bar that counts.
    """

    inputs: Inputs
    figures: Mapping[str, float | None]
    trades: list[dict[str, Any]]
    times: list[int]
    equity: list[float]
    first: int
    initial_capital: float
    point_value: float
    tick: float
    compounds: bool
    """Whether orders without a quantity are a share of the equity."""
    sets_quantity: bool = False
    """Whether the script gives an order its quantity, so that `compounds` may not hold for it."""
    error: str | None = None
    notes: Sequence[str] = ()
    """Sentences about what was assumed during the run."""
    order_notes: Sequence[OrderNote] = ()
    """The notes that count orders; `notes` contains their sentences."""
    rates: Rates | None = None
    """The rates of the symbol's currency in the account's; None if they are the same."""


def notes_of(request: Request, inputs: Inputs, context: Context | None = None) -> list[str]:
    """Return sentences about the assumptions in a run with `inputs`, for example about orders that were too small.

    Notes about replaced libraries are left out, because the tier's reason names them. Raises the errors of
    `context.check`.
    """
    whole = replace(request, inputs={**request.inputs, **inputs})
    try:
        ran = run_on_tier(whole, context, _noted)
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError as error:
        return [f"the assumptions of the best run are not known: {error.message}"]
    named = own_version_notes(request.source, request.libraries)
    return [words for words in ran.ran.result.notes if words not in named]


def _noted(request: Request, cache: str | None = None) -> TieredRun:
    tiered = trade_on(request, cache)
    return replace(tiered, ran=RunResult(Result((), [], notes=tiered.ran.result.notes)))


def traded(request: Request, inputs: Inputs, context: Context | None = None) -> FullRun:
    """Run the script once with `inputs`, and return the full run. A run that stops has the reason in `error`. Raises
    the errors of `execute`."""
    return execute(replace(request, inputs={**request.inputs, **inputs}), partial(_traded, inputs=inputs), context)


def _traded(request: Request, inputs: Inputs) -> FullRun:
    tested = trade(request)
    fault = tested.result.error
    times = list(tested.bars.time)
    return FullRun(
        inputs,
        plain_figures(tested.figures()),
        rows(tested) if fault is None else [],
        times,
        list(tested.curve.equity),
        first_bar(tested.bars, request.first),
        tested.initial_capital,
        tested.point_value,
        tested.symbol.mintick,
        tested.properties.default_qty_type == "percent_of_equity",
        _sets_quantity(jobs.opened(request.source, request.libraries)),
        None if fault is None else fault.message,
        tested.notes,
        tested.order_notes,
        request.rates,
    )


def _sets_quantity(program: Program) -> bool:
    """Return whether an entry of a strategy has the argument `qty`."""
    return any(
        isinstance(call.target, Signature)
        and call.target.name in ("strategy.entry", "strategy.order")
        and "qty" in call.arguments
        for frame in program.frames
        for call in frame.calls.values()
    )


def plain_figures(figures: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the tester's figures that are numbers; an unknown figure is None."""
    return {
        name: value if value is not None and math.isfinite(value) else None
        for name, value in figures.items()
        if value is None or isinstance(value, int | float)
    }


def earned(figures: Mapping[str, float | None]) -> float:
    """Return the change of the equity in a run: the profit of closed trades plus the profit of open ones."""
    return (figures.get("net_profit") or 0.0) + (figures.get("open_profit") or 0.0)


def held_percent(closes: Sequence[float], first: int, last: int) -> float | None:
    """Return the market's return in percent, from the close before bar `first` to the close before bar `last`; None
    if that is not possible."""
    begin = closes[max(first - 1, 0)]
    return 100 * (closes[last - 1] / begin - 1) if last > first and begin > 0 else None


def first_bar(bars: Bars, first: int | None) -> int:
    """Return the index of the first bar that opens at `first` (milliseconds UTC) or later; 0 if `first` is None."""
    return 0 if first is None else bisect_left(bars.time, first)


def ends(first: int, count: int, parts: int = PARTS) -> list[int]:
    """Split the bars from `first` to before `count` into up to `parts` equal parts. Return the index of the last bar
    of each part."""
    length = count - first
    number = min(parts, length)
    return [first + length * k // number - 1 for k in range(1, number + 1)]


def before_only(request: Request, last: int) -> Request:
    """Return the request without data from the time `last` (milliseconds UTC) on: no bars that open at `last` or
    later, and no bars of other symbols that close after it."""
    look = request.look
    return replace(
        request,
        bars=cut_before(request.bars, last),
        # The symbols of the sample market are made here: they depend on the number of bars of the whole chart.
        others={name: closed_by(each, last) for name, each in others_of(request).items()},
        samples=False,
        look=look if look.standard is None else replace(look, standard=cut_before(look.standard, last)),
        lower=None if request.lower is None else cut_before(request.lower, last),
        standard=None if request.standard is None else cut_before(request.standard, last),
        last=None if request.last is not None and request.last >= last else request.last,
    )


def cut_before(bars: BarColumns, last: int) -> Bars:
    """Return the bars that open before `last` (milliseconds UTC)."""
    count = bisect_left(bars.time, last)
    columns = (bars.open, bars.high, bars.low, bars.close, bars.volume)
    return Bars(list(bars.time[:count]), *(list(column[:count]) for column in columns))

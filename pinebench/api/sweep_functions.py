"""`pinebench.optimize`, `pinebench.walk_forward` and `pinebench.screen`: run one script many times."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pinebench.api.bars import AnyBars, SymbolProperties, bars
from pinebench.api.run_results import asked, moment_of
from pinebench.api.sources import Source, read
from pinebench.api.sweep_results import Optimization, Screening, WalkForward
from pinebench.checker import Program, open_program
from pinebench.errors import UsageError
from pinebench.market import Data
from pinebench.sweeps import cluster, screening, walk_forward_runs
from pinebench.sweeps.optimization import HOLDOUT, OptimizationPlan, Optimizer
from pinebench.sweeps.search_methods import TooManyCombinations
from pinebench.sweeps.space import space_of_values
from pinebench.sweeps.windows import windows_of
from pinebench.workers.request import Request, Tier

Ranges = Mapping[str, Any]
"""The values of inputs by title or variable: a string such as `"5:50:5"`, a `range`, another sequence, or one value."""
Telling = Callable[[Any], object]


def optimize(
    source: Source,
    bars: AnyBars,
    ranges: Ranges | None = None,
    *,
    metric: str = "net_profit",
    constraints: Sequence[str] | str = (),
    search: str = "grid",
    trials: int | None = None,
    holdout: float = HOLDOUT,
    seed: int = 1,
    jobs: int = 1,
    resume: bool = False,
    tell: Telling = lambda _: None,
    symbol: SymbolProperties | None = None,
    others: Mapping[str, AnyBars] | None = None,
    libraries: tuple[str, ...] | None = None,
    properties: Mapping[str, Any] | None = None,
    first: datetime.datetime | str | None = None,
    last: datetime.datetime | str | None = None,
    tier: Tier = "auto",
) -> Optimization:
    """Run a strategy with many combinations of inputs, and test the best ones on held-back bars.

    `ranges` maps an input's title or variable to its values; without it, the ranges in the script are used. `metric` is
    an expression of figures, and the combination with the highest value is the best. `constraints` are one or more
    conditions that must hold. `search` is `grid`, `random`, `tpe` or `nsga2`, and `trials` limits the number of
    combinations. `holdout` is the share of bars at the end that the search does not see (0 to 0.9). `jobs` is the
    number of workers; with more than one, the calling program needs `if __name__ == "__main__"`. `resume` reuses the
    runs of an earlier, unfinished call. `tell` is called with the progress. `tier` is as for `run`; `tiers` of the
    result counts the combinations that each tier ran. For the other arguments see `backtest`.

    Raises UsageError for wrong ranges or expressions, and the errors of `backtest`.

    >>> import pinebench as pb
    >>> cross = '''//@version=6
    ... strategy("Cross")
    ... n = input.int(10, "Length", minval = 2, maxval = 50)
    ... if ta.crossover(close, ta.sma(close, n))
    ...     strategy.entry("L", strategy.long)
    ... if ta.crossunder(close, ta.sma(close, n))
    ...     strategy.close("L")'''
    >>> done = pb.optimize(cross, "sample:AAPL@1Dx300", {"Length": range(5, 25, 5)})
    >>> len(done), done.verdict
    (4, 'luck')
    >>> done.results[0]["inputs"] == done.best
    True
    """
    program, request, name = _request(source, bars, symbol, others, libraries, properties, first, last, tier)
    plan = _plan(program, ranges, metric, constraints, search, trials, seed, holdout)
    with (
        _in_arguments(),
        Optimizer(program, request, plan, resume=resume) as optimizer,
        cluster.hands(_workers(jobs)) as hands,
    ):
        return Optimization(optimizer.run(hands, tell), name)


def walk_forward(
    source: Source,
    bars: AnyBars,
    windows: str,
    ranges: Ranges | None = None,
    *,
    metric: str = "net_profit",
    constraints: Sequence[str] | str = (),
    search: str = "grid",
    trials: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    resume: bool = False,
    tell: Telling = lambda _: None,
    symbol: SymbolProperties | None = None,
    others: Mapping[str, AnyBars] | None = None,
    libraries: tuple[str, ...] | None = None,
    properties: Mapping[str, Any] | None = None,
    first: datetime.datetime | str | None = None,
    last: datetime.datetime | str | None = None,
    tier: Tier = "auto",
) -> WalkForward:
    """Choose the best inputs on one time window, trade with them in the next, and repeat this to the end of the bars.

    `windows` is a string such as `train=6M test=1M` or `train=1Y test=3M anchored`. For the other arguments see
    `optimize`. Each test begins with the equity at the end of the previous test.

    Raises the errors of `optimize`, and UsageError for wrong windows or too few bars.

    >>> import pinebench as pb
    >>> cross = '''//@version=6
    ... strategy("Cross")
    ... n = input.int(10, "Length", minval = 2, maxval = 50)
    ... if ta.crossover(close, ta.sma(close, n))
    ...     strategy.entry("L", strategy.long)
    ... if ta.crossunder(close, ta.sma(close, n))
    ...     strategy.close("L")'''
    >>> walked = pb.walk_forward(cross, "sample:AAPL@1Dx200", "train=3M test=2M", {"Length": [5, 20]})
    >>> [window["inputs"] for window in walked.windows] == [{"Length": n} for n in walked.to_pandas()["Length"]]
    True
    >>> walked.report["net_profit"] == walked.equity[-1] - walked.report["initial_capital"]
    True
    """
    program, request, _ = _request(source, bars, symbol, others, libraries, properties, first, last, tier)
    plan = _plan(program, ranges, metric, constraints, search, trials, seed)
    with _in_arguments(), cluster.hands(_workers(jobs)) as hands:
        return WalkForward(
            walk_forward_runs.walk(program, request, plan, windows_of(windows), hands, tell, resume=resume)
        )


def screen(
    source: Source,
    symbols: Mapping[str, AnyBars] | Iterable[str] | str,
    where: str,
    *,
    rank: str | None = None,
    count: int | None = None,
    inputs: Mapping[str, Any] | None = None,
    jobs: int = 1,
    libraries: tuple[str, ...] | None = None,
    tier: Tier = "auto",
) -> Screening:
    """Run a script on many symbols, and find those whose last values satisfy a condition.

    `symbols` are bars by name, or one or more names that `pinebench.bars` accepts. `where` is a condition such as
    `last(RSI) < 30 and last(close) > last(SMA)`. `rank` is an expression to sort by, highest value first. `count` is
    the number of bars from the web or the sample market. `jobs` is the number of workers, as for `optimize`. `tier` is
    as for `run`; the `tier` and `tier_reason` of a row tell which tier ran it.

    The result has a row for each symbol, matches first. The row of a symbol that fails has the reason in `error`.
    Raises UsageError for a wrong condition or an empty list of symbols, and DoesNotCompile.

    >>> import pinebench as pb
    >>> rsi = '//@version=6\\nindicator("RSI")\\nplot(ta.rsi(close, 14), "RSI")'
    >>> found = pb.screen(rsi, ["sample:AAPL@1Dx100", "sample:MSFT@1Dx100", "sample:NONE@1Dx100"], "last(RSI) > 0")
    >>> found
    <2 of 3 symbols match, 1 failed: sample:AAPL@1Dx100, sample:MSFT@1Dx100>
    >>> found[2]["symbol"], found[2]["error"] is not None
    ('sample:NONE@1Dx100', True)
    """
    script = read(source, libraries)
    names = [symbols] if isinstance(symbols, str) else symbols
    given = dict(names) if isinstance(names, Mapping) else {str(name): name for name in names}
    if not given:
        raise UsageError("there is no symbol to screen", "for example, ['sample:AAPL', 'sample:MSFT']")

    def load(place: screening.ScreenTarget, _: int) -> Data:
        return bars(given[place.symbol], count=count).data()

    program = open_program(script.text, script.libraries, fresh=True)
    places = [screening.ScreenTarget(name, None, name) for name in given]
    condition = screening.condition_of(where)
    ranking = None if rank is None else screening.condition_of(rank)
    with cluster.hands(_workers(jobs)) as hands:
        rows = screening.screen(program, places, condition, ranking, inputs=inputs, load=load, hands=hands, tier=tier)
        return Screening(screening.ranked(rows))


@contextmanager
def _in_arguments() -> Iterator[None]:
    """Say in arguments of Python what to do about a grid that is too large."""
    try:
        yield
    except TooManyCombinations as error:
        ranges = {name: list(values) for name, values in error.example.items()}
        error.hint = error.advice(f"ranges={ranges}", 'search="random"')
        raise


def _workers(jobs: int) -> int:
    if not isinstance(jobs, int) or jobs < 1:
        raise UsageError(f"the number of jobs must be a whole number from 1, not {jobs}", "jobs=1 uses one core")
    return jobs


def _plan(
    program: Program,
    ranges: Ranges | None,
    metric: str,
    constraints: Sequence[str] | str,
    search: str,
    trials: int | None,
    seed: int,
    holdout: float = HOLDOUT,
) -> OptimizationPlan:
    space = space_of_values(program, dict(ranges or {}))
    return OptimizationPlan.of(space, metric, constraints, search=search, trials=trials, holdout=holdout, seed=seed)


def _request(
    source: Source,
    given: AnyBars,
    symbol: SymbolProperties | None,
    named: Mapping[str, AnyBars] | None,
    libraries: tuple[str, ...] | None,
    properties: Mapping[str, Any] | None,
    first: datetime.datetime | str | None,
    last: datetime.datetime | str | None,
    tier: Tier,
) -> tuple[Program, Request, str]:
    from pinebench.broker import checked_properties

    script = read(source, libraries)
    program, _, request = asked(
        script,
        given,
        symbol,
        named,
        None,
        "light",
        properties=checked_properties(dict(properties or {})),
        first=moment_of("first", first),
        last=moment_of("last", last),
        tier=tier,
    )
    return program, request, script.name

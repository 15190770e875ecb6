"""`pinebench.optimize`, `pinebench.walk_forward` and `pinebench.screen`: many runs of one script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pinebench.api.bars import AnyBars, SymbolProperties, bars
from pinebench.api.frames import package
from pinebench.api.running import asked, moment_of
from pinebench.api.sources import Source, read
from pinebench.checker import open_program
from pinebench.execution.request import Request
from pinebench.market import Data
from pinebench.sweeps import cluster, page, reporting, screening, walking
from pinebench.sweeps.optimizing import HOLDOUT, Optimized, Optimizer, Plan
from pinebench.sweeps.space import space_of_values
from pinebench.sweeps.windows import windows_of

if TYPE_CHECKING:
    import datetime

    import pandas

    from pinebench.checker import Program

Ranges = Mapping[str, Any]
"""The values of inputs by title or variable: a text such as `"5:50:5"`, a `range` or another sequence, or one value."""
Telling = Callable[[Any], object]


class Optimization:
    """The results of `pinebench.optimize`: every run, the best first, and what is more than luck."""

    def __init__(self, found: Optimized, name: str) -> None:
        self._found = found
        self._name = name

    @property
    def results(self) -> list[dict[str, Any]]:
        """A row for each combination, the best first: `inputs` by title, the tester's figures, `metric` and `error`."""
        return reporting.rows(self._found)

    @property
    def best(self) -> dict[str, Any]:
        """The inputs of the best combination. Empty if no combination has a result."""
        return {**self._found.space.fixed, **self._found.best.inputs} if self._found.best is not None else {}

    @property
    def held_back(self) -> list[dict[str, Any]]:
        """The rows of the best combinations on the held-back bars, the best one first."""
        return reporting.report(self._found)["held_back"]

    @property
    def verdict(self) -> str:
        """`luck` or `more than luck`; docs/optimizing.md says how it is found."""
        return self._found.judgement.verdict if self._found.judgement is not None else "luck"

    @property
    def judgement(self) -> dict[str, Any]:
        """The measures of luck by name, `reasons` and `warnings` in words. Empty if no combination has a result."""
        return reporting.judgement(self._found.judgement) if self._found.judgement is not None else {}

    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame with a column for each input and figure. Raises UnavailableError without pandas."""
        heads, cells = reporting.table(self._found)
        return package("pandas").DataFrame(cells, columns=heads)

    def to_html(self) -> str:
        """A page without other files: heat map, parallel coordinates, equity of the best ten."""
        return page.page(self._found, self._name)

    def __len__(self) -> int:
        return len(self._found.ranked)

    def __str__(self) -> str:
        """The best as a table, and the verdict with its reasons."""
        from pinebench.printable import printable

        return reporting.as_text(self._found, printable)

    def __repr__(self) -> str:
        return f"<{len(self)} combinations, the best by {self._found.metric} is {self.verdict}: {self.best}>"


def optimize(
    source: Source,
    bars: AnyBars,
    ranges: Ranges | None = None,
    *,
    metric: str = "net_profit",
    constraints: Sequence[str] = (),
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
) -> Optimization:
    """Run a strategy with many inputs, and judge the best on bars that were held back.

    `ranges` are the values of inputs by title or variable; without them, the script's own ranges. `metric` is an
    expression of figures, and the best has most of it; `constraints` must hold. `search` is `grid`, `random`, `tpe` or
    `nsga2`, with at most `trials` combinations. `holdout` is the share of the bars at the end that the search does not
    see (0 to 0.9). `jobs` is the number of workers; a program that gives more than one must not run on import
    (`if __name__ == "__main__"`). With `resume`, the runs of an earlier, unfinished call are not repeated. `tell` gets
    the progress. The other arguments are the ones of `backtest`.

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
    program, request, name = _request(source, bars, symbol, others, libraries, properties, first, last)
    plan = _plan(program, ranges, metric, constraints, search, trials, seed, holdout)
    with Optimizer(program, request, plan, resume=resume) as optimizer, cluster.hands(jobs) as hands:
        return Optimization(optimizer.run(hands, tell), name)


def walk_forward(
    source: Source,
    bars: AnyBars,
    windows: str,
    ranges: Ranges | None = None,
    *,
    metric: str = "net_profit",
    constraints: Sequence[str] = (),
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
) -> dict[str, Any]:
    """Choose the best inputs on one window of time, trade them on the next, and so on.

    `windows` is a text such as `train=6M test=1M` or `train=1Y test=3M anchored`. The other arguments are the ones of
    `optimize`. Returns `windows`, the stitched `trades` and `equity`, the `stability` of the inputs, and figures.
    Raises the errors of `optimize`.
    """
    program, request, _ = _request(source, bars, symbol, others, libraries, properties, first, last)
    plan = _plan(program, ranges, metric, constraints, search, trials, seed)
    with cluster.hands(jobs) as hands:
        return walking.report(walking.walk(program, request, plan, windows_of(windows), hands, tell, resume=resume))


def screen(
    source: Source,
    symbols: Mapping[str, AnyBars] | Iterable[str],
    where: str,
    *,
    rank: str | None = None,
    count: int | None = None,
    inputs: Mapping[str, Any] | None = None,
    jobs: int = 1,
    libraries: tuple[str, ...] | None = None,
) -> list[dict[str, Any]]:
    """Run a script on many symbols, and tell which ones fit a condition on its last values.

    `symbols` are bars by name, or names of bars that `pinebench.bars` reads. `where` is a condition such as
    `last(RSI) < 30 and last(close) > last(SMA)`, and `rank` an expression to sort by, the most first. `count` is the
    number of bars from the web or the sample market. `jobs` is the number of workers, as for `optimize`. Returns a row
    for each symbol, the ones that fit first; a symbol that fails has its reason in `error`. Raises UsageError for a
    wrong condition, and DoesNotCompile.

    >>> import pinebench as pb
    >>> rsi = '//@version=6\\nindicator("RSI")\\nplot(ta.rsi(close, 14), "RSI")'
    >>> rows = pb.screen(rsi, ["sample:AAPL@1Dx100", "sample:MSFT@1Dx100", "sample:NONE@1Dx100"], "last(RSI) > 0")
    >>> [(row["symbol"], row["matches"]) for row in rows[:2]], rows[2]["error"] is not None
    ([('sample:AAPL@1Dx100', True), ('sample:MSFT@1Dx100', True)], True)
    """
    script = read(source, libraries)
    given = dict(symbols) if isinstance(symbols, Mapping) else {str(name): name for name in symbols}

    def load(place: screening.Place, _: int) -> Data:
        return bars(given[place.symbol], count=count).data()

    program = open_program(script.text, script.libraries, fresh=True)
    places = [screening.Place(name, None, name) for name in given]
    condition = screening.condition_of(where)
    ranking = None if rank is None else screening.condition_of(rank)
    with cluster.hands(jobs) as hands:
        rows = screening.screen(program, places, condition, ranking, inputs=inputs, load=load, hands=hands)
        return [row.plain() for row in screening.ranked(rows)]


def _plan(
    program: Program,
    ranges: Ranges | None,
    metric: str,
    constraints: Sequence[str],
    search: str,
    trials: int | None,
    seed: int,
    holdout: float = HOLDOUT,
) -> Plan:
    space = space_of_values(program, dict(ranges or {}))
    return Plan.of(space, metric, constraints, search=search, trials=trials, holdout=holdout, seed=seed)


def _request(
    source: Source,
    given: AnyBars,
    symbol: SymbolProperties | None,
    named: Mapping[str, AnyBars] | None,
    libraries: tuple[str, ...] | None,
    properties: Mapping[str, Any] | None,
    first: datetime.datetime | str | None,
    last: datetime.datetime | str | None,
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
    )
    return program, request, script.name

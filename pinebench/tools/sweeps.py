"""Many runs without a chart: optimize inputs, walk forward, screen symbols, test several strategies in one account."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, cast

from pinebench.errors import UsageError
from pinebench.tools import markets
from pinebench.tools.arguments import (
    ArgumentKind,
    ChoiceArgument,
    Fields,
    Flag,
    IntegerArgument,
    NamesArgument,
    NamesOrObjects,
    Number,
    ScriptArgument,
    TextArgument,
    ValuesArgument,
)
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.check import SOURCE
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    from pinebench.checker import Program
    from pinebench.market import Data
    from pinebench.portfolios.portfolio import PortfolioMember
    from pinebench.sweeps.optimization import OptimizationPlan
    from pinebench.workers.request import Request, Tier

_BEST = 10
_MOST_ROWS = 50
_RANGES = NamesArgument(
    "ranges of inputs: Length=5:50:5, Mode=EMA,SMA (default: the script's own ranges)", 500, example="Length=5:50:5"
)
_METRIC = TextArgument("an expression of figures to maximize (default: net_profit)", 500, example="sharpe_ratio")
_CONSTRAINTS = NamesArgument("what must hold", 500, example="trades > 30")
_SEARCH = ChoiceArgument(("grid", "random", "tpe", "nsga2"), "which combinations to try")
_TRIALS = IntegerArgument("the largest number of combinations", 1, 20_000)
_TIER = ChoiceArgument(
    ("auto", "python", "compiled"),
    "how the runs are computed; auto chooses by the measured cost; the values are the same",
)
_RESUME = Flag("do not repeat the runs of an earlier, cancelled call")


class BestInputs(TypedDict):
    """A combination of inputs: its metric and its figures (`seen`) on the searched bars, and its figures on the
    held-back bars."""

    inputs: dict[str, Any]
    metric: float | None
    seen: dict[str, Any]
    held_back: dict[str, Any] | None


class OptimizationReport(markets.OnBars):
    """The best combinations, and the judgement: `verdict` is `luck` or `more than luck`, with reasons and warnings.
    `tiers` has the numbers of runs in Python and as machine code, with the reasons."""

    combinations: int
    tiers: list[dict[str, Any]]
    failed: int
    best: list[BestInputs]
    judgement: dict[str, Any] | None


_TOLD = (
    "net_profit",
    "net_profit_percent",
    "open_profit",
    "trades",
    "percent_profitable",
    "profit_factor",
    "max_drawdown",
    "sharpe_ratio",
)


@tool(
    "sweeps",
    "Run a strategy with many inputs offline, with bars held back, and judge whether the best is more than luck.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_optimize(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    ranges: Annotated[list[str] | None, _RANGES] = None,
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    metric: Annotated[str, _METRIC] = "net_profit",
    constraints: Annotated[list[str] | None, _CONSTRAINTS] = None,
    search: Annotated[str, _SEARCH] = "grid",
    trials: Annotated[int, _TRIALS] = 2000,
    holdout: Annotated[float, Number("the fraction of bars to hold back", 0, 0.9)] = 0.3,
    properties: Annotated[dict[str, Any] | None, markets.PROPERTIES] = None,
    resume: Annotated[bool, _RESUME] = False,
    tier: Annotated[str, _TIER] = "auto",
) -> OptimizationReport:
    """Optimize a strategy on the bars that the arguments name. Runs that finished before a cancellation are stored."""
    from pinebench.sweeps import sweep_report
    from pinebench.sweeps.executors import own
    from pinebench.sweeps.optimization import Optimizer

    program, found, request = _asked(at, source, symbol, timeframe, bars, data, properties, tier)
    plan = _plan(program, ranges, metric, constraints, search, trials, holdout)
    with Optimizer(program, request, plan, resume=resume) as optimizer, own(at.context) as hands:
        done = optimizer.run(hands, lambda progress: at.context.progress(str(progress), progress.share))
    rows = [row for row in sweep_report.rows(done)[:_BEST] if row["metric"] is not None]
    told = sweep_report.report(done)
    held = told["held_back"]
    return {
        **found.told(),
        "remarks": [*found.remarks, *sweep_report.notes(done, str)],
        "combinations": len(done.ranked),
        "tiers": told["tiers"],
        "failed": sum(each.error is not None for each in done.ranked),
        "best": [
            {
                "inputs": row["inputs"],
                "metric": row["metric"],
                "seen": {name: row.get(name) for name in _TOLD},
                "held_back": {name: held[k].get(name) for name in (*_TOLD, "error")} if k < len(held) else None,
            }
            for k, row in enumerate(rows)
        ],
        "judgement": None if done.judgement is None else sweep_report.judgement(done.judgement),
    }


class WalkForwardReport(markets.OnBars):
    """The windows with their inputs and figures, and the figures of all test windows together. Times are in
    milliseconds UTC."""

    net_profit: float
    max_drawdown_close: float
    trades_closed: int
    efficiency: float | None
    buy_and_hold_percent: float | None
    windows: list[dict[str, Any]]
    stability: dict[str, Any]
    tiers: list[dict[str, Any]]


@tool(
    "sweeps",
    "Choose a strategy's inputs on one window of time, trade them on the next, and so on, offline.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_walk_forward(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    windows: Annotated[str, TextArgument("such as train=6M test=1M, in D, W, M or Y", 80, example="train=6M test=1M")],
    ranges: Annotated[list[str] | None, _RANGES] = None,
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    metric: Annotated[str, _METRIC] = "net_profit",
    search: Annotated[str, _SEARCH] = "grid",
    trials: Annotated[int, _TRIALS] = 500,
    properties: Annotated[dict[str, Any] | None, markets.PROPERTIES] = None,
    tier: Annotated[str, _TIER] = "auto",
) -> WalkForwardReport:
    """Run a walk-forward test on the bars that the arguments name. Runs that an earlier call has finished are not
    repeated."""
    from pinebench.sweeps import walk_forward_runs
    from pinebench.sweeps.executors import own
    from pinebench.sweeps.windows import windows_of

    program, found, request = _asked(at, source, symbol, timeframe, bars, data, properties, tier)
    plan = _plan(program, ranges, metric, None, search, trials, 0.0)
    lengths = windows_of(windows)
    with own(at.context) as hands:
        done = walk_forward_runs.walk(
            program,
            request,
            plan,
            lengths,
            hands,
            lambda progress: at.context.progress(str(progress), progress.share),
            resume=True,
            context=at.context,
        )
    told = walk_forward_runs.report(done)
    for window in told["windows"]:
        for part in ("trained", "tested"):
            if window[part] is not None:
                window[part] = {name: window[part].get(name) for name in _TOLD}
    names = ("net_profit", "max_drawdown_close", "trades_closed", "efficiency", "buy_and_hold_percent")
    return {  # pyright: ignore[reportReturnType]
        **found.told(),
        **{name: told[name] for name in names},
        "remarks": [*found.remarks, *markets.left_out(_MOST_ROWS, earlier_windows=told["windows"])],
        "windows": told["windows"][-_MOST_ROWS:],
        "stability": told["stability"],
        "tiers": told["tiers"],
    }


class ScreenReport(TypedDict):
    """The matching symbols, highest rank first, and the symbols that failed, with the reasons."""

    symbols: int
    matches: int
    failed: int
    remarks: list[str]
    rows: list[dict[str, Any]]


@tool(
    "sweeps",
    "Run a script on many symbols offline; list those whose values fit: last(RSI) < 30 and last(close) > last(SMA).",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_screen(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    where: Annotated[
        str, TextArgument("over last(X), ago(X, n), change, highest, lowest, mean of plots and columns", 500)
    ],
    folder: Annotated[str, TextArgument("a folder with bars, ccxt:EXCHANGE, or sample (made up)", 4096)] = "sample",
    symbols: Annotated[
        str | None, TextArgument("names or patterns, separated by commas", 4096, example="BTC*,ETH*")
    ] = None,
    timeframes: Annotated[list[str] | None, NamesArgument("timeframes", 8, example="1D")] = None,
    bars: Annotated[int, IntegerArgument("the last bars of each symbol", 1, markets.MOST_BARS)] = 1000,
    rank: Annotated[str | None, TextArgument("sort by this value, the highest first", 500, example="last(RSI)")] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
    tier: Annotated[str, _TIER] = "auto",
) -> ScreenReport:
    """Screen one symbol after another. If a symbol fails, its row has the reason."""
    from pinebench.checker import open_program
    from pinebench.sweeps import screening

    condition = screening.condition_of(where)
    ranking = None if rank is None else screening.condition_of(rank)
    places = screening.places(folder, symbols, timeframes or [])
    rows: list[screening.ScreenRow] = []
    for row in screening.screen(
        open_program(source, ()),
        places,
        condition,
        ranking,
        count=bars,
        inputs=inputs,
        context=at.context,
        tier=cast("Tier", tier),
    ):
        rows.append(row)
        at.context.progress(f"{len(rows)} of {len(places)} symbols", len(rows) / len(places))
    at.prices = "sample" if folder == "sample" else "exchange" if folder.startswith("ccxt:") else "file"
    ranked = screening.ranked(rows)
    shown = [row for row in ranked if row.matches or row.error is not None]
    told = screening.report(ranked, condition, ranking)
    return {
        "symbols": len(rows),
        "matches": told["matches"],
        "failed": told["failed"],
        "remarks": [*told["remarks"], *markets.left_out(_MOST_ROWS, more_rows=shown)],
        "rows": [row.plain() for row in shown[:_MOST_ROWS]],
    }


_MEMBERS = NamesOrObjects(
    "bars for source, as data in pine_backtest; or {data, source, name, timeframe, inputs, properties, weight, rates}",
    50,
)
_FIELDS: dict[str, ArgumentKind] = {
    "data": TextArgument(longest=4096, example="binance:BTCUSDT:1d"),
    "source": ScriptArgument(""),
    "name": TextArgument(longest=200),
    "timeframe": markets.TIMEFRAME,
    "inputs": ValuesArgument(),
    "properties": ValuesArgument(),
    "weight": Number("its own part of the capital", 0, 1),
    "rates": TextArgument(longest=4096, example="eurusd.csv"),
}
_MEMBER = Fields(_FIELDS, optional=frozenset(_FIELDS) - {"data"})


class Together(TypedDict):
    """The report of the whole portfolio, the figures of each strategy, and the correlations in the order of
    `strategies`. Times are in milliseconds UTC, and money is in the account's currency. `tier` tells whether the
    strategies ran in Python or as machine code, with the reason. `stopped` is the error that stopped a strategy, or
    None."""

    shared: bool
    report: dict[str, Any]
    strategies: list[dict[str, Any]]
    correlation: list[list[float | None]]
    trade_count: int
    trades: list[dict[str, Any]]
    remarks: list[str]
    tier: dict[str, str]
    stopped: dict[str, Any] | None


@tool(
    "sweeps",
    "Test strategies on several symbols offline as one account: figures, each part, correlation, trades.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_portfolio(
    at: ToolContext,
    members: Annotated[list[Any], _MEMBERS],
    source: Annotated[str | None, SOURCE] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    properties: Annotated[dict[str, Any] | None, markets.PROPERTIES] = None,
    from_: Annotated[str | None, markets.FROM] = None,
    to: Annotated[str | None, markets.TO] = None,
    last: Annotated[int, IntegerArgument("how many of the last trades to give", 0, 200, clamp=True)] = 20,
) -> Together:
    """Run the strategies in one account; with weights, each has its own part of the capital."""
    from pinebench.portfolios import portfolio_report
    from pinebench.portfolios.portfolio import naming, portfolio

    dates = markets.dates(from_, to)
    named: list[PortfolioMember] = []
    charts: list[Data] = []
    remarks: list[str] = []
    for number, given in enumerate(members):
        place = f"members[{number}]"
        told = {"data": given} if isinstance(given, str) else _MEMBER.take(place, given)
        at.context.check()
        at.context.progress(f"the bars {told['data']}", number / (len(members) + 1))
        with naming(told.get("name") or place):
            one, chart = _member({"source": source, "bars": bars, **told}, properties or {}, dates)
        named.append(one)
        charts.append(chart)
        remarks += [f"{one.name}: {words}" for words in chart.remarks]
    kinds = {chart.kind for chart in charts}
    at.bars_read += [chart.line for chart in charts]
    at.prices = "sample" if "sample" in kinds else "exchange" if "exchange" in kinds else "file"
    count = f"{len(named)} strategies run" if len(named) > 1 else "1 strategy runs"
    at.context.progress(count, len(named) / (len(named) + 1))
    found = portfolio_report.report(portfolio(named, at.context), charts)
    at.context.progress("done", 1.0)
    trades = found["trades"]
    return {
        "shared": found["shared"],
        "report": found["report"],
        "strategies": found["strategies"],
        "correlation": found["correlation"],
        "trade_count": len(trades),
        "trades": trades[len(trades) - last :] if last < len(trades) else trades,
        "remarks": [*remarks, *found["notes"]],
        "tier": found["tier"],
        "stopped": found["error"],
    }


def _member(
    given: dict[str, Any], properties: dict[str, Any], dates: tuple[int | None, int | None]
) -> tuple[PortfolioMember, Data]:
    """Return a strategy of a portfolio, and its bars."""
    from pathlib import Path

    from pinebench.broker import checked_properties
    from pinebench.checker import open_program
    from pinebench.market import bar_choice, read_rates
    from pinebench.portfolios.portfolio import PortfolioMember
    from pinebench.runtime import declared_arguments, refuse
    from pinebench.workers.jobs import request_of

    if given["source"] is None:
        raise UsageError("there is no script", "give source, or a source for each of members")
    program = open_program(given["source"], ())
    chart = bar_choice.bars_named(given["data"], None, given.get("timeframe"), given["bars"])
    refuse(program, 0, chart.symbol)
    request = request_of(
        program,
        chart.bars,
        chart.symbol,
        inputs=given.get("inputs", {}),
        properties=checked_properties({**given.get("properties", {}), **properties}),
        rates=read_rates(Path(given["rates"])) if "rates" in given else None,
        first=dates[0],
        last=dates[1],
    )
    title = declared_arguments(program).get("title", "strategy")
    name = given.get("name") or f"{title} on {chart.symbol.symbol}"
    return PortfolioMember(name, request, given.get("weight")), chart


def _asked(
    at: ToolContext,
    source: str,
    symbol: str | None,
    timeframe: str | None,
    bars: int | None,
    data: list[str] | None,
    properties: dict[str, Any] | None,
    tier: str,
) -> tuple[Program, markets.Market, Request]:
    from pinebench.broker import checked_properties
    from pinebench.checker import open_program
    from pinebench.workers.jobs import request_of

    program = open_program(source, ())
    found = markets.market(at, symbol, timeframe, bars, data)
    known = checked_properties(properties or {})
    request = request_of(program, found.chart.bars, found.chart.symbol, others=found.others, properties=known)
    return program, found, replace(request, tier=cast("Tier", tier))


def _plan(
    program: Program,
    ranges: list[str] | None,
    metric: str,
    constraints: list[str] | None,
    search: str,
    trials: int,
    holdout: float,
) -> OptimizationPlan:
    from pinebench.market import SymbolInfo
    from pinebench.runtime import refuse
    from pinebench.sweeps.optimization import OptimizationPlan
    from pinebench.sweeps.space import space_of

    refuse(program, 0, SymbolInfo())
    more: dict[str, Any] = {"search": search, "trials": trials, "holdout": holdout}
    return OptimizationPlan.of(space_of(program, ranges or []), metric, constraints or (), **more)

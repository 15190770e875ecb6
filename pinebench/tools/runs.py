"""Runs scripts on bars without a chart: plots, alerts, logs, drawings, back-tests, and pictures of them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from pinebench.calendars.dates import minute_text
from pinebench.context import CancelledError, DeadlineError
from pinebench.errors import PinebenchError, UsageError
from pinebench.tools import markets
from pinebench.tools.arguments import Flag, IntegerArgument
from pinebench.tools.chart_browser import Image, ToolContext
from pinebench.tools.check import SOURCE
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pinebench.broker import Fill
    from pinebench.checker import Program
    from pinebench.runtime import Result
    from pinebench.workers.request import Request

_MOST_VALUES = 500
_MOST_SAID = 50
_PICTURED = 300
"""The default number of bars in a picture."""
_FROM_BAR = IntegerArgument("from the bar of this index on (0 is the first)")
_TO_BAR = IntegerArgument("before the bar of this index")
_LAST = IntegerArgument(
    f"values of each plot, at most {_MOST_VALUES} (default: 5, and all of a range of dates or bars)",
    1,
    _MOST_VALUES,
    clamp=True,
)


class RunReport(markets.OnBars):
    """The results of a run. `tier` names the tier that ran it, Python or machine code, with the reason.

    `plots` have values of the bars from `first_bar` on, which open at `times` (unix seconds). `drawings` counts the
    drawings that are on the chart at the end. `tables` and `labels` hold the texts of tables and labels; `contents` has
    the positions and texts of drawings. `why_na` gives reasons for plots that have no value on any bar, by title.
    """

    from_time: int | None
    to_time: int | None
    first_bar: int
    times: list[int]
    plots: list[dict[str, Any]]
    alerts: list[dict[str, Any]]
    logs: list[dict[str, Any]]
    drawings: dict[str, int]
    tables: list[dict[str, Any]]
    labels: list[str]
    contents: NotRequired[dict[str, list[dict[str, Any]]]]
    why_na: NotRequired[dict[str, list[str]]]
    tier: dict[str, str]
    stopped: dict[str, Any] | None


@tool(
    "check",
    "Run a script on bars offline: plots, alerts, logs, drawings, a picture. Default: 1000 made-up daily bars."
    " A strategy's trades: pine_backtest.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_run(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
    from_: Annotated[str | None, markets.FROM] = None,
    to: Annotated[str | None, markets.TO] = None,
    from_bar: Annotated[int | None, _FROM_BAR] = None,
    to_bar: Annotated[int | None, _TO_BAR] = None,
    last: Annotated[int | None, _LAST] = None,
    drawings: Annotated[bool, Flag("also give positions and texts of the last labels, lines and boxes")] = False,
    image: Annotated[bool, markets.IMAGE] = False,
) -> RunReport:
    """Run a script on the bars that the arguments name. A range limits only results; runs begin at the first bar."""
    from pinebench.compiled import run_on_tier
    from pinebench.runtime import contents, report, shown

    begin, end = markets.dates(from_, to)
    program, ran, request = markets.run_request(at, source, symbol, timeframe, bars, data, symbol_info, inputs)
    tiered = run_on_tier(request, at.context)
    result = tiered.ran.result
    whole = report.report(result)
    first, stop = _range(whole["times"], begin, end, from_bar, to_bar)
    told = shown.cut(whole, *_edges(whole["times"], first, stop))
    is_range = (first, stop) != (0, len(whole["times"]))
    given = last if last is not None else _MOST_VALUES if is_range else 5
    kept = max(stop - given, first)
    unseen = _image(at, program, result, ran, (first, stop) if is_range else None) if image else []
    times = told["times"]
    labels = [each["text"] for each in told["drawings"].get("label", ()) if each["text"]]
    cut = markets.left_out(_MOST_SAID, earlier_alerts=told["alerts"], earlier_logs=told["logs"], earlier_labels=labels)
    answer: RunReport = {
        **ran.told(),
        "from_time": times[0] // 1000 if times else None,
        "to_time": times[-1] // 1000 if times else None,
        "first_bar": kept,
        "times": [time // 1000 for time in whole["times"][kept:stop]],
        "plots": [{"title": each["title"], "values": each["values"][kept:stop]} for each in whole["plots"]],
        "alerts": told["alerts"][-_MOST_SAID:],
        "logs": told["logs"][-_MOST_SAID:],
        "drawings": {kind: len(found) for kind, found in told["drawings"].items() if found},
        "tables": contents.tables(told),
        "labels": labels[-_MOST_SAID:],
        "tier": tiered.report(),
        "stopped": told["error"],
        "remarks": [*ran.remarks, *_left_out(kept - first), *cut, *told["notes"], *unseen],
    }
    if drawings:
        answer["contents"] = contents.drawn(told, _MOST_SAID)
    why = _why_na(at, request, result)
    if why:
        answer["why_na"] = why
    return answer


def _why_na(at: ToolContext, request: Request, result: Result) -> dict[str, list[str]]:
    """Return the reasons why plots have no value on any bar, by title. Extra runs happen only if there is such a
    plot."""
    from pinebench.repaint.na_causes import is_empty
    from pinebench.runtime import shown
    from pinebench.workers.dispatch import explain

    empty = [
        title
        for title, plot in zip(shown.titles_of(result), result.plots, strict=True)
        if plot.function == "plot" and plot.values and all(map(is_empty, plot.values))
    ]
    if not empty:
        return {}
    try:
        told = explain(request, at.context).why
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError:
        return {}  # The run itself succeeded, so its values are returned without reasons.
    return {title: reasons for title in empty if (reasons := told.get(title))}


def _left_out(count: int) -> list[str]:
    return [f"{count} earlier values of each plot are not shown; from_bar, from or last choose others"] if count else []


def _range(
    times: Sequence[int], begin: int | None, end: int | None, from_bar: int | None, to_bar: int | None
) -> tuple[int, int]:
    """Return the indexes of the first bar that is shown and of the bar after the last. Raises UsageError if there is
    none."""
    first = max(from_bar or 0, bisect_left(times, begin) if begin is not None else 0)
    stop = min(to_bar if to_bar is not None else len(times), bisect_left(times, end) if end is not None else len(times))
    if times and first >= stop:
        raise UsageError(
            "there is no bar in the range given by from, to, from_bar and to_bar",
            f"the {len(times)} bars go from {minute_text(times[0])} UTC to {minute_text(times[-1])} UTC",
        )
    return first, stop


def _edges(times: Sequence[int], first: int, stop: int) -> tuple[int | None, int | None]:
    """Return the opening times that bound the bars from `first` to before `stop`; None for a bound that excludes no
    bar."""
    return (times[first] if first else None), (times[stop] if stop < len(times) else None)


class BacktestReport(markets.OnBars):
    """A strategy's report and trades. Times are in milliseconds UTC, and money is in the account's currency. `tier`
    tells whether it ran in Python or as machine code, with the reason."""

    report: dict[str, Any]
    trade_count: int
    trades: list[dict[str, Any]]
    tier: dict[str, str]
    stopped: dict[str, Any] | None


@tool(
    "check",
    "Back-test a strategy on bars offline, as TradingView's strategy tester does: figures, trades, a picture. Default"
    ": 1000 made-up daily bars.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_backtest(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
    properties: Annotated[dict[str, Any] | None, markets.PROPERTIES] = None,
    from_: Annotated[str | None, markets.FROM] = None,
    to: Annotated[str | None, markets.TO] = None,
    last: Annotated[int, IntegerArgument("how many of the last trades to give", 0, 200, clamp=True)] = 20,
    image: Annotated[bool, markets.IMAGE] = False,
) -> BacktestReport:
    """Back-test a strategy on the bars that the arguments name, between the dates `from` and `to` if they are given."""
    from pinebench.backtesting.backtest_report import report
    from pinebench.broker import checked_properties
    from pinebench.checker import open_program
    from pinebench.compiled import run_on_tier, trade_on
    from pinebench.workers.jobs import request_of

    begin, end = markets.dates(from_, to)
    program = open_program(source, ())
    found = markets.market(at, symbol, timeframe, bars, data, symbol_info)
    first, stop = _range(found.chart.bars.time, begin, end, None, None)
    request = request_of(
        program,
        found.chart.bars,
        found.chart.symbol,
        inputs=inputs or {},
        others=found.others,
        properties=checked_properties(properties or {}),
        first=begin,
        last=end,
    )
    tiered = run_on_tier(request, at.context, trade_on)
    tested = tiered.ran.tested
    assert tested is not None
    told = report(tested)
    trades = told["trades"]
    unseen: list[str] = []
    if image:
        unseen = _image(at, program, tested.result, found, (max(first, stop - _PICTURED), stop), tested.fills)
    return {
        **found.told(),
        "report": told["report"],
        "trade_count": len(trades),
        "trades": trades[len(trades) - last :] if last < len(trades) else trades,
        "tier": tiered.report(),
        "stopped": told["error"],
        "remarks": [*found.remarks, *told["notes"], *unseen],
    }


class ProfileReport(markets.OnBars):
    """The costs of a script in milliseconds of processor time on this computer, the counts that TradingView limits
    (such as requests), and rewrites that gave equal results on these bars."""

    whole_ms: float
    lines: list[dict[str, Any]]
    functions: list[dict[str, Any]]
    broker_ms: float
    weights: list[dict[str, Any]]
    advice: list[dict[str, Any]]
    stopped: str | None


@tool(
    "check",
    "Profile a script on bars offline: time and runs of its costliest lines, counts against"
    " TradingView's limits, faster rewrites with equal results.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_profile(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.LIKE_RUNS] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
) -> ProfileReport:
    """Profile a script on the bars that the arguments name."""
    from pinebench.profiling.full_profile import SECONDS, profiled
    from pinebench.profiling.report import report
    from pinebench.workers.dispatch import execute

    _, found, request = markets.run_request(at, source, symbol, timeframe, bars, data, symbol_info, inputs)
    measured = execute(request, profiled, at.context, seconds=SECONDS)
    told = report(measured.profile, measured.weights, measured.advice)
    return {
        **found.told(),
        "remarks": [
            *found.remarks,
            *markets.left_out(_MOST_SAID, cheaper_lines=told["lines"], cheaper_functions=told["functions"]),
        ],
        "whole_ms": told["whole_ms"],
        "lines": sorted(told["lines"], key=lambda one: -one["ms"])[:_MOST_SAID],
        "functions": sorted(told["functions"], key=lambda one: -one["total_ms"])[:_MOST_SAID],
        "broker_ms": told["broker_ms"],
        "weights": told["weights"],
        "advice": told["advice"],
        "stopped": told["error"],
    }


class PlotValues(markets.OnBars):
    """A script's plots at its last bars, by title. `times` are in unix seconds. `tier` tells whether the script ran in
    Python or as machine code, with the reason."""

    times: list[int]
    values: dict[str, list[Any]]
    tier: dict[str, str]


@tool(
    "scripts",
    "Compute only what a script plots at the last bars, offline (all else: pine_run). Default: 1000 made-up daily"
    " bars.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_indicator_values(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
    last: Annotated[int, IntegerArgument("values of each plot", 1, _MOST_VALUES, clamp=True)] = 1,
) -> PlotValues:
    """Return the last values of each plot."""
    from pinebench.compiled import run_on_tier

    _, found, request = markets.run_request(at, source, symbol, timeframe, bars, data, symbol_info, inputs)
    tiered = run_on_tier(request, at.context)
    result = tiered.ran.result
    if result.error is not None:
        line = result.error.line
        raise ToolRefused(f"the script stopped: {result.error.message}", f"in line {line}" if line else None)
    values: dict[str, list[Any]] = {}
    for plot in result.plots:
        title, count = plot.title, 2
        while title in values:
            title, count = f"{plot.title} ({count})", count + 1
        values[title] = plot.exported[-last:]
    times = [time // 1000 for time in result.times[-last:]]
    return {**found.told(), "times": times, "values": values, "tier": tiered.report()}


def draw_run(at: ToolContext, source: str, market: markets.Market) -> list[str]:
    """Add a picture of a script's run on bars, with a strategy's fills. Return an empty list, or the reason why there
    is no picture."""
    from pinebench.checker import open_program
    from pinebench.workers.dispatch import execute
    from pinebench.workers.jobs import perform, request_of

    program = open_program(source, ())
    request = request_of(program, market.chart.bars, market.chart.symbol, others=market.others)
    try:
        ran = execute(request, perform, at.context)
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError as error:
        return [f"there is no picture: {error.message}"]
    return _image(at, program, ran.result, market, None, ran.tested.fills if ran.tested is not None else None)


def _image(
    at: ToolContext,
    program: Program,
    result: Result,
    found: markets.Market,
    shown: tuple[int, int] | None,
    fills: list[Fill] | None = None,
) -> list[str]:
    """Add a picture of the bars `shown` (default: the last 300), with a strategy's fills.

    Returns an empty list, or the reason why there is no picture.
    """
    from pinebench import charts

    if result.error is not None:
        return [f"there is no picture: the script stopped: {result.error.message}"]

    traded = charts.filled(fills or ())
    first, stop = shown or (max(len(result.times) - _PICTURED, 0), len(result.times))
    scene = charts.picture(result, found.chart.bars, found.chart.symbol, charts.view_of(program, first, stop), traded)
    at.images.append(Image(charts.as_png(scene), "image/png"))
    return []

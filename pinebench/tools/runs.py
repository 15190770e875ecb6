"""Scripts on bars without a chart: what they plot, alert, log and draw, how strategies trade, and pictures of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from pinebench.errors import UsageError
from pinebench.tools import markets
from pinebench.tools.arguments import Flag, Whole
from pinebench.tools.calling import Refused
from pinebench.tools.chart_browser import Image, ToolContext
from pinebench.tools.check import SOURCE
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pinebench.broker.trades import Fill
    from pinebench.checker import Program
    from pinebench.runtime.runtime import Result

_MOST_VALUES = 500
_MOST_SAID = 50
_PICTURED = 300
"""Bars that a picture shows where nobody says which."""
_FROM_BAR = Whole("only from the bar of this index on (0 is the first)")
_TO_BAR = Whole("only before the bar of this index")
_PICTURE = Flag("also give a picture of the run as the chart would show it")
_LAST = Whole(
    f"values to give of each plot, at most {_MOST_VALUES} (default: 5, and all of a range of dates or bars)",
    1,
    _MOST_VALUES,
    clamp=True,
)


class Ran(markets.OnBars):
    """What a run left.

    `plots` have values of the bars from `first_bar` on, which open at `times` (unix seconds); `drawings` counts what is
    left on the chart, `tables` and `labels` say what it reads, `contents` where it lies.
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
    stopped: dict[str, Any] | None


@tool(
    "check",
    "Run a script on bars offline: values of its plots, alerts, logs, drawings, a picture. Without data on 1000 made-up"
    " daily bars of NASDAQ:AAPL. A strategy's trades: pine_backtest.",
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
    drawings: Annotated[bool, Flag("also give places and texts of the last labels, lines and boxes")] = False,
    picture: Annotated[bool, _PICTURE] = False,
) -> Ran:
    """Run on the bars that are named; the script always runs from the first bar."""
    from pinebench.runtime import contents
    from pinebench.runtime.report import report
    from pinebench.runtime.shown import cut

    begin, end = markets.dates(from_, to)
    program, ran, result = _run(at, source, symbol, timeframe, bars, data, symbol_info, inputs)
    whole = report(result)
    first, stop = _range(whole["times"], begin, end, from_bar, to_bar)
    told = cut(whole, *_edges(whole["times"], first, stop))
    is_range = (first, stop) != (0, len(whole["times"]))
    given = last if last is not None else _MOST_VALUES if is_range else 5
    kept = max(stop - given, first)
    if picture and result.error is None:
        _draw(at, program, result, ran, (first, stop) if is_range else None)
    times = told["times"]
    answer: Ran = {
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
        "labels": [each["text"] for each in told["drawings"].get("label", ()) if each["text"]][-_MOST_SAID:],
        "stopped": told["error"],
        "remarks": [*ran.remarks, *_left_out(kept - first), *told["notes"]],
    }
    if drawings:
        answer["contents"] = contents.drawn(told, _MOST_SAID)
    return answer


def _left_out(count: int) -> list[str]:
    return [f"{count} earlier values of each plot are left out; from_bar, from or last choose others"] if count else []


def _range(
    times: Sequence[int], begin: int | None, end: int | None, from_bar: int | None, to_bar: int | None
) -> tuple[int, int]:
    """The bars that are shown, as the first and the one behind the last. Raises UsageError where there are none."""
    from bisect import bisect_left

    first = max(from_bar or 0, bisect_left(times, begin) if begin is not None else 0)
    stop = min(to_bar if to_bar is not None else len(times), bisect_left(times, end) if end is not None else len(times))
    if times and first >= stop:
        raise UsageError(
            "no bar is in the range that from, to, from_bar and to_bar name",
            f"the {len(times)} bars go from {_date(times[0])} to {_date(times[-1])}",
        )
    return first, stop


def _edges(times: Sequence[int], first: int, stop: int) -> tuple[int | None, int | None]:
    """The times between which the bars from `first` to before `stop` open."""
    return (times[first] if first else None), (times[stop] if stop < len(times) else None)


def _date(time: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


class Tested(markets.OnBars):
    """What a strategy's trades came to; times in milliseconds UTC, money in the account's currency."""

    report: dict[str, Any]
    trade_count: int
    trades: list[dict[str, Any]]
    stopped: dict[str, Any] | None


@tool(
    "check",
    "Back-test a strategy on bars offline, as TradingView's strategy tester does: figures, trades, a picture. Without"
    " data on 1000 made-up daily bars of NASDAQ:AAPL.",
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
    last: Annotated[int, Whole("how many of the last trades to give", 0, 200, clamp=True)] = 20,
    picture: Annotated[bool, _PICTURE] = False,
) -> Tested:
    """Trade on the bars that are named; with `from` and `to` only between these dates."""
    from pinebench.broker.properties import checked
    from pinebench.checker import open_program
    from pinebench.execution.executing import execute
    from pinebench.execution.performing import request_of, trade
    from pinebench.execution.testing_report import report

    begin, end = markets.dates(from_, to)
    program = open_program(source, ())
    found = markets.market(at, symbol, timeframe, bars, data, symbol_info)
    request = request_of(
        program,
        found.chart.bars,
        found.chart.symbol,
        inputs=inputs or {},
        others=found.others,
        properties=checked(properties or {}),
        first=begin,
        last=end,
    )
    tested = execute(request, trade, at.context)
    told = report(tested)
    trades = told["trades"]
    if picture and tested.result.error is None:
        first, stop = _range(tested.result.times, begin, end, None, None)
        _draw(at, program, tested.result, found, (max(first, stop - _PICTURED), stop), tested.fills)
    return {
        **found.told(),
        "report": told["report"],
        "trade_count": len(trades),
        "trades": trades[len(trades) - last :] if last < len(trades) else trades,
        "stopped": told["error"],
        "remarks": [*found.remarks, *told["notes"]],
    }


class PlotValues(markets.OnBars):
    """The plots of a script at its last bars, by title; `times` in unix seconds."""

    times: list[int]
    values: dict[str, list[Any]]


@tool(
    "scripts",
    "Compute only what a script plots at the last bars, offline (pine_run gives alerts and drawings too). Without data"
    " on 1000 made-up daily bars of NASDAQ:AAPL.",
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
    last: Annotated[int, Whole("values to give of each plot", 1, _MOST_VALUES, clamp=True)] = 1,
) -> PlotValues:
    """The last values of each plot."""
    _, found, result = _run(at, source, symbol, timeframe, bars, data, symbol_info, inputs)
    if result.error is not None:
        raise Refused(f"the script stopped: {result.error.message}", f"in line {result.error.line}")
    values: dict[str, list[Any]] = {}
    for plot in result.plots:
        title, count = plot.title, 2
        while title in values:
            title, count = f"{plot.title} ({count})", count + 1
        values[title] = plot.exported[-last:]
    return {**found.told(), "times": [time // 1000 for time in result.times[-last:]], "values": values}


def _run(
    at: ToolContext,
    source: str,
    symbol: str | None,
    timeframe: str | None,
    bars: int | None,
    data: list[str] | None,
    symbol_info: str | None,
    inputs: dict[str, Any] | None,
) -> tuple[Program, markets.Market, Result]:
    """The script, the bars that it ran on, and what it left."""
    from pinebench.checker import open_program
    from pinebench.execution.executing import execute
    from pinebench.execution.performing import request_of

    program = open_program(source, ())
    found = markets.market(at, symbol, timeframe, bars, data, symbol_info)
    request = request_of(program, found.chart.bars, found.chart.symbol, inputs=inputs or {}, others=found.others)
    return program, found, execute(request, context=at.context).result


def _draw(
    at: ToolContext,
    program: Program,
    result: Result,
    found: markets.Market,
    shown: tuple[int, int] | None,
    fills: list[Fill] | None = None,
) -> None:
    """Add a picture of the bars `shown`, by default the last 300, with what a strategy bought and sold."""
    from pinebench.runtime.picture import Filled, as_png, picture, view_of

    traded = [
        Filled(one.bar, one.price, one.quantity if one.action == "buy" else -one.quantity, one.comment or one.id)
        for one in fills or ()
    ]
    first, stop = shown or (max(len(result.times) - _PICTURED, 0), len(result.times))
    scene = picture(result, found.chart.bars, found.chart.symbol, view_of(program, first, stop), traded)
    at.images.append(Image(as_png(scene), "image/png"))
